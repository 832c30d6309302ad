// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// What a bend changes about a call of the encoder.
struct EncodeBend {
  /// Whether the call is refused though no rule forbids it: the rule is stricter than written.
  bool (*refuses)(const EncodeTiledCase&) = nullptr;
  bool (*refuses_im2col)(const Im2colMapArgs&) = nullptr;
  /// The field of that name (spec/tensor_map_bits.h), "corners": both corners, may hold anything; empty:
  /// none.
  std::string_view open_field = {};
  /// The one of that number of the fields of that name; -1: all.
  int field_index = -1;
  /// What is added to the code of that field in place of leaving it open.
  int added = 0;
  /// A refused call leaves the map as it was, whatever it is refused for.
  bool keeps_refused_map = false;
  /// What a refused call leaves of the map is not known.
  bool opens_refused_map = false;
  /// A replaced address: all that is beside it may hold anything.
  bool opens_beside_replaced = false;

  bool changes(const spec::Field& field) const {
    return (field.name == open_field || (open_field == "corners" && field.name.ends_with("_corner"))) &&
           (field_index < 0 || field.index == field_index);
  }
};

/// Changes the field of the map, or leaves it open in `defined`, if the bend is about it.
void bend_field(const EncodeBend&, const spec::Field&, spec::TensorMapBytes& map,
                spec::TensorMapBytes& defined);

/// Of the bend of these readings.
bool keeps_refused_map(const spec::Readings&);
bool opens_refused_map(const spec::Readings&);

}  // namespace assay::model
