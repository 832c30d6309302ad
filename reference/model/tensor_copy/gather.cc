// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/mode.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/model/bend.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

/// Four tiled copies of a row each, one behind the other in shared memory.
namespace assay::model {
namespace {

using spec::rule;

const GatherBend& bend_of(const spec::Readings& readings) {
  static constexpr GatherBend none;
  return readings.bend() == nullptr ? none : readings.bend()->gather;
}

/// Whether lanes, whose rows lie apart, write the same by the bend of the readings.
bool rows_of_lanes_meet(const TensorCopyCase&, const spec::Readings& readings) {
  return bend_of(readings).lanes_share_coordinates ||
         (readings.bend() != nullptr && readings.bend()->copy.lanes_share_map);
}

/// Calls use(row as a tiled copy, its shape, number) for each of them, at its place in shared memory.
template <typename Use>
void for_rows(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules,
              const Use& use) {
  const GatherBend& bend = bend_of(readings);
  for (uint32_t q = 0; q < gathered_rows; ++q) {
    TensorCopyCase row = row_of(copy, q, readings);
    const TiledShape shape = shape_of(row, readings, rules);
    row.tile_offset += (bend.place == nullptr ? q : bend.place(copy, q, q)) * shape.pitch;
    use(row, shape, q);
  }
}

/// Of the four rows, one of which has the shape.
uint64_t shared_bytes(const TiledShape& shape) {
  const uint64_t block = shape.swizzle.block_bytes;
  const uint64_t image = (gathered_rows - 1) * uint64_t{shape.pitch} + shape.inner;
  return (image + block - 1) / block * block;
}

/// Bytes of the four rows that lie in the tensor.
int64_t bytes_inside(const TensorCopyCase& copy, const spec::Readings& readings) {
  spec::RuleSet unused;
  int64_t bytes = 0;
  for_rows(copy, readings, unused, [&](const TensorCopyCase&, const TiledShape& shape, uint32_t) {
    if (shape.any_in_bounds()) bytes += (shape.end[0] - shape.first[0]) * int64_t{shape.unit_global};
  });
  return bytes;
}

/// The rows of a load by the definition of a tiled copy, with the bend of the readings.
void slow_rows(const TensorCopyCase& copy, const spec::Readings& readings, std::span<const std::byte> arena,
               std::span<std::byte> window, std::span<std::byte> defined) {
  spec::RuleSet unused;
  std::vector<std::byte> of_row(defined.size());
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  for_rows(copy, readings, unused, [&](const TensorCopyCase& row, const TiledShape&, uint32_t) {
    slow_load(row, readings, arena, window, of_row);
    for (size_t i = 0; i < defined.size(); ++i) defined[i] &= of_row[i];
  });
}

/// The rows of a store, likewise. What a bend says of repeated rows is not known of their bytes.
void slow_stores(const TensorCopyCase& copy, const spec::Readings& readings,
                 std::span<const std::byte> window, std::span<std::byte> slot) {
  spec::RuleSet unused;
  const GatherBend& bend = bend_of(readings);
  // Where the elements of a row are is not altered here: a row that goes elsewhere altogether would explain
  // any row that is not written.
  const TiledBend& copying = readings.bend()->copy;
  spec::Readings of_row = readings;
  if (copying.start != nullptr || copying.inside != nullptr || copying.distance != nullptr)
    of_row.bend_by(nullptr);
  std::vector<std::byte> after(slot.size()), known(slot.size());
  for_rows(copy, readings, unused, [&](const TensorCopyCase& row, const TiledShape& shape, uint32_t q) {
    if (!shape.any_in_bounds()) return;
    std::copy(slot.begin(), slot.end(), after.begin());
    slow_store(row, of_row, window, after, known);
    uint64_t begin = 0, end = 0;
    spec::RuleSet rules;
    if (!global_range(shape, store_transfer(row, shape, readings, rules), true, begin, end)) return;
    if (bend.stored != nullptr) end = std::min(end, begin + bend.stored(copy, q, end - begin));
    end = std::min<uint64_t>(end, slot.size());
    if (begin < end)
      std::copy(after.begin() + static_cast<ptrdiff_t>(begin), after.begin() + static_cast<ptrdiff_t>(end),
                slot.begin() + static_cast<ptrdiff_t>(begin));
  });
}

/// What is common to both directions before bytes move. True: the prediction is made.
bool is_over(const TensorCopyCase& copy, const spec::Readings& readings, size_t window_bytes,
             size_t global_bytes, CopyPrediction& prediction) {
  if (const spec::RuleSet broken = broken_map_rules(copy, readings); broken.any()) {
    prediction.end = End::rejected;
    prediction.rules = broken;
    return true;
  }
  prediction.end = end_of_issue(copy, readings, prediction.rules);
  if (prediction.end != End::done) return true;
  const uint64_t end = copy.tile_offset + shared_bytes(shape_of(row_of(copy, 0, readings), readings));
  if (end > window_bytes) {
    prediction.end = end <= shared_memory_bytes ? End::undefined : End::illegal_address;
    if (end > shared_memory_bytes) prediction.rules.set(rule("TILE-R43"));
  } else if (footprint(copy, readings).global_end > global_bytes) {
    prediction.end = End::undefined;
  }
  if (prediction.end != End::done) return true;
  prediction.rules.set(rule("GATH-R02")).set(rule("GATH-R05"));
  return false;
}

}  // namespace

TensorCopyCase row_of(const TensorCopyCase& copy, uint32_t number, const spec::Readings& readings) {
  TensorCopyCase row = copy;
  row.mode = CopyMode::tile;
  row.cta_group = 0, row.peer_barrier = row.unicast = false;
  const auto& at = copy.coord;
  const bool rows_vary = readings.is({"TMA-AMB-21", "last_four"});
  row.coord = {rows_vary ? at[0] : at[number], rows_vary ? at[1 + number] : at[4]};
  row.map.box_dim[1] = row.map.element_stride[1] = 1;
  row.instruction_rank = 2;
  const GatherBend& bend = bend_of(readings);
  for (int i = 0; i < 2; ++i)
    if (bend.coordinate != nullptr && !is_store(copy))
      row.coord[i] = static_cast<int32_t>(
          std::clamp<int64_t>(bend.coordinate(copy, number, i, row.coord[i]), INT32_MIN, INT32_MAX));
  if (bend.is_lost != nullptr && bend.is_lost(copy, number)) row.coord[1] = INT32_MAX;
  return row;
}

namespace {

End end_of_row_issues(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  bool illegal = false, misaligned = false, undefined = false;
  if (copy.map.rank != 2) {
    rules.set(rule("GATH-R05"));
    illegal = true;
  } else if (copy.map.box_dim[1] != 1) {
    rules.set(rule("GATH-R05"));
    illegal = readings.is({"TMA-AMB-41", "faults"});
  }
  for (uint32_t q = 0; q < gathered_rows; ++q) {
    const TensorCopyCase row = row_of(copy, q, readings);
    const End end = end_of_issue(row, readings, rules);
    illegal |= end == End::illegal_instruction;
    misaligned |= end == End::misaligned_address;
    undefined |= end == End::undefined;
    if (is_store(copy) && (row.coord[0] < 0 || row.coord[1] < 0)) rules.set(rule("GATH-R08"));
  }
  if (undefined || (illegal && misaligned)) return End::undefined;
  if (illegal) return End::illegal_instruction;
  return misaligned ? End::misaligned_address : End::done;
}

uint32_t rows_transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  spec::RuleSet unused;
  uint32_t bytes = 0;
  for_rows(copy, readings, unused, [&](const TensorCopyCase& row, const TiledShape& shape, uint32_t) {
    bytes += transaction_bytes(row, shape, readings);
  });
  return bytes;
}

CopyFootprint rows_footprint(const TensorCopyCase& copy, const spec::Readings& readings) {
  CopyFootprint all;
  spec::RuleSet unused;
  for (uint32_t q = 0; q < gathered_rows; ++q) {
    const TensorCopyCase row = row_of(copy, q, readings);
    const TiledShape shape = shape_of(row, readings);
    if (q == 0) all.shared_bytes = static_cast<uint32_t>(std::min<uint64_t>(shared_bytes(shape), UINT32_MAX));
    const Transfer transfer = is_store(copy) ? store_transfer(row, shape, readings, unused)
                                             : load_transfer(row, shape, readings, unused);
    uint64_t begin = 0, end = 0;
    if (!global_range(shape, transfer, is_store(copy), begin, end)) begin = 0, end = ~uint64_t{0};
    if (begin == end) continue;
    all.global_begin = all.global_end == 0 ? begin : std::min(all.global_begin, begin);
    all.global_end = std::max(all.global_end, end);
  }
  return all;
}

CopyPrediction load_gathered(const TensorCopyCase& copy, const spec::Readings& readings,
                             std::span<const std::byte> arena, std::span<const std::byte> before,
                             std::span<std::byte> window, std::span<std::byte> defined) {
  std::copy(before.begin(), before.end(), window.begin());
  CopyPrediction prediction;
  if (is_over(copy, readings, window.size(), arena.size(), prediction)) {
    undefine(prediction, defined);
    return prediction;
  }
  prediction.rules.set(rule("GATH-R01")).set(rule("GATH-R04"));
  note_qualifiers(copy, prediction.rules);
  const uint32_t bytes = rows_transaction_bytes(copy, readings);
  const auto signalled = bend_of(readings).signalled;
  count_bytes(copy, readings, bytes,
              signalled == nullptr ? bytes
                                   : static_cast<uint32_t>(std::max<int64_t>(
                                         signalled(copy, bytes, bytes_inside(copy, readings)), 0)),
              prediction);
  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_rows(copy, readings, arena, window, defined);
    return prediction;
  }
  for_rows(copy, readings, prediction.rules,
           [&](const TensorCopyCase& row, const TiledShape& shape, uint32_t q) {
             if (shape.packing == Packing::padded && q == 0) {
               prediction.all_defined = false;
               std::fill(defined.begin(), defined.end(), std::byte{0xff});
             }
             if (!shape.all_in_bounds()) prediction.rules.set(rule("GATH-R03"));
             load_rows(shape, load_transfer(row, shape, readings, prediction.rules), arena, window, defined);
           });
  return prediction;
}

