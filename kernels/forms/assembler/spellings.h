// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/forms/form.h"

/// Spellings that an assembler is asked about, and what the documents say of each: a family whose axes hold
/// choices too that are legal nowhere or not together. The same rows are put to ptxas, to a driver's compiler
/// and to the parser of the emulated driver.
namespace assay::forms {

/// What the documents say of a spelling on a target. Open: they say nothing, or contradict each other.
enum class Legality : uint8_t { illegal, legal, open };

/// One table of spellings. Its family has no operands: texts name registers that every module declares, r0 to
/// r159 (32 bits), l0 to l7 (64), h0 to h7 (16), d0 to d15 (f64), p0 to p3.
struct SpellingTable {
  std::string_view property;  ///< last part of the property's name: "tcgen05_mma"
  const Family* family;
  /// Null: every spelling of the family is legal on the targets that its rows name.
  Legality (*legality)(Picks, Targets) = nullptr;
  std::string_view citation;
  /// The version that a module with the spelling declares; null: 9.0, or what a kernel's form needs.
  uint8_t (*ptx)(Picks, Targets) = nullptr;
};

/// A table with its spellings numbered as Forms numbers them.
class Spellings {
 public:
  explicit Spellings(const SpellingTable&);

  const SpellingTable& table() const { return *table_; }
  const Forms& forms() const { return forms_; }
  Legality legality(uint32_t number, Targets target) const;
  /// The PTX version of a module that holds the spelling for a target, 94 for 9.4.
  uint8_t ptx(uint32_t number, Targets target) const;
  /// The instruction as it is written, without what stands around it.
  std::string instruction(uint32_t number) const;
  /// A kernel of its own named `name` with the one spelling in it, lines ended by '\n'.
  std::string entry(uint32_t number, std::string_view name) const;
  /// What is worth asking on a target: what is legal or open, and what is illegal by one choice, in order. Of
  /// a table that the target has nothing of: what some other target takes.
  std::vector<uint32_t> asked(Targets target) const;
  /// The choices of a spelling, one for each axis: its text, or where an axis has the text twice "=" and what
  /// host code calls it.
  std::vector<std::string> choices(uint32_t number) const;
  /// By those; nothing where there is no such spelling.
  std::optional<uint32_t> find(std::span<const std::string> choices) const;

 private:
  const SpellingTable* table_;
  Forms forms_;
  std::vector<std::string> operands_;  ///< registers for the operands of a family of kernels
};

/// ".version", ".target" and ".address_size" of a module.
std::string module_head(Targets target, uint8_t ptx = 90);

/// All tables: those of instructions, then one for each family that kernels name (property "kernels").
std::span<const SpellingTable> spelling_tables();
/// The spellings of a table, made when they are first asked for.
const Spellings& spellings(uint32_t table);
/// By the name of its family; nothing: there is no such table.
std::optional<uint32_t> find_spelling_table(std::string_view family);

}  // namespace assay::forms
