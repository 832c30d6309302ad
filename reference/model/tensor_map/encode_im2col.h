// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "reference/model/bend.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// The 128 bytes that EncodeIm2col writes for arguments that it accepts.
spec::TensorMapBytes encode_im2col_map(const Im2colMapArgs&, const spec::Readings&);

/// What a call must give.
EncodePrediction predict_encode(const EncodeIm2colCase&, const spec::Readings&);

/// Each rule on its arguments left out, each field of the map written as something else.
std::span<const Bend> encode_im2col_bends();

}  // namespace assay::model
