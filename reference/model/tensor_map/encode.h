// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "reference/model/bend.h"
#include "reference/model/tensor_map/case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// Writes the fields that tiled and im2col maps share, for arguments whose enumerators exist.
void put_shared_fields(spec::TensorMapBytes&, const TensorMapArgs&, const spec::Readings&);

/// The 128 bytes that the driver writes for arguments that it accepts: address, extents and so on in the
/// fields of spec/tensor_map_bits.h; entries at index >= rank and everything unused 0.
spec::TensorMapBytes encode_tiled_map(const TensorMapArgs&, const spec::Readings&);

/// What an encoder call must give.
struct EncodePrediction {
  bool accepted = false;
  bool may_crash = false;                ///< the call may end the process (rank far out of range)
  bool map_untouched = false;            ///< rejected calls: output must be as before (V-50)
  bool map_emptied = false;              ///< rejected calls: bits that no field has must be 0 (V-50)
  std::array<std::byte, 128> map{};      ///< accepted, or only the replaced address is refused: the bytes
  std::array<std::byte, 128> defined{};  ///< mask of judged bits of `map`
  spec::RuleSet rules;                   ///< rules exercised: those broken, or all on accept
};
EncodePrediction predict_encode(const EncodeTiledCase&, const spec::Readings&);

/// The 128 bytes that EncodeIm2col writes for arguments that it accepts.
spec::TensorMapBytes encode_im2col_map(const Im2colMapArgs&, const spec::Readings&);

/// What a call must give.
EncodePrediction predict_encode(const EncodeIm2colCase&, const spec::Readings&);

/// Each rule on its arguments left out, each field of the map written as something else.
std::span<const Bend> encode_im2col_bends();

}  // namespace assay::model
