// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about scalar instructions, which no property is about: the scalar oracle runs them.
inline constexpr std::array scalar_questions{
    Question{
        "CVT-AMB-01",
        "Which 8 of the 32 random bits of cvt.rs.satfinite.e2m1x4.f32 does each of its values take, and how?",
        {{{'A', "upper_bytes_first",
           "a and b the upper byte of each half, e and f the lower one, added to what is dropped"},
          {'B', "bytes_in_order",
           "a the lowest byte, f the highest, added with half of their last place to what is dropped"}}},
        always('A'),
        settled_nowhere,
        {{{"ptx", "cvt: rbits of .e2m1x4"}, {"fp4-sm120a", "emulation of cvt.rs for e2m1x4"}}},
        {},
        "no property has a conversion; assay scalar-oracle compares the instruction on two drivers",
        "bytes_in_order: the authors of an emulation of the instruction say that it is bit-exact on a B300"},
};

}  // namespace assay::spec
