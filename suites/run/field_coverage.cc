// SPDX-License-Identifier: Apache-2.0
#include "suites/run/field_coverage.h"

#include "reports/join.h"

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

}  // namespace assay::suites
