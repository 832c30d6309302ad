// SPDX-License-Identifier: Apache-2.0

#include "reference/model/as_if.h"
#include "reference/model/mma/bends.h"

/// Bends of the adder of the tensor cores.
namespace assay::model {
namespace {

using numerics::Arithmetic;
using numerics::Types;
using spec::Rounding;

bool is_float(const Types& t) {
  return !t.d->is_integer();
}
bool is_wide(const Types& t) {
  return is_float(t) && t.a->storage_bits >= 16;
}
bool is_narrow(const Types& t) {
  return is_float(t) && t.a->storage_bits <= 8;
}
bool gives_f32(const Types& t) {
  return t.d->name == "f32";
}
bool gives_f16(const Types& t) {
  return t.d->name == "f16";
}
bool is_hopper_fp8(const Types& t, const Arithmetic& a) {
  return is_narrow(t) && a.kept_bits == 13;
}

/// Bits below the largest exponent, by the kind of operands that a rule is about.
template <int change>
void wide_bits(const Types& t, Arithmetic& a) {
  if (is_wide(t)) a.kept_bits += change;
}
template <int change>
void bf16_bits(const Types& t, Arithmetic& a) {
  if (is_float(t) && t.a->name == "bf16") a.kept_bits += change;
}
template <int change>
void tf32_bits(const Types& t, Arithmetic& a) {
  if (is_float(t) && t.a->name == "tf32") a.kept_bits += change;
}
template <int change>
void all_bits(const Types& t, Arithmetic& a) {
  if (is_float(t)) a.kept_bits += change;
}
template <int bits, int result>
void fp8_bits_of_sm_90(const Types& t, Arithmetic& a) {
  if (!is_hopper_fp8(t, a)) return;
  a.kept_bits = bits;
  if (gives_f32(t)) a.result_bits = result;
}
template <int change>
void narrow_bits(const Types& t, Arithmetic& a) {
  if (is_narrow(t) && a.kept_bits == 25 && !a.operands_become_f16) a.kept_bits += change;
}
template <int floor>
void f32_floor(const Types& t, Arithmetic& a) {
  if (gives_f32(t)) a.floor_exponent = floor;
}
template <int floor>
void f16_floor(const Types& t, Arithmetic& a) {
  if (gives_f16(t)) a.floor_exponent = floor;
}
template <int bits>
void f32_result_bits(const Types& t, Arithmetic& a) {
  if (gives_f32(t) && a.result_bits == 24) a.result_bits = bits;
}

bool is_subnormal_code(const spec::Format& format, uint32_t code) {
  const uint32_t magnitude = code & static_cast<uint32_t>(format.code_mask() & ~format.sign_bit());
  return !format.is_integer() && format.mantissa_bits > 0 && magnitude != 0 &&
         spec::decode(format, code).kind == spec::ValueClass::subnormal;
}
uint32_t flushed(const spec::Format& format, uint32_t code) {
  return is_subnormal_code(format, code) ? code & static_cast<uint32_t>(format.sign_bit()) : code;
}
uint32_t rounded_tf32(const spec::Format& format, uint32_t code) {
  if (format.name != "tf32" || (code & 0x7f800000) == 0x7f800000) return code;
  return (code + 0xfff + (code >> 13 & 1)) & ~0x1fffu;
}

bool is_special(const Types& t, uint32_t code) {
  return is_float(t) && spec::decode(*t.d, code).kind == spec::ValueClass::nan;
}
bool is_infinite(const Types& t, uint32_t code) {
  return is_float(t) && spec::decode(*t.d, code).kind == spec::ValueClass::infinity;
}
uint32_t sign_of(const Types& t) {
  return static_cast<uint32_t>(t.d->sign_bit());
}

// clang-format off
constexpr Bend adder_rows[] = {
    as_if("ADD-R01", "terms were rounded to nearest where they are aligned", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.term_rounding = Rounding::nearest_even; }),
    as_if("ADD-R01", "the lowest bit of a result were wrong", &MmaBend::result,
          [](const Types& t, uint32_t right) { return is_float(t) ? right ^ 1 : right; }),
    as_if("ADD-R02", "a product of zero counted with an exponent", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.zeros_have_exponents = true; }),
    as_if("ADD-R03", "a subnormal operand counted with the exponent of its leading bit", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.subnormals_align_at_emin = false; }),
    as_if("ADD-R03", "subnormal operands counted as zeros", &MmaBend::operand, flushed),
    as_if("ADD-R04", "F were 24", &MmaBend::arithmetic, wide_bits<-1>),
    as_if("ADD-R04", "F were 23", &MmaBend::arithmetic, wide_bits<-2>),
    as_if("ADD-R04", "F were 26", &MmaBend::arithmetic, wide_bits<1>),
    as_if("ADD-R04", "F were 24 for bf16", &MmaBend::arithmetic, bf16_bits<-1>),
    as_if("ADD-R04", "F were 24 for tf32", &MmaBend::arithmetic, tf32_bits<-1>),
    as_if("ADD-R04", "F were one less, for all types", &MmaBend::arithmetic, all_bits<-1>),
    as_if("ADD-R04", "F were one more, for all types", &MmaBend::arithmetic, all_bits<1>),
    as_if("ADD-R05", "F were 12", &MmaBend::arithmetic, fp8_bits_of_sm_90<12, 14>),
    as_if("ADD-R05", "F were 14", &MmaBend::arithmetic, fp8_bits_of_sm_90<14, 14>),
    as_if("ADD-R05", "F were 25", &MmaBend::arithmetic, fp8_bits_of_sm_90<25, 14>),
    as_if("ADD-R05", "F were 25 and the result had 24 bits", &MmaBend::arithmetic, fp8_bits_of_sm_90<25, 24>),
    as_if("ADD-R06", "F were 24", &MmaBend::arithmetic, narrow_bits<-1>),
    as_if("ADD-R06", "F were 26", &MmaBend::arithmetic, narrow_bits<1>),
    as_if("ADD-R06", "F were 13", &MmaBend::arithmetic, narrow_bits<-12>),
    as_if("ADD-R07", "K were summed in two halves", &MmaBend::block,
          [](const Types& t, bool, int k) { return k < t.k / 2 ? 0 : 1; }),
    as_if("ADD-R07", "the second half of K were lost", &MmaBend::block,
          [](const Types& t, bool, int k) { return k < t.k / 2 ? 0 : -1; }),
    as_if("ADD-R07", "the last product were lost", &MmaBend::block,
          [](const Types& t, bool, int k) { return k == t.k - 1 ? -1 : 0; }),
    as_if("ADD-R07", "the last product were lost where C is read", &MmaBend::block,
          [](const Types& t, bool reads_c, int k) { return reads_c && k == t.k - 1 ? -1 : 0; }),
    as_if("ADD-R07", "the first product were lost", &MmaBend::block,
          [](const Types&, bool, int k) { return k == 0 ? -1 : 0; }),
    as_if("ADD-R07", "C and the first product were rounded before the others", &MmaBend::block,
          [](const Types&, bool, int k) { return k == 0 ? 0 : 1; }),
    as_if("ADD-R07", "C were added to the rounded sum of the products", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.accumulator = numerics::AccumulatorPlace::added_last; }),
    as_if("ADD-R07", "C were left out", &MmaBend::reads_c, [](bool) { return false; }),
    as_if("ADD-R08", "E were at least -126", &MmaBend::arithmetic, f32_floor<-126>),
    as_if("ADD-R08", "E were at least -132", &MmaBend::arithmetic, f32_floor<-132>),
    as_if("ADD-R08", "E were at least -134", &MmaBend::arithmetic, f32_floor<-134>),
    as_if("ADD-R08", "E had no bound", &MmaBend::arithmetic, f32_floor<-300>),
    as_if("ADD-R09", "E were at least -14", &MmaBend::arithmetic, f16_floor<-14>),
    as_if("ADD-R09", "E were at least -20", &MmaBend::arithmetic, f16_floor<-20>),
    as_if("ADD-R09", "E were at least -22", &MmaBend::arithmetic, f16_floor<-22>),
    as_if("ADD-R09", "E had no bound", &MmaBend::arithmetic, f16_floor<-300>),
    as_if("ADD-R10", "an f32 result were rounded to nearest", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (gives_f32(t)) a.result_rounding = Rounding::nearest_even; }),
    as_if("ADD-R10", "an f32 result had 23 bits", &MmaBend::arithmetic, f32_result_bits<23>),
    as_if("ADD-R10", "the smallest f32 were zero", &MmaBend::result,
          [](const Types& t, uint32_t right) { return gives_f32(t) && (right & 0x7fffffff) == 1
         ? 0 : right; }),
    as_if("ADD-R10", "subnormal f32 results were zero", &MmaBend::result,
          [](const Types& t, uint32_t right) { return gives_f32(t) && (right & 0x7f800000) == 0
         ? 0 : right; }),
    as_if("ADD-R10", "the largest f32 became infinity", &MmaBend::result,
          [](const Types& t, uint32_t right) { return gives_f32(t)
         && (right & 0x7fffffff) == 0x7f7fffff ? right + 1 : right; }),
    as_if("ADD-R11", "an f16 result were cut", &MmaBend::arithmetic, [](const Types& t, Arithmetic& a) {
         if (gives_f16(t)) a.result_rounding = Rounding::toward_zero; }),
    as_if("ADD-R12", "a negative sum that rounds to zero gave -0", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.underflow_keeps_sign = true; }),
    as_if("ADD-R12", "zeros that are all negative gave -0", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.all_minus_zero_gives_minus_zero = true; }),
    as_if("ADD-R12", "zero results were -0", &MmaBend::result,
          [](const Types& t, uint32_t right) { return is_float(t) && right == 0 ? sign_of(t)
         : right; }),
    as_if("ADD-R13", "results that are NaN were something else", &MmaBend::open_bits,
          [](const Types& t, uint32_t right) { return is_special(t, right) ? ~0u : 0u; }),
    as_if("ADD-R14", "results that are infinite were something else", &MmaBend::open_bits,
          [](const Types& t, uint32_t right) { return is_infinite(t, right) ? ~0u : 0u; }),
    as_if("ADD-R14", "infinite results were NaN", &MmaBend::result,
          [](const Types& t, uint32_t right) { return is_infinite(t, right)
         ? (gives_f16(t) ? 0x7fffu : 0x7fffffffu) : right; }),
    as_if("ADD-R15", "tf32 operands were rounded", &MmaBend::operand, rounded_tf32),
    as_if("ADD-R17", "the old accumulator were read", &MmaBend::reads_c, [](bool) { return true; }),
    as_if("ADD-R18", "A were not negated", &MmaBend::negates, [](bool& a, bool&) { a = false; }),
    as_if("ADD-R18", "B were not negated", &MmaBend::negates, [](bool&, bool& b) { b = false; }),
    as_if("ADD-R18", "nothing were negated", &MmaBend::negates, [](bool& a, bool& b) { a = b = false; }),
    as_if("ADD-R18", "the bit of A negated B too", &MmaBend::negates, [](bool& a, bool& b) { b = b != a; }),
    as_if("ADD-R18", "the bit of B negated A too", &MmaBend::negates, [](bool& a, bool& b) { a = a != b; }),
    as_if("ADD-R18", "A and B were negated always", &MmaBend::negates,
          [](bool& a, bool& b) { a = b = true; }),
    as_if("ADD-R19", "k were split into a first and a second half", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
         if (a.split == numerics::Split::by_four) a.split = numerics::Split::consecutive,
           a.fused_terms = t.k / 2; }),
    as_if("ADD-R19", "all of K were one block", &MmaBend::arithmetic, [](const Types& t, Arithmetic& a) {
         if (a.split == numerics::Split::by_four) a.split = numerics::Split::consecutive,
           a.fused_terms = t.k; }),
    as_if("ADD-R19", "C were one of the terms", &MmaBend::arithmetic, [](const Types&, Arithmetic& a) {
         if (a.split == numerics::Split::by_four) a.accumulator = numerics::AccumulatorPlace::inside; }),
    as_if("ADD-R20", "integer sums wrapped where they are to be clamped", &MmaBend::arithmetic,
          [](const Types&, Arithmetic& a) { a.saturates = false; }),
    as_if("ADD-R20", "integer sums were clamped where they are to wrap", &MmaBend::arithmetic,
          [](const Types&, Arithmetic& a) { a.saturates = true; }),
};
// clang-format on

}  // namespace

std::span<const Bend> adder_bends() {
  return adder_rows;
}

}  // namespace assay::model
