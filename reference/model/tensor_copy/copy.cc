// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/copy.h"

#include <algorithm>
#include <utility>

#include "reference/model/bend.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

using spec::question;
using spec::rule;

/// Of the copies of all lanes, one after the other: no two of them touch the same bytes. `predict(lane,
/// mask)` is that of one copy, which says what is defined in the mask that it gets. `waits`: a barrier waits
/// for them.
template <typename Predict>
CopyPrediction predict_lanes(const TensorCopyCase& copy, const spec::Readings& readings, bool waits,
                             std::span<std::byte> defined, Predict predict) {
  CopyPrediction all;
  thread_local std::vector<std::byte> masks;
  if (masks.size() < defined.size()) masks.resize(defined.size());
  const std::span<std::byte> mask = std::span(masks).first(defined.size());
  for (uint32_t lane = 0; lane < copy.lanes; ++lane) {
    const CopyPrediction one = predict(lane, mask);
    const bool is_of_count = one.end == End::never_completes || one.end == End::early_surplus;
    if (all.end == End::done && !(is_of_count && one.armed != one.transaction_bytes)) all.end = one.end;
    all.transaction_bytes += one.transaction_bytes;
    all.armed += one.armed;
    all.rules |= one.rules;
    if (one.all_defined) continue;
    if (std::exchange(all.all_defined, false)) std::fill(defined.begin(), defined.end(), std::byte{0xff});
    for (size_t i = 0; i < mask.size(); ++i) defined[i] &= mask[i];
  }
  // One barrier counts the bytes of all: what one signals beyond its share makes up for what another lacks.
  const int64_t expected = expected_bytes(all.armed, readings);
  if (all.end == End::done && waits && expected != all.transaction_bytes)
    all.end = expected > all.transaction_bytes ? End::never_completes : End::early_surplus;
  return all;
}

/// Whether barriers are armed with what these readings count.
bool counts_as_default(const spec::Readings& readings) {
  return readings.is_default(question("TMA-AMB-04")) && readings.is_default(question("TMA-AMB-12")) &&
         readings.is_default(question("TMA-AMB-18")) && readings.is_default(question("TMA-AMB-33")) &&
         readings.is_default(question("TMA-AMB-11"));
}

/// What a bend of a tiled copy is asked with.
TensorCopyCase for_bends_of_tiles(const TensorCopyCase& copy) {
  return is_column(copy) ? as_tiled(copy) : copy;
}

/// What the probe leaves of shared memory once wait_group.read has returned: the first bytes of the tile and
/// the last of the window, inverted (kernels/tensor_copy/tensor_copy.cu).
std::vector<std::byte> overwritten(const TensorCopyCase& copy, std::span<const std::byte> window) {
  constexpr size_t vector = 16, swept = 128 * vector;  // each of 128 threads inverts a vector
  std::vector<std::byte> after(window.begin(), window.end());
  const size_t near = std::min<size_t>(copy.tile_offset / vector * vector, after.size());
  const size_t near_end = std::min(near + swept, after.size());
  const size_t far = std::max(near_end, after.size() - std::min(swept, after.size()));
  for (size_t i = near; i < after.size(); i = i + 1 == near_end ? far : i + 1) after[i] = ~after[i];
  return after;
}

/// What barriers then do that someone waits for.
End end_of_phase(const TensorCopyCase& copy, const spec::Readings& readings, const CopyPrediction& counts) {
  const uint32_t waiting = receivers(copy);
  if (waiting == 0) return End::done;  // where nobody receives, nobody waits
  const Bend* const bend = readings.bend();
  // Of .cta_group bends of pairs say who is signalled.
  if (bend != nullptr && copy.cta_group != 0)
    return end_of_pairs({copy.cta_group, waiting,
                         named_barrier(copy.unicast, copy.cta_mask, copy.issuer_rank, copy.peer_barrier),
                         copy.cluster_size, counts.armed, counts.transaction_bytes},
                        readings);
  // Of several lanes the barrier expects the bytes of all.
  const int64_t expected = copy.lanes > 1 ? counts.armed : expected_bytes(counts.armed, readings);
  if (expected > counts.transaction_bytes) return End::never_completes;
  if (expected < counts.transaction_bytes) return End::early_surplus;
  if (bend == nullptr || bend->copy.signalled_ranks == nullptr) return End::done;
  const uint32_t signalled = bend->copy.signalled_ranks(for_bends_of_tiles(copy), waiting);
  if ((waiting & ~signalled) != 0) return End::never_completes;
  return (signalled & ~waiting) != 0 ? End::early_surplus : End::done;
}

}  // namespace

const CopyMethods& methods_of(const TensorCopyCase& copy) {
  return is_column(copy) ? column_methods : is_gather(copy) ? gather_methods : tile_methods;
}

TensorCopyCase lane_of(const TensorCopyCase& copy, uint32_t lane, const spec::Readings& readings) {
  const Bend* const bend = readings.bend();
  TensorCopyCase all = copy;
  if (bend != nullptr && bend->gather.lanes_share_coordinates) all.lane_step = {};
  return of_lane(bend != nullptr && bend->copy.lanes_share_map ? with_shared_map(all) : all, lane);
}

void undefine(CopyPrediction& prediction, std::span<std::byte> defined) {
  if (prediction.end != End::undefined) return;
  prediction.all_defined = false;
  std::fill(defined.begin(), defined.end(), std::byte{0});
}

