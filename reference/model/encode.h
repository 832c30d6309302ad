#pragma once

#include "reference/model/tiled_case.h"
#include "reference/spec/question.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// The 128 bytes that the driver writes for arguments that it accepts: address, extents and so on in the
/// fields of spec/tensor_map_bits.h; entries at index >= rank and everything unused 0.
spec::TensorMapBytes encode_tiled_map(const TensorMapArgs&, const spec::Readings&);

}  // namespace assay::model
