// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/slow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "reference/model/bend.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/spec/questions.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

using spec::question;
using i128 = __int128;

/// A case in the words of its definition. "Thing": what dimension 0 counts: an element, or a slice when
/// interleaved.
struct Definition {
  const TensorCopyCase& copy;
  const spec::Readings& readings;
  const spec::DataType& type;
  const spec::Swizzle& swizzle;
  TiledBend bend;      ///< of the readings: steps that are altered
  bool slices;         ///< dimension 0 counts slices
  int thing_bits;      ///< in global memory
  int things_a_group;  ///< things that share padding in shared memory
  int group_bytes;     ///< of such a group in shared memory
  std::array<int, 5> counts;

  Definition(const TensorCopyCase& c, const spec::Readings& r)
      : copy(c),
        readings(r),
        type(*spec::find_data_type(c.map.data_type)),
        swizzle(*spec::find_swizzle(c.map.swizzle)) {
    slices = c.map.interleave != 0 && !r.is({"TMA-AMB-12", "counts_elements"});
    thing_bits = slices ? 128 * static_cast<int>(c.map.interleave) : static_cast<int>(type.bits);
    things_a_group = slices ? 1 : static_cast<int>(type.group);
    group_bytes = slices ? thing_bits / 8 : static_cast<int>(type.group_shared_bytes);
    if (r.bend() != nullptr && (r.bend()->copy.concerns == nullptr || r.bend()->copy.concerns(c)))
      bend = r.bend()->copy;
    for (int i = 0; i < 5; ++i) counts[static_cast<size_t>(i)] = count(i);
  }

  int visited(int i) const { return counts[static_cast<size_t>(i)]; }
  int count(int i) const {
    if (i >= static_cast<int>(copy.map.rank)) return 1;
    const int n = count_of_box(i);
    return bend.count == nullptr ? n : static_cast<int>(bend.count(copy, i, n));
  }
  int count_of_box(int i) const {
    const auto& map = copy.map;
    if (map.interleave != 0 && i == static_cast<int>(map.rank) - 2 &&
        readings.is({"TMA-AMB-12", "chooses_a_slice"}))
      return 1;
    int n = 0;
    for (uint32_t index = 0; index < map.box_dim[i]; index += static_cast<uint32_t>(step(i))) ++n;
    return n;
  }
  int step(int i) const { return i == 0 && !slices ? 1 : static_cast<int>(copy.map.element_stride[i]); }

  i128 coordinate(int i, int j) const {
    const int64_t start = copy.coord[i], offset = int64_t{j} * step(i);
    return i128{bend.start == nullptr ? start : bend.start(copy, i, start)} +
           i128{bend.offset == nullptr ? offset : bend.offset(copy, i, j, offset)};
  }
  bool inside(int i, int j) const {
    if (i >= static_cast<int>(copy.map.rank)) return true;
    const bool in = coordinate(i, j) >= 0 && coordinate(i, j) < i128{copy.map.global_dim[i]};
    return bend.inside == nullptr ? in : bend.inside(copy, i, static_cast<int64_t>(coordinate(i, j)), in);
  }
  /// First bit of an element in global memory.
  i128 global_bit(const int (&j)[5]) const {
    i128 bit = coordinate(0, j[0]) * thing_bits;
    for (uint32_t i = 1; i < copy.map.rank; ++i) {
      const uint64_t stride = copy.map.global_stride[i - 1];
      bit += coordinate(static_cast<int>(i), j[i]) * 8 *
             i128{bend.stride == nullptr ? stride : bend.stride(copy, static_cast<int>(i), stride)};
    }
    if (bend.distance != nullptr)
      bit = i128{bend.distance(copy, static_cast<int64_t>(bit / 8))} * 8 + bit % 8;
    return bit + i128{copy.map.global_address} * 8;
  }
  /// Bytes from one group to the next in shared memory.
  int group_pitch() const {
    const auto data_bytes = static_cast<uint32_t>(things_a_group * thing_bits / 8);
    return bend.group == nullptr
               ? group_bytes
               : static_cast<int>(bend.group(copy, data_bytes, static_cast<uint32_t>(group_bytes)));
  }
  int row_bytes() const { return visited(0) / things_a_group * group_pitch(); }
  int row_pitch() const {
    if (bend.pitch == nullptr) return pitch_of_rules();
    return static_cast<int>(
        bend.pitch(copy, static_cast<uint32_t>(row_bytes()), static_cast<uint32_t>(pitch_of_rules())));
  }
  int pitch_of_rules() const {
    if (copy.map.interleave != 0 || swizzle.span_bytes == 0) return row_bytes();
    const int span = static_cast<int>(swizzle.span_bytes);
    if (row_bytes() < span && readings.is({"TMA-AMB-04", "rows_dense"})) return row_bytes();
    return swizzle.is_96B && readings.is({"TMA-AMB-11", "rows_128_apart"}) ? 128 : span;
  }
  /// Where the byte `byte` of a row is kept, by the address formula of the swizzle.
  uint32_t place(int row, int byte) const {
    const uint32_t a = copy.tile_offset + static_cast<uint32_t>(row * row_pitch() + byte);
    const uint32_t line = a >> 7;
    uint32_t flip = line & swizzle.flip_mask;
    if (swizzle.flip_mask != 0 && readings.is({"TMA-AMB-10", "bit_7_clear"})) flip ^= 1;
    const uint32_t kept = a ^ (line & swizzle.line_mask) << swizzle.line_shift ^ flip << 3;
    return bend.place == nullptr ? kept : bend.place(copy, a, kept);
  }

