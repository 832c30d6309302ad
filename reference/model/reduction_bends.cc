#include <bit>
#include <vector>

#include "reference/model/bend.h"
#include "reference/model/reduction.h"
#include "reference/spec/rules.h"

/// Bends of the arithmetic of reductions.
namespace assay::model {
namespace {
namespace reductions_bent {

using spec::ReduceOp;
using spec::ReduceType;
using spec::Reduction;
using spec::rule;
using R = Reduction;

constexpr bool is_float(ReduceType type) {
  return type == ReduceType::f16 || type == ReduceType::bf16 || type == ReduceType::f32 ||
         type == ReduceType::f64 || type == ReduceType::f32_ftz;
}
constexpr bool is_signed(ReduceType type) {
  return type == ReduceType::s32 || type == ReduceType::s64;
}
constexpr uint64_t mask_of(ReduceType type) {
  const uint32_t bits = 8 * spec::bytes_of(type);
  return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}
/// Fraction bits of a float, and its infinity.
struct Float {
  uint32_t fraction;
  uint64_t infinity;
};
constexpr Float float_of(ReduceType type) {
  switch (type) {
    case ReduceType::f16:
      return {10, 0x7c00};
    case ReduceType::bf16:
      return {7, 0x7f80};
    case ReduceType::f64:
      return {52, 0x7ff0000000000000};
    default:
      return {23, 0x7f800000};
  }
}
constexpr uint64_t magnitude(ReduceType type, uint64_t v) {
  return v & (mask_of(type) >> 1);
}
constexpr bool is_nan(ReduceType type, uint64_t v) {
  return is_float(type) && magnitude(type, v) > float_of(type).infinity;
}
constexpr bool is_subnormal(ReduceType type, uint64_t v) {
  const uint64_t m = magnitude(type, v);
  return is_float(type) && m != 0 && m >> float_of(type).fraction == 0;
}

/// One operation on one type, as another operation.
template <ReduceOp op, ReduceOp other>
uint64_t as_op(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  return what.op == op && !is_float(what.type) ? reduced({other, what.type}, old, operand) : right;
}
template <ReduceType type, ReduceType other, ReduceOp op>
uint64_t as_type(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  return what.type == type && what.op == op ? reduced({op, other}, old, operand) : right;
}
uint64_t inc_wraps_late(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  return what.op == ReduceOp::inc && old == operand ? (old + 1) & mask_of(what.type) : right;
}
uint64_t inc_never_wraps(const R& what, uint64_t old, uint64_t, uint64_t right) {
  return what.op == ReduceOp::inc ? (old + 1) & mask_of(what.type) : right;
}
uint64_t dec_wraps_at_zero_alone(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  return what.op == ReduceOp::dec && old > operand ? old - 1 : right;
}
uint64_t dec_never_wraps(const R& what, uint64_t old, uint64_t, uint64_t right) {
  return what.op == ReduceOp::dec ? (old - 1) & mask_of(what.type) : right;
}
uint64_t add_saturates(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  const bool is_it = what.op == ReduceOp::add && !is_float(what.type) && !is_signed(what.type);
  return is_it && ((old + operand) & mask_of(what.type)) < old ? mask_of(what.type) : right;
}
uint64_t add_of_halves(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  if (what.op != ReduceOp::add || what.type != ReduceType::u64) return right;
  return ((old >> 32) + (operand >> 32)) << 32 | ((old + operand) & 0xffffffff);
}
uint64_t flushed(const R& what, uint64_t old, uint64_t operand, ReduceType type, uint64_t right) {
  if (what.type != type || what.op != ReduceOp::add) return right;
  const uint64_t sign = mask_of(type) ^ (mask_of(type) >> 1);
  const auto flush = [&](uint64_t v) { return is_subnormal(type, v) ? v & sign : v; };
  return flush(reduced(what, flush(old), flush(operand)));
}
template <ReduceType type>
uint64_t flushes(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  return flushed(what, old, operand, type, right);
}
/// Sums of f16 and bf16 in f32, and those of f32 in f64, have room for the exact sum or its first bits.
template <ReduceType type>
uint64_t truncates(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  if (what.type != type || what.op != ReduceOp::add || is_nan(type, right)) return right;
  const auto value = [](uint64_t v) -> double {
    if (type == ReduceType::bf16) return std::bit_cast<float>(static_cast<uint32_t>(v << 16));
    if (type == ReduceType::f32) return std::bit_cast<float>(static_cast<uint32_t>(v));
    const auto exponent = static_cast<int>(v >> 10 & 31);
    const double fraction = static_cast<double>(v & 1023) / 1024;
    const double size =
        exponent == 0 ? __builtin_ldexp(fraction, -14) : __builtin_ldexp(1 + fraction, exponent - 15);
    return v >> 15 != 0 ? -size : size;
  };
  const double exact = value(old) + value(operand), got = value(right);
  const double by_size = got < 0 ? -got : got, wanted = exact < 0 ? -exact : exact;
  return by_size > wanted && magnitude(type, right) != 0 ? right - 1 : right;
}
uint64_t keeps_nan_payload(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  if (what.op != ReduceOp::add || what.type == ReduceType::f64) return right;
  return is_nan(what.type, operand) ? operand : is_nan(what.type, old) ? old : right;
}
uint64_t quiet_nan_of_type(const R& what, uint64_t, uint64_t, uint64_t right) {
  if (what.op != ReduceOp::add || what.type == ReduceType::f64 || !is_nan(what.type, right)) return right;
  const Float f = float_of(what.type);
  return f.infinity | uint64_t{1} << (f.fraction - 1);
}
uint64_t f64_nan_quieted(const R& what, uint64_t, uint64_t, uint64_t right) {
  return what.type == ReduceType::f64 && is_nan(what.type, right) ? right | uint64_t{1} << 51 : right;
}
uint64_t f64_nan_of_memory(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  const bool both = what.type == ReduceType::f64 && is_nan(what.type, old) && is_nan(what.type, operand);
  return both ? old : right;
}
uint64_t f64_nan_canonical(const R& what, uint64_t, uint64_t, uint64_t right) {
  return what.type == ReduceType::f64 && is_nan(what.type, right) ? 0x7fffffffffffffff : right;
}
/// Of one operation on one type, or on all.
template <ReduceOp op, ReduceType type>
uint64_t nan_wins(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  const bool is_it = what.op == op && what.type == type;
  return is_it && (is_nan(type, old) || is_nan(type, operand)) ? 0x7fff : right;
}
uint64_t nan_wins_always(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  const bool is_it = (what.op == ReduceOp::min || what.op == ReduceOp::max) && is_float(what.type);
  return is_it && (is_nan(what.type, old) || is_nan(what.type, operand)) ? 0x7fff : right;
}
uint64_t zeros_are_equal(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  const bool is_it = (what.op == ReduceOp::min || what.op == ReduceOp::max) && is_float(what.type);
  return is_it && magnitude(what.type, old) == 0 && magnitude(what.type, operand) == 0 ? old : right;
}
uint64_t zeros_are_equal_to_operand(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  const bool is_it = (what.op == ReduceOp::min || what.op == ReduceOp::max) && is_float(what.type);
  return is_it && magnitude(what.type, old) == 0 && magnitude(what.type, operand) == 0 ? operand : right;
}
uint64_t ftz_keeps_subnormals(const R& what, uint64_t old, uint64_t operand, uint64_t right) {
  return what.type == ReduceType::f32_ftz ? reduced({what.op, ReduceType::f32}, old, operand) : right;
}

Bend reduction(spec::RuleIndex rule, std::string_view words,
               uint64_t (*reduced)(const R&, uint64_t, uint64_t, uint64_t)) {
  return {.rule = rule, .words = words, .bulk = {.reduced = reduced}};
}

std::vector<Bend> made() {
  return {
      reduction(rule("BULK-R13"), "inc wrapped behind its operand", inc_wraps_late),
      reduction(rule("BULK-R13"), "inc never wrapped", inc_never_wraps),
      reduction(rule("BULK-R13"), "dec wrapped at 0 alone", dec_wraps_at_zero_alone),
      reduction(rule("BULK-R13"), "dec never wrapped", dec_never_wraps),
      reduction(rule("BULK-R13"), "a sum stayed at its largest", add_saturates),
      reduction(rule("BULK-R13"), "add.u64 were two sums of 32 bits", add_of_halves),
      reduction(rule("BULK-R13"), "min were max", as_op<ReduceOp::min, ReduceOp::max>),
      reduction(rule("BULK-R13"), "max were min", as_op<ReduceOp::max, ReduceOp::min>),
      reduction(rule("BULK-R13"), "and were or", as_op<ReduceOp::bit_and, ReduceOp::bit_or>),
      reduction(rule("BULK-R13"), "or were xor", as_op<ReduceOp::bit_or, ReduceOp::bit_xor>),
      reduction(rule("BULK-R13"), "xor were or", as_op<ReduceOp::bit_xor, ReduceOp::bit_or>),
      reduction(rule("BULK-R13"), "min.s32 had no sign",
                as_type<ReduceType::s32, ReduceType::u32, ReduceOp::min>),
      reduction(rule("BULK-R13"), "max.s32 had no sign",
                as_type<ReduceType::s32, ReduceType::u32, ReduceOp::max>),
      reduction(rule("BULK-R13"), "min.s64 had no sign",
                as_type<ReduceType::s64, ReduceType::u64, ReduceOp::min>),
      reduction(rule("BULK-R13"), "max.s64 had no sign",
                as_type<ReduceType::s64, ReduceType::u64, ReduceOp::max>),
      reduction(rule("BULK-R13"), "min.u32 had a sign",
                as_type<ReduceType::u32, ReduceType::s32, ReduceOp::min>),
      reduction(rule("BULK-R13"), "max.u32 had a sign",
                as_type<ReduceType::u32, ReduceType::s32, ReduceOp::max>),
      reduction(rule("BULK-R14"), "sums of f16 were truncated", truncates<ReduceType::f16>),
      reduction(rule("BULK-R14"), "sums of bf16 were truncated", truncates<ReduceType::bf16>),
      reduction(rule("BULK-R14"), "sums of f32 were truncated", truncates<ReduceType::f32>),
      reduction(rule("BULK-R14"), "add.f16 flushed subnormals", flushes<ReduceType::f16>),
      reduction(rule("BULK-R14"), "add.bf16 flushed subnormals", flushes<ReduceType::bf16>),
      reduction(rule("BULK-R14"), "add.f64 flushed subnormals", flushes<ReduceType::f64>),
      reduction(rule("BULK-R15"), "add.f32 flushed subnormals", flushes<ReduceType::f32>),
      reduction(rule("BULK-R16"), "a NaN kept its payload", keeps_nan_payload),
      reduction(rule("BULK-R16"), "a NaN were the quiet one of its type", quiet_nan_of_type),
      reduction(rule("BULK-R16"), "a NaN of f64 were made quiet", f64_nan_quieted),
      reduction(rule("BULK-R16"), "of two NaN of f64 that of the destination stayed", f64_nan_of_memory),
      reduction(rule("BULK-R16"), "a NaN of f64 were ones", f64_nan_canonical),
      reduction(rule("BULK-R17"), "a NaN won", nan_wins_always),
      reduction(rule("BULK-R17"), "a NaN won in min.f16", nan_wins<ReduceOp::min, ReduceType::f16>),
      reduction(rule("BULK-R17"), "a NaN won in max.f16", nan_wins<ReduceOp::max, ReduceType::f16>),
      reduction(rule("BULK-R17"), "a NaN won in min.bf16", nan_wins<ReduceOp::min, ReduceType::bf16>),
      reduction(rule("BULK-R17"), "a NaN won in max.bf16", nan_wins<ReduceOp::max, ReduceType::bf16>),
      reduction(rule("BULK-R17"), "-0 and +0 were equal, and the destination stayed", zeros_are_equal),
      reduction(rule("BULK-R17"), "-0 and +0 were equal, and the operand won", zeros_are_equal_to_operand),
      reduction(rule("TILE-R57"), "subnormals were kept through a flush-to-zero map", ftz_keeps_subnormals),
      {.rule = rule("TILE-R55"), .words = "it were not checked", .is_left_out = true},
  };
}

}  // namespace reductions_bent
}  // namespace

std::span<const Bend> reduction_bends() {
  static const std::vector<Bend> bends = reductions_bent::made();
  return bends;
}

}  // namespace assay::model
