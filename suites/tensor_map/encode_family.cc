// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/encode_family.h"

#include <algorithm>
#include <bit>
#include <span>

#include "kernels/params/map_program.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/run/field_coverage.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

constexpr std::string_view encode_map_text =
#include "suites/tensor_map/encode_map_host.inc"
    ;
constexpr std::string_view copy_text =
#include "suites/tensor_copy/copy_host.inc"
    ;
constexpr std::string_view encode_run_text =
#include "suites/tensor_map/encode_run_host.inc"
    ;

std::string record_type(std::string_view record) {
  return "using Record = assay::params::" + std::string(record) + ";\n";
}

}  // namespace

std::string_view tiled_encode_map() {
  return encode_map_text;
}
std::string copy_host(std::string_view record, std::string_view encode_map) {
  return record_type(record).append(encode_map).append(copy_text);
}
std::string encode_host(std::string_view record, std::string_view call_encoder) {
  return record_type(record).append(call_encoder).append(encode_run_text);
}

namespace {

std::vector<CoveredField> tensor_map_fields() {
  std::vector<CoveredField> fields = covered_members<TensorMapArgs>("tensor map");
  fields.insert(fields.begin() + map_address_field, covered_line_offset("address mod 128"));
  return fields;
}

bool read_tensor_map(const Case& c, FieldValues& values) {
  const auto* tiled = c.get_if<TensorCopyCase>();
  const auto* encode = c.get_if<EncodeTiledCase>();
  if (tiled == nullptr ? encode == nullptr : tiled->mode != CopyMode::tile) return false;
  const TensorMapArgs& map = tiled != nullptr ? tiled->map : encode->map;
  size_t at = 0;
  read_members(map, "tensor map", values, at);
  insert_map_address(map, values);
  limit_to_rank(map.rank, {5, 4, 5, 5}, map_address_field + 1, values);
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

void insert_map_address(const TensorMapArgs& map, FieldValues& values) {
  values.pop_back();
  values.insert(values.begin() + map_address_field,
                map.global_address % 16 != 0 ? 8 : map.global_address % 128 / 16);
}

void limit_to_rank(uint32_t rank, std::initializer_list<uint32_t> lists, size_t first, FieldValues& values) {
  for (const uint32_t entries : lists) {
    for (uint32_t i = 0; i < entries; ++i)
      if (i + (5 - entries) >= rank) values[first + i] = std::nullopt;
    first += entries;
  }
}

namespace {

std::string corner_words(const std::array<int32_t, 3>& corner, uint32_t axes) {
  return list_words(corner, axes);
}

/// A corner's place in its range: the ends, their neighbours, the signs between.
constexpr const char* corner_classes[] = {"lowest",   "lowest + 1",  "negative", "0",
                                          "positive", "highest - 1", "highest"};
uint64_t class_of_corner(int32_t corner, int bits) {
  const int32_t end = 1 << (bits - 1);
  if (corner < -end || corner >= end) return std::size(corner_classes);
  if (corner <= -end + 1) return static_cast<uint64_t>(corner + end);
  if (corner >= end - 2) return static_cast<uint64_t>(corner - (end - 2) + 5);
  return corner < 0 ? 2 : corner == 0 ? 3 : 4;
}

/// Behind the fields up to the pixels of a column.
constexpr size_t corner_fields = map_address_field + 3;

std::vector<CoveredField> im2col_map_covered() {
  std::vector<CoveredField> fields = covered_members<Im2colMapArgs>("tensor map");
  fields.insert(fields.begin() + map_address_field, covered_line_offset("address mod 128"));
  const std::vector<std::string> classes(std::begin(corner_classes), std::end(corner_classes));
  std::vector<CoveredField> corners;
  for (const char* name : {"lower", "upper"})
    for (size_t k = 0; k < 3; ++k) corners.push_back(covered_codes(indexed_name(name, k), classes));
  fields.insert(fields.begin() + corner_fields, corners.begin(), corners.end());
  return fields;
}

void read_im2col_map(const Im2colMapArgs& map, FieldValues& values) {
  const TensorMapArgs& m = map;
  size_t at = 0;
  read_members(map, "tensor map", values, at);
  insert_map_address(m, values);
  const uint32_t axes = map.wide ? std::min(1u, spatial_axes(m.rank)) : spatial_axes(m.rank);
  const int bits = axes == 0 ? 16 : spec::tensor_map::corner_bits(static_cast<int>(m.rank));
  FieldValues corners;
  for (const auto* corner : {&map.lower, &map.upper})
    for (uint32_t k = 0; k < 3; ++k)
      corners.push_back(k < axes ? std::optional(class_of_corner((*corner)[k], bits)) : std::nullopt);
  values.resize(values.size() - corners.size());
  values.insert(values.begin() + corner_fields, corners.begin(), corners.end());
  limit_to_rank(m.rank, {5, 4, 5}, corner_fields + corners.size(), values);
}

bool read_map(const Case& c, FieldValues& values) {
  const auto* copy = c.get_if<TensorCopyCase>();
  const auto* call = c.get_if<EncodeIm2colCase>();
  if (copy == nullptr ? call == nullptr : !is_column(*copy)) return false;
  read_im2col_map(copy != nullptr ? copy->map : call->map, values);
  return true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> im2col_map_fields(const Im2colMapArgs& map) {
  auto list = map_fields(map);
  const auto box = std::find_if(list.begin(), list.end(), [](const auto& row) { return row.first == "box"; });
  const uint32_t axes = map.wide ? 1 : std::max(1u, spatial_axes(map.rank));
  *box = {"lower corner", corner_words(map.lower, axes)};
  const std::pair<std::string, std::string> more[] = {{"upper corner", corner_words(map.upper, axes)},
                                                      {"channels", std::to_string(map.channels)},
                                                      {"pixels", std::to_string(map.pixels)}};
  list.insert(box + 1, std::begin(more), std::end(more));
  if (map.wide)
    list.emplace_back("wide mode", map.wide_mode == 0   ? "W"
                                   : map.wide_mode == 1 ? "W128"
                                                        : std::to_string(map.wide_mode));
  return list;
}

std::string im2col_map_brief(const Im2colMapArgs& map) {
  std::string text;
  for (const auto& [name, value] : im2col_map_fields(map)) {
    if (name == "type") text += " " + value;
    if (name == "rank") text += " rank " + value;
    if (name == "lower corner") text += " corners " + value;
    if (name == "upper corner") text += ", " + value;
    if (name == "channels" || name == "pixels") text += " " + name + " " + value;
    if ((name == "interleave" || name == "swizzle") && value != "none") text += " " + name + " " + value;
  }
  return text;
}

std::span<const Descriptor> im2col_map_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("im2col tensor map", im2col_map_covered(), read_map);
    return list;
  }();
  return made;
}

std::string im2col_field_of_bit(const Im2colMapArgs& map, size_t bit) {
  const int rank = spatial_axes(map.rank) == 0 ? 4 : static_cast<int>(map.rank);
  for (const spec::Field& field : spec::tensor_map::im2col_fields_of(rank))
    for (const spec::BitRange& bits : field.parts)
      if (bit >= bits.lsb && bit < size_t{bits.lsb} + bits.width) return std::string(field.name);
  return "none";
}

namespace {

constexpr uint64_t bytes_of_map = 128;

std::string field_at(size_t bit) {
  for (const spec::Field& field : spec::tensor_map::tiled_fields)
    for (const spec::BitRange& bits : field.parts)
      if (bit >= bits.lsb && bit < size_t{bits.lsb} + bits.width) return std::string(field.name);
  return "no field";
}

/// Of a map that begins at `begin`.
Diagnosis diagnose_map(const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t begin,
                       uint64_t byte) {
  ExpectedOutput map;
  const auto at = static_cast<ptrdiff_t>(begin);
  map.bytes.assign(expected.bytes.begin() + at, expected.bytes.begin() + at + bytes_of_map);
  map.defined.assign(expected.defined.begin() + at, expected.defined.begin() + at + bytes_of_map);
  return diagnose_tensor_map(map, observed.subspan(begin, bytes_of_map), byte - begin);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> map_program_fields(const MapProgramCase& c) {
  std::vector<std::pair<std::string, std::string>> list;
  list.emplace_back("map begins as", std::string(map_start_names[static_cast<size_t>(c.start)]) +
                                         (c.start == MapStart::random ? " " + std::to_string(c.seed) : ""));
  if (c.start == MapStart::driver)
    for (auto& field : map_fields(c.map)) list.push_back(std::move(field));
  if (c.start == MapStart::im2col)
    for (auto& field : im2col_map_fields(c.map)) list.push_back(std::move(field));
  list.emplace_back(
      "map lies in",
      "." + std::string(map_memory_names[static_cast<size_t>(c.memory)]) +
          (c.place != 0 ? ", " + std::to_string(c.place) + " bytes behind a multiple of 256" : ""));
  if (c.in_shared)
    list.emplace_back("replacements", c.shared_map == 0
                                          ? "in .shared::cta"
                                          : "in .shared::cta, at window + " + std::to_string(c.shared_map));
  uint32_t use = 0;
  for (uint32_t i = 0; i < c.steps; ++i) {
    std::string words = step_words(c, i);
    if (c.step[i].is(MapOp::use)) {
      const MapUse& u = c.use[use++];
      words += ": " + std::to_string(u.rank) + "d at " + list_words(u.coord, u.rank);
      if (u.instruction == MapInstruction::im2col_load)
        words += ", offsets " + list_words(u.offset, spatial_axes(u.rank));
    }
    list.emplace_back("step " + std::to_string(i), words);
  }
  tell(c, list);
  return list;
}

std::string place_in_map_program(const MapProgramCase& c, uint64_t byte, uint8_t wrong) {
  const size_t bit = static_cast<size_t>(std::countr_zero(wrong)) & 7;
  const uint64_t windows = params::map_area_bytes + bytes_of_map * c.steps;
  if (c.slot_bytes != 0 && byte >= model::slot_at(c)) return "slot";
  if (byte >= windows) return "window of a copy";
  if (byte >= params::map_area_bytes) return "field " + field_at(8 * (byte % bytes_of_map) + bit);
  return byte - c.place < bytes_of_map ? "field " + field_at(8 * (byte - c.place) + bit) : "beside the map";
}

Diagnosis diagnose_map_program(const MapProgramCase& c, const ExpectedOutput& expected,
                               std::span<const uint8_t> observed, uint64_t byte) {
  const uint64_t windows = params::map_area_bytes + bytes_of_map * c.steps;
  if (byte < params::map_area_bytes) {
    if (byte - c.place >= bytes_of_map) return {};
    // What went wrong there shows in the snapshot of the step that did it, if it was an edit.
    for (uint64_t later = params::map_area_bytes; later < windows; ++later)
      if (((expected.bytes[later] ^ observed[later]) & expected.defined[later]) != 0)
        return diagnose_map_program(c, expected, observed, later);
    Diagnosis made = diagnose_map(expected, observed, c.place, byte);
    made.first = "at the end of the program, in global memory: " + made.first;
    return made;
  }
  if (byte < windows) {
    const auto step = static_cast<uint32_t>((byte - params::map_area_bytes) / bytes_of_map);
    Diagnosis made = diagnose_map(expected, observed, params::map_area_bytes + bytes_of_map * step, byte);
    made.first = "after step " + std::to_string(step) + " (" + step_words(c, step) + ") " + made.first;
    return made;
  }
  if (c.slot_bytes != 0 && byte >= model::slot_at(c)) {
    Diagnosis made;
    made.first = "byte " + std::to_string(byte - model::slot_at(c)) + " of the slot is " +
                 hex_words(observed[byte]) + ", expected " + hex_words(expected.bytes[byte]);
    return made;
  }
  if (c.window_bytes == 0) return {};
  const auto use = static_cast<uint32_t>((byte - windows) / c.window_bytes);
  uint32_t before = 0;
  for (uint32_t i = 0; i < c.steps; ++i)
    if (c.step[i].is(MapOp::use) && before++ == use) {
      Diagnosis made;
      made.first = "step " + std::to_string(i) + " (use " + std::to_string(use) + "): byte " +
                   std::to_string((byte - windows) % c.window_bytes) + " of the window is " +
                   hex_words(observed[byte]) + ", expected " + hex_words(expected.bytes[byte]);
      return made;
    }
  return {};
}

}  // namespace assay::suites
