// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

/// Window behind the tile: shows writes beyond it.
constexpr uint32_t guard_bytes = 1024;
/// Largest tensor of a row, bytes: rows are worked examples, not benchmarks.
constexpr uint64_t largest_tensor = 16 << 20;

spec::Readings readings_for(const TensorCopyCase& copy) {
  return spec::Readings(
      arch_for(*spec::find_swizzle(copy.map.swizzle), *spec::find_data_type(copy.map.data_type)));
}

/// Throws RowError when the reference says that the copy does not simply run.
void require_done(model::End end, const TensorCopyCase& copy, const spec::Readings& readings) {
  if (end == model::End::done) return;
  const spec::RuleSet broken = model::broken_map_rules(copy.map, readings);
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (broken.test(i))
      throw RowError{"the map breaks " + std::string(spec::rule_table[i].id) + ": " +
                     std::string(spec::rule_table[i].words)};
  throw RowError{"the copy does not run: it faults, or its tile or tensor has no room"};
}

/// The same for what must hold before anything of the copy is worked out.
void require_legal(const TensorCopyCase& copy, const spec::Readings& readings) {
  if (model::broken_map_rules(copy.map, readings).any()) require_done(model::End::rejected, copy, readings);
}

/// Byte `plane` of every byte's own offset.
std::vector<std::byte> offsets_plane(size_t bytes, int plane) {
  std::vector<std::byte> memory(bytes);
  for (size_t i = 0; i < bytes; ++i) memory[i] = static_cast<std::byte>(i >> (8 * plane));
  return memory;
}

}  // namespace

const spec::Swizzle& swizzle_named(std::string_view name) {
  static constexpr std::pair<std::string_view, uint32_t> names[] = {
      {"none", 0},   {"32", 1},       {"64", 2},     {"128", 3},
      {"128a32", 4}, {"128a32f8", 5}, {"128a64", 6}, {"96", swizzle_96B}};
  for (const auto& [text, host] : names)
    if (text == name) return *spec::find_swizzle(host);
  throw RowError{"'" + std::string(name) +
                 "' is not a swizzle: none, 32, 64, 96, 128, 128a32, 128a32f8 or 128a64"};
}

spec::Arch arch_for(const spec::Swizzle& swizzle, const spec::DataType& type) {
  for (const spec::Arch arch : spec::all_archs)
    if (swizzle.exists(arch) && type.exists(arch)) return arch;
  return spec::arch_with_every_map;
}

const spec::DataType& type_of_size(int64_t bytes, bool nan_fill) {
  for (const spec::DataType& type : spec::data_types)
    if (!type.is_packed() && !type.tf32 && type.is_float == nan_fill && type.bits == bytes * 8) return type;
  throw RowError{"no type for esize " + std::to_string(bytes) + (nan_fill ? " with NaN fill" : "")};
}

TensorCopyCase tile_case(const Pairs& params, CopyDirection direction) {
  TensorCopyCase copy;
  copy.direction = direction;
  TensorMapArgs& map = copy.map;
  const int64_t rank = params.number("rank");
  if (rank < 1 || rank > 5) throw RowError{"rank " + std::to_string(rank) + " is not 1 to 5"};
  map.rank = copy.instruction_rank = static_cast<uint32_t>(rank);
  assign(map.global_dim, params, "dims");
  assign(map.global_stride, params, "strides");
  assign(map.box_dim, params, "box");
  assign(map.element_stride, params, "estr");
  assign(copy.coord, params, "coords");
  map.swizzle = swizzle_named(params.text("swz")).host;
  copy.tile_offset = narrow<uint32_t>("base", params.number("base"));
  std::string fill = "zero";
  if (direction == CopyDirection::load) fill = params.text("fill");
  if (fill != "zero" && fill != "nan") throw RowError{"fill '" + fill + "' is neither zero nor nan"};
  map.oob_fill = fill == "nan";
  map.data_type = type_of_size(params.number("esize"), fill == "nan").host;
  const spec::Readings readings = readings_for(copy);
  require_legal(copy, readings);
  const uint64_t end = uint64_t{copy.tile_offset} + model::footprint(copy, readings).shared_bytes;
  if (end > model::shared_memory_bytes) throw RowError{"the tile extends past the 228 KiB of shared memory"};
  copy.window_bytes = static_cast<uint32_t>(end) + guard_bytes;
  return copy;
}

