// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules on tensor maps that kernels rewrite, and on where maps may lie.
inline constexpr std::array map_replace_rules{
    Rule("REPL-R01", "tensormap.replace.global_address writes all 64 bits of its operand as they are",
         {{{"ptx", "tensormap.replace: .global_address"}, {"h200", "RP-01"}}}),
    Rule("REPL-R02", "tensormap.replace.rank writes its operand, the rank minus 1, modulo 8",
         {{{"ptx", "tensormap.replace: .rank"}, {"h200", "RP-01"}}}),
    Rule("REPL-R03", "tensormap.replace.box_dim sets the extent to its operand modulo 256, where 0 means 256",
         {{{"ptxas", "tensormap.replace box_dim"}, {"h200", "RP-01"}}}),
    Rule("REPL-R04", "tensormap.replace.global_dim sets the extent to its operand, where 0 means 2^32",
         {{{"ptxas", "tensormap.replace global_dim"}, {"h200", "RP-01"}}}),
    Rule("REPL-R05",
         "tensormap.replace.global_stride takes bytes, rounded down to a multiple of 16 and modulo 2^40",
         {{{"ptxas", "tensormap.replace global_stride"}, {"h200", "RP-01"}}}),
    Rule(
        "REPL-R06",
        "tensormap.replace.element_stride sets the traversal stride to its operand modulo 8, where 0 means 8",
        {{{"ptxas", "tensormap.replace element_stride"}, {"h200", "RP-01"}}}),
    Rule("REPL-R07",
         "tensormap.replace.elemtype writes the type's code, and for the two tf32 types sets the tf32 flag",
         {{{"ptx", "tensormap.replace: table of .elemtype"}, {"h200", "RP-01"}}}),
    Rule("REPL-R08", "tensormap.replace.elemtype with a type other than tf32 leaves the tf32 flag unchanged",
         {{{"ptxas", "tensormap.replace elemtype"}, {"h200", "section 9, TMA-AMB-27"}}}, everywhere,
         "TMA-AMB-27"),
    Rule("REPL-R09", "tensormap.replace.interleave_layout writes 0 none, 1 16B, 2 32B",
         {{{"ptx", "tensormap.replace: table of .interleave_layout"}, {"h200", "RP-01"}}}),
    Rule("REPL-R10",
         "tensormap.replace.swizzle_mode 0 to 3 writes the width and clears the bit of the 96B swizzle",
         {{{"ptxas", "tensormap.replace swizzle_mode"}, {"h200", "RP-02"}}}, everywhere, "REPL-AMB-01"),
    Rule("REPL-R11", "tensormap.replace.swizzle_mode 4 sets the bit of the 96B swizzle and makes the width 0",
         {{{"ptxas", "tensormap.replace swizzle_mode 4"}, {"ptx", "tensormap.replace: .swizzle_mode"}}},
         with_96B),
    Rule("REPL-R12",
         "tensormap.replace.swizzle_atomicity writes its code to three bits and clears the highest of them",
         {{{"ptxas", "tensormap.replace swizzle_atomicity"},
           {"ptx", "tensormap.replace: .swizzle_atomicity"}}},
         from_sm_100),
    Rule("REPL-R13", "tensormap.replace.fill_mode writes 0 zero, 1 NaN",
         {{{"ptx", "tensormap.replace: table of .fill_mode"}, {"h200", "RP-01"}}}),
    Rule("REPL-R14",
         "a replacement changes no bit outside its field: bytes 0x40 to 0x7F stay unchanged, whatever the "
         "driver would have written there",
         {{{"ptxas", "tensormap.replace"}, {"h200", "RP-01, RP-05"}}}),
    Rule("REPL-R15",
         "tensormap.replace.global_stride with ordinal 4 overwrites the high parts of the four strides",
         {{{"ptxas", "tensormap.replace global_stride"}, {"h200", "RP-03"}}}, everywhere, "REPL-AMB-02"),
    Rule("REPL-R16", "a map in shared memory is rewritten like one in global memory",
         {{{"ptx", "tensormap.replace: state space"}, {"h200", "RP-01"}}}),
    Rule("REPL-R17", "tensormap.cp_fenceproxy copies all 128 bytes from shared to global memory",
         {{{"ptx", "tensormap.cp_fenceproxy"}, {"h200", "RP-06, RP-08"}}}),
    Rule("REPL-R18",
         "after fence.proxy.tensormap acquire of exactly its address, at any scope, a copy uses the map as "
         "it is then",
         {{{"ptx", "membar/fence: fence.proxy.tensormap"}, {"h200", "PX-02"}}}),
    Rule("REPL-R19", "a copy with a rewritten map acts on its bits as with one that the driver wrote",
         {{{"ptx", "tensormap.replace"}, {"h200", "RP-04, RP-06"}}}),
    Rule("REPL-R20",
         "a map that was changed without an acquire of exactly its address is used with its old or its new "
         "contents, never with others",
         {{{"ptx", "membar/fence: fence.proxy.tensormap"}, {"h200", "PX-01, PX-03"}}}),
    Rule("REPL-R21",
         "a map may lie in kernel parameters, .const or .global memory, at a multiple of 64 bytes",
         {{{"ptx", "5.5.8 tensormap"}, {"h200", "section 2, where the map may lie"}}}, everywhere,
         "TMA-AMB-22"),
    Rule("REPL-R22",
         "a copy with a map whose bits are illegal faults: with misaligned address if an address or the map "
         "is misaligned, else with illegal instruction",
         {{{"ptx", "5.5.8 tensormap"}, {"h200", "MF-01 to MF-03"}}}),
    Rule("REPL-R23", "copies ignore bytes 0x40 to 0x7F of a map", {{{"h200", "MF-10"}}}, where_measured),
};

}  // namespace assay::spec
