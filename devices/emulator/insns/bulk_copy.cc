// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk between global and shared memory, its prefetch, and cp.reduce.async.bulk (ptx, Data Movement
// and Conversion Instructions: Non-tensor copy).

#include "devices/emulator/insns/bulk_copy.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "devices/emulator/machine/strict.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {
namespace {

using Kind = Diagnostic::Kind;

/// One copy of one lane, checked.
struct Range {
  uint64_t global = 0;
  uint32_t shared_from = 0, shared_to = 0;  ///< shared::cluster addresses
  uint32_t size = 0;                        ///< the operand
  uint32_t bytes = 0;                       ///< that move; 0: nothing happens at all
  /// At its ends, which may lie outside of an allocation: what arrives for them is indeterminate.
  uint32_t ignored_left = 0, ignored_right = 0;
  uint32_t kept_begin() const { return std::min(ignored_left, bytes); }
  uint32_t kept_end() const { return bytes - std::min(ignored_right, bytes - kept_begin()); }
  /// Of the global memory what is accessed.
  GlobalRange kept() const { return {global + kept_begin(), kept_end() - kept_begin()}; }
};

uint64_t address(const Step& step, int number, int lane) {
  return step.address(step.operand(static_cast<size_t>(number)), lane);
}
uint32_t mask_of(const Step& step, int number, int lane, int bits = 16) {
  return static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(number)), lane) &
                               ((uint64_t{1} << bits) - 1));
}

/// A copy of no bytes looks at no address (H200: BC-03). PTX leaves sizes undefined that are no multiple of
/// 16.
Range read_range(const Step& step, const BulkForm& form, int lane) {
  Range range;
  range.size = static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.size)), lane));
  range.bytes = steps_for(step.cluster.settings()).bulk_bytes(range.size);
  if (range.size % 16 != 0 && step.cluster.strict) step.cluster.strict->odd_bulk_size(step.issuer(lane));
  if (range.size % 16 != 0 && DeviceReadings(step.cluster.settings()).is({"BULK-AMB-01", "faults"}))
    step.fail(Kind::illegal_instruction, lane,
              "the size of a bulk copy is not a multiple of 16 (BULK-AMB-01)");
  if (form.direction == BulkDirection::shared_to_cluster && lacks_clusters(step))
    step.fail(Kind::illegal_instruction, lane,
              "a bulk copy from shared memory to shared memory in a launch without clusters (BULK-AMB-03)");
  if (range.bytes == 0) return range;
  for (const int number : {form.destination, form.source})
    if (number >= 0 && address(step, number, lane) % 16 != 0)
      step.fail(Kind::misaligned_address, lane, "an address of a bulk copy is not 16-byte aligned");
  const uint64_t source = address(step, form.source, lane);
  const uint64_t destination = form.destination < 0 ? 0 : address(step, form.destination, lane);
  switch (form.direction) {
    case BulkDirection::global_to_shared:
      range.global = source, range.shared_to = static_cast<uint32_t>(destination);
      break;
    case BulkDirection::shared_to_cluster:
      range.shared_from = static_cast<uint32_t>(source), range.shared_to = static_cast<uint32_t>(destination);
      break;
    case BulkDirection::shared_to_global:
      range.shared_from = static_cast<uint32_t>(source), range.global = destination;
      break;
    case BulkDirection::prefetch:
      break;
  }
  const bool reads_shared =
      form.direction == BulkDirection::shared_to_cluster || form.direction == BulkDirection::shared_to_global;
  if (reads_shared && range.shared_from >> shared_rank_shift != step.cta.rank)
    step.fail(Kind::illegal_address, lane, "a bulk copy reads the executing CTA's own shared memory");
  return range;
}

/// (PTX ISA 9.4, cp.async.bulk, .ignore_oob) What does not lie in 0 to 15 is undefined.
uint32_t ignored_bytes(const Step& step, int number, int lane) {
  if (number < 0) return 0;
  const auto bytes = static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(number)), lane));
  if (bytes > 15)
    step.fail(Kind::illegal_instruction, lane,
              "a bulk copy with .ignore_oob ignores " + std::to_string(bytes) +
                  " bytes at an end; 0 to 15 are valid");
  return bytes;
}

