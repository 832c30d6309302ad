// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tma/engine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "devices/emulator/alu/half.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {
namespace {

constexpr std::string_view op_names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
constexpr std::string_view type_names[] = {"u32", "s32",  "u64", "s64",     "b32", "b64",
                                           "f16", "bf16", "f32", "f32.ftz", "f64"};

bool is_logical(ReduceOp op) {
  return op == ReduceOp::bit_and || op == ReduceOp::bit_or || op == ReduceOp::bit_xor;
}
bool is_extreme(ReduceOp op) {
  return op == ReduceOp::min || op == ReduceOp::max;
}

template <typename Int>
uint64_t integer(ReduceOp op, uint64_t old, uint64_t operand) {
  const auto a = static_cast<Int>(old), b = static_cast<Int>(operand);
  using Unsigned = std::make_unsigned_t<Int>;
  switch (op) {
    case ReduceOp::min:
      return static_cast<Unsigned>(std::min(a, b));
    case ReduceOp::max:
      return static_cast<Unsigned>(std::max(a, b));
    case ReduceOp::inc:
      return a >= b ? 0 : static_cast<Unsigned>(a) + 1;
    case ReduceOp::dec:
      return static_cast<Unsigned>(a == 0 || a > b ? b : a - 1);
    case ReduceOp::bit_and:
      return static_cast<Unsigned>(a & b);
    case ReduceOp::bit_or:
      return static_cast<Unsigned>(a | b);
    case ReduceOp::bit_xor:
      return static_cast<Unsigned>(a ^ b);
    case ReduceOp::add:
      break;
  }
  return static_cast<Unsigned>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
}

/// A number wins over a NaN, two NaN give one, and -0 is less than +0 (H200: R-06).
uint64_t half_extreme(ReduceOp op, uint16_t old, uint16_t operand, float a, float b) {
  if (a != a) return b != b ? 0x7fff : operand;
  if (b != b) return old;
  const bool old_is_less = a < b || (a == b && std::signbit(a));
  return old_is_less == (op == ReduceOp::min) ? old : operand;
}

/// A sum of two of these rounded to 24 bits first is rounded as if once: 24 >= 2 * 11 + 2.
uint64_t f16(ReduceOp op, uint64_t old, uint64_t operand) {
  const auto x = static_cast<uint16_t>(old), y = static_cast<uint16_t>(operand);
  const float a = alu::f16_to_float(x), b = alu::f16_to_float(y);
  return op == ReduceOp::add ? alu::float_to_f16(a + b) : half_extreme(op, x, y, a, b);
}
uint64_t bf16(ReduceOp op, uint64_t old, uint64_t operand) {
  const auto x = static_cast<uint16_t>(old), y = static_cast<uint16_t>(operand);
  const float a = alu::bf16_to_float(x), b = alu::bf16_to_float(y);
  return op == ReduceOp::add ? alu::float_to_bf16(a + b) : half_extreme(op, x, y, a, b);
}

uint64_t f32_sum(uint64_t old, uint64_t operand, bool flushes) {
  float a = std::bit_cast<float>(static_cast<uint32_t>(old));
  float b = std::bit_cast<float>(static_cast<uint32_t>(operand));
  if (flushes) a = alu::flushed(a), b = alu::flushed(b);
  const float sum = a + b;
  if (sum != sum) return 0x7fffffff;
  return std::bit_cast<uint32_t>(flushes ? alu::flushed(sum) : sum);
}

/// A NaN comes back as it was, that of shared memory first (H200: R-05).
uint64_t f64_sum(uint64_t old, uint64_t operand) {
  const auto a = std::bit_cast<double>(old), b = std::bit_cast<double>(operand);
  if (b != b) return operand;
  if (a != a) return old;
  const double sum = a + b;
  return sum != sum ? 0xfff8000000000000u : std::bit_cast<uint64_t>(sum);
}

}  // namespace

uint32_t bytes_of(ReduceType type) {
  switch (type) {
    case ReduceType::f16:
    case ReduceType::bf16:
      return 2;
    case ReduceType::u64:
    case ReduceType::s64:
    case ReduceType::b64:
    case ReduceType::f64:
      return 8;
    default:
      return 4;
  }
}

std::optional<ReduceOp> find_reduce_op(std::string_view name) {
  const auto at = std::find(std::begin(op_names), std::end(op_names), name);
  if (at == std::end(op_names)) return std::nullopt;
  return static_cast<ReduceOp>(at - std::begin(op_names));
}

std::optional<ReduceType> find_reduce_type(std::string_view name) {
  const auto at = std::find(std::begin(type_names), std::end(type_names), name);
  if (at == std::end(type_names)) return std::nullopt;
  return static_cast<ReduceType>(at - std::begin(type_names));
}

uint64_t reduced(const Reduction& r, uint64_t old, uint64_t operand) {
  switch (r.type) {
    case ReduceType::u32:
    case ReduceType::b32:
      return integer<uint32_t>(r.op, old, operand);
    case ReduceType::s32:
      return integer<int32_t>(r.op, old, operand);
    case ReduceType::u64:
    case ReduceType::b64:
      return integer<uint64_t>(r.op, old, operand);
    case ReduceType::s64:
      return integer<int64_t>(r.op, old, operand);
    case ReduceType::f16:
      return f16(r.op, old, operand);
    case ReduceType::bf16:
      return bf16(r.op, old, operand);
    case ReduceType::f32:
      return f32_sum(old, operand, false);
    case ReduceType::f32_ftz:
      return f32_sum(old, operand, true);
    case ReduceType::f64:
      return f64_sum(old, operand);
  }
  return old;
}

void reduce_elements(const Steps& steps, const Reduction& reduction, std::byte* to, const std::byte* from,
                     uint32_t bytes, bool is_tensor) {
  const uint32_t size = bytes_of(reduction.type);
  for (uint32_t at = 0; at + size <= bytes; at += size) {
    ReductionQuery query{reduction, 0, 0, at, is_tensor};
    std::memcpy(&query.old, to + at, size);
    std::memcpy(&query.operand, from + at, size);
    const uint64_t made = steps.reduce(query);
    std::memcpy(to + at, &made, size);
  }
}

bool is_bulk_reduction(const Reduction& r, bool to_shared) {
  const ReduceType t = r.type;
  const bool is_32 = t == ReduceType::u32 || t == ReduceType::s32;
  if (is_logical(r.op)) return t == ReduceType::b32 || (t == ReduceType::b64 && !to_shared);
  if (r.op == ReduceOp::inc || r.op == ReduceOp::dec) return t == ReduceType::u32;
  if (t == ReduceType::b32 || t == ReduceType::b64 || t == ReduceType::f32_ftz) return false;
  if (to_shared) return is_32 || (r.op == ReduceOp::add && t == ReduceType::u64);
  if (r.op == ReduceOp::add) return t != ReduceType::s64;
  return is_extreme(r.op) && t != ReduceType::f32 && t != ReduceType::f64;
}

bool is_tensor_reduction(const Reduction& r) {
  const ReduceType t = r.type;
  if (is_logical(r.op)) return t == ReduceType::u32 || t == ReduceType::s32 || t == ReduceType::u64;
  if (r.op == ReduceOp::inc || r.op == ReduceOp::dec) return t == ReduceType::u32;
  if (r.op == ReduceOp::add) return t != ReduceType::s64;
  return t != ReduceType::f32 && t != ReduceType::f32_ftz && t != ReduceType::f64;
}

}  // namespace assay::emulator
