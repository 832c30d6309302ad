// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"
#include "reference/model/mma/fields.h"
#include "reference/model/rig.h"

namespace assay {

/// Types of one wgmma or mma.sync instruction.
enum class MmaElement : uint8_t { f16, bf16, tf32, e4m3, e5m2, s8, u8, s4, u4 };
enum class MmaAccumulator : uint8_t { f32, f16, s32 };

struct MmaTypes {
  MmaElement a = MmaElement::f16, b = MmaElement::f16;
  MmaAccumulator d = MmaAccumulator::f32;
  bool saturates = false;  ///< .satfinite: integers
  auto operator<=>(const MmaTypes&) const = default;
};

/// Bits of an element of A or B.
constexpr uint32_t element_bits(MmaElement element) {
  if (element == MmaElement::tf32) return 32;
  if (element == MmaElement::s4 || element == MmaElement::u4) return 4;
  return element == MmaElement::f16 || element == MmaElement::bf16 ? 16 : 8;
}
/// Bytes of an element of an operand of wgmma, which has none of 4 bits.
constexpr uint32_t element_bytes(MmaElement element) {
  return element_bits(element) / 8;
}

/// A sparse A: of every chunk of a row half of the elements are kept, and the metadata in a register of each
/// thread say which elements of B they meet. The register of thread t of 128 has eight codes of 4 bits, each
/// one of a list: cell (lane t, column 0) of a MetadataInTensorMemory of this seed and these codes.
struct SparseA {
  bool present = false;
  bool ordered = false;   ///< .sp::ordered_metadata; else .sp
  uint32_t selector = 0;  ///< 0 to 3: the threads whose metadata count
  uint64_t seed = 0;
  uint32_t codes = 0;          ///< eight codes, the first in the low bits
  uint32_t strange_codes = 0;  ///< eight more, without a meaning
  uint32_t strange_rate = 0;   ///< of 256 codes so many are of those
  /// Beside known operands: the register of lane l is word l % 4 of these, and what draws codes is left
  /// alone.
  bool is_known = false;
  std::array<uint32_t, 4> of_quad{};
  auto operator<=>(const SparseA&) const = default;
};

/// All that a warp's registers hold, word for word, in place of patterns: register r of lane l is word l * 4
/// + r, and of the metadata of a sparse A word l. The four warps have the same, and so have all tiles.
struct WarpRegisters {
  bool present = false;
  std::array<uint32_t, 128> a{}, b{}, c{};
  std::array<uint32_t, 32> metadata{};
  auto operator<=>(const WarpRegisters&) const = default;
};

/// One wgmma.mma_async, M 64, K of 32 bytes of A, and with a sparse A of 64 bytes of B. The swizzles of a and
/// b are codes of tcgen05, twice those of wgmma. Plain data, serialises to JSON without loss.
struct WgmmaCase {
  MmaTypes types;
  uint32_t n = 8;
  bool a_in_registers = false;
  bool transpose_a = false, transpose_b = false;  ///< MN-major: 16-bit types
  bool negate_a = false, negate_b = false;        ///< imm-scale -1: floating point
  bool scale_d = true;                            ///< false: the old D is not an input
  MatrixInShared a, b;
  uint64_t a_ignored = 0, b_ignored = 0;    ///< what the bits hold that a descriptor does not use
  uint32_t window_bytes = 1024, split = 0;  ///< of shared memory; A's pattern below split, B's above
  /// a_fill: also of A in registers, word t * 4 + {0, 2, 1, 3}[r]. c_fill: register r of D of thread t is
  /// word t * registers + r.
  OperandPattern a_fill, b_fill, c_fill;
  KnownOperands known;
  SparseA sparse;          ///< wgmma.sp, whose spelling is one
  uint32_t warpgroup = 0;  ///< of the CTA, 0 or 1: the one that multiplies
  /// Each eight columns are an instruction and a group of their own, which changes no bit of D: `pending` of
  /// these are left by a wait, D of the others is looked at, then theirs. Else so many more add to that D:
  /// up to three, each in a group, or added_in_group, all in one.
  bool in_groups = false;
  static constexpr uint32_t most_added_alone = 3, added_in_group = 7;
  uint32_t pending = 0;
  auto operator<=>(const WgmmaCase&) const = default;
};

/// Where known operands lie: halves of 16 bytes, 128 bytes apart, the same for all rows.
constexpr void place_known(WgmmaCase& c) {
  c.transpose_a = c.transpose_b = false;
  c.a = {.start = 0, .leading_offset = 128};
  c.b = {.start = 1024, .leading_offset = 128};
  c.a_ignored = c.b_ignored = 0;
  c.split = 1024;
  c.window_bytes = 2048;
}

/// `tiles` mma.sync by each of four warps: a matrix of 4 * m rows by one of 8 * tiles columns. Words of the
/// patterns: A as above; register r of B of lane l in tile i is word (i * 32 + l) * b_words() + r; register r
/// of C of thread t in tile i is word (t * tiles + i) * registers + r. Plain data, serialises to JSON without
/// loss.
struct MmaSyncCase {
  MmaTypes types;
  uint32_t m = 16;     ///< 16, or 8
  uint32_t k = 16;     ///< of the instruction: a sparse A holds half of it
  uint32_t tiles = 1;  ///< 1 to 256
  OperandPattern a_fill, b_fill, c_fill;
  KnownOperands known;
  WarpRegisters registers;  ///< where operands are not known
  SparseA sparse;           ///< mma.sp
  auto operator<=>(const MmaSyncCase&) const = default;
};

/// Elements that A holds of a row.
constexpr uint32_t kept_k(const MmaSyncCase& c) {
  return c.sparse.present ? c.k / 2 : c.k;
}
/// Words of the pattern of B for each lane of a tile: a column of 64 bytes has four registers.
constexpr uint32_t b_words(const MmaSyncCase& c) {
  return c.k * element_bits(c.types.b) == 512 ? 4 : 2;
}

/// Registers of D in a thread, of one tile for mma.sync.
constexpr uint32_t d_registers(const WgmmaCase& c) {
  return c.n / (c.types.d == MmaAccumulator::f16 ? 4 : 2);
}
constexpr uint32_t d_registers(const MmaSyncCase& c) {
  return c.m == 8 || c.types.d == MmaAccumulator::f16 ? 2 : 4;
}
constexpr uint32_t output_bytes(const WgmmaCase& c) {
  return 128 * 4 * d_registers(c);
}
constexpr uint32_t output_bytes(const MmaSyncCase& c) {
  return 128 * 4 * d_registers(c) * c.tiles;
}

}  // namespace assay

