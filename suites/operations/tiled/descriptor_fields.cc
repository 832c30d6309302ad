#include "suites/operations/tiled/descriptor_fields.h"

#include "reference/model/tiled_case.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/covered_field.h"

namespace assay::suites {
namespace {

std::vector<CoveredField> tensor_map_fields() {
  std::vector<CoveredField> fields{
      covered_codes("type", covered_names(spec::data_types)),
      covered_codes("rank", covered_range(1, spec::max_rank)),
      covered_codes("interleave", covered_names(spec::interleaves)),
      covered_codes("swizzle", covered_names(spec::swizzles)),
      covered_codes("l2_promotion", covered_range(0, spec::l2_promotions.size() - 1)),
      covered_flag("fill"),
      covered_line_offset("address mod 128")};
  for (size_t i = 0; i < 5; ++i)
    fields.push_back(covered_number(indexed_name("dim", i), 1, spec::max_global_dim));
  for (size_t i = 0; i < 4; ++i)
    fields.push_back(covered_number(indexed_name("stride", i), 0, spec::global_stride_end - 16, 16));
  for (size_t i = 0; i < 5; ++i)
    fields.push_back(covered_number(indexed_name("box", i), 1, spec::max_box_dim));
  for (size_t i = 0; i < 5; ++i)
    fields.push_back(covered_codes(indexed_name("traversal", i), covered_range(1, spec::max_element_stride)));
  return fields;
}

bool read_tensor_map(const Case& c, FieldValues& values) {
  const auto* tiled = c.get_if<TiledCase>();
  const auto* encode = c.get_if<EncodeTiledCase>();
  if (tiled == nullptr && encode == nullptr) return false;
  const TensorMapArgs& map = tiled != nullptr ? tiled->map : encode->map;
  size_t f = 0;
  values[f++] = map.data_type;
  values[f++] = uint64_t{map.rank} - 1;
  values[f++] = map.interleave;
  values[f++] = map.swizzle == swizzle_96B ? spec::host_swizzle::count : map.swizzle;
  values[f++] = map.l2_promotion;
  values[f++] = map.oob_fill;
  values[f++] = map.global_address % 16 != 0 ? 8 : map.global_address % 128 / 16;
  for (uint32_t i = 0; i < 5; ++i, ++f)
    if (i < map.rank) values[f] = map.global_dim[i];
  for (uint32_t i = 0; i < 4; ++i, ++f)
    if (i + 1 < map.rank) values[f] = map.global_stride[i];
  for (uint32_t i = 0; i < 5; ++i, ++f)
    if (i < map.rank) values[f] = map.box_dim[i];
  for (uint32_t i = 0; i < 5; ++i, ++f)
    if (i < map.rank) values[f] = uint64_t{map.element_stride[i]} - 1;
  return true;
}

}  // namespace

std::span<const Descriptor> tensor_map_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("tensor map", tensor_map_fields(), read_tensor_map);
    return list;
  }();
  return made;
}

}  // namespace assay::suites
