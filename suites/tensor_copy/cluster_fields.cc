// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/cluster_fields.h"

#include <bit>
#include <stdexcept>
#include <string>

#include "reference/model/spelling.h"

namespace assay::suites {

void require_cluster(uint32_t ctas, uint32_t most) {
  if (std::has_single_bit(ctas) && ctas <= most) return;
  throw std::runtime_error("field 'cluster_size' of the case is " + std::to_string(ctas) +
                           ", not a power of two up to " + std::to_string(most) + ".");
}

void require_one_receiver(bool is_unicast, uint32_t ctas, uint32_t cta_mask) {
  if (!is_unicast || (ctas > 1 && std::has_single_bit(cta_mask))) return;
  throw std::runtime_error(
      "field 'unicast' of the case is true; such a load has a cluster and a mask of one CTA.");
}

}  // namespace assay::suites
