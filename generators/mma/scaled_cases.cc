// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <algorithm>
#include <array>

#include "generators/mma/make.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/scale_copy.h"

namespace assay::gen {
namespace {

using namespace spec::type_code;

struct Shape {
  uint32_t cta_group, m;
};
constexpr Shape shapes[] = {{1, 128}, {2, 128}, {2, 256}};

std::vector<MmaForm> packed_forms(MmaKind kind, bool k96) {
  const spec::MmaKindRow& row = spec::row_of(kind);
  std::vector<MmaForm> forms;
  for (const bool a_in_tmem : {false, true})
    for (const Shape& shape : shapes)
      for (const uint32_t block : {16u, 32u})
        for (const uint32_t type : {ue4m3, ue8m0})
          if (row.takes(block) && (type == ue8m0 || (block == 16 && row.may_be_ue4m3)))
            forms.push_back({kind, packed_e2m1, packed_e2m1, d_f32, shape.cta_group, shape.m, false,
                             a_in_tmem, block, type, k96});
  return forms;
}

/// The qualifiers that say the same.
uint32_t random_qualifier(Random& random, const Tcgen05MmaCase& c) {
  const spec::MmaKindRow& row = spec::row_of(c.kind);
  if (!row.is_packed) return row.qualifiers[random.below(3)];
  if (model::scale_block(c) == 16) return random.one_in(2) ? 4 : 16;
  if (row.takes(0) && random.one_in(3)) return 0;
  return random.one_in(2) ? 2 : 32;
}

/// (ptx, tcgen05, scale factor data ids)
uint32_t random_scale_id(Random& random, int scales) {
  if (scales == 4) return 0;
  return scales % 2 == 0 ? 2 * random.below(2) : random.below(4);
}
std::vector<uint32_t> scale_ids_for(int scales) {
  if (scales == 4) return {0};
  if (scales % 2 == 0) return {0, 2};
  return {0, 1, 2, 3};
}

/// Which CTA of a pair issues, by a draw of its own.
void take_issuer(const CaseId& id, Tcgen05MmaCase& c) {
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  c.odd_cta_issues = c.cta_group == 2 && random.one_in(2);
}

void make_arithmetic(const CaseId& id, const std::vector<MmaForm>& forms, Tcgen05MmaCase& c) {
  Random random = id.random();
  const bool may_transpose = random.one_in(4);
  take_scaled_form(random, pick(forms, id.index, random), may_transpose, c);
  take_way_of_scales(id, c);
  const auto mix = static_cast<FillMix>(1 + id.index % (fill_mix_count - 1));
  finish(random, Placing::dense, mix, c);
  if (model::is_packed_kind(c) && id.index % 3 == 1) fill_cancelling_groups(random, c);
  take_issuer(id, c);
}

void make_exact_scaled(const CaseId& id, const std::vector<MmaForm>& forms, Placing placing,
                       Tcgen05MmaCase& c) {
  Random random = id.random();
  take_scaled_form(random, pick_form(forms, id, random), true, c);
  take_way_of_scales(id, c);
  finish(random, placing, FillMix::exact, c);
}

std::vector<MmaForm> forms_of_groups(uint32_t cta_group) {
  std::vector<MmaForm> forms;
  for (const MmaKind kind : spec::scaled_kinds)
    for (const MmaForm& form : scaled_forms(kind)) {
      if (form.cta_group != cta_group) continue;
      if (!spec::row_of(kind).has_bytes || stands_for_types(form)) forms.push_back(form);
    }
  return forms;
}

}  // namespace

void take_scaled_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c) {
  take_form(random, form, may_transpose, c);
  c.scale_vector = random_qualifier(random, c);
  c.a_scales.id = random_scale_id(random, model::scale_count(c));
  c.b_scales.id = random_scale_id(random, model::scale_count(c));
  c.scale_halves = c.cta_group == 2 && c.m == 128 && random.one_in(2);
}

void take_dense_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c) {
  if (is_scaled(form.kind))
    take_scaled_form(random, form, may_transpose, c);
  else
    take_form(random, form, may_transpose, c);
}

void take_way_of_scales(const CaseId& id, Tcgen05MmaCase& c) {
  Random apart(case_stream(id.seed ^ 2, id.property, id.index));
  c.scales_copied = model::is_block_scaled(c) && apart.one_in(2);
}

