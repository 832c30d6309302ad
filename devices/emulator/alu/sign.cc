// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/exact.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

// abs, neg and copysign of every floating-point type. For f32 and the 16-bit types the result for a NaN is an
// unspecified NaN (ptx, abs and neg): an H200 gives the canonical one. A double's NaN keeps sign and payload,
// under abs too, and becomes quiet (h200).
namespace assay::emulator::alu {
namespace {

enum class Sign { clear, flip };

template <Format format, Sign sign, bool ftz>
uint64_t change(uint64_t bits) {
  if (format.is_nan(bits))
    return format == f64_format ? bits | format.smallest_normal() >> 1 : format.sign() - 1;
  if (ftz) bits = format.flushed(bits);
  return sign == Sign::clear ? bits & ~format.sign() : bits ^ format.sign();
}
template <Format format, Sign sign, bool ftz>
uint64_t one(uint64_t bits) {
  return change<format, sign, ftz>(bits & (2 * format.sign() - 1));
}
template <Format format, Sign sign, bool ftz>
uint64_t both(uint64_t bits) {
  return change<format, sign, ftz>(bits >> 16 & 0xffff) << 16 | change<format, sign, ftz>(bits & 0xffff);
}

template <Sign sign>
std::optional<LaneForm> find(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none || !w.only(flags(Flag::ftz))) return std::nullopt;
  if (w.has(Flag::ftz)) switch (w.types[0]) {
      case Type::f32:
        return form<&one<f32_format, sign, true>>();
      case Type::f16:
        return form<&one<f16_format, sign, true>>();
      case Type::f16x2:
        return form<&both<f16_format, sign, true>>();
      default:
        return std::nullopt;
    }
  switch (w.types[0]) {
    case Type::f32:
      return form<&one<f32_format, sign, false>>();
    case Type::f64:
      return form<&one<f64_format, sign, false>>();
    case Type::f16:
      return form<&one<f16_format, sign, false>>();
    case Type::f16x2:
      return form<&both<f16_format, sign, false>>();
    case Type::bf16:
      return form<&one<bf16_format, sign, false>>();
    case Type::bf16x2:
      return form<&both<bf16_format, sign, false>>();
    default:
      return std::nullopt;
  }
}

// The sign of a on the magnitude of b.
template <class U>
U copysign(U a, U b) {
  constexpr U sign = U{1} << (8 * sizeof(U) - 1);
  return (a & sign) | (b & ~sign);
}

}  // namespace

std::optional<LaneForm> find_abs_float(const Words& w) {
  return find<Sign::clear>(w);
}
std::optional<LaneForm> find_neg_float(const Words& w) {
  return find<Sign::flip>(w);
}
std::optional<LaneForm> find_copysign(const Words& w) {
  if (w.rounding != Rounding::none || w.set != 0) return std::nullopt;
  if (w.is(Type::f32)) return form<&copysign<uint32_t>>();
  if (w.is(Type::f64)) return form<&copysign<uint64_t>>();
  return std::nullopt;
}

}  // namespace assay::emulator::alu
