// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

/// Rules on copies from shared into tensor memory and on shifts within it.
namespace assay::spec {

namespace tmem_copy_cites {
inline constexpr Cite copy{"ptx", "tcgen05.cp"};
inline constexpr Cite traits{"cutlass", "copy_traits_sm100.hpp, UTCCP"};
inline constexpr Cite decompression{"ptx", "tcgen05.cp, decompression of the source format"};
inline constexpr Cite pipelined{"ptx", "tcgen05, Memory Consistency Model: pipelined instructions"};
inline constexpr Cite shift{"ptx", "tcgen05.shift"};
}  // namespace tmem_copy_cites

inline constexpr std::array tmem_copy_rules{
    Rule{"TCP-R01",
         "128x256b and 128x128b: row r of the matrix goes to lane r, word w of it to column w",
         {{tmem_copy_cites::copy, tmem_copy_cites::traits}},
         from_sm_100,
         ""},
    Rule{"TCP-R02",
         "4x256b: row r goes to lane 32 r, from the lane of the address on",
         {{tmem_copy_cites::copy, tmem_copy_cites::traits}},
         from_sm_100,
         ""},
    Rule{"TCP-R03",
         "64x128b.warpx2::02_13: row r goes to lanes r and r + 64",
         {{tmem_copy_cites::copy, tmem_copy_cites::traits}},
         from_sm_100,
         "AMB-25"},
    Rule{
        "TCP-R04",
        "64x128b.warpx2::01_23: rows 0 to 31 go to lanes 0 to 31 and 32 to 63, the others to 64 to 95 and 96 "
        "to 127",
        {{tmem_copy_cites::copy, tmem_copy_cites::traits}},
        from_sm_100,
        "AMB-25"},
    Rule{"TCP-R05",
         "32x128b.warpx4: row r goes to lanes r, r + 32, r + 64 and r + 96",
         {{tmem_copy_cites::copy, tmem_copy_cites::traits}},
         from_sm_100,
         ""},
    Rule{"TCP-R06",
         "b8x16.b6x16_p32: 16 elements of 6 bits from the low end of each 16 bytes become the low bits of 16 "
         "bytes",
         {{tmem_copy_cites::decompression}},
         from_sm_100,
         "AMB-48"},
    Rule{"TCP-R07",
         "b8x16.b4x16_p64: 16 elements of 4 bits from the low end of each 16 bytes become 16 bytes",
         {{tmem_copy_cites::decompression}},
         from_sm_100,
         "AMB-47"},
    Rule{"TCP-R08",
         "cta_group::2: each CTA of the pair copies from its own shared into its own tensor memory, at the "
         "same addresses",
         {{tmem_copy_cites::traits, tmem_copy_cites::copy}},
         from_sm_100,
         "AMB-27"},
    Rule{"TCP-R09",
         "copies and shifts that are waited for one after the other are done in that order",
         {{tmem_copy_cites::pipelined}},
         from_sm_100,
         ""},
    Rule{"TCP-R10",
         "a tcgen05.cp.4x256b is done after the shifts that its thread has issued before",
         {{tmem_copy_cites::pipelined}},
         from_sm_100,
         ""},
    Rule{"TCP-R11",
         "tcgen05.shift.down: of 8 columns lane i of every 32 receives what lane i + 1 held, and lane 31 "
         "keeps its own",
         {{{"b200", "UTCSHIFT, read back by four warps of a B200"}, tmem_copy_cites::shift}},
         from_sm_100,
         "AMB-06"},
    Rule{"TCP-R12",
         "the lane of the address of tcgen05.shift is a multiple of 32",
         {{tmem_copy_cites::shift}},
         from_sm_100,
         ""},
    Rule{"TCP-R13",
         "a tcgen05.mma is done after the copies that its thread has issued before, with nothing waited for",
         {{tmem_copy_cites::pipelined}},
         from_sm_100,
         ""},
};

}  // namespace assay::spec
