// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::tables {

inline constexpr Cite adder{"h200", "sm_90, shared mechanism: adder of wgmma and mma.sync"};
inline constexpr Cite integers{"h200", "sm_90, shared mechanism: integer sums of wgmma and mma.sync"};
inline constexpr Cite chain{"h200", "tensor-core numerics, f64"};
inline constexpr Cite recipe{"h200", "tensor-core numerics, fp8 mma.sync"};
inline constexpr Cite blackwell{"mma-sim", "sections on Blackwell"};
inline constexpr Cite datapath{"ptx", "tcgen05, data path layout organization"};
inline constexpr Cite packing{"ptx", "tcgen05, packing formats"};

/// ADD-Rnn of the adder that tcgen05.mma, wgmma and mma.sync share; TMEM-Rnn of the layouts in tensor memory.
inline constexpr std::array mma_rules{
    Rule("ADD-R01",
         "every product is exact; products and C are each truncated toward zero separately, at 2^(E - F), "
         "and added as integers",
         {{adder, blackwell}}),
    Rule("ADD-R02",
         "E is the largest exponent of C and the products; a product's exponent is the sum of those of its "
         "factors, not renormalised",
         {{adder, blackwell}}),
    Rule("ADD-R03",
         "a subnormal operand counts with the exponent of the smallest normal number of its format",
         {{adder, blackwell}}, everywhere, "NUM-AMB-08"),
    Rule("ADD-R04", "F is 25 for f16, bf16 and tf32 operands", {{adder, blackwell}}),
    Rule("ADD-R05", "F is 13 for fp8 operands of wgmma", {{adder}}, on_sm_90),
    Rule("ADD-R06", "F is 25 for 8-, 6- and 4-bit operands of tcgen05", {{blackwell}}, from_sm_100),
    Rule("ADD-R07", "the products of one instruction and C are added as one block", {{adder, blackwell}}),
    Rule("ADD-R08", "E is at least -133 with an f32 accumulator", {{adder, blackwell}}, everywhere,
         "NUM-AMB-01"),
    Rule("ADD-R09",
         "E is at least -21 with an f16 accumulator; of tcgen05.mma this is Hopper's value, carried over",
         {{adder, {"khattak", "measured data of B200"}}}, everywhere, "NUM-AMB-02"),
    Rule("ADD-R10",
         "an f32 result is truncated to 24 significant bits, that of fp8 wgmma to 14; 2^128 and above "
         "becomes infinity",
         {{adder}}),
    Rule("ADD-R11", "an f16 result is rounded once, to nearest even", {{adder}}, everywhere, "NUM-AMB-14"),
    Rule("ADD-R12", "every zero result is +0", {{adder}}, everywhere, "NUM-AMB-03"),
    Rule("ADD-R13",
         "a NaN operand or C, infinity times zero and infinities of both signs give the canonical NaN, "
         "0x7fffffff or 0x7fff",
         {{adder}}),
    Rule("ADD-R14", "infinities of one sign among products and C give that infinity", {{adder}}),
    Rule("ADD-R15", "the low 13 bits of a tf32 operand are ignored", {{adder}}),
    Rule("ADD-R16", "the result is rounded at the end of every instruction", {{adder}}),
    Rule("ADD-R17", "without input D the old accumulator is not read", {{adder}}),
    Rule("ADD-R18", "a negated operand has the sign of every element flipped", {{adder}}),
    Rule("ADD-R19",
         "fp8 mma.sync adds two blocks as f16 does, k mod 4 in {0, 1} and {2, 3}, then adds C, rounding to "
         "nearest even",
         {{recipe, {"ptxas", "fp8 mma.sync for sm_100a"}}}),
    Rule("ADD-R20", "integer sums are exact, then wrapped, or clamped once with saturation", {{integers}}),
    Rule("ADD-R21", "f64 is a chain of fused multiply-adds in order of k", {{chain}}),
    Rule("ADD-R22", "scales of mxf8f6f4 shift products and their exponents before the alignment",
         {{blackwell}}, from_sm_100),
    Rule("ADD-R23",
         "the fp4 kinds add groups of 16 products exactly and align them by the exponents of their scales, F "
         "35",
         {{blackwell}}, from_sm_100, "NUM-AMB-07"),
    Rule("ADD-R24", "a NaN scale makes the result NaN", {{blackwell}}, from_sm_100),
    Rule("ADD-R25", "scale-input-d multiplies the accumulator by a power of two, exactly",
         {{{"ptx", "tcgen05.mma, scale-input-d"}}}, where(&Architecture::has_scale_d), "NUM-AMB-17"),
    Rule("TMEM-R01", "D of M 256 on a pair: rows 0 to 127 in the even CTA, N columns", {{datapath}},
         from_sm_100),
    Rule("TMEM-R02", "dense D of M 128 on a pair: 64 rows a CTA, the upper half of N in the upper 64 lanes",
         {{datapath}}, from_sm_100),
    Rule("TMEM-R03", "sparse D of M 128 on a pair and D of M 64: 16 of every 32 lanes, lower or upper ones",
         {{datapath}}, from_sm_100),
    Rule("TMEM-R04", "D of M 128: row m in lane m", {{datapath}}, from_sm_100),
    Rule("TMEM-R05", "D of M 64 with .ws: the upper half of N in the upper 64 lanes", {{datapath}},
         from_sm_100),
    Rule("TMEM-R06", "D of M 32 with .ws: each quarter of N in 32 lanes of its own", {{datapath}},
         from_sm_100),
    Rule("TMEM-R07", "A in tensor memory lies in every group of lanes that holds its rows of D",
         {{datapath, {"cutlass", "mma_traits_sm100_frag.hpp, duplicated allocation"}}}, from_sm_100),
    Rule("TMEM-R08", "an f16 accumulator lies in the low half of its cell", {{packing}}, from_sm_100,
         "AMB-24"),
    Rule("TMEM-R09", "elements of A fill cells from the low bits; those of the f8f6f4 kinds have a byte each",
         {{packing}}, from_sm_100, "AMB-21"),
    Rule("TMEM-R10",
         "the shape of tcgen05.ld and tcgen05.st defines which cell each register of each thread of a warp "
         "accesses",
         {{{"ptx", "tcgen05.ld, tcgen05.st, shapes"}, {"cutlass", "copy_traits_sm100.hpp"}}}, from_sm_100),
    Rule("TMEM-R11", "pack and unpack::16b pair the low halves of two adjacent columns in a register",
         {{{"ptx", "tcgen05.ld, tcgen05.st, shapes"}, {"cutlass", "copy_traits_sm100.hpp"}}}, from_sm_100,
         "AMB-23"),
    Rule("TMEM-R17",
         "warp w accesses the 32 lanes starting at 32 * (w modulo 4), whatever multiple of 32 the lane field "
         "of the address holds",
         {{{"ptx", "tcgen05.ld, tcgen05.st, access restrictions"},
           {"sf-tensor", "hardware_validation/src, lane field 0 in all warps on a B200"}}},
         from_sm_100, "TMEM-AMB-01"),
    Rule("TMEM-R12",
         "lanes of D whose bit in disable-output-lane is set are not written; the words hold 32 lanes each, "
         "in order",
         {{{"ptx", "tcgen05.mma, disable-output-lane"}}}, from_sm_100, "AMB-28"),
    Rule("TMEM-R14",
         "with .ashift the rows of A in tensor memory move down by one lane within every 32; the last one "
         "stays",
         {{{"ptx", "tcgen05.mma, .ashift"}, {"b200", "UTCSHIFT, read back by four warps of a B200"}}},
         from_sm_100, "AMB-07"),
    Rule("TMEM-R13",
         "tcgen05.ld.red also returns the least or greatest of the registers that the thread received; with "
         ".abs of their magnitudes, with .NaN a NaN if there is one",
         {{{"ptx", "tcgen05.ld, .red"}, {"b200", "LDTM.STAT"}}}, where(&Architecture::has_ld_red), "AMB-49"),
};

