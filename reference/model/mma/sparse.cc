// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/mma.h"

#include <cstring>

#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

constexpr uint8_t descending = 0b0110, ascending = 0b1001;

/// Columns that an instruction's metadata move on by: its own, or those of the selectors it may have.
constexpr uint32_t granule = 2;

}  // namespace

bool has_interleaved_metadata(const Tcgen05MmaCase& c) {
  return spec::row_of(c.kind).scales_d;
}

const layout::SparsityRow& sparsity_row(const Tcgen05MmaCase& c) {
  return layout::sparsity_of(*formats_of(c).a, is_packed_kind(c));
}

int codes_of_row(const Tcgen05MmaCase& c) {
  return stored_k(c, false) / sparsity_row(c).chunk;
}

MetadataStart metadata_start(const Tcgen05MmaCase& c, uint32_t step) {
  const MetadataInTensorMemory& m = c.metadata;
  if (!has_interleaved_metadata(c)) return {m.column + granule * step, 0};
  if (m.selector >= granule) return {m.column, m.selector};
  const uint32_t at = m.selector + step;
  return {m.column + at / granule * granule, at % granule};
}

uint32_t metadata_columns(const Tcgen05MmaCase& c) {
  if (!c.sparse) return 0;
  const MetadataStart last = metadata_start(c, c.steps - 1);
  return last.column - c.metadata.column + (last.selector >= granule ? 2 * granule : granule);
}

bool has_selector(const Tcgen05MmaCase& c) {
  if (!has_interleaved_metadata(c)) return c.metadata.selector == 0;
  return c.metadata.selector < granule || (c.metadata.selector < 2 * granule && c.steps == 1);
}

bool has_odd_metadata(const Tcgen05MmaCase& c) {
  return c.sparse && c.metadata.column % granule != 0;
}

RowCodes row_codes(const Tcgen05MmaCase& c, const layout::DLayoutRow& layout, const spec::Readings& readings,
                   const MmaBend* bend, uint32_t step, int row, int fold,
                   const std::function<uint32_t(int lane, int column)>& cell) {
  const MetadataStart start = metadata_start(c, step);
  const layout::SparsityRow& sparsity = sparsity_row(c);
  const bool interleaved = has_interleaved_metadata(c);
  int selector = static_cast<int>(start.selector);
  if (start.selector >= granule && readings.is({"AMB-20", "low_bit_alone"}))
    selector %= static_cast<int>(granule);
  const int group = fold != 0 && readings.is({"AMB-45", "first_group"}) ? 0 : fold;
  RowCodes found;
  found.count = codes_of_row(c);
  for (int i = 0; i < found.count; ++i) {
    const int lane_base = static_cast<int>(c.lane);
    layout::TmemPlace place =
        layout::metadata_place(layout, interleaved, selector, row, 4 * i, group, lane_base);
    if (bend != nullptr && bend->metadata != nullptr)
      place = bend->metadata({c, layout, row, group, selector, i}, place);
    auto code = static_cast<uint8_t>(
        cell(place.lane, static_cast<int>(start.column) + place.column) >> place.bit & 0xf);
    if (bend != nullptr && bend->metadata_code != nullptr) code = bend->metadata_code(sparsity, code);
    found.has_meaning = found.has_meaning && layout::is_listed_code(sparsity, code);
    if (code == descending && sparsity.kind != layout::SparsityKind::one_of_two) {
      if (readings.is({"AMB-19", "ascending"})) code = ascending;
      if (readings.is({"AMB-19", "anything"})) found.has_meaning = false;
    }
    found.codes[static_cast<size_t>(i)] = code;
  }
  return found;
}

int met_k(const Tcgen05MmaCase& c, const RowCodes& codes, const MmaBend* bend, int k) {
  const layout::SparsityRow& sparsity = sparsity_row(c);
  const int chunk = k / sparsity.kept, i = k % sparsity.kept;
  const uint8_t code = codes.codes[static_cast<size_t>(chunk)];
  const int inside = bend != nullptr && bend->met != nullptr ? bend->met(sparsity, code, i)
                                                             : layout::met_element(sparsity, code, i);
  return chunk * sparsity.chunk + inside;
}

void met_places(const Tcgen05MmaCase& c, const RowCodes& codes, const MmaBend* bend,
                std::span<uint16_t> places) {
  for (size_t k = 0; k < places.size(); ++k)
    places[k] = static_cast<uint16_t>(met_k(c, codes, bend, static_cast<int>(k)));
}

numerics::Tile dense_row(const numerics::Tile& all, uint32_t row, std::vector<uint32_t>& met) {
  const auto m = static_cast<size_t>(all.m), n = static_cast<size_t>(all.n);
  const size_t k = all.a.size() / m, scales = all.scale_a.size() / m;
  met.resize(n * k);
  for (size_t column = 0; column < n; ++column)
    for (size_t i = 0; i < k; ++i) met[column * k + i] = all.b[all.b_at(row, column, i, k)];
  return {1,
          all.n,
          all.a.subspan(row * k, k),
          met,
          all.c.subspan(row * n, n),
          all.scale_a.subspan(row * scales, scales),
          all.scale_b,
          all.scale_input_d};
}

