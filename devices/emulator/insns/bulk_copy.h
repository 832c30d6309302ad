// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tma/engine.h"

namespace assay::emulator {

/// Whether instructions that write the shared memory of a cluster asynchronously, from registers or from
/// shared memory, fault: the kernel was not launched as clusters (H200: BULK-AMB-03). Clusters of one CTA
/// will do.
inline bool lacks_clusters(const Step& step) {
  return !step.cluster.launch.has_clusters &&
         DeviceReadings(step.cluster.settings()).is({"BULK-AMB-03", "faults"});
}

/// A copy into the shared memory of one or more CTAs that signals an mbarrier in each.
struct Delivery {
  uint32_t ranks = 0;         ///< a bit a receiving CTA of the cluster
  bool is_multicast = false;  ///< `ranks` came from a mask operand
  bool is_pair = false;       ///< .cta_group::2: the barrier's CTA parity says which of a pair is signalled
  bool uses_barrier_cta = false;    ///< the barrier is signalled where its address says (not a tensor copy)
  uint32_t barrier = 0;             ///< shared::cluster address of the mbarrier operand
  std::vector<SharedRange> writes;  ///< what is written, as offsets in a CTA's window; strict mode only
  uint32_t transaction_bytes = 0;
  std::vector<SharedRange> reads;  ///< shared memory that is read, for the strict mode
  std::vector<GlobalRange> global_reads;
  uint64_t tensor_map = 0;  ///< generic address, of a tensor copy; likewise
  bool is_reduction = false;
  std::function<void()> read;                ///< takes the source; may be empty
  std::function<void(uint32_t rank)> write;  ///< moves the data to one CTA; may throw Trap
};

/// Queues one asynchronous operation per receiving CTA. Traps if the mask names a CTA that does not exist.
void deliver(Step& step, int lane, const Delivery& delivery);

enum class BulkDirection : uint8_t { global_to_shared, shared_to_cluster, shared_to_global, prefetch };

/// cp.async.bulk, cp.async.bulk.prefetch or cp.reduce.async.bulk, decoded.
struct BulkForm {
  BulkDirection direction = BulkDirection::prefetch;
  std::optional<Reduction> reduction;
  // operand numbers, -1: absent
  int destination = -1, source = -1, size = -1, barrier = -1, cta_mask = -1, byte_mask = -1;
  int ignored_left = -1, ignored_right = -1;  ///< of .ignore_oob
  int mask_bits = 0;                          ///< of cta_mask
};

/// Of an instruction whose data is a BulkForm.
uint32_t execute_bulk(Step& step);

}  // namespace assay::emulator
