// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/tensor/tmem_copy.h"

namespace assay::emulator {

uint32_t TmemForm::columns() const {
  const uint32_t wide = shape == TmemShape::s16x256b   ? 8
                        : shape == TmemShape::s16x128b ? 4
                        : shape == TmemShape::s16x64b  ? 2
                                                       : 1;
  return wide * count * (is_halved ? 2 : 1);
}

bool has_count(TmemShape shape, uint32_t count) {
  const uint32_t most = shape == TmemShape::s16x256b ? 32 : shape == TmemShape::s16x128b ? 64 : 128;
  return count != 0 && (count & (count - 1)) == 0 && count <= most;
}

TmemCell tmem_cell(const TmemForm& form, uint32_t thread, uint32_t number) {
  const uint32_t t = thread, r = number;
  TmemCell cell;
  uint32_t split = 0;
  switch (form.shape) {
    case TmemShape::s32x32b:
      cell = {t, r};
      break;
    case TmemShape::s16x64b:
      cell = {t / 4 + (t & 1 ? 8u : 0u), 2 * r + (t >> 1 & 1)};
      break;
    case TmemShape::s16x128b:
      cell = {t / 4 + (r & 1 ? 8u : 0u), r / 2 * 4 + t % 4};
      break;
    case TmemShape::s16x256b:
      cell = {t / 4 + (r & 2 ? 8u : 0u), r / 4 * 8 + t % 4 * 2 + (r & 1)};
      break;
    case TmemShape::s16x32bx2:
      cell = {t % 16, r};
      split = t < 16 ? 0 : form.split;
      break;
  }
  // The immediate counts columns as they are, not pairs of them.
  if (form.is_halved) cell.column *= 2;
  cell.column += split;
  return cell;
}

namespace {

constexpr uint32_t sign = 0x80000000, canonical_nan = 0x7fffffff;

bool is_nan(uint32_t word) {
  return (word & ~sign) > 0x7f800000;
}

/// Numbers of the type in the order of unsigned words; -0 comes before +0.
uint32_t ordered(TmemReduction::Type type, uint32_t word) {
  switch (type) {
    case TmemReduction::Type::u32:
      return word;
    case TmemReduction::Type::s32:
      return word ^ sign;
    case TmemReduction::Type::f32:
      break;
  }
  return word & sign ? ~word : word | sign;
}

}  // namespace

uint32_t reduce(const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) {
  const bool is_float = reduction.type == TmemReduction::Type::f32;
  std::optional<uint32_t> best;
  for (uint32_t word : words) {
    if (is_float && is_nan(word)) {
      if (reduction.keeps_nan || gives_nan) return canonical_nan;
      continue;
    }
    if (reduction.is_of_magnitudes) word &= ~sign;
    const bool is_better =
        !best || (ordered(reduction.type, word) < ordered(reduction.type, *best)) != reduction.is_max;
    if (is_better) best = word;
  }
  return best.value_or(canonical_nan);
}

// What a copy does with one row and one element: faults stand on these without the rest of the emulator.

uint32_t CopyForm::rows() const {
  switch (shape) {
    case CopyShape::s128x256b:
    case CopyShape::s128x128b:
      return 128;
    case CopyShape::s4x256b:
      return 4;
    case CopyShape::s64x128b_02_13:
    case CopyShape::s64x128b_01_23:
      return 64;
    case CopyShape::s32x128b:
      break;
  }
  return 32;
}

uint32_t CopyForm::words() const {
  return shape == CopyShape::s128x256b || shape == CopyShape::s4x256b ? 8 : 4;
}

int copied_row(const CopyForm& form, uint32_t lane, bool half_for_a_warp) {
  const uint32_t in_warp = lane % partition_lanes, warp = lane / partition_lanes;
  // Warps 0 and 2 have the first half and 1 and 3 the second, or 0 and 1 the first and 2 and 3 the second.
  const bool is_02_13 = form.shape == CopyShape::s64x128b_02_13;
  switch (form.shape) {
    case CopyShape::s4x256b:
      return in_warp == 0 ? static_cast<int>(warp) : -1;
    case CopyShape::s64x128b_02_13:
    case CopyShape::s64x128b_01_23:
      return static_cast<int>(in_warp +
                              ((is_02_13 != half_for_a_warp ? warp & 1 : warp >> 1)) * partition_lanes);
    case CopyShape::s32x128b:
      return static_cast<int>(in_warp);
    case CopyShape::s128x256b:
    case CopyShape::s128x128b:
      break;
  }
  return static_cast<int>(lane);
}

uint32_t decompressed(CopyFormat format, uint32_t code, bool is_in_middle) {
  return format == CopyFormat::b4x16_p64 && is_in_middle ? code << 2 : code;
}

uint32_t shifted_lane(uint32_t lane) {
  return lane == partition_lanes - 1 ? lane : lane + 1;
}

bool IssuedWork::is_pipelined_with(const IssuedWork& later) const {
  switch (kind) {
    case Kind::mma:
      if (later.kind == Kind::mma)
        return d.lane == later.d.lane && d.column == later.d.column && m == later.m && n == later.n;
      return later.kind == Kind::shift;
    case Kind::copy:
      return later.kind == Kind::mma;
    case Kind::shift:
      return later.kind == Kind::mma || (later.kind == Kind::copy && later.is_4x256b);
  }
  return false;
}

}  // namespace assay::emulator
