// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/tensor_copy/gather_case.h"
#include "reference/model/tensor_copy/tiled_fields.h"

/// The members of gathered and scattered copies.
namespace assay {

// Beside the type, where the templates of case_fields.h find it.
template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, GatherCase>
void visit_fields(Copy& copy, const Visit& visit) {
  ASSAY_FIELD(visit, copy, cta_group, .values = written_cta_groups, .told = elsewhere);
  ASSAY_FIELD(visit, copy, peer_barrier, .told = elsewhere);
  ASSAY_FIELD(visit, copy, tile, .told = elsewhere);
  ASSAY_FIELD(visit, copy, unicast, .told = elsewhere);
}

}  // namespace assay
