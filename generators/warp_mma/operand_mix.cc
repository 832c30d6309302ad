// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/forms.h"

#include <algorithm>
#include <array>

#include "reference/spec/formats.h"

namespace assay::gen {
namespace {

constexpr std::array<std::string_view, float_mix_count> float_names{
    "bits",      "finite", "narrow",   "spread", "cancelling", "small",
    "subnormal", "large",  "specials", "zeros",  "few bits",   "full mantissas"};
constexpr std::array<std::string_view, integer_mix_count> integer_names{"bits", "small", "extremes", "zeros",
                                                                        "near limits"};

const spec::Format& format_of(MmaElement element) {
  static constexpr std::array formats{&spec::format("f16"),  &spec::format("bf16"), &spec::format("tf32"),
                                      &spec::format("e4m3"), &spec::format("e5m2"), &spec::format("s8"),
                                      &spec::format("u8"),   &spec::format("s4"),   &spec::format("u4")};
  return *formats[static_cast<size_t>(element)];
}
const spec::Format& format_of(MmaAccumulator accumulator) {
  return accumulator == MmaAccumulator::f16 ? spec::format("f16") : spec::format("f32");
}

/// The bits of an element, repeated over a word.
class Bits {
 public:
  explicit Bits(const spec::Format& format) : f_(format) {}

  uint32_t all(uint64_t element) const {
    uint64_t word = element & f_.code_mask();
    for (int at = f_.storage_bits; at < 32; at *= 2) word |= word << at;
    return static_cast<uint32_t>(word);
  }
  uint64_t sign() const { return f_.sign_bit(); }
  uint64_t exponents() const { return f_.exponent_mask() << shift(); }
  uint64_t mantissa() const { return f_.mantissa_mask() << f_.ignored_bits | ignored(); }
  uint64_t ignored() const { return (uint64_t{1} << f_.ignored_bits) - 1; }
  /// The exponent field of 2^e, kept in the range of finite numbers; 0 for subnormals.
  uint64_t field(int e) const {
    const int top = static_cast<int>(f_.exponent_mask()) - (f_.top == spec::TopExponent::number ? 0 : 1);
    return static_cast<uint64_t>(std::clamp(e + f_.bias, 0, top));
  }
  int lowest() const { return f_.emin() - f_.mantissa_bits; }
  int highest() const { return static_cast<int>(field(1000)) - f_.bias; }
  int exponent_bits() const {
    int bits = 0;
    while (f_.exponent_mask() >> bits != 0) ++bits;
    return bits;
  }

  /// Any sign and mantissa, exponents in an aligned block of 2^free_bits that holds e.
  OperandPattern around(int e, int free_bits, Random& random) const {
    const uint64_t free = std::min<uint64_t>((uint64_t{1} << free_bits) - 1, f_.exponent_mask());
    uint64_t base = field(e) & ~free;
    // The block of the largest exponents would hold infinities.
    if ((base | free) == f_.exponent_mask() && f_.top == spec::TopExponent::ieee && base != 0)
      base -= free + 1;
    return make(sign() | free << shift() | mantissa(), base << shift(), random);
  }
  OperandPattern any(Random& random) const { return make(f_.code_mask(), 0, random); }
  /// One bit of the exponent, not the lowest, is 0.
  OperandPattern finite(Random& random) const {
    const uint32_t bit = random.between(1, static_cast<uint32_t>(exponent_bits()) - 1);
    return make(f_.code_mask() & ~(uint64_t{1} << (shift() + static_cast<int>(bit))), 0, random);
  }
  OperandPattern make(uint64_t keep, uint64_t set, Random& random) const {
    OperandPattern p;
    p.seed = random.next();
    p.keep = all(keep), p.set = all(set);
    return p;
  }
  void strew(OperandPattern& p, uint32_t rate, std::array<uint64_t, 4> codes) const {
    p.special_bits = static_cast<uint32_t>(f_.storage_bits);
    p.special_rate = rate;
    for (size_t i = 0; i < 4; ++i) p.special[i] = static_cast<uint32_t>(codes[i]);
  }
  void mirror(OperandPattern& p, uint64_t flip) const {
    p.mirror_bits = static_cast<uint32_t>(f_.storage_bits);
    // The flip belongs to odd elements: the word of 32-bit ones that has an odd index, the upper of two
    // halves.
    if (f_.storage_bits == 32) p.mirror_flip = static_cast<uint32_t>(flip);
    if (f_.storage_bits == 16) p.mirror_flip = static_cast<uint32_t>(flip << 16);
    if (f_.storage_bits == 8) p.mirror_flip = static_cast<uint32_t>(flip << 8 | flip << 24);
  }
  uint64_t infinity() const {
    return f_.top == spec::TopExponent::ieee ? exponents() : exponents() | mantissa();
  }
  uint64_t nan() const { return exponents() | mantissa(); }
  uint64_t largest() const {
    return field(1000) << shift() | (f_.top == spec::TopExponent::ieee ? mantissa() : 0);
  }
  uint64_t smallest() const { return uint64_t{1} << f_.ignored_bits; }
  int shift() const { return f_.ignored_bits + f_.mantissa_bits; }

