// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/bulk_signal.h"

#include <string>

#include "devices/emulator/tma/steps.h"

namespace assay::emulator {
namespace {

/// The mbarrier that a delivery to `rank` signals. The offset counts, not the CTA of the address (H200:
/// K-05); with .cta_group::2 the CTA or its peer, whichever has the parity of the barrier's CTA (PTX ISA 9.0,
/// cp.async.bulk.tensor).
uint32_t barrier_for(const Steps& steps, const Delivery& delivery, uint32_t rank) {
  if (delivery.uses_barrier_cta && !delivery.is_multicast) return delivery.barrier;
  const uint32_t named = delivery.barrier >> shared_rank_shift;
  const uint32_t owner = delivery.is_pair ? steps.pair_owner(rank, named) : rank;
  return owner << shared_rank_shift | (delivery.barrier & shared_offset_mask);
}

}  // namespace

void deliver(Step& step, int lane, const Delivery& delivery) {
  Cluster& cluster = step.cluster;
  const uint32_t ctas = static_cast<uint32_t>(cluster.ctas.size());
  if (delivery.ranks >> ctas != 0)
    step.fail(delivery.is_multicast ? Diagnostic::Kind::launch_failed : Diagnostic::Kind::illegal_address,
              lane,
              "the copy goes to a CTA that the cluster of " + std::to_string(ctas) + " does not have (K-03)");
  const Steps& steps = steps_for(cluster.settings());
  const uint32_t data =
      delivery.is_multicast ? steps.data_ranks(delivery.ranks, step.cta.rank) : delivery.ranks;
  const uint32_t signal =
      delivery.is_multicast ? steps.signal_ranks(delivery.ranks, step.cta.rank) : delivery.ranks;
  const Issuer issuer = step.issuer(lane);
  for (uint32_t rank = 0; rank < ctas; ++rank) {
    const bool moves = data >> rank & 1, signals = signal >> rank & 1;
    if (!moves && !signals) continue;
    const uint32_t barrier = barrier_for(steps, delivery, rank);
    AsyncOperation operation;
    operation.issuer = issuer;
    operation.read = delivery.read;
    operation.shared_reads = delivery.reads;
    operation.tensor_map = delivery.tensor_map;
    for (const SharedRange& range : delivery.writes) {
      operation.shared_writes.push_back({rank << shared_rank_shift | range.address, range.bytes});
      operation.barriers.push_back(barrier);
    }
    const bool early = steps.signals_before_data && signals;
    operation.write = [&cluster, delivery, rank, barrier, moves, signals, early, issuer] {
      if (moves) delivery.write(rank);
      if (signals && !early) cluster.complete_tx(barrier, delivery.transaction_bytes, issuer);
    };
    if (early) cluster.complete_tx(barrier, delivery.transaction_bytes, issuer);
    cluster.async.issue(std::move(operation));
  }
}

}  // namespace assay::emulator