void note_qualifiers(const TensorCopyCase& copy, spec::RuleSet& rules) {
  if (copy.transaction_delta != 0) rules.set(rule("TILE-R21"));
  if (copy.cluster_size > 1 && (!copy.unicast || copy.cta_group == 0)) rules.set(rule("TILE-R38"));
  if (copy.prefetch_first) rules.set(rule("TILE-R39"));
  if (copy.destination_cta) rules.set(rule("TILE-R44"));
  if (copy.cta_group == 1) rules.set(rule("CTAG-R01"));
  if (copy.cta_group == 2) rules.set(rule("CTAG-R02"));
}

void count_bytes(const TensorCopyCase& copy, const spec::Readings& readings, uint32_t by_rules,
                 uint32_t signalled, CopyPrediction& prediction) {
  prediction.transaction_bytes = signalled;
  prediction.armed =
      int64_t{counts_as_default(readings) ? by_rules
                                          : transaction_bytes(copy, spec::Readings(readings.arch()))} +
      copy.transaction_delta;
  prediction.end = end_of_phase(copy, readings, prediction);
}

bool open_written_twice(std::span<std::byte> defined) {
  auto any = std::byte{0};
  for (std::byte& count : defined) {
    any |= count;
    count = static_cast<std::byte>((std::to_integer<uint8_t>(count) >> 1) - 1);  // of 2: 0, else ones
  }
  return (any & std::byte{2}) != std::byte{0};
}

spec::RuleSet broken_map_rules(const TensorCopyCase& copy, const spec::Readings& readings) {
  if (is_column(copy)) return broken_column_map_rules(copy.map, readings);
  const TensorMapArgs& map = copy.map;
  return is_gather(copy) ? broken_map_rules(map, readings) : broken_map_rules(map, readings, copy.direction);
}
bool has_legal_map(const TensorCopyCase& copy, const spec::Readings& readings) {
  if (copy.mode == CopyMode::tile) return has_legal_tile_map(copy, readings);
  return broken_map_rules(copy, readings).none();
}

CopyFootprint footprint(const TensorCopyCase& copy, const spec::Readings& readings) {
  return methods_of(copy).footprint(copy, readings);
}

End end_of_issue(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  return methods_of(copy).end_of_issue(copy, readings, rules);
}

uint32_t transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  return methods_of(copy).transaction_bytes(copy, readings);
}

uint32_t receivers(const TensorCopyCase& copy, const spec::Readings& readings) {
  const uint32_t right = receivers(copy);
  const Bend* const bend = readings.bend();
  if (bend == nullptr || bend->copy.receivers == nullptr) return right;
  return bend->copy.receivers(for_bends_of_tiles(copy), right);
}

CopyPrediction predict_load(const TensorCopyCase& copy, const spec::Readings& readings,
                            std::span<const std::byte> arena, std::span<std::byte> window,
                            std::span<std::byte> defined) {
  return predict_load(copy, readings, arena, {}, window, defined);
}

CopyPrediction predict_load(const TensorCopyCase& copy, const spec::Readings& readings,
                            std::span<const std::byte> arena, std::span<const std::byte> before,
                            std::span<std::byte> window, std::span<std::byte> defined) {
  const CopyMethods& mode = methods_of(copy);
  if (copy.lanes <= 1) return mode.load(copy, readings, arena, before, window, defined);
  std::copy(before.begin(), before.end(), window.begin());
  return predict_lanes(copy, readings, receivers(copy) != 0, defined,
                       [&](uint32_t lane, std::span<std::byte> mask) {
                         return mode.load(lane_of(copy, lane, readings), readings, arena, {}, window, mask);
                       });
}

CopyPrediction predict_store(const TensorCopyCase& copy, const spec::Readings& readings,
                             std::span<const std::byte> window, std::span<std::byte> slot,
                             std::span<std::byte> defined) {
  const CopyMethods& mode = methods_of(copy);
  std::vector<std::byte> late;
  if (readings.bend() != nullptr && readings.bend()->copy.reads_late)
    late = overwritten(copy, window), window = late;
  if (copy.lanes <= 1) return mode.store(copy, readings, window, slot, defined);
  const bool meet = mode.lanes_meet(copy, readings);
  std::vector<OpenSum> open;
  if (meet) open = open_sums(copy, readings, window, slot);
  CopyPrediction all =
      predict_lanes(copy, readings, false, defined, [&](uint32_t lane, std::span<std::byte> mask) {
        return mode.store(lane_of(copy, lane, readings), readings, window, slot, mask);
      });
  const bool reduces_tiles = &mode == &tile_methods && copy.reduction != TensorReduction::none;
  if (meet && reduces_tiles) all.rules.set(rule("TILE-R58"));
  leave_open(open, open_element_bytes(copy), defined, all.all_defined);
  if (reduces_tiles && readings.bend() != nullptr && !all.all_defined)
    open_what_lanes_share(copy, readings, defined);
  return all;
}

std::vector<OpenSum> open_sums(const TensorCopyCase& copy, const spec::Readings& readings,
                               std::span<const std::byte> window, std::span<const std::byte> slot) {
  return methods_of(copy).open_sums(copy, readings, window, slot);
}

uint32_t open_element_bytes(const TensorCopyCase& copy) {
  const spec::DataType* const type = spec::find_data_type(copy.map.data_type);
  return type != nullptr && type->bits % 8 == 0 ? type->bits / 8 : 1;
}

}  // namespace assay::model
