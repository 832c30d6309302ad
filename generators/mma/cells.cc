// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"

namespace assay::gen {
namespace {

constexpr uint32_t widths[] = {4, 6, 8, 16, 32};

/// Row of spec::smem_swizzles.
uint32_t swizzle_row(uint32_t code) {
  const spec::SmemSwizzle* row = spec::find_smem_swizzle(uint64_t{code});
  return row == nullptr ? 0 : static_cast<uint32_t>(row - spec::smem_swizzles.data());
}

uint32_t position(const uint32_t (&list)[5], uint32_t value) {
  for (uint32_t i = 0; i < 5; ++i)
    if (list[i] == value) return i;
  return 0;
}

}  // namespace

uint32_t form_cell(const Tcgen05MmaCase& c) {
  const auto* row = model::d_layout_of(c);
  const uint32_t layout = row == nullptr ? 0 : static_cast<uint32_t>(row->layout);
  return (number_of(c.kind) * 7 + layout) * 2 + (c.a_in_tmem ? 1 : 0);
}

std::string form_cell_name(uint32_t cell) {
  return std::string(spec::row_of(static_cast<spec::MmaKind>(cell / 14)).name) + " D " +
         "ABCDEFG"[cell / 2 % 7] + (cell % 2 == 1 ? " A in tensor memory" : " A in shared memory");
}

uint32_t operand_cell(const Tcgen05MmaCase& c, int operand) {
  const model::MmaFormats formats = model::formats_of(c);
  const bool is_a = operand == 0;
  const auto bits = static_cast<uint32_t>((is_a ? formats.a : formats.b)->storage_bits);
  const bool transposed = is_a ? c.transpose_a : c.transpose_b;
  const uint32_t swizzle = swizzle_row((is_a ? c.a : c.b).swizzle);
  return ((position(widths, bits) * 2 + (transposed ? 1 : 0)) * 5 + swizzle) * 2 + (is_a ? 0 : 1);
}

std::string operand_cell_name(uint32_t cell) {
  static_assert(std::size(spec::smem_swizzles) == 5);
  const uint32_t swizzle = cell / 2 % 5;
  return std::string(cell % 2 == 0 ? "A " : "B ") + std::to_string(widths[cell / 20]) + " bits " +
         (cell / 10 % 2 == 0 ? "K-major " : "MN-major ") +
         (swizzle == 0 ? "no swizzle" : std::string(spec::smem_swizzles[swizzle].name));
}

}  // namespace assay::gen
