// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/layout/swizzle.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

template <typename Numbers>
std::string joined(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : "|") + std::to_string(number);
  return text;
}

std::string pair_text(const std::pair<int64_t, int64_t>& pair) {
  return std::to_string(pair.first) + ":" + std::to_string(pair.second);
}

std::vector<int64_t> visited(const TensorCopyCase& copy) {
  spec::RuleSet rules;
  const spec::Readings readings(
      arch_for(*spec::find_swizzle(copy.map.swizzle), *spec::find_data_type(copy.map.data_type)));
  const model::TiledShape shape = model::shape_of(copy, readings, rules);
  return {shape.count.begin(), shape.count.begin() + shape.rank};
}

/// Whole pieces for the window; nothing where the architecture lacks type or swizzle, or no room is.
bool fits_device(TensorCopyCase& copy, spec::Arch arch) {
  constexpr uint64_t room = 216 * 1024;
  copy.window_bytes = (copy.window_bytes + 15) / 16 * 16;
  return spec::find_data_type(copy.map.data_type)->exists(arch) &&
         spec::find_swizzle(copy.map.swizzle)->exists(arch) && copy.window_bytes <= room;
}

}  // namespace

void compare_samples(const Pairs& expected, const LoadMap& map, Differences& differences) {
  for (const std::string& sample : split(expected.text("samples"), '|')) {
    const std::vector<std::string> ends = split(sample, ':');
    if (ends.size() != 2) throw RowError{"the sample '" + sample + "' is not destination:source"};
    const int64_t to = parse_number("samples", ends[0]), from = parse_number("samples", ends[1]);
    if (to < 0 || to >= static_cast<int64_t>(map.source.size()))
      differences.add("samples: byte " + ends[0] + " lies behind the extent");
    else
      differences.compare("source of byte " + ends[0], from, map.source[static_cast<size_t>(to)]);
  }
}

namespace {

/// Every byte of fill belongs to a 16-bit half of this pattern.
void check_fill_half(int64_t half, const LoadMap& map, Differences& differences) {
  for (size_t i = 0; i < map.source.size(); ++i)
    if (map.source[i] == from_fill && map.fill[i] != static_cast<std::byte>(half >> (8 * (i % 2)))) {
      differences.compare("fillhalf, byte " + std::to_string(i), half >> (8 * (i % 2)) & 0xff,
                          static_cast<int64_t>(map.fill[i]));
      return;
    }
}

/// A box of a type in a tensor of its own size, at a place that makes it lie in, across or beyond the tensor.
TensorCopyCase box_at(const spec::DataType& type, const std::vector<uint32_t>& box,
                      const std::vector<uint32_t>& estr, int place) {
  TensorCopyCase copy;
  TensorMapArgs& map = copy.map;
  map.data_type = type.host;
  map.rank = copy.instruction_rank = static_cast<uint32_t>(box.size());
  map.element_stride.fill(1);
  assign(map.box_dim, box, "box");
  assign(map.element_stride, estr, "estr");
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < map.rank; ++i) {
    map.global_dim[i] = map.box_dim[i];
    if (i > 0) map.global_stride[i - 1] = bytes;
    bytes = i == 0 ? (map.global_dim[0] * type.bits / 8 + 31) / 32 * 32 : bytes * map.global_dim[i];
  }
  if (place == 1 && map.rank > 1) copy.coord[1] = static_cast<int32_t>(map.box_dim[1] / 2);
  if (place == 2) copy.coord[0] = static_cast<int32_t>(0u - map.box_dim[0]);
  copy.window_bytes = 256 * 1024;
  return copy;
}

}  // namespace

void check_tile(const VectorRow& row, Differences& differences) {
  const TensorCopyCase copy = tile_case(row.params, CopyDirection::load);
  const LoadMap map = map_load(copy);
  Crc32 crc;
  for (const int64_t source : map.source) crc.add(source);
  differences.compare("n", joined(row.expected.list("n")), joined(visited(copy)));
  differences.compare("tx", row.expected.number("tx"), map.transaction_bytes);
  differences.compare("extent", row.expected.number("extent"), static_cast<int64_t>(map.source.size()));
  differences.compare("fillbytes", row.expected.number("fillbytes"),
                      std::count(map.source.begin(), map.source.end(), from_fill));
  compare_samples(row.expected, map, differences);
  if (row.expected.has("fillhalf")) check_fill_half(row.expected.number("fillhalf"), map, differences);
  differences.compare("crc", row.expected.text("crc"), crc.text());
  if (!map.stays_inside) differences.add("bytes outside the extent are written");
}

