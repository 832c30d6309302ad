// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

/// The tensor map that a word of the command line stands for: its text (tensor_map/im2col_map_words.h), the
/// name of a file that holds the 128 bytes or such a text, or `-` for standard input. Throws UsageError for a
/// word that is none of these, std::runtime_error for a file that cannot be read or holds no map.
spec::TensorMapBytes map_argument(const std::string& word);

/// Prints the map that a word stands for (map_argument.h): its fields, the rules that it breaks, a picture,
/// the copies that it serves. Returns the exit code.
int describe_map(const std::string& word, const std::string& architecture, bool as_json);

}  // namespace assay::cli