std::vector<MmaForm> scaled_forms(MmaKind kind) {
  if (spec::row_of(kind).is_packed) return packed_forms(kind, false);
  std::vector<MmaForm> forms;
  for (const bool a_in_tmem : {false, true})
    for (const Shape& shape : shapes)
      for (const uint32_t a : f8f6f4_types)
        for (const uint32_t b : f8f6f4_types)
          forms.push_back({kind, a, b, d_f32, shape.cta_group, shape.m, false, a_in_tmem, 32, ue8m0, false});
  return forms;
}

std::vector<MmaForm> scaled_plain_forms(spec::Arch) {
  return forms_of_groups(1);
}
std::vector<MmaForm> scaled_pair_forms(spec::Arch) {
  return forms_of_groups(2);
}
std::vector<MmaForm> scaled_k96_forms(spec::Arch arch) {
  std::vector<MmaForm> forms;
  if (!spec::row_of(arch).has_k96) return forms;
  for (const MmaKind kind : spec::scaled_kinds) {
    if (!spec::row_of(kind).is_packed) continue;
    for (const MmaForm& form : packed_forms(kind, true)) forms.push_back(form);
  }
  return forms;
}

Tcgen05MmaCase smallest_nvf4_case() {
  Tcgen05MmaCase c;
  c.kind = MmaKind::mxf4nvf4, c.a_type = c.b_type = packed_e2m1;
  c.m = 128, c.n = 8;
  c.scale_vector = 4, c.scale_type = ue4m3;
  // Core matrices of 8 rows by 16 bytes, those of a column of them 128 bytes apart.
  c.a = {.start = 0, .leading_offset = 2048, .stride_offset = 128};
  c.b = {.start = 4096, .leading_offset = 128, .stride_offset = 128};
  c.split = 4096, c.window_bytes = 4096 + 256;
  c.a_scales.column = 8, c.b_scales.column = 12;
  c.a_scales.columns = model::scale_columns(c, true), c.b_scales.columns = model::scale_columns(c, false);
  c.tmem_split = c.alloc_columns;
  c.a_fill.seed = 1, c.b_fill.seed = 2, c.d_fill.seed = 3, c.a_scales.fill.seed = 4, c.b_scales.fill.seed = 5;
  c.a_scales.fill.keep = c.b_scales.fill.keep = 0x1e1e1e1e;
  c.a_scales.fill.set = c.b_scales.fill.set = 0x20202020;
  return c;
}

void make_mma_scaled(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c) {
  if (kind == MmaKind::mxf4nvf4 && id.index == 0) {
    c = smallest_nvf4_case();
    return;
  }
  static const auto forms = [] {
    std::array<std::vector<MmaForm>, spec::scaled_kinds.size()> made;
    for (const MmaKind one : spec::scaled_kinds) made[spec::scaled_number_of(one)] = scaled_forms(one);
    return made;
  }();
  make_arithmetic(id, forms[spec::scaled_number_of(kind)], c);
}

void make_mma_scaled_layout(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact_scaled(id, scaled_plain_forms(id.arch), Placing::random, c);
}

void make_mma_scaled_pair(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact_scaled(id, scaled_pair_forms(id.arch), id.index % 2 == 0 ? Placing::random : Placing::dense, c);
  take_issuer(id, c);
}

void make_mma_scaled_k96(const CaseId& id, Tcgen05MmaCase& c) {
  static const std::vector<MmaForm> forms = scaled_k96_forms(spec::first_with(&spec::Architecture::has_k96));
  if (id.index % 2 == 0) return make_arithmetic(id, forms, c);
  make_exact_scaled(id, forms, id.index % 4 == 1 ? Placing::random : Placing::dense, c);
  take_issuer(id, c);
}

void make_mma_scaled_refill(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  const std::vector<MmaForm> forms =
      id.index % 2 == 0 ? scaled_plain_forms(id.arch) : scaled_pair_forms(id.arch);
  take_scaled_form(random, forms[random.below(static_cast<uint32_t>(forms.size()))], true, c);
  c.scales_copied = c.scales_refilled = true;
  finish(random, Placing::dense, FillMix::exact, c);
  take_issuer(id, c);
}

