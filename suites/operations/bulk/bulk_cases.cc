#include "suites/operations/bulk/bulk_cases.h"

#include <algorithm>

#include "generators/rig.h"

namespace assay::suites {
namespace {

using gen::CaseId;
using gen::Random;
namespace rig = gen::rig;

constexpr uint32_t size_class_ends[] = {16, 128, 1 << 10, 8 << 10, 64 << 10, 192 << 10};
/// Of one output; larger ones take the place of many others in a batch.
constexpr uint64_t most_output_bytes = 512 << 10;

uint32_t cluster_size(const CaseId& id) {
  constexpr uint32_t sizes[] = {2, 1, 4, 8}, block = 64;
  return sizes[id.index / block % 4];
}

/// A multiple of 16; small ones are the most.
uint32_t pick_bytes(const CaseId& id, Random& random, uint64_t most) {
  uint32_t size_class = static_cast<uint32_t>(id.index % 4);
  if (random.one_in(64)) size_class = 4 + random.below(2);
  if (size_class == 3 && !random.one_in(4)) size_class = 2;
  const uint32_t low = size_class == 0 ? 16 : size_class_ends[size_class - 1] + 16;
  const auto end = static_cast<uint32_t>(std::min<uint64_t>(most, size_class_ends[size_class]));
  if (low >= end) return end / 16 * 16;
  return 16 * random.between(low / 16, end / 16);
}

uint32_t guard(Random& random) {
  return 16 * random.between(1, random.one_in(8) ? 40 : 8);
}

/// Room for `bytes` at an offset, with guards on both sides.
uint32_t room(uint64_t offset, uint32_t bytes, Random& random) {
  return static_cast<uint32_t>(offset) + bytes + guard(random);
}

void fill(BulkCase& c, Random& random) {
  const uint64_t windows = uint64_t{c.window_bytes} * c.cluster_size;
  c.fill_offset = 16 * random.below64((rig::arena_bytes - windows) / 16 + 1);
  c.slot_fill_offset = 16 * random.below64((rig::arena_bytes - c.slot_bytes) / 16 + 1);
  if (is_reduction(c.op)) c.pool_seed = random.next() >> 16;
}

/// Puts a copy of so many bytes somewhere: guards around all that it touches.
void place(BulkCase& c, uint32_t bytes, Random& random) {
  c.size = bytes;
  c.issuer_rank = random.below(c.cluster_size);
  c.target_rank = random.below(c.cluster_size);
  c.barrier = random.below(2);
  c.names_own_barrier = c.target_rank != c.issuer_rank && random.one_in(2);
  const uint32_t first = guard(random);
  c.window_bytes = room(first, bytes, random);
  if (c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster) {
    // Within one window side by side, between windows anywhere.
    const uint32_t second = c.window_bytes;
    c.source_offset = first, c.target_offset = second;
    c.window_bytes = room(second, bytes, random);
    if (random.one_in(2)) std::swap(c.source_offset, c.target_offset);
  } else if (reads_shared(c.op)) {
    c.source_offset = first;
  } else {
    c.source_offset = 16 * random.below64((rig::arena_bytes - bytes) / 16 + 1);
    if (c.op != BulkOp::prefetch) c.target_offset = first;
  }
  if (c.op == BulkOp::multicast) c.cta_mask = static_cast<uint16_t>(random.below(1u << c.cluster_size));
  if (writes_global(c.op)) {
    c.target_offset = guard(random);
    c.slot_bytes = room(c.target_offset, bytes, random);
  }
  if (!is_reduction(c.op)) c.cache_hint = random.one_in(8) && c.op != BulkOp::peer;
  fill(c, random);
}

/// Bytes that windows of this cluster have room for, `copies` times each.
uint64_t most_bytes(const BulkCase& c, uint32_t copies) {
  constexpr uint32_t guards = 3 * 40 * 16;
  const uint64_t windows = std::min<uint64_t>(most_output_bytes / c.cluster_size, rig::max_window_bytes);
  const uint64_t of_window = (windows - guards) / copies;
  return writes_global(c.op)
             ? std::min<uint64_t>(of_window, most_output_bytes / (c.cluster_size + 1) - guards)
             : of_window;
}

bool is_between_windows(BulkOp op) {
  return op == BulkOp::peer || op == BulkOp::reduce_cluster;
}

void begin(const CaseId& id, BulkOp op, BulkCase& c) {
  c = {};
  c.op = op;
  c.cluster_size = cluster_size(id);
  // A CTA alone faults (BULK-AMB-03): a case for the faults.
  if (is_between_windows(op)) c.cluster_size = std::max(2u, c.cluster_size);
}
void make(const CaseId& id, Random& random, BulkCase& c) {
  const uint32_t copies = c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster ? 2 : 1;
  place(c, pick_bytes(id, random, most_bytes(c, copies)), random);
}

/// An unmapped source is near the address where nothing is.
void stay_low(BulkCase& c) {
  if (c.unmapped && !reads_shared(c.op)) c.source_offset %= 1 << 15;
}

constexpr BulkOp loads[] = {BulkOp::load_cta, BulkOp::load_cluster, BulkOp::multicast};
constexpr BulkOp all_ops[] = {BulkOp::load_cta,      BulkOp::load_cluster,  BulkOp::multicast,
                              BulkOp::store,         BulkOp::peer,          BulkOp::prefetch,
                              BulkOp::reduce_global, BulkOp::reduce_cluster};

/// One that the destination has.
BulkReductionIndex pick_reduction(uint64_t from, bool to_shared) {
  auto at = static_cast<uint32_t>(from % spec::bulk_reductions.size());
  while (to_shared && !spec::bulk_reductions[at].to_shared)
    at = static_cast<uint32_t>((at + 1) % spec::bulk_reductions.size());
  return static_cast<BulkReductionIndex>(at);
}

/// A small copy of any kind.
void make_small(const CaseId& id, BulkOp op, Random& random, BulkCase& c) {
  begin(id, op, c);
  if (is_reduction(op)) c.reduction = pick_reduction(random.below(1 << 16), op == BulkOp::reduce_cluster);
  place(c, 16 * random.between(1, 16), random);
}

}  // namespace

uint32_t bulk_size_class(uint32_t bytes) {
  uint32_t found = 0;
  while (found + 1 < bulk_size_classes && bytes > size_class_ends[found]) ++found;
  return found;
}

void make_bulk_load(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, loads[id.index / 4 % 3], c);
  make(id, random, c);
}

