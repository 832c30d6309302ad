// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
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
