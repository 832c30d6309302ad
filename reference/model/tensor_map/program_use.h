// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map_bits.h"

/// What one copy of a program does, by the bits of its map.
namespace assay::model {

/// A map as copies have it: sm_90 looks at neither the atomicity nor the bit of the 96B swizzle (h200, W-07),
/// and stores and reductions at neither the fill nor a tf32 flag that the type does not have (h200, MF-01).
spec::TensorMapBytes seen_by_copies(spec::TensorMapBytes, const MapUse&, const spec::Readings&);

/// The copy that a use is, through a map of these bits as copies have them.
TensorCopyCase copy_of(const MapProgramCase&, const MapUse&, const spec::TensorMapBytes&);

/// How a copy through such a map ends before any byte moves: what the hardware asks of maps, which is less
/// than the driver asks of its callers. `undefined` where nobody has tried.
End end_of_use(const MapProgramCase&, const MapUse&, const spec::TensorMapBytes&, const spec::Readings&,
               spec::RuleSet& rules);

/// What a copy finds and leaves. Without a slot loads read the arena.
struct UseMemory {
  std::span<const std::byte> arena;
  std::span<std::byte> slot, slot_defined;      ///< 0xff where it is known what the slot holds; may be empty
  std::span<std::byte> window, window_defined;  ///< the latter may be empty
};
struct UseOutcome {
  End end = End::done;
  uint32_t transaction_bytes = 0;  ///< of a load
};
/// Fills the window, then copies through a map that is found as `found` has it.
UseOutcome predict_use(const MapProgramCase&, const MapUse&, const spec::TensorMapBytes& found,
                       const spec::Readings&, const UseMemory&, spec::RuleSet& rules);

/// Bytes that the barrier of a load is to be armed with; 0 of other copies, and of those that end otherwise.
uint32_t armed_bytes(const MapProgramCase&, const MapUse&, const spec::TensorMapBytes& found,
                     const spec::Readings&);

}  // namespace assay::model
