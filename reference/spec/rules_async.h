// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules on bulk copies and reductions that are not of tensors.
inline constexpr std::array bulk_copy_rules{
    Rule{"BULK-R01",
         "a bulk copy moves its bytes as they are to its destination, and touches no other byte",
         {{{"ptx", "cp.async.bulk"}, {"h200", "BC-06"}}},
         everywhere,
         ""},
    Rule{"BULK-R02",
         "the mbarrier of each CTA that receives is told as many bytes as are moved, once",
         {{{"ptx", "cp.async.bulk: mbarrier completion"}, {"h200", "BC-02"}}},
         everywhere,
         ""},
    Rule{"BULK-R03",
         "armed with other bytes than are moved, the phase does not complete cleanly",
         {{{"ptx", "mbarrier: tx-count"}, {"h200", "BC-02"}}},
         everywhere,
         ""},
    Rule{"BULK-R04",
         "a multicast gives each CTA of its mask data and signal at the offsets of its operands, and no "
         "other CTA "
         "anything",
         {{{"ptx", "cp.async.bulk: .multicast::cluster"}, {"h200", "BC-07"}}},
         everywhere,
         ""},
    Rule{"BULK-R05",
         "a copy to one CTA signals the mbarrier at the offset of its operand in that CTA, whichever CTA the "
         "address names",
         {{{"h200", "BC-08"}}},
         everywhere,
         ""},
    Rule{"BULK-R06",
         "bits 19:4 of the size count: what is no multiple of 16 is rounded down, 2^20 and more left out",
         {{{"h200", "BC-01"}, {"ptx", "cp.async.bulk: size"}}},
         everywhere,
         "BULK-AMB-01"},
    Rule{"BULK-R07",
         "a copy of no bytes does nothing, signals no barrier and looks at no address",
         {{{"h200", "BC-03"}}},
         everywhere,
         ""},
    Rule{"BULK-R08",
         "addresses of source and destination are multiples of 16",
         {{{"ptx", "cp.async.bulk: alignment"}, {"h200", "BC-04"}}},
         everywhere,
         ""},
    Rule{"BULK-R09",
         "the address of the mbarrier is a multiple of 8",
         {{{"ptx", "mbarrier: size and alignment"}, {"h200", "BC-04"}}},
         everywhere,
         ""},
    Rule{"BULK-R10",
         "source and destination lie in memory that is there",
         {{{"h200", "BC-05"}}},
         everywhere,
         ""},
    Rule{"BULK-R11",
         "a prefetch changes no memory and does not fault for what is not mapped",
         {{{"ptx", "cp.async.bulk.prefetch"}, {"h200", "BC-05"}}},
         everywhere,
         ""},
    Rule{"BULK-R12",
         "of a store with .cp_mask byte i of each 16 is written where bit i of the mask is set",
         {{{"ptx", "cp.async.bulk: .cp_mask"}}},
         from_sm_100,
         ""},
    Rule{
        "BULK-R13",
        "integers are added modulo 2^n and compared signed or unsigned by their type; inc gives 0 for old >= "
        "operand, dec the operand for old = 0 or old > operand",
        {{{"ptx", "cp.reduce.async.bulk; atom"}, {"h200", "R-01, BR-02"}}},
        everywhere,
        ""},
    Rule{"BULK-R14",
         "floats are added exactly and rounded once to nearest even, subnormals kept",
         {{{"h200", "R-02, BR-02"}, {"ptx", "cp.reduce.async.bulk"}}},
         everywhere,
         ""},
    Rule{"BULK-R15",
         "add.f32 keeps subnormal operands and results",
         {{{"h200", "BR-03"}, {"ptx", "cp.reduce.async.bulk: .add.f32"}}},
         everywhere,
         "BULK-AMB-02"},
    Rule{"BULK-R16",
         "a sum that is a NaN is 0x7fff, 0x7fffffff; of f64 the NaN operand as it was, that of shared memory "
         "first, or 0xfff8000000000000",
         {{{"h200", "R-02, R-05, BR-04"}}},
         everywhere,
         ""},
    Rule{"BULK-R17",
         "min and max of f16 and bf16: a number wins over a NaN, two NaN give 0x7fff, -0 is less than +0",
         {{{"h200", "R-06, BR-02"}, {"ptx", "cp.reduce.async.bulk"}}},
         everywhere,
         ""},
    Rule{"BULK-R18",
         "each element of a reduction is updated at once: of several none is lost, in whatever order they "
         "come",
         {{{"ptx", "cp.reduce.async.bulk: relaxed.gpu"}, {"h200", "RD-03"}}},
         everywhere,
         ""},
};

}  // namespace assay::spec

