// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/uses.h"

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

constexpr std::string_view tile_names[] = {"tile load", "tile store", "tile reduce"};
constexpr std::string_view im2col_names[] = {"im2col load", "im2col store", "im2col reduce"};

/// Of the rules that a copy met before it came to this end: the one that it broke. Those that every copy is
/// held to are kept by the copies of this file; one that starts at a corner below 0 breaks a rule on corners
/// too.
std::optional<spec::RuleIndex> broken_one(spec::RuleSet met, bool is_reduction) {
  const bool is_of_type = is_reduction && met[rule("TILE-R55")];
  for (const spec::RuleIndex kept : {rule("TILE-R22"), rule("TILE-R23"), rule("TILE-R24"), rule("TILE-R26"),
                                     rule("TILE-R37"), rule("TILE-R52"), rule("TILE-R55")})
    met.reset(kept);
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (met[i]) return static_cast<spec::RuleIndex>(i);
  return is_of_type ? std::optional(rule("TILE-R55")) : std::nullopt;
}

void conclude(MapUse& use, End end, const spec::RuleSet& met) {
  use.serves = end == End::done;
  if (!use.serves) use.rule = broken_one(met, !use.reduction.empty());
}

/// Nothing fits where a copy needs more than all of a CTA's memory.
void hold_against_memory(MapUse& use, uint64_t shared_bytes) {
  if (!use.serves || shared_bytes <= shared_memory_bytes) return;
  use.serves = false;
  use.rule = rule("TILE-R43");
}

MapUse of_tile(const TensorCopyCase& copy, const spec::Readings& readings) {
  MapUse use;
  const bool is_store = copy.direction == CopyDirection::store;
  use.copy = tile_names[is_store ? copy.reduction == TensorReduction::none ? 1 : 2 : 0];
  if (copy.reduction != TensorReduction::none)
    use.reduction = tensor_reduction_names[static_cast<size_t>(copy.reduction)];
  spec::RuleSet met, unused;
  conclude(use, end_of_issue(copy, readings, met), met);
  hold_against_memory(use, shape_of(copy, readings, unused).shared_bytes);
  if (use.serves && !is_store) use.transaction_bytes = transaction_bytes(copy, readings);
  return use;
}

MapUse of_gather(const TensorCopyCase& tile, const spec::Readings& readings) {
  const bool is_store = tile.direction == CopyDirection::store;
  MapUse use;
  use.copy = is_store ? "tile::scatter4 store" : "tile::gather4 load";
  use.is_missing = !has_tcgen05(readings.arch());
  if (use.is_missing) return use;
  TensorCopyCase copy = tile;
  copy.mode = CopyMode::gather4;
  copy.instruction_rank = 2;
  spec::RuleSet met;
  conclude(use, end_of_issue(copy, readings, met), met);
  if (use.serves && !is_store) use.transaction_bytes = transaction_bytes(copy, readings);
  return use;
}

MapUse of_im2col(const TensorCopyCase& copy, const spec::Readings& readings) {
  MapUse use;
  const bool is_store = copy.direction == CopyDirection::store;
  const auto& names = copy.is_tile_instruction ? tile_names : im2col_names;
  use.copy = copy.mode == CopyMode::w       ? "im2col::w load"
             : copy.mode == CopyMode::w_128 ? "im2col::w::128 load"
                                            : names[is_store ? 1 : 0];
  if (copy.reduction != TensorReduction::none) {
    use.copy = names[2];
    use.reduction = tensor_reduction_names[static_cast<size_t>(copy.reduction)];
  }
  use.is_missing = is_wide(copy) && !has_tcgen05(readings.arch());
  if (use.is_missing) return use;
  spec::RuleSet met;
  conclude(use, end_of_issue(copy, readings, met), met);
  if (!use.serves) return use;
  hold_against_memory(use, column_of(copy, readings).shared_bytes);
  if (use.serves && !is_store) use.transaction_bytes = transaction_bytes(copy, readings);
  return use;
}

/// A load, a store and every reduction.
template <typename Copy, typename Of>
void add_all(Copy copy, const Of& of, const spec::Readings& readings, std::vector<MapUse>& uses) {
  copy.direction = CopyDirection::load;
  uses.push_back(of(copy, readings));
  copy.direction = CopyDirection::store;
  uses.push_back(of(copy, readings));
  for (size_t i = 1; i < tensor_reduction_names.size(); ++i) {
    copy.reduction = static_cast<TensorReduction>(i);
    uses.push_back(of(copy, readings));
  }
}

void refuse_other_mode(std::string_view copy, bool is_missing, std::vector<MapUse>& uses) {
  MapUse use;
  use.copy = copy;
  use.is_missing = is_missing;
  if (!is_missing) use.rule = rule("IM2C-R15");
  uses.push_back(use);
}

std::vector<MapUse> uses_of_tiled(const TensorMapArgs& map, const spec::Readings& readings) {
  std::vector<MapUse> uses;
  TensorCopyCase copy;
  static_cast<TensorMapArgs&>(copy.map) = map;
  copy.instruction_rank = map.rank;
  add_all(copy, of_tile, readings, uses);
  uses.push_back(of_gather(copy, readings));
  copy.direction = CopyDirection::store;
  uses.push_back(of_gather(copy, readings));
  for (const std::string_view name : im2col_names)
    if (name != im2col_names[2]) refuse_other_mode(name, false, uses);
  const bool has_wide = has_tcgen05(readings.arch());
  for (const std::string_view name : {"im2col::w load", "im2col::w::128 load"})
    refuse_other_mode(name, !has_wide, uses);
  return uses;
}

std::vector<MapUse> uses_of_im2col(const Im2colMapArgs& map, const spec::Readings& readings) {
  std::vector<MapUse> uses;
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  copy.map = map;
  copy.instruction_rank = map.rank;
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k) copy.coord[dimension_of_axis(map, k)] = map.lower[k];
  add_all(copy, of_im2col, readings, uses);
  for (const CopyMode mode : {CopyMode::w, CopyMode::w_128}) {
    copy.mode = mode;
    uses.push_back(of_im2col(copy, readings));
  }
  copy.mode = CopyMode::im2col;
  refuse_other_mode(tile_names[0], false, uses);
  refuse_other_mode(tile_names[1], false, uses);
  const bool has_gather = has_tcgen05(readings.arch());
  for (const std::string_view name : {"tile::gather4 load", "tile::scatter4 store"})
    refuse_other_mode(name, !has_gather, uses);
  return uses;
}

}  // namespace

std::vector<MapUse> uses_of_map(const MapArguments& arguments, const spec::Readings& readings) {
  return arguments.is_im2col ? uses_of_im2col(arguments.map, readings)
                             : uses_of_tiled(arguments.map, readings);
}

}  // namespace assay::model
