// SPDX-License-Identifier: Apache-2.0
#include "generators/pipeline/gemm_cases.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "generators/mma/cases.h"
#include "generators/mma/make.h"

namespace assay::gen {
namespace {

struct TileForm {
  uint32_t cta_group, tile_n;
};
constexpr TileForm plain_tiles[] = {{1, 32}, {1, 64}, {1, 128}, {2, 32}, {2, 64}, {2, 128}, {2, 256}};
constexpr TileForm scaled_tiles[] = {{1, 32}, {1, 64}, {1, 128}, {2, 32}, {2, 64}, {2, 128}};
constexpr TileForm sparse_tiles[] = {{1, 32}, {1, 64}, {2, 32}, {2, 64}, {2, 128}};
constexpr TileForm any_forms[] = {{1, 0}, {2, 0}};  ///< of columns any that there are

constexpr const char* type_names[] = {"f16",
                                      "bf16",
                                      "f8f6f4",
                                      "mxf8f6f4",
                                      "mxf8f6f4 e5m2 by e4m3",
                                      "mxf4",
                                      "mxf4nvf4 ue8m0 32",
                                      "mxf4nvf4 ue8m0 16",
                                      "mxf4nvf4 ue4m3 16",
                                      "sparse f16",
                                      "sparse bf16"};
static_assert(std::size(type_names) == model::gemm_types);

/// Of D, made by a cluster at a time.
constexpr uint32_t cluster_rows = 256;
uint32_t cluster_columns(const GemmCase& c) {
  return c.tile_n * c.cta_group;
}
/// Of B, along K.
uint32_t stage_elements(const GemmCase& c) {
  const uint32_t stored = 128 * 8 / model::shared_bits(c);
  return model::is_sparse(c) ? 2 * stored : stored;
}
/// The smallest product of its type and tile.
GemmCase whole_unit(GemmCase c) {
  c.m = c.n = 1;
  c.k = model::k_unit(c);
  return c;
}

/// 1 to `blocks` whole blocks, or ending inside one: anywhere, or one element off.
uint32_t extent(Random& random, uint32_t block, uint32_t blocks, bool tail) {
  const uint32_t whole = random.below(blocks);
  if (!tail) return (whole + 1) * block;
  switch (random.below(4)) {
    case 0:
      return whole * block + 1;
    case 1:
      return whole * block + block - 1;
    default:
      return whole * block + random.between(1, block - 1);
  }
}

/// Whole blocks go, the last or the tail stays.
void keep_one(uint32_t& extent, uint32_t block) {
  extent = (extent - 1) % block + 1;
}

/// Products of numbers that the pipeline forms, zeros at the ends of tiles among them.
uint64_t work_of(const GemmCase& c) {
  const auto whole = [](uint32_t extent, uint32_t block) {
    return (uint64_t{extent} + block - 1) / block * block;
  };
  return whole(c.m, cluster_rows) * whole(c.n, cluster_columns(c)) * whole(c.k, stage_elements(c));
}

/// Types and tiles of a property's cells.
struct Cells {
  uint32_t first_type, types;
  std::span<const TileForm> forms;
  uint32_t count() const { return types * static_cast<uint32_t>(forms.size()) * 8; }
};
/// In the order of GemmCells.
constexpr Cells all_cells[] = {
    {0, model::plain_gemm_types, plain_tiles},
    {model::plain_gemm_types, model::first_sparse_gemm_type - model::plain_gemm_types, scaled_tiles},
    {model::first_sparse_gemm_type, model::gemm_types - model::first_sparse_gemm_type, sparse_tiles},
    {0, model::gemm_types, any_forms}};
const Cells& cells_of(GemmCells cells) {
  return all_cells[static_cast<uint32_t>(cells)];
}
GemmCells cells_of(const GemmCase& c) {
  if (c.grouped) return GemmCells::grouped;
  return model::is_sparse(c) ? GemmCells::sparse : model::is_scaled(c) ? GemmCells::scaled : GemmCells::plain;
}

/// Pairs of types of f8f6f4: behind the first, in which one has 8 bits, those of which a whole number of
/// stages lies in memory.
struct TypePair {
  uint32_t a, b;
};
constexpr uint32_t pairs_of_any_k = 16;
constexpr auto type_pairs = [] {
  std::array<TypePair, gemm_pairs> made{};
  uint32_t wide = 0, narrow = pairs_of_any_k;
  for (const uint32_t a : f8f6f4_types)
    for (const uint32_t b : f8f6f4_types) made[a < 2 || b < 2 ? wide++ : narrow++] = {a, b};
  return made;
}();

void set_cell(const Cells& cells, uint32_t cell, GemmCase& c) {
  const TileForm& form = cells.forms[cell / 8 % cells.forms.size()];
  c.type = cells.first_type + cell / 8 / static_cast<uint32_t>(cells.forms.size());
  c.cta_group = form.cta_group;
  c.tile_n = form.tile_n;
}

/// Codes of 2:4 metadata two a byte, in every place one of four bytes.
OperandPattern metadata_fill(Random& random) {
  constexpr uint32_t codes[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  pattern.special_bits = 8, pattern.special_rate = 256;
  for (uint32_t& special : pattern.special) special = codes[random.below(6)] << 4 | codes[random.below(6)];
  return pattern;
}

void make_product(Random& random, const CaseId& id, GemmCells which, GemmCase& c) {
  const Cells& cells = cells_of(which);
  c = {};
  // 5 has no factor in common with the number of most cells: neighbours differ in everything.
  const uint32_t step = cells.count() % 5 == 0 ? 7 : 5;
  const uint32_t cell = id.index < cells.count() ? static_cast<uint32_t>(id.index * step % cells.count())
                                                 : random.below(cells.count());
  set_cell(cells, cell, c);
  c.grouped = which == GemmCells::grouped;
  if (model::has_element_types(c)) {
    // The first cells of a type walk the pairs, each property from where the other tile forms left off.
    const uint32_t form = cell / 8 % static_cast<uint32_t>(cells.forms.size());
    const uint32_t pairs = cell & 4 ? pairs_of_any_k : gemm_pairs;
    const TypePair pair =
        type_pairs[(id.index < cells.count() ? form * 4 + cell % 4 : random.below(pairs)) % pairs];
    c.a_type = pair.a, c.b_type = pair.b;
  }
  if (c.tile_n == 0) {
    c.tile_n = 32u << random.below(c.cta_group == 2 ? 4 : 3);
    while (!model::fits_rig(whole_unit(c))) c.tile_n /= 2;
  }
  const bool is_wide = c.tile_n * c.cta_group > 128;
  c.m = extent(random, cluster_rows, random.one_in(4) ? 2 : 1, cell & 1);
  c.n = extent(random, cluster_columns(c), is_wide ? 1 : random.between(1, 3), cell & 2);
  // More stages than the four of the ring, now and then twice round; few where a tile is large.
  const uint32_t most_stages = random.one_in(3) ? (is_wide ? 6 : 9) : random.one_in(2) ? 5 : 2;
  const uint32_t unit = model::k_unit(c);
  c.k = extent(random, stage_elements(c) / unit, most_stages, cell & 4) * unit;
  if (work_of(c) > most_gemm_work) keep_one(c.m, cluster_rows);
  if (work_of(c) > most_gemm_work) keep_one(c.n, cluster_columns(c));
  if (work_of(c) > most_gemm_work) keep_one(c.k, stage_elements(c));
  if (random.one_in(3)) c.a_gap = random.between(1, 9);
  if (random.one_in(3)) c.b_gap = random.between(1, 9);
  if (random.one_in(2)) c.d_gap = random.between(1, 9);
  const auto mix = static_cast<FillMix>(random.below(fill_mix_count));
  c.a_fill = fill_of(random, model::operand_format(c, true), mix);
  c.b_fill = fill_of(random, model::operand_format(c, false), mix);
  // Products cancel where one factor changes its sign and the other stays.
  if (mix == FillMix::cancelling) c.b_fill.mirror_flip = 0;
  if (model::is_sparse(c)) c.a_scale_fill = metadata_fill(random);
  if (!model::is_scaled(c)) return;
  // Any bits would make nearly every sum NaN: of those there is a mix of their own.
  const bool is_ue8m0 = model::scale_format(c) == &spec::format("ue8m0");
  const FillMix scales = mix == FillMix::bits ? FillMix::wide : mix;
  c.a_scale_fill = scale_fill(random, is_ue8m0, scales);
  c.b_scale_fill = scale_fill(random, is_ue8m0, scales);
}

void make(const CaseId& id, GemmCells which, GemmCase& c) {
  Random random = id.random();
  make_product(random, id, which, c);
  c.launch_control = random.one_in(2);
  // The same for a block of indexes, so that a batch has products of one kind.
  constexpr uint32_t asking[] = {0, 2, 0, 1, 0, 3}, block = 8;
  if (c.launch_control) c.asking = asking[id.index / block % std::size(asking)];
  c.reduces = random.one_in(3);
  if (c.reduces)
    c.c_fill =
        accumulator_fill(random, spec::format("f32"), static_cast<FillMix>(random.below(fill_mix_count)));
}

}  // namespace

void make_gemm(const CaseId& id, GemmCase& c) {
  make(id, GemmCells::plain, c);
}
void make_scaled_gemm(const CaseId& id, GemmCase& c) {
  make(id, GemmCells::scaled, c);
}
void make_sparse_gemm(const CaseId& id, GemmCase& c) {
  make(id, GemmCells::sparse, c);
}
void make_grouped_gemm(const CaseId& id, GemmCase& c) {
  make(id, GemmCells::grouped, c);
}

std::string gemm_type_name(uint32_t type) {
  return type_names[type];
}
namespace {

/// "e4m3 by e2m1".
std::string by_name(const GemmCase& c) {
  return std::string(model::operand_format(c, true).name) + " by " +
         std::string(model::operand_format(c, false).name);
}

}  // namespace

std::string gemm_type_name(const GemmCase& c) {
  const std::string name = gemm_type_name(c.type);
  return model::has_element_types(c) ? name + " " + by_name(c) : name;
}

uint32_t gemm_pair(const GemmCase& c) {
  uint32_t pair = 0;
  while (type_pairs[pair].a != c.a_type || type_pairs[pair].b != c.b_type) ++pair;
  return pair * 2 + c.cta_group - 1;
}
std::string gemm_pair_name(uint32_t cell) {
  GemmCase c;
  c.type = 2;
  c.a_type = type_pairs[cell / 2].a, c.b_type = type_pairs[cell / 2].b;
  return by_name(c) + (cell % 2 ? " pair" : " one");
}

uint32_t gemm_cell(const GemmCase& c) {
  const Cells& cells = cells_of(cells_of(c));
  uint32_t form = 0;
  while (cells.forms[form].cta_group != c.cta_group ||
         (cells.forms[form].tile_n != 0 && cells.forms[form].tile_n != c.tile_n))
    ++form;
  const uint32_t tails = (c.m % cluster_rows != 0 ? 1u : 0u) | (c.n % cluster_columns(c) != 0 ? 2u : 0u) |
                         (c.k % stage_elements(c) != 0 ? 4u : 0u);
  return ((c.type - cells.first_type) * static_cast<uint32_t>(cells.forms.size()) + form) * 8 + tails;
}

uint32_t gemm_way(const GemmCase& c) {
  return (c.reduces ? 4u : 0u) | (c.cta_group == 2 ? 2u : 0u) | (c.launch_control ? 1u : 0u);
}

std::string gemm_way_name(uint32_t way) {
  return std::string(way & 2 ? "pair" : "one") + (way & 1 ? " launch control" : " turns") +
         (way & 4 ? " reduces" : " stores");
}

std::string gemm_cell_name(GemmCells which, uint32_t cell) {
  GemmCase c;
  set_cell(cells_of(which), cell, c);
  std::string name = gemm_type_name(c.type);
  name += c.cta_group == 2 ? " pair" : " one";
  if (c.tile_n != 0) name += " " + std::to_string(c.tile_n);
  std::string tails;
  if (cell & 1) tails += "m";
  if (cell & 2) tails += "n";
  if (cell & 4) tails += "k";
  return name + (tails.empty() ? " whole" : " tail " + tails);
}

std::vector<GemmCase> simpler(const GemmCase& c) {
  SimplerCases<GemmCase> steps(c, [](const GemmCase& s) { return model::fits_rig(s); });
  for (uint32_t GemmCase::*extent : {&GemmCase::k, &GemmCase::m, &GemmCase::n}) {
    const uint32_t now = c.*extent;
    for (const uint32_t smaller :
         {1u, 2u, 4u, now / 2, now - now / 4, now - now / 8, now - 4, now - 2, now - 1})
      if (smaller >= 1 && smaller < now) steps.offer([&](GemmCase& s) { s.*extent = smaller; });
  }
  steps.offer([](GemmCase& s) { s.grouped = false; });
  steps.offer([](GemmCase& s) { s.asking = 0; });
  steps.offer([](GemmCase& s) { s.launch_control = false, s.asking = 0; });
  if (c.reduces) steps.offer([](GemmCase& s) { s.reduces = false, s.c_fill = {}; });
  steps.offer([](GemmCase& s) { s.a_type = 0; });
  steps.offer([](GemmCase& s) { s.b_type = 0; });
  steps.offer(
      [](GemmCase& s) { s.cta_group = 1, s.tile_n = std::min(s.tile_n, model::is_sparse(s) ? 64u : 128u); });
  if (c.tile_n > 32) steps.offer([](GemmCase& s) { s.tile_n = 32; });
  steps.offer([](GemmCase& s) { s.a_gap = s.b_gap = s.d_gap = 0; });
  for (OperandPattern GemmCase::*fill : {&GemmCase::a_fill, &GemmCase::b_fill, &GemmCase::c_fill,
                                         &GemmCase::a_scale_fill, &GemmCase::b_scale_fill})
    if (fill != &GemmCase::c_fill || c.reduces) steps.offer_pattern(fill);
  return std::move(steps.made);
}

}  // namespace assay::gen
