// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// What tests of measured vectors have in common.
namespace assay::emulator {

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

using Fields = std::map<std::string, std::string>;

/// "key=value;key=value".
inline Fields fields(const std::string& text) {
  Fields made;
  for (const std::string& part : split(text, ';'))
    if (const size_t at = part.find('='); at != std::string::npos)
      made[part.substr(0, at)] = part.substr(at + 1);
  return made;
}

/// The rows of a file of vectors, by the names of its columns; quotes protect commas.
inline std::vector<Fields> vector_rows(const std::string& file) {
  std::ifstream in(std::string(ASSAY_VECTORS) + "/" + file);
  EXPECT_TRUE(in.good()) << file << " is missing";
  std::vector<std::string> names;
  std::vector<Fields> rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (const char c : line) {
      if (c == '"')
        is_quoted = !is_quoted;
      else if (c == ',' && !is_quoted)
        cells.emplace_back();
      else
        cells.back() += c;
    }
    if (names.empty()) {
      names = cells;
      continue;
    }
    EXPECT_EQ(cells.size(), names.size()) << line;
    for (size_t i = 0; i < names.size() && i < cells.size(); ++i) {
      if (i == 0) rows.emplace_back();
      rows.back()[names[i]] = cells[i];
    }
  }
  return rows;
}

/// CRC-32 of the numbers as little-endian words of 64 bits, in eight digits.
inline std::string crc32(const std::vector<int64_t>& numbers) {
  uint32_t crc = ~0u;
  for (const int64_t number : numbers)
    for (int byte = 0; byte < 8; ++byte) {
      crc ^= static_cast<uint8_t>(static_cast<uint64_t>(number) >> (8 * byte));
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", ~crc);
  return digits;
}

}  // namespace assay::emulator