  /// Calls visit(indices, row number, whether dimensions above 0 are in bounds) for every row of the box.
  template <typename Visit>
  void rows(const Visit& visit) const {
    int row = 0;
    for (int j4 = 0; j4 < visited(4); ++j4)
      for (int j3 = 0; j3 < visited(3); ++j3)
        for (int j2 = 0; j2 < visited(2); ++j2)
          for (int j1 = 0; j1 < visited(1); ++j1, ++row)
            visit({j1, j2, j3, j4}, row_number({j1, j2, j3, j4}, row),
                  inside(1, j1) && inside(2, j2) && inside(3, j3) && inside(4, j4));
  }
  int row_number(const int64_t (&visits)[4], int row) const {
    if (bend.row == nullptr) return row;
    const int64_t of[4] = {visited(1), visited(2), visited(3), visited(4)};
    return static_cast<int>(bend.row(visits, of, row));
  }
};
struct Above {
  int j1, j2, j3, j4;
};

/// False where only a bend could lead.
bool holds_bit(std::span<const std::byte> bytes, i128 bit) {
  return bit >= 0 && bit / 8 < static_cast<i128>(bytes.size());
}

int get_bit(std::span<const std::byte> bytes, i128 bit) {
  return static_cast<int>(bytes[static_cast<size_t>(bit / 8)]) >> static_cast<int>(bit % 8) & 1;
}

float as_float(uint32_t word) {
  float value;
  std::memcpy(&value, &word, 4);
  return value;
}

/// tf32 by arithmetic: the neighbours with 13 zero bits below, and which of them is nearer.
uint32_t to_tf32(uint32_t word, const spec::Readings& readings) {
  if (readings.is({"TMA-AMB-07", "not_converted"})) return word;
  const uint32_t below = word & ~0x1fffu;
  if (readings.is({"TMA-AMB-07", "truncated"})) return below;
  const double value = as_float(word & 0x7fffffffu);
  if (std::isnan(value)) return 0x7fffe000;
  if (std::isinf(value)) return word;
  const uint32_t low = below & 0x7fffffffu, high = low + 0x2000u, sign = word & 0x80000000u;
  // Past the largest finite number the neighbour counts as 2^128.
  const double high_value = high >= 0x7f800000u ? std::ldexp(1.0, 128) : as_float(high),
               low_value = as_float(low);
  const double to_low = value - low_value, to_high = high_value - value;
  if (to_low != to_high) return sign | (to_low < to_high ? low : high);
  if (readings.is({"TMA-AMB-07", "nearest_away"})) return sign | high;
  return sign | ((low >> 13 & 1) == 0 ? low : high);
}

uint32_t loaded_word(const Definition& d, uint32_t loaded) {
  uint32_t word = loaded;
  const bool ftz = d.type.host == spec::host_type::f32_ftz || d.type.host == spec::host_type::tf32_ftz;
  if (ftz && d.readings.is({"TMA-AMB-06", "flushes"}) && std::fpclassify(as_float(word)) == FP_SUBNORMAL)
    word &= 0x80000000u;
  if (d.type.tf32) word = to_tf32(word, d.readings);
  return d.bend.word == nullptr ? word : d.bend.word(d.copy, loaded, word);
}