CopyPrediction store_scattered(const TensorCopyCase& copy, const spec::Readings& readings,
                               std::span<const std::byte> window, std::span<std::byte> slot,
                               std::span<std::byte> defined) {
  CopyPrediction prediction;
  if (is_over(copy, readings, window.size(), slot.size(), prediction)) {
    undefine(prediction, defined);
    return prediction;
  }
  prediction.rules.set(rule("GATH-R06"));
  std::vector<OpenSum> open;
  if (!defined.empty()) open = open_sums(copy, readings, window, slot);
  if (readings.bend() != nullptr)
    slow_stores(copy, readings, window, slot);
  else
    for_rows(copy, readings, prediction.rules,
             [&](const TensorCopyCase& row, const TiledShape& shape, uint32_t) {
               const Transfer transfer = store_transfer(row, shape, readings, prediction.rules);
               if (shape.any_in_bounds()) store_rows(shape, transfer, window, slot, {});
             });
  if (!open.empty()) prediction.rules.set(rule("GATH-R07"));
  leave_open(open, open_element_bytes(copy), defined, prediction.all_defined);
  return prediction;
}

/// Whether the ranges of two rows have a byte in common.
bool any_rows_meet(const TensorCopyCase& copy, const spec::Readings& readings, uint64_t slot_bytes) {
  std::array<std::pair<uint64_t, uint64_t>, 32 * gathered_rows> ranges;
  size_t count = 0;
  bool meet = false;
  spec::RuleSet unused;
  const auto add_row = [&](const TensorCopyCase& row, const TiledShape& shape, uint32_t) {
    uint64_t begin = 0, end = 0;
    const Transfer transfer = store_transfer(row, shape, readings, unused);
    if (!shape.any_in_bounds() || !global_range(shape, transfer, true, begin, end) || end > slot_bytes)
      return;
    for (size_t i = 0; i < count; ++i) meet |= begin < ranges[i].second && ranges[i].first < end;
    ranges[count++] = {begin, end};
  };
  for (uint32_t lane = 0; lane < copy.lanes; ++lane)
    for_rows(lane_of(copy, lane, readings), readings, unused, add_row);
  return meet;
}

