// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "devices/emulator/tensor/sparse_fragment.h"
#include "devices/emulator/tensor/steps.h"

namespace assay::emulator {

/// The codes of a row, one a group: `first` is the first of them. read(lane): the register with the metadata.
template <typename Read>
void read_codes(const TensorSteps& steps, const FragmentCode& first, std::span<uint32_t> codes, Read read) {
  FragmentCode wanted = first;
  for (; wanted.group < wanted.groups; ++wanted.group) {
    const FragmentNibble at =
        steps.sparse_place == nullptr ? fragment_nibble(wanted) : steps.sparse_place(wanted);
    uint32_t& code = codes[wanted.group];
    uint32_t word = read(static_cast<int>(at.lane));
    if (steps.sparse_register != nullptr) word = steps.sparse_register(wanted, word);
    code = word >> at.nibble * 4 & 0xf;
    if (steps.sparse_code != nullptr) code = steps.sparse_code(wanted, code);
  }
}

}  // namespace assay::emulator
