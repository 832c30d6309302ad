// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::tables {

/// Those with tcgen05.mma and without its kind::i8.
inline constexpr OnArch without_i8 = [] {
  OnArch on = where(&Architecture::has_tcgen05);
  for (int i = 0; i < arch_count; ++i) on[i] = on[i] && !architectures[i].has_tcgen05_i8;
  return on;
}();
inline constexpr Cite shapes{"ptx", "tcgen05, matrix shape, combinations of .kind and shapes"};
inline constexpr Cite descriptor_table{"ptx", "tcgen05, instruction descriptor"};
inline constexpr Cite transposes{"ptx", "tcgen05, transpose and negate operations"};
inline constexpr Cite scale_ids{"ptx", "tcgen05, scale factor data ids"};

/// Rules on the instruction descriptor; the checks are in instr_desc_rules.cc.
inline constexpr std::array instr_rules{
    Rule("IDESC-R01", "reserved bits are 0", {{descriptor_table}}, from_sm_100, "AMB-31"),
    Rule("IDESC-R02", "the code of D is one that the kind lists", {{descriptor_table, shapes}}, from_sm_100,
         "AMB-30"),
    Rule("IDESC-R03", "the code of A is one that the kind lists", {{descriptor_table}}, from_sm_100),
    Rule("IDESC-R04", "the code of B is one that the kind lists", {{descriptor_table}}, from_sm_100),
    Rule("IDESC-R05", "kind::f16 writes f16 only from f16 by f16", {{shapes}}, from_sm_100),
    Rule("IDESC-R06", "only kind::i8 saturates", {{descriptor_table}}, from_sm_100),
    Rule("IDESC-R07", "the sparsity selector is 0 in dense instructions, in f8f6f4 and in i8",
         {{descriptor_table}}, from_sm_100, "AMB-20"),
    Rule("IDESC-R08", "kind::i8 does not negate", {{transposes}}, from_sm_100),
    Rule("IDESC-R09", "mxf4, mxf4nvf4 and any 4- or 6-bit element are not transposed", {{transposes}},
         from_sm_100),
    Rule("IDESC-R10", "A in tensor memory is not transposed",
         {{{"cutlass", "mma_traits_sm100.hpp, A from tensor memory"}}}, from_sm_100),
    Rule("IDESC-R11", "M and N are a shape of the kind, the CTA group and .ws", {{shapes}}, from_sm_100,
         "AMB-14"),
    Rule("IDESC-R12", "a transposed 8-bit B needs N in steps of 16, of 32 for a CTA pair",
         {{{"ptx", "tcgen05, matrix shape, transposed B of 8-bit types"}}}, from_sm_100),
    Rule("IDESC-R13", "a maximum shift for the reuse of B goes with .ws", {{descriptor_table}}, from_sm_100,
         "AMB-04"),
    Rule("IDESC-R14", "the sparsity bit says what the instruction says", {{descriptor_table}}, from_sm_100),
    Rule("IDESC-R15", "scales are ue8m0, or ue4m3 only with mxf4nvf4 and four scales",
         {{{"ptx", "tcgen05, block scaling, types of scales"}}}, from_sm_100, "AMB-11"),
    Rule("IDESC-R16",
         "scale ids are 0 or 2 for two scales, 0 for four; with K of 96 any for block32, 0 or 2 for block16",
         {{scale_ids}}, from_sm_100, "AMB-12"),
    Rule("IDESC-R17", "K of 96 is dense and needs sm_103a", {{shapes}}, from_sm_100),
    Rule("IDESC-R18", "kind::i8 needs sm_100a or sm_110a", {{{"ptxas", "tcgen05.mma on each target"}}},
         without_i8, "AMB-44"),
    Rule("IDESC-R19",
         "the descriptor decides the types: f16 and tf32 are one opcode, as are f8f6f4's five types",
         {{{"ptxas", "machine code of tcgen05.mma kinds"}}}, from_sm_100),
    Rule("IDESC-R20", "negation flips the sign of every element before it is used", {{transposes}},
         from_sm_100),
};

inline constexpr OnArch with_absolute = where(&Architecture::has_absolute_leading);
inline constexpr Cite smem_table{"ptx", "tcgen05, shared memory descriptor, table of bits"};
inline constexpr Cite repeat{"ptx",
                             "tcgen05, shared memory descriptor, starting address of the repeating pattern"};
inline constexpr Cite combinations{"ptx",
                                   "tcgen05, valid combinations of type-size, major-ness and swizzling"};
inline constexpr Cite canonical{"ptx", "tcgen05, canonical layouts"};
inline constexpr Cite wgmma_addresses{"h200", "sm_90, shared mechanism: wgmma descriptor, addresses"};

