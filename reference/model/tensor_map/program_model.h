// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/model/tensor_map/program_use.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

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
