// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Codes of elements and words in the columns of files of vectors.
namespace assay::spec {
struct Format;
}

namespace assay::vectors {

/// `count` codes in hexadecimal of at most `digits` each, separated by blanks; the text "-" has none. Throws
/// RowError, which names the column.
std::vector<uint64_t> codes(std::string_view column, const std::string& text, size_t count,
                            size_t digits = 16);

/// In hexadecimal, with zeros in front up to `digits`.
std::string hex_code(uint64_t code, int digits = 1);
/// With all digits that the format's bits take.
std::string hex_code(uint64_t code, const spec::Format& format);
/// As descriptors are written: 0x and capitals.
std::string hex_word(uint64_t word);

}  // namespace assay::vectors
