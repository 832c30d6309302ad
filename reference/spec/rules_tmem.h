// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::tables {

inline constexpr Cite scaling{"ptx", "tcgen05, block scaling"};
inline constexpr Cite scale_layouts{"ptx", "tcgen05, layouts of scale factors in tensor memory"};
inline constexpr Cite ids{"ptx", "tcgen05, scale factor data ids"};
inline constexpr Cite scale_fragments{"cutlass", "mma_traits_sm100_frag.hpp, tmem_sf_frg"};
inline constexpr Cite k96_loop{"cutlass", "sm103_blockscaled_mma_warpspecialized.hpp"};

/// SCALE-Rnn: where the scale factors of block-scaled tcgen05.mma lie in tensor memory and what they scale.
inline constexpr std::array scale_rules{
    Rule("SCALE-R01",
         "a scale belongs to 32 consecutive elements of a row of A or a column of B, with scale_vec::4X and "
         "block16 to 16",
         {{scaling}}, from_sm_100),
    Rule("SCALE-R02",
         "a cell holds four consecutive scales of one row or column, the first in its lowest byte",
         {{scale_layouts, scale_fragments}}, from_sm_100),
    Rule("SCALE-R03",
         "32 rows or columns lie in the 32 lanes of every partition, the next 32 in the next column of "
         "tensor memory",
         {{scale_layouts, scale_fragments}}, from_sm_100, "AMB-51"),
    Rule("SCALE-R04",
         "the first scale of an instruction is the byte that its scale id names, one id for A and one for B",
         {{ids}}, from_sm_100, "AMB-12"),
    Rule("SCALE-R05",
         "with K of 96 the scales after byte 3 continue in byte 0 of the next group's cell: 4 columns on, or "
         "8 for B with N above 128",
         {{k96_loop, scale_layouts}}, where(&Architecture::has_k96)),
    Rule("SCALE-R06",
         "on a pair with M of 128 the lower and the upper 64 lanes hold the scales of their halves of N",
         {{scale_fragments, scale_layouts}}, from_sm_100, "AMB-09"),
    Rule("SCALE-R07", "on a pair each CTA holds the scales of its rows of A and of all columns of B",
         {{scale_fragments}}, from_sm_100),
    Rule("SCALE-R08", "a ue8m0 scale is 2^(code - 127); a ue4m3 scale is e4m3 without sign, bit 7 ignored",
         {{{"ptx", "alternate floating-point data formats"}, {"mma-sim", "sections on Blackwell"}}},
         from_sm_100, "NUM-AMB-11"),
};

inline constexpr Cite matrices{"ptx", "tcgen05, sparse matrices"};
inline constexpr Cite layouts{"ptx", "tcgen05, sparsity metadata in tensor memory"};
inline constexpr Cite sparse_fragments{"cutlass", "mma_traits_sm100_frag.hpp, tmem_e_frg"};
inline constexpr Cite measured{"h200", "sm_90, shared mechanism: sparse operands of wgmma and mma.sync"};
inline constexpr Cite registers{"ptx", "mma.sp, sparsity selector and layout of the metadata"};
inline constexpr Cite selector{"cutlass", "mma_traits_sm100.hpp, sparse atoms"};

