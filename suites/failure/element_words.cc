// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/element_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace assay::suites {
namespace {

using model::ElementSteps;
using model::InstructionSteps;
using numerics::BlockSteps;
using numerics::Dyadic;
using numerics::TermStep;

/// So many terms of a sum, and instructions before the last one.
constexpr size_t most_terms = 8, most_instructions = 4;

/// As few digits as name the number among those of f32, at least six: all formats of factors are among them.
std::string value_words(const spec::Format& format, uint64_t code) {
  const spec::Value value = spec::decode(format, code);
  if (!value.is_finite()) return spec::show_value(format, code);
  const double number = spec::to_double(format, code);
  char text[32];
  if (format.is_integer()) {
    std::snprintf(text, sizeof text, "%.0f", number);
    return text;
  }
  int digits = 6;
  do std::snprintf(text, sizeof text, "%.*g", digits, number);
  while (static_cast<float>(std::strtod(text, nullptr)) != static_cast<float>(number) && ++digits <= 17);
  return text;
}

std::string coded(const spec::Format& format, uint64_t code) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "0x%0*llx", (format.storage_bits + 3) / 4,
                static_cast<unsigned long long>(code));
  return value_words(format, code) + " (" + digits + ")";
}

/// Codes in the order of what they stand for.
int64_t ordinal(const spec::Format& format, uint64_t code) {
  const spec::Value value = spec::decode(format, code);
  if (format.is_integer()) {
    const auto magnitude = static_cast<int64_t>(value.significand << value.exponent);
    return value.negative ? -magnitude : magnitude;
  }
  const auto magnitude = static_cast<int64_t>((code & (format.sign_bit() - 1)) >> format.ignored_bits);
  return (code & format.sign_bit()) != 0 ? -magnitude : magnitude;
}

std::string distance(const spec::Format& format, uint64_t expected, uint64_t observed) {
  const auto is_nan = [&](uint64_t code) { return spec::classify(format, code) == spec::ValueClass::nan; };
  if (is_nan(expected) || is_nan(observed)) return {};
  const int64_t apart = ordinal(format, observed) - ordinal(format, expected);
  if (apart == 0) return ", which are equal";
  const std::string by = std::to_string(std::abs(apart));
  return ", " + (format.is_integer() ? by : by + " ulp") + (apart > 0 ? " above" : " below");
}

/// Of a multiple of a power of two.
std::string integer_words(const Dyadic& value) {
  if (value.significand.bit_length() > 63) return value.is_negative() ? "below -2^63" : "above 2^63";
  return (value.is_negative() ? "-" : "") + std::to_string(value.significand.low_word());
}
std::string value_words(const Dyadic& value) {
  // Fifty-three bits are more than nine digits show.
  const int surplus = std::max(0, value.significand.bit_length() - 53);
  const double significand = static_cast<double>(value.significand.shifted_right(surplus).low_word());
  const double magnitude = std::ldexp(significand, value.exponent + surplus);
  char text[32];
  std::snprintf(text, sizeof text, "%s%.9g", value.is_negative() ? "-" : "", magnitude);
  return text;
}

bool adds_c_last(const ElementSteps& element) {
  return element.arithmetic.accumulator == numerics::AccumulatorPlace::added_last;
}

/// The scales of element k, where there are any.
std::string scale_words(const ElementSteps& element, const InstructionSteps& instruction, size_t k) {
  const numerics::Types& types = element.types;
  if (types.scale == nullptr) return {};
  const size_t block = k / static_cast<size_t>(types.scale_block);
  return ", scales " + coded(*types.scale, instruction.scale_a[block]) + " and " +
         coded(*types.scale, instruction.scale_b[block]);
}

std::string alignment_words(const TermStep& term, const BlockSteps& block) {
  std::string text =
      ", exponent " + std::to_string(term.exponent) + ", aligned " + integer_words(term.aligned);
  if (term.is_cut()) text += ", cut from " + value_words(term.exact.times_power_of_two(-block.unit));
  return text;
}

