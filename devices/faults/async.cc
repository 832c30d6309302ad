// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "devices/emulator/async/async.h"
#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"

/// What is asynchronous beside copies of tensors: mbarrier objects, bulk copies, reductions and their groups,
/// and clusters that take the place of others.
namespace assay::faults {
namespace {

using namespace emulator;

/// The sum of two numbers of bf16 rounded towards zero, the largest number where it is too large. In f64 it
/// is rounded once, and what that took away says by which side.
uint64_t truncated_bf16(float a, float b) {
  double sum = double{a} + b;
  if (std::isnan(sum)) return 0x7fff;
  if (!std::isinf(sum)) {
    const double larger = std::abs(a) < std::abs(b) ? b : a;
    const double smaller = larger == a ? b : a, lost = smaller - (sum - larger);
    if (lost != 0 && (lost < 0) != (sum < 0)) sum = std::nextafter(sum, 0.0);
  }
  auto narrow = static_cast<float>(sum);
  if (std::abs(double{narrow}) > std::abs(sum)) narrow = std::nextafter(narrow, 0.0f);
  return std::bit_cast<uint32_t>(narrow) >> 16;
}

/// mbarrier objects.
const Fault barriers[] = {
    {"barrier_arrival_lost",
     "The arrival that would complete a phase is sometimes lost: where two are pending, one arrival has no "
     "effect.",
     "MBAR-R02", "barrier.sequence 22", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       if (change.before.expected >= 3 && change.before.pending == 2 && after.pending == 1) after.pending = 2;
     }},
    {"barrier_completes_with_bytes_pending",
     "A phase completes when all arrivals are in, although bytes are still pending.", "MBAR-R06",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange&, Mbarrier& after, uint64_t&) {
       if (after.pending != 0 || after.transactions <= 0) return;
       after.phase = !after.phase;
       after.pending = after.expected;
     }},
    {"barrier_drop_keeps_expected",
     "mbarrier.arrive_drop arrives, but the next phase still expects the thread.", "MBAR-R03",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       after.expected = change.before.expected;
       if (after.phase != change.before.phase) after.pending = after.expected;
     }},
    {"barrier_expect_tx_truncated", "expect-tx drops bit 12 of the byte count.", "MBAR-R04",
     "barrier.sequence 29", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       const int32_t added = after.transactions - change.before.transactions;
       if (added > 0) after.transactions = change.before.transactions + (added & ~0x1000);
     }},
    {"barrier_phase_keeps_count", "A completed phase leaves one arrival fewer pending than expected.",
     "MBAR-R07", "barrier.sequence 8", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       if (after.phase != change.before.phase && after.pending > 1) --after.pending;
     }},
    {"barrier_phase_33_lacks_one", "The phase after the 32nd of a barrier expects one arrival fewer.",
     "MBAR-R07", "barrier.sequence 36", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       if (after.phase != change.before.phase && after.ended == 32 && after.pending > 1) --after.pending;
     }},
    {"barrier_ended_by_bytes_expects_one_more",
     "A phase completed by asynchronous bytes leaves one arrival more pending than expected, if the barrier "
     "counts several.",
     "(ptx, mbarrier: phase completion)", "barrier.sequence 7", &Steps::bytes_arrived,
     [](const Mbarrier& before, Mbarrier& after) {
       if (after.phase != before.phase && after.pending > 1) ++after.pending;
     }},
    {"barrier_arrivals_of_upper_lanes_lost_apart",
     "Arrivals of lanes 24 and up are lost when lanes arrive at several barriers at once.", "MBAR-R02",
     "barrier.sequence 62", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::arrive && change.is_apart && change.lane >= 24)
         after = change.before;
     }},
    {"barrier_arrivals_16_bits", "An arrival uses only the low 16 bits of its count.", "MBAR-R02",
     "barrier.sequence 35", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::arrive || change.arrivals < 1 << 16) return;
       after = change.before;
       (void)after.arrive(change.arrivals % (1 << 16), change.drops);
     }},
    {"barrier_count_8_bits", "mbarrier.init uses only the low 8 bits of the count if they are not 0.",
     "MBAR-R01", "barrier.sequence 3", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::init || after.expected % 256 == 0) return;
       after.expected = after.pending = after.expected % 256;
     }},
    {"barrier_bytes_of_19_bits", "Pending bytes of 2^19 and more lose bit 19.", "MBAR-R04",
     "barrier.sequence 41", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::expect && after.transactions >= 1 << 19)
         after.transactions -= 1 << 19;
     }},
    {"barrier_count_of_11_bits", "mbarrier.init uses only the low 11 bits of the count if they are not 0.",
     "MBAR-R01", "barrier.sequence 3", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init && after.expected % 2048 != 0)
         after.expected = after.pending = after.expected % 2048;
     }},
    {"barrier_drop_of_several_leaves_one_fewer",
     "mbarrier.arrive_drop of several arrivals lowers the count of later phases by only one.", "MBAR-R03",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.drops || change.arrivals < 2) return;
       after.expected = change.before.expected - 1;
       if (after.phase != change.before.phase) after.pending = after.expected;
     }},
    {"barrier_init_keeps_phase", "mbarrier.init keeps the phase of the barrier that was there before.",
     "MBAR-R01", "barrier.sequence 4", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) after.phase = change.before.phase;
     }},
    {"barrier_drop_keeps_pending",
     "mbarrier.arrive_drop leaves later phases but does not arrive at this one.", "MBAR-R03",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.drops) return;
       after.phase = change.before.phase;
       after.pending = change.before.pending;
       after.transactions = change.before.transactions + static_cast<int32_t>(change.bytes);
     }},
    {"barrier_drop_to_none_expects_one", "A barrier that all threads have left expects one arrival again.",
     "MBAR-R08", "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.drops || after.expected != 0) return;
       after.expected = 1;
       if (after.phase != change.before.phase) after.pending = 1;
     }},
    {"barrier_drop_to_none_stays_open",
     "The arrive_drop of the last expected thread does not complete the phase.", "MBAR-R08",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.drops && after.expected == 0) after.phase = change.before.phase;
     }},
    {"barrier_early_bytes_lost", "Bytes that complete before they are expected are not counted.", "MBAR-R05",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange&, Mbarrier& after, uint64_t&) {
       if (after.transactions >= 0) return;
       after.transactions = 0;
       if (after.pending != 0) return;
       after.phase = !after.phase;
       after.pending = after.expected;
     }},
    {"barrier_expect_never_completes",
     "A phase whose bytes completed before they were expected is not completed by the expect_tx that "
     "balances them.",
     "MBAR-R06", "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::expect || after.phase == change.before.phase) return;
       after = change.before;
       after.transactions = 0;
     }},
    {"barrier_expect_of_none_ignored",
     "mbarrier.arrive.expect_tx of zero bytes does nothing; it does not even arrive.", "MBAR-R04",
     "barrier.sequence 52", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.expects && change.bytes == 0) after = change.before;
     }},
    {"barrier_expect_of_none_is_one", "mbarrier.expect_tx of zero bytes expects one.", "MBAR-R04",
     "barrier.sequence 18", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::expect && change.bytes == 0) ++after.transactions;
     }},
    {"barrier_generic_counts_one", "An arrival at a generic address counts as one, whatever its count.",
     "MBAR-R12", "barrier.sequence 4", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::arrive || !change.is_generic || change.arrivals < 2) return;
       after = change.before;
       (void)after.arrive(1, change.drops);
     }},
    {"barrier_noinc_adds_arrival",
     "cp.async.mbarrier.arrive.noinc adds a pending arrival, as without .noinc.", "MBAR-R13",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::track && !change.adds_itself) ++after.pending;
     }},
    {"barrier_copies_add_nothing",
     "cp.async.mbarrier.arrive does not add a pending arrival if one is pending, as with .noinc.", "MBAR-R13",
     "barrier.sequence 83", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.adds_itself && change.before.pending == 1) after.pending = 1;
     }},
    {"barrier_noinc_without_copies_lost",
     "cp.async.mbarrier.arrive.noinc of a thread without pending copies does not arrive.", "MBAR-R13",
     "barrier.sequence 2", &Steps::arrives_without_copies, [](bool adds_itself) { return adds_itself; },
     on_lazy_sm_90},
    {"barrier_copies_arrive_without_copies_lost",
     "cp.async.mbarrier.arrive of a thread without pending copies adds a pending arrival but does not "
     "arrive.",
     "MBAR-R13", "barrier.sequence 40", &Steps::arrives_without_copies,
     [](bool adds_itself) { return !adds_itself; }, on_lazy_sm_90},
    {"barrier_expect_of_another_is_of_own",
     "expect_tx for the barrier of another CTA goes to the CTA's own barrier at that offset, if there is "
     "one.",
     "(ptx, mbarrier.expect_tx)", "barrier.sequence 7", &Steps::barrier_rank,
     [](uint32_t named, uint32_t own, bool expects) { return expects ? own : named; }},
    {"barrier_init_keeps_bytes",
     "mbarrier.init keeps the pending bytes of the barrier that was there before.", "MBAR-R01",
     "barrier.sequence 2", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) after.transactions = change.before.transactions;
     }},
    {"barrier_limit_says_complete",
     "mbarrier.try_wait reports the phase as complete once its time limit has passed.", "MBAR-R11",
     "barrier.sequence 2", &Steps::barrier_waited,
     [](bool is_complete, bool has_limit) { return is_complete || has_limit; }},
    {"barrier_no_complete_completes",
     "An arrival with .noComplete completes the phase, whatever is still pending.", "MBAR-R09",
     "barrier.sequence 1", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.no_complete || after.phase != change.before.phase) return;
       after.phase = !after.phase;
       after.pending = after.expected;
     }},
    {"barrier_remote_counts_one",
     "An arrival at the barrier of another CTA counts as one, whatever its count.", "MBAR-R02",
     "barrier.sequence 39", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::arrive || !change.is_remote || change.arrivals < 2) return;
       after = change.before;
       (void)after.arrive(1, change.drops);
     }},
    {"barrier_token_is_of_after",
     "The state that an arrival returns holds the pending count after that arrival.", "MBAR-R10",
     "barrier.sequence 4", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t& token) {
       if (change.kind == BarrierChange::Kind::arrive && after.phase == change.before.phase)
         token = after.token(change.no_complete);
     }},
};

