// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <algorithm>

#include "generators/mma/make.h"
#include "reference/layout/fragments.h"
#include "reference/model/mma/mma.h"

namespace assay::gen {
namespace {

constexpr uint32_t unordered = 0b0110;

bool has_selectors(MmaKind kind) {
  return spec::row_of(kind).scales_d;
}

/// A pair has no sparse block-scaled M of 128.
std::vector<MmaForm> sparse_of(std::vector<MmaForm> forms) {
  std::erase_if(forms, [](const MmaForm& form) {
    return form.k96 || (is_scaled(form.kind) && form.cta_group == 2 && form.m == 128);
  });
  for (MmaForm& form : forms) form.sparse = true;
  return forms;
}

std::vector<MmaForm> joined(std::vector<MmaForm> forms, const std::vector<MmaForm>& more) {
  forms.insert(forms.end(), more.begin(), more.end());
  return sparse_of(std::move(forms));
}

/// Codes that have a meaning, or have none. The unordered one only where it is asked for: what it does is an
/// open question.
std::vector<uint32_t> codes_that(const layout::SparsityRow& row, bool have_meaning, bool may_be_unordered) {
  std::vector<uint32_t> codes;
  for (uint32_t code = 0; code < 16; ++code)
    if (layout::is_listed_code(row, code) == have_meaning && (code != unordered || may_be_unordered))
      codes.push_back(code);
  return codes;
}

/// Eight of them: each at least once, or where there are more, any.
uint32_t list_of(Random& random, const std::vector<uint32_t>& codes) {
  const auto count = static_cast<uint32_t>(codes.size());
  const bool is_narrow = random.one_in(3);
  const uint32_t first = random.below(count);
  uint32_t list = 0;
  for (uint32_t i = 0; i < 8; ++i)
    list |= codes[is_narrow || count > 8 ? random.below(count) : (first + i) % count] << 4 * i;
  return list;
}

/// Whether the metadata come by tcgen05.cp: of every second case, whatever else is drawn.
void take_way_of_metadata(const CaseId& id, Tcgen05MmaCase& c) {
  Random apart(case_stream(id.seed ^ 4, id.property, id.index));
  c.metadata_copied = apart.one_in(2);
}

void make_arithmetic(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c) {
  Random random = id.random();
  const std::vector<MmaForm> forms = sparse_forms(spec::first_with(spec::row_of(kind).mechanism), kind);
  const bool may_transpose = random.one_in(4);
  take_sparse_form(random, pick(forms, id.index, random), may_transpose, c);
  take_way_of_scales(id, c);
  take_way_of_metadata(id, c);
  if (spec::row_of(kind).scales_d && spec::row_of(id.arch).has_scale_d && c.collector == Collector::none &&
      random.one_in(4)) {
    c.has_scale_input_d = true;
    c.scale_input_d = random.below(16);
  }
  finish(random, Placing::dense, static_cast<FillMix>(1 + id.index % (fill_mix_count - 1)), c);
}

void make_exact_sparse(const CaseId& id, const std::vector<MmaForm>& forms, Placing placing,
                       Tcgen05MmaCase& c) {
  Random random = id.random();
  take_sparse_form(random, pick_form(forms, id, random), true, c);
  take_way_of_scales(id, c);
  take_way_of_metadata(id, c);
  finish(random, placing, FillMix::exact, c);
}

}  // namespace

void take_sparse_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c) {
  take_dense_form(random, form, may_transpose, c);
  const layout::SparsityRow& row = model::sparsity_row(c);
  c.metadata.seed = random.next() >> 16;
  c.metadata.codes = list_of(random, codes_that(row, true, random.one_in(4)));
  if (!has_selectors(c.kind)) return;
  c.metadata.selector = random.below(2);
  if (random.one_in(12)) c.metadata.selector = 2 + random.below(2), c.steps = 1;
}

