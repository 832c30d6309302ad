// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::mbarrier_rules {

/// MBAR-Rnn on mbarrier objects; SYNC-Rnn on what has to be complete before something else may rely on it.
inline constexpr std::array rows{
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

}  // namespace assay::spec::mbarrier_rules
