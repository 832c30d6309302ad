// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

/// Changes one value of a JSON text: a number to an end or a neighbour of its range, or to another of the
/// text; any value to one of another kind; a member lost or renamed. Text that is no JSON is changed as text.
size_t mutate_json(uint8_t* data, size_t size, size_t max_size, unsigned seed);

}  // namespace assay::fuzz