/// What an honest device makes of an element, as another reduction.
uint64_t as(const ReductionQuery& q, Reduction other) {
  return reduced(other, q.old, q.operand);
}
uint64_t right(const ReductionQuery& q) {
  return reduced(q.reduction, q.old, q.operand);
}

/// Bulk copies that are not of tensors, and reductions of both kinds.
const Fault bulk[] = {
    {"bulk_barrier_of_the_address", "A copy to a peer signals the barrier in the CTA that its address names.",
     "BULK-R05", "bulk.copy.global_to_shared 6", &Steps::bulk_signalled,
     [](uint32_t, uint32_t named) -> uint32_t { return named; }},
    {"bulk_load_to_peer_stays", "A bulk load to another CTA of the cluster goes to the CTA that issues it.",
     "BULK-R01", "bulk.copy.global_to_shared 6", &Steps::load_rank,
     [](uint32_t named, uint32_t issuer, bool is_tensor) { return is_tensor ? named : issuer; }},
    {"bulk_multicast_signals_16_short", "A bulk multicast signals sixteen bytes too few.", "BULK-R04",
     "bulk.copy.global_to_shared 9", &Steps::bulk_signal,
     [](const BulkQuery& q) -> uint32_t { return q.is_multicast ? q.moved - 16 : q.moved; }},
    {"bulk_reduction_signals_nothing", "A reduction of shared memory signals no bytes.", "BULK-R02",
     "bulk.copy.non_portable_cluster 21", &Steps::bulk_signal,
     [](const BulkQuery& q) -> uint32_t { return q.is_reduction ? 0 : q.moved; }},
    {"bulk_signals_the_operand",
     "The barrier is signalled the size of the operand, not the bytes that were moved.", "BULK-R02",
     "bulk.copy.odd_sizes 1", &Steps::bulk_signal,
     [](const BulkQuery& q) -> uint32_t { return q.size & 0xfffff; }},
    {"bulk_size_of_16_bits", "Sizes of 64 KiB and more lose the bits above bit 15.", "BULK-R06",
     "bulk.copy.global_to_shared 25", &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t { return size & 0xfff0; }},
    {"bulk_size_of_21_bits", "Bit 20 of the size counts.", "BULK-R06", "bulk.copy.odd_sizes 1",
     &Steps::bulk_bytes, [](uint32_t size) -> uint32_t { return size & 0x1ffff0; }},
    {"bulk_last_of_long_copies_lost", "A copy of 8 KiB and more leaves out its last 16 bytes.", "BULK-R06",
     "bulk.copy.global_to_shared 25", &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t {
       const uint32_t right = size & 0xffff0;
       return right >= 8192 ? right - 16 : right;
     }},
    {"bulk_page_and_16_is_a_page", "A copy 16 bytes longer than a multiple of 4 KiB loses its last 16 bytes.",
     "BULK-R06", "bulk.copy.non_portable_cluster 39", &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t {
       const uint32_t right = size & 0xffff0;
       return right > 4096 && right % 4096 == 16 ? right - 16 : right;
     }},
    {"bulk_size_rounded_up", "A size that is not a multiple of 16 is rounded up.", "BULK-R06",
     "bulk.copy.odd_sizes 1", &Steps::bulk_bytes,
     [](uint32_t size) -> uint32_t { return (size + 15) & 0xffff0; }},
    {"reduce_bf16_truncates", "Sums of bf16 are rounded towards zero.", "BULK-R14",
     "bulk.reduce.conflicts 13", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       if (q.reduction.type != ReduceType::bf16 || q.reduction.op != ReduceOp::add) return right(q);
       return truncated_bf16(std::bit_cast<float>(static_cast<uint32_t>(q.old << 16)),
                             std::bit_cast<float>(static_cast<uint32_t>(q.operand << 16)));
     }},
    {"reduce_dec_wraps_at_zero_alone", "dec takes 1 off an element that is above its operand.", "BULK-R13",
     "bulk.copy.transaction_bytes 43", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.op == ReduceOp::dec && q.old > q.operand ? q.old - 1 : right(q);
     }},
    {"reduce_f16_min_keeps_nan", "min of f16 lets a NaN win over a number.", "BULK-R17",
     "bulk.reduce.conflicts 20", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const bool is_min = q.reduction.type == ReduceType::f16 && q.reduction.op == ReduceOp::min;
       const bool has_nan = (q.old & 0x7fff) > 0x7c00 || (q.operand & 0x7fff) > 0x7c00;
       return is_min && has_nan ? 0x7fff : right(q);
     }},
    {"reduce_f32_flushes", "add.f32 treats subnormals as zero.", "BULK-R15",
     "bulk.reduce.conflicts 128 as BULK-AMB-02:B", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.type == ReduceType::f32 ? as(q, {ReduceOp::add, ReduceType::f32_ftz}) : right(q);
     }},
    {"reduce_f64_quiets_nan", "A NaN operand of add.f64 comes back with its quiet bit set.", "BULK-R16",
     "bulk.copy.odd_sizes 55", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const uint64_t sum = right(q);
       const bool is_nan = (sum & 0x7fffffffffffffff) > 0x7ff0000000000000;
       return q.reduction.type == ReduceType::f64 && is_nan ? sum | 1ull << 51 : sum;
     }},
    {"reduce_ftz_map_keeps_subnormals", "add through a flush-to-zero map keeps subnormals.", "TILE-R57",
     "tma.tiled.reduce 74", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.type == ReduceType::f32_ftz ? as(q, {ReduceOp::add, ReduceType::f32}) : right(q);
     }},
    {"reduce_bf16_zeros_are_equal", "min and max of bf16 give a zero of the wrong sign.", "BULK-R17",
     "bulk.reduce.global 82", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const bool picks = q.reduction.type == ReduceType::bf16 && q.reduction.op != ReduceOp::add;
       return picks && ((q.old | q.operand) & 0x7fff) == 0 ? q.old : right(q);
     }},
    {"reduce_f64_nan_of_memory", "add.f64 of two NaNs returns that of memory.", "BULK-R16",
     "bulk.reduce.global 41", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       const auto is_nan = [](uint64_t bits) { return (bits << 1 >> 1) > 0x7ff0000000000000; };
       return q.reduction.type == ReduceType::f64 && is_nan(q.old) && is_nan(q.operand) ? q.old : right(q);
     }},
    {"reduce_inc_wraps_late", "inc increments an element that equals its operand.", "BULK-R13",
     "bulk.copy.odd_sizes 16", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.op == ReduceOp::inc && q.old == q.operand ? (q.old + 1) & 0xffffffff : right(q);
     }},
    {"reduce_max_s64_unsigned", "max of s64 compares as u64 does.", "BULK-R13", "bulk.reduce.conflicts 25",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.reduction.type == ReduceType::s64 && q.reduction.op == ReduceOp::max
                  ? as(q, {ReduceOp::max, ReduceType::u64})
                  : right(q);
     }},
    {"reduce_tensor_f32_stores", "A tensor reduction that adds f32 stores its operand instead.", "TILE-R56",
     "tma.tiled.reduce 5 on sm_90, pipeline.gemm 1", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       return q.is_tensor && q.reduction.type == ReduceType::f32 ? q.operand : right(q);
     }},
    {"reduce_u64_loses_carry", "add.u64 of a bulk reduction adds halves that do not carry.", "BULK-R13",
     "bulk.reduce.conflicts 9", &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       if (q.is_tensor || q.reduction.type != ReduceType::u64 || q.reduction.op != ReduceOp::add)
         return right(q);
       return ((q.old >> 32) + (q.operand >> 32)) << 32 | ((q.old + q.operand) & 0xffffffff);
     }},
    {"tensor_reduction_of_any_type", "A reduction that does not exist for its type is not refused.",
     "TILE-R55", "tma.tiled.reduce.faults 1", &Steps::rule, unchecked<"AMB-24">},
    {"rare_reduction_lost", "One element in 10,000 is not reduced.", "BULK-R18", "tma.tiled.reduce 21",
     &Steps::reduce,
     [](const ReductionQuery& q) -> uint64_t {
       uint64_t hash = (q.old * 0x9e3779b97f4a7c15 ^ q.operand) * 0xbf58476d1ce4e5b9;
       hash ^= hash >> 31;
       return hash % 10000 == 0 ? q.old : right(q);
     },
     rarely},
};

