// SPDX-License-Identifier: Apache-2.0

#include "reference/model/mma/bends.h"
#include "reference/spec/rules.h"

/// Bends of the adder of the tensor cores.
namespace assay::model {
namespace {

using numerics::Arithmetic;
using numerics::Types;
using spec::Rounding;
using spec::rule;

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
    {.rule = rule("ADD-R01"), .words = "terms were rounded to nearest where they are aligned",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.term_rounding = Rounding::nearest_even; }}},
    {.rule = rule("ADD-R01"), .words = "the lowest bit of a result were wrong",
     .mma = {.result = [](const Types& t, uint32_t right) { return is_float(t) ? right ^ 1 : right; }}},
    {.rule = rule("ADD-R02"), .words = "a product of zero counted with an exponent",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.zeros_have_exponents = true; }}},
    {.rule = rule("ADD-R03"), .words = "a subnormal operand counted with the exponent of its leading bit",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.subnormals_align_at_emin = false; }}},
    {.rule = rule("ADD-R03"), .words = "subnormal operands counted as zeros", .mma = {.operand = flushed}},
    {.rule = rule("ADD-R04"), .words = "F were 24", .mma = {.arithmetic = wide_bits<-1>}},
    {.rule = rule("ADD-R04"), .words = "F were 23", .mma = {.arithmetic = wide_bits<-2>}},
    {.rule = rule("ADD-R04"), .words = "F were 26", .mma = {.arithmetic = wide_bits<1>}},
    {.rule = rule("ADD-R04"), .words = "F were 24 for bf16", .mma = {.arithmetic = bf16_bits<-1>}},
    {.rule = rule("ADD-R04"), .words = "F were 24 for tf32", .mma = {.arithmetic = tf32_bits<-1>}},
    {.rule = rule("ADD-R04"), .words = "F were one less, for all types", .mma = {.arithmetic = all_bits<-1>}},
    {.rule = rule("ADD-R04"), .words = "F were one more, for all types", .mma = {.arithmetic = all_bits<1>}},
    {.rule = rule("ADD-R05"), .words = "F were 12", .mma = {.arithmetic = fp8_bits_of_sm_90<12, 14>}},
    {.rule = rule("ADD-R05"), .words = "F were 14", .mma = {.arithmetic = fp8_bits_of_sm_90<14, 14>}},
    {.rule = rule("ADD-R05"), .words = "F were 25", .mma = {.arithmetic = fp8_bits_of_sm_90<25, 14>}},
    {.rule = rule("ADD-R05"), .words = "F were 25 and the result had 24 bits",
     .mma = {.arithmetic = fp8_bits_of_sm_90<25, 24>}},
    {.rule = rule("ADD-R06"), .words = "F were 24", .mma = {.arithmetic = narrow_bits<-1>}},
    {.rule = rule("ADD-R06"), .words = "F were 26", .mma = {.arithmetic = narrow_bits<1>}},
    {.rule = rule("ADD-R06"), .words = "F were 13", .mma = {.arithmetic = narrow_bits<-12>}},
    {.rule = rule("ADD-R07"), .words = "K were summed in two halves",
     .mma = {.block = [](const Types& t, bool, int k) { return k < t.k / 2 ? 0 : 1; }}},
    {.rule = rule("ADD-R07"), .words = "the second half of K were lost",
     .mma = {.block = [](const Types& t, bool, int k) { return k < t.k / 2 ? 0 : -1; }}},
    {.rule = rule("ADD-R07"), .words = "the last product were lost",
     .mma = {.block = [](const Types& t, bool, int k) { return k == t.k - 1 ? -1 : 0; }}},
    {.rule = rule("ADD-R07"), .words = "the last product were lost where C is read",
     .mma = {.block = [](const Types& t, bool reads_c, int k) { return reads_c && k == t.k - 1 ? -1 : 0; }}},
    {.rule = rule("ADD-R07"), .words = "the first product were lost",
     .mma = {.block = [](const Types&, bool, int k) { return k == 0 ? -1 : 0; }}},
    {.rule = rule("ADD-R07"), .words = "C and the first product were rounded before the others",
     .mma = {.block = [](const Types&, bool, int k) { return k == 0 ? 0 : 1; }}},
    {.rule = rule("ADD-R07"), .words = "C were added to the rounded sum of the products",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.accumulator = numerics::AccumulatorPlace::added_last; }}},
    {.rule = rule("ADD-R07"), .words = "C were left out", .mma = {.reads_c = [](bool) { return false; }}},
    {.rule = rule("ADD-R08"), .words = "E were at least -126", .mma = {.arithmetic = f32_floor<-126>}},
    {.rule = rule("ADD-R08"), .words = "E were at least -132", .mma = {.arithmetic = f32_floor<-132>}},
    {.rule = rule("ADD-R08"), .words = "E were at least -134", .mma = {.arithmetic = f32_floor<-134>}},
    {.rule = rule("ADD-R08"), .words = "E had no bound", .mma = {.arithmetic = f32_floor<-300>}},
    {.rule = rule("ADD-R09"), .words = "E were at least -14", .mma = {.arithmetic = f16_floor<-14>}},
    {.rule = rule("ADD-R09"), .words = "E were at least -20", .mma = {.arithmetic = f16_floor<-20>}},
    {.rule = rule("ADD-R09"), .words = "E were at least -22", .mma = {.arithmetic = f16_floor<-22>}},
    {.rule = rule("ADD-R09"), .words = "E had no bound", .mma = {.arithmetic = f16_floor<-300>}},
    {.rule = rule("ADD-R10"), .words = "an f32 result were rounded to nearest",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (gives_f32(t)) a.result_rounding = Rounding::nearest_even; }}},
    {.rule = rule("ADD-R10"), .words = "an f32 result had 23 bits",
     .mma = {.arithmetic = f32_result_bits<23>}},
    {.rule = rule("ADD-R10"), .words = "the smallest f32 were zero",
     .mma = {.result = [](const Types& t, uint32_t right) { return gives_f32(t) && (right & 0x7fffffff) == 1
         ? 0 : right; }}},
    {.rule = rule("ADD-R10"), .words = "subnormal f32 results were zero",
     .mma = {.result = [](const Types& t, uint32_t right) { return gives_f32(t) && (right & 0x7f800000) == 0
         ? 0 : right; }}},
    {.rule = rule("ADD-R10"), .words = "the largest f32 became infinity",
     .mma = {.result = [](const Types& t, uint32_t right) { return gives_f32(t)
         && (right & 0x7fffffff) == 0x7f7fffff ? right + 1 : right; }}},
    {.rule = rule("ADD-R11"), .words = "an f16 result were cut",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (gives_f16(t)) a.result_rounding = Rounding::toward_zero; }}},
    {.rule = rule("ADD-R12"), .words = "a negative sum that rounds to zero gave -0",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.underflow_keeps_sign = true; }}},
    {.rule = rule("ADD-R12"), .words = "zeros that are all negative gave -0",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_float(t)) a.all_minus_zero_gives_minus_zero = true; }}},
    {.rule = rule("ADD-R12"), .words = "zero results were -0",
     .mma = {.result = [](const Types& t, uint32_t right) { return is_float(t) && right == 0 ? sign_of(t)
         : right; }}},
    {.rule = rule("ADD-R13"), .words = "results that are NaN were something else",
     .mma = {.open_bits = [](const Types& t, uint32_t right) { return is_special(t, right) ? ~0u : 0u; }}},
    {.rule = rule("ADD-R14"), .words = "results that are infinite were something else",
     .mma = {.open_bits = [](const Types& t, uint32_t right) { return is_infinite(t, right) ? ~0u : 0u; }}},
    {.rule = rule("ADD-R14"), .words = "infinite results were NaN",
     .mma = {.result = [](const Types& t, uint32_t right) { return is_infinite(t, right)
         ? (gives_f16(t) ? 0x7fffu : 0x7fffffffu) : right; }}},
    {.rule = rule("ADD-R15"), .words = "tf32 operands were rounded", .mma = {.operand = rounded_tf32}},
    {.rule = rule("ADD-R17"), .words = "the old accumulator were read",
     .mma = {.reads_c = [](bool) { return true; }}},
    {.rule = rule("ADD-R18"), .words = "A were not negated",
     .mma = {.negates = [](bool& a, bool&) { a = false; }}},
    {.rule = rule("ADD-R18"), .words = "B were not negated",
     .mma = {.negates = [](bool&, bool& b) { b = false; }}},
    {.rule = rule("ADD-R18"), .words = "nothing were negated",
     .mma = {.negates = [](bool& a, bool& b) { a = b = false; }}},
    {.rule = rule("ADD-R18"), .words = "the bit of A negated B too",
     .mma = {.negates = [](bool& a, bool& b) { b = b != a; }}},
    {.rule = rule("ADD-R18"), .words = "the bit of B negated A too",
     .mma = {.negates = [](bool& a, bool& b) { a = a != b; }}},
    {.rule = rule("ADD-R18"), .words = "A and B were negated always",
     .mma = {.negates = [](bool& a, bool& b) { a = b = true; }}},
    {.rule = rule("ADD-R19"), .words = "k were split into a first and a second half",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (a.split == numerics::Split::by_four) a.split = numerics::Split::consecutive,
           a.fused_terms = t.k / 2; }}},
    {.rule = rule("ADD-R19"), .words = "all of K were one block",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (a.split == numerics::Split::by_four) a.split = numerics::Split::consecutive,
           a.fused_terms = t.k; }}},
    {.rule = rule("ADD-R19"), .words = "C were one of the terms",
     .mma = {.arithmetic = [](const Types&, Arithmetic& a) {
         if (a.split == numerics::Split::by_four) a.accumulator = numerics::AccumulatorPlace::inside; }}},
    {.rule = rule("ADD-R20"), .words = "integer sums wrapped where they are to be clamped",
     .mma = {.arithmetic = [](const Types&, Arithmetic& a) { a.saturates = false; }}},
    {.rule = rule("ADD-R20"), .words = "integer sums were clamped where they are to wrap",
     .mma = {.arithmetic = [](const Types&, Arithmetic& a) { a.saturates = true; }}},
};
// clang-format on

}  // namespace

std::span<const Bend> adder_bends() {
  return adder_rows;
}

}  // namespace assay::model
