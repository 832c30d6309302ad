// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::emulator::ptx {

/// Why PTX text cannot be taken; caught once, in Gpu::load.
struct SyntaxError {
  uint32_t line;
  std::string message;
  bool faults_when_run = false;  ///< the text is PTX, and silicon would trap
};

struct Token {
  enum class Kind : uint8_t { word, integer, real, string, punctuation, end };
  Kind kind = Kind::end;
  uint32_t line = 0;
  std::string_view
      text;  ///< word ("ld.shared::cta.b32", ".reg", "%tid.x"), string without quotes, one punctuation mark
  uint64_t bits = 0;      ///< integer; real: pattern of `real_bits` bits
  uint8_t real_bits = 0;  ///< 32 for 0fXXXXXXXX, 64 for 0dX... and decimal reals
  [[gnu::always_inline]] bool is(std::string_view expected) const {
    return (kind == Kind::word || kind == Kind::punctuation) && text.size() == expected.size() &&
           text[0] == expected[0] && (text.size() == 1 || text == expected);
  }
};

/// Splits PTX text. NUL ends the text (modules are padded with it). Tokens refer to the text. Throws
/// SyntaxError.
std::vector<Token> tokenize(std::string_view text);

}  // namespace assay::emulator::ptx
