// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "devices/emulator/gpu.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/fragment.h"
#include "devices/emulator/tensor/smem_operand.h"
#include "reference/spec/formats.h"

namespace assay::emulator {

/// mma.sync and mma.sp with a kind, as decoded.
struct KindForm {
  const spec::Format *a, *b, *d;
  const spec::Format* scale = nullptr;  ///< null: not block-scaled
  uint32_t k = 32;                      ///< of a sparse A, the elements that it holds of a row
  uint32_t scale_block = 0;             ///< elements of A
  bool is_sparse = false;
  uint32_t b_k() const { return is_sparse ? 2 * k : k; }
  uint32_t b_registers() const { return is_sparse ? 4 : 2; }
  bool is_packed() const { return k == 64; }
  uint32_t d_registers() const { return d->storage_bits == 16 ? 2 : 4; }
};

/// A row of a sparse A, and what it meets: of each of 8 columns of B, `b_k()` elements in `b`, the `k` that
/// its codes name.
struct KindRow {
  const KindForm& form;
  uint32_t row;
  const uint32_t *codes, *b;
};

/// A wgmma.mma_async, as its text says.
struct WgmmaForm {
  const spec::Format* a = nullptr;
  const spec::Format* b = nullptr;
  const spec::Format* d = nullptr;
  uint32_t n = 0, k = 0;  ///< k: of a sparse A, the elements that it holds of a row
  bool is_sparse = false;
  uint32_t selector = 0;  ///< lanes that have the metadata
  bool a_in_registers = false;
  bool saturates = false;
  bool negate_a = false, negate_b = false;        ///< imm-scale of -1
  bool transpose_a = false, transpose_b = false;  ///< in shared memory MN-major
  bool ignores_scale_d = false;                   ///< only by a fault
  bool wide_32B_goes_on = false;  ///< only by a fault: bytes of a row past 32 follow the first

  uint32_t b_k() const { return is_sparse ? 2 * k : k; }
  /// Where operands stand in the list: of a sparse A the metadata and the selector come before scale-d.
  static constexpr size_t metadata_at = 3;
  size_t scale_d_at() const { return metadata_at + (is_sparse ? 2 : 0); }
};

/// An element of D that the adder has computed.
struct ElementResult {
  const TileProduct* product;
  uint32_t row, column;
  uint32_t code;
};

/// The single steps of the matrix instructions that faults may replace, as tma/steps.h has them for tensor
/// copies. Null: the step changes nothing.
struct TensorSteps {
  // the adder
  void (*rules)(const TileProduct&, AdderRules&) = nullptr;
  uint32_t (*result)(const ElementResult&) = nullptr;
  // fragments of C and D with 16 rows a warp: the row that a register holds
  uint32_t (*fragment_row)(uint32_t row) = nullptr;
  // mma.sync and mma.sp with block scaling: the byte that a scale is
  FragmentScale (*scale)(const FragmentScaleRequest&) = nullptr;
  // mma.sp and wgmma.sp: where a code of the metadata lies, and which it is
  FragmentNibble (*sparse_place)(const FragmentCode&) = nullptr;
  uint32_t (*sparse_code)(const FragmentCode&, uint32_t code) = nullptr;
  uint32_t (*sparse_register)(const FragmentCode&, uint32_t word) = nullptr;  ///< as it is read for a code
  // mma.sp with a kind: what a row meets of each column, 8 of k elements
  void (*kind_met)(const KindRow&, uint32_t* met) = nullptr;
  // mma.sync of f64: a step of the chain, where `right` is a * b + c
  uint64_t (*fused)(uint64_t a, uint64_t b, uint64_t c, uint64_t right) = nullptr;
  // wgmma, as decoded
  void (*wgmma)(WgmmaForm&) = nullptr;
  void (*descriptor)(WgmmaDescriptor&) = nullptr;
};

/// Every step as the hardware does it.
inline constexpr TensorSteps honest_tensor_steps{};

/// The steps for the fault that the settings name; honest_tensor_steps if they name none or one that does not
/// exist.
const TensorSteps& tensor_steps_for(const Settings&);

/// The codes of a row, one a group: `first` is the first of them. read(lane): the register with the metadata.
template <typename Read>
void read_codes(const TensorSteps& steps, const FragmentCode& first, std::span<uint32_t> codes, Read read) {
  FragmentCode wanted = first;
  for (; wanted.group < wanted.groups; ++wanted.group) {
    const FragmentNibble at =
        steps.sparse_place == nullptr ? fragment_nibble(wanted) : steps.sparse_place(wanted);
    uint32_t& code = codes[wanted.group];
    uint32_t word = read(static_cast<int>(at.lane));
    if (steps.sparse_register != nullptr) word = steps.sparse_register(wanted, word);
    code = word >> at.nibble * 4 & 0xf;
    if (steps.sparse_code != nullptr) code = steps.sparse_code(wanted, code);
  }
}

}  // namespace assay::emulator