std::vector<MmaForm> sparse_forms(spec::Arch arch, MmaKind kind) {
  return sparse_of(is_scaled(kind) ? scaled_forms(kind) : dense_forms(arch, kind));
}
std::vector<MmaForm> sparse_plain_forms(spec::Arch arch) {
  return joined(plain_forms(arch), scaled_plain_forms(arch));
}
std::vector<MmaForm> sparse_pair_forms(spec::Arch arch) {
  return joined(pair_forms(arch), scaled_pair_forms(arch));
}
std::vector<MmaForm> sparse_ws_forms(spec::Arch arch) {
  return sparse_of(ws_forms(arch));
}

void make_mma_sparse_of(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c) {
  make_arithmetic(id, kind, c);
}

void make_mma_sparse_layout(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact_sparse(id, sparse_plain_forms(id.arch), Placing::random, c);
}

void make_mma_sparse_pair(const CaseId& id, Tcgen05MmaCase& c) {
  make_exact_sparse(id, sparse_pair_forms(id.arch), id.index % 2 == 0 ? Placing::random : Placing::dense, c);
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  c.odd_cta_issues = random.one_in(2);
}

void make_mma_sparse_ws(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  const std::vector<MmaForm> forms = sparse_ws_forms(id.arch);
  take_sparse_form(random, pick_form(forms, id, random), true, c);
  if (random.one_in(3)) take_mask(random, random.one_in(2), c);
  take_way_of_metadata(id, c);
  finish(random, Placing::random, FillMix::exact, c);
}

void make_mma_sparse_illegal_codes(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  // One CTA group for 32 indexes in a row: groups do not share a launch.
  std::vector<MmaForm> forms =
      id.index / 32 % 2 == 0 ? sparse_plain_forms(id.arch) : sparse_pair_forms(id.arch);
  if (id.index / 32 % 2 == 0) forms = joined(std::move(forms), sparse_ws_forms(id.arch));
  take_sparse_form(random, pick_form(forms, id, random), true, c);
  c.metadata.strange_codes = list_of(random, codes_that(model::sparsity_row(c), false, true));
  // Seldom enough that rows beside others have none.
  c.metadata.strange_rate = random.one_in(12) ? 256 : random.between(1, 24);
  finish(random, Placing::dense, FillMix::exact, c);
}

