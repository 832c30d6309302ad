// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// The arguments that a 128-byte map was made of, as its bits say. Codes that no enumerator has become values
/// that none has.
struct MapArguments {
  bool is_im2col = false;
  Im2colMapArgs map;  ///< of a tiled map the base alone, its box included
};
/// A map of the wide encoder, where that writes maps of its own.
bool is_wide_map(const spec::TensorMapBytes&, const spec::Readings&);

/// As an H200 reads it, which knows no wide maps.
MapArguments arguments_of(const spec::TensorMapBytes&);
/// Where the wide encoder writes maps of its own, those too (spec/tensor_map_bits.h).
MapArguments arguments_of(const spec::TensorMapBytes&, const spec::Readings&);

/// The fields of that map: every bit in one of them.
std::span<const spec::Field> fields_of(const spec::TensorMapBytes&, const spec::Readings&);

/// Rules that such arguments break for a driver, and rules by which every instruction on the map faults.
/// `direction`: of such instructions.
spec::RuleSet broken_rules_of_map(const MapArguments&, const spec::Readings&,
                                  CopyDirection direction = CopyDirection::load);
/// Of a map as an H200 reads it.
spec::RuleSet broken_rules_of_map(const spec::TensorMapBytes&, const spec::Readings&,
                                  CopyDirection direction = CopyDirection::load);

/// A field of a map in words.
struct MapFieldWords {
  const spec::Field* field;  ///< of fields_of()
  uint64_t raw;
  std::string name;     ///< "global_dim[1]"
  std::string value;    ///< in the field's own units; of a coded one its code
  std::string meaning;  ///< of the code, or empty
  std::string place;    ///< "0x34 31:24": the 32-bit word and bits of it; of two parts the lower one
  bool is_used;         ///< false: of a dimension that the map has not
};
/// The fields of the map in order, those that are 0 and mean nothing too.
std::vector<MapFieldWords> map_in_words(const spec::TensorMapBytes&, const spec::Readings&);

/// "tiled", "im2col", "im2col::w" or "im2col::w::128".
std::string mode_of_map(const spec::TensorMapBytes&, const spec::Readings&);

/// Field by field, then the rules that are broken: for people, or as JSON.
std::string describe_map(const spec::TensorMapBytes&, spec::Arch, bool json);

}  // namespace assay::model
