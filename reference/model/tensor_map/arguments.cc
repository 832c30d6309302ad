// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/arguments.h"

#include "reference/model/tensor_map/im2col_legality.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {
namespace {

namespace map_fields = spec::tensor_map;

constexpr uint32_t no_enumerator = 255;

/// What corners the map has: how many axes, and of which rank their width is.
struct Corners {
  uint32_t axes;
  int rank;
};
Corners corners_of(const spec::TensorMapBytes& bytes, bool wide) {
  const auto rank = static_cast<uint32_t>(get(bytes, map_fields::rank));
  if (wide) return {1, 3};
  return {spatial_axes(rank), static_cast<int>(rank)};
}

}  // namespace

bool is_wide_map(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  return readings.is({"X-13", "as_written"}) && get_raw(bytes, map_fields::mode) != 0 &&
         get_raw(bytes, map_fields::wide) != 0;
}

MapArguments arguments_of(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  MapArguments arguments;
  TensorMapArgs& m = arguments.map;
  arguments.is_im2col = get_raw(bytes, map_fields::mode) != 0;
  m.rank = static_cast<uint32_t>(get(bytes, map_fields::rank));
  const auto* type = spec::find_data_type_by_code(static_cast<uint32_t>(get_raw(bytes, map_fields::type)),
                                                  get_raw(bytes, map_fields::tf32) != 0);
  m.data_type = type == nullptr ? no_enumerator : type->host;
  const auto* swizzle =
      spec::find_swizzle_by_code(static_cast<uint32_t>(get_raw(bytes, map_fields::swizzle_width)),
                                 static_cast<uint32_t>(get_raw(bytes, map_fields::swizzle_atomicity)),
                                 get_raw(bytes, map_fields::swizzle_96B) != 0);
  m.swizzle = swizzle == nullptr ? no_enumerator : swizzle->host;
  m.interleave = static_cast<uint32_t>(get_raw(bytes, map_fields::interleave));
  m.oob_fill = static_cast<uint32_t>(get_raw(bytes, map_fields::fill));
  m.l2_promotion = static_cast<uint32_t>(get_raw(bytes, map_fields::l2_promotion));
  m.global_address = get(bytes, map_fields::global_address);
  for (uint32_t i = 0; i < 5; ++i) {
    m.global_dim[i] = get(bytes, map_fields::global_dim[i]);
    m.element_stride[i] = static_cast<uint32_t>(get(bytes, map_fields::element_stride[i]));
    if (i < 4) m.global_stride[i] = get(bytes, map_fields::global_stride[i]);
  }
  if (!arguments.is_im2col) {
    for (uint32_t i = 0; i < 5; ++i) m.box_dim[i] = static_cast<uint32_t>(get(bytes, map_fields::box_dim[i]));
    return arguments;
  }
  arguments.map.channels = static_cast<uint32_t>(get(bytes, map_fields::channels));
  arguments.map.pixels = static_cast<uint32_t>(get(bytes, map_fields::pixels));
  const bool wide = is_wide_map(bytes, readings);
  arguments.map.wide = wide;
  if (wide) arguments.map.wide_mode = static_cast<uint32_t>(get_raw(bytes, map_fields::wide_128));
  const Corners corners = corners_of(bytes, wide);
  for (uint32_t k = 0; k < corners.axes; ++k) {
    const auto corner = [&](bool upper) {
      return map_fields::signed_corner(
          get_raw(bytes, map_fields::corner_at(corners.rank, static_cast<int>(k), upper)), corners.rank);
    };
    arguments.map.lower[k] = corner(false);
    arguments.map.upper[k] = corner(true);
  }
  return arguments;
}

MapArguments arguments_of(const spec::TensorMapBytes& bytes) {
  return arguments_of(bytes, spec::Readings(spec::Arch::sm_90));
}

std::span<const spec::Field> fields_of(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  if (get_raw(bytes, map_fields::mode) == 0) return map_fields::tiled_fields;
  if (is_wide_map(bytes, readings)) return map_fields::wide_fields;
  const auto rank = static_cast<int>(get(bytes, map_fields::rank));
  return map_fields::im2col_fields_of(rank < 3 || rank > 5 ? 4 : rank);
}

spec::RuleSet broken_rules_of_map(const MapArguments& arguments, const spec::Readings& readings,
                                  CopyDirection direction) {
  const TensorMapArgs& m = arguments.map;
  spec::RuleSet broken = arguments.is_im2col ? broken_column_map_rules(arguments.map, readings)
                                             : broken_map_rules(m, readings, direction);
  for (uint32_t i = 0; i < m.rank && i < 5; ++i)
    if (m.global_dim[i] > spec::max_usable_global_dim) broken.set(spec::rule("TILE-R25"));
  if (m.global_address >= spec::global_address_end) broken.set(spec::rule("V-49"));
  return broken;
}

spec::RuleSet broken_rules_of_map(const spec::TensorMapBytes& bytes, const spec::Readings& readings,
                                  CopyDirection direction) {
  return broken_rules_of_map(arguments_of(bytes), readings, direction);
}

}  // namespace assay::model
