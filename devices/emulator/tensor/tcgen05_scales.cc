// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_scales.h"

namespace assay::emulator {
namespace {

constexpr uint32_t lanes = 32;

uint32_t scales_of(const Mma& mma) {
  return mma.descriptor.k() / mma.form.scale_block;
}

bool is_halved(const Mma& mma) {
  return mma.layout.groups == 2;
}

}  // namespace

ScaleCell scale_cell(const ScaleRequest& request) {
  const Mma& mma = *request.mma;
  const uint32_t own = request.partition * lanes, step = request.position() / 4,
                 byte = request.position() % 4;
  if (request.is_a) {
    const bool is_narrow = is_halved(mma) && mma.readings.is({"AMB-51", "groups_2_columns_apart"});
    const bool is_one_column = is_halved(mma) && mma.readings.is({"AMB-51", "rows_in_one_column"});
    const uint32_t group = is_narrow ? 2 : 4;
    const uint32_t column = is_one_column ? 0 : request.line / lanes;
    return {own + request.line % lanes, step * group + column, byte};
  }
  const bool in_halves = is_halved(mma) && mma.readings.is({"AMB-09", "by_half_of_n"});
  const uint32_t columns = in_halves ? mma.layout.group_columns : mma.descriptor.n;
  const uint32_t line = in_halves ? request.line % columns : request.line;
  return {own + line % lanes, step * (columns > 128 ? 8 : 4) + line / lanes, byte};
}

uint32_t scale_extent(const Mma& mma, bool is_a) {
  uint32_t extent = 0;
  const uint32_t id = is_a ? mma.descriptor.a_scale_id : mma.descriptor.b_scale_id;
  const uint32_t last = (is_a ? mma.layout.cta_rows : mma.descriptor.n) - 1;
  for (uint32_t line = last % lanes; line <= last; line += lanes)
    for (uint32_t number = 0; number < scales_of(mma); ++number)
      extent = std::max(extent, scale_cell({&mma, is_a, 0, line, id, number}).column + 1);
  return extent;
}

Scales read_scales(const Mma& mma, bool is_a, TensorMemory& tensor, uint32_t partition, uint32_t first,
                   uint32_t count, ScaleCell (*cell)(const ScaleRequest&)) {
  const uint32_t number = scales_of(mma), base = (is_a ? mma.a_scales : mma.b_scales).column;
  const uint32_t id = is_a ? mma.descriptor.a_scale_id : mma.descriptor.b_scale_id;
  Scales read;
  read.codes.resize(static_cast<size_t>(count) * number);
  read.is_unwritten.assign(count, 0);
  for (uint32_t line = 0; line < count; ++line)
    for (uint32_t s = 0; s < number; ++s) {
      const ScaleCell at = cell({&mma, is_a, partition, first + line, id, s});
      const uint32_t column = (base + at.column) % TensorMemory::columns;
      read.codes[static_cast<size_t>(line) * number + s] =
          static_cast<uint8_t>(tensor.cells(at.lane)[column] >> at.byte * 8);
      if (tensor.written(at.lane)[column] == 0) read.is_unwritten[line] = 1;
    }
  return read;
}

}  // namespace assay::emulator