/// The members of a sparse A in registers, for case_fields.h.
namespace assay {

// Beside the type, where the templates of case_fields.h find them.
template <typename Sparse, typename Visit>
requires std::same_as<std::remove_const_t<Sparse>, SparseA>
void visit_fields(Sparse& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, codes, .shows = as_hex);
  ASSAY_FIELD(visit, s, is_known);
  ASSAY_FIELD(visit, s, of_quad, .shows = as_hex);
  ASSAY_FIELD(visit, s, ordered);
  ASSAY_FIELD(visit, s, present);
  ASSAY_FIELD(visit, s, seed, .shows = as_hex);
  ASSAY_FIELD(visit, s, selector, .most = 3);
  ASSAY_FIELD(visit, s, strange_codes, .shows = as_hex);
  ASSAY_FIELD(visit, s, strange_rate, .unit = "of 256", .most = 256);
}

// The members of wgmma and mma.sync.

inline constexpr std::array<std::string_view, 9> mma_element_names{"f16", "bf16", "tf32", "e4m3", "e5m2",
                                                                   "s8",  "u8",   "s4",   "u4"};
inline constexpr std::array<std::string_view, 3> mma_accumulator_names{"f32", "f16", "s32"};
inline constexpr uint32_t sync_m_extents[] = {8, 16};

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(MmaElement) {
  return mma_element_names;
}
inline const auto& spellings_of(MmaAccumulator) {
  return mma_accumulator_names;
}

template <typename Types, typename Visit>
requires std::same_as<std::remove_const_t<Types>, MmaTypes>
void visit_fields(Types& t, const Visit& visit) {
  ASSAY_FIELD(visit, t, a);
  ASSAY_FIELD(visit, t, b);
  ASSAY_FIELD(visit, t, d);
  ASSAY_FIELD(visit, t, saturates);
}

template <typename Registers, typename Visit>
requires std::same_as<std::remove_const_t<Registers>, WarpRegisters>
void visit_fields(Registers& r, const Visit& visit) {
  ASSAY_FIELD(visit, r, a, .shows = as_hex);
  ASSAY_FIELD(visit, r, b, .shows = as_hex);
  ASSAY_FIELD(visit, r, c, .shows = as_hex);
  ASSAY_FIELD(visit, r, metadata, .shows = as_hex);
  ASSAY_FIELD(visit, r, present);
}

template <typename Wgmma, typename Visit>
requires std::same_as<std::remove_const_t<Wgmma>, WgmmaCase>
void visit_fields(Wgmma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a);
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_ignored, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, c, a_in_registers, .told = elsewhere);
  ASSAY_FIELD(visit, c, b);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_ignored, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, in_groups, .told = elsewhere);
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, n, .least = 8, .most = 256, .multiple = 8, .told = elsewhere);
  ASSAY_FIELD(visit, c, negate_a, .told = elsewhere);
  ASSAY_FIELD(visit, c, negate_b, .told = elsewhere);
  ASSAY_FIELD(visit, c, pending, .told = elsewhere);
  ASSAY_FIELD(visit, c, scale_d, .told = elsewhere);
  ASSAY_FIELD(visit, c, sparse);
  ASSAY_FIELD(visit, c, split, .unit = "bytes", .most = rig::max_operand_window_bytes, .multiple = 16,
              .told = always);
  ASSAY_FIELD(visit, c, transpose_a, .told = elsewhere);
  ASSAY_FIELD(visit, c, transpose_b, .told = elsewhere);
  ASSAY_FIELD(visit, c, types);
  ASSAY_FIELD(visit, c, warpgroup, .most = 1);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = rig::max_operand_window_bytes,
              .multiple = 1024, .told = always, .called = "window");
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncCase>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, k, .told = elsewhere);
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, m, .values = sync_m_extents, .told = elsewhere);
  ASSAY_FIELD(visit, c, registers);
  ASSAY_FIELD(visit, c, sparse);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = 256, .told = elsewhere);
  ASSAY_FIELD(visit, c, types);
}

}  // namespace assay