void convert_words(std::vector<std::byte>& bytes, const auto& convert) {
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t word;
    std::memcpy(&word, &bytes[at], 4);
    word = convert(word);
    std::memcpy(&bytes[at], &word, 4);
  }
}

std::byte fill_of_rules(const Definition& d, int byte_of_element) {
  if (d.copy.map.oob_fill == 0) return std::byte{0};
  static constexpr uint8_t f16[3][2] = {{0xf7, 0x7f}, {0xff, 0x7f}, {0x00, 0x7e}};
  static constexpr uint8_t bf16[3][2] = {{0xf7, 0x7f}, {0xff, 0x7f}, {0xc0, 0x7f}};
  static constexpr uint8_t f32[3][4] = {
      {0xf7, 0x7f, 0xf7, 0x7f}, {0xff, 0xff, 0xff, 0x7f}, {0x00, 0x00, 0xc0, 0x7f}};
  static constexpr uint8_t f64[3][8] = {{0xf7, 0x7f, 0xf7, 0x7f, 0xf7, 0x7f, 0xf7, 0x7f},
                                        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
                                        {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x7f}};
  const int reading = d.readings.is({"TMA-AMB-05", "halves_of_7ff7"})  ? 0
                      : d.readings.is({"TMA-AMB-05", "mantissa_ones"}) ? 1
                                                                       : 2;
  if (d.type.bits == 64) return std::byte{f64[reading][byte_of_element % 8]};
  if (d.type.bits == 32) return std::byte{f32[reading][byte_of_element % 4]};
  // Not one expression: g++ 12 with -fsanitize=undefined takes [reading][0] of a conditional array.
  if (d.type.name == "f16") return std::byte{f16[reading][byte_of_element % 2]};
  return std::byte{bf16[reading][byte_of_element % 2]};
}

/// The bytes of one element out of bounds, repeated through a slice.
std::byte fill_byte(const Definition& d, int byte_of_element) {
  const std::byte right = fill_of_rules(d, byte_of_element);
  if (d.bend.fill == nullptr) return right;
  return std::byte{
      d.bend.fill(d.copy, static_cast<uint32_t>(byte_of_element), std::to_integer<uint8_t>(right))};
}

/// What a load puts into one group of things, and which bits of it are known.
struct Group {
  std::vector<std::byte> bytes, known;
  bool all_inside = true, none_inside = true;
};

Group loaded_group(const Definition& d, std::span<const std::byte> arena, const Above& above, int j0,
                   bool row_inside) {
  const auto size = static_cast<size_t>(d.group_bytes);
  Group group{std::vector<std::byte>(size), std::vector<std::byte>(size, std::byte{0xff})};
  for (int k = 0; k < d.things_a_group; ++k) {
    const int j[5] = {j0 + k, above.j1, above.j2, above.j3, above.j4};
    const bool in = row_inside && d.inside(0, j[0]);
    (in ? group.none_inside : group.all_inside) = false;
    const i128 first = in ? d.global_bit(j) : 0;
    // Whole bytes at once, where they are whole ones.
    const int step = d.thing_bits % 8 == 0 ? 8 : 1;
    for (int bit = 0; bit < d.thing_bits; bit += step) {
      const int to = k * d.thing_bits + bit;
      std::byte& byte = group.bytes[static_cast<size_t>(to / 8)];
      if (in && !holds_bit(arena, first + bit))
        group.known[static_cast<size_t>(to / 8)] = std::byte{0};
      else if (step == 8)
        byte = in ? arena[static_cast<size_t>((first + bit) / 8)] : fill_byte(d, to / 8);
      else
        byte |= static_cast<std::byte>(
            (in ? get_bit(arena, first + bit) : static_cast<int>(fill_byte(d, to / 8)) >> (to % 8) & 1)
            << (to % 8));
    }
  }
  if (d.bend.data_is_open && !group.none_inside)
    std::fill(group.known.begin(), group.known.end(), std::byte{0});
  if (d.bend.fill_is_open && !group.all_inside)
    std::fill(group.known.begin(), group.known.end(), std::byte{0});
  return group;
}

