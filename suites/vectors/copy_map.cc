// SPDX-License-Identifier: Apache-2.0
// Where each byte that a tensor copy moves comes from, by the reference.
#include "reference/model/tensor_copy/copy.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

/// Largest tensor of a row, bytes: rows are worked examples, not benchmarks.
constexpr uint64_t largest_tensor = 16 << 20;

void require_done(const model::CopyPrediction& prediction) {
  if (prediction.end != model::End::done) throw RowError{"the copy does not run by the rules"};
}

/// Byte `plane` of every byte's own offset.
std::vector<std::byte> offsets_plane(size_t bytes, int plane) {
  std::vector<std::byte> memory(bytes);
  for (size_t i = 0; i < bytes; ++i) memory[i] = static_cast<std::byte>(i >> (8 * plane));
  return memory;
}

/// CRC-32 of the offsets, from the tensor's address and from the tile's, of each byte that a store writes, in
/// ascending order of global memory.
std::string stored_sources(const TensorCopyCase& copy, const spec::Readings& readings) {
  const uint64_t bytes = model::footprint(copy, readings).global_end;
  if (bytes > largest_tensor) throw RowError{"the tensor is larger than 16 MiB"};
  const auto run = [&](const std::vector<std::byte>& window, std::byte before) {
    std::vector<std::byte> slot(bytes, before);
    require_done(model::predict_store(copy, readings, window, slot, {}));
    return slot;
  };
  std::vector<std::byte> planes[3];
  for (int plane = 0; plane < 3; ++plane)
    planes[plane] = run(offsets_plane(copy.window_bytes, plane), std::byte{0});
  const auto zeros = run(std::vector<std::byte>(copy.window_bytes), std::byte{0xcd});
  Crc32 crc;
  for (size_t i = 0; i < zeros.size(); ++i) {
    if (zeros[i] == std::byte{0xcd}) continue;
    int64_t from = 0;
    for (int plane = 0; plane < 3; ++plane) from |= static_cast<int64_t>(planes[plane][i]) << (8 * plane);
    crc.add(static_cast<int64_t>(i));
    crc.add(from - copy.tile_offset);
  }
  return crc.text();
}

}  // namespace

LoadMap map_load(const TensorCopyCase& copy, const spec::Readings& readings) {
  const model::CopyFootprint bytes = model::footprint(copy, readings);
  if (bytes.global_end > largest_tensor) throw RowError{"the tensor is larger than 16 MiB"};
  LoadMap map;
  const auto run = [&](const std::vector<std::byte>& tensor, std::byte before) {
    std::vector<std::byte> window(copy.window_bytes, before);
    const model::CopyPrediction prediction = model::predict_load(copy, readings, tensor, window, {});
    require_done(prediction);
    map.transaction_bytes = prediction.transaction_bytes;
    return window;
  };
  std::vector<std::byte> planes[3];
  for (int plane = 0; plane < 3; ++plane)
    planes[plane] = run(offsets_plane(bytes.global_end, plane), std::byte{0});
  const auto zeros = run(std::vector<std::byte>(bytes.global_end, std::byte{0x00}), std::byte{0xcd});
  const auto ones = run(std::vector<std::byte>(bytes.global_end, std::byte{0xff}), std::byte{0x32});
  for (size_t i = 0; i < zeros.size(); ++i) {
    const bool written = zeros[i] != std::byte{0xcd} || ones[i] != std::byte{0x32};
    if (i < copy.tile_offset || i - copy.tile_offset >= bytes.shared_bytes) {
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
  }
  return map;
}

std::string crc_of(const std::vector<int64_t>& sources) {
  Crc32 crc;
  for (const int64_t source : sources) crc.add(source);
  return crc.text();
}

void compare_copy(const RowCase& row, const spec::Readings& readings, Differences& differences) {
  const TensorCopyCase* copy = row.what.get_if<TensorCopyCase>();
  if (copy == nullptr || row.measured.end != model::End::done)
    throw RowError{"tx and sources are of a tensor copy that is done"};
  if (copy->direction == CopyDirection::store)
    return differences.compare("sources", row.measured.sources, stored_sources(*copy, readings));
  const LoadMap map = map_load(*copy, readings);
  if (row.measured.transaction_bytes)
    differences.compare("tx", *row.measured.transaction_bytes, map.transaction_bytes);
  if (!row.measured.sources.empty()) differences.compare("sources", row.measured.sources, crc_of(map.source));
  if (!map.stays_inside) differences.add("bytes outside the operand are written");
}

}  // namespace assay::vectors
