#include "devices/emulator/tensor/adder_rules.h"

#include <algorithm>
#include <string_view>

namespace assay::emulator {
namespace {

char reading(const Settings& settings, std::string_view id) {
  for (const auto& [chosen, letter] : settings.readings)
    if (chosen == id) return letter;
  return 'A';
}

bool is_small_float(const spec::Format& format) {
  return !format.is_integer() && format.storage_bits <= 8;
}

/// (mma-sim, sections on Blackwell; sf-tensor, MODEL.md)
void add_scaled_rules(const TileProduct& product, const Settings& settings, AdderRules& rules) {
  rules.scale_bit_7 = reading(settings, "NUM-AMB-11");
  rules.keeps_minus_zero = reading(settings, "NUM-AMB-20") == 'B';
  if (!product.adds_groups) return;
  const char bits = reading(settings, "NUM-AMB-07");
  rules.kept_bits = bits == 'B' ? 34 : bits == 'C' ? 36 : bits == 'D' ? 37 : 35;
  if (reading(settings, "NUM-AMB-01") == 'A') rules.lowest_exponent = -139;
  const char group = product.scale_format->name == "ue4m3" ? reading(settings, "NUM-AMB-18") : 'A';
  rules.group = group == 'B' ? 4 : group == 'C' ? 1 : 16;
  if (product.k == 96 && reading(settings, "NUM-AMB-19") == 'B') rules.fused = 64;
}

}  // namespace

AdderRules adder_rules(const TileProduct& product, const Settings& settings) {
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
    const char floor = reading(settings, "NUM-AMB-02");
    if (floor != 'A') rules.lowest_exponent = floor == 'B' ? -22 : floor == 'C' ? -20 : -133;
  } else {
    const char floor = reading(settings, "NUM-AMB-01");
    if (floor == 'C') rules.lowest_exponent = -132;
    if (floor == 'B') rules.lowest_exponent = -126, rules.zeros_have_exponents = true;
  }
  if (product.scale_format != nullptr) add_scaled_rules(product, settings, rules);
  rules.zero_sign = reading(settings, "NUM-AMB-03");
  rules.scales_c = reading(settings, "NUM-AMB-17");
  if (reading(settings, "NUM-AMB-08") == 'B' &&
      std::min(product.a_format->storage_bits, product.b_format->storage_bits) <= 6)
    rules.normalised_bits = 6;
  return rules;
}

}  // namespace assay::emulator
