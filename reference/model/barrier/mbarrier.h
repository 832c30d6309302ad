// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "reference/model/barrier/program_bend.h"

namespace assay::model {

/// An mbarrier object as PTX tells it: phases are numbered, each has arrivals that are still missing and
/// bytes that are still to come, and is over when both are none, whichever operation brings that about (ptx,
/// mbarrier: phase completion; h200, MB-03). Where PTX stops, as Hopper goes on.
///
/// Operations answer false where the launch fails (H200: MB-05 to MB-09); the object is of no use then.
class Mbarrier {
 public:
  static constexpr uint32_t most_arrivals = (1u << 20) - 1;  ///< ptx, mbarrier.init
  static constexpr int64_t most_bytes = (1 << 20) - 1;       ///< ptx, tx-count operations; either sign
  /// Bit of the word above the bytes, which is 0 in each barrier on Hopper (h200, MB-01).
  static constexpr uint64_t guard_bit = uint64_t{1} << 42;

  /// Nothing where init fails.
  static std::optional<Mbarrier> initialised(uint32_t count);
  /// What an operation finds where no barrier was initialised, or after inval (h200, MB-02, MB-11).
  static Mbarrier found(uint64_t word);

  /// What it counts; and a barrier that counts so, of an altered rule.
  BarrierState state() const { return {phase_, count_, missing_, bytes_}; }
  static Mbarrier of(const BarrierState&);

  bool arrive(uint32_t count, bool drops);
  bool expect(uint32_t bytes);
  bool complete(uint32_t bytes);
  bool arrive_expecting(uint32_t bytes, bool drops);

  uint64_t phase() const { return phase_; }  ///< number of the incomplete one, from 0 on
  uint32_t count() const { return count_; }  ///< arrivals that the next phase waits for
  uint32_t missing() const { return missing_; }
  int64_t bytes() const { return bytes_; }  ///< below 0: came before they were expected
  bool is_over(uint64_t parity) const { return (phase_ & 1) != (parity & 1); }
  /// Made of a word that no barrier has: every operation on it, tests too, ends the launch; an init makes a
  /// barrier of it, and an inval gives the word back (h200, MB-15).
  bool is_damaged() const { return (beside_ & guard_bit) != 0; }

  /// The 64 bits as memory has them after inval, on Hopper (h200, MB-01).
  uint64_t word() const;
  /// What an arrival that is next answers, on Hopper (h200, MB-04).
  uint64_t token(bool no_complete) const;

 private:
  void settle();
  uint64_t phase_ = 0;
  uint32_t count_ = 0, missing_ = 0;
  int64_t bytes_ = 0;
  uint64_t beside_ = 0;  ///< bits that no barrier has set, of a word that was found
};

/// mbarrier.pending_count of a token, on Hopper (h200, MB-04).
uint32_t pending_count_of(uint64_t token);

}  // namespace assay::model