/// The things of the box that a store writes, in box order: visit(first bit in global memory, row, j0).
template <typename Visit>
void stored_things(const Definition& d, const Visit& visit) {
  d.rows([&](const Above& above, int row, bool row_inside) {
    if (!row_inside && d.bend.stores == nullptr) return;
    for (int j0 = 0; j0 < d.visited(0); ++j0) {
      const int j[5] = {j0, above.j1, above.j2, above.j3, above.j4};
      bool in = d.inside(0, j0);
      if (!d.slices && d.readings.is({"X-17", "by_16_byte_pieces"})) {
        // The element goes with the piece of 16 bytes that it lies in: with the element that holds the
        // piece's first byte.
        const int piece_bit = j0 * d.thing_bits / 128 * 128;
        in = d.inside(0, piece_bit / d.thing_bits);
      }
      in = in && row_inside;
      if (d.bend.stores != nullptr)
        in = d.bend.stores(d.copy, j0, static_cast<uint32_t>(d.thing_bits), row_inside, in);
      if (in) visit(d.global_bit(j), row, j0);
    }
  });
}

/// Elements of at least a byte, one after the other, in box order. How often each byte is reduced.
void slow_reduction(const Definition& d, std::span<const std::byte> window, std::span<std::byte> slot,
                    std::vector<int>& writes) {
  const spec::Reduction what = *tensor_reduction(d.copy.reduction, d.copy.map.data_type);
  const int bytes = static_cast<int>(spec::bytes_of(what.type));
  stored_things(d, [&](i128 first, int row, int j0) {
    for (int at = 0; at < d.thing_bits / 8; at += bytes) {
      if (!holds_bit(slot, first + 8 * at) || !holds_bit(slot, first + 8 * (at + bytes) - 1)) continue;
      const auto to = static_cast<size_t>(first / 8) + static_cast<size_t>(at);
      std::array<std::byte, 8> operand{};
      for (int byte = 0; byte < bytes; ++byte) {
        const uint32_t from = d.place(row, j0 * d.thing_bits / 8 + at + byte);
        if (from < window.size()) operand[static_cast<size_t>(byte)] = window[from];
        writes[to + static_cast<size_t>(byte)] += 8;
      }
      const auto size = static_cast<uint32_t>(bytes);
      store_element(
          &slot[to],
          bent_reduction(what, load_element(&slot[to], size), load_element(operand.data(), size), d.readings),
          size);
    }
  });
}

}  // namespace

void slow_load(const TensorCopyCase& copy, const spec::Readings& readings, std::span<const std::byte> arena,
               std::span<std::byte> window, std::span<std::byte> defined) {
  if (is_column(copy)) return slow_column_load(copy, readings, arena, window, defined);
  const Definition d(copy, readings);
  std::fill(defined.begin(), defined.end(), d.bend.rest_is_open ? std::byte{0} : std::byte{0xff});
  const int data_bytes = d.things_a_group * d.thing_bits / 8;  // 0 for half a byte: those come in groups
  d.rows([&](const Above& above, int row, bool row_inside) {
    for (int j0 = 0; j0 < d.visited(0); j0 += d.things_a_group) {
      Group group = loaded_group(d, arena, above, j0, row_inside);
      if (group.all_inside && d.type.bits == 32)
        convert_words(group.bytes, [&](uint32_t word) { return loaded_word(d, word); });
      for (int byte = 0; byte < d.group_bytes; ++byte) {
        const uint32_t to = d.place(row, j0 / d.things_a_group * d.group_pitch() + byte);
        if (to >= window.size()) continue;  // only a bend leads there
        if (byte < data_bytes) window[to] = group.bytes[static_cast<size_t>(byte)];
        defined[to] = byte < data_bytes ? group.known[static_cast<size_t>(byte)] : std::byte{0};
      }
    }
  });
}