using Bytes = std::shared_ptr<std::vector<std::byte>>;

void read_shared(Cluster& cluster, const Range& range, const Issuer& issuer, bool reaches_output,
                 Bytes into) {
  const std::byte* from = cluster.async_read(range.shared_from, range.bytes, issuer, reaches_output);
  if (from == nullptr)
    trap(Kind::illegal_address, "a bulk copy reads shared memory that the CTA does not have");
  into->assign(from, from + range.bytes);
}

std::string out_of_bounds(const Cluster& cluster, const Range& range, std::string_view does) {
  std::ostringstream out;
  out << "a bulk copy " << does << " " << range.bytes << " bytes at 0x" << std::hex << range.global << ", "
      << cluster.launch.memory.where(range.global, range.bytes);
  return out.str();
}

void read_global(Cluster& cluster, const Range& range, Bytes into) {
  into->assign(range.bytes, std::byte{});
  const GlobalRange kept = range.kept();
  if (kept.bytes == 0) return;
  const std::byte* from = cluster.global(kept.address, kept.bytes);
  if (from == nullptr) trap(Kind::illegal_address, out_of_bounds(cluster, range, "reads"));
  std::copy(from, from + kept.bytes, into->begin() + range.kept_begin());
}

/// What arrived for bytes that are ignored is as if nobody had written it.
void forget_ignored(Cluster& cluster, const Range& range, uint32_t target) {
  uint8_t* const written = cluster.cta_at(target)->written.data() + (target & shared_offset_mask);
  std::memset(written, 0, range.kept_begin());
  std::memset(written + range.kept_end(), 0, range.bytes - range.kept_end());
}

/// Puts the source where it belongs, or reduces what is there by it.
void place(const Cluster& cluster, const BulkForm& form, std::byte* to, const std::vector<std::byte>& bytes,
           uint32_t keep) {
  if (form.reduction) {
    Reduction reduction = *form.reduction;
    if (reduction.type == ReduceType::f32 &&
        DeviceReadings(cluster.settings()).is({"BULK-AMB-02", "flushes"}))
      reduction.type = ReduceType::f32_ftz;
    reduce_elements(steps_for(cluster.settings()), reduction, to, bytes.data(),
                    static_cast<uint32_t>(bytes.size()), /*is_tensor=*/false);
    return;
  }
  for (size_t i = 0; i < bytes.size(); ++i)
    if (keep >> (i % 16) & 1) to[i] = bytes[i];
}

void write_shared(Cluster& cluster, const BulkForm& form, uint32_t target, const Issuer& issuer,
                  const std::vector<std::byte>& bytes) {
  std::byte* to = cluster.async_write(target, bytes.size(), issuer);
  if (to == nullptr)
    trap(Kind::illegal_address, "a bulk copy writes shared memory that the CTA does not have");
  place(cluster, form, to, bytes, 0xffff);
}

/// The CTA that a copy to one CTA goes to.
uint32_t target_rank(const Step& step, const BulkForm& form, const Range& range) {
  const uint32_t named = range.shared_to >> shared_rank_shift;
  if (form.direction != BulkDirection::global_to_shared) return named;
  return steps_for(step.cluster.settings()).load_rank(named, step.cta.rank, /*is_tensor=*/false);
}

/// The mbarrier that a copy to one CTA signals, by the offset of the operand.
uint32_t signalled_barrier(const Step& step, const BulkForm& form, const Range& range, int lane) {
  const auto barrier = static_cast<uint32_t>(address(step, form.barrier, lane));
  const uint32_t rank = steps_for(step.cluster.settings())
                            .bulk_signalled(target_rank(step, form, range), barrier >> shared_rank_shift);
  return rank << shared_rank_shift | (barrier & shared_offset_mask);
}

