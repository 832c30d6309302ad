// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace assay::fuzz {

/// A PTX module for sm_100a with one kernel `k(.param .u64 p)`, made from bytes: each takes a statement of
/// the supported subset or an operand, so that a changed byte changes one of them. Registers are the only
/// state between statements; loops, branches, barriers, memory and asynchronous copies occur. The text always
/// loads.
std::string kernel_text(std::span<const uint8_t> bytes);

/// How many statements there are to choose from, and which a text took.
size_t statement_count();
size_t statement_of(uint8_t byte);

}  // namespace assay::fuzz