std::string term_words(const ElementSteps& element, const InstructionSteps& instruction, const TermStep& term,
                       const BlockSteps& block) {
  const numerics::Types& types = element.types;
  const bool is_first = &block == &instruction.steps.blocks.front();
  std::string text;
  if (term.k < 0 && (!is_first || adds_c_last(element))) {
    text = "the sum so far " + value_words(term.exact);
  } else if (term.k < 0) {
    text = "C " + coded(*types.d, instruction.c);
    if (instruction.scale_input_d != 0) text += " * 2^-" + std::to_string(instruction.scale_input_d);
  } else {
    const auto k = static_cast<size_t>(term.k);
    if (element.arithmetic.scheme == numerics::Scheme::grouped) {
      text = "k " + std::to_string(k) + " to " + std::to_string(term.k + element.arithmetic.group_terms - 1) +
             scale_words(element, instruction, k) + ": " + value_words(term.exact);
      return text + alignment_words(term, block);
    }
    text = "k " + std::to_string(k) + ": A " + coded(*types.a, instruction.a[k]) + " * B " +
           coded(*types.b, instruction.b[k]) + scale_words(element, instruction, k) + " = " +
           value_words(term.exact);
  }
  return types.d->is_integer() ? text : text + alignment_words(term, block);
}

/// The largest terms, in the order in which they are added; how many there are beside.
void add_terms(const ElementSteps& element, const InstructionSteps& instruction, const BlockSteps& block,
               std::vector<std::string>& lines) {
  std::vector<const TermStep*> terms;
  size_t zeros = 0;
  for (const TermStep& term : block.terms) {
    if (!term.exact.is_zero()) terms.push_back(&term);
    zeros += term.exact.is_zero() && term.k >= 0;
  }
  const size_t all = terms.size();
  if (all > most_terms) {
    const auto larger = [](const TermStep* x, const TermStep* y) {
      return x->exact.leading_exponent() > y->exact.leading_exponent();
    };
    std::stable_sort(terms.begin(), terms.end(), larger);
    terms.resize(most_terms);
    std::sort(terms.begin(), terms.end(), [](const TermStep* x, const TermStep* y) { return x->k < y->k; });
  }
  for (const TermStep* term : terms) lines.push_back("  " + term_words(element, instruction, *term, block));
  if (all > terms.size()) lines.push_back("  and " + std::to_string(all - terms.size()) + " smaller terms");
  if (zeros != 0) lines.push_back("  products that are zero: " + std::to_string(zeros));
}

/// Operands that no sum is made of.
void add_specials(const ElementSteps& element, const InstructionSteps& instruction,
                  std::vector<std::string>& lines) {
  const numerics::Types& types = element.types;
  const auto is_special = [](const spec::Format& format, uint64_t code) {
    const spec::ValueClass kind = spec::classify(format, code);
    return kind == spec::ValueClass::nan || kind == spec::ValueClass::infinity;
  };
  size_t shown = 0;
  if (is_special(*types.d, instruction.c)) lines.push_back("  C " + coded(*types.d, instruction.c));
  for (size_t block = 0; block < instruction.scale_a.size(); ++block) {
    const uint64_t a = instruction.scale_a[block], b = instruction.scale_b[block];
    if (is_special(*types.scale, a) || is_special(*types.scale, b))
      lines.push_back("  block " + std::to_string(block) + ": scales " + coded(*types.scale, a) + " and " +
                      coded(*types.scale, b));
  }
  for (size_t k = 0; k < instruction.a.size() && shown < most_terms; ++k) {
    if (!is_special(*types.a, instruction.a[k]) && !is_special(*types.b, instruction.b[k])) continue;
    lines.push_back("  k " + std::to_string(k) + ": A " + coded(*types.a, instruction.a[k]) + " * B " +
                    coded(*types.b, instruction.b[k]));
    ++shown;
  }
}

std::string sum_words(const ElementSteps& element, const BlockSteps& block) {
  const spec::Format& d = *element.types.d;
  if (block.is_special) return "infinities or NaN decide: " + coded(d, block.result);
  if (d.is_integer()) return "sum " + integer_words(block.sum) + ", D " + coded(d, block.result);
  return "largest exponent " + std::to_string(block.largest) + ", sum " + integer_words(block.sum) + " * 2^" +
         std::to_string(block.unit) + ", D " + coded(d, block.result);
}

std::string instruction_words(const ElementSteps& element, const InstructionSteps& instruction) {
  std::string text;
  for (const BlockSteps& block : instruction.steps.blocks)
    text += (text.empty() ? "" : "; then ") + sum_words(element, block);
  return text;
}

void add_blocks(const ElementSteps& element, const InstructionSteps& instruction,
                std::vector<std::string>& lines) {
  for (const BlockSteps& block : instruction.steps.blocks) {
    if (block.is_special)
      add_specials(element, instruction, lines);
    else
      add_terms(element, instruction, block, lines);
    lines.push_back("  " + sum_words(element, block));
  }
  if (adds_c_last(element) && instruction.reads_c)
    lines.push_back("  C " + coded(*element.types.d, instruction.c) + " added to it: D " +
                    coded(*element.types.d, instruction.d));
}

