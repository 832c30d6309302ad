// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What the integer instructions of PTX must give, from the document's own sentences: each value is taken as
/// the number it stands for, the result worked out exactly, and cut to its type.
namespace assay::scalar {

struct IntegerOperation {
  std::string_view base;
  std::span<const std::string> modifiers, types;
};

/// The condition code register.
struct Carry {
  bool flag = false;
};

/// The result, in as many bits as the destination has, or nothing for an instruction that is none of these:
/// add, sub, mul, mad, mul24, mad24, sad, div, rem, abs, neg, min, max, dp2a, dp4a, popc, clz, bfind, brev,
/// bfe, bfi, bmsk, szext, fns, and, or, xor, not, cnot, shl, shr, shf, prmt, lop3, and addc, subc and madc
/// with their chains of .cc.
std::optional<uint64_t> integer_result(const IntegerOperation& operation, std::span<const uint64_t> operands,
                                       Carry& carry);

struct BitOperation {
  std::string_view base;
  std::span<const std::string> modifiers;
  int bits;
  bool is_signed;
};

/// Instructions on bits rather than numbers: popc, clz, bfind, brev, bfe, bfi, bmsk, szext, fns, logic,
/// shifts, prmt, lop3. Worked out a bit at a time, as the document's pseudo-code does.
std::optional<uint64_t> bit_result(const BitOperation& operation, std::span<const uint64_t> operands);

}  // namespace assay::scalar