/// SPARSE-Rnn: what the metadata of a sparse A say, and where they lie in tensor memory and in registers.
inline constexpr std::array sparse_rules{
    Rule("SPARSE-R01",
         "the kept elements of a row of A are multiplied by the elements of B that the metadata select and "
         "added in one sum, as in the dense form; other elements of B have no effect",
         {{matrices, measured}}),
    Rule("SPARSE-R02",
         "2:4: a code of 4 bits for every four elements of B, bits 1:0 the place of the first kept element, "
         "bits 3:2 that of the second",
         {{matrices, measured}}, everywhere, "AMB-19"),
    Rule("SPARSE-R03",
         "1:2, tf32: a code of 4 bits for every two elements of B, 0100 for the first, 1110 for the second",
         {{matrices, measured}}),
    Rule("SPARSE-R04",
         "4:8, the kinds of packed 4-bit elements: a code of 4 bits for every eight elements of B, which are "
         "four pairs; each 2 bits name the pair that two neighbouring kept elements meet",
         {{matrices, {"h200", "SP-02"}}}, everywhere, "AMB-19"),
    Rule("SPARSE-R05",
         "kinds f16 and tf32: rows r and r + 8 of every 16 share cells, r in the low halves; lane r of those "
         "16 has the first four codes, lane r + 8 the others",
         {{layouts, sparse_fragments}}, from_sm_100),
    Rule("SPARSE-R06",
         "the other kinds: 16 codes of a row lie in its lane, eight in each of two columns, the first in the "
         "lowest bits",
         {{layouts, sparse_fragments}}, from_sm_100),
    Rule("SPARSE-R07", "kinds f16 and tf32: the selector names the column of the two", {{selector}},
         from_sm_100, "AMB-20"),
    Rule("SPARSE-R08", "where D lies in 16 of every 32 lanes its metadata lie in the same ones",
         {{layouts, {"ptx", "tcgen05, data path layout organization"}}}, from_sm_100),
    Rule("SPARSE-R09", "with .ws and M of 64 or 32 each group of lanes has the metadata of all rows",
         {{layouts, {"cutlass", "mma_traits_sm100_frag.hpp, tmem_e_frg_ws"}}}, from_sm_100, "AMB-45"),
    Rule("SPARSE-R10", "an undefined code leaves only its own row of D undefined", {{matrices, registers}}),
    Rule("SPARSE-R11", "a scale of a sparse product counts for twice as many elements of K as of a dense one",
         {{{"ptx", "tcgen05.mma, block scaling"}, {"cutlass", "sm100_blockscaled_layout.hpp"}}}, from_sm_100,
         "AMB-10"),
    Rule("SPARSE-R12",
         "mma.sp and wgmma.sp of 16 and 32 bits: a lane of the four that have row r has four codes of it in "
         "the low half of its metadata, of row r + 8 in the upper; the selector names the lane that counts, "
         "and where a row has eight codes lanes 0 and 1 or 2 and 3, the first with the first four",
         {{registers, measured}}),
    Rule("SPARSE-R13",
         "mma.sp and wgmma.sp of 8 and 4 bits: a lane has eight codes of one row, of the four that have row "
         "r the even ones those of r, the odd ones those of r + 8; lanes 2 and 3 have the last eight of "
         "sixteen, and where a row has eight the selector names lanes 0 and 1 or 2 and 3",
         {{registers, measured}}),
    Rule("TMEM-R18", "sparsity metadata start at an even column",
         {{{"triton-sparse", "misaligned address at an odd column, sm_110"}, layouts}}, from_sm_100),
};

// Rules on copies from shared into tensor memory and on shifts within it.

inline constexpr Cite copy{"ptx", "tcgen05.cp"};
inline constexpr Cite copy_traits{"cutlass", "copy_traits_sm100.hpp, UTCCP"};
inline constexpr Cite decompression{"ptx", "tcgen05.cp, decompression of the source format"};
inline constexpr Cite pipelined{"ptx", "tcgen05, Memory Consistency Model: pipelined instructions"};
inline constexpr Cite shift{"ptx", "tcgen05.shift"};

inline constexpr std::array tmem_copy_rules{
    Rule("TCP-R01", "128x256b and 128x128b: row r of the matrix goes to lane r, word w of it to column w",
         {{copy, copy_traits}}, from_sm_100),
    Rule("TCP-R02", "4x256b: row r goes to lane 32 r, counted from the lane of the address",
         {{copy, copy_traits}}, from_sm_100),
    Rule("TCP-R03", "64x128b.warpx2::02_13: row r goes to lanes r and r + 64", {{copy, copy_traits}},
         from_sm_100, "AMB-25"),
    Rule("TCP-R04",
         "64x128b.warpx2::01_23: rows 0 to 31 go to lanes 0 to 31 and 32 to 63, the others to 64 to 95 and "
         "96 to 127",
         {{copy, copy_traits}}, from_sm_100, "AMB-25"),
    Rule("TCP-R05", "32x128b.warpx4: row r goes to lanes r, r + 32, r + 64 and r + 96", {{copy, copy_traits}},
         from_sm_100),
    Rule("TCP-R06",
         "b8x16.b6x16_p32: 16 elements of 6 bits from the low end of each 16 bytes become the low bits of 16 "
         "bytes",
         {{decompression}}, from_sm_100, "AMB-48"),
    Rule("TCP-R07",
         "b8x16.b4x16_p64: 16 elements of 4 bits from the low end of each 16 bytes become 16 bytes",
         {{decompression}}, from_sm_100, "AMB-47"),
    Rule("TCP-R08",
         "cta_group::2: each CTA of the pair copies from its own shared into its own tensor memory, at the "
         "same addresses",
         {{copy_traits, copy}}, from_sm_100, "AMB-27"),
    Rule("TCP-R09", "copies and shifts that are waited for one after the other execute in that order",
         {{pipelined}}, from_sm_100),
    Rule("TCP-R10", "a tcgen05.cp.4x256b executes after the shifts that its thread issued before it",
         {{pipelined}}, from_sm_100),
    Rule("TCP-R11",
         "tcgen05.shift.down: in 8 columns lane i of every 32 receives what lane i + 1 held, and lane 31 is "
         "unchanged",
         {{{"b200", "UTCSHIFT, read back by four warps of a B200"}, shift}}, from_sm_100, "AMB-06"),
    Rule("TCP-R12", "the lane of the address of tcgen05.shift is a multiple of 32", {{shift}}, from_sm_100),
    Rule("TCP-R13",
         "a tcgen05.mma executes after the copies that its thread issued before it, without a wait",
         {{pipelined}}, from_sm_100),
};

}  // namespace assay::spec::tables
