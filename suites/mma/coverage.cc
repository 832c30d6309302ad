// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/coverage.h"

#include <numeric>
#include <set>

namespace assay::suites {
namespace {

Tcgen05MmaCase of_form(const gen::MmaForm& form) {
  Tcgen05MmaCase c;
  c.kind = form.kind, c.a_type = form.a_type, c.b_type = form.b_type, c.d_type = form.d_type;
  c.cta_group = form.cta_group, c.m = form.m, c.ws = form.ws, c.a_in_tmem = form.a_in_tmem;
  c.scale_vector = form.scale_vector, c.scale_type = form.scale_type, c.k96 = form.k96;
  return c;
}

}  // namespace

CellSpace mma_form_cells(std::vector<uint32_t> (*reachable)(spec::Arch)) {
  return {"kind x layout of D x source of A", gen::form_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::form_cell_name(cell); }, reachable};
}

CellSpace mma_operand_cells(std::vector<uint32_t> (*reachable)(spec::Arch)) {
  return {"operand x width x order x swizzle", gen::operand_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::operand_cell_name(cell); }, reachable};
}

std::vector<uint32_t> cells_of_forms(const std::vector<gen::MmaForm>& forms) {
  std::set<uint32_t> cells;
  for (const gen::MmaForm& form : forms) cells.insert(gen::form_cell(of_form(form)));
  return {cells.begin(), cells.end()};
}

std::vector<uint32_t> cells_of_operands(const std::vector<gen::MmaForm>& forms, bool may_transpose) {
  using namespace spec::smem_swizzle;
  std::set<uint32_t> cells;
  for (const gen::MmaForm& form : forms)
    for (int operand = form.a_in_tmem ? 1 : 0; operand < 2; ++operand) {
      Tcgen05MmaCase c = of_form(form);
      MatrixInShared& matrix = operand == 0 ? c.a : c.b;
      const auto add = [&](uint32_t swizzle) {
        matrix.swizzle = swizzle;
        cells.insert(gen::operand_cell(c, operand));
      };
      for (const uint32_t swizzle : of_16_bytes) add(swizzle);
      if (!may_transpose || gen::is_narrow(form.kind, operand == 0 ? form.a_type : form.b_type)) continue;
      (operand == 0 ? c.transpose_a : c.transpose_b) = true;
      if (form.kind == spec::MmaKind::tf32) {
        add(by_128B_atom32B);
        continue;
      }
      for (const uint32_t swizzle : of_16_bytes) add(swizzle);
    }
  return {cells.begin(), cells.end()};
}

void cover_mma_form(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, gen::form_cell(any.as<Tcgen05MmaCase>()));
}

void cover_mma_layout(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
  sink.hit(0, gen::form_cell(c));
  if (!c.a_in_tmem) sink.hit(1, gen::operand_cell(c, 0));
  sink.hit(1, gen::operand_cell(c, 1));
}

std::optional<std::string> needs_tensor_memory(spec::Arch arch) {
  if (!spec::has_tcgen05(arch))
    return std::string(spec::name(arch)) + " has no tensor memory and no tcgen05 instructions";
  return std::nullopt;
}

void cover_mma_scaled(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                      CoverageSink& sink) {
  cover_mma_layout(any, expected, index, arch, sink);
  sink.hit(2, gen::scale_cell(any.as<Tcgen05MmaCase>()));
  sink.hit(3, gen::scale_way_cell(any.as<Tcgen05MmaCase>()));
}

std::vector<CellSpace> mma_refill_spaces() {
  constexpr uint32_t count = 2 * spec::scaled_kinds.size();
  return {{"kind x CTA group", count,
           [](uint32_t cell, spec::Arch) {
             return std::string(row_of(spec::scaled_kinds[cell / 2]).name) +
                    (cell % 2 == 0 ? " one CTA" : " pair");
           },
           [](spec::Arch) {
             std::vector<uint32_t> all(count);
             std::iota(all.begin(), all.end(), 0u);
             return all;
           }}};
}
void cover_mma_refill(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const auto& c = any.as<Tcgen05MmaCase>();
  sink.hit(0, spec::scaled_number_of(c.kind) * 2 + c.cta_group - 1);
}

std::optional<std::string> needs_k_of_96(spec::Arch arch) {
  if (spec::row_of(arch).has_k96) return std::nullopt;
  return "requires sm_103a, the only target that multiplies 96 elements of K";
}

void cover_mma_sparse_codes(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                            CoverageSink& sink) {
  cover_mma_layout(any, expected, index, arch, sink);
  const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
  for (const uint32_t cell : gen::code_cells(c)) sink.hit(2, cell);
  sink.hit(3, gen::selector_cell(c));
}

void cover_mma_sparse(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                      CoverageSink& sink) {
  cover_mma_sparse_codes(any, expected, index, arch, sink);
  sink.hit(4, gen::way_cell(any.as<Tcgen05MmaCase>()));
}

std::optional<std::string> needs_kind_of(spec::Arch arch, spec::MmaKind kind) {
  if (spec::has_tcgen05(arch) && lacks_kind(arch, kind))
    return spec::target_text(arch) + " has no kind::" + std::string(row_of(kind).name);
  return needs_tensor_memory(arch);
}

}  // namespace assay::suites
