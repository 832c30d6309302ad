// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/mma.h"

#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

/// Columns of tensor memory that the rows or columns of a CTA take.
uint32_t columns_of_lines(const Tcgen05MmaCase& c, bool is_a) {
  return ((is_a ? c.m / c.cta_group : c.n) + 31) / 32;
}

}  // namespace

bool is_block_scaled(const Tcgen05MmaCase& c) {
  return spec::row_of(c.kind).is_mx;
}

bool is_packed_kind(const Tcgen05MmaCase& c) {
  return spec::row_of(c.kind).is_packed;
}

int scale_block(const Tcgen05MmaCase& c) {
  if (!is_block_scaled(c)) return 0;
  return c.scale_vector == 4 || c.scale_vector == 16 ? 16 : 32;
}

int scale_count(const Tcgen05MmaCase& c) {
  return is_block_scaled(c) ? k_of(c) / scale_block(c) : 0;
}

const spec::Format* scale_format(const Tcgen05MmaCase& c) {
  if (!is_block_scaled(c)) return nullptr;
  return c.scale_type == spec::type_code::ue8m0 ? &spec::format("ue8m0") : &spec::format("ue4m3");
}

std::optional<spec::ScaleVec> scale_vec_of(const Tcgen05MmaCase& c) {
  if (!is_block_scaled(c)) return std::nullopt;
  if (!is_packed_kind(c)) return spec::ScaleVec::x1;
  return scale_block(c) == 16 ? spec::ScaleVec::x4 : spec::ScaleVec::x2;
}

bool has_legal_scale_vector(const Tcgen05MmaCase& c) {
  return spec::row_of(c.kind).takes(c.scale_vector);
}

uint32_t scale_group(const Tcgen05MmaCase& c, bool is_a) {
  const bool halved = c.cta_group == 2 && c.m == 128;
  return !is_a && !halved && c.n > 128 ? 8 : 4;
}

ScaleStart scale_start(const Tcgen05MmaCase& c, bool is_a, uint32_t step) {
  const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
  const uint32_t position = scales.id + step * static_cast<uint32_t>(scale_count(c));
  return {scales.column + position / 4 * scale_group(c, is_a), position % 4};
}

uint32_t scale_columns(const Tcgen05MmaCase& c, bool is_a) {
  if (!is_block_scaled(c)) return 0;
  const ScaleStart last = scale_start(c, is_a, c.steps - 1);
  const uint32_t further = (last.id + static_cast<uint32_t>(scale_count(c)) - 1) / 4;
  const uint32_t widest_group = !is_a && c.n > 128 ? 8 : 4;
  return last.column - (is_a ? c.a_scales : c.b_scales).column + further * widest_group +
         columns_of_lines(c, is_a);
}

layout::ScaleReadings scale_readings(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  layout::ScaleReadings chosen;
  if (c.cta_group != 2 || c.m != 128) return chosen;
  if (readings.is({"AMB-51", "groups_2_columns_apart"}))
    chosen.rows_of_64 = layout::ScaleReadings::RowsOf64::two_columns;
  if (readings.is({"AMB-51", "rows_in_one_column"}))
    chosen.rows_of_64 = layout::ScaleReadings::RowsOf64::one_column;
  chosen.halves_of_n = readings.is({"AMB-09", "by_half_of_n"});
  return chosen;
}

ScaleCode read_scale(const spec::Format& format, uint8_t code, const spec::Readings& readings) {
  if (format.storage_bits - format.bits() == 0 || (code & 0x80) == 0) return {code, false};
  const auto magnitude = static_cast<uint8_t>(code & 0x7f);
  if (readings.is({"NUM-AMB-11", "makes_nan"})) return {static_cast<uint8_t>(format.canonical_nan()), false};
  return {magnitude, readings.is({"NUM-AMB-11", "negates"})};
}

void choose_grouped_sum(const spec::Readings& readings, bool has_ue4m3_scales,
                        numerics::Arithmetic& arithmetic) {
  if (readings.is({"NUM-AMB-07", "bits_34"})) arithmetic.kept_bits = 34;
  if (readings.is({"NUM-AMB-07", "bits_36"})) arithmetic.kept_bits = 36;
  if (readings.is({"NUM-AMB-07", "bits_37"})) arithmetic.kept_bits = 37;
  if (!has_ue4m3_scales) return;
  if (readings.is({"NUM-AMB-18", "adds_4"})) arithmetic.group_terms = 4;
  if (readings.is({"NUM-AMB-18", "cuts_each"})) arithmetic.group_terms = 1;
}

void choose_scaled_arithmetic(const Tcgen05MmaCase& c, const spec::Readings& readings,
                              numerics::Arithmetic& arithmetic) {
  if (!is_block_scaled(c)) return;
  arithmetic.keeps_minus_zero = readings.is({"NUM-AMB-20", "stays"});
  if (arithmetic.scheme != numerics::Scheme::grouped) return;
  choose_grouped_sum(readings, c.scale_type == spec::type_code::ue4m3, arithmetic);
  if (c.k96 && readings.is({"NUM-AMB-19", "rounds_after_64"})) arithmetic.fused_terms = 64;
  // The model in which zeros have exponents keeps those of a group's scales.
  if (arithmetic.zeros_have_exponents) arithmetic.zero_group_keeps_scale = true;
}

void mark_scale_rules(const Tcgen05MmaCase& c, spec::RuleSet& rules) {
  if (!is_block_scaled(c)) return;
  for (const spec::RuleIndex i : {rule("SCALE-R01"), rule("SCALE-R02"), rule("SCALE-R03"), rule("SCALE-R04"),
                                  rule("SCALE-R08"), rule("IDESC-R15"), rule("IDESC-R16")})
    rules.set(i);
  if (c.cta_group == 2) rules.set(rule("SCALE-R07"));
  if (c.cta_group == 2 && c.m == 128) rules.set(rule("SCALE-R06"));
  if (c.k96) rules.set(rule("IDESC-R17"));
  for (const bool is_a : {true, false})
    for (uint32_t step = 0; step < c.steps; ++step)
      if (scale_start(c, is_a, step).id + static_cast<uint32_t>(scale_count(c)) > 4)
        rules.set(rule("SCALE-R05"));
  if (!is_packed_kind(c)) rules.set(rule("ADD-R22"));
}

}  // namespace assay::model
