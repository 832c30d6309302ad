// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/model/tmem/commit_case.h"

/// The members of commits.
namespace assay {

inline constexpr uint32_t cluster_sizes_of_commits[] = {2, 4, 8, 16};

template <typename Commit, typename Visit>
requires std::same_as<std::remove_const_t<Commit>, CommitCase>
void visit_fields(Commit& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, barrier_offset, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 8,
              .called = "mbarriers at");
  ASSAY_FIELD(visit, c, cluster_size, .values = cluster_sizes_of_commits, .told = elsewhere);
  ASSAY_FIELD(visit, c, cta_mask, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD_AS("generic", visit, c, is_generic, .called = "address", .yes = "generic");
  ASSAY_FIELD(visit, c, issuer_rank, .most = 15, .told = elsewhere);
  ASSAY_FIELD(visit, c, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, c, multicast, .told = elsewhere);
  ASSAY_FIELD(visit, c, tracked_bytes, .unit = "bytes", .most = (1u << 20) - 1,
              .called = "bytes that come later");
}

}  // namespace assay
