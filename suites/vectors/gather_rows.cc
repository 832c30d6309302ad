// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"
#include "suites/vectors/tile_case.h"

/// Rows of tile::gather4, which exists from sm_100 on.
namespace assay::vectors {
namespace {

const spec::Readings documented(spec::Arch::sm_100);
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
