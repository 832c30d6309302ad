// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/make.h"

#include <algorithm>

#include "reference/model/mma/mma.h"

namespace assay::gen {
namespace {

/// An element's bits in every place of a word.
uint32_t repeated(uint64_t bits, uint32_t width) {
  uint32_t word = 0;
  for (uint32_t at = 0; at < 32; at += width) word |= static_cast<uint32_t>(bits) << at;
  return word;
}

/// Bits of a code that may vary, and those that are set.
struct Codes {
  uint64_t keep, set;
};

uint64_t exponent_bits(const spec::Format& f, uint64_t field) {
  return field << (f.mantissa_bits + f.ignored_bits);
}

Codes codes_of(const spec::Format& f, FillMix mix, int exact_mantissa_bits) {
  const uint64_t all = f.code_mask(), sign = f.sign_bit();
  const uint64_t mantissa = ((uint64_t{1} << (f.mantissa_bits + f.ignored_bits)) - 1) & all;
  if (f.is_integer() || f.exponent_bits < 4) return {all, 0};
  const auto bias = static_cast<uint64_t>(f.bias);
  switch (mix) {
    case FillMix::exact: {
      const int dropped = f.mantissa_bits > exact_mantissa_bits ? f.mantissa_bits - exact_mantissa_bits : 0;
      const uint64_t low = (uint64_t{1} << (dropped + f.ignored_bits)) - 1;
      const uint64_t ignored = (uint64_t{1} << f.ignored_bits) - 1;
      return {sign | (mantissa & ~low) | ignored, exponent_bits(f, bias)};
    }
    case FillMix::bits:
      return {all, 0};
    case FillMix::wide:
      return {all & ~exponent_bits(f, 1), 0};
    case FillMix::tiny:
      return {sign | mantissa | exponent_bits(f, 1), 0};
    default:
      return {sign | mantissa | exponent_bits(f, 3), exponent_bits(f, bias & ~uint64_t{3})};
  }
}

void strew_specials(Random& random, const spec::Format& f, uint32_t width, OperandPattern& pattern) {
  pattern.special_bits = width;
  pattern.special_rate = random.between(1, 4);
  for (uint32_t& special : pattern.special) {
    const uint64_t sign = random.one_in(2) ? f.sign_bit() : 0;
    switch (random.below(6)) {
      case 0:
      case 1:
        special = static_cast<uint32_t>(sign | (f.has_infinity() ? f.infinity() : f.max_finite()));
        break;
      case 2:
        special = static_cast<uint32_t>(sign | (f.has_nan() ? f.canonical_nan() : f.max_finite()));
        break;
      case 3:
        special = static_cast<uint32_t>(sign);
        break;
      case 4:
        special = static_cast<uint32_t>(sign | f.max_finite());
        break;
      default:
        special = static_cast<uint32_t>(sign | uint64_t{1} << f.ignored_bits);
    }
  }
}

OperandPattern pattern_of(Random& random, const spec::Format& f, uint32_t width, FillMix mix,
                          int exact_mantissa_bits) {
  const Codes codes = codes_of(f, mix, exact_mantissa_bits);
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  // 6-bit fields do not divide a word: all their bits are random.
  if (width == 6) return pattern;
  pattern.keep = repeated(codes.keep, width);
  pattern.set = repeated(codes.set, width);
  if (width < 8 || f.is_integer()) {
    if (mix == FillMix::specials && f.is_integer()) strew_specials(random, f, width, pattern);
    return pattern;
  }
  if (mix == FillMix::cancelling) {
    pattern.mirror_bits = width;
    // The odd elements of a word; for 32 bits every odd word.
    const uint32_t odd = width == 32 ? ~0u : width == 16 ? 0xffff0000u : 0xff00ff00u;
    pattern.mirror_flip = repeated(f.sign_bit(), width) & odd;
    if (random.one_in(2)) pattern.mirror_flip |= repeated(uint64_t{1} << f.ignored_bits, width) & odd;
  }
  if (mix == FillMix::specials) strew_specials(random, f, width, pattern);
  return pattern;
}

}  // namespace

OperandPattern fill_of(Random& random, const spec::Format& format, FillMix mix, bool in_byte) {
  const auto stored = static_cast<uint32_t>(format.storage_bits);
  if (!in_byte || stored >= 8) return pattern_of(random, format, stored, mix, 2);
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  // Padding bits of the containers are 0; a 4-bit element lies in the middle.
  pattern.keep = repeated(stored == 4 ? 0x3c : 0x3f, 8);
  return pattern;
}

OperandPattern accumulator_fill(Random& random, const spec::Format& format, FillMix mix) {
  if (format.is_integer()) {
    OperandPattern pattern;
    pattern.seed = random.next() >> 16;
    // Near the ends of the range, where sums wrap or clamp.
    if (random.one_in(2)) pattern.keep = 0x8000'3fff, pattern.set = random.one_in(2) ? 0x7fff'c000 : 0;
    return pattern;
  }
  if (format.storage_bits == 32) return pattern_of(random, format, 32, mix, 2);
  OperandPattern pattern = pattern_of(random, format, 16, mix, 2);
  // What lies above a half is of no account.
  pattern.keep |= 0xffff'0000;
  pattern.set &= 0x0000'ffff;
  pattern.mirror_bits = 0;
  return pattern;
}

namespace {

/// Only zeros: of any sign, or all of them minus zero.
void keep_zeros(const spec::Format& format, bool any_sign, OperandPattern& pattern) {
  const uint32_t signs = repeated(format.sign_bit(), static_cast<uint32_t>(format.storage_bits));
  pattern.keep = any_sign ? signs : 0;
  pattern.set = any_sign ? 0 : signs;
}

/// Exponents of B that bring products with the smallest numbers of A near the smallest of D.
void fill_underflowing(Random& random, const model::MmaFormats& formats, Tcgen05MmaCase& c) {
  c.a_fill = fill_of(random, *formats.a, FillMix::tiny);
  c.tmem_a_fill = fill_of(random, *formats.a, FillMix::tiny, model::packing_of_a(c).in_bytes);
  c.b_fill = fill_of(random, *formats.b, FillMix::narrow);
  c.d_fill = accumulator_fill(random, *formats.d, FillMix::tiny);
  const spec::Format &b = *formats.b, &d = *formats.d;
  if (b.is_integer() || b.exponent_bits < 4) return;
  const int exponent = std::clamp(d.emin() - d.mantissa_bits - formats.a->emin(), b.emin(), 0);
  const auto field = static_cast<uint64_t>(exponent + b.bias) & ~uint64_t{3};
  const auto width = static_cast<uint32_t>(b.storage_bits);
  c.b_fill.set = repeated(exponent_bits(b, field), width);
  if (random.one_in(2)) keep_zeros(d, true, c.d_fill);
}

/// Sums of zeros: every sign, or minus zeros alone where the sign of the sum is a matter of taste.
void fill_with_zeros(Random& random, const model::MmaFormats& formats, Tcgen05MmaCase& c) {
  c.a_fill = fill_of(random, *formats.a, FillMix::narrow);
  c.b_fill = fill_of(random, *formats.b, FillMix::narrow);
  c.tmem_a_fill = fill_of(random, *formats.a, FillMix::narrow, model::packing_of_a(c).in_bytes);
  c.d_fill = accumulator_fill(random, *formats.d, FillMix::narrow);
  if (formats.a->is_integer()) return;
  const auto width = static_cast<uint32_t>(formats.a->storage_bits);
  const bool any_sign = random.one_in(3);
  if (width != 6) keep_zeros(*formats.a, any_sign, c.a_fill);
  // Padding of the containers in tensor memory stays 0: plus zeros.
  if (width >= 8) c.tmem_a_fill = c.a_fill;
  // Packed elements have no padding there.
  if (model::is_packed_kind(c)) c.tmem_a_fill = c.a_fill;
  if (!any_sign && formats.b->storage_bits != 6)
    c.b_fill.keep &= ~repeated(formats.b->sign_bit(), static_cast<uint32_t>(formats.b->storage_bits));
  keep_zeros(*formats.d, true, c.d_fill);
}

}  // namespace

void fill_ties(Random& random, Tcgen05MmaCase& c) {
  // 2^-12 in A meets 2^-13 in B now and then: 2^-25. All else is a few times 2^-24 on both sides: 2^-48 and
  // up, where the floors of -20 to -22 cut, and none cuts what is twice as small.
  const auto strewn = [&](uint32_t code, uint32_t keep, uint32_t set) {
    OperandPattern pattern;
    pattern.seed = random.next() >> 16;
    pattern.keep = repeated(keep, 16), pattern.set = repeated(set, 16);
    pattern.special_bits = 16, pattern.special_rate = 16;
    pattern.special.fill(code);
    return pattern;
  };
  c.a_fill = c.tmem_a_fill = strewn(0x0c00, 1, 0);
  c.b_fill = strewn(0x0800, 3, random.one_in(2) ? 4 : 0);
  c.d_fill = {};
  c.d_fill.keep = 0;
}

void fill_narrow_subnormals(Random& random, Tcgen05MmaCase& c) {
  const model::MmaFormats formats = model::formats_of(c);
  c.a_fill = c.b_fill = {};
  c.a_fill.seed = random.next() >> 16, c.b_fill.seed = random.next() >> 16;
  c.a_fill.keep = c.b_fill.keep =
      repeated(formats.a->sign_bit() | formats.a->mantissa_mask(), 4);  // zero or subnormal
  c.d_fill = accumulator_fill(random, *formats.d, FillMix::narrow);
}

void fill_operands(Random& random, FillMix mix, Tcgen05MmaCase& c) {
  if (model::is_block_scaled(c)) fill_scales(random, mix, c);
  const model::MmaFormats formats = model::formats_of(c);
  if (mix == FillMix::underflow) return fill_underflowing(random, formats, c);
  if (mix == FillMix::zeros) return fill_with_zeros(random, formats, c);
  c.a_fill = fill_of(random, *formats.a, mix);
  c.b_fill = fill_of(random, *formats.b, mix);
  // Products cancel where one factor changes its sign and the other stays.
  if (mix == FillMix::cancelling) c.b_fill.mirror_flip = 0;
  c.tmem_a_fill = fill_of(random, *formats.a, mix, model::packing_of_a(c).in_bytes);
  FillMix of_d = mix;
  if (mix != FillMix::exact && random.one_in(3))
    of_d = static_cast<FillMix>(random.between(1, fill_mix_count - 1));
  if (mix == FillMix::cancelling) of_d = random.one_in(2) ? FillMix::tiny : FillMix::narrow;
  c.d_fill = accumulator_fill(random, *formats.d, of_d);
}

namespace {

uint32_t in_bytes(uint32_t bits) {
  return bits * 0x01010101u;
}

OperandPattern bytes(Random& random, uint32_t keep, uint32_t set) {
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  pattern.keep = in_bytes(keep), pattern.set = in_bytes(set);
  return pattern;
}

void strew(OperandPattern& pattern, uint32_t rate, std::array<uint32_t, 4> codes) {
  pattern.special_bits = 8, pattern.special_rate = rate, pattern.special = codes;
}

/// Ends of the formats, and codes beside them.
constexpr std::array<uint32_t, 4> ends_of_ue8m0{0x00, 0x01, 0xfe, 0xff},
    ends_of_ue4m3{0x00, 0x7e, 0x7f, 0x80};

}  // namespace

OperandPattern scale_fill(Random& random, bool is_ue8m0, FillMix mix) {
  switch (mix) {
    case FillMix::exact:
      return is_ue8m0 ? bytes(random, 0x03, 0x7c) : bytes(random, 0x1e, 0x20);
    case FillMix::narrow:
    case FillMix::cancelling:
    case FillMix::zeros:
      return is_ue8m0 ? bytes(random, 0x0f, 0x78) : bytes(random, 0x97, 0x28);
    case FillMix::specials: {
      OperandPattern pattern = is_ue8m0 ? bytes(random, 0x07, 0x78) : bytes(random, 0xff, 0);
      strew(pattern, random.between(1, 4), is_ue8m0 ? ends_of_ue8m0 : ends_of_ue4m3);
      return pattern;
    }
    case FillMix::tiny:  // with subnormal scales; results among the subnormal numbers
      return is_ue8m0 ? bytes(random, 0x0f, 0x30) : bytes(random, 0x8f, 0);
    case FillMix::underflow:
      return is_ue8m0 ? bytes(random, 0x0f, 0x30) : bytes(random, 0x87, 0);
    case FillMix::wide:
      return is_ue8m0 ? bytes(random, 0x3f, 0x60) : bytes(random, 0x77, 0);
    default:
      return bytes(random, 0xff, 0);
  }
}

void fill_scales(Random& random, FillMix mix, Tcgen05MmaCase& c) {
  const bool is_ue8m0 = c.scale_type == spec::type_code::ue8m0;
  c.a_scales.fill = scale_fill(random, is_ue8m0, mix);
  c.b_scales.fill = scale_fill(random, is_ue8m0, mix);
}

void fill_cancelling_groups(Random& random, Tcgen05MmaCase& c) {
  // Neighbouring bytes are the same pairs of elements, A's of the other sign, but for a few of B.
  const auto mirrored = [&](uint32_t flip) {
    OperandPattern pattern;
    pattern.seed = random.next() >> 16;
    pattern.mirror_bits = 8, pattern.mirror_flip = flip;
    return pattern;
  };
  c.a_fill = c.tmem_a_fill = mirrored(0x8800'8800);
  c.b_fill = mirrored(0);
  strew(c.b_fill, random.between(4, 16), {0x11, 0x35, 0x53, 0x17});
  if (random.one_in(2))
    c.d_fill.keep = 0, c.d_fill.set = 0, c.d_fill.special_bits = c.d_fill.special_rate = 0;
  for (ScalesInTensorMemory* scales : {&c.a_scales, &c.b_scales}) {
    if (c.scale_type == spec::type_code::ue8m0) {
      scales->fill = bytes(random, 0x1f, 0x70);
      continue;
    }
    scales->fill = bytes(random, 0x0f, 0);
    strew(scales->fill, 80, {0x78, 0x7c, 0x7e, 0x79});
  }
}

}  // namespace assay::gen
