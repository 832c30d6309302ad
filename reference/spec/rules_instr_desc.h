// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::instr_rules {

inline constexpr Cite shapes{"ptx", "tcgen05, matrix shape, combinations of .kind and shapes"};
inline constexpr Cite descriptor_table{"ptx", "tcgen05, instruction descriptor"};
inline constexpr Cite transposes{"ptx", "tcgen05, transpose and negate operations"};
inline constexpr Cite scale_ids{"ptx", "tcgen05, scale factor data ids"};

/// Rules on the instruction descriptor; the checks are in instr_desc_rules.cc.
inline constexpr std::array rows{
    Rule{"IDESC-R01", "reserved bits are 0", {{descriptor_table}}, from_sm_100, "AMB-31"},
    Rule{"IDESC-R02",
         "the code of D is one that the kind lists",
         {{descriptor_table, shapes}},
         from_sm_100,
         "AMB-30"},
    Rule{"IDESC-R03", "the code of A is one that the kind lists", {{descriptor_table}}, from_sm_100, ""},
    Rule{"IDESC-R04", "the code of B is one that the kind lists", {{descriptor_table}}, from_sm_100, ""},
    Rule{"IDESC-R05", "kind::f16 writes f16 only from f16 by f16", {{shapes}}, from_sm_100, ""},
    Rule{"IDESC-R06", "only kind::i8 saturates", {{descriptor_table}}, from_sm_100, ""},
    Rule{"IDESC-R07",
         "the sparsity selector is 0 in dense instructions, in f8f6f4 and in i8",
         {{descriptor_table}},
         from_sm_100,
         "AMB-20"},
    Rule{"IDESC-R08", "kind::i8 does not negate", {{transposes}}, from_sm_100, ""},
    Rule{"IDESC-R09",
         "mxf4, mxf4nvf4 and any 4- or 6-bit element are not transposed",
         {{transposes}},
         from_sm_100,
         ""},
    Rule{"IDESC-R10",
         "A in tensor memory is not transposed",
         {{{"cutlass", "mma_traits_sm100.hpp, A from tensor memory"}}},
         from_sm_100,
         ""},
    Rule{"IDESC-R11",
         "M and N are a shape of the kind, the CTA group and .ws",
         {{shapes}},
         from_sm_100,
         "AMB-14"},
    Rule{"IDESC-R12",
         "a transposed 8-bit B needs N in steps of 16, of 32 for a CTA pair",
         {{{"ptx", "tcgen05, matrix shape, transposed B of 8-bit types"}}},
         from_sm_100,
         ""},
    Rule{"IDESC-R13",
         "a maximum shift for the reuse of B goes with .ws",
         {{descriptor_table}},
         from_sm_100,
         "AMB-04"},
    Rule{"IDESC-R14",
         "the sparsity bit says what the instruction says",
         {{descriptor_table}},
         from_sm_100,
         ""},
    Rule{"IDESC-R15",
         "scales are ue8m0; ue4m3 with mxf4nvf4 and four scales alone",
         {{{"ptx", "tcgen05, block scaling, types of scales"}}},
         from_sm_100,
         "AMB-11"},
    Rule{"IDESC-R16",
         "scale ids are 0 or 2 for two scales, 0 for four; with K of 96 any for block32, 0 or 2 for block16",
         {{scale_ids}},
         from_sm_100,
         "AMB-12"},
    Rule{"IDESC-R17", "K of 96 is dense and needs sm_103a", {{shapes}}, from_sm_100, ""},
    Rule{"IDESC-R18",
         "kind::i8 needs sm_100a or sm_110a",
         {{{"ptxas", "tcgen05.mma on each target"}}},
         only_sm_103,
         "AMB-44"},
    Rule{"IDESC-R19",
         "the descriptor decides the types: f16 and tf32 are one opcode, as are f8f6f4's five types",
         {{{"ptxas", "machine code of tcgen05.mma kinds"}}},
         from_sm_100,
         ""},
    Rule{"IDESC-R20",
         "negation flips the sign of every element before it is used",
         {{transposes}},
         from_sm_100,
         ""},
};

}  // namespace assay::spec::instr_rules
