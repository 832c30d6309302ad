// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "suites/run/field_coverage.h"

namespace assay::suites {

/// The arguments of an im2col map as named fields, in the driver's order.
std::vector<std::pair<std::string, std::string>> im2col_map_fields(const Im2colMapArgs&);
/// " f16 rank 4 corners -1 -1, -1 -1 channels 64 pixels 32": what matters most of it, for one line.
std::string im2col_map_brief(const Im2colMapArgs&);

/// The im2col map of TensorCopyCase and EncodeIm2colCase.
std::span<const Descriptor> im2col_map_descriptors();

/// The field of an im2col map that a bit of its 128 bytes belongs to; the name alone of several of one name.
std::string im2col_field_of_bit(const Im2colMapArgs&, size_t bit);

}  // namespace assay::suites
