// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/barrier/async_write.h"
#include "reference/model/barrier/sequence_case.h"
#include "reference/model/pipeline/gemm.h"

namespace assay::model {

/// What an mbarrier object counts.
struct BarrierState {
  uint64_t phase = 0;               ///< number of the incomplete one
  uint32_t count = 0, missing = 0;  ///< arrivals that each phase expects, and that this one still lacks
  int64_t bytes = 0;                ///< below 0: came before they were expected
};

/// An operation on a barrier, and what it found.
struct BarrierEvent {
  BarrierOp op = BarrierOp::init;
  uint32_t amount = 0;
  bool is_remote = false;   ///< of another CTA
  bool is_generic = false;  ///< at a generic address
  BarrierState before;      ///< of init: what lay there when it was invalidated
  bool has_copies = true;   ///< of an arrival at the end of copies: some are under way
  bool arrives() const {
    return op == BarrierOp::arrive || op == BarrierOp::arrive_no_complete || expects_and_arrives() || drops();
  }
  bool expects_and_arrives() const {
    return op == BarrierOp::arrive_expect_tx || op == BarrierOp::arrive_drop_expect_tx;
  }
  bool expects() const { return op == BarrierOp::expect_tx || expects_and_arrives(); }
  bool drops() const {
    return op == BarrierOp::arrive_drop || op == BarrierOp::arrive_drop_no_complete ||
           op == BarrierOp::arrive_drop_expect_tx;
  }
  bool is_no_complete() const {
    return op == BarrierOp::arrive_no_complete || op == BarrierOp::arrive_drop_no_complete;
  }
  bool is_of_copies() const { return assay::is_of_copies(op); }
  /// Arrivals that the operation counts.
  uint32_t arrivals() const { return !arrives() ? 0 : expects_and_arrives() ? 1 : amount; }
};

/// What a bend may change about programs of several instructions. Null or false: as the rules say.
struct ProgramBend {
  /// What an operation leaves; gets what the rules say.
  void (*barrier)(const BarrierEvent&, BarrierState& after) = nullptr;
  /// What a test or a try of a phase answers.
  bool (*answer)(const SequenceStep&, bool right) = nullptr;
  /// The write that is done in place of one whose bytes arrive; of 0 bytes: none.
  AsyncWrite (*written)(const AsyncWrite&) = nullptr;
  /// Lanes whose arrivals are lost where lanes name several barriers.
  bool (*loses_arrival)(uint32_t lane) = nullptr;
  /// An arrival answers the state after it.
  bool state_is_after = false;
  /// Programs of which nothing is known then.
  bool (*loses)(const SequenceCase&) = nullptr;
  /// Of the eight loads of a replacement the last so many, which tcgen05.wait::ld does not wait for: they
  /// give what is stored.
  uint32_t late_loads = 0;
  /// Products of which D may hold anything.
  bool (*spoils)(const GemmCase&) = nullptr;
  /// Matrix instructions: the case never ends.
  bool never_ends = false;
};

}  // namespace assay::model