/// Rules on the shared memory descriptors; the checks are in smem_desc.cc.
inline constexpr std::array smem_rules{
    Rule("SMEM-R01", "bits 46 to 48 hold the constant 0b001", {{smem_table}}, from_sm_100),
    Rule("SMEM-R02", "bits 14, 15, 30, 31 and 53 to 60 are 0", {{smem_table}}, from_sm_100),
    Rule("SMEM-R03", "the swizzle code is 0, 1, 2, 4 or 6", {{smem_table}}, from_sm_100),
    Rule("SMEM-R04", "the leading dimension may be an absolute address on sm_103a alone",
         {{{"ptx", "tcgen05, shared memory descriptor, target ISA notes"}}}, from_sm_100),
    Rule("SMEM-R05",
         "an absolute leading address goes with 128B swizzle of 16-byte atoms, K-major order and base offset "
         "0",
         {{{"ptx", "tcgen05, shared memory descriptor, target ISA notes"}}}, with_absolute),
    Rule("SMEM-R06", "without swizzle the base offset is 0", {{repeat}}, from_sm_100, "AMB-05"),
    Rule("SMEM-R07", "4- and 6-bit elements are K-major", {{combinations}}, from_sm_100),
    Rule("SMEM-R08", "MN-major 8- and 16-bit elements take every swizzle but 128B with 32-byte atoms",
         {{combinations}}, from_sm_100),
    Rule("SMEM-R09", "MN-major 32-bit elements take 128B swizzle with 32-byte atoms alone", {{combinations}},
         from_sm_100),
    Rule("SMEM-R10", "128B swizzle with 32-byte atoms is for MN-major order",
         {{{"ptx", "tcgen05, swizzle atoms"}, {"cutlass", "mma_traits_sm100.hpp, layout atoms"}}},
         from_sm_100, "AMB-08"),
    Rule("SMEM-R11",
         "start, strides and absolute address are bytes / 16 in 14 bits: higher address bits are dropped",
         {{smem_table, wgmma_addresses}}),
    Rule("SMEM-R12",
         "K-major without swizzle: 8 rows of 16 bytes are adjacent, the stride offset leads to the next 8 "
         "rows, the leading offset to the next 16 bytes of a row",
         {{canonical, wgmma_addresses}}),
    Rule("SMEM-R13",
         "K-major with swizzle: rows are a swizzle width apart, the stride offset leads to the next 8 rows",
         {{canonical, wgmma_addresses}}),
    Rule("SMEM-R14",
         "MN-major without swizzle: 8 k of 16 bytes are adjacent, the stride offset leads to the next 16 "
         "bytes along MN, the leading offset to the next 8 k",
         {{canonical, wgmma_addresses}}),
    Rule("SMEM-R15",
         "MN-major with swizzle: lines of one k are a swizzle width apart, the leading offset leads to the "
         "next width along MN, the stride offset to the next 8 k (4 for 32-byte atoms)",
         {{canonical, wgmma_addresses}}, everywhere, "AMB-32"),
    Rule("SMEM-R16",
         "the swizzle is one exclusive or applied to the complete sum of start, strides and offsets, for any "
         "start that is a multiple of 16",
         {{wgmma_addresses, {"cutlass", "mma_traits_sm100.hpp, descriptor iterator"}}}),
    Rule("SMEM-R17",
         "the base offset is subtracted from the number of the 128-byte line before it is reduced to the "
         "phase",
         {{repeat, {"h200", "sm_90, shared mechanism: wgmma descriptor, base offset"}}}, everywhere,
         "AMB-05"),
    Rule("SMEM-R18", "a stride whose index is always 0 is ignored",
         {{{"h200", "sm_90, shared mechanism: wgmma descriptor, dead strides"}}}),
    Rule("SMEM-R19",
         "K-major 32B swizzle: the leading offset leads to the second 32 bytes of a row where an instruction "
         "reads 64",
         {{wgmma_addresses}}, everywhere, "AMB-46"),
    Rule("SMEM-R20",
         "bytes past the end of a 128-byte row are read at the absolute leading address, from the start of "
         "its rows",
         {{{"cutlass", "sm103_blockscaled_mma_warpspecialized.hpp"}}}, with_absolute),
    Rule("SMEM-R21", "wgmma ignores bits 14, 15, 30, 31, 46 to 48 and 52 to 61",
         {{{"h200", "wgmma descriptor, reserved bits"}}}, on_sm_90),
};

inline constexpr Cite mask_table{"ptx", "tcgen05, zero-column mask descriptor, table of bits"};
inline constexpr Cite examples{"ptx", "tcgen05, zero-column mask descriptor, examples 1 to 4"};
inline constexpr Cite masks_of_convolutions{"cutlass", "mma_sm100_desc.hpp, make_column_zero_mask"};

/// Rules on the zero-column mask; the checks are in zero_column_mask.cc.
inline constexpr std::array mask_rules{
    Rule("ZCM-R01", "bits 36 to 38, 62 and 63 are 0", {{mask_table}}, from_sm_100),
    Rule("ZCM-R02", "the column shift is at most 16 for M of 32, else at most 32", {{mask_table}},
         from_sm_100),
    Rule("ZCM-R03", "a start count is below the length of the first span",
         {{examples, masks_of_convolutions}}, from_sm_100, "AMB-03"),
    Rule("ZCM-R04", "the column shift is at most the maximum shift of the instruction descriptor",
         {{mask_table}}, from_sm_100, "AMB-04"),
    Rule("ZCM-R05", "with bit 39 clear every column is used", {{mask_table, examples}}, from_sm_100,
         "AMB-02"),
    Rule("ZCM-R06",
         "skip_span columns are zeroed and use_span columns used, in turn, each field one less than the "
         "length",
         {{examples, masks_of_convolutions}}, from_sm_100, "AMB-01"),
    Rule("ZCM-R07",
         "sub-mask i of s covers columns i * N / s to (i + 1) * N / s - 1; M of 128, 64, 32 has 1, 2, 4",
         {{mask_table}}, from_sm_100),
    Rule("ZCM-R08", "column j of the mask and of D pairs with column j + shift of B", {{examples}},
         from_sm_100),
    Rule("ZCM-R09", "a masked column of B acts as a column of zeros, whatever it holds", {{mask_table}},
         from_sm_100, "NUM-AMB-16"),
};

}  // namespace assay::spec::tables
