#include "reference/model/tiled_move.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

/// Longest row of a box: 256 slices of 32 bytes.
constexpr uint32_t max_row_bytes = 256 * 32;

/// Calls move(shared offset, row offset, bytes) for every piece of a row that stays together.
template <typename Move>
void for_pieces(const SwizzlePattern& swizzle, uint32_t at, uint32_t bytes, const Move& move) {
  const uint32_t together = swizzle.flips ? 8 : 16;
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t piece = std::min(bytes - done, together - (at + done) % together);
    move(swizzle.place(at + done), done, piece);
    done += piece;
  }
}

/// One full 128-byte line whose 16-byte pieces change places: the shape that production kernels use,
/// unrolled.
template <uint32_t... piece>
inline void copy_line(std::byte* to, uint32_t to_change, const std::byte* from, uint32_t from_change,
                      std::integer_sequence<uint32_t, piece...>) {
  (std::memcpy(to + ((16 * piece) ^ to_change), from + ((16 * piece) ^ from_change), 16), ...);
}
using EightPieces = std::make_integer_sequence<uint32_t, 8>;

/// Ways to move a row between a run of bytes and its places in the window: place() puts it there, fetch()
/// gets it.
struct Linear {
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    std::memcpy(window + at, from, bytes);
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    std::memcpy(to, window + at, bytes);
  }
};
/// Whole lines: at and bytes are multiples of 128, no flip.
struct Lines {
  SwizzlePattern swizzle;
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    for (uint32_t done = 0; done < bytes; done += 128)
      copy_line(window + at + done, swizzle.line_xor(at + done), from + done, 0, EightPieces());
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    for (uint32_t done = 0; done < bytes; done += 128)
      copy_line(to + done, 0, window + at + done, swizzle.line_xor(at + done), EightPieces());
  }
};
struct Pieces {
  SwizzlePattern swizzle;
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    for_pieces(swizzle, at, bytes, [&](uint32_t to, uint32_t offset, uint32_t piece) {
      std::memcpy(window + to, from + offset, piece);
    });
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    for_pieces(swizzle, at, bytes, [&](uint32_t from, uint32_t offset, uint32_t piece) {
      std::memcpy(to + offset, window + from, piece);
    });
  }
};
/// Calls use(way) with the fastest way that does for all rows of the shape, `row_bytes` of each.
template <typename Use>
void with_way(const TiledShape& shape, const Transfer& transfer, uint32_t row_bytes, const Use& use) {
  const uint32_t all = transfer.tile_offset | shape.pitch | row_bytes;
  if (shape.swizzle.atoms == 1)
    use(Linear{});
  else if (all % 128 == 0 && !shape.swizzle.flips)
    use(Lines{shape.swizzle});
  else
    use(Pieces{shape.swizzle});
}

/// Rows that follow each other in dimension 1, all of them in or all out of bounds above dimension 0.
struct RowRun {
  bool inside;
  uint32_t rows;
  uint32_t shared;   ///< offset of the first row in the window
  uint64_t global;   ///< address of unit 0 of the first row
  uint64_t advance;  ///< from row to row in global memory
};

