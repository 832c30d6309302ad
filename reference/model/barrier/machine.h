// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/barrier/sequence_case.h"
#include "reference/model/case_json.h"
#include "reference/model/end.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What a step of a program of barriers writes.
struct BarrierAnswer {
  uint64_t value = 2;      ///< 2 where it answers nothing
  bool is_opaque = false;  ///< bits that PTX leaves open and that were measured on sm_90
  uint64_t open = 0;       ///< bits that are no state there either
  bool fails = false;      ///< the launch does, and there is no answer
};

/// The mbarrier objects of a program, whose steps keep to what PTX defines.
class BarrierMachine {
 public:
  /// `bend`: what is altered about barriers, or null.
  explicit BarrierMachine(const ProgramBend* bend = nullptr) : bend_(bend) {}
  /// The barriers that the program finds; `faults`: that no operation but an init does anything else to one
  /// that no init wrote (MBAR-AMB-01).
  explicit BarrierMachine(const SequenceCase&, const ProgramBend* bend = nullptr, bool faults = false);
  /// Nothing, and nothing changes, where the step is not allowed.
  std::optional<BarrierAnswer> step(const SequenceStep&);
  /// Bits 0 and 1: the phase of that parity is complete; ~0 where there is no barrier.
  uint32_t parities(uint32_t barrier) const;
  /// Null where there is none.
  const Mbarrier* find(uint32_t barrier) const;

 private:
  struct Token {
    uint64_t phase = 0;
    uint32_t missing = 0;
    bool no_complete = false;
  };
  struct Barrier {
    Mbarrier object;
    std::optional<Token> kept;  ///< what the last arrival of this CTA answered
    bool is_found = false;      ///< no init wrote it
  };
  std::optional<BarrierAnswer> step_of_several(const SequenceStep&);
  std::optional<BarrierAnswer> step_of_one(const SequenceStep&);
  std::optional<BarrierAnswer> change(Barrier&, const SequenceStep&) const;
  std::optional<BarrierAnswer> arrival(Barrier&, const SequenceStep&) const;
  std::optional<BarrierAnswer> arrival_of_copies(Barrier&, const SequenceStep&) const;
  std::optional<BarrierAnswer> arrival_of_bytes(Barrier&, const SequenceStep&) const;
  std::optional<BarrierAnswer> pass_phases(Barrier&, const SequenceStep&) const;
  std::optional<BarrierAnswer> look(const Barrier&, const SequenceStep&) const;
  /// A step on a barrier that no init wrote: what may fail is allowed here.
  std::optional<BarrierAnswer> step_of_found(Barrier&, const SequenceStep&);
  /// What the altered rule makes of an operation.
  void bend(const SequenceStep&, const BarrierState& before, Mbarrier& after) const;

  const ProgramBend* bend_;
  bool is_found_ = false, faults_ = false;
  std::array<std::optional<Barrier>, SequenceCase::targets> barriers_;
  std::array<BarrierState, SequenceCase::targets> gone_{};  ///< as they were when they were invalidated
};

/// Words of output: 64 of barriers, 24 times 128 of tensor memory (kernels/params/sequence.h).
uint32_t output_words(SequenceMachine machine);

/// How the program ends, what it leaves in its output, and in `defined` which bits of it are known on the
/// architecture. Undefined where a step is not allowed in the state that those before it leave, or a field is
/// out of range: nothing is predicted then, nor where an altered rule leads to such a step, nor of the output
/// of a launch that fails.
End predict_sequence(const SequenceCase&, const spec::Readings&, std::span<uint32_t> output,
                     std::span<uint32_t> defined);

/// Rules that say what the steps of the program do.
spec::RuleSet exercised_sequence_rules(const SequenceCase&);

/// How far a program may go: the number of steps before the first that is not allowed. No step is behind one
/// that ends the launch.
uint32_t legal_steps(const SequenceCase&);

/// "arrive barrier 1, 2" and the like.
std::string step_words(SequenceMachine machine, const SequenceStep&);

template <>
nlohmann::json to_json(const SequenceCase&);
/// Throws for a step that is not allowed where it stands, too.
template <>
SequenceCase case_from_json(const nlohmann::json&);
template <>
nlohmann::json case_schema<SequenceCase>();

}  // namespace assay::model
