#include "devices/emulator/fault.h"

/// mbarrier objects.
namespace assay::faults::mbarrier {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"barrier_arrival_lost",
     "Of the arrivals of a phase the one that would complete it is lost now and then: where two "
     "were pending, none is taken.",
     "MBAR-R02", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       if (change.before.expected >= 3 && change.before.pending == 2 && after.pending == 1) after.pending = 2;
     }},
    {"barrier_completes_with_bytes_pending",
     "A phase ends when all have arrived, though bytes are still expected.", "MBAR-R06", &Steps::barrier,
     [](const BarrierChange&, Mbarrier& after, uint64_t&) {
       if (after.pending != 0 || after.transactions <= 0) return;
       after.phase = !after.phase;
       after.pending = after.expected;
     }},
    {"barrier_drop_keeps_expected",
     "mbarrier.arrive_drop arrives, but the next phase still expects the thread.", "MBAR-R03",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       after.expected = change.before.expected;
       if (after.phase != change.before.phase) after.pending = after.expected;
     }},
    {"barrier_expect_tx_truncated", "expect-tx drops bit 12 of the byte count.", "MBAR-R04", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       const int32_t added = after.transactions - change.before.transactions;
       if (added > 0) after.transactions = change.before.transactions + (added & ~0x1000);
     }},
    {"barrier_phase_keeps_count", "A phase that ends leaves one arrival fewer pending than expected.",
     "MBAR-R07", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       if (after.phase != change.before.phase && after.pending > 1) --after.pending;
     }},
    {"barrier_phase_33_lacks_one", "The phase after the 32nd of a barrier expects one arrival fewer.",
     "MBAR-R07", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) return;
       if (after.phase != change.before.phase && after.ended == 32 && after.pending > 1) --after.pending;
     }},
    {"barrier_ended_by_bytes_expects_one_more",
     "A phase that ends when asynchronous bytes are complete leaves one arrival more pending than expected,"
     " of a barrier that counts several.",
     "(ptx, mbarrier: phase completion)", &Steps::bytes_arrived,
     [](const Mbarrier& before, Mbarrier& after) {
       if (after.phase != before.phase && after.pending > 1) ++after.pending;
     }},
    {"barrier_arrivals_of_upper_lanes_lost_apart",
     "Arrivals of the lanes from 24 on are lost where lanes arrive at several barriers at once.", "MBAR-R02",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::arrive && change.is_apart && change.lane >= 24)
         after = change.before;
     }},
    {"barrier_arrivals_16_bits", "An arrival counts the low 16 bits of its count.", "MBAR-R02",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::arrive || change.arrivals < 1 << 16) return;
       after = change.before;
       (void)after.arrive(change.arrivals % (1 << 16), change.drops);
     }},
    {"barrier_count_8_bits", "mbarrier.init takes the low 8 bits of the count where they are not 0.",
     "MBAR-R01", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::init || after.expected % 256 == 0) return;
       after.expected = after.pending = after.expected % 256;
     }},
    {"barrier_bytes_of_19_bits", "Pending bytes from 2^19 on lose that bit.", "MBAR-R04", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::expect && after.transactions >= 1 << 19)
         after.transactions -= 1 << 19;
     }},
    {"barrier_count_of_11_bits", "mbarrier.init takes the low 11 bits of the count where they are not 0.",
     "MBAR-R01", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init && after.expected % 2048 != 0)
         after.expected = after.pending = after.expected % 2048;
     }},
    {"barrier_drop_of_several_leaves_one_fewer",
     "mbarrier.arrive_drop of several arrivals takes one off the count of the phases to come.", "MBAR-R03",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.drops || change.arrivals < 2) return;
       after.expected = change.before.expected - 1;
       if (after.phase != change.before.phase) after.pending = after.expected;
     }},
    {"barrier_init_keeps_phase", "mbarrier.init keeps the phase of the barrier that lay there before.",
     "MBAR-R01", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) after.phase = change.before.phase;
     }},
    {"barrier_drop_keeps_pending",
     "mbarrier.arrive_drop leaves the phases to come, but does not arrive at this one.", "MBAR-R03",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.drops) return;
       after.phase = change.before.phase;
       after.pending = change.before.pending;
       after.transactions = change.before.transactions + static_cast<int32_t>(change.bytes);
     }},
    {"barrier_drop_to_none_expects_one", "A barrier that all threads have left expects one again.",
     "MBAR-R08", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.drops || after.expected != 0) return;
       after.expected = 1;
       if (after.phase != change.before.phase) after.pending = 1;
     }},
    {"barrier_drop_to_none_stays_open",
     "The arrive_drop of the last thread that a barrier expects does not end the phase.", "MBAR-R08",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.drops && after.expected == 0) after.phase = change.before.phase;
     }},
    {"barrier_early_bytes_lost", "Bytes that come before they are expected are not counted.", "MBAR-R05",
     &Steps::barrier,
     [](const BarrierChange&, Mbarrier& after, uint64_t&) {
       if (after.transactions >= 0) return;
       after.transactions = 0;
       if (after.pending != 0) return;
       after.phase = !after.phase;
       after.pending = after.expected;
     }},
    {"barrier_expect_never_completes",
     "A phase whose bytes came before they were expected, and whose arrivals are all there, does "
     "not end with the expect_tx that balances them.",
     "MBAR-R06", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::expect || after.phase == change.before.phase) return;
       after = change.before;
       after.transactions = 0;
     }},
    {"barrier_expect_of_none_ignored",
     "mbarrier.arrive.expect_tx of zero bytes does nothing, not even arrive.", "MBAR-R04", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.expects && change.bytes == 0) after = change.before;
     }},
    {"barrier_expect_of_none_is_one", "mbarrier.expect_tx of zero bytes expects one.", "MBAR-R04",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::expect && change.bytes == 0) ++after.transactions;
     }},
    {"barrier_generic_counts_one", "An arrival at a generic address counts one, whatever its count.",
     "MBAR-R12", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::arrive || !change.is_generic || change.arrivals < 2) return;
       after = change.before;
       (void)after.arrive(1, change.drops);
     }},
    {"barrier_noinc_adds_arrival",
     "cp.async.mbarrier.arrive.noinc adds its arrival to the pending count, as without .noinc.", "MBAR-R13",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::track && !change.adds_itself) ++after.pending;
     }},
    {"barrier_copies_add_nothing",
     "cp.async.mbarrier.arrive does not add its arrival to a pending count of one, as with .noinc.",
     "MBAR-R13", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.adds_itself && change.before.pending == 1) after.pending = 1;
     }},
    {"barrier_noinc_without_copies_lost",
     "cp.async.mbarrier.arrive.noinc of a thread without copies under way does not arrive.",
     "MBAR-R13",
     &Steps::arrives_without_copies,
     [](bool adds_itself) { return adds_itself; },
     {.device = "sm_90a,schedule=lazy"}},
    {"barrier_copies_arrive_without_copies_lost",
     "cp.async.mbarrier.arrive of a thread without copies under way adds its arrival, but does not arrive.",
     "MBAR-R13",
     &Steps::arrives_without_copies,
     [](bool adds_itself) { return !adds_itself; },
     {.device = "sm_90a,schedule=lazy"}},
    {"barrier_expect_of_another_is_of_own",
     "expect_tx for the barrier of another CTA goes to the own one at that offset, where there is one.",
     "(ptx, mbarrier.expect_tx)", &Steps::barrier_rank,
     [](uint32_t named, uint32_t own, bool expects) { return expects ? own : named; }},
    {"barrier_init_keeps_bytes",
     "mbarrier.init keeps the pending bytes of the barrier that lay there before.", "MBAR-R01",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind == BarrierChange::Kind::init) after.transactions = change.before.transactions;
     }},
    {"barrier_limit_says_complete",
     "mbarrier.try_wait whose time limit has passed says that the phase is complete.", "MBAR-R11",
     &Steps::barrier_waited, [](bool is_complete, bool has_limit) { return is_complete || has_limit; }},
    {"barrier_no_complete_completes", "An arrival with .noComplete ends the phase, whoever is still to come.",
     "MBAR-R09", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (!change.no_complete || after.phase != change.before.phase) return;
       after.phase = !after.phase;
       after.pending = after.expected;
     }},
    {"barrier_remote_counts_one", "An arrival at the barrier of another CTA counts one, whatever its count.",
     "MBAR-R02", &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t&) {
       if (change.kind != BarrierChange::Kind::arrive || !change.is_remote || change.arrivals < 2) return;
       after = change.before;
       (void)after.arrive(1, change.drops);
     }},
    {"barrier_token_is_of_after",
     "The state that an arrival answers tells the pending count without its own arrival.", "MBAR-R10",
     &Steps::barrier,
     [](const BarrierChange& change, Mbarrier& after, uint64_t& token) {
       if (change.kind == BarrierChange::Kind::arrive && after.phase == change.before.phase)
         token = after.token(change.no_complete);
     }},
};

}  // namespace
}  // namespace assay::faults::mbarrier
