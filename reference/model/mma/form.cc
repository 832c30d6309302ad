// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/model/mma/mma.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;
namespace idesc = spec::idesc;

uint64_t shift_code(uint32_t columns) {
  return columns == 32 ? 3 : columns / 8;
}

void add(spec::RuleSet& broken, const std::vector<spec::RuleBroken>& found) {
  for (const spec::RuleBroken& one : found) broken.set(*spec::find_rule(one.rule->id));
}

/// A combination that one reading allows, one refuses, and one leaves open.
struct OpenLegality {
  spec::NamedReading allowed, refused;
  spec::RuleIndex rule;  ///< broken where it is not allowed
  bool (*concerns)(const Tcgen05MmaCase&);
  bool is_in_tables = false;  ///< the tables of fields break it already: to be taken back where it is allowed
};

bool is_k_major_in_32_byte_atoms(const Tcgen05MmaCase& c) {
  const bool of_a =
      !c.a_in_tmem && !c.transpose_a && c.a_flip == 0 && c.a.swizzle == spec::smem_swizzle::by_128B_atom32B;
  return of_a || (!c.transpose_b && c.b_flip == 0 && c.b.swizzle == spec::smem_swizzle::by_128B_atom32B);
}

/// In some step.
bool has_odd_scale_id(const Tcgen05MmaCase& c) {
  for (uint32_t step = 0; step < c.steps; ++step)
    if ((scale_start(c, true, step).id | scale_start(c, false, step).id) % 2 != 0) return true;
  return false;
}

const OpenLegality open_legalities[] = {
    {{"AMB-04", "where_b_is_reused"},
     {"AMB-04", "always"},
     rule("ZCM-R04"),
     [](const Tcgen05MmaCase& c) { return c.has_mask && c.mask.column_shift > c.max_shift; }},
    {{"AMB-08", "allowed"}, {"AMB-08", "refused"}, rule("SMEM-R10"), is_k_major_in_32_byte_atoms, true},
    {{"AMB-11", "ue4m3_and_ue8m0"},
     {"AMB-11", "ue4m3_alone"},
     rule("IDESC-R15"),
     [](const Tcgen05MmaCase& c) {
       return spec::row_of(c.kind).may_be_ue4m3 && c.scale_type == spec::type_code::ue8m0;
     }},
    {{"AMB-12", "by_count_and_k"},
     {"AMB-12", "ids_0_and_2"},
     rule("IDESC-R16"),
     [](const Tcgen05MmaCase& c) { return c.k96 && has_odd_scale_id(c); }},
    {{"AMB-14", "m_of_128_too"},
     {"AMB-14", "m_of_256_alone"},
     rule("IDESC-R11"),
     [](const Tcgen05MmaCase& c) { return c.k96 && (c.cta_group != 2 || c.m != 256); }},
    {{"AMB-16", "allowed"},
     {"AMB-16", "refused"},
     rule("IDESC-R11"),
     [](const Tcgen05MmaCase& c) {
       return c.kind == spec::MmaKind::mxf8f6f4 && c.cta_group == 2 && c.m == 128;
     }},
    {{"AMB-30", "allowed"},
     {"AMB-30", "refused"},
     rule("IDESC-R02"),
     [](const Tcgen05MmaCase& c) {
       return c.kind == spec::MmaKind::f8f6f4 && c.d_type == spec::type_code::d_f16;
     }},
    {{"NUM-AMB-05", "own_exponents"},
     {"NUM-AMB-05", "refused"},
     rule("IDESC-R04"),
     [](const Tcgen05MmaCase& c) {
       return c.kind == spec::MmaKind::f16 && c.a_type != c.b_type && c.d_type == spec::type_code::d_f32;
     }},
};

/// Rules of words that a reading turns off or on.
void apply_readings(const Tcgen05MmaCase& c, const spec::Readings& readings, spec::RuleSet& broken) {
  if (broken.test(rule("ZCM-R03")) && !readings.is({"AMB-03", "anything"})) broken.reset(rule("ZCM-R03"));
  // Where B is reused nothing is open about the shift.
  const bool keeps_b = c.collector != Collector::none && c.collector != Collector::discard;
  if (c.has_mask && c.mask.column_shift > c.max_shift && keeps_b) broken.set(rule("ZCM-R04"));
  for (const OpenLegality& row : open_legalities) {
    if (!row.concerns(c)) continue;
    if (!readings.is(row.allowed))
      broken.set(row.rule);
    else if (row.is_in_tables)
      broken.reset(row.rule);
  }
}