void make_bulk_store(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::store, c);
  make(id, random, c);
  if (spec::is_sm_10x(id.arch) && random.one_in(3)) {
    c.byte_mask = static_cast<uint16_t>(random.below(0xffff));
    c.cache_hint = false;
  }
}

void make_bulk_peer(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::peer, c);
  make(id, random, c);
}

void make_bulk_prefetch(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::prefetch, c);
  make(id, random, c);
  c.unmapped = random.one_in(3);
  stay_low(c);
}

void make_bulk_transaction(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  constexpr BulkOp ops[] = {BulkOp::load_cta, BulkOp::load_cluster, BulkOp::multicast, BulkOp::peer,
                            BulkOp::reduce_cluster};
  make_small(id, ops[id.index / 3 % 5], random, c);
  if (c.op == BulkOp::multicast && c.cta_mask == 0) c.cta_mask = 1;
  const auto bytes = static_cast<int32_t>(c.size);
  const int32_t steps[] = {1, 15, 16, 17, bytes};
  const int32_t delta = steps[random.below(5)];
  if (id.index % 3 == 1) c.transaction_delta = delta;
  if (id.index % 3 == 2) c.transaction_delta = -std::min(delta, bytes);
}

void make_bulk_odd_size(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  make_small(id, all_ops[id.index % 8], random, c);
  const bool is_empty = random.one_in(3);
  if (is_empty) c.size = 0;
  const uint32_t low = random.below(16);
  c.size += low;
  if (low == 0 || random.one_in(2)) c.size += random.between(1, 4095) << 20;
  if (!is_empty) return;
  // Addresses that no copy may have: nobody looks.
  if (random.one_in(2)) c.source_offset += random.between(1, 15);
  if (random.one_in(2)) c.target_offset += random.between(1, 15);
  if (c.op != BulkOp::peer && c.op != BulkOp::reduce_cluster) c.unmapped = random.one_in(2);
  stay_low(c);
}

void make_bulk_fault(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  const BulkOp op = all_ops[id.index / 5 % 8];
  make_small(id, op, random, c);
  if (op == BulkOp::multicast && c.cta_mask == 0) c.cta_mask = 1;
  constexpr uint32_t shifts[] = {1, 2, 4, 8, 12};
  constexpr uint32_t beyond = 228 << 10;  // an SM has no more
  const uint32_t shift = shifts[random.below(5)];
  const bool in_shared = is_between_windows(op);
  // Between windows most cases are of a CTA alone: few others decide BULK-AMB-03.
  if (in_shared && id.index % 5 >= 2) {
    c.cluster_size = 1;
    c.issuer_rank = c.target_rank = 0;
    c.names_own_barrier = false;
    return;
  }
  // Not all of the first few fault alike: a device that has one fault for everything must not conform.
  switch ((2 * id.index + 3) % 5) {
    case 1:
      if (op != BulkOp::prefetch) {
        c.target_offset += shift;
        return;
      }
      break;
    case 2:
      if (signals(op)) {
        c.barrier_shift = std::min(shift, 4u);
        return;
      }
      break;
    case 3:
      if (op != BulkOp::prefetch && !in_shared) {
        c.unmapped = true;
        stay_low(c);
        return;
      }
      break;
    case 4:
      if (reads_shared(op) && (writes_global(op) || random.one_in(2))) {
        c.source_offset = beyond + guard(random);
        return;
      }
      if (op != BulkOp::prefetch) {
        c.target_offset = beyond + guard(random);
        return;
      }
      break;
    default:
      break;
  }
  c.source_offset += c.source_offset + 2 * c.size > rig::arena_bytes ? 0u - shift : shift;
}

void make_bulk_reduce_global(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::reduce_global, c);
  c.reduction = pick_reduction(id.index / 4, false);
  make(id, random, c);
}

void make_bulk_reduce_shared(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::reduce_cluster, c);
  c.reduction = pick_reduction(id.index / 4, true);
  make(id, random, c);
}

void make_bulk_reduce_conflict(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::reduce_global, c);
  if (c.cluster_size == 1) c.cluster_size = 4;
  c.reduction = pick_reduction(id.index, false);
  place(c, 16 * random.between(1, random.one_in(8) ? 256 : 16), random);
  // Two to four of the cluster, the issuer among them.
  uint32_t others = random.between(1, std::min(3u, c.cluster_size - 1));
  while (others != 0) {
    const uint32_t rank = random.below(c.cluster_size);
    if (rank == c.issuer_rank || (c.cta_mask >> rank & 1) != 0) continue;
    c.cta_mask = static_cast<uint16_t>(c.cta_mask | 1u << rank);
    --others;
  }
}

}  // namespace assay::suites