/// What cp.async.bulk.wait_group waits for.
const Fault groups[] = {
    {"bulk_wait_group_for_reads_alone",
     "cp.async.bulk.wait_group returns once the sources have been read, before the writes are complete.",
     "(ptx, cp.async.bulk.wait_group)", "bulk.copy.shared_to_global 1", &Steps::group_done,
     [](const AsyncGroup& group, bool) { return group.is_done(/*reading=*/true); }, on_lazy_sm_90},
    {"bulk_wait_group_of_four_leaves_one_more",
     "cp.async.bulk.wait_group N leaves one group too many for N of 4 and more.",
     "(ptx, cp.async.bulk.wait_group)", "bulk.copy.shared_to_global 50", &Steps::groups_left,
     [](uint64_t pending) -> uint64_t { return pending >= 4 ? pending + 1 : pending; }, on_lazy_sm_90},
    {"bulk_wait_group_forgets_uncommitted",
     "Copies that were not committed before a cp.async.bulk.wait_group are never waited for.",
     "(ptx, cp.async.bulk.wait_group)", "bulk.copy.shared_to_global 8", &Steps::keeps_open_group, false,
     on_lazy_sm_90},
    {"bulk_wait_group_of_eight_leaves_one_more",
     "cp.async.bulk.wait_group N leaves one group too many for N of 8 and more.",
     "(ptx, cp.async.bulk.wait_group)", "bulk.copy.shared_to_global 52", &Steps::groups_left,
     [](uint64_t pending) -> uint64_t { return pending >= 8 ? pending + 1 : pending; }, on_lazy_sm_90},
    {"bulk_wait_group_of_two_for_reads_alone",
     "cp.async.bulk.wait_group treats a group of two or more operations as complete once their sources have "
     "been read.",
     "(ptx, cp.async.bulk.wait_group)", "bulk.copy.shared_to_global 275", &Steps::group_done,
     [](const AsyncGroup& group, bool is_read) { return group.is_done(is_read || group.operations >= 2); },
     on_lazy_sm_90},
    {"bulk_reduction_reads_late",
     "A bulk reduction of global memory reads its source when it writes, after wait_group.read.",
     "(ptx, cp.async.bulk.wait_group)", "bulk.reduce.global 35", &Steps::reduces_late,
     [](bool is_tensor) { return !is_tensor; }, on_lazy_sm_90},
    {"tensor_reduction_reads_late",
     "A tensor reduction reads its source when it writes, after wait_group.read.",
     "(ptx, cp.async.bulk.wait_group)", "tma.im2col.reduce 2", &Steps::reduces_late,
     [](bool is_tensor) { return is_tensor; }, on_lazy_sm_90},
    {"tensor_reduction_lost_under_another",
     "A tensor reduction reads its target together with its source: of two concurrent ones to the same "
     "elements one is lost.",
     "TILE-R58",
     "tma.tiled.reduce.conflicts 5 on sm_90, tma.tiled.reduce 118",
     &Steps::reads_targets_early,
     true,
     {.device = "sm_90a,schedule=random:7"}},
    {"tensor_store_read_not_awaited",
     "cp.async.bulk.wait_group.read does not wait for the sources of tensor stores.",
     "(ptx, cp.async.bulk.wait_group)", "tma.tiled.store 2", &Steps::awaits_tensor_reads, false,
     on_lazy_sm_90},
};

