// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/codes.h"

#include <cstdio>
#include <sstream>

#include "reference/spec/formats.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {

std::vector<uint64_t> codes(std::string_view column, const std::string& text, size_t count, size_t digits) {
  std::vector<uint64_t> list;
  std::istringstream in(text);
  for (std::string word; text != "-" && in >> word;) {
    if (word.size() > digits || word.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
      throw RowError{"'" + word + "' of " + std::string(column) + " is not a code in hexadecimal"};
    list.push_back(std::stoull(word, nullptr, 16));
  }
  if (list.size() != count)
    throw RowError{std::string(column) + " has " + std::to_string(list.size()) + " codes, " +
                   std::to_string(count) + " are needed"};
  return list;
}

std::string hex_code(uint64_t code, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(code));
  return text;
}

std::string hex_code(uint64_t code, const spec::Format& format) {
  return hex_code(code, (format.storage_bits + 3) / 4);
}

std::string hex_word(uint64_t word) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llX", static_cast<unsigned long long>(word));
  return text;
}

}  // namespace assay::vectors