/// `lines`: rows of A or columns of B that one CTA has.
void mark_shared(const Tcgen05MmaCase& c, bool is_a, uint32_t lines, spec::RuleSet& rules) {
  const MatrixInShared& matrix = is_a ? c.a : c.b;
  const bool transposed = is_a ? c.transpose_a : c.transpose_b;
  rules.set(rule("SMEM-R11"));
  const bool swizzled = matrix.swizzle != 0;
  const auto bits = static_cast<uint32_t>(stored_bits(c, is_a));
  const uint32_t line_bytes = lines * bits / 8,
                 row_bytes = static_cast<uint32_t>(stored_k(c, is_a)) * bits / 8;
  const bool is_wide_32B = !transposed && matrix.swizzle == spec::smem_swizzle::by_32B && row_bytes > 32;
  if (is_wide_32B) rules.set(rule("SMEM-R19"));
  for (uint32_t step = 0; step < c.steps && matrix.leading_is_absolute; ++step)
    if ((matrix.start + 16 * step * (is_a ? c.a_step : c.b_step)) % 128 + row_bytes > 128)
      rules.set(rule("SMEM-R20"));
  const bool leading_is_dead =
      swizzled && !is_wide_32B && !matrix.leading_is_absolute &&
      (!transposed || line_bytes <= static_cast<uint32_t>(matrix_of(matrix).swizzle->width));
  const bool stride_is_dead = transposed ? !swizzled && line_bytes <= 16 : lines <= 8;
  if ((leading_is_dead && matrix.leading_offset != 0) || (stride_is_dead && matrix.stride_offset != 0))
    rules.set(rule("SMEM-R18"));
  if (!transposed) rules.set(swizzled ? rule("SMEM-R13") : rule("SMEM-R12"));
  if (transposed) rules.set(swizzled ? rule("SMEM-R15") : rule("SMEM-R14"));
  if (swizzled) rules.set(rule("SMEM-R16"));
  if (swizzled && matrix.base_offset != 0) rules.set(rule("SMEM-R17"));
}

uint32_t scaled_idesc_word(const Tcgen05MmaCase& c) {
  using spec::with, spec::with_raw;
  const spec::MmaKind kind = c.kind;
  uint64_t word = with_raw(0, idesc::b_scale_id, c.b_scales.id);
  word = with_raw(word, idesc::sparse, c.sparse);
  word = with_raw(word, idesc::a_type, c.a_type);
  word = with_raw(word, spec::b_type_of(kind), c.b_type);
  word = with_raw(word, idesc::negate_a, c.negate_a);
  word = with_raw(word, idesc::negate_b, c.negate_b);
  word = with_raw(word, idesc::transpose_a, c.transpose_a);
  word = with_raw(word, idesc::transpose_b, c.transpose_b);
  word = with(word, idesc::n, c.n);
  word = with_raw(word, idesc::scale_type, c.scale_type);
  word = with(word, idesc::mx_m, c.m);
  word = with_raw(word, idesc::a_scale_id, c.a_scales.id);
  if (spec::has_k_size(kind)) word = with_raw(word, idesc::k_size, c.k96);
  return static_cast<uint32_t>(word) ^ c.idesc_flip;
}

}  // namespace

uint32_t idesc_word(const Tcgen05MmaCase& c) {
  if (is_block_scaled(c)) return scaled_idesc_word(c);
  using spec::with, spec::with_raw;
  uint64_t word = with_raw(0, idesc::saturate, c.saturate);
  word = with_raw(word, idesc::sparse, c.sparse);
  word = with_raw(word, idesc::sparsity_selector, c.metadata.selector);
  word = with_raw(word, idesc::d_type, c.d_type);
  word = with_raw(word, idesc::a_type, c.a_type);
  word = with_raw(word, idesc::b_type, c.b_type);
  word = with_raw(word, idesc::negate_a, c.negate_a);
  word = with_raw(word, idesc::negate_b, c.negate_b);
  word = with_raw(word, idesc::transpose_a, c.transpose_a);
  word = with_raw(word, idesc::transpose_b, c.transpose_b);
  word = with(word, idesc::n, c.n);
  word = with(word, idesc::m, c.m);
  word = with_raw(word, idesc::max_shift, shift_code(c.max_shift));
  return static_cast<uint32_t>(word) ^ c.idesc_flip;
}

uint32_t shape_bits(const Tcgen05MmaCase& c) {
  const spec::MmaKindRow& row = spec::row_of(c.kind);
  uint64_t bits = spec::descriptor_of(c.kind).reserved;
  for (const spec::Field* field : {row.is_mx ? &idesc::mx_m : &idesc::m, &idesc::n, &idesc::sparse})
    bits = spec::with_raw(bits, *field, ~uint64_t{0});
  return static_cast<uint32_t>(bits);
}

