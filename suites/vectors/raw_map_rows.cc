// SPDX-License-Identifier: Apache-2.0
// Maps made bit by bit, and what a load through each did on silicon: held against what the rules say of the
// arguments that the bits stand for.
#include <algorithm>
#include <array>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"
#include "suites/vectors/raw_map.h"
#include "suites/vectors/tile_case.h"

namespace assay::vectors {
namespace {

constexpr std::string_view raw_map_header[] = {
    "id",      "mutation", "instruction", "rank",
    "coords",  "offsets",  "smem_offset", "map_w00_w3c_address_relative",
    "outcome", "rules",    "tx",          "image_bytes_end",
    "map_crc", "samples",  "silicon_sm90"};

constexpr uint32_t map_guard = 1024;

/// What tells no byte's source from another's is left out: the rounding of tf32, the place of the tensor.
void simplify(TensorMapArgs& map) {
  if (map.data_type == spec::host_type::tf32) map.data_type = 7;
  if (map.data_type == spec::host_type::tf32_ftz) map.data_type = 10;
  map.global_address = 0;
}

RawRow read_row(const FileFormat& format, const CsvRow& row) {
  RawRow raw;
  const std::string& mode = cell(format, row, "instruction");
  if (mode != "im2col" && mode != "tile") throw RowError{"'" + mode + "' is not a mode of an instruction"};
  raw.im2col = mode == "im2col";
  raw.rank = parse_number<uint32_t>("rank", cell(format, row, "rank"));
  if (raw.rank < (raw.im2col ? 3u : 1u) || raw.rank > 5)
    throw RowError{"rank " + std::to_string(raw.rank) + " is not one of such an instruction"};
  read_list(raw.coord, "coords", cell(format, row, "coords"));
  read_list(raw.offset, "offsets", cell(format, row, "offsets"));
  raw.shared_offset = parse_number<uint32_t>("smem_offset", cell(format, row, "smem_offset"));
  read_map(raw, cell(format, row, "map_w00_w3c_address_relative"));
  return raw;
}

LoadMap map_of(const RawRow& raw, uint32_t end) {
  const spec::Readings readings = of_hardware();
  const auto require_done = [](const model::CopyPrediction& prediction) {
    if (prediction.end != model::End::done) throw RowError{"the copy does not run by the rules"};
    return prediction.transaction_bytes;
  };
  const auto with = [&](auto& copy, TensorMapArgs& map) {
    simplify(map);
    const model::CopyFootprint bytes = model::footprint(copy, readings);
    copy.window_bytes = std::max(end, raw.shared_offset + bytes.shared_bytes) + map_guard;
    return map_load(copy.window_bytes, raw.shared_offset, bytes,
                    [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                      return require_done(model::predict_load(copy, readings, tensor, window, {}));
                    });
  };
  if (!raw.im2col) {
    TensorCopyCase copy = tiled_case(raw);
    return with(copy, copy.map);
  }
  TensorCopyCase copy = im2col_case(raw);
  // Channels do nothing in an interleaved map, and the rules of the encoder look at them all the same.
  if (copy.map.interleave != 0) copy.map.channels = 128 / spec::data_types[copy.map.data_type].bits;
  return with(copy, copy.map);
}

void check_raw_map(const CsvRow& row, RowResult& result) {
  const FileFormat& format = raw_map_format;
  result.kind = cell(format, row, "instruction");
  const RawRow raw = read_row(format, row);
  Differences differences;
  const std::string& outcome = cell(format, row, "outcome");
  const std::string predicted = predicted_outcome(raw);
  const bool same = is_outcome(outcome, predicted);
  if (!same) differences.compare("outcome", outcome, predicted);
  if (outcome == "ok" && predicted == "ok") {
    const auto end = parse_number<uint32_t>("image_bytes_end", cell(format, row, "image_bytes_end"));
    if (end < raw.shared_offset || end > model::shared_memory_bytes)
      throw RowError{"the image ends at " + std::to_string(end) + ", outside of shared memory"};
    LoadMap map = map_of(raw, end);
    map.source.resize(end - raw.shared_offset, not_written);
    Crc32 crc;
    for (const int64_t source : map.source) crc.add(source);
    differences.compare("tx", parse_number<int64_t>("tx", cell(format, row, "tx")), map.transaction_bytes);
    differences.compare("map_crc", cell(format, row, "map_crc"), crc.text());
  }
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

}  // namespace

const FileFormat raw_map_format{"raw maps", raw_map_header, check_raw_map};

}  // namespace assay::vectors
