// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/case_field.h"
#include "reference/spec/field.h"
#include "suites/run/property.h"

namespace assay::suites {

/// A field of a descriptor, as coverage sees it: the classes that its values fall into. A field with few
/// values has a class each; a number has the lowest, the next, between, the last but one and the highest. The
/// last class of each is what is illegal.
struct CoveredField {
  std::string name;
  uint64_t lowest = 0, highest = 0;  ///< legal values of a number
  uint64_t unit = 1;                 ///< from one legal value to the next
  std::vector<std::string> values;   ///< not empty: a value is an index into it

  uint32_t legal_classes() const { return values.empty() ? 5 : static_cast<uint32_t>(values.size()); }
  uint32_t classes() const { return legal_classes() + 1; }
  uint32_t class_of(uint64_t value) const;
  std::string class_name(uint32_t c) const;
};

/// The value of each field in a case; nothing where the case has no such field (dimension 4 of a matrix).
using FieldValues = std::vector<std::optional<uint64_t>>;

/// The fields of one descriptor, and the cells of two spaces: each class of each field, and each pair of
/// classes of two fields.
class Descriptor {
 public:
  Descriptor(std::string name, std::vector<CoveredField> fields, bool (*read)(const Case&, FieldValues&));

  const std::vector<CoveredField>& fields() const { return fields_; }
  uint32_t class_cells() const { return class_cells_; }
  uint32_t pair_cells() const { return pair_cells_; }
  CellSpace class_space() const;
  CellSpace pair_space() const;

  /// Two of the fields, and the cells of the pair space that are theirs. For reports: how many of those were
  /// reached, in place of each.
  struct FieldPair {
    std::string name;  ///< "box[0]/dim[0]"
    uint32_t first_cell, cells;
  };
  std::string_view reached_dimension() const { return reached_dimension_; }
  std::vector<FieldPair> field_pairs() const;

  /// Calls `one(cell)` for each class and `two(cell)` for each pair that the case lies in.
  template <typename One, typename Two>
  void visit(const Case& c, One one, Two two) const {
    thread_local FieldValues values;
    values.assign(fields_.size(), std::nullopt);
    if (!read_(c, values)) return;
    for (uint32_t i = 0; i < fields_.size(); ++i) {
      if (!values[i]) continue;
      const uint32_t mine = fields_[i].class_of(*values[i]);
      one(first_class_[i] + mine);
      for (uint32_t j = 0; j < i; ++j)
        if (values[j])
          two(first_pair_[i * (i - 1) / 2 + j] + mine * fields_[j].classes() +
              fields_[j].class_of(*values[j]));
    }
  }

 private:
  std::string name_, class_dimension_, pair_dimension_, reached_dimension_;
  std::vector<CoveredField> fields_;
  bool (*read_)(const Case&, FieldValues&);
  std::vector<uint32_t> first_class_, first_pair_;  ///< of field i; of the pair i, j < i
  uint32_t class_cells_ = 0, pair_cells_ = 0;
};

}  // namespace assay::suites

/// Fields of descriptors for coverage, made from what the tables of reference/spec say of them.
namespace assay::suites {

CoveredField covered_number(std::string name, uint64_t lowest, uint64_t highest, uint64_t unit = 1);
/// A number of so many bits in the field's units.
CoveredField covered_number(const spec::Field& field);
CoveredField covered_codes(std::string name, std::vector<std::string> values);
CoveredField covered_flag(std::string name);
/// Where a multiple of 16 lies in a line of 128 bytes.
CoveredField covered_line_offset(std::string name);
/// first, first + 1, ... last.
std::vector<std::string> covered_range(uint64_t first, uint64_t last);
/// The names of the rows of a table, those of swizzles with their words apart: "128B_atom_32B_flip_8B".
template <typename Rows>
std::vector<std::string> covered_names(const Rows& rows);
std::string covered_name(std::string_view name);
/// "box[0]".
std::string indexed_name(std::string_view name, size_t i);

template <typename Rows>
std::vector<std::string> covered_names(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(covered_name(row.name));
  return names;
}

}  // namespace assay::suites