spec::SmemMatrix matrix_of(const MatrixInShared& matrix) {
  spec::SmemMatrix made;
  made.start = matrix.start;
  made.leading_offset = matrix.leading_offset;
  made.stride_offset = matrix.stride_offset;
  made.base_offset = matrix.base_offset;
  made.leading_is_absolute = matrix.leading_is_absolute;
  if (const spec::SmemSwizzle* swizzle = spec::find_smem_swizzle(matrix.swizzle)) made.swizzle = swizzle;
  return made;
}

uint64_t a_word(const Tcgen05MmaCase& c) {
  return spec::encode_smem_desc(matrix_of(c.a)) ^ c.a_flip;
}
uint64_t b_word(const Tcgen05MmaCase& c) {
  return spec::encode_smem_desc(matrix_of(c.b)) ^ c.b_flip;
}

spec::ZeroColumnMask mask_of(const ColumnMask& mask) {
  return {mask.start_count, mask.first_is_zeroed, mask.generate,
          mask.skip_span,   mask.use_span,        mask.column_shift};
}
uint64_t mask_word(const Tcgen05MmaCase& c) {
  return spec::encode_zero_column_mask(mask_of(c.mask)) ^ c.mask_flip;
}

MmaFormats formats_of(const Tcgen05MmaCase& c) {
  const spec::MmaKind kind = c.kind;
  return {spec::format_of(kind, idesc::a_type, c.a_type),
          spec::format_of(kind, spec::b_type_of(kind), c.b_type),
          is_block_scaled(c) ? &spec::format("f32") : spec::format_of(kind, idesc::d_type, c.d_type)};
}

void choose_exponents(const MmaFormats& formats, const spec::Readings& readings,
                      numerics::Arithmetic& arithmetic) {
  const bool is_half = formats.d->storage_bits == 16;
  // Sums of 8-bit floats and narrower never come near the floors of f16.
  if (is_half && formats.a->storage_bits == 16) {
    if (readings.is({"NUM-AMB-02", "minus_22"})) arithmetic.floor_exponent = -22;
    if (readings.is({"NUM-AMB-02", "minus_20"})) arithmetic.floor_exponent = -20;
    if (readings.is({"NUM-AMB-02", "minus_133"})) arithmetic.floor_exponent = -133;
  }
  if (formats.d->storage_bits == 32) {
    if (readings.is({"NUM-AMB-01", "minus_132"})) arithmetic.floor_exponent = -132;
    if (readings.is({"NUM-AMB-01", "minus_126"}))
      arithmetic.floor_exponent = -126, arithmetic.zeros_have_exponents = true;
  }
  if (std::min(formats.a->storage_bits, formats.b->storage_bits) < 8 &&
      readings.is({"NUM-AMB-08", "leading_bit"}))
    arithmetic.normalised_bits = 6;
}

void choose_zero_sign(const spec::Readings& readings, numerics::Arithmetic& arithmetic) {
  arithmetic.underflow_keeps_sign = readings.is({"NUM-AMB-03", "minus_when_rounded"});
  arithmetic.all_minus_zero_gives_minus_zero = readings.is({"NUM-AMB-03", "minus_when_all_are"});
}

int k_of(const Tcgen05MmaCase& c) {
  return c.k96 ? 96 : spec::row_of(c.kind).k;
}

int stored_k(const Tcgen05MmaCase& c, bool is_a) {
  return c.sparse && !is_a ? 2 * k_of(c) : k_of(c);
}

const layout::DLayoutRow* d_layout_of(const Tcgen05MmaCase& c) {
  return layout::find_d_layout(static_cast<int>(c.m), static_cast<int>(c.cta_group), c.ws, c.sparse);
}

int stored_bits(const Tcgen05MmaCase& c, bool is_a) {
  const layout::SmemOperand operand = shared_operand(c, is_a);
  return operand.packing == layout::Packing::plain ? operand.element_bits : 8;
}

layout::TmemPacking packing_of_a(const Tcgen05MmaCase& c) {
  const bool in_bytes = spec::row_of(c.kind).has_bytes;
  return {formats_of(c).a->storage_bits, in_bytes};
}

uint32_t a_columns(const Tcgen05MmaCase& c) {
  const layout::TmemPacking packing = packing_of_a(c);
  return static_cast<uint32_t>(k_of(c) * (packing.in_bytes ? 8 : packing.element_bits) / 32);
}

numerics::Types types_of(const Tcgen05MmaCase& c) {
  const MmaFormats formats = formats_of(c);
  return {formats.a, formats.b, formats.d, k_of(c), scale_format(c), scale_block(c)};
}