/// Calls visit(run) for all rows of the box in order of shared memory. Addresses are exact modulo 2^64, thus
/// exact wherever they are used.
template <typename Visit>
void for_runs(const TiledShape& shape, const Transfer& transfer, const Visit& visit) {
  const auto in = [&](int i, uint32_t j) { return j >= shape.first[i] && j < shape.end[i]; };
  const auto at = [&](int i, uint32_t j) {
    return static_cast<uint64_t>(shape.start[i] + static_cast<int64_t>(j) * shape.step[i]) * shape.stride[i];
  };
  const uint64_t row_start = transfer.base + static_cast<uint64_t>(shape.start[0]) * shape.stride[0];
  const uint64_t advance = static_cast<uint64_t>(shape.step[1]) * shape.stride[1];
  uint32_t shared = transfer.tile_offset;
  for (uint32_t j4 = 0; j4 < shape.count[4]; ++j4)
    for (uint32_t j3 = 0; j3 < shape.count[3]; ++j3)
      for (uint32_t j2 = 0; j2 < shape.count[2]; ++j2) {
        const bool inside = in(2, j2) && in(3, j3) && in(4, j4);
        uint64_t global = row_start + at(1, 0) + at(2, j2) + at(3, j3) + at(4, j4);
        const auto run = [&](bool is_inside, uint32_t rows) {
          if (rows != 0) visit(RowRun{is_inside, rows, shared, global, advance});
          shared += rows * shape.pitch;
          global += rows * advance;
        };
        const uint32_t before = shape.first[1], within = shape.end[1] - shape.first[1];
        run(false, before);
        run(inside, within);
        run(false, shape.count[1] - before - within);
      }
}

void fill_bytes(std::byte* to, uint64_t pattern, size_t bytes) {
  if (pattern == 0) {
    std::memset(to, 0, bytes);
    return;
  }
  // Rows start with a whole element, so the pattern starts at byte 0 of a row.
  for (size_t at = 0; at < bytes; at += 8) std::memcpy(to + at, &pattern, std::min<size_t>(8, bytes - at));
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

  void run() {
    with_way(shape_, transfer_, shape_.inner, [&](const auto& way) { run_with(way); });
  }

 private:
  template <typename Way>
  void run_with(const Way& way) {
    for_runs(shape_, transfer_, [&](const RowRun& run) {
      const bool inside = run.inside && in_row_;
      if (shape_.packing == Packing::padded)
        padded_rows(run, inside);
      else if (inside && straight_)
        straight_rows(way, run, window_.data(), global_.data() + run.global, shape_.pitch, shape_.inner);
      else
        for (uint32_t row = 0; row < run.rows; ++row)
          way.place(window_.data(), run.shared + row * shape_.pitch,
                    inside ? mixed_row(run.global + row * run.advance) : fill_row(), shape_.inner);
    });
  }

  /// By value: nothing that the stores could alias is read again.
  template <typename Way>
  static void straight_rows(Way way, RowRun run, std::byte* window, const std::byte* from, uint32_t pitch,
                            uint32_t inner) {
    if (std::is_same_v<Way, Linear> && run.advance == inner && pitch == inner) {
      std::memcpy(window + run.shared, from, size_t{run.rows} * inner);
      return;
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
        const uint32_t to = run.shared + row * shape_.pitch + j * shape_.unit_shared;
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
  for (uint32_t i = 0; i < count; ++i)
    written[at + i] = written[at + i] == std::byte{0} ? std::byte{1} : std::byte{2};
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

}  // namespace

bool global_range(const TiledShape& shape, const Transfer& transfer, bool store, uint64_t& begin,
                  uint64_t& end) {
  begin = end = 0;
  if (!shape.any_in_bounds()) return true;
  unsigned __int128 low = transfer.base, high = transfer.base;
  for (int i = 0; i < 5; ++i) {
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

void load_rows(const TiledShape& shape, const Transfer& transfer, std::span<const std::byte> global,
               std::span<std::byte> window, std::span<std::byte> defined) {
  Loader(shape, transfer, global, window, defined).run();
}

void store_rows(const TiledShape& shape, const Transfer& transfer, std::span<const std::byte> window,
                std::span<std::byte> global, std::span<std::byte> written) {
  const StoredBytes bytes = stored_bytes(shape, transfer);
  if (bytes.begin >= bytes.end) return;
  const bool direct =
      transfer.convert.is_copy() && shape.packing == Packing::plain && shape.step[0] == 1 && bytes.begin == 0;
  with_way(shape, transfer, direct ? bytes.end : shape.inner, [&](const auto& way) {
    for_runs(shape, transfer, [&](const RowRun& run) {
      if (!run.inside) return;
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

}  // namespace assay::model
