// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

/// Reads the files of positions that CUTLASS publishes, and makes the digests that they hold: for the tests
/// of the reference and of the emulator, neither of which knows how the other finds a position.
namespace assay::cutlass {

inline std::vector<std::vector<std::string>> rows_of(const char* name) {
  std::ifstream in(std::string(ASSAY_VECTORS "/") + name);
  EXPECT_TRUE(in.good()) << name;
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line)
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        cells.emplace_back();
      else
        cells.back() += c;
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// FNV-1a of 32-bit numbers, low byte first.
struct Digest {
  uint64_t hash = 0xcbf29ce484222325u;
  void add(uint32_t number) {
    for (int i = 0; i < 32; i += 8) hash = (hash ^ (number >> i & 0xff)) * 0x100000001b3u;
  }
  std::string text() const {
    std::ostringstream out;
    out << std::hex << std::setw(16) << std::setfill('0') << hash;
    return out.str();
  }
};

inline uint32_t number(const std::string& text) {
  return static_cast<uint32_t>(std::stoul(text));
}

}  // namespace assay::cutlass
