#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "reference/model/sequence_case.h"

namespace assay::model {

/// mbarrier objects as PTX tells them: phases are numbered, each has arrivals that are still missing and
/// bytes that are still to come, and is over when both are none (ptx, mbarrier: phase completion).
class BarrierMachine {
 public:
  /// What the step answers: 2 where it answers nothing. Nothing where it is not allowed.
  std::optional<uint32_t> step(const SequenceStep&);
  /// Bits 0 and 1: the phase of that parity is complete; ~0 where there is no barrier.
  uint32_t parities(uint32_t barrier) const;

 private:
  struct Barrier {
    bool exists = false;
    uint64_t phase = 0;  ///< number of the incomplete one
    uint32_t count = 0;  ///< arrivals that the next phase waits for
    uint32_t missing = 0;
    int64_t bytes = 0;
    std::optional<uint64_t> state;  ///< phase in which the state kept last was made
  };
  static void settle(Barrier&);
  std::array<Barrier, SequenceCase::targets> barriers_;
};

}  // namespace assay::model
