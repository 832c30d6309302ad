// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/adder_rules.h"

#include <algorithm>

#include "devices/emulator/readings.h"

namespace assay::emulator {
namespace {

AdderRules::ZeroSign zero_sign(const DeviceReadings& readings) {
  if (readings.is({"NUM-AMB-03", "minus_when_rounded"})) return AdderRules::ZeroSign::minus_when_rounded;
  if (readings.is({"NUM-AMB-03", "minus_when_all_are"})) return AdderRules::ZeroSign::minus_when_all_are;
  return AdderRules::ZeroSign::always_plus;
}

AdderRules::ScalesC scales_c(const DeviceReadings& readings) {
  if (readings.is({"NUM-AMB-17", "rounded"})) return AdderRules::ScalesC::rounded;
  if (readings.is({"NUM-AMB-17", "truncated"})) return AdderRules::ScalesC::truncated;
  return AdderRules::ScalesC::exactly;
}

AdderRules::ScaleBit7 scale_bit_7(const DeviceReadings& readings) {
  if (readings.is({"NUM-AMB-11", "negates"})) return AdderRules::ScaleBit7::negates;
  if (readings.is({"NUM-AMB-11", "makes_nan"})) return AdderRules::ScaleBit7::makes_nan;
  return AdderRules::ScaleBit7::ignored;
}

bool is_small_float(const spec::Format& format) {
  return !format.is_integer() && format.storage_bits <= 8;
}

/// (mma-sim, sections on Blackwell; sf-tensor, MODEL.md)
void add_scaled_rules(const TileProduct& product, const DeviceReadings& readings, AdderRules& rules) {
  rules.scale_bit_7 = scale_bit_7(readings);
  rules.keeps_minus_zero = readings.is({"NUM-AMB-20", "stays"});
  if (!product.adds_groups) return;
  rules.kept_bits = readings.is({"NUM-AMB-07", "bits_34"})   ? 34
                    : readings.is({"NUM-AMB-07", "bits_36"}) ? 36
                    : readings.is({"NUM-AMB-07", "bits_37"}) ? 37
                                                             : 35;
  if (readings.is({"NUM-AMB-01", "minus_133"})) rules.lowest_exponent = -139;
  const bool is_ue4m3 = product.scale_format->name == "ue4m3";
  if (is_ue4m3 && readings.is({"NUM-AMB-18", "adds_4"})) rules.group = 4;
  if (is_ue4m3 && readings.is({"NUM-AMB-18", "cuts_each"})) rules.group = 1;
  if (product.k == 96 && readings.is({"NUM-AMB-19", "rounds_after_64"})) rules.fused = 64;
}

}  // namespace

AdderRules adder_rules(const TileProduct& product, const Settings& settings) {
  const DeviceReadings readings(settings);
  const bool is_half = product.d_format->name == "f16";
  const bool is_small = is_small_float(*product.a_format);
  AdderRules rules{};
  rules.fused = rules.products = product.k;
  // (H200) wgmma keeps 13 bits of 8-bit floats, also in its f32 result.
  const bool is_narrow = product.adder == Adder::wgmma && is_small;
  rules.kept_bits = is_narrow ? 13 : 25;
  rules.significant_bits = is_half ? 11 : is_narrow ? 14 : 24;
  rules.rounds_to_nearest = is_half;
  rules.lowest_exponent = is_half ? -21 : -133;
  rules.is_widened = product.adder == Adder::mma_sync && is_small;
  if (rules.is_widened) rules.adds_c = AdderRules::AddsC::last;

  if (is_half) {
    if (readings.is({"NUM-AMB-02", "minus_22"})) rules.lowest_exponent = -22;
    if (readings.is({"NUM-AMB-02", "minus_20"})) rules.lowest_exponent = -20;
    if (readings.is({"NUM-AMB-02", "minus_133"})) rules.lowest_exponent = -133;
  } else {
    if (readings.is({"NUM-AMB-01", "minus_132"})) rules.lowest_exponent = -132;
    if (readings.is({"NUM-AMB-01", "minus_126"}))
      rules.lowest_exponent = -126, rules.zeros_have_exponents = true;
  }
  if (product.scale_format != nullptr) add_scaled_rules(product, readings, rules);
  if (product.is_sparse && readings.is({"NUM-AMB-21", "rounds_after_half"})) rules.fused = product.k / 2;
  rules.zero_sign = zero_sign(readings);
  rules.scales_c = scales_c(readings);
  if (readings.is({"NUM-AMB-08", "leading_bit"}) &&
      std::min(product.a_format->storage_bits, product.b_format->storage_bits) <= 6)
    rules.normalised_bits = 6;
  return rules;
}

}  // namespace assay::emulator
