// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "devices/emulator/lane_op.h"

namespace assay::emulator::alu {

/// The types of arithmetic instructions, as PTX spells them.
enum class Type : uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u2,
  u4,
  u8,
  u16,
  u32,
  u64,
  s2,
  s4,
  s8,
  s16,
  s32,
  s64,
  u16x2,
  s16x2,
  pred,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f32x2,
  f64,
  e4m3x2,
  e5m2x2,
  e2m1x2,
  e2m3x2,
  e3m2x2,
  ue8m0x2,
  e4m3x4,
  e5m2x4,
  e2m1x4,
  e2m3x4,
  e3m2x4,
};

/// The first four are the modes of IEEE 754; rna is to nearest, ties away; rs adds random bits; ..i round to
/// an integer.
enum class Rounding : uint8_t { none, rn, rz, rm, rp, rna, rs, rni, rzi, rmi, rpi };

/// The qualifiers that are neither types nor roundings; a set of them is a word with bit `Flag` for each.
enum class Flag : uint8_t {
  ftz,
  sat,
  satfinite,
  relu,
  oob,
  approx,
  full,
  nan_wins,
  xorsign,
  abs,
  wide,
  lo,
  hi,
  cc,
  shiftamt,
  pack,
  l,
  r,
  wrap,
  clamp,
  f4e,
  b4e,
  rc8,
  ecl,
  ecr,
  rc16,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  ls,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan,
  logical_and,
  logical_or,
  logical_xor,
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal,
};

template <class... F>
constexpr uint64_t flags(F... f) {
  return ((uint64_t{1} << static_cast<int>(f)) | ... | uint64_t{0});
}

/// An opcode taken apart: every qualifier is a type, the rounding or a flag.
struct Words {
  std::string_view base;
  uint64_t set = 0;
  Rounding rounding = Rounding::none;
  Type types[4] = {};
  int type_count = 0;
  int destination_bits = 0;           ///< as find_lane_form takes it
  bool takes_bytes_in_order = false;  ///< likewise

  bool has(Flag f) const { return (set & flags(f)) != 0; }
  /// Nothing but the flags in `allowed`.
  bool only(uint64_t allowed) const { return (set & ~allowed) == 0; }
  bool is(Type first) const { return type_count == 1 && types[0] == first; }
  bool is(Type first, Type second) const {
    return type_count == 2 && types[0] == first && types[1] == second;
  }
};

/// Nothing if a qualifier is unknown to every arithmetic instruction, said twice, or one of two roundings.
std::optional<Words> split(const Opcode& opcode);

/// Finds the form of one base, or nothing if the qualifiers are not legal for it.
using Finder = std::optional<LaneForm> (*)(const Words&);

}  // namespace assay::emulator::alu
