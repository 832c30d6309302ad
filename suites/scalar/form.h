// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The scalar instructions of PTX as a generator of programs sees them: which forms there are, and what each
/// reads and writes.
namespace assay::gen::scalar {

/// Registers by size: predicate, 16, 32 and 64 bits.
enum class Bank : uint8_t { p, h, r, d };
inline constexpr int banks = 4;
constexpr int bits_of(Bank bank) {
  constexpr int bits[] = {1, 16, 32, 64};
  return bits[static_cast<int>(bank)];
}
constexpr char letter_of(Bank bank) {
  return "phrd"[static_cast<int>(bank)];
}

/// A legal opcode: a row of the table of legal forms spelled out.
struct Form {
  std::string base;
  std::vector<std::string> modifiers, types;

  std::string text() const;
  bool has(std::string_view modifier) const;
  bool is_float() const;
  bool is_video() const;
  bool is_approximate() const;
};

/// Instructions that are drawn together.
enum class Family : uint8_t {
  integer,
  carry,
  logic,
  compare,
  single,
  dual,
  half,
  convert_integer,
  convert_float,
  convert_packed,
  approximate,
};
inline constexpr Family all_families[] = {
    Family::integer,       Family::carry,          Family::logic,      Family::compare,
    Family::single,        Family::dual,           Family::half,       Family::convert_integer,
    Family::convert_float, Family::convert_packed, Family::approximate};
std::string_view name_of(Family family);
Family family_of(const Form& form);

/// What a source may be.
struct Source {
  Bank bank;
  enum class Rule : uint8_t {
    any,
    registers_only,  ///< no immediate
    immediate,       ///< a constant
    odd,             ///< never zero: the document leaves the result open for it
    below_32,
    above_lowest,  ///< not -2^31: how many bits fns is to count is the magnitude, which that has not
  } rule = Rule::any;
  std::string_view type = {};  ///< of an immediate: "f32", "s16", ...
  uint32_t limit = 0;          ///< constants are below it, if not 0
};
struct Signature {
  Bank destination;
  bool has_second = false;  ///< d|p: a second destination, always a predicate
  std::vector<Source> sources;
  int braced = 0;  ///< that many first sources stand in braces
};

/// Nothing for the few forms that need a register of 8 bits.
std::optional<Signature> signature_of(const Form& form);

/// The forms that a GPU of that compute capability has (90, 100, 103), in the order of the table, and the
/// SIMD video instructions.
std::vector<Form> forms_of(int capability);

}  // namespace assay::gen::scalar
