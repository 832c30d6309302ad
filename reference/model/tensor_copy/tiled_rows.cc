// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "reference/model/tensor_copy/rows.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

void fill_bytes(std::byte* to, uint64_t pattern, size_t bytes) {
  if (pattern == 0) {
    std::memset(to, 0, bytes);
    return;
  }
  // Rows start with a whole element, so the pattern starts at byte 0 of a row.
  alignas(64) uint64_t line[8];
  std::fill(std::begin(line), std::end(line), pattern);
  size_t at = 0;
  for (; at + sizeof line <= bytes; at += sizeof line) std::memcpy(to + at, line, sizeof line);
  if (at < bytes) std::memcpy(to + at, line, bytes - at);
}

class Loader {
 public:
  Loader(const TiledShape& shape, const Transfer& transfer, std::span<const std::byte> global,
         std::span<std::byte> window, std::span<std::byte> defined)
      : shape_(shape), transfer_(transfer), global_(global), window_(window), defined_(defined) {
    in_row_ = shape.first[0] < shape.end[0];
    contiguous_ = shape.step[0] == 1 && shape.packing == Packing::plain;
    straight_ =
        contiguous_ && shape.first[0] == 0 && shape.end[0] == shape.count[0] && transfer.convert.is_copy();
  }

  /// for_each(load) calls load(run) for every run.
  template <typename ForEach>
  void run(const ForEach& for_each) {
    with_way(shape_, transfer_, shape_.inner,
             [&](const auto& way) { for_each([&](const RowRun& run) { load(way, run); }); });
  }

 private:
  template <typename Way>
  void load(const Way& way, const RowRun& run) {
    const bool inside = run.inside && in_row_;
    if (shape_.packing == Packing::padded)
      padded_rows(run, inside);
    else if (inside && straight_)
      straight_rows(way, run, window_.data(), global_.data() + run.global, shape_.pitch, shape_.inner);
    else if (!inside && shape_.pitch == shape_.inner && shape_.inner % 8 == 0 &&
             (!std::is_same_v<Way, Pieces> || (run.shared | shape_.inner) % shape_.swizzle.block_bytes == 0))
      // Pieces change places within whole blocks, which are the same all over.
      fill_bytes(window_.data() + run.shared, transfer_.fill, size_t{run.rows} * shape_.inner);
    else
      for (uint32_t row = 0; row < run.rows; ++row)
        way.place(window_.data(), run.shared + row * shape_.pitch,
                  inside ? mixed_row(run.global + row * run.advance) : fill_row(), shape_.inner);
  }

  /// By value: nothing that the stores could alias is read again.
  template <typename Way>
  static void straight_rows(Way way, RowRun run, std::byte* window, const std::byte* from, uint32_t pitch,
                            uint32_t inner) {
    if (std::is_same_v<Way, Linear> && run.advance == inner && pitch == inner) {
      std::memcpy(window + run.shared, from, size_t{run.rows} * inner);
      return;
    }
    if constexpr (std::is_same_v<Way, Lines>) {
      if (inner == 128 && pitch == 128) {
        way.copies.place(way.swizzle, window, run.shared, from, run.advance, run.rows);
        return;
      }
    }
    for (uint32_t row = 0; row < run.rows; ++row) {
      way.place(window, run.shared, from, inner);
      run.shared += pitch;
      from += run.advance;
    }
  }

  const std::byte* fill_row() {
    if (!fill_is_ready_) fill_bytes(fill_row_, transfer_.fill, shape_.inner);
    fill_is_ready_ = true;
    return fill_row_;
  }

  /// A row with some units out of bounds, apart in memory, or to be converted.
  const std::byte* mixed_row(uint64_t source) {
    const uint32_t unit = shape_.unit_shared;
    const uint32_t from = shape_.first[0] * unit, to = shape_.end[0] * unit;
    if (from != 0 || to != shape_.inner) fill_bytes(row_, transfer_.fill, shape_.inner);
    if (contiguous_) {
      transfer_.convert.apply(row_ + from, &global_[source + from], to - from);
      return row_;
    }
    for (uint32_t j = shape_.first[0]; j < shape_.end[0]; ++j)
      transfer_.convert.apply(row_ + j * unit, &global_[source + j * shape_.step[0] * unit], unit);
    return row_;
  }

  /// Groups with padding: only the data bytes are written, the rest is undefined.
  void padded_rows(const RowRun& run, bool inside) {
    static constexpr std::array<std::byte, 16> none{};
    const Pieces groups{shape_.swizzle};
    const uint32_t padding = shape_.unit_shared - shape_.unit_global;
    for (uint32_t row = 0; row < run.rows; ++row)
      for (uint32_t j = 0; j < shape_.count[0]; ++j) {
        const auto to = static_cast<uint32_t>(shape_.linear(run.shared, row, j * shape_.unit_shared));
        const bool in = inside && j >= shape_.first[0] && j < shape_.end[0];
        const uint64_t source = run.global + row * run.advance + uint64_t{j} * shape_.unit_global;
        groups.place(window_.data(), to, in ? &global_[source] : none.data(), shape_.unit_global);
        if (!defined_.empty()) groups.place(defined_.data(), to + shape_.unit_global, none.data(), padding);
      }
  }

  const TiledShape& shape_;
  const Transfer& transfer_;
  std::span<const std::byte> global_;
  std::span<std::byte> window_, defined_;
  bool in_row_, contiguous_, straight_, fill_is_ready_ = false;
  alignas(64) std::byte row_[max_row_bytes];
  alignas(64) std::byte fill_row_[max_row_bytes];
};

}  // namespace

void load_rows(const TiledShape& shape, const Transfer& transfer, std::span<const std::byte> global,
               std::span<std::byte> window, std::span<std::byte> defined) {
  Loader(shape, transfer, global, window, defined).run([&](const auto& load) {
    for_runs(shape, transfer, load);
  });
}

void load_runs(std::span<const RowRun> runs, const TiledShape& shape, const Transfer& transfer,
               std::span<const std::byte> global, std::span<std::byte> window, std::span<std::byte> defined) {
  Loader(shape, transfer, global, window, defined).run([&](const auto& load) {
    for (const RowRun& run : runs) load(run);
  });
}

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
