// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