void issue_delivery(Step& step, const BulkForm& form, const Range& range, int lane) {
  Cluster& cluster = step.cluster;
  const Issuer issuer = step.issuer(lane);
  const auto bytes = std::make_shared<std::vector<std::byte>>();
  Delivery delivery;
  delivery.is_multicast = form.cta_mask >= 0;
  delivery.ranks = delivery.is_multicast ? mask_of(step, form.cta_mask, lane, form.mask_bits)
                                         : 1u << (target_rank(step, form, range) & 31);
  delivery.uses_barrier_cta = true;
  delivery.is_reduction = form.reduction.has_value();
  delivery.barrier = signalled_barrier(step, form, range, lane);
  delivery.writes.push_back({range.shared_to & shared_offset_mask, range.bytes});
  delivery.transaction_bytes =
      steps_for(cluster.settings())
          .bulk_signal({range.size, range.bytes, delivery.is_multicast, form.reduction.has_value()});
  if (form.direction == BulkDirection::global_to_shared)
    delivery.read = [&cluster, range, bytes] { read_global(cluster, range, bytes); };
  else
    delivery.read = [&cluster, range, issuer, bytes] { read_shared(cluster, range, issuer, false, bytes); };
  delivery.write = [&cluster, form, range, issuer, bytes](uint32_t rank) {
    const uint32_t target = rank << shared_rank_shift | (range.shared_to & shared_offset_mask);
    write_shared(cluster, form, target, issuer, *bytes);
    forget_ignored(cluster, range, target);
  };
  if (form.direction == BulkDirection::shared_to_cluster)
    delivery.reads.push_back({range.shared_from, range.bytes});
  else
    delivery.global_reads.push_back(range.kept());
  deliver(step, lane, delivery);
}

void issue_store(Step& step, const BulkForm& form, const Range& range, int lane) {
  Cluster& cluster = step.cluster;
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  operation.group = step.warp.bulk_groups[static_cast<size_t>(lane)].open();
  operation.shared_reads.push_back({range.shared_from, range.bytes});
  operation.is_reduction = form.reduction.has_value();
  if (form.byte_mask < 0) operation.global_writes.push_back({range.global, range.bytes});
  const auto bytes = std::make_shared<std::vector<std::byte>>();
  const uint32_t keep = form.byte_mask < 0 ? 0xffff : mask_of(step, form.byte_mask, lane);
  const bool is_late = form.reduction && steps_for(cluster.settings()).reduces_late(/*is_tensor=*/false);
  operation.read = [&cluster, range, issuer = operation.issuer, keep, bytes, is_late] {
    if (is_late) return;
    read_shared(cluster, range, issuer, keep == 0xffff, bytes);
    if (keep == 0xffff) return;
    for (uint32_t i = 0; i < range.bytes; ++i)
      if (keep >> (i % 16) & 1) cluster.async_read(range.shared_from + i, 1, issuer, true);
  };
  operation.write = [&cluster, form, range, keep, bytes, issuer = operation.issuer, is_late] {
    if (is_late) read_shared(cluster, range, issuer, /*reaches_output=*/true, bytes);
    std::byte* to = cluster.global(range.global, range.bytes);
    if (to == nullptr) trap(Kind::illegal_address, out_of_bounds(cluster, range, "writes"));
    if (cluster.strict) cluster.strict->global_write(range.global, range.bytes, issuer);
    place(cluster, form, to, *bytes, keep);
    cluster.moved();
  };
  cluster.async.issue(std::move(operation));
}

}  // namespace

uint32_t execute_bulk(Step& step) {
  const BulkForm& form = step.data<BulkForm>();
  for_lanes(step.mask, [&](int lane) {
    Range range = read_range(step, form, lane);
    if (range.bytes == 0) return;
    range.ignored_left = ignored_bytes(step, form.ignored_left, lane);
    range.ignored_right = ignored_bytes(step, form.ignored_right, lane);
    if (step.cluster.strict && form.direction != BulkDirection::shared_to_cluster)
      step.cluster.strict->grid_access(range.kept().address, range.kept().bytes, step.issuer(lane));
    if (form.direction == BulkDirection::shared_to_global) issue_store(step, form, range, lane);
    if (form.barrier >= 0) issue_delivery(step, form, range, lane);
  });
  return step.mask;
}

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
    operation.global_reads = delivery.global_reads;
    operation.tensor_map = delivery.tensor_map;
    operation.is_reduction = delivery.is_reduction;
    for (const SharedRange& range : delivery.writes) {
      operation.shared_writes.push_back(range);
      operation.shared_writes.back().address |= rank << shared_rank_shift;
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
