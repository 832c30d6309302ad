// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/access.h"

#include <algorithm>
#include <bit>

#include "reference/layout/tmem.h"
#include "reference/model/bend.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

int registers_of(const TmemAccessCase& c) {
  return layout::tmem_shapes[c.shape].registers_per_count * static_cast<int>(c.count);
}

/// Index of the cell of a register's low half.
size_t cell_of(const TmemAccessCase& c, int thread, int r, const MmaBend& bend) {
  layout::TmemRegisterPlace place =
      layout::tmem_register_place(c.shape, thread % 32, r, c.packs ? 2 : 1, static_cast<int>(c.split));
  if (bend.cell != nullptr) place = bend.cell(c, thread, r, place);
  const auto lane = static_cast<size_t>(thread / 32 * 32 + static_cast<int>(c.lane) + place.lane);
  return lane * c.alloc_columns + c.column + static_cast<size_t>(place.column);
}

const MmaBend& mma_bend_of(const spec::Readings& readings) {
  static constexpr MmaBend none;
  return readings.bend() == nullptr ? none : readings.bend()->mma;
}

Tcgen05MmaPrediction with_rules(const TmemAccessCase& c, const spec::Readings& readings) {
  Tcgen05MmaPrediction prediction;
  prediction.rules.set(rule("TMEM-R10"));
  if (c.same_address) {
    // Three warps name lanes of the fourth.
    prediction.rules.set(rule("TMEM-R17"));
    if (readings.is({"TMEM-AMB-01", "illegal_address"})) prediction.end = End::illegal_address;
    if (readings.is({"TMEM-AMB-01", "illegal_instruction"})) prediction.end = End::illegal_instruction;
  }
  if (c.packs) prediction.rules.set(rule("TMEM-R11"));
  return prediction;
}

}  // namespace

Tcgen05MmaPrediction predict_tmem_store(const TmemAccessCase& c, const spec::Readings& readings,
                                        std::span<const uint32_t> registers, std::span<uint32_t> cells,
                                        std::span<uint32_t> defined) {
  Tcgen05MmaPrediction prediction = with_rules(c, readings);
  const MmaBend& bend = mma_bend_of(readings);
  if (bend.cells_are_open) prediction.end = End::undefined;
  const bool keeps_upper = c.packs && readings.is({"AMB-23", "unchanged"});
  const bool opens_upper = c.packs && readings.is({"AMB-23", "anything"});
  if (opens_upper) {
    std::fill(defined.begin(), defined.end(), ~0u);
    prediction.all_defined = false;
  }
  for (int thread = 0; thread < 128; ++thread)
    for (int r = 0; r < registers_of(c); ++r) {
      const uint32_t value =
          registers[static_cast<size_t>(thread) * tmem_output_registers + static_cast<size_t>(r)];
      const size_t at = cell_of(c, thread, r, bend);
      if (at + c.packs >= cells.size()) continue;  // only a bend leads there
      if (!c.packs) {
        cells[at] = value;
        continue;
      }
      uint32_t halves[] = {value & 0xffff, value >> 16};
      if (bend.unpack != nullptr) halves[0] = bend.unpack(value, 0), halves[1] = bend.unpack(value, 1);
      for (size_t half = 0; half < 2; ++half) {
        cells[at + half] = keeps_upper ? (cells[at + half] & 0xffff0000) | halves[half] : halves[half];
        if (opens_upper) defined[at + half] = 0xffff;
      }
    }
  return prediction;
}

Tcgen05MmaPrediction predict_tmem_load(const TmemAccessCase& c, const spec::Readings& readings,
                                       std::span<const uint32_t> cells, std::span<uint32_t> output) {
  const MmaBend& bend = mma_bend_of(readings);
  std::fill(output.begin(), output.end(), ~0u);
  for (int thread = 0; thread < 128; ++thread)
    for (int r = 0; r < registers_of(c); ++r) {
      const size_t at = cell_of(c, thread, r, bend);
      if (at + c.packs >= cells.size()) continue;  // only a bend leads there
      output[static_cast<size_t>(thread) * tmem_output_registers + static_cast<size_t>(r)] =
          !c.packs               ? cells[at]
          : bend.pack != nullptr ? bend.pack(cells[at], cells[at + 1])
                                 : (cells[at] & 0xffff) | cells[at + 1] << 16;
    }
  Tcgen05MmaPrediction prediction = with_rules(c, readings);
  if (bend.cells_are_open) prediction.end = End::undefined;
  return prediction;
}

bool fits_rig(const TmemAccessCase& c) {
  if (c.shape >= layout::tmem_shapes.size() || !std::has_single_bit(c.count)) return false;
  const layout::TmemShapeRow& row = layout::tmem_shapes[c.shape];
  if (static_cast<int>(c.count) > row.most_count) return false;
  if (c.warps != 4 && c.warps != 8) return false;
  if (c.named_warp > 3 || (c.named_warp != 0 && !c.same_address)) return false;
  if (c.lane != 0 && (row.lanes != 16 || c.lane != 16)) return false;
  if (!std::has_single_bit(c.alloc_columns) || c.alloc_columns < 32 || c.alloc_columns > 512) return false;
  const bool has_split = c.shape == 4;
  // The probe has these immediates.
  if (c.split > 256 || (c.split & (c.split - 1)) != 0 || (!has_split && c.split != 0)) return false;
  const uint32_t spread = c.packs ? 2 : 1;
  if (c.is_store && has_split && c.split < c.count * spread) return false;
  const auto columns = static_cast<uint32_t>(layout::tmem_access_columns(
      c.shape, static_cast<int>(c.count), static_cast<int>(spread), static_cast<int>(c.split)));
  return c.column < c.alloc_columns && columns <= c.alloc_columns && c.column + columns <= c.alloc_columns;
}

}  // namespace assay::model
