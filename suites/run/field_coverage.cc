// SPDX-License-Identifier: Apache-2.0
#include "suites/run/field_coverage.h"

#include <algorithm>
#include <optional>

#include "reference/spec/rule.h"
#include "reports/results_file.h"

namespace assay::suites {
namespace {

constexpr std::string_view number_classes[] = {"lowest", "next to lowest", "between", "next to highest",
                                               "highest"};

}  // namespace

uint32_t CoveredField::class_of(uint64_t value) const {
  if (!values.empty()) return static_cast<uint32_t>(std::min<uint64_t>(value, values.size()));
  if (value < lowest || value > highest || (value - lowest) % unit != 0) return 5;
  if (value == lowest) return 0;
  if (value == highest) return 4;
  if (value == lowest + unit) return 1;
  return value == highest - unit ? 3 : 2;
}

std::string CoveredField::class_name(uint32_t c) const {
  if (c >= legal_classes()) return "illegal";
  if (!values.empty()) return values[c];
  const std::string word(number_classes[c]);
  return c == 2 ? word
                : word + " " +
                      std::to_string(c == 0   ? lowest
                                     : c == 1 ? lowest + unit
                                     : c == 3 ? highest - unit
                                              : highest);
}

Descriptor::Descriptor(std::string name, std::vector<CoveredField> fields,
                       bool (*read)(const Case&, FieldValues&))
    : name_(std::move(name)),
      class_dimension_(name_ + std::string(report::values_reached)),
      pair_dimension_(name_ + ": pair of fields x first x second"),
      reached_dimension_(name_ + std::string(report::pairs_reached)),
      fields_(std::move(fields)),
      read_(read) {
  for (size_t i = 0; i < fields_.size(); ++i) {
    first_class_.push_back(class_cells_);
    class_cells_ += fields_[i].classes();
    for (size_t j = 0; j < i; ++j) {
      first_pair_.push_back(pair_cells_);
      pair_cells_ += fields_[i].classes() * fields_[j].classes();
    }
  }
}

CellSpace Descriptor::class_space() const {
  const auto field_of = [this](uint32_t cell) {
    size_t i = fields_.size() - 1;
    while (first_class_[i] > cell) --i;
    return i;
  };
  return {class_dimension_, class_cells_,
          [this, field_of](uint32_t cell, spec::Arch) {
            const size_t i = field_of(cell);
            return fields_[i].name + "/" + fields_[i].class_name(cell - first_class_[i]);
          },
          [this, field_of](spec::Arch) {
            std::vector<uint32_t> legal;
            for (uint32_t cell = 0; cell < class_cells_; ++cell) {
              const size_t i = field_of(cell);
              if (cell - first_class_[i] < fields_[i].legal_classes()) legal.push_back(cell);
            }
            return legal;
          }};
}

CellSpace Descriptor::pair_space() const {
  struct Pair {
    size_t i, j;
    uint32_t mine, other;
  };
  const auto pair_of = [this](uint32_t cell) {
    size_t i = 1, j = 0;
    for (size_t p = 0; p + 1 < first_pair_.size() && first_pair_[p + 1] <= cell; ++p)
      if (++j == i) ++i, j = 0;
    const uint32_t rest = cell - first_pair_[i * (i - 1) / 2 + j];
    return Pair{i, j, rest / fields_[j].classes(), rest % fields_[j].classes()};
  };
  return {pair_dimension_, pair_cells_,
          [this, pair_of](uint32_t cell, spec::Arch) {
            const Pair p = pair_of(cell);
            return fields_[p.i].name + " & " + fields_[p.j].name + "/" + fields_[p.i].class_name(p.mine) +
                   "/" + fields_[p.j].class_name(p.other);
          },
          [this, pair_of](spec::Arch) {
            std::vector<uint32_t> legal;
            for (uint32_t cell = 0; cell < pair_cells_; ++cell) {
              const Pair p = pair_of(cell);
              if (p.mine < fields_[p.i].legal_classes() && p.other < fields_[p.j].legal_classes())
                legal.push_back(cell);
            }
            return legal;
          }};
}

std::vector<Descriptor::FieldPair> Descriptor::field_pairs() const {
  std::vector<FieldPair> pairs;
  for (size_t i = 0; i < fields_.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      pairs.push_back({fields_[i].name + "/" + fields_[j].name, first_pair_[i * (i - 1) / 2 + j],
                       fields_[i].classes() * fields_[j].classes()});
  return pairs;
}

CoveredField covered_number(std::string name, uint64_t lowest, uint64_t highest, uint64_t unit) {
  return {std::move(name), lowest, highest, unit, {}};
}
CoveredField covered_number(const spec::Field& field) {
  const uint64_t most = (uint64_t{1} << field.parts[0].width) - 1;
  return covered_number(std::string(field.name), 0, most * field.unit, field.unit);
}
CoveredField covered_codes(std::string name, std::vector<std::string> values) {
  return {std::move(name), 0, 0, 1, std::move(values)};
}
CoveredField covered_flag(std::string name) {
  return covered_codes(std::move(name), {"0", "1"});
}
CoveredField covered_line_offset(std::string name) {
  std::vector<std::string> offsets;
  for (uint32_t at = 0; at < 128; at += 16) offsets.push_back(std::to_string(at));
  return covered_codes(std::move(name), std::move(offsets));
}
std::vector<std::string> covered_range(uint64_t first, uint64_t last) {
  std::vector<std::string> made;
  for (uint64_t i = first; i <= last; ++i) made.push_back(std::to_string(i));
  return made;
}
std::string covered_name(std::string_view name) {
  std::string text(name);
  for (const std::string_view word : {"_atom", "_flip"})
    if (const size_t at = text.find(word); at != std::string::npos) text.insert(at + word.size(), "_");
  return text;
}
std::string indexed_name(std::string_view name, size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

namespace {

/// Numbers up to so many have a class each, and codes that have names.
constexpr uint64_t few = 8, few_codes = 64;

bool has_names(const model::fields::Field& row, uint64_t least, uint64_t most) {
  return (most - least) / row.multiple < (row.shows != nullptr ? few_codes : few);
}

}  // namespace

CoveredField covered_by_row(std::string name, const model::fields::Field& row, uint64_t least,
                            uint64_t most) {
  const auto shown = [&](uint64_t value) {
    return row.shows == nullptr ? std::to_string(value) : covered_name(row.shows(value));
  };
  std::vector<std::string> names;
  if (!row.values.empty()) {
    for (const uint32_t value : row.values) names.push_back(shown(value));
  } else if (has_names(row, least, most)) {
    for (uint64_t value = least; value <= most; value += row.multiple) names.push_back(shown(value));
  } else {
    return covered_number(std::move(name), least, most, row.multiple);
  }
  return covered_codes(std::move(name), std::move(names));
}

uint64_t covered_value(const model::fields::Field& row, uint64_t least, uint64_t most, uint64_t value) {
  if (!row.values.empty())
    return static_cast<uint64_t>(std::ranges::find(row.values, value) - row.values.begin());
  if (!has_names(row, least, most)) return value;
  const bool is_legal = value >= least && value <= most && (value - least) % row.multiple == 0;
  return is_legal ? (value - least) / row.multiple : ~uint64_t{0};
}

namespace {

/// Rules of the first cases, architecture by architecture, until `rule` is among them (none: to the end).
spec::RuleSet counted_rules(const Property& property, uint64_t cases, std::optional<size_t> rule) {
  spec::RuleSet found;
  Scratch scratch;
  Expected expected;
  Case c;
  for (const spec::Arch arch : spec::all_archs) {
    if (property.declines != nullptr && property.declines(arch)) continue;
    if (rule && !spec::rules()[*rule].applies[static_cast<size_t>(arch)]) continue;
    const spec::Readings readings(arch);
    for (uint64_t index = 0; index < cases; ++index) {
      property.generate(1, property.name, index, arch, c);
      property.family().predict(c, readings, scratch, expected);
      if (expected.end != model::End::undefined) found |= expected.rules;  // else demands nothing
      if (rule && found[*rule]) return found;
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> rules_exercised_by(const Property& property, uint64_t cases) {
  const spec::RuleSet found = counted_rules(property, cases, std::nullopt);
  std::vector<std::string> rules;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (found[i]) rules.emplace_back(spec::rules()[i].id);
  return rules;
}

bool exercises(const Property& property, size_t rule) {
  return counted_rules(property, most_counted, rule)[rule];
}

}  // namespace assay::suites
