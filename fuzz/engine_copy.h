// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "devices/device.h"
#include "devices/emulator/gpu.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"

namespace assay::fuzz {

/// The tensor memory that every case refers to: rig::arena_bytes, as the probes have it.
std::span<const std::byte> arena();

/// What became of a tiled copy.
struct CopyOutcome {
  RecordEnd end;
  std::vector<std::byte> output;  ///< the window of a load, the slot of a store
};

/// Runs a case with one CTA on the emulated driver's encoder and the emulated TMA engine alone, as the probe
/// kernel would: no PTX, no barriers. `armed`: bytes that the barrier of a load expects.
CopyOutcome run_on_engine(const TensorCopyCase& c, const emulator::Settings& settings, uint32_t armed);

}  // namespace assay::fuzz
