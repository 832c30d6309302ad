// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about mbarrier objects.
inline constexpr std::array mbarrier_questions{
    Question{"MBAR-AMB-01",
             "What does an mbarrier operation do to 64 bits of shared memory that no mbarrier.init wrote?",
             {{{'A', "taken_as_state", "it takes them for the state of a barrier"},
               {'B', "faults", "the launch fails, whatever they are"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "MB-11, MB-15"}, {"ptx", "mbarrier: the object is initialised first"}}}},
};

}  // namespace assay::spec