void slow_store(const TensorCopyCase& copy, const spec::Readings& readings, std::span<const std::byte> window,
                std::span<std::byte> slot, std::span<std::byte> defined) {
  if (is_column(copy)) return slow_column_store(copy, readings, window, slot, defined);
  const Definition d(copy, readings);
  std::vector<int> writes(slot.size());
  const bool six_bits = d.type.host == spec::host_type::b6x16_p32;
  const auto shared_bit = [&](int row, int bit) {
    const uint32_t at = d.place(row, bit / 8);
    return at < window.size() ? static_cast<int>(window[at]) >> (bit % 8) & 1 : 0;
  };
  if (copy.reduction != TensorReduction::none)
    slow_reduction(d, window, slot, writes);
  else
    stored_things(d, [&](i128 bit0, int row, int j0) {
      uint32_t word = 0;
      if (d.type.bits == 32 && d.type.tf32 && readings.is({"TMA-AMB-32", "converts"}) && !d.slices)
        for (int b = 0; b < 4; ++b)
          word |= static_cast<uint32_t>(window[d.place(row, j0 * 4 + b)]) << (8 * b);
      for (int bit = 0; bit < d.thing_bits; ++bit) {
        int from = six_bits ? j0 * 8 + bit : j0 * d.thing_bits + bit;
        if (six_bits && d.bend.packed != nullptr)
          from = static_cast<int>(d.bend.packed(static_cast<uint32_t>(j0))) * 8 + bit;
        int value = shared_bit(row, from);
        if (d.type.tf32 && readings.is({"TMA-AMB-32", "converts"})) {
          if (d.slices) {
            word = 0;
            for (int b = 0; b < 4; ++b)
              word |= static_cast<uint32_t>(window[d.place(row, from / 32 * 4 + b)]) << (8 * b);
          }
          value = static_cast<int>(to_tf32(word, readings) >> (bit % 32) & 1);
        }
        if (!holds_bit(slot, bit0 + bit)) continue;
        const size_t byte = static_cast<size_t>((bit0 + bit) / 8);
        const int shift = static_cast<int>((bit0 + bit) % 8);
        slot[byte] = (slot[byte] & ~(std::byte{1} << shift)) | static_cast<std::byte>(value << shift);
        writes[byte] += 1;
      }
    });
  for (size_t i = 0; i < defined.size(); ++i) {
    const bool is_open =
        writes[i] > 8 || (writes[i] == 0 && d.bend.rest_is_open) || (writes[i] != 0 && d.bend.data_is_open);
    defined[i] = is_open ? std::byte{0} : std::byte{0xff};
  }
}

void open_what_lanes_share(const TensorCopyCase& copy, const spec::Readings& readings,
                           std::span<std::byte> defined) {
  std::vector<int> reductions(defined.size());
  for (uint32_t lane = 0; lane < copy.lanes; ++lane) {
    const TensorCopyCase one = lane_of(copy, lane, readings);
    const Definition d(one, readings);
    stored_things(d, [&](i128 first, int, int) {
      for (int byte = 0; byte < d.thing_bits / 8; ++byte)
        if (holds_bit(defined, first + 8 * byte)) ++reductions[static_cast<size_t>(first / 8) + byte];
    });
  }
  for (size_t i = 0; i < defined.size(); ++i)
    if (reductions[i] > 1) defined[i] = std::byte{0};
}

uint64_t slow_transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  if (is_column(copy)) return slow_column_transaction_bytes(copy, readings);
  const Definition d(copy, readings);
  const bool padded = !d.slices && d.type.group_global_bytes != d.type.group_shared_bytes;
  const bool counts_padding = padded && readings.is({"TMA-AMB-33", "padded_bytes"});
  const int bits = counts_padding ? d.group_bytes * 8 / d.things_a_group : d.thing_bits;
  uint64_t counted = 0;
  bool everything = true;
  uint64_t rows = 0, all = 0;
  d.rows([&](const Above&, int, bool row_inside) {
    ++rows;
    for (int j0 = 0; j0 < d.visited(0); ++j0) {
      const bool in = row_inside && d.inside(0, j0);
      everything &= in;
      counted += in ? static_cast<uint64_t>(bits) : 0;
      all += static_cast<uint64_t>(bits);
    }
  });
  if (!everything && readings.is({"TMA-AMB-18", "bytes_in_bounds"})) return counted / 8;
  const bool narrow = copy.map.interleave == 0 && d.row_bytes() < static_cast<int>(d.swizzle.span_bytes);
  if (narrow && readings.is({"TMA-AMB-04", "span_bytes_counted"}))
    return rows * static_cast<uint64_t>(d.row_pitch());
  return all / 8;
}

}  // namespace assay::model
