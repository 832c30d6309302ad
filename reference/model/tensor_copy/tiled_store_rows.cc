// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "reference/model/tensor_copy/rows.h"
#include "reference/model/tensor_copy/tiled_move.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

/// 16 bytes of one element each become 16 elements of 6 bits, the first lowest.
void pack_group(std::byte* to, const std::byte* from) {
  for (int third = 0; third < 4; ++third) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits |= (static_cast<uint32_t>(from[4 * third + i]) & 0x3f) << (6 * i);
    for (int i = 0; i < 3; ++i) to[3 * third + i] = static_cast<std::byte>(bits >> (8 * i));
  }
}

/// Bytes of a row of global memory, from the start of the box on, that a store writes: [begin, end).
struct StoredBytes {
  uint32_t begin, end;
};
StoredBytes stored_bytes(const TiledShape& shape, const Transfer& transfer) {
  const uint32_t unit = shape.unit_global;
  StoredBytes bytes{shape.first[0] * unit, shape.end[0] * unit};
  if (transfer.clips_pieces && bytes.begin < bytes.end)
    bytes.end =
        std::min((bytes.end + spec::store_clip_bytes - 1) / spec::store_clip_bytes * spec::store_clip_bytes,
                 shape.count[0] * unit);
  return bytes;
}

void mark(std::span<std::byte> written, uint64_t at, uint32_t count) {
  if (written.empty()) return;
  auto* const of = reinterpret_cast<uint8_t*>(&written[at]);
  for (uint32_t i = 0; i < count; ++i) of[i] = std::min<uint8_t>(of[i] + 1, 2);
}

/// A row that is packed, converted, cut at its start, or apart in global memory.
template <typename Fetch>
void store_changed_row(const TiledShape& shape, const Transfer& transfer, const StoredBytes& bytes,
                       const Fetch& fetch, uint64_t to, std::span<std::byte> global,
                       std::span<std::byte> written) {
  alignas(64) std::byte row[max_row_bytes];
  alignas(64) std::byte packed[max_row_bytes];
  fetch(row);
  const std::byte* from = row;
  if (shape.packing == Packing::byte_each) {
    for (uint32_t group = 0; group < shape.count[0]; ++group)
      pack_group(packed + group * 12, row + group * 16);
    from = packed;
  } else {
    transfer.convert.apply(row, row, shape.inner);
  }
  if (shape.step[0] == 1) {
    std::memcpy(&global[to + bytes.begin], from + bytes.begin, bytes.end - bytes.begin);
    mark(written, to + bytes.begin, bytes.end - bytes.begin);
    return;
  }
  for (uint32_t j = shape.first[0]; j < shape.end[0]; ++j) {
    const uint64_t unit = to + j * shape.step[0] * shape.unit_global;
    std::memcpy(&global[unit], from + j * shape.unit_global, shape.unit_global);
    mark(written, unit, shape.unit_global);
  }
}

/// for_each(store) calls store(run) for every run.
template <typename ForEach>
void store_each(const TiledShape& shape, const Transfer& transfer, std::span<const std::byte> window,
                std::span<std::byte> global, std::span<std::byte> written, const ForEach& for_each) {
  const StoredBytes bytes = stored_bytes(shape, transfer);
  if (bytes.begin >= bytes.end) return;
  const bool direct =
      transfer.convert.is_copy() && shape.packing == Packing::plain && shape.step[0] == 1 && bytes.begin == 0;
  with_way(shape, transfer, direct ? bytes.end : shape.inner, [&](const auto& way) {
    for_each([&](const RowRun& run) {
      if (!run.inside) return;
      if constexpr (std::is_same_v<std::decay_t<decltype(way)>, Lines>) {
        if (direct && written.empty() && bytes.end == 128 && shape.pitch == 128) {
          way.copies.fetch(way.swizzle, &global[run.global], run.advance, window.data(), run.shared,
                           run.rows);
          return;
        }
      }
      for (uint32_t row = 0; row < run.rows; ++row) {
        const uint32_t from = run.shared + row * shape.pitch;
        const uint64_t to = run.global + row * run.advance;
        if (direct) {
          way.fetch(&global[to], window.data(), from, bytes.end);
          mark(written, to, bytes.end);
        } else {
          store_changed_row(
              shape, transfer, bytes,
              [&](std::byte* row_bytes) { way.fetch(row_bytes, window.data(), from, shape.inner); }, to,
              global, written);
        }
      }
    });
  });
}

}  // namespace

bool global_range(const TiledShape& shape, const Transfer& transfer, bool store, uint64_t& begin,
                  uint64_t& end) {
  begin = end = 0;
  if (!shape.any_in_bounds()) return true;
  unsigned __int128 low = transfer.base, high = transfer.base;
  for (int i = 0; i < shape.rank; ++i) {
    const auto index = [&](uint32_t j) {
      return static_cast<uint64_t>(shape.start[i] + int64_t{j} * shape.step[i]);
    };
    low += static_cast<unsigned __int128>(index(shape.first[i])) * shape.stride[i];
    high += static_cast<unsigned __int128>(index(shape.end[i] - 1)) * shape.stride[i];
  }
  high += shape.unit_global;
  if (store && shape.step[0] == 1)
    high += stored_bytes(shape, transfer).end - shape.end[0] * shape.unit_global;
  if (high >> 64 != 0) return false;
  begin = static_cast<uint64_t>(low);
  end = static_cast<uint64_t>(high);
  return true;
}

void store_rows(const TiledShape& shape, const Transfer& transfer, std::span<const std::byte> window,
                std::span<std::byte> global, std::span<std::byte> written) {
  store_each(shape, transfer, window, global, written,
             [&](const auto& store) { for_runs(shape, transfer, store); });
}

void store_runs(std::span<const RowRun> runs, const TiledShape& shape, const Transfer& transfer,
                std::span<const std::byte> window, std::span<std::byte> global,
                std::span<std::byte> written) {
  store_each(shape, transfer, window, global, written, [&](const auto& store) {
    for (const RowRun& run : runs) store(run);
  });
}

}  // namespace assay::model
