// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/integer.h"

#include <algorithm>

namespace assay::scalar {
namespace {

using Whole = __int128;

/// An integer type of PTX.
struct IntegerType {
  int bits = 0;
  bool is_signed = false;

  Whole modulus() const { return Whole{1} << bits; }
  Whole least() const { return is_signed ? -(modulus() / 2) : Whole{0}; }
  Whole greatest() const { return is_signed ? modulus() / 2 - 1 : modulus() - 1; }
  /// The number that the lowest bits stand for.
  Whole number(uint64_t pattern) const {
    const Whole low = static_cast<Whole>(pattern) & (modulus() - 1);
    return is_signed && low >= modulus() / 2 ? low - modulus() : low;
  }
};

std::optional<IntegerType> type_of(std::string_view name) {
  if (name.size() < 2 || (name[0] != 'u' && name[0] != 's' && name[0] != 'b')) return std::nullopt;
  for (const int bits : {8, 16, 32, 64})
    if (name.substr(1) == std::to_string(bits)) return IntegerType{bits, name[0] == 's'};
  return std::nullopt;
}

/// The pattern of a number in a register of that many bits: two's complement, higher bits lost.
uint64_t pattern(Whole number, int bits) {
  const auto low = static_cast<uint64_t>(static_cast<unsigned __int128>(number));
  return bits == 64 ? low : low & ((uint64_t{1} << bits) - 1);
}

Whole magnitude(Whole number) {
  return number < 0 ? -number : number;
}

/// Floor of number / 2^bits.
Whole shifted_right(Whole number, int bits) {
  return number >> bits;
}

class Operation {
 public:
  Operation(const IntegerOperation& operation, std::span<const uint64_t> operands, IntegerType type,
            Carry& carry)
      : operation_(operation), operands_(operands), type_(type), carry_(carry) {}

  std::optional<uint64_t> run();

 private:
  bool has(std::string_view modifier) const {
    return std::find(operation_.modifiers.begin(), operation_.modifiers.end(), modifier) !=
           operation_.modifiers.end();
  }
  Whole number(size_t i) const { return type_.number(operands_[i]); }
  Whole limited(Whole value) const {
    return has("sat") ? std::clamp(value, type_.least(), type_.greatest()) : value;
  }
  uint64_t cut(Whole value) const { return pattern(value, type_.bits); }

  std::optional<uint64_t> arithmetic();
  std::optional<uint64_t> narrow_products();
  std::optional<uint64_t> extended();
  /// a * b, its lower half, its upper half or all of it.
  Whole chosen_product() const;
  uint64_t with_carry(uint64_t a, uint64_t b, bool carry_in);

