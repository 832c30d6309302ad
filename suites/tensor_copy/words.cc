// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/family.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/failure/element_words.h"
#include "suites/run/words.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

/// Position in the tensor and in the box, dimension 0 first.
struct CopyElement {
  std::array<int64_t, 5> index{};
  std::array<uint32_t, 5> box{};
  uint64_t first_byte = 0;  ///< of the output
  uint64_t logical = 0;     ///< loads: byte of the tile before the swizzle
};

/// Of a load: the swizzle is undone, what is left counts through the box.
std::optional<CopyElement> loaded_element(const TensorCopyCase& c, const model::TiledShape& shape,
                                          uint64_t byte) {
  const auto address = static_cast<uint32_t>(byte % c.window_bytes);
  const uint32_t kept = shape.swizzle.place(address);
  if (kept < c.tile_offset || kept - c.tile_offset >= shape.shared_bytes) return std::nullopt;
  CopyElement e;
  e.logical = kept - c.tile_offset;
  const uint64_t in_row = e.logical % shape.pitch;
  if (in_row >= shape.inner) return std::nullopt;
  e.box[0] = static_cast<uint32_t>(in_row / shape.unit_shared);
  uint64_t row = e.logical / shape.pitch;
  for (int i = 1; i < shape.rank; ++i) {
    e.box[i] = static_cast<uint32_t>(row % shape.count[i]);
    row /= shape.count[i];
  }
  if (row != 0) return std::nullopt;
  for (int i = 0; i < shape.rank; ++i) e.index[i] = shape.start[i] + e.box[i] * shape.step[i];
  e.logical = e.logical / shape.unit_shared * shape.unit_shared;
  e.first_byte = byte - address + shape.swizzle.place(static_cast<uint32_t>(c.tile_offset + e.logical));
  return e;
}

/// Of a store: the largest stride first. Where strides let rows overlap this is one of several answers.
std::optional<CopyElement> stored_element(const TensorCopyCase& c, const model::TiledShape& shape,
                                          uint64_t byte) {
  if (byte < c.map.global_address) return std::nullopt;
  uint64_t rest = byte - c.map.global_address;
  std::array<int, 5> order{0, 1, 2, 3, 4};
  std::stable_sort(order.begin(), order.begin() + shape.rank,
                   [&](int a, int b) { return shape.stride[a] > shape.stride[b]; });
  CopyElement e;
  for (int n = 0; n < shape.rank; ++n) {
    const int i = order[n];
    if (shape.stride[i] == 0) continue;
    e.index[i] = static_cast<int64_t>(rest / shape.stride[i]);
    rest %= shape.stride[i];
    const int64_t from_start = e.index[i] - shape.start[i];
    if (e.index[i] >= shape.extent[i] || from_start < 0 || from_start % shape.step[i] != 0 ||
        from_start / shape.step[i] >= shape.count[i])
      return std::nullopt;
    e.box[i] = static_cast<uint32_t>(from_start / shape.step[i]);
  }
  e.first_byte = byte - rest;
  return e;
}

template <typename List>
std::string joined(const List& list, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(list[i]);
  return text;
}

bool is_inside(const model::TiledShape& shape, const CopyElement& e) {
  for (int i = 0; i < shape.rank; ++i)
    if (e.index[i] < 0 || e.index[i] >= shape.extent[i]) return false;
  return true;
}

/// The element of some bytes there, as a number.
std::string code_in(std::span<const uint8_t> bytes, uint64_t at, uint32_t size) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*" PRIx64, static_cast<int>(2 * size), element_in(bytes, at, size));
  return text;
}

std::string pixel_words(const model::Pixel& pixel, uint32_t axes) {
  return "(" + list_words(pixel.at, axes) + ") of image " + std::to_string(pixel.image);
}