void mark_sparse_rules(const Tcgen05MmaCase& c, spec::RuleSet& rules) {
  if (!c.sparse) return;
  rules.set(rule("SPARSE-R01"));
  switch (sparsity_row(c).kind) {
    case layout::SparsityKind::two_of_four:
      rules.set(rule("SPARSE-R02"));
      break;
    case layout::SparsityKind::one_of_two:
      rules.set(rule("SPARSE-R03"));
      break;
    case layout::SparsityKind::four_of_eight_pairs:
      rules.set(rule("SPARSE-R04"));
  }
  rules.set(has_interleaved_metadata(c) ? rule("SPARSE-R05") : rule("SPARSE-R06"));
  if (has_interleaved_metadata(c)) rules.set(rule("SPARSE-R07"));
  if (d_layout_of(c)->half_of_lanes) rules.set(rule("SPARSE-R08"));
  if (d_layout_of(c)->folds > 1) rules.set(rule("SPARSE-R09"));
  if (c.metadata.strange_rate != 0) rules.set(rule("SPARSE-R10"));
  if (is_block_scaled(c)) rules.set(rule("SPARSE-R11"));
  rules.set(rule("TMEM-R18"));
}

namespace {

/// The 16 bytes that one step of a layout leads to.
struct Cell {
  uint64_t low, high;
  uint32_t bits(uint32_t at, uint32_t width) const {
    uint64_t value = at < 64 ? low >> at : high >> (at - 64);
    if (at < 64 && at + width > 64) value |= high << (64 - at);
    return static_cast<uint32_t>(width == 32 ? value & 0xffffffff : value & ((uint64_t{1} << width) - 1));
  }
};

Cell cell_at(std::span<const std::byte> window, uint32_t byte) {
  Cell cell;
  std::memcpy(&cell.low, window.data() + byte, 8);
  std::memcpy(&cell.high, window.data() + byte + 8, 8);
  return cell;
}

/// K-major rows of elements that no byte is kept for: element k is bits k * width and up of its row.
void gather_packed(const spec::SmemMatrix& matrix, const layout::SmemReadings& readings,
                   std::span<const std::byte> window, int first, int count, int k_count, uint32_t width,
                   std::span<uint32_t> codes) {
  const layout::LaidMatrix laid(matrix, {8, layout::Packing::plain, false}, readings);
  const auto byte = [&](int mn, uint32_t at) {
    return std::to_integer<uint32_t>(window[laid.place(static_cast<uint32_t>(mn), at).byte]);
  };
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < k_count; ++k) {
      const uint32_t bit = static_cast<uint32_t>(k) * width;
      uint32_t word = byte(first + i, bit / 8);
      if (bit % 8 + width > 8) word |= byte(first + i, bit / 8 + 1) << 8;
      codes[static_cast<size_t>(i) * k_count + k] = word >> bit % 8 & ((1u << width) - 1);
    }
}

}  // namespace

void gather_shared(const spec::SmemMatrix& matrix, const layout::SmemOperand& operand,
                   const layout::SmemReadings& readings, std::span<const std::byte> window, int first,
                   int count, int k_count, std::span<uint32_t> codes) {
  const auto width = static_cast<uint32_t>(operand.element_bits);
  if (operand.packing == layout::Packing::plain && width < 8)
    return gather_packed(matrix, readings, window, first, count, k_count, width, codes);
  const int per_cell = operand.packing == layout::Packing::plain ? 128 / operand.element_bits : 16;
  const layout::LaidMatrix laid(matrix, operand, readings);
  const auto address = [&](int mn, int k) {
    return laid.swizzled(laid.linear_cell(static_cast<uint32_t>(mn), static_cast<uint32_t>(k)));
  };
  if (!operand.mn_major) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < k_count; k += per_cell) {
        const Cell cell = cell_at(window, address(first + i, k));
        for (int j = 0; j < per_cell && k + j < k_count; ++j)
          codes[static_cast<size_t>(i) * k_count + k + j] =
              cell.bits(static_cast<uint32_t>(j) * width, width);
      }
    return;
  }
  for (int k = 0; k < k_count; ++k)
    for (int i = 0; i < count;) {
      const int inside = (first + i) % per_cell;
      const Cell cell = cell_at(window, address(first + i - inside, k));
      for (int j = inside; j < per_cell && i < count; ++j, ++i)
        codes[static_cast<size_t>(i) * k_count + k] = cell.bits(static_cast<uint32_t>(j) * width, width);
    }
}

}  // namespace assay::model
