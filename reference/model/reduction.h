// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "reference/spec/question.h"
#include "reference/spec/reduction.h"

namespace assay::model {

/// What a bend changes about the arithmetic of an asynchronous reduction.
struct ReductionBend {
  /// The result that is taken in place of the right one; null: none.
  uint64_t (*result)(const spec::Reduction&, uint64_t old, uint64_t operand, uint64_t right) = nullptr;
};

/// reduced() of reduction.h as the bend of these readings has it.
uint64_t bent_reduction(const spec::Reduction&, uint64_t old, uint64_t operand, const spec::Readings&);

/// What an element holds after a reduction, in the low bits: old is the destination's, operand that of shared
/// memory.
uint64_t reduced(const spec::Reduction&, uint64_t old, uint64_t operand);

/// Whether the result of several reductions of one element can depend on their order.
bool is_order_dependent(const spec::Reduction&);

/// Most operands of one element whose orders are tried.
inline constexpr size_t most_orders_of = 8;
/// All that an element may hold after these reductions in any order, each value once, rising.
std::vector<uint64_t> reduced_in_any_order(const spec::Reduction&, uint64_t old,
                                           std::span<const uint64_t> operands);
/// The same as the bend of the readings has it.
std::vector<uint64_t> reduced_in_any_order(const spec::Reduction&, uint64_t old,
                                           std::span<const uint64_t> operands, const spec::Readings&);

/// An element of memory, little-endian, of up to 8 bytes.
inline uint64_t load_element(const std::byte* from, uint32_t bytes) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t value = 0;
  switch (bytes) {
    case 2:
      std::memcpy(&value, from, 2);
      break;
    case 4:
      std::memcpy(&value, from, 4);
      break;
    case 8:
      std::memcpy(&value, from, 8);
      break;
    default:
      std::memcpy(&value, from, bytes);
  }
  return value;
}
inline void store_element(std::byte* to, uint64_t value, uint32_t bytes) {
  switch (bytes) {
    case 2:
      std::memcpy(to, &value, 2);
      break;
    case 4:
      std::memcpy(to, &value, 4);
      break;
    case 8:
      std::memcpy(to, &value, 8);
      break;
    default:
      std::memcpy(to, &value, bytes);
  }
}

}  // namespace assay::model