void check_store(const VectorRow& row, Differences& differences) {
  const TensorCopyCase copy = tile_case(row.params, CopyDirection::store);
  const auto pairs = map_store(copy);
  int64_t box_bytes = spec::find_data_type(copy.map.data_type)->bits / 8;
  for (const int64_t n : visited(copy)) box_bytes *= n;
  Crc32 crc;
  for (const auto& [to, from] : pairs) {
    crc.add(to);
    crc.add(from);
  }
  const int64_t written = static_cast<int64_t>(pairs.size());
  differences.compare("written", row.expected.number("written"), written);
  differences.compare("skipped", row.expected.number("skipped"), box_bytes - written);
  differences.compare("first", row.expected.text("first"), pairs.empty() ? "none" : pair_text(pairs.front()));
  differences.compare("last", row.expected.text("last"), pairs.empty() ? "none" : pair_text(pairs.back()));
  differences.compare("crc", row.expected.text("crc"), crc.text());
}

std::optional<RowCase> tile_as_case(const VectorRow& row, spec::Arch arch) {
  TensorCopyCase copy = tile_case(row.params, CopyDirection::load);
  if (!fits_device(copy, arch)) return std::nullopt;
  return RowCase{"tma.tiled.load", copy};
}

std::optional<RowCase> store_as_case(const VectorRow& row, spec::Arch arch) {
  TensorCopyCase copy = tile_case(row.params, CopyDirection::store);
  if (!fits_device(copy, arch)) return std::nullopt;
  const uint64_t bytes = model::footprint(copy, spec::Readings(arch)).global_end;
  copy.slot_bytes = static_cast<uint32_t>((bytes + 255) / 128 * 128);
  return RowCase{"tma.tiled.store", copy};
}

void check_transaction_bytes(const VectorRow& row, Differences& differences) {
  const std::string& what = row.params.text("case");
  if (what == "im2col") return check_im2col_transaction(row, differences);
  if (what == "im2col::w" || what == "im2col::w::128")
    return check_wide_transaction(row, what.ends_with("128"), differences);
  if (what == "gather4") return check_gather_transaction(row, differences);
  const bool packed = what.ends_with(" load");
  const bool is_tile = what == "tile" || what == "tile fully OOB" || what == "multicast 2 CTAs";
  const std::string type_name = packed ? what.substr(0, what.size() - 5) : "";
  if (!is_tile && (!packed || spec::find_data_type(type_name) == nullptr))
    throw RowError{"'" + what + "' is not a case whose bytes are known"};
  const spec::DataType& type =
      packed ? *spec::find_data_type(type_name) : type_of_size(row.params.number("esize"), false);
  const auto box = row.params.list<uint32_t>("box");
  const auto estr = row.params.has("estr") ? row.params.list<uint32_t>("estr") : std::vector<uint32_t>{};
  const std::string where = row.params.text_or("oob", "any");
  if (where != "any" && where != "all") throw RowError{"oob '" + where + "' is neither any nor all"};
  if (box.empty() || box.size() > 5) throw RowError{"box does not have 1 to 5 entries"};
  const int64_t bytes = row.expected.number("tx");
  for (int place = where == "all" ? 2 : 0; place < 3; ++place) {
    TensorCopyCase copy = box_at(type, box, estr, place);
    if (what.starts_with("multicast")) copy.cluster_size = 2, copy.cta_mask = 3;
    differences.compare("tx", bytes, map_load(copy).transaction_bytes);
  }
}

void check_swizzle(const VectorRow& row, Differences& differences) {
  const model::SwizzlePattern pattern = model::pattern_of(swizzle_named(row.params.text("mode")));
  const auto base = narrow<uint32_t>("base", row.params.number("base"));
  const std::vector<int64_t> logical = row.params.list("logical"), physical = row.expected.list("physical");
  if (logical.size() != physical.size()) throw RowError{"logical and physical differ in length"};
  for (size_t i = 0; i < logical.size(); ++i)
    differences.compare("place of byte " + std::to_string(logical[i]), physical[i],
                        int64_t{pattern.place(base + narrow<uint32_t>("logical", logical[i]))} - base);
}

