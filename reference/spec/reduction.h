// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reference/spec/field.h"

namespace assay::spec {

/// What asynchronous reductions do to an element, in the order of their table in PTX.
enum class ReduceOp : uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
inline constexpr std::array<std::string_view, 8> reduce_op_names{"add", "min", "max", "inc",
                                                                 "dec", "and", "or",  "xor"};

/// Types of their elements. f32_ftz is none of PTX: tensor maps have it.
enum class ReduceType : uint8_t { u32, s32, u64, s64, b32, b64, f16, bf16, f32, f64, f32_ftz };
struct ReduceTypeRow {
  std::string_view name;
  uint32_t bytes;
};
inline constexpr std::array<ReduceTypeRow, 11> reduce_types{{{"u32", 4},
                                                             {"s32", 4},
                                                             {"u64", 8},
                                                             {"s64", 8},
                                                             {"b32", 4},
                                                             {"b64", 8},
                                                             {"f16", 2},
                                                             {"bf16", 2},
                                                             {"f32", 4},
                                                             {"f64", 8},
                                                             {"f32.ftz", 4}}};
constexpr uint32_t bytes_of(ReduceType type) {
  return reduce_types[static_cast<size_t>(type)].bytes;
}

struct Reduction {
  ReduceOp op = ReduceOp::add;
  ReduceType type = ReduceType::u32;
  auto operator<=>(const Reduction&) const = default;
};

/// A form of cp.reduce.async.bulk: what it can reduce besides global memory.
struct BulkReduction {
  Reduction what;
  bool to_shared;  ///< .shared::cluster too
};
inline constexpr Cite bulk_reductions_cite{"ptxas", "cp.reduce.async.bulk: operations, types, destinations"};
inline constexpr std::array bulk_reductions{
    BulkReduction{{ReduceOp::bit_and, ReduceType::b32}, true},
    BulkReduction{{ReduceOp::bit_and, ReduceType::b64}, false},
    BulkReduction{{ReduceOp::bit_or, ReduceType::b32}, true},
    BulkReduction{{ReduceOp::bit_or, ReduceType::b64}, false},
    BulkReduction{{ReduceOp::bit_xor, ReduceType::b32}, true},
    BulkReduction{{ReduceOp::bit_xor, ReduceType::b64}, false},
    BulkReduction{{ReduceOp::add, ReduceType::u32}, true},
    BulkReduction{{ReduceOp::add, ReduceType::s32}, true},
    BulkReduction{{ReduceOp::add, ReduceType::u64}, true},
    BulkReduction{{ReduceOp::add, ReduceType::f32}, false},
    BulkReduction{{ReduceOp::add, ReduceType::f64}, false},
    BulkReduction{{ReduceOp::add, ReduceType::f16}, false},
    BulkReduction{{ReduceOp::add, ReduceType::bf16}, false},
    BulkReduction{{ReduceOp::inc, ReduceType::u32}, true},
    BulkReduction{{ReduceOp::dec, ReduceType::u32}, true},
    BulkReduction{{ReduceOp::min, ReduceType::u32}, true},
    BulkReduction{{ReduceOp::min, ReduceType::s32}, true},
    BulkReduction{{ReduceOp::min, ReduceType::u64}, false},
    BulkReduction{{ReduceOp::min, ReduceType::s64}, false},
    BulkReduction{{ReduceOp::min, ReduceType::f16}, false},
    BulkReduction{{ReduceOp::min, ReduceType::bf16}, false},
    BulkReduction{{ReduceOp::max, ReduceType::u32}, true},
    BulkReduction{{ReduceOp::max, ReduceType::s32}, true},
    BulkReduction{{ReduceOp::max, ReduceType::u64}, false},
    BulkReduction{{ReduceOp::max, ReduceType::s64}, false},
    BulkReduction{{ReduceOp::max, ReduceType::f16}, false},
    BulkReduction{{ReduceOp::max, ReduceType::bf16}, false},
};
static_assert(bulk_reductions.size() == 27);

constexpr const BulkReduction* find_bulk_reduction(const Reduction& what) {
  for (const BulkReduction& row : bulk_reductions)
    if (row.what == what) return &row;
  return nullptr;
}

}  // namespace assay::spec
