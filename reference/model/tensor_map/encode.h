// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/spec/question.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// Writes the fields that tiled and im2col maps share, for arguments whose enumerators exist.
void put_shared_fields(spec::TensorMapBytes&, const TensorMapArgs&, const spec::Readings&);

/// The 128 bytes that the driver writes for arguments that it accepts: address, extents and so on in the
/// fields of spec/tensor_map_bits.h; entries at index >= rank and everything unused 0.
spec::TensorMapBytes encode_tiled_map(const TensorMapArgs&, const spec::Readings&);

}  // namespace assay::model
