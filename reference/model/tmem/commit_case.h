// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

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

}  // namespace assay
