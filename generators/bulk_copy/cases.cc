// SPDX-License-Identifier: Apache-2.0
#include "generators/bulk_copy/cases.h"

#include <algorithm>

#include "generators/borders.h"
#include "generators/simpler_cases.h"
#include "reference/model/rig.h"

namespace assay::suites {
namespace {

using gen::CaseId;
using gen::Random;

constexpr uint32_t size_class_ends[] = {16, 128, 1 << 10, 8 << 10, 64 << 10, 192 << 10};
/// Of one output; larger ones take the place of many others in a batch.
constexpr uint64_t most_written_bytes = 512 << 10;

uint32_t cluster_size(const CaseId& id) {
  constexpr uint32_t sizes[] = {2, 1, 4, 8}, block = 64;
  return sizes[id.index / block % 4];
}

bool is_between_windows(BulkOp op) {
  return op == BulkOp::peer || op == BulkOp::reduce_cluster;
}

/// A multiple of 16; small ones are the most, and some lie at powers of two.
uint32_t pick_bytes(const CaseId& id, Random& random, uint64_t most) {
  if (random.one_in(16)) return static_cast<uint32_t>(gen::beside_power_of_two(random, most));
  uint32_t size_class = static_cast<uint32_t>(id.index % 4);
  if (random.one_in(64)) size_class = 4 + random.below(2);
  if (size_class == 3 && !random.one_in(4)) size_class = 2;
  const uint32_t low = size_class == 0 ? 16 : size_class_ends[size_class - 1] + 16;
  const auto end = static_cast<uint32_t>(std::min<uint64_t>(most, size_class_ends[size_class]));
  if (low >= end) return end / 16 * 16;
  return 16 * random.between(low / 16, end / 16);
}

constexpr uint32_t most_guard = 16 * 40;
uint32_t guard(Random& random) {
  return 16 * random.between(1, random.one_in(8) ? most_guard / 16 : 8);
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

/// Bytes of a window, and of a slot where there is one, that a case may have.
uint64_t most_window(const BulkCase& c) {
  const uint64_t parts = writes_global(c.op) ? c.cluster_size + 1 : c.cluster_size;
  return std::min<uint64_t>(most_written_bytes / parts, rig::max_window_bytes);
}

/// Of the first of `copies` operands of so many bytes in a window: mostly near its start, where little is
/// read back, some at a border of the shared address.
uint32_t first_offset(const BulkCase& c, uint32_t bytes, uint32_t copies, Random& random) {
  const uint32_t near = guard(random);
  if (!random.one_in(32)) return near;
  const bool is_far = random.one_in(3);
  const uint64_t behind = uint64_t{copies - 1} * bytes + copies * most_guard;
  if (most_window(c) < behind) return near;
  uint64_t end = most_window(c) - behind;
  if (!is_far) end = std::min<uint64_t>(end, bytes + (16u << 10));
  const uint64_t at = gen::place_at_border(random, bytes,
                                           {.first = 16,
                                            .end = end,
                                            .before = rig::usual_window_address,
                                            .low = is_far ? 15u : 10u,
                                            .high = is_far ? 16u : 13u});
  return at == 0 ? near : static_cast<uint32_t>(at);
}

/// In the arena: anywhere, or at a border of a page or of so many address bits, its end among them.
uint64_t arena_offset(uint32_t bytes, Random& random) {
  const uint64_t anywhere = 16 * random.below64((rig::arena_bytes - bytes) / 16 + 1);
  if (!random.one_in(8)) return anywhere;
  const uint64_t at =
      gen::place_at_border(random, bytes, {.first = 0, .end = rig::arena_bytes, .low = 7, .high = 25});
  return at == 0 ? anywhere : at;
}

/// Any receivers of a multicast, more often than others all of them, all or none but one, and the last.
uint16_t pick_mask(const BulkCase& c, Random& random) {
  const uint32_t all = (1u << c.cluster_size) - 1, one = 1u << random.below(c.cluster_size);
  const uint32_t corners[] = {all, all & ~one, one, 1u << (c.cluster_size - 1)};
  return static_cast<uint16_t>(random.one_in(4) ? corners[random.below(4)] : random.below(all + 1));
}

/// Puts a copy of so many bytes somewhere: guards around all that it touches.
void place(BulkCase& c, uint32_t bytes, Random& random) {
  c.size = bytes;
  c.issuer_rank = random.below(c.cluster_size);
  c.target_rank = random.below(c.cluster_size);
  c.barrier = random.below(2);
  c.names_own_barrier = c.target_rank != c.issuer_rank && random.one_in(2);
  const uint32_t first = first_offset(c, bytes, is_between_windows(c.op) ? 2 : 1, random);
  // A prefetch has no operand there.
  c.window_bytes = room(first, c.op == BulkOp::prefetch ? std::min(bytes, 256u) : bytes, random);
  if (c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster) {
    // Within one window side by side, between windows anywhere.
    const uint32_t second = c.window_bytes;
    c.source_offset = first, c.target_offset = second;
    c.window_bytes = room(second, bytes, random);
    if (random.one_in(2)) std::swap(c.source_offset, c.target_offset);
  } else if (reads_shared(c.op)) {
    c.source_offset = first;
  } else {
    c.source_offset = arena_offset(bytes, random);
    if (c.op != BulkOp::prefetch) c.target_offset = first;
  }
  if (c.op == BulkOp::multicast) c.cta_mask = pick_mask(c, random);
  if (writes_global(c.op)) {
    c.target_offset = guard(random);
    c.slot_bytes = room(c.target_offset, bytes, random);
  }
  if (!is_reduction(c.op)) c.cache_hint = random.one_in(8) && c.op != BulkOp::peer;
  fill(c, random);
}

/// Bytes that a copy of this case may have: windows have room for `copies` times as many.
uint64_t most_bytes(const BulkCase& c, uint32_t copies) {
  if (c.op == BulkOp::prefetch) return (1 << 20) - 16;
  return (most_window(c) - 3 * most_guard) / copies;
}

void begin(const CaseId& id, BulkOp op, BulkCase& c) {
  c = {};
  c.op = op;
  c.cluster_size = cluster_size(id);
  // A CTA alone faults (BULK-AMB-03): a case for the faults.
  if (is_between_windows(op)) c.cluster_size = std::max(2u, c.cluster_size);
}
void make(const CaseId& id, Random& random, BulkCase& c) {
  place(c, pick_bytes(id, random, most_bytes(c, is_between_windows(c.op) ? 2 : 1)), random);
}

/// An unmapped source is near the address where nothing is.
void stay_low(BulkCase& c) {
  if (c.unmapped && !reads_shared(c.op)) c.source_offset %= 1 << 15;
}

/// Of a copy of no bytes: operands in no memory of any kind, or in another's window, and receivers that are
/// not there, at which nobody looks.
void go_anywhere(Random& random, BulkCase& c) {
  const auto anywhere = [&](bool is_shared) {
    constexpr uint64_t shared_addresses = uint64_t{1} << 32;
    return is_shared ? random.below64(shared_addresses) : random.next() >> 1;
  };
  if (random.one_in(2)) c.source_offset = anywhere(reads_shared(c.op));
  if (random.one_in(2) && c.op != BulkOp::prefetch) c.target_offset = anywhere(!writes_global(c.op));
  if (random.one_in(2) && signals(c.op)) c.barrier_shift = random.between(1, 7);
  Random mask = gen::apart(random);
  if (c.op == BulkOp::multicast && mask.one_in(2)) c.cta_mask = static_cast<uint16_t>(mask.next());
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

/// Of so many groups at most there are all numbers that a wait may leave.
constexpr uint32_t usual_pieces = 8;

/// Some small copies come in pieces: of one lane, in groups of which a wait leaves some, or of several lanes
/// that execute one instruction.
void split(Random& random, BulkCase& c) {
  if (!random.one_in(3) || c.size < 32 || c.size > most_bytes_in_pieces) return;
  c.pieces = random.between(2, std::min(usual_pieces, c.size / 16));
  const uint32_t last = 1u << (c.pieces - 1);
  if (random.one_in(3)) {
    c.lanes = random.between(2, c.pieces);
    c.group_ends = 2 * last - 1;
    return;
  }
  c.group_ends = last | (random.one_in(2) ? 2 * last - 1 : random.below(2 * last));
  if (!writes_global(c.op)) return;
  c.ends_empty = random.one_in(4);
  // Of all groups one at least is waited for half of the time.
  c.pending = random.below(random.one_in(2) ? c.pieces : usual_pieces);
  c.waits_for_reads = random.one_in(2);
  // Now and then more groups than a wait can leave, by a stream of its own.
  Random many = gen::apart(random);
  if (c.size / 16 < most_bulk_pieces || !many.one_in(4)) return;
  c.pieces = most_bulk_pieces;
  c.group_ends = (2u << (most_bulk_pieces - 1)) - 1;
  if (!many.one_in(4)) c.pending = many.between(usual_pieces, most_bulk_pending);
}

/// Waits between some pieces and the ends of their groups, now and then. By a stream of its own.
void wait_early(Random random, BulkCase& c) {
  random = gen::apart(gen::apart(random));
  if (!random.one_in(4)) return;
  const uint32_t all = (1u << c.pieces) - 1;
  c.early_waits = random.one_in(2) ? 1u << random.below(c.pieces) : 1 + random.below(all);
}

/// Any thread of the CTA, half of the time. By a stream of its own.
void place_issue(Random random, BulkCase& c) {
  random = gen::apart(random);
  if (random.one_in(2)) c.issuer_thread = 32 * random.below(4) + random.below(33 - c.lanes);
  c.spelling = gen::drawn_spelling(random);
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
  split(random, c);
  place_issue(random, c);
}

void make_bulk_non_portable(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  constexpr BulkOp ops[] = {BulkOp::multicast, BulkOp::load_cluster, BulkOp::multicast,
                            BulkOp::peer,      BulkOp::multicast,    BulkOp::reduce_cluster};
  begin(id, ops[id.index / 4 % std::size(ops)], c);
  c.cluster_size = rig::largest_cluster;
  if (is_reduction(c.op)) c.reduction = pick_reduction(random.below(1 << 16), true);
  make(id, random, c);
  split(random, c);
  place_issue(random, c);
}

void make_bulk_store(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::store, c);
  make(id, random, c);
  if (spec::has_tcgen05(id.arch) && random.one_in(3)) {
    const uint32_t one = 1u << random.below(16);
    const uint32_t corners[] = {0, one, 0xffff & ~one};
    c.byte_mask = static_cast<uint16_t>(random.one_in(4) ? corners[random.below(3)] : random.below(0xffff));
    c.cache_hint = false;
  }
  split(random, c);
  wait_early(random, c);
  place_issue(random, c);
}

void make_bulk_peer(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::peer, c);
  make(id, random, c);
  split(random, c);
  place_issue(random, c);
}

void make_bulk_prefetch(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::prefetch, c);
  make(id, random, c);
  c.unmapped = random.one_in(3);
  stay_low(c);
  c.spelling = gen::drawn_spelling(id.random());
}

void make_bulk_transaction(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  constexpr BulkOp ops[] = {BulkOp::load_cta, BulkOp::load_cluster, BulkOp::multicast, BulkOp::peer,
                            BulkOp::reduce_cluster};
  make_small(id, ops[id.index / 3 % 5], random, c);
  if (random.one_in(16)) make(id, random, c);
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
  if (random.one_in(2)) go_anywhere(random, c);
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
  if (c.source_offset + 2 * c.size > rig::arena_bytes)
    c.source_offset -= shift;
  else
    c.source_offset += shift;
}

void make_bulk_reduce_global(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::reduce_global, c);
  c.reduction = pick_reduction(id.index / 4, false);
  make(id, random, c);
  split(random, c);
  wait_early(random, c);
  place_issue(random, c);
}

