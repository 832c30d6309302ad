// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reference/spec/question.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

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
