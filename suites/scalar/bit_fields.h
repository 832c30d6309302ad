// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace assay::scalar {

struct BitOperation {
  std::string_view base;
  std::span<const std::string> modifiers;
  int bits;
  bool is_signed;
};

/// Instructions on bits rather than numbers: popc, clz, bfind, brev, bfe, bfi, bmsk, szext, fns, logic,
/// shifts, prmt, lop3. Worked out a bit at a time, as the document's pseudo-code does.
std::optional<uint64_t> bit_result(const BitOperation& operation, std::span<const uint64_t> operands);

}  // namespace assay::scalar
