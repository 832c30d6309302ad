// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::smem_rules {

inline constexpr Cite table{"ptx", "tcgen05, shared memory descriptor, table of bits"};
inline constexpr Cite repeat{"ptx",
                             "tcgen05, shared memory descriptor, starting address of the repeating pattern"};
inline constexpr Cite combinations{"ptx",
                                   "tcgen05, valid combinations of type-size, major-ness and swizzling"};
inline constexpr Cite canonical{"ptx", "tcgen05, canonical layouts"};
inline constexpr Cite wgmma_addresses{"h200", "sm_90, shared mechanism: wgmma descriptor, addresses"};
inline constexpr OnArch on_sm_90{true, false, false, false};

/// Rules on the shared memory descriptors; the checks are in smem_desc.cc.
inline constexpr std::array rows{
    Rule{"SMEM-R01", "bits 46 to 48 hold the constant 0b001", {{table}}, from_sm_100, ""},
    Rule{"SMEM-R02", "bits 14, 15, 30, 31 and 53 to 60 are 0", {{table}}, from_sm_100, ""},
    Rule{"SMEM-R03", "the swizzle code is 0, 1, 2, 4 or 6", {{table}}, from_sm_100, ""},
    Rule{"SMEM-R04",
         "the leading dimension may be an absolute address on sm_103a alone",
         {{{"ptx", "tcgen05, shared memory descriptor, target ISA notes"}}},
         from_sm_100,
         ""},
    Rule{"SMEM-R05",
         "an absolute leading address goes with 128B swizzle of 16-byte atoms, K-major order and base offset "
         "0",
         {{{"ptx", "tcgen05, shared memory descriptor, target ISA notes"}}},
         only_sm_103,
         ""},
    Rule{"SMEM-R06", "without swizzle the base offset is 0", {{repeat}}, from_sm_100, "AMB-05"},
    Rule{"SMEM-R07", "4- and 6-bit elements are K-major", {{combinations}}, from_sm_100, ""},
    Rule{"SMEM-R08",
         "MN-major 8- and 16-bit elements take every swizzle but 128B with 32-byte atoms",
         {{combinations}},
         from_sm_100,
         ""},
    Rule{"SMEM-R09",
         "MN-major 32-bit elements take 128B swizzle with 32-byte atoms alone",
         {{combinations}},
         from_sm_100,
         ""},
    Rule{"SMEM-R10",
         "128B swizzle with 32-byte atoms is for MN-major order",
         {{{"ptx", "tcgen05, swizzle atoms"}, {"cutlass", "mma_traits_sm100.hpp, layout atoms"}}},
         from_sm_100,
         "AMB-08"},
    Rule{"SMEM-R11",
         "start, strides and absolute address are bytes / 16 in 14 bits: higher address bits are dropped",
         {{table, wgmma_addresses}},
         everywhere,
         ""},
    Rule{"SMEM-R12",
         "K-major without swizzle: 8 rows of 16 bytes are adjacent, the stride offset leads to the next 8 "
         "rows, "
         "the "
         "leading offset to the next 16 bytes of a row",
         {{canonical, wgmma_addresses}},
         everywhere,
         ""},
    Rule{"SMEM-R13",
         "K-major with swizzle: rows are a swizzle width apart, the stride offset leads to the next 8 rows",
         {{canonical, wgmma_addresses}},
         everywhere,
         ""},
    Rule{"SMEM-R14",
         "MN-major without swizzle: 8 k of 16 bytes are adjacent, the stride offset leads to the next 16 "
         "bytes "
         "along "
         "MN, the leading offset to the next 8 k",
         {{canonical, wgmma_addresses}},
         everywhere,
         ""},
    Rule{"SMEM-R15",
         "MN-major with swizzle: lines of one k are a swizzle width apart, the leading offset leads to the "
         "next "
         "width "
         "along MN, the stride offset to the next 8 k (4 for 32-byte atoms)",
         {{canonical, wgmma_addresses}},
         everywhere,
         "AMB-32"},
    Rule{"SMEM-R16",
         "the swizzle is one exclusive or on the complete sum of start, strides and offsets, any start that "
         "is "
         "a "
         "multiple of 16",
         {{wgmma_addresses, {"cutlass", "mma_traits_sm100.hpp, descriptor iterator"}}},
         everywhere,
         ""},
    Rule{"SMEM-R17",
         "the base offset is subtracted from the number of the 128-byte line before it is reduced to the "
         "phase",
         {{repeat, {"h200", "sm_90, shared mechanism: wgmma descriptor, base offset"}}},
         everywhere,
         "AMB-05"},
    Rule{"SMEM-R18",
         "a stride whose index never leaves 0 is not looked at",
         {{{"h200", "sm_90, shared mechanism: wgmma descriptor, dead strides"}}},
         everywhere,
         ""},
    Rule{"SMEM-R19",
         "K-major 32B swizzle: the leading offset leads to the second 32 bytes of a row where an instruction "
         "reads 64",
         {{wgmma_addresses}},
         everywhere,
         "AMB-46"},
    Rule{"SMEM-R20",
         "bytes past the end of a 128-byte row are read at the absolute leading address, from the start of "
         "its "
         "rows",
         {{{"cutlass", "sm103_blockscaled_mma_warpspecialized.hpp"}}},
         only_sm_103,
         ""},
    Rule{"SMEM-R21",
         "wgmma ignores bits 14, 15, 30, 31, 46 to 48 and 52 to 61",
         {{{"h200", "wgmma descriptor, reserved bits"}}},
         on_sm_90,
         ""},
};

}  // namespace assay::spec::smem_rules
