// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/model/mma/mma.h"

namespace assay::model {

/// Registers that the output of a load has for each of 128 threads; those that the instruction lacks stay all
/// ones.
inline constexpr uint32_t tmem_output_registers = 128;

/// Predicts a store: `cells`, 128 lanes of alloc_columns, hold what was there and receive what must be there.
/// `registers` of thread t at t * 128. `defined` (as many as cells) is written when not all bits are defined.
Tcgen05MmaPrediction predict_tmem_store(const TmemAccessCase&, const spec::Readings&,
                                        std::span<const uint32_t> registers, std::span<uint32_t> cells,
                                        std::span<uint32_t> defined);
/// Predicts a load: `output`, 128 threads of tmem_output_registers.
Tcgen05MmaPrediction predict_tmem_load(const TmemAccessCase&, const spec::Readings&,
                                       std::span<const uint32_t> cells, std::span<uint32_t> output);

/// True when the access exists, stays in its allocation, and no two registers of a store meet in a cell.
bool fits_rig(const TmemAccessCase&);

}  // namespace assay::model
