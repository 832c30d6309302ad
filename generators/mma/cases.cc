// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <algorithm>
#include <array>
#include <span>

#include "generators/mma/make.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::gen {

namespace type_code = spec::type_code;

namespace {

uint64_t draw(void* random) {
  return static_cast<Random*>(random)->next();
}

bool has_narrow_types(MmaKind kind) {
  return spec::row_of(kind).has_bytes;
}
bool is_byte(MmaKind kind, uint32_t type) {
  const spec::Format* format = spec::format_of(kind, spec::idesc::a_type, type);
  return format != nullptr && format->storage_bits == 8;
}

void append_forms(std::vector<MmaForm>& forms, MmaKind kind, uint32_t a, uint32_t b, uint32_t d) {
  for (const bool a_in_tmem : {false, true}) {
    for (const uint32_t cta_group : {1u, 2u})
      for (const uint32_t m : {64 * cta_group, 128 * cta_group})
        forms.push_back({kind, a, b, d, cta_group, m, false, a_in_tmem});
    for (const uint32_t m : {32u, 64u, 128u}) forms.push_back({kind, a, b, d, 1, m, true, a_in_tmem});
  }
}

/// Types of A and B, each with each, and of D. A kind without block scaling has a row here, or no case.
struct TypesOfKind {
  MmaKind kind;
  std::span<const uint32_t> operands, d;
};
constexpr uint32_t f16_alone[] = {type_code::f16}, bf16_alone[] = {type_code::bf16},
                   tf32_alone[] = {type_code::tf32}, integer_bytes[] = {type_code::u8, type_code::s8},
                   into_f32[] = {type_code::d_f32}, into_f32_or_f16[] = {type_code::d_f32, type_code::d_f16},
                   into_f16_or_f32[] = {type_code::d_f16, type_code::d_f32}, into_s32[] = {type_code::d_s32};
constexpr TypesOfKind types_of_kinds[] = {
    {MmaKind::f16, f16_alone, into_f32_or_f16}, {MmaKind::f16, bf16_alone, into_f32},
    {MmaKind::tf32, tf32_alone, into_f32},      {MmaKind::f8f6f4, f8f6f4_types, into_f16_or_f32},
    {MmaKind::i8, integer_bytes, into_s32},
};
static_assert(std::ranges::all_of(spec::mma_kinds, [](const spec::MmaKindRow& row) {
  return row.is_mx || std::ranges::count(types_of_kinds, row.kind, &TypesOfKind::kind) != 0;
}));

std::vector<MmaForm> all_forms(MmaKind kind) {
  std::vector<MmaForm> forms;
  for (const TypesOfKind& row : types_of_kinds)
    if (row.kind == kind)
      for (const uint32_t a : row.operands)
        for (const uint32_t b : row.operands)
          for (const uint32_t d : row.d) append_forms(forms, kind, a, b, d);
  return forms;
}

/// Forms of every kind, of f8f6f4 only those that the places of operands tell apart (pick_form has the
/// others).
template <typename Wanted>
std::vector<MmaForm> forms_that(spec::Arch arch, Wanted wanted) {
  std::vector<MmaForm> forms;
  for (const spec::MmaKindRow& row : spec::mma_kinds) {
    const MmaKind kind = row.kind;
    if (row.is_mx || lacks_kind(arch, kind)) continue;
    for (const MmaForm& form : all_forms(kind)) {
      if (row.has_bytes && (!stands_for_types(form) || form.d_type == type_code::d_f16)) continue;
      if (wanted(form)) forms.push_back(form);
    }
  }
  return forms;
}

uint32_t random_n(Random& random, const Tcgen05MmaCase& c) {
  if (c.ws) return 64u << (random.one_in(3) ? random.below(c.sparse ? 2 : 3) : 0);
  uint32_t step = c.k96 ? 16 : 8 * c.cta_group;
  const bool is_integer = spec::row_of(c.kind).is_integer;
  if (is_integer && c.cta_group == 2) step = 32;
  const bool byte_across = c.transpose_b && is_byte(c.kind, c.b_type);
  if (byte_across) step = 16 * c.cta_group;
  const auto n =
      static_cast<uint32_t>(random.one_in(24) ? 256 : random.log_uniform(step, random.one_in(4) ? 256 : 96));
  const uint32_t rounded = std::max(step, n / step * step);
  if (!is_integer || c.cta_group == 2 || rounded % 16 == 0) return rounded;
  return rounded == 8 || rounded == 24 ? rounded : rounded / 16 * 16;
}

/// Every sixteenth case is of a form that open questions need and that is rare among all: f16 by bf16, f16
/// into f16, or products of 4-bit elements. True if so.
bool index_asks_open_question(uint64_t index, MmaKind kind, Tcgen05MmaCase& c) {
  if (index % 16 != 13 || (kind != MmaKind::f16 && kind != MmaKind::f8f6f4)) return false;
  c.negate_a = c.negate_b = c.transpose_a = c.transpose_b = false;
  c.steps = 1;
  if (kind == MmaKind::f8f6f4) {
    c.a_type = c.b_type = type_code::e2m1, c.d_type = type_code::d_f32, c.a_in_tmem = false;
    return true;
  }
  const bool mixed = index / 16 % 2 == 0;
  const bool is_b_bf16 = mixed && index / 32 % 2 == 0;
  c.a_type = mixed && !is_b_bf16 ? type_code::bf16 : type_code::f16;
  c.b_type = is_b_bf16 ? type_code::bf16 : type_code::f16;
  c.d_type = mixed ? type_code::d_f32 : type_code::d_f16;
  return true;
}

void make_dense(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c) {
  Random random = id.random();
  static const auto forms = [] {
    std::array<std::vector<MmaForm>, spec::mma_kind_count> made;
    for (const spec::MmaKindRow& row : spec::mma_kinds)
      if (!row.is_mx) made[number_of(row.kind)] = dense_forms(spec::first_with(row.mechanism), row.kind);
    return made;
  }();
  const bool may_transpose = random.one_in(4);
  take_form(random, pick(forms[number_of(kind)], id.index, random), may_transpose, c);
  if (index_asks_open_question(id.index, kind, c)) {
    finish(random, Placing::dense, FillMix::narrow, c);
    if (c.kind == MmaKind::f16 && c.d_type == type_code::d_f16) fill_ties(random, c);
    if (c.kind == MmaKind::f8f6f4) fill_narrow_subnormals(random, c);
    return;
  }
  if (spec::row_of(kind).scales_d && spec::row_of(id.arch).has_scale_d && c.collector == Collector::none &&
      random.one_in(4)) {
    c.has_scale_input_d = true;
    c.scale_input_d = random.below(16);
  }
  finish(random, Placing::dense, static_cast<FillMix>(1 + id.index % (fill_mix_count - 1)), c);
}

void make_exact(const CaseId& id, const std::vector<MmaForm>& forms, Placing placing, Tcgen05MmaCase& c) {
  Random random = id.random();
  take_form(random, pick_form(forms, id, random), true, c);
  finish(random, placing, FillMix::exact, c);
}

ColumnMask to_mask(uint64_t word) {
  const spec::ZeroColumnMask mask = spec::decode_zero_column_mask(word);
  return {mask.start_count, mask.first_is_zeroed, mask.generate,
          mask.skip_span,   mask.use_span,        mask.column_shift};
}

/// The four examples of the documents, as words, with their M.
struct MaskExample {
  uint32_t m;
  uint64_t word;
};
constexpr MaskExample mask_examples[] = {
    {128, 0x0003'0400'0000'0000},
    {128, 0x0003'0280'0000'0000},
    {64, 0x0003'0281'0000'0000},
    {32, 0x0203'0283'0102'0100},
};

/// Ends of the fields of spans: such that a run of columns never leaves, beside spans of one.
constexpr uint32_t span_ends[] = {1, 2, 128, 255, 256};
constexpr uint32_t span_end_pairs = 25;

/// `ends`: which pair of ends of the spans it has; where none is asked for, seldom any.
void random_mask(Random& random, bool shifted, std::optional<uint32_t> ends, Tcgen05MmaCase& c) {
  const int m = static_cast<int>(c.m);
  c.has_mask = true;
  c.mask = to_mask(spec::random_zero_column_mask({m, std::nullopt}, draw, &random));
  c.mask.column_shift = shifted ? random.between(1, c.m == 32 ? 16 : 32) : 0;
  // Long runs of few lengths leave little to mistake.
  if (random.one_in(2)) c.mask.skip_span = random.between(1, 12), c.mask.use_span = random.between(1, 12);
  if (!ends && random.one_in(6)) ends = random.below(span_end_pairs);
  if (ends) {
    c.mask.skip_span = span_ends[*ends / std::size(span_ends)];
    c.mask.use_span = span_ends[*ends % std::size(span_ends)];
    if (shifted) c.mask.column_shift = random.one_in(2) ? 1 : c.m == 32 ? 16 : 32;
  }
  for (size_t i = 0; i < 4; ++i) {
    const uint32_t first = c.mask.first_is_zeroed[i] ? c.mask.skip_span : c.mask.use_span;
    c.mask.start_count[i] %= first;
    if (ends && random.one_in(2)) c.mask.start_count[i] = random.one_in(2) ? first - 1 : 0;
  }
  if (shifted && random.one_in(2)) c.mask.generate = false;
}

/// The least maximum that holds the shift, or none.
uint32_t max_shift_for(Random& random, const Tcgen05MmaCase& c) {
  const bool keeps_b = c.collector != Collector::none && c.collector != Collector::discard;
  if (!keeps_b && random.one_in(2)) return 0;
  const uint32_t shift = c.mask.column_shift;
  return shift == 0 ? 0 : shift <= 8 ? 8 : shift <= 16 ? 16 : 32;
}

}  // namespace

bool is_narrow(MmaKind kind, uint32_t type) {
  return (has_narrow_types(kind) && type >= type_code::first_narrow) || spec::row_of(kind).is_packed;
}

bool stands_for_types(const MmaForm& form) {
  return form.a_type != type_code::e5m2 && form.b_type != type_code::e5m2 &&
         (form.a_type + form.b_type) % 2 == 0;
}

MmaForm pick_form(const std::vector<MmaForm>& list, const CaseId& id, Random& random) {
  MmaForm form = pick(list, id.index, random);
  if (id.index < list.size() || !has_narrow_types(form.kind)) return form;
  // Draws of its own: cases of the other kinds stay what they are.
  Random apart(case_stream(id.seed ^ 3, id.property, id.index));
  if (apart.one_in(2)) return form;
  form.a_type = f8f6f4_types[apart.below(std::size(f8f6f4_types))];
  form.b_type = f8f6f4_types[apart.below(std::size(f8f6f4_types))];
  if (form.kind == MmaKind::f8f6f4) form.d_type = apart.below(2);
  return form;
}

void take_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c) {
  c = {};
  c.kind = form.kind, c.a_type = form.a_type, c.b_type = form.b_type, c.d_type = form.d_type;
  c.cta_group = form.cta_group, c.m = form.m, c.ws = form.ws, c.a_in_tmem = form.a_in_tmem;
  c.scale_vector = form.scale_vector, c.scale_type = form.scale_type, c.k96 = form.k96;
  c.sparse = form.sparse;
  if (may_transpose) {
    c.transpose_a = !c.a_in_tmem && !is_narrow(c.kind, c.a_type) && random.one_in(2);
    c.transpose_b = !is_narrow(c.kind, c.b_type) && random.one_in(2);
  }
  c.n = random_n(random, c);
  c.steps = random.one_in(2) ? 1 : random.between(1, 4);
  c.enable_input_d = !random.one_in(4);
  const bool is_integer = spec::row_of(c.kind).is_integer;
  if (!is_integer) c.negate_a = random.one_in(6), c.negate_b = random.one_in(6);
  c.saturate = is_integer && random.one_in(2);
  using enum Collector;
  constexpr Collector collectors[] = {none, none, none, none, fill, use, lastuse, discard};
  c.collector = collectors[random.below(8)];
  c.collector_filled = reuses(c.collector);
  if (c.ws && c.collector != none) c.collector_buffer = random.below(4);
}

void flip_field_of(Random& random, uint64_t word, Tcgen05MmaCase& c) {
  if (word == 0)
    c.idesc_flip =
        static_cast<uint32_t>(flip_one_field(random, spec::descriptor_of(c.kind), model::idesc_word(c)));
  else if (word == 1 && !c.a_in_tmem)
    c.a_flip = flip_one_field(random, spec::smem_desc, model::a_word(c));
  else
    c.b_flip = flip_one_field(random, spec::smem_desc, model::b_word(c));
}

void keep_d_apart(Tcgen05MmaCase& c) {
  c.d_column = c.second_column = 0, c.alloc_columns = 512;
  c.a_column = c.a_in_tmem ? 256 : 0, c.tmem_split = c.a_in_tmem ? 256 : 512;
  if (c.sparse) c.metadata.column = 448;
  if (is_scaled(c.kind)) c.a_scales.column = 320, c.b_scales.column = 384;
}

void take_mask(Random& random, bool shifted, Tcgen05MmaCase& c) {
  random_mask(random, shifted, std::nullopt, c);
  c.max_shift = max_shift_for(random, c);
}

void finish(Random& random, Placing placing, FillMix mix, Tcgen05MmaCase& c) {
  place_operands(random, placing, c);
  place_in_tensor_memory(random, c);
  fill_operands(random, mix, c);
  if (b_lies_first(c)) std::swap(c.a_fill, c.b_fill);
  // By a stream of its own: what is drawn behind this stays as it was.
  Random beside = random;
  constexpr uint32_t corners[] = {31, 32, 64, 96, 127};
  if (beside.one_in(2))
    c.issuing_thread = beside.one_in(4) ? corners[beside.below(std::size(corners))] : beside.below(128);
  c.spelling = drawn_spelling(beside);
}

std::vector<MmaForm> dense_forms(spec::Arch arch, MmaKind kind) {
  std::vector<MmaForm> forms;
  if (lacks_kind(arch, kind)) return forms;
  for (const MmaForm& form : all_forms(kind))
    if (form.cta_group == 1 && !form.ws) forms.push_back(form);
  return forms;
}
std::vector<MmaForm> plain_forms(spec::Arch arch) {
  return forms_that(arch, [](const MmaForm& form) { return !form.ws && form.cta_group == 1; });
}
std::vector<MmaForm> pair_forms(spec::Arch arch) {
  return forms_that(arch, [](const MmaForm& form) { return form.cta_group == 2; });
}
std::vector<MmaForm> ws_forms(spec::Arch arch) {
  return forms_that(arch, [](const MmaForm& form) { return form.ws; });
}

std::vector<MmaForm> ashift_forms(spec::Arch arch) {
  return forms_that(arch, [](const MmaForm& form) { return form.a_in_tmem && !form.ws && form.m >= 128; });
}

void make_mma_of(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c) {
  if (is_scaled(kind)) return make_mma_scaled(id, kind, c);
  make_dense(id, kind, c);
}

void make_mma_layout(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact(id, plain_forms(id.arch), Placing::random, c);
}

void make_mma_pair(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact(id, pair_forms(id.arch), id.index % 2 == 0 ? Placing::random : Placing::dense, c);
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  c.odd_cta_issues = random.one_in(2);
}

void make_mma_output_lanes(const CaseId& id, Tcgen05MmaCase& c) {
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  // One CTA group for 64 indexes in a row: groups do not share a launch.
  make_exact(id, id.index / 64 % 2 == 0 ? plain_forms(id.arch) : pair_forms(id.arch), Placing::dense, c);
  c.has_disabled_lanes = true;
  c.odd_cta_issues = c.cta_group == 2 && random.one_in(2);
  const bool all_plain = random.one_in(4);  // words of one kind beside words of another
  for (uint32_t i = 0; i < 4 * c.cta_group; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random.next());
    constexpr uint32_t plain[] = {0, ~0u, 1, 0x8000'0000};
    c.disabled_lanes[i] = all_plain || random.one_in(4) ? plain[random.below(4)] : bits;
  }
}

void make_mma_ashift(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  std::vector<MmaForm> forms;
  // One CTA group for 32 indexes in a row.
  for (const MmaForm& form : ashift_forms(id.arch))
    if (form.cta_group == 1 + id.index / 32 % 2) forms.push_back(form);
  take_form(random, pick_form(forms, id, random), true, c);
  c.ashift = true;
  c.collector = random.one_in(4) ? Collector::discard : Collector::none;
  c.collector_filled = false;
  finish(random, Placing::dense, FillMix::exact, c);
  c.second_column = 0;
}

void make_mma_ws_layout(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact(id, ws_forms(id.arch), Placing::random, c);
}

void make_mma_ws_mask(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  const std::vector<MmaForm> forms = ws_forms(id.arch);
  if (id.index < std::size(mask_examples)) {
    const MaskExample& example = mask_examples[id.index];
    take_form(random,
              {MmaKind::f16, type_code::f16, type_code::f16, type_code::d_f32, 1, example.m, true, false},
              false, c);
    c.n = 128, c.collector = Collector::none, c.collector_buffer = 0, c.collector_filled = false;
    c.has_mask = true;
    c.mask = to_mask(example.word);
    finish(random, Placing::dense, FillMix::exact, c);
    return;
  }
  const CaseId walked{id.seed, id.property, id.index - std::size(mask_examples), id.arch};
  take_form(random, pick_form(forms, walked, random), false, c);
  // All pairs in the first hundred cases.
  std::optional<uint32_t> ends;
  if (id.index % 4 == 3) ends = static_cast<uint32_t>(id.index / 4 % span_end_pairs);
  random_mask(random, random.one_in(8), ends, c);
  // Start counts at or past the first span are an open question of their own.
  if (id.index % 16 == 5) {
    c.mask.generate = true;
    const size_t i = random.below(static_cast<uint32_t>(spec::sub_masks(static_cast<int>(c.m))));
    const uint32_t first = c.mask.first_is_zeroed[i] ? c.mask.skip_span : c.mask.use_span;
    c.mask.start_count[i] = std::min(255u, first + random.below(c.mask.skip_span + c.mask.use_span));
  }
  c.max_shift = max_shift_for(random, c);
  finish(random, Placing::dense, id.index % 8 == 7 ? FillMix::specials : FillMix::exact, c);
}

void make_mma_ws_shift(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  take_form(random, pick_form(ws_forms(id.arch), id, random), true, c);
  take_mask(random, true, c);
  finish(random, random.one_in(2) ? Placing::random : Placing::dense, FillMix::exact, c);
}

void make_mma_broken(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  const bool ws = id.index % 4 == 3;
  make_exact(id, ws ? ws_forms(id.arch) : plain_forms(id.arch), Placing::dense, c);
  keep_d_apart(c);
  // Nothing wrong: a device that refuses everything must not look like one that refuses what is wrong.
  if (id.index % 8 == 1) return;
  // Whether this is wrong is an open question.
  if (!ws && !c.transpose_b && c.b.swizzle == spec::smem_swizzle::by_128B) {
    c.b.swizzle = spec::smem_swizzle::by_128B_atom32B;
    return;
  }
  if (id.index % 4 != 3) return flip_field_of(random, id.index % 4, c);
  random_mask(random, false, std::nullopt, c);
  place_operands(random, Placing::dense, c);
  c.mask_flip = flip_one_field(random, spec::zero_column_mask, model::mask_word(c));
}

namespace {

constexpr uint32_t widths[] = {4, 6, 8, 16, 32};

/// Row of spec::smem_swizzles.
uint32_t swizzle_row(uint32_t code) {
  const spec::SmemSwizzle* row = spec::find_smem_swizzle(uint64_t{code});
  return row == nullptr ? 0 : static_cast<uint32_t>(row - spec::smem_swizzles.data());
}

uint32_t position(const uint32_t (&list)[5], uint32_t value) {
  for (uint32_t i = 0; i < 5; ++i)
    if (list[i] == value) return i;
  return 0;
}

}  // namespace

uint32_t form_cell(const Tcgen05MmaCase& c) {
  const auto* row = model::d_layout_of(c);
  const uint32_t layout = row == nullptr ? 0 : static_cast<uint32_t>(row->layout);
  return (number_of(c.kind) * 7 + layout) * 2 + (c.a_in_tmem ? 1 : 0);
}

std::string form_cell_name(uint32_t cell) {
  return std::string(spec::row_of(static_cast<spec::MmaKind>(cell / 14)).name) + " D " +
         "ABCDEFG"[cell / 2 % 7] + (cell % 2 == 1 ? " A in tensor memory" : " A in shared memory");
}

uint32_t operand_cell(const Tcgen05MmaCase& c, int operand) {
  const model::MmaFormats formats = model::formats_of(c);
  const bool is_a = operand == 0;
  const auto bits = static_cast<uint32_t>((is_a ? formats.a : formats.b)->storage_bits);
  const bool transposed = is_a ? c.transpose_a : c.transpose_b;
  const uint32_t swizzle = swizzle_row((is_a ? c.a : c.b).swizzle);
  return ((position(widths, bits) * 2 + (transposed ? 1 : 0)) * 5 + swizzle) * 2 + (is_a ? 0 : 1);
}

std::string operand_cell_name(uint32_t cell) {
  static_assert(std::size(spec::smem_swizzles) == 5);
  const uint32_t swizzle = cell / 2 % 5;
  return std::string(cell % 2 == 0 ? "A " : "B ") + std::to_string(widths[cell / 20]) + " bits " +
         (cell / 10 % 2 == 0 ? "K-major " : "MN-major ") +
         (swizzle == 0 ? "no swizzle" : std::string(spec::smem_swizzles[swizzle].name));
}

}  // namespace assay::gen