void check_swizzle_base(const VectorRow& row, Differences& differences) {
  const model::SwizzlePattern pattern = model::pattern_of(swizzle_named(row.params.text("mode")));
  differences.compare("baseoffset", row.expected.number("baseoffset"),
                      row.params.number("dst") / 128 % pattern.atoms);
}

// Rows of tile::gather4, which exists from sm_100 on.

namespace {

constexpr uint32_t rows_guard = 1024;

TensorCopyCase gather_case(const Pairs& params) {
  TensorCopyCase copy;
  copy.mode = CopyMode::gather4;
  TensorMapArgs& map = copy.map;
  map.rank = copy.instruction_rank = 2;
  map.data_type = type_of_size(params.number("esize"), false).host;
  assign(map.global_dim, params, "dims");
  map.global_stride[0] = params.number<uint64_t>("stride");
  map.box_dim = {params.number<uint32_t>("box0"), 1};
  map.element_stride.fill(1);
  if (params.list<int32_t>("coords").size() != 5) throw RowError{"coords are not a column and four rows"};
  assign(copy.coord, params, "coords");
  map.swizzle = swizzle_named(params.text("swz")).host;
  copy.tile_offset = narrow<uint32_t>("base", params.number("base"));
  spec::RuleSet rules;
  if (model::broken_map_rules(map, documented).any() ||
      model::end_of_issue(copy, documented, rules) != model::End::done)
    throw RowError{"the copy does not run: its map breaks a rule, or it faults"};
  const uint64_t end = uint64_t{copy.tile_offset} + model::footprint(copy, documented).shared_bytes;
  if (end > model::shared_memory_bytes) throw RowError{"the rows extend past the 228 KiB of shared memory"};
  copy.window_bytes = static_cast<uint32_t>((end + 15) / 16 * 16) + rows_guard;
  return copy;
}

}  // namespace

void check_gather(const VectorRow& row, Differences& differences) {
  const TensorCopyCase copy = gather_case(row.params);
  const LoadMap map =
      map_load(copy.window_bytes, copy.tile_offset, model::footprint(copy, documented),
               [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                 return model::predict_load(copy, documented, tensor, window, {}).transaction_bytes;
               });
  Crc32 crc;
  for (const int64_t source : map.source) crc.add(source);
  differences.compare("tx", row.expected.number("tx"), map.transaction_bytes);
  differences.compare("fillbytes", row.expected.number("fillbytes"),
                      std::count(map.source.begin(), map.source.end(), from_fill));
  compare_samples(row.expected, map, differences);
  differences.compare("crc", row.expected.text("crc"), crc.text());
  if (!map.stays_inside) differences.add("bytes outside the rows are written");
}

std::optional<RowCase> gather_as_case(const VectorRow& row, spec::Arch arch) {
  if (!spec::has_tcgen05(arch)) return std::nullopt;
  return RowCase{"tma.gather4.load", gather_case(row.params)};
}

void check_gather_transaction(const VectorRow& row, Differences& differences) {
  TensorCopyCase copy;
  copy.mode = CopyMode::gather4;
  TensorMapArgs& map = copy.map;
  const spec::DataType& type = type_of_size(row.params.number("esize"), false);
  map.rank = copy.instruction_rank = 2;
  map.data_type = type.host;
  map.element_stride.fill(1);
  map.box_dim = {row.params.number<uint32_t>("box0"), 1};
  map.global_dim = {map.box_dim[0], 4};
  map.global_stride[0] = (uint64_t{map.box_dim[0]} * type.bits / 8 + 15) / 16 * 16;
  if (model::broken_map_rules(map, documented).any()) throw RowError{"the map breaks a rule"};
  for (const int32_t row_outside : {0, 4}) {
    copy.coord = {0, 0, 1, 2, row_outside};
    differences.compare("tx", row.expected.number("tx"), model::transaction_bytes(copy, documented));
  }
}

}  // namespace assay::vectors