// Rules on mma.sync and mma.sp with a kind, which sm_120 has. What its sums are like stands in the ADD
// rules.

inline constexpr OnArch on_sm_120 = where(&Architecture::has_mma_kinds);
inline constexpr Cite kind_fragments{"ptx", "mma, matrix fragments of m16n8k32 and m16n8k64"};
inline constexpr Cite kind_scaling{"ptx", "Warp-level matrix instructions, block scaling for mma.sync"};
inline constexpr Cite kind_traits{"cutlass", "mma_traits_sm120.hpp"};
inline constexpr Cite kind_measured{"h200", "sm_90, shared mechanism: sparse operands of wgmma and mma.sync"};
inline constexpr Cite kind_sparse{"cutlass", "mma_traits_sm120_sparse.hpp, mma_sm120_sparse.hpp"};

inline constexpr std::array mma_kind_rules{
    Rule("KIND-R01", "with K of 32 each element has a byte: 8 bits, the low 6, or 4 in bits 5:2",
         {{kind_fragments, kind_traits}}, on_sm_120),
    Rule("KIND-R02", "with K of 64 two elements of 4 bits share a byte, even k in its low half",
         {{kind_fragments, kind_traits}}, on_sm_120),
    Rule("KIND-R03",
         "the scales of rows g and g + 8 of A are in the first and second lane of a pair in quad g, the "
         "lower pair where thread-id-a is 0, the upper where it is 1",
         {{kind_scaling, kind_traits}}, on_sm_120),
    Rule("KIND-R04", "the scales of column g of B are in the lane of quad g that thread-id-b names",
         {{kind_scaling, kind_traits}}, on_sm_120),
    Rule("KIND-R05",
         "the first scale of a row or column is the byte of its word that byte-id names: any with one scale, "
         "0 or 2 with two, 0 with four",
         {{kind_scaling}}, on_sm_120),
    Rule("KIND-R06",
         "a scale belongs to 32 consecutive elements of a row of A or a column of B, with scale_vec::4X to "
         "16, in order",
         {{kind_scaling}}, on_sm_120),
    Rule("KIND-R07",
         "a row of a sparse A has as many scales as a dense one, so that each counts for twice as many "
         "elements of K: 64, with scale_vec::4X 32",
         {{{"ptx", "mma.sp, block scaling"}, kind_sparse}}, on_sm_120),
    Rule("KIND-R08",
         "a sparse A keeps two of every four elements where each element has a byte, whatever its width; "
         "packed elements are kept as two of every four pairs",
         {{{"ptx", "mma.sp, sparse matrix A, granularity by kind"}, kind_sparse}}, on_sm_120),
    Rule("KIND-R09",
         "mma.sp with a kind adds the kept products of a row and C in one sum, as for a dense row",
         {{{"ptx", "mma.sp, semantics"}, kind_measured}}, on_sm_120, "NUM-AMB-21"),
};

}  // namespace assay::spec::tables
