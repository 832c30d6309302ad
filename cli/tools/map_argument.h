// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference/model/tensor_map/arguments.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::cli {

/// A map, or one sentence that says why the text is none.
struct MapOfText {
  std::optional<spec::TensorMapBytes> map;
  std::string problem;
};

/// A tensor map as people print it:
///   - words of 8 or 16 hexadecimal digits, lowest first, leading zeros left out or not
///   - bytes of two digits
///   - 256 digits, a byte after the other, in one piece or in lines of more than 16 digits
///   - base64
/// Words are separated by blanks, commas or brackets, each with or without 0x; addresses that a debugger
/// prints before a line ("0x7ffe10:") are passed over. The second half may be left out: no device reads it.
MapOfText parse_map(std::string_view text);

/// The tensor map that a word of the command line stands for: its text (tensor_map/encode_family.h), the
/// name of a file that holds the 128 bytes or such a text, or `-` for standard input. Throws UsageError for a
/// word that is none of these, std::runtime_error for a file that cannot be read or holds no map.
spec::TensorMapBytes map_argument(const std::string& word);

/// Prints the map that a word stands for (map_argument.h): its fields, the rules that it breaks, a picture,
/// the copies that it serves. Returns the exit code.
int describe_map(const std::string& word, const std::string& architecture, bool as_json);

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
