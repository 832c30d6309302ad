// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"

namespace assay {

/// One tcgen05.commit.cta_group::1 in a cluster, by a thread that has issued nothing before: plain data,
/// serialises to JSON without loss.
struct CommitCase {
  uint32_t cluster_size = 2;  ///< 2, 4, 8 or 16
  bool multicast = true;      ///< to the CTAs of cta_mask; else to the mbarrier of one, at its own address
  uint16_t cta_mask = 1;      ///< without a multicast one bit, the issuer's or another's
  uint16_t issuer_rank = 0;
  uint32_t issuer_thread = 0;
  /// Of the mbarriers from the window's start, multiple of 8 behind the window; 0: somewhere before it.
  uint32_t barrier_offset = 0;
  /// That each mbarrier which is told expects before the commit, and is told of only after it.
  uint32_t tracked_bytes = 0;
  bool is_generic = false;  ///< at a generic address, without a state space
  auto operator<=>(const CommitCase&) const = default;
};

/// Of shared memory in each CTA, which nothing changes.
inline constexpr uint32_t commit_window_bytes = 256;

/// Why the probe cannot run the case, in one sentence, or nothing.
std::string what_is_wrong(const CommitCase&);

nlohmann::json to_json(const CommitCase&);
/// Throws std::runtime_error with one sentence.
CommitCase commit_case_from_json(const nlohmann::json&);
/// The JSON Schema of such cases.
nlohmann::json commit_case_schema();

// The members of commits.

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