layout::SmemOperand shared_operand(const Tcgen05MmaCase& c, bool is_a) {
  const MmaFormats formats = formats_of(c);
  const spec::Format& format = is_a ? *formats.a : *formats.b;
  const bool transposed = is_a ? c.transpose_a : c.transpose_b;
  if (is_packed_kind(c)) return {format.storage_bits, layout::Packing::plain, transposed};
  const layout::Packing packing = format.storage_bits == 4   ? layout::Packing::padded_4_bit
                                  : format.storage_bits == 6 ? layout::Packing::padded_6_bit
                                                             : layout::Packing::plain;
  return {format.storage_bits, packing, transposed};
}

spec::RuleSet broken_mma_rules(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  spec::RuleSet broken;
  const spec::Arch arch = readings.arch();
  spec::InstrUse use{c.kind,      arch,           static_cast<int>(c.cta_group), c.ws, c.sparse,
                     c.a_in_tmem, scale_vec_of(c)};
  add(broken, spec::instr_desc_violations(idesc_word(c), use));
  const MmaFormats formats = formats_of(c);
  const auto bits = [](const spec::Format* format) -> std::optional<int> {
    if (format == nullptr) return std::nullopt;
    return format->storage_bits;
  };
  const auto transposes = [&](const spec::Field& field) { return get_raw(idesc_word(c), field) != 0; };
  if (!c.a_in_tmem)
    add(broken,
        spec::smem_desc_violations(a_word(c), {arch, bits(formats.a), transposes(idesc::transpose_a)}));
  add(broken, spec::smem_desc_violations(b_word(c), {arch, bits(formats.b), transposes(idesc::transpose_b)}));
  // The bound of the shift is AMB-04's, below.
  if (c.has_mask)
    add(broken, spec::zero_column_mask_violations(mask_word(c), {static_cast<int>(c.m), std::nullopt}));
  apply_readings(c, readings, broken);
  if (has_odd_metadata(c)) broken.set(rule("TMEM-R18"));
  const layout::DLayoutRow* layout = d_layout_of(c);
  if (layout != nullptr && c.lane != 0 && !layout->half_of_lanes) broken.set(rule("TMEM-R04"));
  return broken;
}

bool is_refused(const Tcgen05MmaCase& c, const spec::RuleSet& broken, const spec::Readings& readings) {
  spec::RuleSet refused;
  for (const OpenLegality& row : open_legalities)
    if (broken.test(row.rule) && row.concerns(c) && readings.is(row.refused)) refused.set(row.rule);
  return broken.any() && refused == broken;
}

spec::RuleSet exercised_mma_rules(const Tcgen05MmaCase& c, spec::Arch arch) {
  spec::RuleSet rules;
  for (const spec::RuleIndex i : {rule("IDESC-R11"), rule("IDESC-R19"), rule("SYNC-R01"), rule("TMEM-R15")})
    rules.set(i);
  if (c.negate_a || c.negate_b) rules.set(rule("IDESC-R20")), rules.set(rule("ADD-R18"));
  if (!c.a_in_tmem) mark_shared(c, true, c.m / c.cta_group, rules);
  mark_shared(c, false, c.n / c.cta_group, rules);
  mark_scale_rules(c, rules);
  mark_scale_copy_rules(c, rules);
  mark_sparse_rules(c, rules);
  if (c.has_mask) {
    if (!c.mask.generate) rules.set(rule("ZCM-R05"));
    if (c.mask.generate) rules.set(rule("ZCM-R06")), rules.set(rule("ZCM-R07")), rules.set(rule("ZCM-R09"));
    if (c.mask.column_shift != 0) rules.set(rule("ZCM-R08"));
  }
  if (c.has_scale_input_d && c.scale_input_d != 0 && c.enable_input_d) rules.set(rule("ADD-R25"));
  if (!c.enable_input_d) rules.set(rule("ADD-R17"));
  if (c.m == 256) rules.set(rule("TMEM-R01"));
  if (c.m == 128 && c.cta_group == 1) rules.set(rule("TMEM-R04"));
  if (c.m == 128 && c.cta_group == 2) rules.set(c.sparse ? rule("TMEM-R03") : rule("TMEM-R02"));
  if (c.m == 64) rules.set(c.ws ? rule("TMEM-R05") : rule("TMEM-R03"));
  if (c.m == 32) rules.set(rule("TMEM-R06"));
  if (c.a_in_tmem) rules.set(rule("TMEM-R07")), rules.set(rule("TMEM-R09"));
  if (c.ashift) rules.set(rule("TMEM-R14"));
  if (formats_of(c).d->storage_bits == 16) rules.set(rule("TMEM-R08"));
  if (c.has_disabled_lanes) rules.set(rule("TMEM-R12"));
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (rules.test(i) && !spec::rule_table[i].applies[static_cast<int>(arch)]) rules.reset(i);
  return rules;
}

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
