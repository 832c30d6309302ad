// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/field.h"
#include "reference/spec/rule.h"

namespace assay::spec {

/// A descriptor that fits in one register: a table of fields of one part each, the names of its codes, and
/// what its fields count in.
struct Code {
  std::string_view field;  ///< label of the field
  uint64_t raw;
  std::string_view meaning;
};
constexpr bool is_label(std::string_view text, const Field& field) {
  if (!text.starts_with(field.name)) return false;
  text.remove_prefix(field.name.size());
  if (field.index < 0) return text.empty();
  return text.size() == 3 && text[0] == '[' && text[1] == '0' + field.index && text[2] == ']';
}
/// For every coded field, where its lowest bit is: bit r is set when the raw value r has a meaning. Words are
/// judged by the million, and names are slow to compare.
using LegalCodes = std::array<uint64_t, 64>;
constexpr LegalCodes legal_codes(std::span<const Field> fields, std::span<const Code> codes) {
  LegalCodes legal{};
  for (const Field& field : fields)
    for (const Code& code : codes)
      if (field.kind == FieldKind::coded && is_label(code.field, field))
        legal[field.parts[0].lsb] |= uint64_t{1} << code.raw;
  return legal;
}
constexpr uint64_t reserved_bits(std::span<const Field> fields) {
  uint64_t bits = 0;
  for (const Field& field : fields)
    if (field.kind == FieldKind::reserved) bits |= low_bits(field.parts[0].width) << field.parts[0].lsb;
  return bits;
}
struct Descriptor {
  std::string_view name;   ///< what `describe --as` takes: "smem", "idesc_f16", ...
  std::string_view title;  ///< in words
  int bits;                ///< 32 or 64
  std::span<const Field> fields;
  std::span<const Code> codes;  ///< every legal raw value of every coded field
  Cite cite;
  LegalCodes legal = legal_codes(fields, codes);
  uint64_t reserved = reserved_bits(fields);  ///< mask of the reserved fields
};

// Inlined even in a build with sanitizers: of a field that is known all their checks fall away.
[[gnu::always_inline]] constexpr uint64_t get_raw(uint64_t word, const Field& field) {
  return word >> field.parts[0].lsb & low_bits(field.parts[0].width);
}
[[gnu::always_inline]] constexpr uint64_t get(uint64_t word, const Field& field) {
  return field.value_of(get_raw(word, field));
}
/// Bits of raw beyond the field's width are dropped.
[[gnu::always_inline]] constexpr uint64_t with_raw(uint64_t word, const Field& field, uint64_t raw) {
  const uint64_t mask = low_bits(field.parts[0].width) << field.parts[0].lsb;
  return (word & ~mask) | (raw << field.parts[0].lsb & mask);
}
[[gnu::always_inline]] constexpr uint64_t with(uint64_t word, const Field& field, uint64_t value) {
  return with_raw(word, field, field.raw_of(value));
}

/// The meaning of a code, or empty when the table has none: then it is illegal.
std::string_view meaning(const Descriptor& descriptor, const Field& field, uint64_t raw);
/// Legal by itself, whatever the other fields say.
constexpr bool allows(const Descriptor& descriptor, const Field& field, uint64_t raw) {
  if (field.kind == FieldKind::coded)
    return raw < 64 && (descriptor.legal[field.parts[0].lsb] >> raw & 1) != 0;
  return field.hardware == HardwareUse::ignores || field.allows(raw);
}
/// Null when no field has that label.
const Field* find_field(const Descriptor& descriptor, std::string_view label);

/// A rule with the check that goes with it. `Use` is what the instruction adds to the word. No check: a rule
/// about what the hardware does with a legal word.
template <class Use>
struct DescriptorRule {
  Rule rule;
  std::string_view field;  ///< the one to blame
  bool (*holds)(uint64_t word, const Use& use);
};

/// A rule that a word breaks.
struct RuleBroken {
  const Rule* rule;
  std::string_view field;
};
/// Bit i: rule i of the table is broken. At most 64 rules.
template <class Use>
uint64_t rules_broken(std::span<const DescriptorRule<Use>> rules, uint64_t word, const Use& use) {
  uint64_t broken = 0;
  for (size_t i = 0; i < rules.size(); ++i)
    if (rules[i].holds != nullptr && !rules[i].holds(word, use)) broken |= uint64_t{1} << i;
  return broken;
}
template <class Use>
std::vector<RuleBroken> listed(std::span<const DescriptorRule<Use>> rules, uint64_t broken) {
  std::vector<RuleBroken> list;
  for (; broken != 0; broken &= broken - 1) {
    const DescriptorRule<Use>& row = rules[static_cast<size_t>(std::countr_zero(broken))];
    list.push_back({&row.rule, row.field});
  }
  return list;
}

/// One line a field: name, value with unit or meaning, bits, raw. Reserved fields only when not zero.
std::string show_text(const Descriptor& descriptor, uint64_t word, std::span<const RuleBroken> broken);
/// {"descriptor", "word", "fields": [{"name", "bits", "raw", "value", ...}], "violations": [...]}.
std::string show_json(const Descriptor& descriptor, uint64_t word, std::span<const RuleBroken> broken);

/// Raw values worth trying that the field allows by itself: ends, one, a middle, every code.
std::vector<uint64_t> legal_edges(const Descriptor& descriptor, const Field& field);
/// Raw values that the field does not allow: each single bit of a reserved field and all of them; every code
/// without a meaning; what lies above the largest number.
std::vector<uint64_t> illegal_raws(const Descriptor& descriptor, const Field& field);

/// A word that differs from a legal one in one field, which no table allows.
struct OneFieldWrong {
  const Field* field;
  uint64_t word;
};
std::vector<OneFieldWrong> one_field_wrong(const Descriptor& descriptor, uint64_t legal);

/// A neighbour of a word: one field set to an edge, to any value or to another field's bits, or one bit
/// flipped. Not necessarily legal. `random` gives 64 random bits a call.
uint64_t mutate(const Descriptor& descriptor, uint64_t word, uint64_t (*random)(void* state), void* state);

/// Names that describe_word takes: smem, smem_sm90, idesc_<kind>, zero_column_mask.
std::vector<std::string_view> describable_words();
/// Bits of such a word, 32 or 64; nothing for an unknown name.
std::optional<int> bits_of_word(std::string_view as);

/// The fields, units and violations of any word, as text or as JSON. Nothing for a name that is not one of
/// describable_words(). Rules that depend on the instruction are judged as mildly as some instruction allows.
std::optional<std::string> describe_word(uint64_t word, std::string_view as, bool json);

}  // namespace assay::spec