void make_bulk_reduce_shared(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::reduce_cluster, c);
  c.reduction = pick_reduction(id.index / 4, true);
  make(id, random, c);
  split(random, c);
  place_issue(random, c);
}

void make_bulk_reduce_conflict(const CaseId& id, BulkCase& c) {
  Random random = id.random();
  begin(id, BulkOp::reduce_global, c);
  if (c.cluster_size == 1) c.cluster_size = 4;
  c.reduction = pick_reduction(id.index, false);
  const uint32_t drawn = 16 * random.between(1, random.one_in(8) ? 256 : 16);
  place(c, random.one_in(16) ? static_cast<uint32_t>(gen::beside_power_of_two(random, 8192)) : drawn, random);
  // Two to four of the cluster, the issuer among them.
  uint32_t others = random.between(1, std::min(3u, c.cluster_size - 1));
  while (others != 0) {
    const uint32_t rank = random.below(c.cluster_size);
    if (rank == c.issuer_rank || (c.cta_mask >> rank & 1) != 0) continue;
    c.cta_mask = static_cast<uint16_t>(c.cta_mask | 1u << rank);
    --others;
  }
}

namespace {

template <typename Number>
void add_less(gen::SimplerCases<BulkCase>& steps, const BulkCase& c, Number BulkCase::*member, Number unit,
              Number least = 0) {
  const Number value = c.*member;
  for (const Number less : {least, static_cast<Number>(value / 2 / unit * unit),
                            static_cast<Number>(value - std::min(value, unit))})
    if (less < value && less >= least) steps.offer([&](BulkCase& s) { s.*member = less; });
}

}  // namespace

