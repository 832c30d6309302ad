// SPDX-License-Identifier: Apache-2.0
#include "suites/run/multiprocessors.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace assay::suites {

std::vector<uint32_t> multiprocessors_of(const RecordEnd& end) {
  std::vector<uint32_t> sms;
  for_multiprocessors(end, [&](uint32_t sm) { sms.push_back(sm); });
  return sms;
}

std::vector<uint32_t> ranks_to_blame(const Family& family, const Outcome& outcome) {
  const auto ranks = static_cast<uint32_t>(multiprocessors_of(outcome.end).size());
  if (ranks < 2) return {0};
  std::vector<bool> wrong(ranks);
  const PlaceOfByte place_of = family.element_places(outcome.what);
  constexpr size_t piece = 16;
  const size_t size = std::min(outcome.observed.size(), outcome.expected.bytes.size());
  for (size_t at = 0; at < size; at += piece) {
    const int rank = place_of(at).cluster_rank;
    if (rank < 0 || rank >= static_cast<int>(ranks)) continue;
    for (size_t i = at; i < std::min(at + piece, size); ++i)
      if (((outcome.expected.bytes[i] ^ outcome.observed[i]) & outcome.expected.defined[i]) != 0)
        wrong[rank] = true;
  }
  std::vector<uint32_t> blamed;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    if (wrong[rank]) blamed.push_back(rank);
  const int asks = family.issuing_rank(outcome.what);
  const bool is_known = asks >= 0 && asks < static_cast<int>(ranks);
  // What several got wrong is the fault of the one that asked; what one got wrong may be its own.
  if (blamed.size() != 1 && is_known) return {static_cast<uint32_t>(asks)};
  if (blamed.size() == 1 && is_known && blamed[0] != static_cast<uint32_t>(asks))
    blamed.push_back(static_cast<uint32_t>(asks));
  if (!blamed.empty()) return blamed;
  blamed.resize(ranks);
  std::iota(blamed.begin(), blamed.end(), 0u);
  return blamed;
}

std::string multiprocessor_words(const RecordEnd& end) {
  const std::vector<uint32_t> sms = multiprocessors_of(end);
  if (sms.empty()) return {};
  if (sms.size() == 1) return "ran on SM " + std::to_string(sms[0]);
  std::string text = "ran on SMs";
  for (size_t rank = 0; rank < sms.size(); ++rank)
    text += (rank == 0 ? " " : ", ") + std::to_string(sms[rank]);
  return text + " (ranks 0 to " + std::to_string(sms.size() - 1) + ")";
}

}  // namespace assay::suites
