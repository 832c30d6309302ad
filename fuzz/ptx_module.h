// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::fuzz {

/// A function of a PTX module, as far as a mutator needs to know it.
struct PtxFunction {
  size_t first = 0;                  ///< line behind the one that opens the body
  std::vector<size_t> instructions;  ///< lines of one whole instruction each
  std::vector<std::string> labels;
  /// By the letter that fuzz/ptx_forms.h has for their type.
  std::map<char, std::vector<std::string>> registers;

  /// 0 when the function declares no such register.
  char letter_of(std::string_view name) const;
};

/// A text by lines, and what looks like functions in it; nothing is checked.
struct PtxModule {
  explicit PtxModule(std::string_view text);
  std::string text() const;

  std::vector<std::string> lines;
  std::vector<PtxFunction> functions;

 private:
  void read_functions();
};

/// Places and lengths of what begins with '%' in a line.
struct PtxName {
  size_t at, size;
};
std::vector<PtxName> register_names(std::string_view line);

}  // namespace assay::fuzz