LoadMap map_load(const TensorCopyCase& copy) {
  const spec::Readings readings = readings_for(copy);
  require_legal(copy, readings);
  return map_load(copy.window_bytes, copy.tile_offset, model::footprint(copy, readings),
                  [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                    const model::CopyPrediction prediction =
                        model::predict_load(copy, readings, tensor, window, {});
                    require_done(prediction.end, copy, readings);
                    return prediction.transaction_bytes;
                  });
}

LoadMap map_load(uint32_t window_bytes, uint32_t first, const model::CopyFootprint& bytes,
                 const LoadOfTensor& load) {
  if (bytes.global_end > largest_tensor) throw RowError{"the tensor is larger than 16 MiB"};
  LoadMap map;
  const auto run = [&](const std::vector<std::byte>& tensor, std::byte before) {
    std::vector<std::byte> window(window_bytes, before);
    map.transaction_bytes = load(tensor, window);
    return window;
  };
  std::vector<std::byte> planes[3];
  for (int plane = 0; plane < 3; ++plane)
    planes[plane] = run(offsets_plane(bytes.global_end, plane), std::byte{0});
  const auto zeros = run(std::vector<std::byte>(bytes.global_end, std::byte{0x00}), std::byte{0xcd});
  const auto ones = run(std::vector<std::byte>(bytes.global_end, std::byte{0xff}), std::byte{0x32});
  for (size_t i = 0; i < zeros.size(); ++i) {
    const bool written = zeros[i] != std::byte{0xcd} || ones[i] != std::byte{0x32};
    const bool inside = i >= first && i < first + bytes.shared_bytes;
    if (!inside) {
      map.stays_inside &= !written;
      continue;
    }
    int64_t source = not_written;
    if (written) source = from_fill;
    if (written && zeros[i] != ones[i]) {
      source = 0;
      for (int plane = 0; plane < 3; ++plane) source |= static_cast<int64_t>(planes[plane][i]) << (8 * plane);
    }
    map.source.push_back(source);
    map.fill.push_back(zeros[i]);
  }
  return map;
}

std::vector<std::pair<int64_t, int64_t>> map_store(const TensorCopyCase& copy) {
  const spec::Readings readings = readings_for(copy);
  require_legal(copy, readings);
  const model::CopyFootprint bytes = model::footprint(copy, readings);
  if (bytes.global_end > largest_tensor) throw RowError{"the tensor is larger than 16 MiB"};
  const auto run = [&](const std::vector<std::byte>& window, std::byte before) {
    std::vector<std::byte> slot(bytes.global_end, before);
    require_done(model::predict_store(copy, readings, window, slot, {}).end, copy, readings);
    return slot;
  };
  std::vector<std::byte> planes[3];
  for (int plane = 0; plane < 3; ++plane)
    planes[plane] = run(offsets_plane(copy.window_bytes, plane), std::byte{0});
  const auto zeros = run(std::vector<std::byte>(copy.window_bytes, std::byte{0}), std::byte{0xcd});
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < zeros.size(); ++i) {
    if (zeros[i] == std::byte{0xcd}) continue;
    int64_t from = 0;
    for (int plane = 0; plane < 3; ++plane) from |= static_cast<int64_t>(planes[plane][i]) << (8 * plane);
    pairs.emplace_back(static_cast<int64_t>(i), from - copy.tile_offset);
  }
  return pairs;
}

