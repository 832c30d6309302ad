#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "reference/model/tcgen05_mma_case.h"

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

/// One wgmma.mma_async, M 64, K of 32 bytes. The swizzles of a and b are codes of tcgen05, twice those of
/// wgmma. Plain data, serialises to JSON without loss.
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
/// patterns: A as above; register r of B of lane l in tile i is word (i * 32 + l) * 2 + r; register r of C of
/// thread t in tile i is word (t * tiles + i) * registers + r. Plain data, serialises to JSON without loss.
struct MmaSyncCase {
  MmaTypes types;
  uint32_t m = 16;  ///< 16, or 8
  uint32_t k = 16;
  uint32_t tiles = 1;  ///< 1 to 256
  OperandPattern a_fill, b_fill, c_fill;
  KnownOperands known;
  auto operator<=>(const MmaSyncCase&) const = default;
};

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
