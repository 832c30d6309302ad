// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/arch.h"

/// How instructions are spelled, as data. What PTX wants at assembly time (a qualifier, an immediate, a list
/// of registers) cannot come from a register; so a kernel holds one statement, `trap; // assay.forms FAMILY,
/// OPCODE, OPERANDS...;`, and expand() puts the spelled instructions in its place, among which the opcode
/// picks one. A kernel that nobody expanded traps. Host code takes the opcode from the same rows, by
/// Forms::opcode.
namespace assay::forms {

constexpr uint8_t set_of(const spec::OnArch& on) {
  uint8_t set = 0;
  for (int i = 0; i < spec::arch_count; ++i) set |= on[i] << i;
  return set;
}
/// Targets of kernels, a bit for each architecture; several of them as a set.
enum Targets : uint8_t {
  with_wgmma = set_of(spec::where(&spec::Architecture::has_wgmma)),
  with_tcgen05 = set_of(spec::where(&spec::Architecture::has_tcgen05)),
  with_tcgen05_i8 = set_of(spec::where(&spec::Architecture::has_tcgen05_i8)),
  with_scale_d = set_of(spec::where(&spec::Architecture::has_scale_d)),
  with_ld_red = set_of(spec::where(&spec::Architecture::has_ld_red)),
  with_swizzle_96B = set_of(spec::where(&spec::Architecture::has_swizzle_96B)),
  with_mma_kinds = set_of(spec::where(&spec::Architecture::has_mma_kinds)),
  with_32_ctas = set_of(spec::where(&spec::Architecture::has_32_ctas)),
  from_sm_100a = set_of(spec::from(100)),
  every_target = set_of(spec::from(0))
};
constexpr Targets target_of(spec::Arch arch) {
  return static_cast<Targets>(1u << static_cast<unsigned>(arch));
}
/// "sm_100a" and so on, of one target; empty for any other set.
constexpr std::string_view name_of(Targets target) {
  for (const spec::Arch arch : spec::all_archs)
    if (target_of(arch) == target) return spec::row_of(arch).target;
  return {};
}

/// The first PTX version that has a target.
constexpr uint8_t ptx_of(Targets target) {
  for (const spec::Arch arch : spec::all_archs)
    if (target_of(arch) == target) return spec::row_of(arch).ptx;
  return spec::first_ptx;
}
/// "9.0" of 90.
std::string ptx_text(uint8_t version);

/// One of the ways to spell an axis of a family.
struct Choice {
  std::string_view text;           ///< stands where the family's text has <axis>
  uint32_t value = 0;              ///< what host code calls it: an enumerator, a count
  uint8_t targets = every_target;  ///< Targets that have it
  uint8_t ptx = 0;                 ///< the first PTX version that has it, 94 for 9.4; 0: that of the family
};

struct Axis {
  std::string_view name;
  std::span<const Choice> choices;
};

struct Operand {
  std::string_view name;
  char kind;  ///< 'r', 'l', 'h' or 'd'
};

/// The choice on each axis of a family, in their order.
using Picks = std::span<const Choice* const>;

/// Instructions that take the same operands. In texts `$name` is an operand and `<name>` the chosen text of
/// an axis, or what slot() gives where there is no axis of that name; both may stand in a choice's text as
/// well. Names that a text declares (registers, labels) are of this statement alone.
struct Family {
  std::string_view name;  ///< as kernels write it
  /// Names, a blank between two, in the order of the statement, without the opcode. Each is a register of 32
  /// bits, or what a letter behind it says, as in the constraint of an asm statement: `:l` 64 bits, `:h` 16,
  /// `:d` f64.
  std::string_view operands;
  std::string_view before;  ///< PTX in front of the chosen instruction, such as declarations; may be empty
  std::string_view text;    ///< the chosen instruction, or several
  std::string_view after;   ///< PTX behind it
  std::span<const Axis> axes;
  uint8_t targets = every_target;                               ///< Targets that have any of it
  bool (*exists)(Picks) = nullptr;                              ///< null: all combinations do
  std::string (*slot)(std::string_view name, Picks) = nullptr;  ///< `before` and `after` give no picks
  uint8_t (*lacking)(Picks) = nullptr;  ///< Targets without a combination of which they have each choice
  /// The first PTX version that has it (PTX ISA Notes of its chapter), and where a combination came later
  /// than each of its choices, that of the combination.
  uint8_t ptx = spec::first_ptx;
  uint8_t (*combined_ptx)(Picks) = nullptr;
};

/// The forms of a family, opcode by opcode: what exists of all combinations, the last axis turning fastest.
class Forms {
 public:
  /// An opcode that no form has: a statement that meets it traps.
  static constexpr uint32_t none = ~uint32_t{0};

  /// The family outlives the object. Throws std::invalid_argument where the operands are not written so.
  explicit Forms(const Family& family);

  const Family& family() const { return *family_; }
  std::span<const Operand> operands() const { return operands_; }
  uint32_t size() const { return static_cast<uint32_t>(codes_.size()); }
  std::vector<const Choice*> picks(uint32_t opcode) const;
  /// The targets that have the form.
  uint8_t targets(uint32_t opcode) const;
  /// The first PTX version that has the form on some target, 80 for 8.0.
  uint8_t ptx(uint32_t opcode) const;
  /// The values of the choices, one for each axis; `none` where there is no such form.
  uint32_t opcode(std::initializer_list<uint32_t> values) const;
  /// The opcode of the form with these choices, one of each axis; nothing where there is no such form.
  std::optional<uint32_t> find(Picks picks) const;
  /// PTX of one form, of `before` or of `after`; operand i of the family is written as operands[i]. Throws
  /// std::invalid_argument where the text names what is not there: a test spells all there is.
  std::string spell(uint32_t opcode, std::span<const std::string_view> operands) const;
  std::string spell_before(std::span<const std::string_view> operands) const;
  std::string spell_after(std::span<const std::string_view> operands) const;

 private:
  /// Of an axis, the number of the choice with each value (the few that are larger are looked for): hosts ask
  /// for every case.
  struct ByValue {
    static constexpr uint32_t values = 1 << 13;
    static constexpr uint16_t absent = 0xffff;
    uint32_t choices;
    std::vector<uint16_t> numbers;
  };
  std::vector<const Choice*> picks_of_code(uint32_t code) const;

  const Family* family_;
  std::vector<Operand> operands_;
  std::vector<uint32_t> codes_;    ///< mixed-radix number of the choices, by opcode
  std::vector<uint32_t> opcodes_;  ///< by that number; `none` where the form does not exist
  std::vector<ByValue> axes_;
};

/// All families that kernels may name.
std::span<const Family* const> all_families();
/// Their forms, in that order.
std::span<const Forms> all_forms();
/// Null: there is no such family.
const Forms* find_forms(std::string_view name, std::span<const Forms> among = all_forms());
/// Of a family that is known to exist; std::invalid_argument names one that does not.
const Forms& forms(std::string_view name);

}  // namespace assay::forms
