// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::fuzz {

/// Changes a text by lines and words (lost, doubled, moved, exchanged, a number to an end of its range), or
/// as the engine changes bytes, dictionary included.
size_t mutate_text(uint8_t* data, size_t size, size_t max_size, unsigned seed);

/// Lines of one text with some of another among them.
size_t cross_texts(const uint8_t* one, size_t one_size, const uint8_t* other, size_t other_size, uint8_t* out,
                   size_t max_size, unsigned seed);

/// Changes one value of a JSON text: a number to an end or a neighbour of its range, or to another of the
/// text; any value to one of another kind; a member lost or renamed. Text that is no JSON is changed as text.
size_t mutate_json(uint8_t* data, size_t size, size_t max_size, unsigned seed);

/// A function of a PTX module, as far as a mutator needs to know it.
struct PtxFunction {
  size_t first = 0;                  ///< line behind the one that opens the body
  std::vector<size_t> instructions;  ///< lines of one whole instruction each
  std::vector<std::string> labels;
  /// By the letter that fuzz/kernel_text.h has for their type.
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

/// Changes a PTX module so that it mostly still loads: an instruction becomes another one of the table of
/// forms with registers that its function declares; instructions are doubled, lost, moved or exchanged; a
/// register becomes another of its type; a modifier or a number changes. Now and then the text changes as
/// text. A module that is known to be refused mostly gets another instruction in the line that was refused.
size_t mutate_ptx(uint8_t* data, size_t size, size_t max_size, unsigned seed);

/// Instructions of one module among those of another, with registers that are declared there.
size_t cross_ptx(const uint8_t* one, size_t one_size, const uint8_t* other, size_t other_size, uint8_t* out,
                 size_t max_size, unsigned seed);

/// The module was refused for this line, from 1.
void remember_refused(const uint8_t* data, size_t size, uint32_t line);

}  // namespace assay::fuzz