/// Fields of descriptors for coverage, made from the tables of the members of cases: of those whose rows name
/// the descriptor, in the order of the table. Ranges are those of the rows. A list has a field for each
/// entry; of a member that is an object itself its own members of that descriptor join, "a_scales.id".
namespace assay::suites {

/// The classes that a number of that row falls into.
CoveredField covered_by_row(std::string name, const model::fields::Field& row, uint64_t least, uint64_t most);
/// Which of them a value is, as CoveredField::class_of takes it: of a list its place in that.
uint64_t covered_value(const model::fields::Field& row, uint64_t least, uint64_t most, uint64_t value);

template <typename Value>
void add_covered(std::string_view descriptor, const std::string& path, std::vector<CoveredField>& to) {
  namespace fields = model::fields;
  static const Value usual{};
  visit_fields(usual, [&](const fields::Field& row, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if (row.covered != descriptor) return;
    const std::string name = path + std::string(row.called.empty() ? row.name : row.called);
    if constexpr (std::same_as<Member, bool>) {
      to.push_back(covered_flag(name));
    } else if constexpr (fields::is_numbered<Member>) {
      to.push_back(covered_by_row(name, row, 0, count_of(member) - 1));
    } else if constexpr (fields::is_number<Member>) {
      to.push_back(covered_by_row(name, row, static_cast<uint64_t>(fields::least_of<Member>(row)),
                                  static_cast<uint64_t>(fields::most_of<Member>(row))));
    } else if constexpr (requires { visit_fields(member, [](const auto&, const auto&) {}); }) {
      add_covered<Member>(descriptor, name + ".", to);
    } else {
      using Entry = typename Member::value_type;
      for (size_t i = 0; i < member.size(); ++i)
        if constexpr (std::same_as<Entry, bool>)
          to.push_back(covered_flag(indexed_name(name, i)));
        else
          to.push_back(covered_by_row(indexed_name(name, i), row,
                                      static_cast<uint64_t>(fields::least_of<Entry>(row)),
                                      static_cast<uint64_t>(fields::most_of<Entry>(row))));
    }
  });
}

template <typename Value>
std::vector<CoveredField> covered_members(std::string_view descriptor) {
  std::vector<CoveredField> made;
  add_covered<Value>(descriptor, {}, made);
  return made;
}

/// Puts the value of each of those fields into `values`, from place `at` on, which then stands behind them.
template <typename Value>
void read_members(const Value& value, std::string_view descriptor, FieldValues& values, size_t& at) {
  namespace fields = model::fields;
  visit_fields(value, [&](const fields::Field& row, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if (row.covered != descriptor) return;
    if constexpr (std::same_as<Member, bool>) {
      values[at++] = member;
    } else if constexpr (fields::is_numbered<Member>) {
      values[at++] = static_cast<uint64_t>(member);
    } else if constexpr (fields::is_number<Member>) {
      values[at++] = covered_value(row, static_cast<uint64_t>(fields::least_of<Member>(row)),
                                   static_cast<uint64_t>(fields::most_of<Member>(row)), member);
    } else if constexpr (requires { visit_fields(member, [](const auto&, const auto&) {}); }) {
      read_members(member, descriptor, values, at);
    } else {
      using Entry = typename Member::value_type;
      for (const Entry entry : member) {
        if constexpr (std::same_as<Entry, bool>)
          values[at++] = entry;
        else
          values[at++] = covered_value(row, static_cast<uint64_t>(fields::least_of<Entry>(row)),
                                       static_cast<uint64_t>(fields::most_of<Entry>(row)), entry);
      }
    }
  });
}

/// Cases of a property that are predicted for each architecture: to describe it, and for the list in a
/// results file or of all properties, which must not hold up a run (the run counts the rules of all its
/// cases).
constexpr uint64_t most_counted = 32, most_listed = 16;

/// Ids of the rules that the first cases of seed 1 exercise on any architecture, in the order of the table of
/// rules. Rules that only rarer cases exercise are missing.
std::vector<std::string> rules_exercised_by(const Property&, uint64_t cases);

/// Whether most_counted cases exercise the rule of this index.
bool exercises(const Property&, size_t rule);

}  // namespace assay::suites
