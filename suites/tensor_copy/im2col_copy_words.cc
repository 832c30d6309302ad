// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/im2col_copy_words.h"

#include <cstdio>

#include "reference/layout/swizzle.h"
#include "reference/model/tensor_copy/im2col.h"
#include "reference/model/tensor_copy/im2col_fields.h"
#include "reference/spec/tensor_map.h"
#include "suites/failure/element_words.h"
#include "suites/run/words.h"
#include "suites/tensor_map/im2col_map_words.h"

namespace assay::suites {
namespace {

std::string element_code(std::span<const uint8_t> bytes, uint64_t at, uint32_t size) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(2 * size),
                static_cast<unsigned long long>(element_in(bytes, at, size)));
  return text;
}

std::string pixel_words(const model::Pixel& pixel, uint32_t axes) {
  return "(" + list_words(pixel.at, axes) + ") of image " + std::to_string(pixel.image);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> im2col_copy_fields(const Im2colCase& c) {
  auto list = im2col_map_fields(c.map);
  const bool store = c.direction == TiledDirection::store;
  constexpr std::string_view loads[] = {"load", "load im2col::w", "load im2col::w::128"};
  list.emplace(list.begin(), "operation",
               !store ? std::string(loads[static_cast<size_t>(c.mode)])
               : c.reduction == TensorReduction::none
                   ? "store"
                   : "reduce " + std::string(tensor_reduction_names[static_cast<size_t>(c.reduction)]));
  list.emplace_back("coordinates", list_words(c.coord, c.map.base.rank));
  if (c.unicast) list.emplace_back("destination", "one CTA");
  if (!store && !is_wide(c))
    list.emplace_back("offsets", list_words(c.offset, spatial_axes(c.map.base.rank)));
  if (c.instruction_rank != c.map.base.rank)
    list.emplace_back("instruction rank", std::to_string(c.instruction_rank));
  if (c.is_tile_instruction) list.emplace_back("instruction mode", "tile");
  list.emplace_back("tile offset", std::to_string(c.tile_offset) + " (phase " +
                                       std::to_string(c.tile_offset / 128 % 8) + ")");
  tell(c, list);
  std::string flags;
  if (c.prefetch_first) flags += " prefetch";
  if (c.destination_cta) flags += " shared::cta";
  if (c.cache_hint) flags += " cache_hint";
  if (c.spelling != 0) flags += " spelling " + std::to_string(c.spelling);
  if (!flags.empty()) list.emplace_back("qualifiers", flags.substr(1));
  if (c.issuer_thread != 0) list.emplace_back("issuing thread", std::to_string(c.issuer_thread));
  if (c.lanes > 1)
    list.emplace_back("copies", std::to_string(c.lanes) + (c.in_a_row ? " in a row" : ", one a lane") +
                                    ", each (" + list_words(c.lane_step, c.map.base.rank) +
                                    ") further in the tensor and " + std::to_string(c.lane_pitch) +
                                    " bytes in the window");
  if (c.other_map_lanes != 0)
    list.emplace_back("another map", "of the copies " + hex_words(c.other_map_lanes) + ", " +
                                         std::to_string(c.other_map_address) + " bytes further");
  if (c.cluster_size > 1)
    list.emplace_back("multicast", "cluster " + std::to_string(c.cluster_size) + ", mask " +
                                       hex_words(c.cta_mask) + ", issuer " + std::to_string(c.issuer_rank));
  return list;
}

Diagnosis diagnose_im2col(const Im2colCase& c, const spec::Readings& readings, const ExpectedOutput& expected,
                          std::span<const uint8_t> observed, uint64_t byte) {
  const spec::DataType* type = spec::find_data_type(c.map.base.data_type);
  if (c.direction == TiledDirection::store || type == nullptr || type->is_packed()) return {};
  const model::ColumnShape shape = model::column_of(c, readings);
  const auto address = static_cast<uint32_t>(byte % c.window_bytes);
  const model::SwizzlePattern pattern = model::pattern_of(*spec::find_swizzle(c.map.base.swizzle));
  const uint32_t kept = pattern.place(address);
  if (kept < c.tile_offset || kept - c.tile_offset >= shape.shared_bytes) return {};
  const uint32_t number = (kept - c.tile_offset) / shape.pitch, in_row = (kept - c.tile_offset) % shape.pitch;
  if (in_row >= shape.inner || number >= shape.pixels) return {};
  const uint32_t bytes = type->bits / 8;
  const uint32_t element = kept - in_row % bytes;
  const uint64_t at = byte - address + pattern.place(element);
  if (at + bytes > observed.size()) return {};
  const uint32_t axes = spatial_axes(c.map.base.rank);
  const model::Pixel pixel = model::Im2colWalk(c, readings).pixel(number);
  unsigned __int128 unused;
  Diagnosis made;
  made.first = std::string(type->name) + " channel " + std::to_string(in_row / bytes) + " of pixel " +
               std::to_string(number) + " is " + element_code(observed, at, bytes) + ", expected " +
               element_code(expected.bytes, at, bytes);
  made.lines.push_back(
      "pixel " + std::to_string(number) + " of the column is " + pixel_words(pixel, axes) + ", W first" +
      (model::is_in_tensor(c, pixel, unused) ? "" : ", which is outside of the tensor: the fill"));
  if (c.cluster_size > 1)
    made.lines.push_back("in the window of the CTA of rank " + std::to_string(byte / c.window_bytes));
  return made;
}

}  // namespace assay::suites