/// The last one with a product that is not zero: a row may end long before its instructions do.
size_t last_that_matters(const ElementSteps& element) {
  const auto adds = [](const InstructionSteps& instruction) {
    return std::any_of(
        instruction.steps.blocks.begin(), instruction.steps.blocks.end(), [](const auto& block) {
          return block.is_special ||
                 std::any_of(block.terms.begin(), block.terms.end(),
                             [](const TermStep& term) { return term.k >= 0 && !term.exact.is_zero(); });
        });
  };
  size_t at = element.instructions.size() - 1;
  while (at > 0 && !adds(element.instructions[at])) --at;
  return at;
}

/// All but the other adders.
Diagnosis element_words(const ElementSteps& element, uint64_t expected, uint64_t observed) {
  const numerics::Types& types = element.types;
  Diagnosis made;
  const std::string where = "D[" + std::to_string(element.row) + ", " + std::to_string(element.column) + "]";
  made.first = where + " = " + coded(*types.d, observed) + ", expected " + coded(*types.d, expected) +
               distance(*types.d, expected, observed);
  if (element.instructions.empty()) return made;
  const size_t count = element.instructions.size(), detailed = last_that_matters(element);
  const InstructionSteps& instruction = element.instructions[detailed];
  made.lines.push_back(where + ", " + std::string(types.a->name) + " * " + std::string(types.b->name) +
                       " -> " + std::string(types.d->name) + ", " + std::to_string(types.k) +
                       " products an instruction, " + std::to_string(count) +
                       (count == 1 ? " instruction" : " instructions"));
  if (element.is_zeroed) made.lines.push_back("  the mask makes its column of B zero");
  for (size_t i = detailed - std::min(detailed, most_instructions); i < detailed; ++i)
    made.lines.push_back("  instruction " + std::to_string(i) + ": " +
                         instruction_words(element, element.instructions[i]));
  if (count > 1) made.lines.push_back("  instruction " + std::to_string(detailed) + ":");
  if (!instruction.reads_c) made.lines.push_back("  D is not an input");
  add_blocks(element, instruction, made.lines);
  if (detailed + 1 < count) made.lines.push_back("  the instructions after it add nothing");
  const uint64_t d = element.instructions.back().d;
  if (d != (expected & types.d->code_mask()))
    made.lines.push_back("  these steps give " + coded(*types.d, d) +
                         ": the readings that the case was judged by give other values");
  return made;
}

}  // namespace

uint64_t element_in(std::span<const uint8_t> output, uint64_t byte, uint32_t element_bytes) {
  uint64_t code = 0;
  std::memcpy(&code, &output[byte / element_bytes * element_bytes], element_bytes);
  return code;
}

Diagnosis diagnose_element(const ElementAt& element_at, uint32_t element_bytes,
                           const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t byte) {
  /// So many wrong elements tell one cause from another, and so many causes say nothing.
  constexpr size_t most_elements = 8, most_causes = 3;
  const auto element = element_at(byte);
  if (!element) return {};
  const uint64_t code_mask = element->types.d->code_mask();
  const auto code = [&](std::span<const uint8_t> output, uint64_t at) {
    return element_in(output, at, element_bytes) & code_mask;
  };
  const auto is_wrong = [&](uint64_t at) {
    return ((code(expected.bytes, at) ^ code(observed, at)) & code(expected.defined, at)) != 0;
  };
  Diagnosis made = element_words(*element, code(expected.bytes, byte), code(observed, byte));
  std::vector<std::string> causes = model::sums_that_give(*element, code(observed, byte));
  size_t wrong = 1;
  for (uint64_t at = (byte / element_bytes + 1) * element_bytes;
       at + element_bytes <= observed.size() && wrong < most_elements && !causes.empty();
       at += element_bytes) {
    if (!is_wrong(at)) continue;
    const auto other = element_at(at);
    if (!other) continue;
    const std::vector<std::string> also = model::sums_that_give(*other, code(observed, at));
    std::erase_if(causes, [&](const std::string& cause) {
      return std::find(also.begin(), also.end(), cause) == also.end();
    });
    ++wrong;
  }
  if (causes.empty() || causes.size() > most_causes) return made;
  std::string text = wrong == 1 ? "the observed value would result if "
                                : "the observed values of the first " + std::to_string(wrong) +
                                      " wrong elements would result if ";
  for (const std::string& cause : causes) text += (&cause == &causes.front() ? "" : ", or if ") + cause;
  made.lines.push_back("  " + text);
  return made;
}

}  // namespace assay::suites
