// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

/// What an assembler owes: the tables of kernels/forms/assembler say which spellings each rule is about.
namespace assay::spec {

inline constexpr std::array assembler_rules{
    Rule{"ASM-R01",
         "a spelling that the documents have for a target assembles for it",
         {{{"ptx", "Syntax and Target ISA Notes of each instruction"}}},
         everywhere,
         ""},
    Rule{"ASM-R02",
         "a spelling with one qualifier or operand that the documents do not have there is refused",
         {{{"ptx", "Syntax and Target ISA Notes of each instruction"}}},
         everywhere,
         ""},
    Rule{"ASM-R03",
         "of a spelling that the documents do not settle an assembler may do either",
         {{{"ptx", "Syntax and Target ISA Notes of each instruction"}}},
         everywhere,
         ""},
};

}  // namespace assay::spec
