// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/fast_operands.h"

#include <algorithm>

namespace assay::numerics {
namespace {

DecodeRules rules_of(const OperandSource& source) {
  const spec::Format& f = *source.format;
  return {.is_integer = f.is_integer(),
          .is_signed = f.is_signed(),
          .storage_bits = f.storage_bits,
          .to_mantissa = f.ignored_bits,
          .mantissa_bits = f.mantissa_bits,
          .mantissa_mask = static_cast<uint32_t>(f.mantissa_mask()),
          .exponent_mask = static_cast<uint32_t>(f.exponent_mask()),
          .sign_bit = static_cast<uint32_t>(f.sign_bit()),
          .bias = f.bias,
          .zero_exponent_is_subnormal = f.zero_exponent_is_subnormal,
          .has_specials = f.top != spec::TopExponent::number,
          .has_infinity = f.has_infinity(),
          .subnormals_align_at_emin = source.subnormals_align_at_emin,
          .zero_exponent = source.zero_exponent};
}

/// The codes by position. What is padding is 0.
void arrange(const OperandSource& source, uint32_t* to) {
  const size_t k = source.order.size(), lines = static_cast<size_t>(source.lines);
  const uint32_t* const codes = source.codes.data();
  if (source.padded == 0) {
    for (size_t line = 0; line < lines; ++line)
      for (size_t i = 0; i < k; ++i)
        to[line * k + i] = codes[line * k + static_cast<size_t>(source.order[i])];
    return;
  }
  for (size_t i = 0; i < k; ++i, to += source.padded) {
    const uint32_t* from = codes + source.order[i];
    for (size_t line = 0; line < lines; ++line, from += k) to[line] = *from;
    std::fill(to + lines, to + source.padded, 0);
  }
}

}  // namespace

void Operand::decode(const Kernels& kernels, const OperandSource& source, Wanted wanted) {
  const size_t size =
      source.order.size() * static_cast<size_t>(source.padded != 0 ? source.padded : source.lines);
  const size_t padded = (size + column_padding - 1) / column_padding * column_padding;
  if (arranged_.size() < padded) arranged_.resize(padded);
  std::fill(arranged_.begin() + static_cast<ptrdiff_t>(size),
            arranged_.begin() + static_cast<ptrdiff_t>(padded), 0);
  arrange(source, arranged_.data());
  const auto take = [padded](auto& values, bool is_wanted) {
    if (is_wanted && values.size() < padded) values.resize(padded);
    return is_wanted ? values.data() : nullptr;
  };
  any_special =
      kernels.decode(rules_of(source), arranged_.data(), static_cast<int>(padded),
                     {take(value32, wanted.value32), take(value64, wanted.value64), take(plain, wanted.plain),
                      take(plain32, wanted.plain32), take(exponent, true)});
}

const Operand& DecodedOperands::decode(const Kernels& kernels, const OperandSource& source,
                                       Operand::Wanted wanted) {
  for (const Entry& entry : entries_) {
    const OperandSource& made = entry.source;
    if (made.format == source.format && made.subnormals_align_at_emin == source.subnormals_align_at_emin &&
        made.zero_exponent == source.zero_exponent && made.lines == source.lines &&
        made.padded == source.padded && entry.wanted == wanted &&
        std::ranges::equal(entry.order, source.order) && std::ranges::equal(entry.codes, source.codes))
      return entry.operand;
  }
  Entry& entry = entries_[next_];
  next_ = (next_ + 1) % kept;
  entry.codes.assign(source.codes.begin(), source.codes.end());
  entry.order.assign(source.order.begin(), source.order.end());
  entry.source = source;
  entry.source.codes = entry.codes;
  entry.source.order = entry.order;
  entry.wanted = wanted;
  entry.operand.decode(kernels, source, wanted);
  return entry.operand;
}

}  // namespace assay::numerics