std::vector<OpenSum> open_row_elements(const TensorCopyCase& copy, const spec::Readings& readings,
                                       std::span<const std::byte> window, std::span<const std::byte> slot) {
  spec::RuleSet unused;
  const bool shares = rows_of_lanes_meet(copy, readings);
  if (copy.lanes > 1 && !shares) {  // whose rows lie apart
    std::vector<OpenSum> all;
    for (uint32_t lane = 0; lane < copy.lanes; ++lane)
      for (OpenSum& one : open_row_elements(of_lane(copy, lane), readings, window, slot))
        all.push_back(std::move(one));
    return all;
  }
  if (bend_of(readings).is_lost != nullptr) return {};
  if (!any_rows_meet(copy, readings, slot.size())) return {};
  struct Row {
    uint64_t begin, end;
    std::vector<std::byte> after, written;  ///< of [begin, end)
  };
  std::vector<Row> rows;
  const auto add_row = [&](const TensorCopyCase& row, const TiledShape& shape, uint32_t) {
    const Transfer transfer = store_transfer(row, shape, readings, unused);
    uint64_t begin = 0, end = 0;
    if (!shape.any_in_bounds() || !global_range(shape, transfer, true, begin, end) || end > slot.size())
      return;
    Row stored{begin, end, {}, std::vector<std::byte>(end - begin)};
    stored.after.resize(end - begin);
    Transfer here = transfer;
    here.base -= begin;  // modulo 2^64, as the row's own offset is added to it
    store_rows(shape, here, window, stored.after, stored.written);
    rows.push_back(std::move(stored));
  };
  for (uint32_t lane = 0; lane < copy.lanes; ++lane)
    for_rows(lane_of(copy, lane, readings), readings, unused, add_row);
  const uint32_t bytes = open_element_bytes(copy);
  std::vector<OpenSum> open;
  for (size_t r = 0; r < rows.size(); ++r)
    for (uint64_t at = rows[r].begin; at + bytes <= rows[r].end; at += bytes) {
      OpenSum element{at, {}};
      bool is_first = true;  // the first row that writes it tells of all of them
      for (size_t other = 0; other < rows.size(); ++other) {
        const Row& row = rows[other];
        if (at < row.begin || at + bytes > row.end || row.written[at - row.begin] == std::byte{0}) continue;
        is_first &= other >= r;
        element.allowed.push_back(load_element(&row.after[at - row.begin], bytes));
      }
      std::sort(element.allowed.begin(), element.allowed.end());
      element.allowed.erase(std::unique(element.allowed.begin(), element.allowed.end()),
                            element.allowed.end());
      if (is_first && element.allowed.size() > 1) open.push_back(std::move(element));
    }
  std::sort(open.begin(), open.end(), [](const OpenSum& a, const OpenSum& b) { return a.at < b.at; });
  return open;
}

}  // namespace

const CopyMethods gather_methods{rows_footprint,  end_of_row_issues, rows_transaction_bytes, load_gathered,
                                 store_scattered, open_row_elements, rows_of_lanes_meet};

}  // namespace assay::model
