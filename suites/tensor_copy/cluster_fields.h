// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Fields of cases of copies that have nothing to do with what is copied.
namespace assay::suites {

/// Throws std::runtime_error, one sentence, where no cluster of up to `most` CTAs has so many.
void require_cluster(uint32_t ctas, uint32_t most);

/// The same where a load without a mask, to one CTA, has no cluster or a mask of several.
void require_one_receiver(bool is_unicast, uint32_t ctas, uint32_t cta_mask);

}  // namespace assay::suites
