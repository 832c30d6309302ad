#pragma once

#include <cstdint>
#include <string_view>

#include "reference/model/im2col_case.h"
#include "reference/model/tiled_case.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// What a bend changes about a call of the encoder.
struct EncodeBend {
  /// Whether the call is refused though no rule forbids it: the rule is stricter than written.
  bool (*refuses)(const EncodeTiledCase&) = nullptr;
  bool (*refuses_im2col)(const EncodeIm2colCase&) = nullptr;
  /// The field of that name (spec/tensor_map_bits.h) may hold anything; empty: none.
  std::string_view open_field = {};
  /// An im2col map that was written; gets what the rules make of it.
  void (*im2col_map)(const EncodeIm2colCase&, spec::TensorMapBytes&) = nullptr;
  /// What becomes of the map of a refused call: it is kept, or emptied.
  bool keeps_refused = false, empties_refused = false;
};

}  // namespace assay::model
