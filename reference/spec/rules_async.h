// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules on bulk copies and reductions that are not of tensors.
inline constexpr std::array bulk_copy_rules{
    Rule("BULK-R01", "a bulk copy moves its bytes unchanged to its destination and writes no other byte",
         {{{"ptx", "cp.async.bulk"}, {"h200", "BC-06"}}}),
    Rule("BULK-R02", "the mbarrier of each receiving CTA is signalled exactly the bytes that are moved, once",
         {{{"ptx", "cp.async.bulk: mbarrier completion"}, {"h200", "BC-02"}}}),
    Rule("BULK-R03",
         "if the barrier is armed with a different number of bytes than is moved, the phase does not "
         "complete cleanly",
         {{{"ptx", "mbarrier: tx-count"}, {"h200", "BC-02"}}}),
    Rule("BULK-R04",
         "a multicast delivers data and signal to each CTA of its mask, at the offsets of its operands, and "
         "nothing to any other CTA",
         {{{"ptx", "cp.async.bulk: .multicast::cluster"}, {"h200", "BC-07"}}}),
    Rule("BULK-R05",
         "a copy to one CTA signals the mbarrier at the offset of its operand in that CTA, whichever CTA the "
         "address names",
         {{{"h200", "BC-08"}}}),
    Rule("BULK-R06",
         "only bits 19:4 of the size count: it is rounded down to a multiple of 16 and taken modulo 2^20",
         {{{"h200", "BC-01"}, {"ptx", "cp.async.bulk: size"}}}, everywhere, "BULK-AMB-01"),
    Rule("BULK-R07", "a copy of 0 bytes does nothing: it signals no barrier and checks no address",
         {{{"h200", "BC-03"}}}),
    Rule("BULK-R08", "addresses of source and destination are multiples of 16",
         {{{"ptx", "cp.async.bulk: alignment"}, {"h200", "BC-04"}}}),
    Rule("BULK-R09", "the address of the mbarrier is a multiple of 8",
         {{{"ptx", "mbarrier: size and alignment"}, {"h200", "BC-04"}}}),
    Rule("BULK-R10", "source and destination lie in mapped memory", {{{"h200", "BC-05"}}}),
    Rule("BULK-R11", "a prefetch changes no memory and does not fault on unmapped addresses",
         {{{"ptx", "cp.async.bulk.prefetch"}, {"h200", "BC-05"}}}),
    Rule("BULK-R12", "a store with .cp_mask writes byte i of each 16 only where bit i of the mask is set",
         {{{"ptx", "cp.async.bulk: .cp_mask"}}}, from_sm_100),
    Rule("BULK-R13",
         "integers are added modulo 2^n and compared signed or unsigned by their type; inc gives 0 for old "
         ">= operand, dec the operand for old = 0 or old > operand",
         {{{"ptx", "cp.reduce.async.bulk; atom"}, {"h200", "R-01, BR-02"}}}),
    Rule("BULK-R14", "floats are added exactly and rounded once to nearest even, subnormals kept",
         {{{"h200", "R-02, BR-02"}, {"ptx", "cp.reduce.async.bulk"}}}),
    Rule("BULK-R15", "add.f32 keeps subnormal operands and results",
         {{{"h200", "BR-03"}, {"ptx", "cp.reduce.async.bulk: .add.f32"}}}, everywhere, "BULK-AMB-02"),
    Rule("BULK-R16",
         "a NaN sum is 0x7fff or 0x7fffffff; for f64 it is the NaN operand unchanged, that of shared memory "
         "first, or 0xfff8000000000000",
         {{{"h200", "R-02, R-05, BR-04"}}}),
    Rule("BULK-R17",
         "min and max of f16 and bf16: a number wins over a NaN, two NaN give 0x7fff, -0 is less than +0",
         {{{"h200", "R-06, BR-02"}, {"ptx", "cp.reduce.async.bulk"}}}),
    Rule("BULK-R18",
         "each element is reduced atomically: of several reductions none is lost, in whatever order they "
         "arrive",
         {{{"ptx", "cp.reduce.async.bulk: relaxed.gpu"}, {"h200", "RD-03"}}}),
};

}  // namespace assay::spec

