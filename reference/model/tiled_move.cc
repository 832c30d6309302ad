#include "reference/model/tiled_move.h"

#include <algorithm>
#include <array>
#include <cstring>

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

/// One full 128-byte line under a swizzle of 16-byte pieces: the shape that production kernels use, unrolled.
inline void place_line(std::byte* line, const std::byte* from, uint32_t change) {
  for (uint32_t piece = 0; piece < 128; piece += 16) std::memcpy(line + (piece ^ change), from + piece, 16);
}
inline void fetch_line(std::byte* to, const std::byte* line, uint32_t change) {
  for (uint32_t piece = 0; piece < 128; piece += 16) std::memcpy(to + piece, line + (piece ^ change), 16);
}

void place_row(const SwizzlePattern& swizzle, std::byte* window, uint32_t at, const std::byte* from,
               uint32_t bytes) {
  if (swizzle.atoms == 1) {
    std::memcpy(window + at, from, bytes);
    return;
  }
  if (!swizzle.flips && at % 128 == 0)
    for (; bytes >= 128; at += 128, from += 128, bytes -= 128)
      place_line(window + at, from, swizzle.line_xor(at));
  for_pieces(swizzle, at, bytes, [&](uint32_t to, uint32_t offset, uint32_t piece) {
    std::memcpy(window + to, from + offset, piece);
  });
}

void fetch_row(const SwizzlePattern& swizzle, const std::byte* window, uint32_t at, std::byte* to,
               uint32_t bytes) {
  if (swizzle.atoms == 1) {
    std::memcpy(to, window + at, bytes);
    return;
  }
  if (!swizzle.flips && at % 128 == 0)
    for (; bytes >= 128; at += 128, to += 128, bytes -= 128)
      fetch_line(to, window + at, swizzle.line_xor(at));
  for_pieces(swizzle, at, bytes, [&](uint32_t from, uint32_t offset, uint32_t piece) {
    std::memcpy(to + offset, window + from, piece);
  });
}

/// Calls visit(row number, is in bounds above dimension 0, address of unit 0 of the row) in order of shared
/// memory. Addresses are exact modulo 2^64, thus exact wherever they are used.
template <typename Visit>
void for_rows(const TiledShape& shape, uint64_t base, const Visit& visit) {
  const auto in = [&](int i, uint32_t j) { return j >= shape.first[i] && j < shape.end[i]; };
  const auto at = [&](int i, uint32_t j) {
    return static_cast<uint64_t>(shape.start[i] + static_cast<int64_t>(j) * shape.step[i]) * shape.stride[i];
  };
  const uint64_t row_start = base + static_cast<uint64_t>(shape.start[0]) * shape.stride[0];
  uint32_t row = 0;
  for (uint32_t j4 = 0; j4 < shape.count[4]; ++j4)
    for (uint32_t j3 = 0; j3 < shape.count[3]; ++j3)
      for (uint32_t j2 = 0; j2 < shape.count[2]; ++j2) {
        const bool inside = in(2, j2) && in(3, j3) && in(4, j4);
        const uint64_t plane = row_start + at(2, j2) + at(3, j3) + at(4, j4);
        for (uint32_t j1 = 0; j1 < shape.count[1]; ++j1, ++row)
          visit(row, inside && in(1, j1), plane + at(1, j1));
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
    for_rows(shape_, transfer_.base, [&](uint32_t row, bool inside, uint64_t source) {
      const uint32_t to = transfer_.tile_offset + row * shape_.pitch;
      if (shape_.packing == Packing::padded)
        padded_row(to, inside && in_row_, source);
      else if (inside && straight_)
        place_row(shape_.swizzle, window_.data(), to, &global_[source], shape_.inner);
      else
        place_row(shape_.swizzle, window_.data(), to, inside && in_row_ ? mixed_row(source) : fill_row(),
                  shape_.inner);
    });
  }

 private:
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
  void padded_row(uint32_t to, bool inside, uint64_t source) {
    static constexpr std::array<std::byte, 16> none{};
    for (uint32_t j = 0; j < shape_.count[0]; ++j, to += shape_.unit_shared) {
      const bool in = inside && j >= shape_.first[0] && j < shape_.end[0];
      const std::byte* from = in ? &global_[source + uint64_t{j} * shape_.unit_global] : none.data();
      place_row(shape_.swizzle, window_.data(), to, from, shape_.unit_global);
      if (!defined_.empty())
        place_row(shape_.swizzle, defined_.data(), to + shape_.unit_global, none.data(),
                  shape_.unit_shared - shape_.unit_global);
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
  alignas(64) std::byte row[max_row_bytes];
  alignas(64) std::byte packed[max_row_bytes];
  const bool direct =
      transfer.convert.is_copy() && shape.packing == Packing::plain && shape.step[0] == 1 && bytes.begin == 0;
  const auto mark = [&](uint64_t at, uint32_t count) {
    if (written.empty()) return;
    for (uint32_t i = 0; i < count; ++i)
      written[at + i] = written[at + i] == std::byte{0} ? std::byte{1} : std::byte{2};
  };
  for_rows(shape, transfer.base, [&](uint32_t number, bool inside, uint64_t target) {
    if (!inside) return;
    const uint32_t at = transfer.tile_offset + number * shape.pitch;
    if (direct) {
      fetch_row(shape.swizzle, window.data(), at, &global[target], bytes.end);
      mark(target, bytes.end);
      return;
    }
    fetch_row(shape.swizzle, window.data(), at, row, shape.inner);
    const std::byte* from = row;
    if (shape.packing == Packing::byte_each) {
      for (uint32_t group = 0; group < shape.count[0]; ++group)
        pack_group(packed + group * 12, row + group * 16);
      from = packed;
    } else if (!transfer.convert.is_copy()) {
      transfer.convert.apply(row, row, shape.inner);
    }
    if (shape.step[0] == 1) {
      std::memcpy(&global[target + bytes.begin], from + bytes.begin, bytes.end - bytes.begin);
      mark(target + bytes.begin, bytes.end - bytes.begin);
      return;
    }
    for (uint32_t j = shape.first[0]; j < shape.end[0]; ++j) {
      const uint64_t to = target + j * shape.step[0] * shape.unit_global;
      std::memcpy(&global[to], from + j * shape.unit_global, shape.unit_global);
      mark(to, shape.unit_global);
    }
  });
}

}  // namespace assay::model
