#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reference/numerics/fast_kernels.h"
#include "reference/spec/formats.h"

namespace assay::numerics {

/// A code as the vector code wants it. Written apart from spec::decode, which the exact version uses.
struct Element {
  double value = 0;            ///< 0 for infinities and NaN
  double plain = 0;            ///< the same, specials included
  int exponent = no_exponent;  ///< that it aligns with; no_exponent for zero
  bool special = false;
};

/// The columns of a spec::Format, worked out for one operand.
class Decoder {
 public:
  Decoder(const spec::Format& format, bool subnormals_align_at_emin)
      : format_(format), at_emin_(subnormals_align_at_emin) {}

  Element operator()(uint32_t code) const {
    Element element;
    if (format_.is_integer()) {
      const int unused = 32 - format_.storage_bits;
      const uint32_t top = code << unused;
      element.value =
          format_.is_signed() ? static_cast<double>(static_cast<int32_t>(top) >> unused) : top >> unused;
      element.plain = element.value;
      element.exponent = element.value == 0 ? no_exponent : 0;
      return element;
    }
    const uint64_t magnitude =
        code >> format_.ignored_bits & ((uint64_t{1} << (format_.exponent_bits + format_.mantissa_bits)) - 1);
    const uint64_t sign = (code & format_.sign_bit()) != 0 ? uint64_t{1} << 63 : 0;
    const uint64_t exponent = magnitude >> format_.mantissa_bits,
                   mantissa = magnitude & format_.mantissa_mask();
    const bool at_top = exponent == format_.exponent_mask();
    if (at_top && format_.top == spec::TopExponent::ieee) {
      element.special = true;
      element.plain = mantissa != 0
                          ? std::numeric_limits<double>::quiet_NaN()
                          : std::bit_cast<double>(
                                sign | std::bit_cast<uint64_t>(std::numeric_limits<double>::infinity()));
      return element;
    }
    if (at_top && format_.top == spec::TopExponent::nan_only && mantissa == format_.mantissa_mask()) {
      element.special = true;
      element.plain = std::numeric_limits<double>::quiet_NaN();
      return element;
    }
    uint64_t bits = 0;
    if (exponent != 0 || !format_.zero_exponent_is_subnormal) {
      element.exponent = static_cast<int>(exponent) - format_.bias;
      bits = static_cast<uint64_t>(element.exponent + 1023) << 52 | mantissa << (52 - format_.mantissa_bits);
    } else if (mantissa != 0) {
      element.exponent = 1 - format_.bias;
      const int leading = static_cast<int>(std::bit_width(mantissa)) - 1;
      const int true_exponent = element.exponent - format_.mantissa_bits + leading;
      bits =
          static_cast<uint64_t>(true_exponent + 1023) << 52 | (mantissa << (52 - leading) & 0xfffffffffffff);
      if (!at_emin_) element.exponent = true_exponent;
    }
    element.value = std::bit_cast<double>(bits | sign);
    element.plain = element.value;
    return element;
  }

 private:
  const spec::Format& format_;
  bool at_emin_;
};

/// One operand of a tile, decoded. As rows: [line][k]; as columns: [k][line], lines padded with zeros. Lines
/// are rows of A or columns of B; k is in the order of the fused blocks.
struct Operand {
  std::vector<float> value32;
  std::vector<double> value64;
  std::vector<double> plain;  ///< filled when some element is special, or when asked for
  std::vector<int16_t> exponent;
  std::vector<uint8_t> special;  ///< per line
  bool any_special = false;

  struct Wanted {
    bool value32, value64, plain;
  };
  /// codes: [line][k]. order: position -> k. padded: lines of the column form, 0 for the row form.
  void decode(const spec::Format& format, bool subnormals_align_at_emin, std::span<const uint32_t> codes,
              int lines, std::span<const int> order, int padded, Wanted wanted);
};

}  // namespace assay::numerics
