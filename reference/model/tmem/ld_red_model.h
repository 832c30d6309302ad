// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/bend.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/ld_red_case.h"

namespace assay::suites {

inline constexpr uint32_t reduced_words = 132;  ///< of a thread's output

/// cells: lane after lane of the allocation; output: 128 threads of reduced_words words each.
model::Tcgen05MmaPrediction predict_tmem_ld_red(const TmemLdRedCase&, const spec::Readings&,
                                                std::span<const uint32_t> cells, std::span<uint32_t> output);

std::span<const model::Bend> register_reduction_bends();

}  // namespace assay::suites
