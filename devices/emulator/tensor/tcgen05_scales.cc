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
      const uint32_t column = (base + at.column) % mma.tensor_columns;
      read.codes[static_cast<size_t>(line) * number + s] =
          static_cast<uint8_t>(tensor.cells(at.lane)[column] >> at.byte * 8);
      if (tensor.written(at.lane)[column] == 0) read.is_unwritten[line] = 1;
    }
  return read;
}

namespace {

constexpr uint32_t rows_of_block = 16, codes_of_cell = 8;

bool has_wide_elements(const InstructionDescriptor& d) {
  return d.a->storage_bits >= 16;
}

/// Codes that a row has for one instruction.
uint32_t code_count(const InstructionDescriptor& d) {
  return d.k() / sparse_chunk(d).kept;
}

}  // namespace

MetadataCell metadata_cell(const MetadataRequest& request) {
  const Mma& mma = *request.mma;
  const uint32_t group = mma.readings.is({"AMB-45", "first_group"}) ? 0 : request.group;
  const uint32_t lanes = mma.metadata.lane + group * mma.layout.group_lanes;
  if (!has_wide_elements(mma.descriptor))
    return {lanes + mma.layout.lane(request.row), request.number / codes_of_cell,
            request.number % codes_of_cell};
  // A cell has four codes of a row and above them four of the one 8 rows on; the lane 8 further down has the
  // other four of both.
  const uint32_t row = request.row % rows_of_block;
  const uint32_t block = lanes + mma.layout.lane(request.row - row);
  const uint32_t selector = mma.readings.is({"AMB-20", "low_bit_alone"})
                                ? mma.descriptor.sparsity_selector % 2
                                : mma.descriptor.sparsity_selector;
  return {block + row % 8 + request.number / 4 * 8, selector, request.number % 4 + row / 8 * 4};
}

SparseChunk sparse_chunk(const InstructionDescriptor& descriptor) {
  if (descriptor.is_packed) return {8, 4};
  return descriptor.a->storage_bits == 32 ? SparseChunk{2, 1} : SparseChunk{4, 2};
}

uint32_t met_element(const InstructionDescriptor& descriptor, uint32_t code, uint32_t number) {
  if (descriptor.is_packed) return (number < 2 ? code & 3 : code >> 2) * 2 + number % 2;
  return number == 0 ? code & 3 : code >> 2;
}

uint32_t metadata_extent(const Mma& mma) {
  return mma.descriptor.sparsity_selector >= 2 && mma.readings.is({"AMB-20", "third_and_fourth"}) ? 4 : 2;
}

RowMetadata read_metadata(const Mma& mma, TensorMemory& tensor, uint32_t group, uint32_t row,
                          const Tcgen05Steps& steps) {
  RowMetadata read;
  for (uint32_t number = 0; number < code_count(mma.descriptor); ++number) {
    const MetadataCell at = steps.metadata({&mma, row, group, number});
    const uint32_t lane = at.lane % TensorMemory::lanes,
                   column = (mma.metadata.column + at.column) % mma.tensor_columns;
    auto code = static_cast<uint8_t>(tensor.cells(lane)[column] >> at.nibble * 4 & 0xf);
    code = steps.metadata_code(mma.descriptor, code);
    if (code == 0b0110 && mma.readings.is({"AMB-19", "ascending"}) && mma.descriptor.a->storage_bits != 32)
      code = 0b1001;
    read.codes.push_back(code);
    if (tensor.written(lane)[column] == 0) read.is_unwritten = true;
  }
  return read;
}

void met_places(const InstructionDescriptor& descriptor, std::span<const uint8_t> codes, MetElement element,
                std::span<uint16_t> met) {
  const SparseChunk chunk = sparse_chunk(descriptor);
  for (uint32_t k = 0; k < met.size(); ++k)
    met[k] = static_cast<uint16_t>(k / chunk.kept * chunk.elements +
                                   element(descriptor, codes[k / chunk.kept], k % chunk.kept));
}

void meet_halves(const InstructionDescriptor& descriptor, std::span<const uint8_t> codes,
                 std::span<const uint32_t> b, MetElement element, std::span<uint32_t> met) {
  const size_t kept = descriptor.k(), all = descriptor.b_k();
  for (size_t k = 0; k < kept; ++k) {
    const uint32_t half = element(descriptor, codes[k], 0), upper = element(descriptor, codes[k], 1);
    for (size_t n = 0; n * all < b.size(); ++n) {
      const auto bits = [&](uint32_t h) { return b[n * all + k * 2 + h / 2] >> h % 2 * 16 & 0xffff; };
      met[n * kept + k] = bits(upper) << 16 | bits(half);
    }
  }
}

}  // namespace assay::emulator
