// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "devices/emulator/machine/step.h"

namespace assay::emulator {

/// A copy into the shared memory of one or more CTAs that signals an mbarrier in each.
struct Delivery {
  uint32_t ranks = 0;         ///< a bit a receiving CTA of the cluster
  bool is_multicast = false;  ///< `ranks` came from a mask operand
  bool is_pair = false;       ///< .cta_group::2: the barrier's CTA parity says which of a pair is signalled
  bool uses_barrier_cta = false;    ///< the barrier is signalled where its address says (not a tensor copy)
  uint32_t barrier = 0;             ///< shared::cluster address of the mbarrier operand
  std::vector<SharedRange> writes;  ///< what is written, as offsets in a CTA's window; strict mode only
  uint32_t transaction_bytes = 0;
  std::vector<SharedRange> reads;            ///< shared memory that is read, for the strict mode
  uint64_t tensor_map = 0;                   ///< generic address, of a tensor copy; likewise
  std::function<void()> read;                ///< takes the source; may be empty
  std::function<void(uint32_t rank)> write;  ///< moves the data to one CTA; may throw Trap
};

/// Queues one asynchronous operation per receiving CTA. Traps if the mask names a CTA that does not exist.
void deliver(Step& step, int lane, const Delivery& delivery);

}  // namespace assay::emulator
