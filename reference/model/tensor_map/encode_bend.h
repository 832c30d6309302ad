// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"

namespace assay::model {

/// What a bend changes about a call of the encoder.
struct EncodeBend {
  /// Whether the call is refused though no rule forbids it: the rule is stricter than written.
  bool (*refuses)(const EncodeTiledCase&) = nullptr;
  bool (*refuses_im2col)(const Im2colMapArgs&) = nullptr;
  /// The field of that name (spec/tensor_map_bits.h), "corners": both corners, may hold anything; empty:
  /// none.
  std::string_view open_field = {};
  /// A refused call leaves the map as it was, whatever it is refused for.
  bool keeps_refused_map = false;
  /// What a refused call leaves of the map is not known.
  bool opens_refused_map = false;
  /// A replaced address: all that is beside it may hold anything.
  bool opens_beside_replaced = false;

  bool opens(std::string_view field) const {
    return field == open_field || (open_field == "corners" && field.ends_with("_corner"));
  }
};

/// Of the bend of these readings.
bool keeps_refused_map(const spec::Readings&);
bool opens_refused_map(const spec::Readings&);

}  // namespace assay::model