namespace assay::spec::tables {

/// MBAR-Rnn on mbarrier objects; SYNC-Rnn on what has to be complete before something else may rely on it.
inline constexpr std::array mbarrier_rules{
    Rule{"MBAR-R01",
         "mbarrier.init makes a barrier that expects the arrivals of its count and no bytes, whatever lay "
         "there",
         {{{"ptx", "mbarrier.init"}, {"h200", "MB-05"}}},
         everywhere,
         ""},
    Rule{"MBAR-R02",
         "an arrival lowers the pending count by its count, from whichever CTA of the cluster it comes",
         {{{"ptx", "mbarrier.arrive"}, {"h200", "MB-13"}}},
         everywhere,
         ""},
    Rule{"MBAR-R03",
         "mbarrier.arrive_drop arrives, and each later phase expects as many arrivals fewer",
         {{{"ptx", "mbarrier.arrive_drop"}}},
         everywhere,
         ""},
    Rule{"MBAR-R04",
         "expect_tx adds its byte count, which may be 0, to the pending bytes; with an arrival, before it "
         "arrives",
         {{{"ptx", "mbarrier.expect_tx"}, {"h200", "MB-06"}}},
         everywhere,
         ""},
    Rule{"MBAR-R05",
         "bytes that complete are taken from the pending bytes, also where they were not expected yet",
         {{{"ptx", "mbarrier.complete_tx"}, {"h200", "MB-06"}}},
         everywhere,
         ""},
    Rule{"MBAR-R06",
         "a phase is complete when no arrival and no byte is pending, whichever operation brings that about",
         {{{"ptx", "mbarrier: phase completion"}, {"h200", "MB-03"}}},
         everywhere,
         ""},
    Rule{"MBAR-R07",
         "the phase after a complete one has all expected arrivals pending",
         {{{"ptx", "mbarrier: phase completion"}}},
         everywhere,
         ""},
    Rule{"MBAR-R08",
         "the arrive_drop of the last expected thread completes the phase, and the next expects no arrival",
         {{{"h200", "MB-09"}}},
         everywhere,
         ""},
    Rule{"MBAR-R09",
         "an arrival with .noComplete counts as any other and leaves the phase open",
         {{{"ptx", "mbarrier.arrive: .noComplete"}, {"h200", "MB-08"}}},
         everywhere,
         ""},
    Rule{"MBAR-R10",
         "an arrival returns the state before it, and pending_count the arrivals pending in it",
         {{{"ptx", "mbarrier.pending_count"}, {"h200", "MB-04"}}},
         everywhere,
         ""},
    Rule{"MBAR-R11",
         "test_wait and try_wait return true when the phase they name is complete, else false, with a time "
         "limit "
         "too",
         {{{"ptx", "mbarrier.test_wait, mbarrier.try_wait"}, {"h200", "MB-14"}}},
         everywhere,
         ""},
    Rule{
        "MBAR-R12",
        "an mbarrier instruction without a state space takes a generic address and does to the barrier there "
        "what it does at an address of shared memory",
        {{{"ptx", "mbarrier: Generic Addressing"}}},
        everywhere,
        ""},
    Rule{"MBAR-R13",
         "cp.async.mbarrier.arrive adds one to the pending arrivals and, once all copies of its thread are "
         "complete, arrives; with .noinc it arrives without having added one",
         {{{"ptx", "cp.async.mbarrier.arrive"}, {"h200", "MB-12"}}},
         everywhere,
         ""},
    Rule{"MBAR-R14",
         "st.async, red.async and cp.async.bulk to shared memory write or combine there what they say, and "
         "then complete as many bytes of the phase",
         {{{"ptx", "st.async, red.async"}, {"ptx", "cp.async.bulk"}}},
         everywhere,
         ""},
    Rule{"MBAR-R15",
         "an operation on 64 bits that ordinary stores wrote and no mbarrier.init takes them for the state "
         "of a "
         "barrier",
         {{{"h200", "MB-11, MB-15"}, {"ptx", "mbarrier: the object is initialised first"}}},
         everywhere,
         "MBAR-AMB-01"},
    Rule{"MBAR-R16",
         "where bit 42 of those bits is set, which no barrier has, every operation but mbarrier.init and "
         "mbarrier.inval ends the launch as a failure; bit 0 means nothing",
         {{{"h200", "MB-15"}}},
         everywhere,
         "MBAR-AMB-01"},
    Rule{"TMEM-R15",
         "tcgen05.alloc returns columns that no other allocation has, and waits until enough are free",
         {{{"ptx", "tcgen05.alloc"}}},
         from_sm_100,
         ""},
    Rule{"TMEM-R16",
         "tcgen05.dealloc gives back the columns that it names and no others",
         {{{"ptx", "tcgen05.dealloc"}}},
         from_sm_100,
         ""},
    Rule{"SYNC-R01",
         "tcgen05.commit has its mbarrier told once, when all matrix instructions before it are complete",
         {{{"ptx", "tcgen05.commit"}}},
         from_sm_100,
         ""},
    Rule{"SYNC-R02",
         "an accumulator is written anew once what was read from it has been waited for",
         {{{"ptx", "tcgen05 Memory Consistency Model"}}},
         from_sm_100,
         ""},
    Rule{"SYNC-R03",
         "shared memory that a bulk store reads is written anew once cp.async.bulk.wait_group.read has "
         "returned",
         {{{"ptx", "cp.async.bulk.wait_group"}}},
         from_sm_100,
         ""},
};

}  // namespace assay::spec::tables

