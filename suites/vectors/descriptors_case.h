// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {

/// A row of descriptors in hand.
struct DescriptorRow {
  std::string_view name, variant;  ///< "smem", "K_128B"
  const Pairs& params;
  uint64_t word;
  /// Of a parameter. Throws RowError where the row has none of that name, or more than 32 bits of it.
  uint32_t number(std::string_view key) const { return narrow<uint32_t>(key, params.number(key)); }
};

/// The tcgen05.mma that reads a matrix through the word, or has it as its instruction descriptor or mask: its
/// other operands are small exact numbers. Nothing where no instruction could have it, or no window holds
/// what it leads to. Throws RowError where the case that was made has another word.
std::optional<RowCase> descriptor_as_case(const DescriptorRow&);

}  // namespace assay::vectors
