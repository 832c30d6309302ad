// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/operand_fields.h"
#include "reference/model/warp_mma/mma_sync_kind.h"
#include "reference/model/warp_mma/sparse_fields.h"

/// The members of mma.sync with a kind.
namespace assay {

inline constexpr uint32_t sync_scale_vectors[] = {0, 1, 2, 4};

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(SyncKind) {
  return sync_kind_names;
}
inline const auto& spellings_of(NarrowElement) {
  return narrow_element_names;
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncKindCase>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a, .told = elsewhere);
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_scale_fill);
  ASSAY_FIELD(visit, c, b, .told = elsewhere);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_scale_fill);
  ASSAY_FIELD(visit, c, byte_a, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, byte_b, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, d_is_f16, .told = elsewhere);
  ASSAY_FIELD(visit, c, kind, .told = elsewhere);
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, scale_vector, .values = sync_scale_vectors, .told = elsewhere);
  ASSAY_FIELD(visit, c, sparse);
  ASSAY_FIELD(visit, c, thread_a, .most = 1, .told = elsewhere);
  ASSAY_FIELD(visit, c, thread_b, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = 256, .told = elsewhere);
}

}  // namespace assay
