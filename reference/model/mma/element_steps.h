// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/model/mma/mma.h"
#include "reference/model/pipeline/gemm.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "reference/numerics/exact.h"

namespace assay::model {

/// What one instruction adds to an element of D, as codes.
struct InstructionSteps {
  std::vector<uint64_t> a, b;  ///< a row of A and a column of B, signs as they are multiplied
  uint64_t c = 0;
  bool reads_c = false;  ///< else c is 0
  int scale_input_d = 0;
  uint64_t d = 0;
  numerics::DotSteps steps;
  std::vector<uint64_t> scale_a = {}, scale_b = {};  ///< one a block of K; empty without block scaling
};

/// How one element of D comes about, one instruction after the other. For people: slow, in exact arithmetic.
struct ElementSteps {
  uint32_t row = 0, column = 0;
  numerics::Types types{};
  numerics::Arithmetic arithmetic;
  bool is_zeroed = false;  ///< its column of B counts as zero
  std::vector<InstructionSteps> instructions;

  /// Works out the next instruction, which has a, b, c and scale_input_d.
  void add(InstructionSteps);
};

/// Of the legal cases that predict() takes: the element in a word of the output, of two halves the upper one
/// if `upper`.
ElementSteps steps_of(const WgmmaCase&, const spec::Readings&, const PatternWords&, uint32_t word,
                      bool upper);
ElementSteps steps_of(const MmaSyncCase&, const spec::Readings&, const PatternWords&, uint32_t word,
                      bool upper);

/// Of a legal case: the element in a cell of tensor memory, whose `cells` are those before. Nothing for a
/// cell that the instruction does not write.
std::optional<ElementSteps> steps_of(const Tcgen05MmaCase&, const spec::Readings&, const MmaWindows& windows,
                                     std::span<const uint32_t> cells, uint32_t cell);

/// Of a case that fits_rig().
ElementSteps steps_of(const GemmCase&, const spec::Readings&, const PatternWords&, uint32_t row,
                      uint32_t column);

/// Adders with one thing different, in words, that make the observed code of the element's operands: a hint
/// at what a device does instead. "terms are cut one bit earlier", "the product of k 15 is missing". Several
/// may fit one element by chance.
std::vector<std::string> sums_that_give(const ElementSteps&, uint64_t observed);

/// The accumulation one element of D after the other, in exact arithmetic and straight from the definition:
/// what judges the fast model, with which it shares the formulas of reference/layout and the tables. Legal
/// cases only; `defined` gets every bit.
void slow_mma(const Tcgen05MmaCase&, const spec::Readings&, const MmaWindows& windows,
              std::span<uint32_t> cells, std::span<uint32_t> defined);

}  // namespace assay::model