std::vector<BulkCase> simpler(const BulkCase& c) {
  gen::SimplerCases<BulkCase> steps(c, [](const BulkCase& s) { return what_is_wrong(s).empty(); });
  if (c.cluster_size > 1)
    steps.offer([](BulkCase& s) {
      s.cluster_size /= 2;
      s.issuer_rank %= s.cluster_size, s.target_rank %= s.cluster_size;
      s.cta_mask = static_cast<uint16_t>(s.cta_mask & ((1u << s.cluster_size) - 1));
    });
  steps.offer([](BulkCase& s) { s.cache_hint = false; });
  steps.offer([](BulkCase& s) { s.spelling = 0; });
  steps.offer([](BulkCase& s) { s.names_own_barrier = false; });
  steps.offer([](BulkCase& s) { s.barrier = 0; });
  steps.offer([](BulkCase& s) { s.byte_mask = 0xffff; });
  steps.offer([](BulkCase& s) {
    s.pieces = s.lanes = s.group_ends = 1;
    s.ends_empty = s.waits_for_reads = false;
    s.pending = s.early_waits = 0;
  });
  steps.offer([](BulkCase& s) { s.lanes = 1; });
  if (c.pieces > 1)
    steps.offer([](BulkCase& s) {
      --s.pieces;
      s.lanes = std::min(s.lanes, s.pieces);
      s.group_ends = (s.group_ends & ((1u << s.pieces) - 1)) | 1u << (s.pieces - 1);
      s.early_waits &= (1u << s.pieces) - 1;
    });
  steps.offer([](BulkCase& s) { s.ends_empty = false; });
  steps.offer([](BulkCase& s) { s.waits_for_reads = false; });
  if (c.pending != 0) steps.offer([](BulkCase& s) { --s.pending; });
  for (uint32_t waits = c.early_waits; waits != 0; waits &= waits - 1)
    steps.offer([&](BulkCase& s) { s.early_waits &= ~(waits & -waits); });
  for (uint32_t mask = c.cta_mask; mask != 0; mask &= mask - 1)
    steps.offer([&](BulkCase& s) { s.cta_mask = static_cast<uint16_t>(s.cta_mask & ~(mask & -mask)); });
  add_less(steps, c, &BulkCase::size, 16u, c.size >= 16 ? 16u : 0u);
  if (c.size >= 16) steps.offer([](BulkCase& s) { s.size = s.size / 16 * 16; });
  if (c.size >= 1 << 20) steps.offer([](BulkCase& s) { s.size %= 1 << 20; });
  add_less<uint64_t>(steps, c, &BulkCase::source_offset, 16);
  add_less<uint64_t>(steps, c, &BulkCase::target_offset, 16);
  add_less(steps, c, &BulkCase::window_bytes, 16u);
  add_less(steps, c, &BulkCase::slot_bytes, 16u);
  add_less<uint64_t>(steps, c, &BulkCase::fill_offset, 16);
  add_less<uint64_t>(steps, c, &BulkCase::slot_fill_offset, 16);
  steps.offer([](BulkCase& s) { s.pool_seed = 0; });
  steps.offer([](BulkCase& s) { s.issuer_rank = 0; });
  steps.offer([](BulkCase& s) { s.issuer_thread = 0; });
  steps.offer([](BulkCase& s) { s.target_rank = 0; });
  return std::move(steps.made);
}

}  // namespace assay::suites
