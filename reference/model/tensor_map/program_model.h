// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

/// The map that a program begins with.
spec::TensorMapBytes start_of(const MapProgramCase&, const spec::Readings&);

/// A program in progress: the two maps, and those that a copy may find.
class MapMachine {
 public:
  MapMachine(const MapProgramCase&, const spec::Readings&);

  /// The next step. `rules` gets those that it exercises.
  void step(spec::RuleSet& rules);
  uint32_t at() const { return at_; }
  bool is_over() const { return at_ == c_.steps; }
  /// The map that replacements are of.
  const spec::TensorMapBytes& edited() const { return c_.in_shared ? shared_ : global_; }
  const spec::TensorMapBytes& global() const { return global_; }
  /// By which bits the use that comes next may act: what memory holds first, then what a copy found there
  /// since the last acquire of the map's very address. Of a use of another map: what the program began with.
  std::vector<spec::TensorMapBytes> may_be_found() const;

 private:
  const MapProgramCase& c_;
  const spec::Readings& readings_;
  bool is_of_other() const { return use_ < c_.uses && c_.use[use_].is_of_other; }
  spec::TensorMapBytes start_, global_, shared_;
  std::vector<spec::TensorMapBytes> kept_;  ///< by the descriptor cache
  uint32_t at_ = 0, use_ = 0;               ///< the step and the use that come next
};

struct MapProgramPrediction {
  End end = End::done;
  bool has_choice = false;  ///< windows of uses that may act by several maps are left out of `defined`
  spec::RuleSet rules;
};

/// The output of the program: 256 bytes with the map in global memory `place` bytes into them; the 128 bytes
/// of the edited map after each step (zeros after a use); the window of each use; on the next multiple of 256
/// the slot. `arena`: what is copied, and what slots hold before.
MapProgramPrediction predict_map_program(const MapProgramCase&, const spec::Readings&,
                                         std::span<const std::byte> arena, std::span<std::byte> output,
                                         std::span<std::byte> defined);

/// What a load is armed with that does not complete by the defaults, use `use` in step `step`: the bytes that
/// it moves by the first other reading by which it does. 0: there is none.
uint32_t armed_for_a_rival(const MapProgramCase&, uint32_t step, uint32_t use,
                           const spec::Readings& defaults);

/// Bytes of that output, and where in it the slot begins.
uint32_t output_bytes_of(const MapProgramCase&);
uint32_t slot_at(const MapProgramCase&);

/// Whether it is known of every copy of a program with a slot what it does, inside of the slot; true without.
bool stays_in_slot(const MapProgramCase&);

/// What the window of the use that the machine comes to next may hold, each as one map has it.
struct AllowedWindow {
  std::vector<std::byte> bytes, defined;
};
std::vector<AllowedWindow> allowed_windows(const MapMachine&, const MapProgramCase&, uint32_t use,
                                           const spec::Readings&, std::span<const std::byte> arena);

}  // namespace assay::model
