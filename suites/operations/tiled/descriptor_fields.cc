#include "suites/operations/tiled/descriptor_fields.h"

#include <algorithm>
#include <bit>

#include "reference/model/tiled_case.h"
#include "reference/model/warp_mma_case.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"

namespace assay::suites {
namespace {

std::vector<std::string> numbers(uint64_t first, uint64_t last) {
  std::vector<std::string> made;
  for (uint64_t i = first; i <= last; ++i) made.push_back(std::to_string(i));
  return made;
}
CoveredField number(std::string name, uint64_t lowest, uint64_t highest, uint64_t unit = 1) {
  return {std::move(name), lowest, highest, unit, {}};
}
CoveredField coded(std::string name, std::vector<std::string> values) {
  return {std::move(name), 0, 0, 1, std::move(values)};
}
CoveredField flag(std::string name) {
  return coded(std::move(name), {"0", "1"});
}
std::string at(std::string_view name, size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

// ---- tensor map

std::vector<CoveredField> tensor_map_fields() {
  std::vector<std::string> types;
  for (const spec::DataType& type : spec::data_types) types.emplace_back(type.name);
  std::vector<CoveredField> fields{
      coded("type", types),
      coded("rank", numbers(1, 5)),
      coded("interleave", {"none", "16B", "32B"}),
      coded("swizzle",
            {"none", "32B", "64B", "128B", "128B_atom_32B", "128B_atom_32B_flip_8B", "128B_atom_64B", "96B"}),
      coded("l2_promotion", numbers(0, 3)),
      flag("fill"),
      coded("address mod 128", {"0", "16", "32", "48", "64", "80", "96", "112"})};
  for (size_t i = 0; i < 5; ++i) fields.push_back(number(at("dim", i), 1, uint64_t{1} << 32));
  for (size_t i = 0; i < 4; ++i) fields.push_back(number(at("stride", i), 0, (uint64_t{1} << 40) - 16, 16));
  for (size_t i = 0; i < 5; ++i) fields.push_back(number(at("box", i), 1, 256));
  for (size_t i = 0; i < 5; ++i) fields.push_back(coded(at("traversal", i), numbers(1, 8)));
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
  values[f++] = map.swizzle == swizzle_96B ? 7 : map.swizzle;
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

// ---- shared-memory descriptors

std::vector<CoveredField> smem_fields() {
  const uint64_t highest = (uint64_t{1} << 18) - 16;
  return {number("start", 0, highest, 16),
          number("leading_offset", 0, highest, 16),
          number("stride_offset", 0, highest, 16),
          coded("base_offset", numbers(0, 7)),
          coded("swizzle", {"none", "128B_atom_32B", "128B", "64B", "32B"}),
          flag("leading_is_absolute"),
          coded("start mod 128", {"0", "16", "32", "48", "64", "80", "96", "112"})};
}

void read_matrix(const MatrixInShared& matrix, FieldValues& values) {
  // The position of the code among those that have a meaning.
  const auto swizzle_of = [](uint32_t code) -> uint64_t {
    if (spec::find_smem_swizzle(uint64_t{code}) == nullptr) return spec::smem_swizzles.size();
    return static_cast<uint64_t>(
        std::count_if(spec::smem_swizzles.begin(), spec::smem_swizzles.end(),
                      [code](const spec::SmemSwizzle& row) { return row.tcgen05_code < code; }));
  };
  values[0] = matrix.start;
  values[1] = matrix.leading_offset;
  values[2] = matrix.stride_offset;
  values[3] = matrix.base_offset;
  values[4] = swizzle_of(matrix.swizzle);
  values[5] = matrix.leading_is_absolute;
  values[6] = matrix.start % 128 / 16;
}

bool read_a(const Case& c, FieldValues& values) {
  if (const auto* mma = c.get_if<Tcgen05MmaCase>()) {
    if (mma->a_in_tmem) return false;
    read_matrix(mma->a, values);
  } else if (const auto* wgmma = c.get_if<WgmmaCase>()) {
    if (wgmma->a_in_registers) return false;
    read_matrix(wgmma->a, values);
  } else {
    return false;
  }
  return true;
}
bool read_b(const Case& c, FieldValues& values) {
  if (const auto* mma = c.get_if<Tcgen05MmaCase>())
    read_matrix(mma->b, values);
  else if (const auto* wgmma = c.get_if<WgmmaCase>())
    read_matrix(wgmma->b, values);
  else
    return false;
  return true;
}

// ---- instruction descriptor

std::vector<CoveredField> instruction_fields() {
  return {coded("kind", {"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"}),
          coded("cta_group", {"1", "2"}),
          flag("ws"),
          coded("a_type", numbers(0, 7)),
          coded("b_type", numbers(0, 7)),
          coded("d_type", numbers(0, 3)),
          coded("m", {"32", "64", "128", "256"}),
          number("n", 8, 256, 8),
          flag("transpose_a"),
          flag("transpose_b"),
          flag("negate_a"),
          flag("negate_b"),
          flag("saturate"),
          coded("max_shift", {"0", "8", "16", "32"})};
}

bool read_instruction(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr) return false;
  const auto power = [](uint32_t value, uint32_t lowest) -> uint64_t {
    return std::has_single_bit(value) && value >= lowest
               ? static_cast<uint64_t>(std::countr_zero(value) - std::countr_zero(lowest))
               : 4;
  };
  values = {number_of(c->kind),
            uint64_t{c->cta_group} - 1,
            c->ws,
            c->a_type,
            c->b_type,
            c->d_type,
            power(c->m, 32),
            c->n,
            c->transpose_a,
            c->transpose_b,
            c->negate_a,
            c->negate_b,
            c->saturate,
            c->max_shift == 0 ? 0 : power(c->max_shift, 8) + 1};
  return true;
}

// ---- scale factors

std::vector<CoveredField> scale_fields() {
  return {coded("qualifier", {"none", "1X", "2X", "4X", "block16", "block32"}),
          coded("scale_type", {"ue4m3", "ue8m0"}),
          coded("a_scale_id", numbers(0, 3)),
          coded("b_scale_id", numbers(0, 3)),
          flag("k96"),
          flag("halves")};
}

bool read_scales(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || c->a_scales.columns == 0) return false;
  const uint32_t vector = c->scale_vector;
  values[0] = vector == 4 ? 3 : vector == 16 ? 4 : vector == 32 ? 5 : vector;
  values[1] = c->scale_type;
  values[2] = c->a_scales.id;
  values[3] = c->b_scales.id;
  values[4] = c->k96;
  values[5] = c->scale_halves;
  return true;
}

// ---- zero-column mask

std::vector<CoveredField> mask_fields() {
  std::vector<CoveredField> fields;
  for (size_t i = 0; i < 4; ++i) fields.push_back(number(at("start_count", i), 0, 255));
  for (size_t i = 0; i < 4; ++i) fields.push_back(flag(at("first_is_zeroed", i)));
  fields.push_back(flag("generate"));
  fields.push_back(number("skip_span", 1, 256));
  fields.push_back(number("use_span", 1, 256));
  fields.push_back(number("column_shift", 0, 32));
  return fields;
}

bool read_mask(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || !c->has_mask) return false;
  for (size_t i = 0; i < 4; ++i) values[i] = c->mask.start_count[i];
  for (size_t i = 0; i < 4; ++i) values[4 + i] = c->mask.first_is_zeroed[i];
  values[8] = c->mask.generate;
  values[9] = c->mask.skip_span;
  values[10] = c->mask.use_span;
  values[11] = c->mask.column_shift;
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

std::span<const Descriptor> wgmma_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of A", smem_fields(), read_a);
    list.emplace_back("descriptor of B", smem_fields(), read_b);
    return list;
  }();
  return made;
}

std::span<const Descriptor> tcgen05_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of A", smem_fields(), read_a);
    list.emplace_back("descriptor of B", smem_fields(), read_b);
    list.emplace_back("instruction descriptor", instruction_fields(), read_instruction);
    list.emplace_back("zero-column mask", mask_fields(), read_mask);
    list.emplace_back("scale factors", scale_fields(), read_scales);
    return list;
  }();
  return made;
}

}  // namespace assay::suites
