// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about bulk copies that are not of tensors: A is what an H200 does, B what a reader of PTX
/// would expect.
inline constexpr std::array bulk_copy_questions{
    Question{"BULK-AMB-01",
             "What does a bulk copy do whose size is no multiple of 16?",
             {{{'A', "moves_whole_16_bytes", "moves the whole 16 bytes in it"},
               {'B', "faults", "faults with illegal instruction"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "BC-01"}, {"ptx", "cp.async.bulk: size"}}}},
    Question{"BULK-AMB-02",
             "Does cp.reduce.async.bulk.add.f32 flush subnormal operands and results to zero?",
             {{{'A', "keeps_subnormals", "no"}, {'B', "flushes", "yes, to zero of the same sign"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "BR-03"}, {"ptx", "cp.reduce.async.bulk: .add.f32"}}}},
    Question{"BULK-AMB-03",
             "What do a bulk copy or reduction from shared memory to shared memory, st.async and red.async "
             "do in a "
             "launch without clusters?",
             {{{'A', "faults", "they fault with illegal instruction, whatever their size"},
               {'B', "moves_bytes", "they move the bytes: the CTA is a peer of its own"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "bulk.copy.shared_to_shared, seed 1001; programs of 27 November 2026"},
               {"ptx", "cp.async.bulk: .shared::cluster"}}}},
};

}  // namespace assay::spec
