// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck/detail/Configuration.h>

#include <algorithm>
#include <cstdint>

namespace assay {

/// Of so many cases, or so much of one, the share that RC_PARAMS asks of RapidCheck's 100 (cmake/rooms.cmake:
/// under sanitizers 15, where models that are slow by design take longest), at least one.
inline uint64_t share_of_cases(uint64_t usual) {
  return std::max<uint64_t>(1, usual * rc::detail::configuration().testParams.maxSuccess / 100);
}

}  // namespace assay