namespace {

uint32_t cell_of_code(const layout::SparsityRow& row, uint32_t code) {
  return static_cast<uint32_t>(row.kind) * 16 + code;
}

Tcgen05MmaCase of_form(const MmaForm& form) {
  Tcgen05MmaCase c;
  c.kind = form.kind, c.a_type = form.a_type, c.b_type = form.b_type, c.d_type = form.d_type;
  c.sparse = true;
  return c;
}

std::vector<uint32_t> once_each(std::vector<uint32_t> cells) {
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace

std::string code_cell_name(uint32_t cell) {
  return layout::code_name(layout::sparsities[cell / 16], cell % 16);
}

std::vector<uint32_t> code_cells(const Tcgen05MmaCase& c) {
  std::vector<uint32_t> cells;
  const layout::SparsityRow& row = model::sparsity_row(c);
  for (uint32_t i = 0; i < 8; ++i) {
    cells.push_back(cell_of_code(row, c.metadata.codes >> 4 * i & 0xf));
    if (c.metadata.strange_rate != 0)
      cells.push_back(cell_of_code(row, c.metadata.strange_codes >> 4 * i & 0xf));
  }
  return once_each(std::move(cells));
}

std::vector<uint32_t> code_cells_of(const std::vector<MmaForm>& forms, bool all) {
  std::vector<uint32_t> cells;
  for (const MmaForm& form : forms) {
    const layout::SparsityRow row = model::sparsity_row(of_form(form));
    for (uint32_t code = 0; code < 16; ++code)
      if (all || layout::is_listed_code(row, code)) cells.push_back(cell_of_code(row, code));
  }
  return once_each(std::move(cells));
}

uint32_t selector_cell(const Tcgen05MmaCase& c) {
  return (number_of(c.kind) * 4 + c.metadata.selector) * 2 + (c.lane == 0 ? 0 : 1);
}

std::string selector_cell_name(uint32_t cell) {
  return std::string(spec::row_of(static_cast<MmaKind>(cell / 8)).name) + " selector " +
         std::to_string(cell / 2 % 4) + (cell % 2 == 0 ? "" : " from lane 16 on");
}

std::vector<uint32_t> selector_cells_of(const std::vector<MmaForm>& forms) {
  std::vector<uint32_t> cells;
  for (const MmaForm& form : forms) {
    const auto* layout =
        layout::find_d_layout(static_cast<int>(form.m), static_cast<int>(form.cta_group), form.ws, true);
    for (uint32_t selector = 0; selector < (has_selectors(form.kind) ? 4u : 1u); ++selector)
      for (uint32_t half = 0; half < (layout->half_of_lanes ? 2u : 1u); ++half)
        cells.push_back((number_of(form.kind) * 4 + selector) * 2 + half);
  }
  return once_each(std::move(cells));
}

namespace {

/// 0 tcgen05.st, 1 tcgen05.cp, 2 TMA and tcgen05.cp.
uint32_t way_cell_of(MmaKind kind, uint32_t cta_group, uint32_t metadata, uint32_t scales) {
  return ((number_of(kind) * 2 + cta_group - 1) * 3 + metadata) * 3 + scales;
}

}  // namespace

uint32_t way_cell(const Tcgen05MmaCase& c) {
  const uint32_t copied = c.by_tma ? 2 : 1;
  return way_cell_of(c.kind, c.cta_group, c.metadata_copied ? copied : 0, c.scales_copied ? copied : 0);
}

std::string way_cell_name(uint32_t cell) {
  constexpr const char* ways[] = {"tcgen05.st", "tcgen05.cp", "TMA and tcgen05.cp"};
  const auto kind = static_cast<MmaKind>(cell / 18 % spec::mma_kind_count);
  std::string name = std::string(spec::row_of(kind).name) + (cell / 9 % 2 == 0 ? " one CTA" : " pair") +
                     ", metadata by " + ways[cell / 3 % 3];
  if (is_scaled(kind)) name += std::string(", scales by ") + ways[cell % 3];
  return name;
}

/// What both are copied from, TMA fills or threads.
std::vector<uint32_t> way_cells_of(const std::vector<MmaForm>& forms) {
  std::vector<uint32_t> cells;
  for (const MmaForm& form : forms)
    for (uint32_t metadata = 0; metadata < 3; ++metadata)
      for (uint32_t scales = 0; scales < (is_scaled(form.kind) ? 3u : 1u); ++scales)
        if (metadata == 0 || scales == 0 || metadata == scales)
          cells.push_back(way_cell_of(form.kind, form.cta_group, metadata, scales));
  return once_each(std::move(cells));
}

void make_mma_sparse_broken(const CaseId& id, Tcgen05MmaCase& c) {
  Random random = id.random();
  const bool pairs = id.index / 16 % 2 == 1;
  const std::vector<MmaForm> plain =
      joined(sparse_plain_forms(id.arch), pairs ? std::vector<MmaForm>() : sparse_ws_forms(id.arch));
  const std::vector<MmaForm> forms = pairs ? sparse_pair_forms(id.arch) : plain;
  take_sparse_form(random, forms[random.below(static_cast<uint32_t>(forms.size()))], true, c);
  c.steps = 1;
  if (c.metadata.selector >= 2) c.metadata.selector %= 2;
  finish(random, Placing::dense, FillMix::exact, c);
  keep_d_apart(c);
  // Nothing wrong: a device that refuses everything must not look like one that refuses what is wrong.
  if (id.index % 8 == 1) return;
  switch (id.index % 6) {
    case 0:
      c.metadata.column += 1;
      break;
    case 1:
      c.idesc_flip = 1u << 2;  // dense
      break;
    case 2:
      c.idesc_flip = has_selectors(c.kind) ? 1u << 2 : 1 + random.below(3);  // a selector
      break;
    default:
      flip_field_of(random, (id.index % 6 + 1) % 3, c);
  }
}

}  // namespace assay::gen
