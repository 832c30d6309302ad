// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "devices/emulator/alu/exact.h"
#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"

/// The arithmetic steps that every floating-point format shares: `native` is the host's operation, right for
/// rounding to nearest in the format of T while the host thread rounds to nearest and flushes nothing (see
/// HostFloat); `exact` is right for every format and rounding.
namespace assay::emulator::alu {

struct AddStep {
  template <class T>
  static T native(T a, T b) {
    return a + b;
  }
  static Number exact(const Number& a, const Number& b, Rounding r) { return sum(a, b, r); }
};
struct SubStep {
  template <class T>
  static T native(T a, T b) {
    return a - b;
  }
  static Number exact(const Number& a, const Number& b, Rounding r) {
    return b.kind == Number::nan ? b : sum(a, negated(b), r);
  }
};
struct MulStep {
  template <class T>
  static T native(T a, T b) {
    return a * b;
  }
  static Number exact(const Number& a, const Number& b, Rounding) { return product(a, b); }
};
struct DivStep {
  template <class T>
  static T native(T a, T b) {
    return a / b;
  }
  static Number exact(const Number& a, const Number& b, Rounding) { return quotient(a, b); }
};
struct FmaStep {
  template <class T>
  static T native(T a, T b, T c) {
    return std::fma(a, b, c);
  }
  static Number exact(const Number& a, const Number& b, const Number& c, Rounding r) {
    return sum(product(a, b), c, r);
  }
};
struct RcpStep {
  template <class T>
  static T native(T a) {
    return T{1} / a;
  }
  static Number exact(const Number& a, Rounding) { return quotient(from_integer(false, 1), a); }
};
struct SqrtStep {
  template <class T>
  static T native(T a) {
    return std::sqrt(a);
  }
  static Number exact(const Number& a, Rounding) { return square_root(a); }
};

/// Whether .ftz makes zero of a result that rounded up to the smallest normal number: it does where the value
/// is below that when rounded to as many bits without a least exponent (h200).
template <Format format>
inline bool is_tiny(Number number, Rounding rounding) {
  if (number.kind != Number::finite) return false;
  number.exponent += 4;
  return (round(format, number, rounding) & (format.sign() - 1)) < 5 * format.smallest_normal();
}

/// What .ftz and .sat make of a finished single-precision result. NaN is the canonical 0x7fffffff, or +0
/// under .sat (ptx, floating point instructions; -0 saturates to +0).
template <bool ftz, bool sat>
inline float finished(float value) {
  if (sat) {
    const float not_above = value < 1.0f ? value : 1.0f;
    return value > 0.0f ? (ftz ? flushed(not_above) : not_above) : 0.0f;
  }
  if (ftz) value = flushed(value);
  return value == value ? value : std::bit_cast<float>(0x7fffffffu);
}

/// One single-precision operation on bits.
template <class Step, Rounding rounding, bool ftz, bool sat, class... Bits>
ASSAY_ALWAYS_INLINE inline uint32_t f32_operation(Bits... bits) {
  const auto operand = [](uint32_t b) {
    const float v = std::bit_cast<float>(b);
    return ftz ? flushed(v) : v;
  };
  float result;
  if constexpr (rounding == Rounding::rn) {
    result = Step::native(operand(bits)...);
  } else {
    const Number number =
        Step::exact(unpack(f32_format, std::bit_cast<uint32_t>(operand(bits)))..., rounding);
    result = std::bit_cast<float>(static_cast<uint32_t>(round(f32_format, number, rounding)));
  }
  if (ftz && std::fabs(result) == 0x1p-126f) {
    const Number number =
        Step::exact(unpack(f32_format, std::bit_cast<uint32_t>(operand(bits)))..., rounding);
    if (is_tiny<f32_format>(number, rounding)) result = std::copysign(0.0f, result);
  }
  return std::bit_cast<uint32_t>(finished<ftz, sat>(result));
}

inline double quiet(double nan) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(nan) | 0x0008000000000000u);
}

/// The NaN that a double-precision operation returns: payloads are kept (ptx, floating point instructions).
/// Of two NaN operands it is the second, but of a quotient the first; the addend of a fused operation goes
/// before a single NaN factor, but two NaN factors go before the addend (h200). Without one, the indefinite
/// NaN 0xfff8000000000000 (h200, R-05).
inline double propagated(double made, double a) {
  return a != a ? quiet(a) : made == made ? made : std::bit_cast<double>(0xfff8000000000000u);
}
inline double propagated(double made, double a, double b) {
  return b != b ? quiet(b) : propagated(made, a);
}
inline double propagated_quotient(double made, double a, double b) {
  return propagated(made, b, a);
}
inline double propagated(double made, double a, double b, double c) {
  return c != c && (a == a || b == b) ? quiet(c) : propagated(made, a, b);
}

template <class Step, Rounding rounding, class... Doubles>
ASSAY_ALWAYS_INLINE inline double f64_operation(Doubles... values) {
  double result;
  if constexpr (rounding == Rounding::rn) {
    result = Step::native(values...);
  } else {
    const Number number = Step::exact(unpack(f64_format, std::bit_cast<uint64_t>(values))..., rounding);
    result = std::bit_cast<double>(round(f64_format, number, rounding));
  }
  if constexpr (std::is_same_v<Step, DivStep>)
    return propagated_quotient(result, values...);
  else
    return propagated(result, values...);
}

/// f.operator()<rounding>() for the four roundings of arithmetic; `otherwise` where the opcode names none.
template <class F>
std::optional<LaneForm> for_rounding(Rounding rounding, Rounding otherwise, F f) {
  switch (rounding == Rounding::none ? otherwise : rounding) {
    case Rounding::rn:
      return f.template operator()<Rounding::rn>();
    case Rounding::rz:
      return f.template operator()<Rounding::rz>();
    case Rounding::rm:
      return f.template operator()<Rounding::rm>();
    case Rounding::rp:
      return f.template operator()<Rounding::rp>();
    default:
      return std::nullopt;
  }
}

}  // namespace assay::emulator::alu