namespace assay::spec::tables {

/// MBAR-Rnn on mbarrier objects; SYNC-Rnn on what has to be complete before something else may rely on it.
inline constexpr std::array mbarrier_rules{
    Rule("MBAR-R01",
         "mbarrier.init makes a barrier that expects the arrivals of its count and no bytes, whatever lay "
         "there",
         {{{"ptx", "mbarrier.init"}, {"h200", "MB-05"}}}),
    Rule("MBAR-R02",
         "an arrival lowers the pending count by its count, from whichever CTA of the cluster it comes",
         {{{"ptx", "mbarrier.arrive"}, {"h200", "MB-13"}}}),
    Rule("MBAR-R03", "mbarrier.arrive_drop arrives, and each later phase expects that many fewer arrivals",
         {{{"ptx", "mbarrier.arrive_drop"}}}),
    Rule("MBAR-R04",
         "expect_tx adds its byte count, which may be 0, to the pending bytes; with an arrival, before it "
         "arrives",
         {{{"ptx", "mbarrier.expect_tx"}, {"h200", "MB-06"}}}),
    Rule("MBAR-R05",
         "completed bytes are subtracted from the pending bytes, even if they were not expected yet",
         {{{"ptx", "mbarrier.complete_tx"}, {"h200", "MB-06"}}}),
    Rule("MBAR-R06",
         "a phase completes when no arrival and no byte is pending, whichever operation causes it",
         {{{"ptx", "mbarrier: phase completion"}, {"h200", "MB-03"}}}),
    Rule("MBAR-R07", "the phase after a complete one has all expected arrivals pending",
         {{{"ptx", "mbarrier: phase completion"}}}),
    Rule("MBAR-R08",
         "the arrive_drop of the last expected thread completes the phase, and the next phase expects no "
         "arrivals",
         {{{"h200", "MB-09"}}}),
    Rule("MBAR-R09", "an arrival with .noComplete counts like any other and does not complete the phase",
         {{{"ptx", "mbarrier.arrive: .noComplete"}, {"h200", "MB-08"}}}),
    Rule("MBAR-R10", "an arrival returns the state before it, and pending_count the arrivals pending in it",
         {{{"ptx", "mbarrier.pending_count"}, {"h200", "MB-04"}}}),
    Rule("MBAR-R11",
         "test_wait and try_wait, also with a time limit, return true if the phase they name is complete, "
         "else false",
         {{{"ptx", "mbarrier.test_wait, mbarrier.try_wait"}, {"h200", "MB-14"}}}),
    Rule("MBAR-R12",
         "an mbarrier instruction without a state space takes a generic address and acts on the barrier "
         "there as it does with a shared address",
         {{{"ptx", "mbarrier: Generic Addressing"}}}),
    Rule("MBAR-R13",
         "cp.async.mbarrier.arrive adds one pending arrival and arrives once all copies of its thread are "
         "complete; with .noinc it arrives without adding one",
         {{{"ptx", "cp.async.mbarrier.arrive"}, {"h200", "MB-12"}}}),
    Rule("MBAR-R14",
         "st.async, red.async and cp.async.bulk to shared memory write or combine their data there and then "
         "complete that many bytes of the phase",
         {{{"ptx", "st.async, red.async"}, {"ptx", "cp.async.bulk"}}}),
    Rule("MBAR-R15",
         "an operation on 64 bits that ordinary stores wrote, without mbarrier.init, treats them as the "
         "state of a barrier",
         {{{"h200", "MB-11, MB-15"}, {"ptx", "mbarrier: the object is initialised first"}}}, everywhere,
         "MBAR-AMB-01"),
    Rule("MBAR-R16",
         "if bit 42 of those bits is set, which it never is in a barrier, every operation except "
         "mbarrier.init and mbarrier.inval ends the launch with launch failure; bit 0 has no effect",
         {{{"h200", "MB-15"}}}, everywhere, "MBAR-AMB-01"),
    Rule("TMEM-R15",
         "tcgen05.alloc returns columns that no other allocation has, and waits until enough are free",
         {{{"ptx", "tcgen05.alloc"}}}, from_sm_100),
    Rule("TMEM-R16", "tcgen05.dealloc frees the columns that it names and no others",
         {{{"ptx", "tcgen05.dealloc"}}}, from_sm_100),
    Rule("SYNC-R01",
         "tcgen05.commit arrives once at its mbarrier, when all matrix instructions before it are complete",
         {{{"ptx", "tcgen05.commit"}}}, from_sm_100),
    Rule("SYNC-R02", "an accumulator is overwritten only after loads from it have been waited for",
         {{{"ptx", "tcgen05 Memory Consistency Model"}}}, from_sm_100),
    Rule("SYNC-R03",
         "shared memory that a bulk store reads is overwritten only after cp.async.bulk.wait_group.read has "
         "returned",
         {{{"ptx", "cp.async.bulk.wait_group"}}}, from_sm_100),
};

// Rules on clusterlaunchcontrol: clusters that run cancel others of their grid and do their work. Section
// numbers are those of PTX ISA 9.0.

/// Not on sm_90 (PTX ISA notes and target notes of both instructions).
inline constexpr OnArch from_sm_100_on = from(100);
inline constexpr Cite request{"ptx", "9.7.13.17, clusterlaunchcontrol.try_cancel"};
inline constexpr Cite answer{"ptx", "9.7.13.18, clusterlaunchcontrol.query_cancel"};

inline constexpr std::array launch_control_rules{
    Rule(
        "CLC-R01",
        "a request that succeeds cancels one cluster of the grid that has not started: none of its CTAs runs",
        {{request, answer}}, from_sm_100_on),
    Rule("CLC-R02",
         "query_cancel.is_canceled is true for a response that cancelled a cluster and false for one that "
         "cancelled nothing",
         {{answer}}, from_sm_100_on),
    Rule("CLC-R03",
         "query_cancel.get_first_ctaid gives the %ctaid of the first CTA of the cancelled cluster, which no "
         "other response in the grid names",
         {{answer, request}}, from_sm_100_on),
    Rule("CLC-R04",
         "a response is 16 bytes, written asynchronously; then 16 bytes are completed on the mbarrier of the "
         "request",
         {{request}}, from_sm_100_on),
    Rule("CLC-R05",
         ".multicast::cluster::all: every CTA of the requesting cluster gets the response at its own address "
         "and the completion on its own mbarrier",
         {{request}}, from_sm_100_on),
    Rule("CLC-R06", "a CTA makes no further request once one has cancelled nothing", {{request}},
         from_sm_100_on),
};

}  // namespace assay::spec::tables
