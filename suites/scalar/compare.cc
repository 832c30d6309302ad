// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/oracle.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <sstream>

namespace assay::suites::scalar {
namespace {

using gen::scalar::Instruction;
using gen::scalar::Kernel;
using gen::scalar::Operand;
using gen::scalar::Program;
using gen::scalar::threads;

std::string line_number(const std::string& text, size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (size_t i = 0; i <= number; ++i) std::getline(lines, line);
  return line;
}

class Comparison {
 public:
  Comparison(const Kernel& kernel, const std::vector<uint64_t>& left, const std::vector<uint64_t>& right,
             Tally& tally)
      : kernel_(kernel), left_(left), right_(right), tally_(tally) {}

  /// True and filled in if the program differs.
  bool differs(const Program& program, Difference& found) {
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction& one = program.instructions[i];
      if (!differs(program, one, found)) continue;
      found.opcode = one.form.text();
      found.program = text_of(program);
      found.line = line_number(found.program, i);
      return true;
    }
    return false;
  }

 private:
  bool is_equal(uint32_t slot) const {
    const size_t begin = size_t{slot} * threads;
    return std::memcmp(left_.data() + begin, right_.data() + begin, threads * 8) == 0;
  }

  bool differs(const Program& program, const Instruction& one, Difference& found) {
    const bool is_approximate = one.form.is_approximate();
    Tally::Approximate* approximate = is_approximate ? &tally_.approximate[one.form.text()] : nullptr;
    if (approximate != nullptr) approximate->results += threads;
    found.threads = 0;
    for (const bool second : {false, true}) {
      if (second && !one.signature.has_second) break;
      const uint32_t slot = one.slot + (second ? 1 : 0);
      if (is_equal(slot)) continue;
      for (uint32_t thread = 0; thread < threads; ++thread) {
        const uint64_t x = left_[size_t{slot} * threads + thread],
                       y = right_[size_t{slot} * threads + thread];
        if (x == y) continue;
        const auto operands = operands_of(kernel_, program, one, left_, thread);
        if (approximate != nullptr) {
          const Distance apart = distance(one.form, operands.data(), x, y);
          ++approximate->differ;
          if (apart.is_allowed) {
            approximate->most_ulps = std::max(approximate->most_ulps, apart.ulps);
            continue;
          }
        }
        if (found.threads++ != 0) continue;
        found.thread = thread;
        found.operands = operands;
        found.left = x;
        found.right = y;
        found.is_second = second;
      }
    }
    return found.threads != 0;
  }

  const Kernel& kernel_;
  const std::vector<uint64_t>&left_, &right_;
  Tally& tally_;
};

}  // namespace

std::vector<uint64_t> operands_of(const Kernel& kernel, const Program& program,
                                  const Instruction& instruction, const std::vector<uint64_t>& results,
                                  uint32_t thread) {
  std::vector<uint64_t> made;
  for (const Operand& source : instruction.sources) {
    if (source.kind == Operand::Kind::constant)
      made.push_back(source.constant);
    else if (source.kind == Operand::Kind::input)
      made.push_back(input_value(kernel, source.bank, source.index, thread));
    else
      made.push_back(results[size_t{program.instructions[source.index].slot} * threads + thread]);
  }
  return made;
}

void Tally::add(Tally other) {
  programs += other.programs;
  instructions += other.instructions;
  results += other.results;
  modules += other.modules;
  for (auto& [opcode, theirs] : other.differences) {
    OfOpcode& mine = differences[opcode];
    mine.programs += theirs.programs;
    mine.threads += theirs.threads;
    for (Difference& example : theirs.examples)
      if (mine.examples.size() < most_examples) mine.examples.push_back(std::move(example));
  }
  for (const auto& [opcode, theirs] : other.approximate) {
    Approximate& mine = approximate[opcode];
    mine.results += theirs.results;
    mine.differ += theirs.differ;
    mine.most_ulps = std::max(mine.most_ulps, theirs.most_ulps);
  }
  refused.insert(refused.end(), other.refused.begin(), other.refused.end());
}

uint64_t Tally::differing_programs() const {
  uint64_t total = 0;
  for (const auto& [opcode, one] : differences) total += one.programs;
  return total;
}

void compare(const gen::scalar::Module& module, uint64_t index, const Results& left, const Results& right,
             Tally& tally) {
  ++tally.modules;
  for (size_t k = 0; k < module.kernels.size(); ++k) {
    const Kernel& kernel = module.kernels[k];
    tally.programs += kernel.programs.size();
    tally.results += size_t{kernel.slots} * threads;
    for (const Program& program : kernel.programs) tally.instructions += program.instructions.size();
    Comparison comparison(kernel, left[k], right[k], tally);
    for (size_t i = 0; i < kernel.programs.size(); ++i) {
      Difference found;
      if (!comparison.differs(kernel.programs[i], found)) continue;
      found.module = index;
      found.kernel = static_cast<uint32_t>(k);
      found.index = static_cast<uint32_t>(i);
      Tally::OfOpcode& of_opcode = tally.differences[found.opcode];
      ++of_opcode.programs;
      of_opcode.threads += found.threads;
      if (of_opcode.examples.size() < Tally::most_examples) of_opcode.examples.push_back(std::move(found));
    }
  }
}

