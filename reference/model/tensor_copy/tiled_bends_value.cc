// SPDX-License-Identifier: Apache-2.0
#include "reference/model/as_if.h"

/// Bends of tiled copies: fill, conversion, and what a store writes.
namespace assay::model {
namespace {

using C = TensorCopyCase;

bool is_tf32(const C& c) {
  const spec::DataType* type = spec::find_data_type(c.map.data_type);
  return type != nullptr && type->tf32;
}
bool is_load_of_words(const C& c) {
  return c.direction == CopyDirection::load && !is_tf32(c);
}
constexpr bool is_subnormal(uint32_t word) {
  return (word & 0x7f800000) == 0 && (word & 0x7fffff) != 0;
}
constexpr bool is_nan(uint32_t word) {
  return (word & 0x7fffffff) > 0x7f800000;
}
constexpr bool is_finite(uint32_t word) {
  return (word & 0x7f800000) != 0x7f800000;
}
constexpr bool is_tie(uint32_t word) {
  return (word & 0x1fff) == 0x1000 && is_finite(word);
}

bool has_steps(const C& c) {
  for (uint32_t i = 1; i < c.map.rank; ++i)
    if (c.map.element_stride[i] > 1) return true;
  return false;
}

/// Fill of elements of so many bits; 0: all.
template <uint32_t only_bits, uint8_t value>
uint8_t zero_fill(const C& c, uint32_t, uint8_t right) {
  const uint32_t bits = spec::data_types[c.map.data_type].bits;
  return c.map.oob_fill == 0 && (only_bits == 0 || bits == only_bits) ? value : right;
}
template <uint32_t only_bits, uint16_t half>
uint8_t nan_fill(const C& c, uint32_t byte, uint8_t right) {
  const uint32_t bits = spec::data_types[c.map.data_type].bits;
  if (c.map.oob_fill == 0 || (only_bits != 0 && bits != only_bits)) return right;
  return static_cast<uint8_t>(half >> (8 * (byte % 2)));
}
/// The quiet NaN of the element's own type.
uint8_t nan_of_type(const C& c, uint32_t byte, uint8_t right) {
  if (c.map.oob_fill == 0) return right;
  const spec::DataType& type = spec::data_types[c.map.data_type];
  const uint64_t nan = type.bits == 64       ? 0x7ff8000000000000
                       : type.bits == 32     ? 0x7fc00000
                       : type.name == "bf16" ? 0x7fc0
                                             : 0x7e00;
  return static_cast<uint8_t>(nan >> (8 * (byte % (type.bits / 8))));
}

/// Elements that the piece of 16 bytes holds in which the element lies: the first one, the one behind.
struct Piece {
  int64_t first, end;
};
Piece piece_of(int64_t visit, uint32_t bits) {
  const int64_t first = visit * bits / 128 * 128;
  return {first / bits, (first + 128 + bits - 1) / bits};
}
bool in_dimension_0(const C& c, int64_t visit) {
  const int64_t at = c.coord[0] + visit;
  return at >= 0 && at < static_cast<int64_t>(c.map.global_dim[0]);
}

// clang-format off
constexpr Bend value_bends[] = {
    as_if("TILE-R16", "the fill were ones", &TiledBend::fill, zero_fill<0, 0xff>),
    as_if("TILE-R16", "the fill of one-byte types were ones", &TiledBend::fill, zero_fill<8, 0xff>),
    as_if("TILE-R16", "the fill of two-byte types were ones", &TiledBend::fill, zero_fill<16, 0xff>),
    as_if("TILE-R16", "zero fill were NaN fill", &TiledBend::fill,
          [](const C& c, uint32_t byte, uint8_t right) -> uint8_t { return c.map.oob_fill == 0
         ? (byte % 2 == 0 ? 0xf7 : 0x7f) : right; }),
    as_if("TILE-R16", "zero fill wrote something else", &TiledBend::fill_is_open,
          true, &TiledBend::concerns, [](const C& c) { return c.map.oob_fill == 0; }),
    as_if("TILE-R17", "NaN fill wrote something else", &TiledBend::fill_is_open,
          true, &TiledBend::concerns, [](const C& c) { return c.map.oob_fill == 1; }),
    as_if("TILE-R17", "NaN fill were zero fill", &TiledBend::fill, nan_fill<0, 0>),
    as_if("TILE-R17", "NaN fill of eight-byte types were zero fill", &TiledBend::fill, nan_fill<64, 0>),
    as_if("TILE-R17", "NaN fill were 0x7fff", &TiledBend::fill, nan_fill<0, 0x7fff>),
    as_if("TILE-R17", "NaN fill were the quiet NaN of the type", &TiledBend::fill, nan_of_type),
    as_if("TILE-R17", "NaN fill were the quiet NaN of f16", &TiledBend::fill, nan_fill<0, 0x7e00>),
    as_if("TILE-R17", "NaN fill were the quiet NaN of bf16", &TiledBend::fill, nan_fill<0, 0x7fc0>),
    as_if("TILE-R17", "NaN fill were ones", &TiledBend::fill, nan_fill<0, 0xffff>),
    as_if("TILE-R18", "a load took pieces of 16 bytes whole", &TiledBend::inside,
          [](const C& c, int i, int64_t at, bool right) {
       if (i != 0 || c.direction == CopyDirection::store || c.map.interleave != 0) return right;
       const uint32_t bits = spec::data_types[c.map.data_type].bits;
       return right || (at >= 0 && in_dimension_0(c, piece_of(at - c.coord[0], bits).first)); }),
    as_if("TILE-R18", "a load left out pieces of 16 bytes whole", &TiledBend::inside,
          [](const C& c, int i, int64_t at, bool right) {
       if (i != 0 || c.direction == CopyDirection::store || c.map.interleave != 0) return right;
       const Piece piece = piece_of(at - c.coord[0], spec::data_types[c.map.data_type].bits);
       return right && in_dimension_0(c, piece.first) && in_dimension_0(c, piece.end - 1); }),

    as_if("TILE-R31", "subnormals were flushed", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_load_of_words(c)
         && is_subnormal(word) ? word & 0x80000000 : right; }),
    as_if("TILE-R31", "NaNs were made quiet", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_load_of_words(c)
         && is_nan(word) ? word | 0x400000 : right; }),
    as_if("TILE-R31", "words were rounded to tf32", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_load_of_words(c)
         && is_finite(word) ? (word + 0xfff + (word >> 13 & 1)) & ~0x1fffu : right; }),
    as_if("TILE-R32", "subnormals were flushed", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c)
         && (word & 0x7f800000) == 0 ? word & 0x80000000 : right; }),
    as_if("TILE-R32", "NaNs kept their payload", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_nan(word) ? word
         : right; }),
    as_if("TILE-R32", "NaNs kept the upper bits of their payload", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_nan(word)
         ? word & ~0x1fffu : right; }),
    as_if("TILE-R32", "NaNs were 0x7fffffff", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) -> uint32_t { return is_tf32(c)
         && is_nan(word) ? 0x7fffffff : right; }),
    as_if("TILE-R32", "the low bits were dropped", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_finite(word)
         ? word & ~0x1fffu : right; }),
    as_if("TILE-R32", "the low bits of negative numbers were dropped", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_finite(word)
         && word >> 31 != 0 ? word & ~0x1fffu : right; }),
    as_if("TILE-R32", "ties were rounded away from zero", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_tie(word)
         ? (word & ~0x1fffu) + 0x2000 : right; }),
    as_if("TILE-R32", "ties were rounded to zero", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_tie(word)
         ? word & ~0x1fffu : right; }),
    as_if("TILE-R32", "ties were rounded to odd", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) && is_tie(word)
         ? (word & ~0x1fffu) | 0x2000 : right; }),
    as_if("TILE-R32", "nothing were converted", &TiledBend::word,
          [](const C& c, uint32_t word, uint32_t right) { return is_tf32(c) ? word : right; }),
    as_if("TILE-R30", "a store changed bits", &TiledBend::data_is_open,
          true, &TiledBend::concerns,
          [](const C& c) { return is_store(c) && c.reduction == TensorReduction::none; }),

    as_if("TILE-R27", "a store clipped dimension 0 per element", &TiledBend::stores,
          [](const C& c, int64_t visit, uint32_t, bool row, bool right) { return right
         && (c.map.interleave != 0 || (row && in_dimension_0(c, visit))); }),
    as_if("TILE-R27", "a store left out the piece that straddles the end", &TiledBend::stores,
          [](const C& c, int64_t visit, uint32_t bits, bool, bool right) { return right
         && (c.map.interleave != 0 || in_dimension_0(c, piece_of(visit, bits).end - 1)); }),
    as_if("TILE-R27", "a store wrote whole rows", &TiledBend::stores,
          [](const C&, int64_t, uint32_t, bool row, bool) { return row; }),
    as_if("TILE-R28", "a store wrote rows outside too", &TiledBend::stores,
          [](const C& c, int64_t visit, uint32_t bits, bool, bool) {
         return in_dimension_0(c, c.map.interleave != 0 ? visit : piece_of(visit, bits).first); }),
    as_if("TILE-R29", "a store wrote elements that it skips", &TiledBend::rest_is_open,
          true, &TiledBend::concerns, [](const C& c) { return is_store(c) && has_steps(c); }),
    as_if("TILE-R51", "a store wrote beside its box", &TiledBend::rest_is_open,
          true, &TiledBend::concerns, is_store),
};
// clang-format on

}  // namespace

std::span<const Bend> tiled_value_bends() {
  return value_bends;
}

}  // namespace assay::model
