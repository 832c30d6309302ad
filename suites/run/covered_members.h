// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/model/case_field.h"
#include "suites/run/covered_field.h"

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

}  // namespace assay::suites