/// Rules on clusterlaunchcontrol: clusters that run cancel others of their grid and do their work. Section
/// numbers are those of PTX ISA 9.0.
namespace assay::spec::tables {

/// Not on sm_90 (PTX ISA notes and target notes of both instructions).
inline constexpr OnArch from_sm_100_on{false, true, true, true};
inline constexpr Cite request{"ptx", "9.7.13.17, clusterlaunchcontrol.try_cancel"};
inline constexpr Cite answer{"ptx", "9.7.13.18, clusterlaunchcontrol.query_cancel"};

inline constexpr std::array launch_control_rules{
    Rule{
        "CLC-R01",
        "a request that succeeds cancels one cluster of the grid that has not started: none of its CTAs runs",
        {{request, answer}},
        from_sm_100_on,
        ""},
    Rule{"CLC-R02",
         "query_cancel.is_canceled is true of the answer to a request that cancelled a cluster, and false of "
         "one that cancelled nothing",
         {{answer}},
         from_sm_100_on,
         ""},
    Rule{"CLC-R03",
         "query_cancel.get_first_ctaid gives the %ctaid of the first CTA of the cluster that was cancelled, "
         "which no other answer of the grid has",
         {{answer, request}},
         from_sm_100_on,
         ""},
    Rule{
        "CLC-R04",
        "an answer has 16 bytes, which are written asynchronously, and as many are completed on the mbarrier "
        "of the request afterwards",
        {{request}},
        from_sm_100_on,
        ""},
    Rule{
        "CLC-R05",
        ".multicast::cluster::all: every CTA of the cluster that asks has the answer at its own address, and "
        "its completion on its own mbarrier",
        {{request}},
        from_sm_100_on,
        ""},
    Rule{"CLC-R06",
         "a CTA that has found a request to have cancelled nothing makes no other",
         {{request}},
         from_sm_100_on,
         ""},
};

}  // namespace assay::spec::tables
