// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reference/model/tensor_map/arguments.h"

namespace assay::cli {

/// Up to eight lines of 128 bytes of shared memory, a column a piece of 16 bytes, under the number of its
/// first bank:
///
///   byte      bank 0      4       8  ...
///   0x0400    0,0     0,8     0,16
///   0x0480    1,8    [1,0]    1,24
///
/// `first`: the address of the first line, a multiple of 128. `in_piece(address)`: what to write for the
/// piece at that address, few letters, or nothing. Lines without anything at the end are left out. `marked`:
/// an address in the piece to put into brackets; ~0: none.
std::string picture_of_lines(uint64_t first, const std::function<std::string(uint64_t)>& in_piece,
                             uint64_t marked = ~uint64_t{0});

/// The line, its end included, without the blanks before it.
std::string without_blanks_at_end(const std::string& line);

/// "0x4d2 (1234)".
std::string byte_words(uint64_t byte);

/// A tiled map as a small picture: the box in the plane of dimensions 0 and 1 with the strides between them,
/// and how the rows of the box lie in shared memory. Of a map whose arguments break no rule.
std::string picture_of_map(const model::MapArguments&, const spec::Readings&);

}  // namespace assay::cli
