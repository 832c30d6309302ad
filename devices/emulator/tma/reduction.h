// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::emulator {

enum class ReduceOp : uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
enum class ReduceType : uint8_t { u32, s32, u64, s64, b32, b64, f16, bf16, f32, f32_ftz, f64 };

/// What an asynchronous reduction does to each element of its destination.
struct Reduction {
  ReduceOp op = ReduceOp::add;
  ReduceType type = ReduceType::u32;
};

uint32_t bytes_of(ReduceType);
std::optional<ReduceOp> find_reduce_op(std::string_view name);
/// A type of cp.reduce.async.bulk by its name in PTX: not f32_ftz, which tensor maps alone have.
std::optional<ReduceType> find_reduce_type(std::string_view name);

/// The new element, in the low bits; `operand` is the element of shared memory. Rounding, subnormals and NaN
/// as the asynchronous engine of an H200 has them (R-01 to R-06, BR-02 to BR-04).
uint64_t reduced(const Reduction&, uint64_t old, uint64_t operand);

/// Whether the operation exists on the type, by cp.reduce.async.bulk with that destination (ptxas: BR-01).
bool is_bulk_reduction(const Reduction&, bool to_shared);
/// The same by cp.reduce.async.bulk.tensor through a map (H200: TMA-AMB-24). Logical operations ask for the
/// type of the map, not for b32 or b64.
bool is_tensor_reduction(const Reduction&);

}  // namespace assay::emulator