namespace {

/// "0a??ff" as bytes; -1 for "??".
std::vector<int> byte_string(std::string_view key, const std::string& text) {
  if (text.size() % 2 != 0) throw RowError{std::string(key) + " has an odd number of digits"};
  std::vector<int> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const std::string pair = text.substr(i, 2);
    bytes.push_back(pair == "??" ? -1 : static_cast<int>(parse_number(key, "0x" + pair)));
  }
  return bytes;
}

std::string show(const std::vector<int>& bytes) {
  std::string text;
  for (const int byte : bytes) {
    char digits[3] = "??";
    if (byte >= 0) std::snprintf(digits, sizeof digits, "%02x", byte & 0xff);
    text += digits;
  }
  return text;
}

/// One row of 128 elements, no swizzle, tensor and tile at offset 0.
TensorCopyCase one_row(const spec::DataType& type, CopyDirection direction) {
  TensorCopyCase copy;
  copy.direction = direction;
  copy.map.data_type = type.host;
  copy.map.rank = copy.instruction_rank = 1;
  copy.map.global_dim[0] = copy.map.box_dim[0] = 128;
  copy.map.element_stride.fill(1);
  copy.window_bytes = 128;
  return copy;
}

constexpr size_t row_bytes = 128;  ///< room for 128 elements in either memory

std::vector<std::byte> memory_with(const std::vector<int>& bytes) {
  std::vector<std::byte> memory(row_bytes);
  for (size_t i = 0; i < bytes.size(); ++i) memory[i] = static_cast<std::byte>(bytes[i]);
  return memory;
}

}  // namespace

void check_packed(const VectorRow& row, Differences& differences) {
  const std::string& type_name = row.params.text("type");
  const spec::DataType* type = spec::find_data_type(type_name);
  if (type == nullptr || !type->is_packed()) throw RowError{"'" + type_name + "' is not a packed type"};
  const std::string& direction = row.params.text("dir");
  const std::vector<int64_t> elements = row.params.list("elems");
  const std::vector<int> global = byte_string("gmem", row.expected.text("gmem"));
  const std::vector<int> shared = byte_string("smem", row.expected.text("smem"));
  if (global.size() > row_bytes || shared.size() > row_bytes || elements.size() > 128)
    throw RowError{"the row has more than 128 elements"};

  // The elements, lowest bits first, are the global bytes.
  std::vector<int> bits_of_elements(elements.size() * type->bits / 8);
  for (size_t bit = 0; bit < bits_of_elements.size() * 8; ++bit)
    bits_of_elements[bit / 8] |= static_cast<int>(elements[bit / type->bits] >> (bit % type->bits) & 1)
                                 << (bit % 8);
  differences.compare("gmem of the elements", show(global), show(bits_of_elements));

  const spec::Readings readings(spec::Arch::sm_100);
  const bool loads = direction.find("load") != std::string::npos,
             stores = direction.find("store") != std::string::npos;
  if (!loads && !stores) throw RowError{"dir '" + direction + "' is neither load nor store"};
  if (loads) {
    std::vector<std::byte> window(row_bytes), defined(row_bytes, std::byte{0xff});
    const auto prediction = model::predict_load(one_row(*type, CopyDirection::load), readings,
                                                memory_with(global), window, defined);
    if (prediction.end != model::End::done) differences.add("the reference does not load it");
    std::vector<int> seen;
    for (size_t i = 0; i < shared.size(); ++i)
      seen.push_back(defined[i] == std::byte{0} ? -1 : static_cast<int>(window[i]));
    differences.compare("smem after the load", show(shared), show(seen));
  }
  if (stores) {
    std::vector<std::byte> slot(row_bytes);
    const auto prediction =
        model::predict_store(one_row(*type, CopyDirection::store), readings, memory_with(shared), slot, {});
    if (prediction.end != model::End::done) differences.add("the reference does not store it");
    std::vector<int> seen;
    for (size_t i = 0; i < global.size(); ++i) seen.push_back(static_cast<int>(slot[i]));
    differences.compare("gmem after the store", show(global), show(seen));
  }
}

}  // namespace assay::vectors