// The errors that the PTX document gives for approximate instructions. Two devices that each keep to the
// bound differ by at most twice as much; the last place is granted on top, for the rounding of either.

namespace {

using gen::scalar::Form;

struct Bound {
  std::string_view base, type;
  double relative = 0, absolute = 0;
  std::string_view words;
};

constexpr Bound bounds[] = {
    {"rcp", "f32", 0x1p-23, 0, "1 ulp"},
    {"rcp", "f64", 0x1p-20, 0, "the upper 20 bits of the fraction"},
    {"sqrt", "f32", 0x1p-23, 0, "relative 2^-23"},
    {"rsqrt", "f32", 0x1p-22, 0, "relative 2^-22.9"},
    {"rsqrt", "f64", 0x1p-52, 0, "gross (.ftz: the upper 20 bits of the fraction)"},
    {"lg2", "f32", 0x1p-22, 0x1p-22, "2^-22, absolute between 0.5 and 2, else relative"},
    {"ex2", "f32", 0x1p-22, 0, "2 ulp"},
    {"ex2", "f16", 0x1p-9, 0, "relative 2^-9.9"},
    {"ex2", "bf16", 0x1p-7, 0, "relative 2^-7"},
    {"sin", "f32", 0, 0x1p-20, "absolute 2^-20.5 up to pi, 2^-14.7 up to 100 pi"},
    {"cos", "f32", 0, 0x1p-20, "absolute 2^-20.5 up to pi, 2^-14.7 up to 100 pi"},
    {"tanh", "f32", 0x1p-11, 0, "relative 2^-11"},
    {"tanh", "f16", 0, 0x1p-10, "absolute 2^-10.987"},
    {"tanh", "bf16", 0, 0x1p-8, "absolute 2^-8"},
    {"div", "f32", 0x1p-22, 0, "2 ulp"},
};

std::string_view scalar_of(const std::string& type) {
  return std::string_view(type).substr(0, type.find("x2"));
}

const Bound* find(const Form& form) {
  for (const Bound& bound : bounds)
    if (bound.base == form.base && bound.type == scalar_of(form.types[0])) return &bound;
  return nullptr;
}

double decode(std::string_view type, uint64_t bits) {
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "f32") return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == "bf16") return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  const double fraction = static_cast<double>(bits & 0x3ff);
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 & 1 ? -magnitude : magnitude;
}

struct Shape {
  int fraction, least_exponent;  ///< of normal numbers
};
Shape shape_of(std::string_view type) {
  if (type == "f64") return {52, -1022};
  if (type == "f32") return {23, -126};
  if (type == "bf16") return {7, -126};
  return {10, -14};
}

Distance distance_of_one(const Form& form, const Bound& bound, uint64_t operand, uint64_t left,
                         uint64_t right) {
  if (left == right) return {true, 0};
  const std::string_view type = bound.type;
  const Shape shape = shape_of(type);
  double x = decode(type, left), y = decode(type, right);
  // Infinity stands one place above the largest number: a quotient's error may lead beyond it.
  for (double* one : {&x, &y})
    if (std::isinf(*one) && type == "f32" && bound.base == "div") *one = std::copysign(0x1p128, *one);
  if (!std::isfinite(x) || !std::isfinite(y)) return {false, ~uint64_t{0}};
  const double size = std::max(std::fabs(x), std::fabs(y)), apart = std::fabs(x - y);
  const double smallest = std::ldexp(1.0, shape.least_exponent);
  const double place =
      std::ldexp(1.0, std::max(size == 0 ? -2000 : std::ilogb(size), shape.least_exponent) - shape.fraction);
  double allowed = 2 * (bound.relative * size + bound.absolute) + place;
  if (bound.base == "lg2") allowed = 2 * bound.relative * std::max(size, 1.0) + place;
  if (bound.base == "rsqrt" && form.has("ftz") && type == "f64") allowed = 0x1p-19 * size;
  if (bound.base == "sin" || bound.base == "cos") {
    const double a = std::fabs(decode(type, operand));
    if (a > std::numbers::pi) allowed = a <= 100 * std::numbers::pi ? 2 * 0x1.4p-15 : 2;
  }
  // Under .ftz a result near the smallest normal number may be flushed on one side only.
  if (form.has("ftz")) allowed = std::max(allowed, size <= smallest * 1.0001 ? smallest * 1.0001 : 0);
  const double ulps = apart / place;
  return {apart <= allowed, ulps > 1e18 ? ~uint64_t{0} : static_cast<uint64_t>(ulps)};
}

}  // namespace

Distance distance(const Form& form, const uint64_t* operands, uint64_t left, uint64_t right) {
  const Bound* bound = find(form);
  if (bound == nullptr) return {left == right, 0};
  if (form.types[0].ends_with("x2")) {
    const Distance low = distance_of_one(form, *bound, operands[0] & 0xffff, left & 0xffff, right & 0xffff);
    const Distance high =
        distance_of_one(form, *bound, operands[0] >> 16 & 0xffff, left >> 16 & 0xffff, right >> 16 & 0xffff);
    return {low.is_allowed && high.is_allowed, std::max(low.ulps, high.ulps)};
  }
  return distance_of_one(form, *bound, operands[0], left, right);
}

std::string bound_of(const Form& form) {
  const Bound* bound = find(form);
  return bound == nullptr ? "exact" : std::string(bound->words);
}

}  // namespace assay::suites::scalar
