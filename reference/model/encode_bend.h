#pragma once

#include <cstdint>
#include <string_view>

#include "reference/model/tiled_case.h"

namespace assay::model {

/// What a bend changes about a call of the encoder.
struct EncodeBend {
  /// Whether the call is refused though no rule forbids it: the rule is stricter than written.
  bool (*refuses)(const EncodeTiledCase&) = nullptr;
  /// The field of that name (spec/tensor_map_bits.h) may hold anything; empty: none.
  std::string_view open_field = {};
};

}  // namespace assay::model
