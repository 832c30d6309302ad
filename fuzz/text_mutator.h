// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::fuzz {

/// Changes a text by lines and words (lost, doubled, moved, exchanged, a number to an end of its range), or
/// as the engine changes bytes, dictionary included.
size_t mutate_text(uint8_t* data, size_t size, size_t max_size, unsigned seed);

/// Lines of one text with some of another among them.
size_t cross_texts(const uint8_t* one, size_t one_size, const uint8_t* other, size_t other_size, uint8_t* out,
                   size_t max_size, unsigned seed);

/// Changes one value of a JSON text: a number to an end or a neighbour of its range, or to another of the
/// text; any value to one of another kind; a member lost or renamed. Text that is no JSON is changed as text.
size_t mutate_json(uint8_t* data, size_t size, size_t max_size, unsigned seed);

}  // namespace assay::fuzz
