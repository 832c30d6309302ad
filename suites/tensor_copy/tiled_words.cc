// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/tiled_words.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/failure/element_words.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

/// Position in the tensor and in the box, dimension 0 first.
struct Element {
  std::array<int64_t, 5> index{};
  std::array<uint32_t, 5> box{};
  uint64_t first_byte = 0;  ///< of the output
  uint64_t logical = 0;     ///< loads: byte of the tile before the swizzle
};

/// Of a load: the swizzle is undone, what is left counts through the box.
std::optional<Element> loaded_element(const TiledCase& c, const model::TiledShape& shape, uint64_t byte) {
  const auto address = static_cast<uint32_t>(byte % c.window_bytes);
  const uint32_t kept = shape.swizzle.place(address);
  if (kept < c.tile_offset || kept - c.tile_offset >= shape.shared_bytes) return std::nullopt;
  Element e;
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
std::optional<Element> stored_element(const TiledCase& c, const model::TiledShape& shape, uint64_t byte) {
  if (byte < c.map.global_address) return std::nullopt;
  uint64_t rest = byte - c.map.global_address;
  std::array<int, 5> order{0, 1, 2, 3, 4};
  std::stable_sort(order.begin(), order.begin() + shape.rank,
                   [&](int a, int b) { return shape.stride[a] > shape.stride[b]; });
  Element e;
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

bool is_inside(const model::TiledShape& shape, const Element& e) {
  for (int i = 0; i < shape.rank; ++i)
    if (e.index[i] < 0 || e.index[i] >= shape.extent[i]) return false;
  return true;
}

std::string code_words(uint64_t code, uint32_t bytes) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*" PRIx64, static_cast<int>(2 * bytes), code);
  return text;
}

}  // namespace

Diagnosis diagnose_tiled(const TiledCase& c, const spec::Readings& readings, const ExpectedOutput& expected,
                         std::span<const uint8_t> observed, uint64_t byte) {
  const spec::DataType* type = spec::find_data_type(c.map.data_type);
  if (type == nullptr || type->is_packed() || c.map.interleave != 0) return {};
  spec::RuleSet rules;
  const model::TiledShape shape = model::shape_of(c, readings, rules);
  if (shape.packing != model::Packing::plain || shape.unit_shared == 0 || shape.pitch == 0) return {};
  const bool is_load = c.direction == TiledDirection::load;
  const auto e = is_load ? loaded_element(c, shape, byte) : stored_element(c, shape, byte);
  const uint32_t bytes = type->bits / 8;
  if (!e || e->first_byte + bytes > observed.size()) return {};
  Diagnosis made;
  made.first = std::string(type->name) + "[" + joined(e->index, shape.rank) +
               "] = " + code_words(element_in(observed, e->first_byte, bytes), bytes) + ", expected " +
               code_words(element_in(expected.bytes, e->first_byte, bytes), bytes);
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