std::string operation(const TensorCopyCase& c) {
  if (c.reduction != TensorReduction::none)
    return "reduce " + std::string(tensor_reduction_names[static_cast<size_t>(c.reduction)]);
  if (is_gather(c)) return is_store(c) ? "scatter4" : "gather4";
  return std::string(copy_direction_names[static_cast<size_t>(c.direction)]) +
         (is_wide(c) ? " " + std::string(copy_mode_names[static_cast<size_t>(c.mode)]) : "");
}

/// The element that a wrong byte of a tiled copy's output belongs to, by its coordinates in the tensor, where
/// in the box it is and where its 16-byte piece lies.
Diagnosis diagnose_tile(const TensorCopyCase& c, const spec::Readings& readings,
                        const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t byte) {
  const spec::DataType* type = spec::find_data_type(c.map.data_type);
  if (type == nullptr || type->is_packed() || c.map.interleave != 0) return {};
  spec::RuleSet rules;
  const model::TiledShape shape = model::shape_of(c, readings, rules);
  if (shape.packing != model::Packing::plain || shape.unit_shared == 0 || shape.pitch == 0) return {};
  const bool is_load = c.direction == CopyDirection::load;
  const auto e = is_load ? loaded_element(c, shape, byte) : stored_element(c, shape, byte);
  const uint32_t bytes = type->bits / 8;
  if (!e || e->first_byte + bytes > observed.size()) return {};
  Diagnosis made;
  made.first = std::string(type->name) + "[" + joined(e->index, shape.rank) +
               "] = " + code_in(observed, e->first_byte, bytes) + ", expected " +
               code_in(expected.bytes, e->first_byte, bytes);
  made.lines.push_back("the first wrong element is at (" + joined(e->box, shape.rank) + ") of the box and (" +
                       joined(e->index, shape.rank) + ") of the tensor, dimension 0 first" +
                       (is_inside(shape, *e) ? "" : ", which is outside of it: the fill"));
  if (is_load && shape.swizzle.atoms > 1) {
    const uint64_t belongs = c.tile_offset + e->logical, kept = e->first_byte % c.window_bytes;
    made.lines.push_back("its 16-byte piece, at byte " + std::to_string(belongs / 16 * 16) +
                         " of the window without a swizzle, is at " + std::to_string(kept / 16 * 16) +
                         " with it, in line " + std::to_string(kept / 128));
  }
  if (c.cluster_size > 1)
    made.lines.push_back("in the window of the CTA of rank " + std::to_string(byte / c.window_bytes));
  return made;
}

/// The element of a load that a wrong byte belongs to, by its pixel and channel: `f16 channel 9 of pixel 12
/// is 0x3c00, expected 0x4200`.
Diagnosis diagnose_column(const TensorCopyCase& c, const spec::Readings& readings,
                          const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t byte) {
  const spec::DataType* type = spec::find_data_type(c.map.data_type);
  if (c.direction == CopyDirection::store || type == nullptr || type->is_packed()) return {};
  const model::ColumnShape shape = model::column_of(c, readings);
  const auto address = static_cast<uint32_t>(byte % c.window_bytes);
  const model::SwizzlePattern pattern = model::pattern_of(*spec::find_swizzle(c.map.swizzle));
  const uint32_t kept = pattern.place(address);
  if (kept < c.tile_offset || kept - c.tile_offset >= shape.shared_bytes) return {};
  const uint32_t number = (kept - c.tile_offset) / shape.pitch, in_row = (kept - c.tile_offset) % shape.pitch;
  if (in_row >= shape.inner || number >= shape.pixels) return {};
  const uint32_t bytes = type->bits / 8;
  const uint32_t element = kept - in_row % bytes;
  const uint64_t at = byte - address + pattern.place(element);
  if (at + bytes > observed.size()) return {};
  const uint32_t axes = spatial_axes(c.map.rank);
  const model::Pixel pixel = model::Im2colWalk(c, readings).pixel(number);
  unsigned __int128 unused;
  Diagnosis made;
  made.first = std::string(type->name) + " channel " + std::to_string(in_row / bytes) + " of pixel " +
               std::to_string(number) + " is " + code_in(observed, at, bytes) + ", expected " +
               code_in(expected.bytes, at, bytes);
  made.lines.push_back(
      "pixel " + std::to_string(number) + " of the column is " + pixel_words(pixel, axes) + ", W first" +
      (model::is_in_tensor(c, pixel, unused) ? "" : ", which is outside of the tensor: the fill"));
  if (c.cluster_size > 1)
    made.lines.push_back("in the window of the CTA of rank " + std::to_string(byte / c.window_bytes));
  return made;
}

