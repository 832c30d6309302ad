// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace assay::vectors {

/// CRC-32 as zlib computes it (polynomial 0xedb88320, reflected), over numbers written as 64-bit
/// little-endian.
class Crc32 {
 public:
  void add(int64_t value) { add(value, 8); }
  /// The lowest bytes of a number.
  void add(int64_t value, int bytes) {
    for (int byte = 0; byte < bytes; ++byte) {
      state_ ^= static_cast<uint32_t>(value >> (8 * byte)) & 0xff;
      for (int bit = 0; bit < 8; ++bit) state_ = state_ >> 1 ^ (state_ & 1 ? 0xedb88320u : 0u);
    }
  }
  /// Eight hex digits.
  std::string text() const {
    std::array<char, 9> digits;
    std::snprintf(digits.data(), digits.size(), "%08x", ~state_);
    return digits.data();
  }

 private:
  uint32_t state_ = ~0u;
};

}  // namespace assay::vectors
