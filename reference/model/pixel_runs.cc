#include "reference/model/pixel_runs.h"

#include <algorithm>

namespace assay::model {
namespace {

/// How many of `count` positions, `step` apart from `start` on, lie below `end`.
uint32_t positions_below(int64_t end, int64_t start, int64_t step, uint32_t count) {
  if (start >= end) return 0;
  const int64_t positions = step == 1 ? end - start : (end - start + step - 1) / step;
  return static_cast<uint32_t>(std::min<int64_t>(positions, count));
}

}  // namespace

PixelRuns::PixelRuns(const Im2colCase& copy, const ColumnShape& shape, const spec::Readings& readings)
    : shared_(copy.tile_offset), pitch_(shape.pitch), first_channel_(shape.first_channel) {
  const TensorMapArgs& map = copy.map.base;
  const uint32_t w = dimension_of_axis(map, 0);
  const uint64_t pixel_stride = stride_of(map, w);
  const auto step = static_cast<int64_t>(map.element_stride[w]),
             extent = static_cast<int64_t>(map.global_dim[w]);
  const bool has_channels = shape.first_unit < shape.end_unit;
  advance_ = pixel_stride * map.element_stride[w];
  const Im2colWalk walk(copy, readings);
  runs_.reserve(std::min(shape.pixels, 64u));
  walk.for_stretches(shape.pixels, [&](uint32_t, const Pixel& pixel, uint32_t rows) {
    unsigned __int128 byte = 0;
    if (!has_channels || !is_row_in_tensor(copy, pixel, byte)) return add(rows, false, 0);
    const uint32_t left = positions_below(0, pixel.at[0], step, rows),
                   end = positions_below(extent, pixel.at[0], step, rows);
    add(left, false, 0);
    const auto first = static_cast<uint64_t>(pixel.at[0] + left * step);
    add(end - left, true, byte + map.global_address + static_cast<unsigned __int128>(first) * pixel_stride);
    add(rows - end, false, 0);
  });
}

void PixelRuns::add(uint32_t rows, bool inside, unsigned __int128 byte) {
  if (rows == 0) return;
  const uint64_t global = static_cast<uint64_t>(byte) + static_cast<uint64_t>(first_channel_);
  if (inside) {
    const unsigned __int128 last = byte + static_cast<unsigned __int128>(advance_) * (rows - 1);
    lowest_ = inside_ == 0 ? byte : std::min(lowest_, byte);
    highest_ = std::max(highest_, last);
    inside_ += rows;
  }
  const bool continues = !runs_.empty() && runs_.back().inside == inside &&
                         (!inside || runs_.back().global + runs_.back().rows * advance_ == global);
  if (continues)
    runs_.back().rows += rows;
  else
    runs_.push_back({inside, rows, shared_, inside ? global : 0, advance_});
  shared_ += rows * pitch_;
}

bool PixelRuns::may_overlap(uint64_t bytes) const {
  bool any = false;
  uint64_t end = 0;
  for (const RowRun& run : runs_) {
    if (!run.inside) continue;
    if ((any && run.global < end) || (run.rows > 1 && run.advance < bytes)) return true;
    any = true;
    end = run.global + (run.rows - 1) * run.advance + bytes;
  }
  return false;
}

}  // namespace assay::model
