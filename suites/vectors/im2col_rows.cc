// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

const spec::Readings measured(spec::Arch::sm_90);
constexpr uint32_t pixels_guard = 128;

/// Throws RowError for a copy that would not come to its end.
void require_column(TensorCopyCase& copy) {
  const spec::RuleSet broken = model::broken_column_map_rules(copy.map, measured);
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (broken[i])
      throw RowError{"the map breaks " + std::string(spec::rule_table[i].id) + ": " +
                     std::string(spec::rule_table[i].words)};
  spec::RuleSet rules;
  if (model::end_of_issue(copy, measured, rules) != model::End::done) throw RowError{"the copy faults"};
  const uint64_t bytes = model::footprint(copy, measured).shared_bytes;
  if (bytes > model::shared_memory_bytes)
    throw RowError{"the column needs more than 228 KiB of shared memory"};
  copy.window_bytes = static_cast<uint32_t>(bytes) + pixels_guard;
}

/// A dense tensor in the order of its dimensions.
void make_dense(TensorMapArgs& map, uint64_t element_bytes) {
  uint64_t bytes = element_bytes;
  for (uint32_t i = 0; i + 1 < map.rank; ++i) {
    bytes *= map.global_dim[i];
    map.global_stride[i] = bytes;
  }
}

TensorCopyCase im2col_case(const Pairs& params) {
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  TensorMapArgs& map = copy.map;
  const int64_t rank = params.number("rank");
  if (rank < 3 || rank > 5) throw RowError{"rank " + std::to_string(rank) + " is not 3 to 5"};
  map.rank = copy.instruction_rank = static_cast<uint32_t>(rank);
  map.data_type = type_of_size(params.number("esize"), false).host;
  assign(map.global_dim, params, "dims");
  assign(map.element_stride, params, "estr");
  assign(copy.map.lower, params, "lower");
  assign(copy.map.upper, params, "upper");
  assign(copy.coord, params, "coords");
  assign(copy.offset, params, "offs");
  copy.map.channels = params.number<uint32_t>("cpp");
  copy.map.pixels = params.number<uint32_t>("ppc");
  make_dense(map, spec::data_types[map.data_type].bits / 8);
  require_column(copy);
  return copy;
}

template <typename Get>
std::string per_axis(uint32_t axes, Get get) {
  std::string text;
  for (uint32_t k = 0; k < axes; ++k) text += (k == 0 ? "" : "|") + std::to_string(get(k));
  return text;
}

void compare_walk(const TensorCopyCase& copy, const Pairs& expected, Differences& differences) {
  const uint32_t axes = spatial_axes(copy.map.rank);
  differences.compare("boxlo", expected.text("boxlo"),
                      per_axis(axes, [&](uint32_t k) { return model::box_of(copy.map, k).lower; }));
  differences.compare("boxhi", expected.text("boxhi"),
                      per_axis(axes, [&](uint32_t k) { return model::box_of(copy.map, k).upper; }));
  const model::Im2colWalk walk(copy, measured);
  differences.compare("first", expected.text("first"), pixel_text(walk.pixel(0), axes));
  differences.compare("second", expected.text("second"), pixel_text(walk.pixel(1), axes));
  differences.compare("last", expected.text("last"), pixel_text(walk.pixel(copy.map.pixels - 1), axes));
  Crc32 crc;
  int64_t outside = 0;
  for (uint32_t p = 0; p < copy.map.pixels; ++p) {
    const model::Pixel pixel = walk.pixel(p);
    unsigned __int128 unused;
    const bool inside = model::is_in_tensor(copy, pixel, unused);
    outside += !inside;
    for (uint32_t k = 0; k < axes; ++k) crc.add(pixel.at[k], 4);
    crc.add(pixel.image, 4);
    crc.add(inside ? 0 : 1, 1);
  }
  differences.compare("oobpix", expected.number("oobpix"), outside);
  differences.compare("pixcrc", expected.text("pixcrc"), crc.text());
}

}  // namespace

void check_im2col(const VectorRow& row, Differences& differences) {
  const TensorCopyCase copy = im2col_case(row.params);
  compare_walk(copy, row.expected, differences);
  const LoadMap map =
      map_load(copy.window_bytes, copy.tile_offset, model::footprint(copy, measured),
               [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                 return model::predict_load(copy, measured, tensor, window, {}).transaction_bytes;
               });
  Crc32 crc;
  for (const int64_t source : map.source) crc.add(source);
  differences.compare("tx", row.expected.number("tx"), map.transaction_bytes);
  differences.compare("fillbytes", row.expected.number("fillbytes"),
                      std::count(map.source.begin(), map.source.end(), from_fill));
  differences.compare("mapcrc", row.expected.text("mapcrc"), crc.text());
  if (!map.stays_inside) differences.add("bytes outside the column are written");
}

std::optional<RowCase> im2col_as_case(const VectorRow& row, spec::Arch) {
  return RowCase{"tma.im2col.load", im2col_case(row.params)};
}

void check_im2col_transaction(const VectorRow& row, Differences& differences) {
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  TensorMapArgs& map = copy.map;
  map.rank = copy.instruction_rank = 3;
  map.data_type = type_of_size(row.params.number("esize"), false).host;
  map.element_stride.fill(1);
  copy.map.channels = row.params.number<uint32_t>("cpp");
  copy.map.pixels = row.params.number<uint32_t>("ppc");
  map.global_dim = {copy.map.channels, std::max(1u, copy.map.pixels / 2), 1};
  make_dense(map, spec::data_types[map.data_type].bits / 8);
  require_column(copy);
  differences.compare("tx", row.expected.number("tx"),
                      model::transaction_bytes(copy, model::column_of(copy, measured), measured));
}

}  // namespace assay::vectors
