// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reference/model/tensor_map/arguments.h"

namespace assay::cli {

/// A tiled map as a small picture: the box in the plane of dimensions 0 and 1 with the strides between them,
/// and how the rows of the box lie in shared memory. Of a map whose arguments break no rule.
std::string picture_of_map(const model::MapArguments&, const spec::Readings&);

}  // namespace assay::cli