  const IntegerOperation& operation_;
  const std::span<const uint64_t> operands_;
  const IntegerType type_;
  Carry& carry_;
};

Whole Operation::chosen_product() const {
  // Two numbers below 2^64 multiply to one below 2^128, which Whole holds as a pattern; its upper half is cut
  // out of that, as the document's t<n..2n-1>.
  const auto product = static_cast<unsigned __int128>(number(0)) * static_cast<unsigned __int128>(number(1));
  if (has("wide")) return static_cast<Whole>(product);
  if (has("lo")) return pattern(static_cast<Whole>(product), type_.bits);
  if (type_.bits < 64) return shifted_right(static_cast<Whole>(product), type_.bits);
  return static_cast<Whole>(static_cast<uint64_t>(product >> 64));
}

/// One adder: the flag is what it carries out of its highest bit.
uint64_t Operation::with_carry(uint64_t a, uint64_t b, bool carry_in) {
  const IntegerType type{type_.bits, false};
  const Whole sum = type.number(a) + type.number(b) + (carry_in ? 1 : 0);
  if (has("cc")) carry_.flag = sum >= type.modulus();
  return cut(sum);
}

std::optional<uint64_t> Operation::extended() {
  const std::string_view base = operation_.base;
  const bool reads = base == "addc" || base == "subc" || base == "madc";
  if (!reads && !has("cc")) return std::nullopt;
  const auto product = [&] { return cut(chosen_product()); };
  if (base == "add" || base == "addc") return with_carry(operands_[0], operands_[1], reads && carry_.flag);
  // A subtraction adds the complement and one; the flag of "no borrow" is measured (H100): the document does
  // not say how a borrow reads to addc.
  if (base == "sub" || base == "subc")
    return with_carry(operands_[0], ~operands_[1], reads ? carry_.flag : true);
  return with_carry(product(), operands_[2], reads && carry_.flag);
}

std::optional<uint64_t> Operation::arithmetic() {
  const std::string_view base = operation_.base;
  if (base == "add") return cut(limited(number(0) + number(1)));
  if (base == "sub") return cut(limited(number(0) - number(1)));
  if (base == "neg") return cut(-number(0));
  if (base == "abs") return cut(magnitude(number(0)));
  if (base == "min" || base == "max") {
    const Whole chosen = base == "min" ? std::min(number(0), number(1)) : std::max(number(0), number(1));
    return cut(has("relu") ? std::max<Whole>(chosen, 0) : chosen);
  }
  if (base == "sad") return cut(number(2) + magnitude(number(0) - number(1)));
  // Towards zero, the remainder with the sign of the dividend.
  if (base == "div") return cut(number(0) / number(1));
  if (base == "rem") return cut(number(0) % number(1));
  if (base == "mul") return pattern(chosen_product(), has("wide") ? 2 * type_.bits : type_.bits);
  if (base == "mad") {
    if (has("wide")) {
      const IntegerType wide{2 * type_.bits, type_.is_signed};
      return pattern(chosen_product() + wide.number(operands_[2]), wide.bits);
    }
    return cut(limited(chosen_product() + number(2)));
  }
  return std::nullopt;
}

std::optional<uint64_t> Operation::narrow_products() {
  const std::string_view base = operation_.base;
  if (base == "mul24" || base == "mad24") {
    const IntegerType narrow{24, type_.is_signed};
    const Whole product = narrow.number(operands_[0]) * narrow.number(operands_[1]);
    // The lower 32 of the product's 48 bits, or the upper.
    const Whole half = has("lo") ? type_.number(pattern(product, 32)) : shifted_right(product, 16);
    return cut(base == "mul24" ? half : limited(half + number(2)));
  }
  if (base == "dp4a" || base == "dp2a") {
    const IntegerType a{base == "dp4a" ? 8 : 16, operation_.types[0][0] == 's'},
        b{8, operation_.types[1][0] == 's'};
    Whole total = static_cast<int32_t>(operands_[2]);
    const int terms = base == "dp4a" ? 4 : 2, first = has("hi") ? 2 : 0;
    for (int i = 0; i < terms; ++i)
      total += a.number(operands_[0] >> i * a.bits) * b.number(operands_[1] >> (first + i) * 8);
    return pattern(total, 32);
  }
  return std::nullopt;
}

std::optional<uint64_t> Operation::run() {
  if (auto value = extended()) return value;
  if (auto value = narrow_products()) return value;
  if (auto value = arithmetic()) return value;
  return bit_result({operation_.base, operation_.modifiers, type_.bits, type_.is_signed}, operands_);
}

}  // namespace

std::optional<uint64_t> integer_result(const IntegerOperation& operation, std::span<const uint64_t> operands,
                                       Carry& carry) {
  const auto type = type_of(operation.types[0]);
  if (!type) return std::nullopt;
  return Operation(operation, operands, *type, carry).run();
}

namespace {

bool bit(uint64_t word, int at) {
  return at >= 0 && at < 64 && (word >> at & 1) != 0;
}

bool has(const BitOperation& operation, std::string_view modifier) {
  return std::find(operation.modifiers.begin(), operation.modifiers.end(), modifier) !=
         operation.modifiers.end();
}

/// A position or length: bits 7:0 (ptx, bfe and bfi) for fields of 32 bits. For those of 64 an H200 takes the
/// whole word, in which all that lies beyond the field is alike.
int place(const BitOperation& operation, uint64_t operand) {
  return static_cast<int>(operation.bits == 64 ? std::min<uint64_t>(operand & 0xffffffff, 255)
                                               : operand & 0xff);
}

/// The word whose bit i, of `bits`, is f(i).
template <typename F>
uint64_t word_of(int bits, F f) {
  uint64_t made = 0;
  for (int i = 0; i < bits; ++i) made |= static_cast<uint64_t>(f(i) ? 1 : 0) << i;
  return made;
}

std::optional<uint64_t> counted(const BitOperation& operation, std::span<const uint64_t> x) {
  const std::string_view base = operation.base;
  const int bits = operation.bits;
  if (base == "popc") {
    uint64_t count = 0;
    for (int i = 0; i < bits; ++i) count += bit(x[0], i);
    return count;
  }
  if (base == "clz") {
    uint64_t count = 0;
    for (int i = bits - 1; i >= 0 && !bit(x[0], i); --i) ++count;
    return count;
  }
  if (base == "bfind") {
    // The highest bit that differs from the sign, or is set in an unsigned number.
    const bool looked_for = !(operation.is_signed && bit(x[0], bits - 1));
    for (int i = bits - 1; i >= 0; --i)
      if (bit(x[0], i) == looked_for)
        return static_cast<uint64_t>(has(operation, "shiftamt") ? bits - 1 - i : i);
    return 0xffffffff;
  }
  if (base == "fns") {
    const auto mask = static_cast<uint32_t>(x[0]);
    const int start = static_cast<int>(x[1]);
    int left = static_cast<int32_t>(x[2]);
    if (left == 0) return bit(mask, start) ? static_cast<uint64_t>(start) : 0xffffffff;
    const int step = left > 0 ? 1 : -1;
    for (int i = start; i >= 0 && i < 32; i += step)
      if (bit(mask, i) && (left -= step) == 0) return static_cast<uint64_t>(i);
    return 0xffffffff;
  }
  return std::nullopt;
}

std::optional<uint64_t> field(const BitOperation& operation, std::span<const uint64_t> x) {
  const std::string_view base = operation.base;
  const int bits = operation.bits;
  if (base == "brev") return word_of(bits, [&](int i) { return bit(x[0], bits - 1 - i); });
  if (base == "bfe") {
    const int position = place(operation, x[1]), length = place(operation, x[2]);
    const bool sign =
        operation.is_signed && length != 0 && bit(x[0], std::min(position + length - 1, bits - 1));
    return word_of(bits,
                   [&](int i) { return i < length && position + i < bits ? bit(x[0], position + i) : sign; });
  }
  if (base == "bfi") {
    const int position = place(operation, x[2]), length = place(operation, x[3]);
    return word_of(bits, [&](int i) {
      return i >= position && i < position + length ? bit(x[0], i - position) : bit(x[1], i);
    });
  }
  if (base == "bmsk") {
    const auto a = static_cast<uint32_t>(x[0]), b = static_cast<uint32_t>(x[1]);
    const bool wraps = has(operation, "wrap");
    const uint64_t first = wraps ? a & 31 : a, length = wraps ? b & 31 : b;
    return word_of(32, [&](int i) {
      return static_cast<uint64_t>(i) >= first && static_cast<uint64_t>(i) < first + length;
    });
  }
  if (base == "szext") {
    const auto b = static_cast<uint32_t>(x[1]);
    const int length = static_cast<int>(has(operation, "wrap") ? b & 31 : std::min<uint32_t>(b, 32));
    const bool sign = operation.is_signed && length != 0 && bit(x[0], length - 1);
    return word_of(32, [&](int i) { return i < length ? bit(x[0], i) : sign; });
  }
  return std::nullopt;
}

std::optional<uint64_t> logic(const BitOperation& operation, std::span<const uint64_t> x) {
  const std::string_view base = operation.base;
  const int bits = operation.bits;
  if (base == "and") return word_of(bits, [&](int i) { return bit(x[0], i) && bit(x[1], i); });
  if (base == "or") return word_of(bits, [&](int i) { return bit(x[0], i) || bit(x[1], i); });
  if (base == "xor") return word_of(bits, [&](int i) { return bit(x[0], i) != bit(x[1], i); });
  if (base == "not") return word_of(bits, [&](int i) { return !bit(x[0], i); });
  if (base == "cnot") {
    const uint64_t zero = word_of(bits, [&](int i) { return bit(x[0], i); });
    return zero == 0;
  }
  if (base == "lop3" && operation.modifiers.empty())
    return word_of(32, [&](int i) { return bit(x[3], 4 * bit(x[0], i) + 2 * bit(x[1], i) + bit(x[2], i)); });
  return std::nullopt;
}

std::optional<uint64_t> shifted(const BitOperation& operation, std::span<const uint64_t> x) {
  const std::string_view base = operation.base;
  const int bits = operation.bits;
  if (base == "shl" || base == "shr") {
    const int amount = static_cast<int>(std::min<uint64_t>(static_cast<uint32_t>(x[1]), 64));
    if (base == "shl") return word_of(bits, [&](int i) { return i >= amount && bit(x[0], i - amount); });
    const bool sign = operation.is_signed && bit(x[0], bits - 1);
    return word_of(bits, [&](int i) { return i + amount < bits ? bit(x[0], i + amount) : sign; });
  }
  if (base == "shf") {
    const auto c = static_cast<uint32_t>(x[2]);
    const int amount = static_cast<int>(has(operation, "wrap") ? c & 31 : std::min<uint32_t>(c, 32));
    const uint64_t both = (x[1] & 0xffffffff) << 32 | (x[0] & 0xffffffff);
    const bool is_left = has(operation, "l");
    return word_of(32, [&](int i) { return bit(both, is_left ? 32 + i - amount : i + amount); });
  }
  return std::nullopt;
}

std::optional<uint64_t> permuted(const BitOperation& operation, std::span<const uint64_t> x) {
  if (operation.base != "prmt") return std::nullopt;
  const uint64_t both = (x[1] & 0xffffffff) << 32 | (x[0] & 0xffffffff);
  const auto byte = [&](int number) { return both >> number * 8 & 0xff; };
  // The document's table of modes: for each selector, the bytes of b3 to b0.
  constexpr std::pair<std::string_view, int> modes[][4] = {
      {{"f4e", 0x3210}, {"f4e", 0x4321}, {"f4e", 0x5432}, {"f4e", 0x6543}},
      {{"b4e", 0x5670}, {"b4e", 0x6701}, {"b4e", 0x7012}, {"b4e", 0x0123}},
      {{"rc8", 0x0000}, {"rc8", 0x1111}, {"rc8", 0x2222}, {"rc8", 0x3333}},
      {{"ecl", 0x3210}, {"ecl", 0x3211}, {"ecl", 0x3222}, {"ecl", 0x3333}},
      {{"ecr", 0x0000}, {"ecr", 0x1110}, {"ecr", 0x2210}, {"ecr", 0x3210}},
      {{"rc16", 0x1010}, {"rc16", 0x3232}, {"rc16", 0x1010}, {"rc16", 0x3232}}};
  for (const auto& mode : modes)
    if (has(operation, mode[0].first)) {
      uint64_t made = 0;
      for (int i = 0; i < 4; ++i) made |= byte(mode[x[2] & 3].second >> i * 4 & 7) << i * 8;
      return made;
    }
  uint64_t made = 0;
  for (int i = 0; i < 4; ++i) {
    const auto selector = static_cast<int>(x[2] >> i * 4 & 15);
    const uint64_t chosen = byte(selector & 7);
    made |= (selector & 8 ? (chosen & 0x80 ? 0xffu : 0u) : chosen) << i * 8;
  }
  return made;
}

}  // namespace

std::optional<uint64_t> bit_result(const BitOperation& operation, std::span<const uint64_t> operands) {
  for (const auto part : {counted, field, logic, shifted, permuted})
    if (auto value = part(operation, operands)) return value;
  return std::nullopt;
}

}  // namespace assay::scalar