void make_mma_scaled_broken(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  // One CTA group for 16 indexes in a row: groups do not share a launch.
  make_exact_scaled(id, id.index / 16 % 2 == 0 ? scaled_plain_forms(id.arch) : scaled_pair_forms(id.arch),
                    Placing::dense, c);
  c.steps = 1;
  keep_d_apart(c);
  c.a_scales.columns = model::filled_scale_columns(c, true);
  c.b_scales.columns = model::filled_scale_columns(c, false);
  // Nothing wrong: a device that refuses everything must not look like one that refuses what is wrong.
  if (id.index % 8 == 1) return;
  if (id.index % 4 != 3) return flip_field_of(random, id.index % 4, c);
  // Fields that are legal alone and do not go together.
  const int scales = model::scale_count(c);
  if (!spec::row_of(id.arch).has_k96 && model::is_packed_kind(c) && random.one_in(2))
    c.idesc_flip = 1u << 31;  // K of 96
  else if (scales != 1)
    c.idesc_flip = (scales == 4 ? 1 + random.below(3) : 1u) << (random.one_in(2) ? 29 : 4);
  else
    c.idesc_flip = 1u << 23;  // ue4m3, which mxf8f6f4 has not
}

namespace {

constexpr uint32_t scale_counts[] = {1, 2, 3, 4, 6};

uint32_t cell_of(uint32_t scales, uint32_t a_id, uint32_t b_id, uint32_t type) {
  const auto* at = std::find(std::begin(scale_counts), std::end(scale_counts), scales);
  const auto number = static_cast<uint32_t>(at - std::begin(scale_counts)) % std::size(scale_counts);
  return ((static_cast<uint32_t>(number) * 4 + a_id) * 4 + b_id) * 2 + type;
}

}  // namespace

uint32_t scale_cell(const Tcgen05MmaCase& c) {
  return cell_of(static_cast<uint32_t>(model::scale_count(c)), c.a_scales.id, c.b_scales.id, c.scale_type);
}

std::string scale_cell_name(uint32_t cell) {
  return std::to_string(scale_counts[cell / 32]) + " scales, ids " + std::to_string(cell / 8 % 4) + " and " +
         std::to_string(cell / 2 % 4) + (cell % 2 == ue8m0 ? " ue8m0" : " ue4m3");
}

std::vector<uint32_t> scale_cells_of(const std::vector<MmaForm>& forms) {
  std::vector<uint32_t> cells;
  for (const MmaForm& form : forms) {
    const uint32_t k = form.k96 ? 96 : static_cast<uint32_t>(spec::row_of(form.kind).k);
    const uint32_t scales = k / (form.scale_vector == 16 ? 16 : 32);
    for (const uint32_t a_id : scale_ids_for(static_cast<int>(scales)))
      for (const uint32_t b_id : scale_ids_for(static_cast<int>(scales)))
        cells.push_back(cell_of(scales, a_id, b_id, form.scale_type));
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

namespace {

uint32_t way_cell(MmaKind kind, uint32_t cta_group, uint32_t way) {
  return (spec::scaled_number_of(kind) * 2 + cta_group - 1) * 3 + way;
}

}  // namespace

uint32_t scale_way_cell(const Tcgen05MmaCase& c) {
  const uint32_t way = !c.scales_copied ? 0 : c.by_tma ? 2 : 1;
  return way_cell(c.kind, c.cta_group, way);
}

std::string scale_way_cell_name(uint32_t cell) {
  constexpr const char* ways[] = {"tcgen05.st", "tcgen05.cp", "TMA and tcgen05.cp"};
  const MmaKind kind = spec::scaled_kinds[cell / 6 % spec::scaled_kinds.size()];
  return std::string(spec::row_of(kind).name) + (cell / 3 % 2 == 0 ? " one CTA, " : " pair, ") +
         ways[cell % 3];
}

std::vector<uint32_t> scale_way_cells_of(const std::vector<MmaForm>& forms) {
  std::vector<uint32_t> cells;
  for (const MmaForm& form : forms)
    for (uint32_t way = 0; way < 3; ++way) cells.push_back(way_cell(form.kind, form.cta_group, way));
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace assay::gen
