// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/gpu.h"
#include "devices/emulator/tensor/adder_rules.h"
#include "devices/emulator/tensor/fragment_scale.h"
#include "devices/emulator/tensor/kind_form.h"
#include "devices/emulator/tensor/sparse_fragment.h"
#include "devices/emulator/tensor/wgmma_form.h"
#include "devices/emulator/tensor/wgmma_operand.h"

namespace assay::emulator {

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

}  // namespace assay::emulator