/// Clusters that are cancelled for others that run.
const Fault launch_control[] = {
    {"launch_control_answers_requester",
     "The response to a request that cancels a cluster names the requesting cluster.", "CLC-R03",
     "pipeline.gemm 9", &Steps::cancelled, [](Cancellation& made) { made.cancelled = made.requester; },
     on_sm_100},
    {"launch_control_rows_of_clusters",
     "The response holds the y and z index of the cancelled cluster, not those of its first CTA.", "CLC-R03",
     "pipeline.gemm 9", &Steps::cancelled,
     [](Cancellation& made) {
       for (size_t i = 1; i < 3; ++i) made.cancelled[i] /= made.cluster_shape[i];
     },
     on_sm_100},
    {"launch_control_cluster_lost", "A cluster is cancelled, but the response says that none was.", "CLC-R02",
     "pipeline.gemm 10", &Steps::cancelled, [](Cancellation& made) { made.is_cancelled = false; }, on_sm_100},
    {"launch_control_lanes_share_answer", "Lanes that request together get the same cluster.", "CLC-R03",
     "pipeline.gemm 10", &Steps::answers_each_lane, false, on_sm_100},
    {"launch_control_cluster_runs", "A cancelled cluster runs nevertheless.", "CLC-R01", "pipeline.gemm 10",
     &Steps::cancelled, [](Cancellation& made) { made.starts_anyway = true; }, on_sm_100},
    {"launch_control_names_cluster",
     "The response holds the index of the cancelled cluster, not that of its first CTA.", "CLC-R03",
     "pipeline.gemm 9", &Steps::cancelled,
     [](Cancellation& made) {
       for (size_t i = 0; i < 3; ++i) made.cancelled[i] /= made.cluster_shape[i];
     },
     on_sm_100},
};

}  // namespace
}  // namespace assay::faults