/// Of copies of four rows the element of one of them.
Diagnosis diagnose_rows(const TensorCopyCase& c, const spec::Readings& readings,
                        const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t byte) {
  for (uint32_t q = 0; q < gathered_rows; ++q) {
    TensorCopyCase row = model::row_of(c, q, readings);
    row.tile_offset += q * model::shape_of(row, readings).pitch;
    Diagnosis made = diagnose_tile(row, readings, expected, observed, byte);
    if (made.first.empty()) continue;
    made.lines.push_back("it belongs to row " + std::to_string(q) + " of the instruction");
    return made;
  }
  return {};
}

}  // namespace

Diagnosis diagnose_copy(const TensorCopyCase& c, const spec::Readings& readings,
                        const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t byte) {
  return (is_column(c)   ? diagnose_column
          : is_gather(c) ? diagnose_rows
                         : diagnose_tile)(c, readings, expected, observed, byte);
}

std::string_view place_words(const TensorCopyCase& c) {
  return is_column(c) ? "column" : is_gather(c) ? "rows" : "tile";
}

std::vector<std::pair<std::string, std::string>> copy_fields(const TensorCopyCase& c) {
  auto list = is_column(c) ? im2col_map_fields(c.map) : map_fields(c.map);
  list.emplace(list.begin(), "operation", operation(c));
  list.emplace_back("coordinates", list_words(c.coord, is_gather(c) ? 5 : c.map.rank));
  if (c.instruction_rank != c.map.rank)
    list.emplace_back("instruction rank", std::to_string(c.instruction_rank));
  list.emplace_back("tile offset", std::to_string(c.tile_offset) + " (phase " +
                                       std::to_string(c.tile_offset / 128 % 8) + ")");
  tell(c, list);
  if (c.cluster_size > 1)
    list.emplace_back("cluster", std::to_string(c.cluster_size) + " CTAs, mask " + hex_words(c.cta_mask) +
                                     ", issuer " + std::to_string(c.issuer_rank));
  return list;
}

std::string copy_brief(const TensorCopyCase& c) {
  const bool is_named = is_gather(c) || is_wide(c) || c.reduction != TensorReduction::none;
  return (is_named ? " " + operation(c) : "") + (is_column(c) ? im2col_map_brief(c.map) : map_brief(c.map)) +
         (is_gather(c) ? " at " + list_words(c.coord, 5) : "");
}

Diagnosis diagnose_tensor_map(const ExpectedOutput& expected, std::span<const uint8_t> observed,
                              uint64_t byte) {
  const auto wrong = static_cast<uint8_t>((expected.bytes[byte] ^ observed[byte]) & expected.defined[byte]);
  const size_t bit = 8 * byte + static_cast<size_t>(std::countr_zero(wrong));
  const auto value = [](std::span<const uint8_t> map, const spec::Field& field) {
    return spec::get(std::as_bytes(map), field);
  };
  for (const spec::Field& field : spec::tensor_map::tiled_fields)
    for (const spec::BitRange& bits : field.parts) {
      if (bit < bits.lsb || bit >= size_t{bits.lsb} + bits.width) continue;
      const auto words = [&](uint64_t v) {
        return field.unit == 1 && field.width() < 40 ? std::to_string(v) : hex_words(v);
      };
      return {std::string(field.name) + (field.index < 0 ? "" : "[" + std::to_string(field.index) + "]") +
                  " is " + words(value(observed, field)) + ", expected " +
                  words(value(expected.bytes, field)),
              {}};
    }
  return {};
}

}  // namespace assay::suites