 private:
  const spec::Format& f_;
};

/// Two exponents of operands that add up to about `sum`.
std::pair<int, int> factors(const Bits& a, const Bits& b, int sum, Random& random) {
  const int low = std::max(a.lowest(), sum - b.highest()), high = std::min(a.highest(), sum - b.lowest());
  const int ea = low > high ? std::clamp(sum / 2, a.lowest(), a.highest()) : between(random, low, high);
  return {ea, sum - ea};
}

/// C: nothing, any bits, the scale of the products or near it, or specials.
OperandPattern make_c(const Bits& d, int products, Random& random) {
  switch (random.below(8)) {
    case 0:
      return d.make(0, 0, random);
    case 1:
      return d.make(d.sign(), 0, random);
    case 2:
      return d.any(random);
    case 3:
      return d.finite(random);
    case 4: {
      OperandPattern p = d.around(products, 3, random);
      d.strew(p, random.between(1, 16), {d.infinity(), d.infinity() | d.sign(), d.nan(), d.smallest()});
      return p;
    }
    case 5:
      return d.around(products + between(random, -30, 30), 3, random);
    default: {
      const uint32_t free_bits = random.between(0, 4);
      return d.around(products + between(random, -3, 6), free_bits, random);
    }
  }
}

/// Pairs that the other operand does not share cancel where it is one number throughout; without pairs, sums
/// of one number with signs cancel often enough.
void make_cancelling(const Bits& a, const Bits& b, const Bits& d, const Pairing& pairing, OperandPatterns& p,
                     Random& random) {
  const uint64_t residue = random.one_in(2) ? a.smallest() : 0;
  if (pairing.a_along_k) {
    a.mirror(p.a, a.sign() | residue);
    b.mirror(p.b, 0);
    if (!pairing.b_along_k) p.b.keep = p.b.mirror_bits = 0;
  } else if (pairing.b_along_k) {
    b.mirror(p.b, b.sign() | (residue != 0 ? b.smallest() : 0));
    p.a.keep = 0;
  } else {
    p.a.keep &= a.all(a.sign());
    p.b.keep &= b.all(b.sign());
  }
  if (random.one_in(2)) p.c = d.around(between(random, -40, 0), 4, random);
}

/// A subnormal factor and one of any exponent.
void make_subnormal(const Bits& a, const Bits& b, bool types_differ, OperandPatterns& p, Random& random) {
  p.a = a.around(-1000, static_cast<int>(random.below(2)), random);
  p.b = b.around(between(random, b.lowest(), b.highest()), 2, random);
  if (random.one_in(2)) std::swap(p.a, p.b);
  if (types_differ) p.b = b.around(-1000, static_cast<int>(random.below(2)), random);
  if (types_differ) p.a = a.around(between(random, a.lowest(), a.highest()), 2, random);
}

/// Only the highest bits of the mantissa stay.
void cut_mantissa(const Bits& of, int bits, OperandPattern& q) {
  const uint64_t top = (uint64_t{1} << of.shift()) - 1;
  q.keep &= of.all(of.sign() | of.exponents() | (top & ~(top >> bits)) | of.ignored());
}

void strew_specials(const Bits& a, const Bits& b, OperandPatterns& p, Random& random) {
  a.strew(p.a, random.between(1, 3), {a.infinity(), a.infinity() | a.sign(), a.nan(), a.sign()});
  b.strew(p.b, random.between(1, 3), {b.infinity(), 0, b.largest(), b.smallest()});
}

void strew_zeros(const Bits& a, const Bits& b, const Bits& d, OperandPatterns& p, Random& random) {
  a.strew(p.a, random.between(32, 250), {0, a.sign(), 0, a.smallest()});
  b.strew(p.b, random.between(0, 250), {0, b.sign(), b.sign(), 0});
  if (random.one_in(2)) d.strew(p.c, random.between(32, 255), {0, d.sign(), d.sign(), d.smallest()});
}

/// Every mantissa is all ones, often without signs.
void fill_mantissas(const Bits& a, const Bits& b, const Bits& d, OperandPatterns& p, Random& random) {
  p.a.set |= a.all(a.mantissa()), p.b.set |= b.all(b.mantissa());
  if (random.one_in(2)) p.a.keep &= ~a.all(a.sign()), p.b.keep &= ~b.all(b.sign());
  if (random.one_in(2)) p.c.set |= d.all(d.mantissa());
}

OperandPatterns make_float(const MmaTypes& types, FloatMix mix, const Pairing& pairing, Random& random) {
  const Bits a(format_of(types.a)), b(format_of(types.b)), d(format_of(types.d));
  const bool into_halves = types.d == MmaAccumulator::f16;
  const int near_zero = between(random, -3, 3);
  OperandPatterns p;
  const auto both_around = [&](int sum, int free_bits) {
    const auto [ea, eb] = factors(a, b, sum, random);
    p.a = a.around(ea, free_bits, random);
    p.b = b.around(eb, free_bits, random);
    p.c = make_c(d, sum, random);
  };
  const auto around_one = [&](int free_bits) {
    p.a = a.around(near_zero, free_bits, random);
    p.b = b.around(-near_zero + between(random, -1, 1), free_bits, random);
    p.c = make_c(d, 0, random);
  };
  switch (mix) {
    case FloatMix::bits:
      p = {a.any(random), b.any(random), d.any(random)};
      break;
    case FloatMix::finite:
      p = {a.finite(random), b.finite(random), make_c(d, between(random, -20, 20), random)};
      break;
    case FloatMix::narrow:
      around_one(static_cast<int>(random.between(0, 2)));
      break;
    case FloatMix::spread:
      around_one(static_cast<int>(random.between(3, 4)));
      break;
    case FloatMix::cancelling:
      around_one(static_cast<int>(random.between(0, 3)));
      make_cancelling(a, b, d, pairing, p, random);
      break;
    case FloatMix::small: {
      const auto free_bits = static_cast<int>(random.between(0, 3));
      both_around(between(random, into_halves ? -30 : -155, into_halves ? -12 : -118), free_bits);
      if (random.one_in(2)) p.c = d.around(d.lowest() + between(random, -2, 24), 2, random);
      break;
    }
    case FloatMix::subnormal:
      make_subnormal(a, b, types.a != types.b, p, random);
      p.c = make_c(d, between(random, -40, 20), random);
      break;
    case FloatMix::large: {
      const auto free_bits = static_cast<int>(random.between(0, 2));
      both_around(between(random, into_halves ? 8 : 110, into_halves ? 18 : 130), free_bits);
      break;
    }
    case FloatMix::specials:
      around_one(2);
      strew_specials(a, b, p, random);
      break;
    case FloatMix::zeros:
      around_one(2);
      strew_zeros(a, b, d, p, random);
      break;
    case FloatMix::few_bits: {
      around_one(static_cast<int>(random.between(1, 4)));
      const int bits = static_cast<int>(random.below(3));
      cut_mantissa(a, bits, p.a), cut_mantissa(b, bits, p.b);
      if (random.one_in(2)) p.c = d.around(between(random, -4, 30), 2, random);
      break;
    }
    case FloatMix::full_mantissa:
      around_one(static_cast<int>(random.between(0, 2)));
      fill_mantissas(a, b, d, p, random);
      break;
  }
  return p;
}

OperandPatterns make_integer(const MmaTypes& types, IntegerMix mix, Random& random) {
  const bool in_nibbles = element_bits(types.a) == 4;
  // Codes of bytes; of two nibbles each, the least and the largest ones of both signs side by side.
  const std::array<uint64_t, 4> extremes = in_nibbles ? std::array<uint64_t, 4>{0x88, 0x77, 0xff, 0x78}
                                                      : std::array<uint64_t, 4>{0x80, 0x7f, 0xff, 0x00};
  const Bits byte(spec::format("u8"));
  const auto word = [&](uint32_t keep, uint32_t set) {
    OperandPattern p;
    p.seed = random.next(), p.keep = keep, p.set = set;
    return p;
  };
  const auto any_c = [&] {
    switch (random.below(4)) {
      case 0:
        return word(0, 0);
      case 1:
        return word(0x000fffff, 0x7ff00000);
      case 2:
        return word(0x000fffff, 0x80000000);
      default:
        return word(~0u, 0);
    }
  };
  OperandPatterns p{byte.any(random), byte.any(random), any_c()};
  switch (mix) {
    case IntegerMix::bits:
      break;
    case IntegerMix::small:
      p.a.keep = p.b.keep = in_nibbles ? 0x33333333u : 0x07070707u;
      p.c = word(0xff, 0);
      break;
    case IntegerMix::extremes:
      byte.strew(p.a, random.between(64, 255), extremes);
      byte.strew(p.b, random.between(64, 255), extremes);
      break;
    case IntegerMix::zeros:
      byte.strew(p.a, random.between(32, 255), {0, 0, 0, 1});
      byte.strew(p.b, random.between(0, 255), {0, 0, 0, 0xff});
      break;
    case IntegerMix::near_limits:
      p.c = random.one_in(2) ? word(0x3fff, 0x7fffc000) : word(0x3fff, 0x80000000);
      break;
  }
  return p;
}

}  // namespace

int mix_count(const MmaTypes& types) {
  return types.d == MmaAccumulator::s32 ? integer_mix_count : float_mix_count;
}

std::string_view mix_name(const MmaTypes& types, int mix) {
  return types.d == MmaAccumulator::s32 ? integer_names[static_cast<size_t>(mix)]
                                        : float_names[static_cast<size_t>(mix)];
}

OperandPatterns make_patterns(const MmaTypes& types, int mix, const Pairing& pairing, Random& random) {
  if (types.d == MmaAccumulator::s32) return make_integer(types, static_cast<IntegerMix>(mix), random);
  return make_float(types, static_cast<FloatMix>(mix), pairing, random);
}

OperandPatterns make_exact_patterns(const MmaTypes& types, Random& random) {
  if (types.d == MmaAccumulator::s32) return make_integer(types, IntegerMix::bits, random);
  const auto exact = [&](const Bits& bits) {
    // The exponents of 2 and 4 differ in their lowest bit alone, those of 1 and 2 in every bit.
    OperandPattern p = bits.around(1, 1, random);
    p.keep &= bits.all(bits.sign() | bits.exponents() | uint64_t{1} << (bits.shift() - 1) | bits.ignored());
    return p;
  };
  OperandPatterns p{exact(Bits(format_of(types.a))), exact(Bits(format_of(types.b))),
                    exact(Bits(format_of(types.d)))};
  return p;
}

}  // namespace assay::gen
