// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/tensor_copy.h"

#include <algorithm>
#include <array>

#include "kernels/forms/families.h"
#include "kernels/forms/ways.h"

/// Copies and reductions of tensors (PTX ISA, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor,
/// cp.async.bulk.prefetch.tensor). Each statement has the operands of all modes and ranks.
namespace assay::forms {
namespace {

using params::CopyMode;
using enum params::CopyMode;

constexpr uint32_t value(CopyMode mode) {
  return static_cast<uint32_t>(mode);
}

/// What an instruction has in braces behind its mbarrier.
enum class Offsets : uint8_t { none, of_spatial_dimensions, of_halo };

/// One row a mode, in the order of their numbers.
struct Mode {
  CopyMode mode;
  std::string_view load, store;  ///< as PTX spells it; empty: no store has it
  uint8_t targets, targets_of_stores;
  uint32_t least_rank, most_rank;
  uint32_t coordinates;  ///< 0: as many as the rank
  Offsets offsets;       ///< of loads and prefetches
  /// PTX ISA, cp.async.bulk.tensor: outside of sm_100 and its family the mode goes to shared::cta alone.
  bool is_of_one_cta;
};
constexpr Mode rows[] = {
    {tile, ".tile", ".tile", every_target, every_target, 1, 5, 0, Offsets::none, false},
    {gather4, ".tile::gather4", ".tile::scatter4", from_sm_100a, with_tcgen05, 2, 2, 5, Offsets::none, true},
    {im2col, ".im2col", ".im2col_no_offs", every_target, every_target, 3, 5, 0,
     Offsets::of_spatial_dimensions, false},
    {w, ".im2col::w", "", from_sm_100a, 0, 3, 5, 0, Offsets::of_halo, true},
    {w_128, ".im2col::w::128", "", with_tcgen05, 0, 3, 5, 0, Offsets::of_halo, false},
};
static_assert(std::size(rows) == params::copy_modes && [] {
  for (uint32_t i = 0; i < std::size(rows); ++i)
    if (value(rows[i].mode) != i) return false;
  return true;
}());

/// Modes that Hopper lacks came later.
constexpr uint8_t ptx_of(const Mode& row) {
  return row.targets == every_target ? spec::first_ptx : 86;
}
constexpr auto modes = [] {
  std::array<Choice, std::size(rows)> made{};
  for (size_t i = 0; i < made.size(); ++i)
    made[i] = {rows[i].load, value(rows[i].mode), rows[i].targets, ptx_of(rows[i])};
  return made;
}();
constexpr auto modes_of_stores = [] {
  std::array<Choice, std::ranges::count_if(rows, [](const Mode& row) { return !row.store.empty(); })> made{};
  size_t count = 0;
  for (const Mode& row : rows)
    if (!row.store.empty()) made[count++] = {row.store, value(row.mode), row.targets_of_stores, ptx_of(row)};
  return made;
}();
constexpr Choice ranks[] = {{"1d", 1}, {"2d", 2}, {"3d", 3}, {"4d", 4}, {"5d", 5}};
constexpr Choice spaces[] = {{"shared::cluster", 0}, {"shared::cta", 1, every_target, 86}};
/// 4 for a multicast, and the .cta_group.
constexpr Choice destinations[] = {{"", 0},
                                   {".cta_group::1", 1, with_tcgen05},
                                   {".cta_group::2", 2, with_tcgen05},
                                   {".multicast::cluster", 4},
                                   {".multicast::cluster.cta_group::1", 5, with_tcgen05},
                                   {".multicast::cluster.cta_group::2", 6, with_tcgen05}};
/// 0, or 1 + params::TensorReduceOp.
constexpr Choice reductions[] = {{"", 0},     {".add", 1}, {".min", 2}, {".max", 3}, {".inc", 4},
                                 {".dec", 5}, {".and", 6}, {".or", 7},  {".xor", 8}};

constexpr Axis load_axes[] = {{"mode", modes}, {"rank", ranks}, {"space", spaces}, {"way", ways}};
constexpr Axis cluster_axes[] = {
    {"mode", modes}, {"rank", ranks}, {"destination", destinations}, {"way", ways}};
constexpr Axis store_axes[] = {
    {"mode", modes_of_stores}, {"rank", ranks}, {"reduction", reductions}, {"way", ways}};
constexpr Axis prefetch_axes[] = {{"mode", modes}, {"rank", ranks}, {"way", ways}};

const Mode& mode_of(Picks picks) {
  return rows[picks[0]->value];
}
uint32_t rank_of(Picks picks) {
  return picks[1]->value;
}

Way way_of(Picks picks) {
  return static_cast<Way>(picks.back()->value);
}

bool has_rank(Picks picks) {
  const Mode& row = mode_of(picks);
  if (way_of(picks) == Way::unnamed_mode && row.mode != tile) return false;
  return rank_of(picks) >= row.least_rank && rank_of(picks) <= row.most_rank;
}
uint8_t lacking_beyond_one_cta(Picks picks) {
  return mode_of(picks).is_of_one_cta ? from_sm_100a & ~with_tcgen05 : 0;
}
uint8_t lacking_to_one_cta(Picks picks) {
  return mode_of(picks).is_of_one_cta && picks[2]->value == 0 ? from_sm_100a & ~with_tcgen05 : 0;
}
/// The probes give the operand's policy to a load with .cta_group in mode tile::gather4 alone.
bool exists_in_cluster(Picks picks) {
  const bool has_group = picks[2]->value % 4 != 0;
  return has_rank(picks) &&
         (!has_group || way_of(picks) != Way::evict_first || mode_of(picks).mode == gather4);
}
/// They do not give it to reductions, of which no target has scatter4.
bool exists_as_store(Picks picks) {
  return has_rank(picks) &&
         (picks[2]->value == 0 || (way_of(picks) != Way::evict_first && mode_of(picks).mode != gather4));
}
/// A prefetch does nothing that a predicate could keep from being seen, and has no address but that of the
/// map, which takes no offset (ptxas).
bool exists_as_prefetch(Picks picks) {
  const Way way = way_of(picks);
  return has_rank(picks) && (way == Way::plain || way == Way::unnamed_mode || way == Way::evict_last ||
                             way == Way::half_of_accesses);
}

/// Of stores and of loads to one CTA the third axis says less.
bool is_multicast(Picks picks) {
  return picks[2]->text.starts_with(".multicast");
}

/// What all have in common.
std::string slot(std::string_view name, Picks picks) {
  const Mode& mode = mode_of(picks);
  const bool is_written_out = way_of(picks) == Way::immediate;
  if (name == "coordinates") {
    const uint32_t count = mode.coordinates != 0 ? mode.coordinates : rank_of(picks);
    if (!is_written_out || is_multicast(picks)) return register_list("$c", count);
    return count == 1 ? "0" : "0, " + register_list("$c", count - 1, 1);
  }
  if (name == "offsets") {
    const uint32_t count = mode.offsets == Offsets::of_spatial_dimensions ? rank_of(picks) - 2
                           : mode.offsets == Offsets::of_halo             ? 2
                                                                          : 0;
    return count == 0 ? "" : ", {" + register_list("$o", count) + "}";
  }
  if (name == "named_mode") return way_of(picks) == Way::unnamed_mode ? "" : "<mode>";
  if (name == "hint") return std::string(hint_of(way_of(picks)));
  if (name == "policy") return std::string(policy_of(way_of(picks)));
  if (name == "mask") return !is_multicast(picks) ? "" : is_written_out ? ", 3" : ", $mask";
  return picks[2]->value == 0 ? "cp.async" : "cp.reduce.async";
}
constexpr std::string_view load =
    "cp.async.bulk.tensor.<rank>.<space>.global<named_mode>.mbarrier::complete_tx::bytes<hint> [<tile>], "
    "[$map, {<coordinates>}], [<barrier>]<offsets><policy>";
constexpr std::string_view load_in_cluster =
    "cp.async.bulk.tensor.<rank>.shared::cluster.global<named_mode>.mbarrier::complete_tx::bytes<destination>"
    "<hint> [<tile>], [$map, {<coordinates>}], [<barrier>]<offsets><mask><policy>";
constexpr std::string_view store =
    "<operation>.bulk.tensor.<rank>.global.shared::cta<reduction><named_mode>.bulk_group<hint> [$map, "
    "{<coordinates>}], [<tile>]<policy>";
constexpr std::string_view prefetch =
    "cp.async.bulk.prefetch.tensor.<rank>.L2.global<named_mode><hint> [$map, {<coordinates>}]<offsets>"
    "<policy>";
constexpr std::string_view to = "$to", from = "$from", no_tile = "";

template <const std::string_view& copy, const std::string_view& tile>
std::string slot_of(std::string_view name, Picks picks) {
  return name == "copy" ? in_way(way_of(picks), copy, tile, "$map") : slot(name, picks);
}

}  // namespace

/// To one CTA: the issuer's.
constexpr Family tensor_load{.name = "cp.async.bulk.tensor.load",
                             .operands = "to map:l bar policy:l c0 c1 c2 c3 c4 o0:h o1:h o2:h",
                             .before = registers_of_ways,
                             .text = "<copy>",
                             .axes = load_axes,
                             .exists = has_rank,
                             .slot = slot_of<load, to>,
                             .lacking = lacking_to_one_cta};
/// In a cluster: multicast, or to any one CTA of it.
constexpr Family tensor_load_cluster{.name = "cp.async.bulk.tensor.load.cluster",
                                     .operands = "to map:l bar policy:l c0 c1 c2 c3 c4 o0:h o1:h o2:h mask:h",
                                     .before = registers_of_ways,
                                     .text = "<copy>",
                                     .axes = cluster_axes,
                                     .exists = exists_in_cluster,
                                     .slot = slot_of<load_in_cluster, to>,
                                     .lacking = lacking_beyond_one_cta};
constexpr Family tensor_store{.name = "cp.async.bulk.tensor.store",
                              .operands = "map:l from policy:l c0 c1 c2 c3 c4",
                              .before = registers_of_ways,
                              .text = "<copy>",
                              .axes = store_axes,
                              .exists = exists_as_store,
                              .slot = slot_of<store, from>};
constexpr Family tensor_prefetch{.name = "cp.async.bulk.prefetch.tensor",
                                 .operands = "map:l c0 c1 c2 c3 c4 o0:h o1:h o2:h",
                                 .before = registers_of_ways,
                                 .text = "<copy>",
                                 .axes = prefetch_axes,
                                 .exists = exists_as_prefetch,
                                 .slot = slot_of<prefetch, no_tile>,
                                 .lacking = lacking_beyond_one_cta};

}  // namespace assay::forms
