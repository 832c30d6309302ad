#pragma once

#include <cstdint>
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
struct Descriptor {
  std::string_view name;   ///< what `describe --as` takes: "smem", "idesc_f16", ...
  std::string_view title;  ///< in words
  int bits;                ///< 32 or 64
  std::span<const Field> fields;
  std::span<const Code> codes;  ///< every legal raw value of every coded field
  Cite cite;
};

constexpr uint64_t get_raw(uint64_t word, const Field& field) {
  return word >> field.parts[0].lsb & low_bits(field.parts[0].width);
}
constexpr uint64_t get(uint64_t word, const Field& field) {
  return field.value_of(get_raw(word, field));
}
/// Bits of raw beyond the field's width are dropped.
constexpr uint64_t with_raw(uint64_t word, const Field& field, uint64_t raw) {
  const uint64_t mask = low_bits(field.parts[0].width) << field.parts[0].lsb;
  return (word & ~mask) | (raw << field.parts[0].lsb & mask);
}
constexpr uint64_t with(uint64_t word, const Field& field, uint64_t value) {
  return with_raw(word, field, field.raw_of(value));
}

/// The meaning of a code, or empty when the table has none: then it is illegal.
std::string_view meaning(const Descriptor& descriptor, const Field& field, uint64_t raw);
/// Legal by itself, whatever the other fields say.
bool allows(const Descriptor& descriptor, const Field& field, uint64_t raw);
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

template <class Use>
std::vector<RuleBroken> rules_broken(std::span<const DescriptorRule<Use>> rules, uint64_t word,
                                     const Use& use) {
  std::vector<RuleBroken> broken;
  for (const DescriptorRule<Use>& row : rules)
    if (row.holds != nullptr && !row.holds(word, use)) broken.push_back({&row.rule, row.field});
  return broken;
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

}  // namespace assay::spec
