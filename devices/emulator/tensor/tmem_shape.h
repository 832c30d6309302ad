// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace assay::emulator {

/// .shape of tcgen05.ld and tcgen05.st: lanes x bits of a lane that one repetition moves.
enum class TmemShape : uint8_t { s32x32b, s16x64b, s16x128b, s16x256b, s16x32bx2 };

/// A form of tcgen05.ld or tcgen05.st.
struct TmemForm {
  TmemShape shape = TmemShape::s32x32b;
  uint32_t count = 1;      ///< .xN
  uint32_t split = 0;      ///< 16x32bx2: columns from the first half of the threads to the second
  bool is_halved = false;  ///< .pack::16b, .unpack::16b: a register stands for two cells of 16 bits
  /// 32-bit registers of a thread.
  uint32_t registers() const {
    return shape == TmemShape::s16x256b ? 4 * count : shape == TmemShape::s16x128b ? 2 * count : count;
  }
  /// Columns from the first to the last; of 16x32bx2 those of one half of the threads.
  uint32_t columns() const;
  /// Lanes that the warp touches.
  uint32_t lanes() const { return shape == TmemShape::s32x32b ? 32 : 16; }
};

/// Where a register of a thread lies: lane and column counted from the address operand. Of a halved form the
/// first of its two cells, the second is one column on.
struct TmemCell {
  uint32_t lane = 0, column = 0;
};

/// A shape and count that the instruction has (ptx, tcgen05.ld: .shape and .num).
bool has_count(TmemShape shape, uint32_t count);

/// (ptx, tcgen05.ld: fragments of the shapes; cutlass, copy traits of tensor memory)
TmemCell tmem_cell(const TmemForm& form, uint32_t thread, uint32_t number);

/// What tcgen05.ld.red makes of the registers of a thread (ptx, tcgen05.ld: .red).
struct TmemReduction {
  enum class Type : uint8_t { u32, s32, f32 };
  Type type = Type::u32;
  bool is_max = false;
  bool is_of_magnitudes = false;  ///< .abs, f32
  bool keeps_nan = false;         ///< .NaN, f32: one NaN makes the result NaN; else they are passed over
};

/// One word of as many as there are, at least one. `gives_nan`: a NaN is not passed over even without .NaN
/// (AMB-49).
uint32_t reduce(const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan);

}  // namespace assay::emulator
