// SPDX-License-Identifier: Apache-2.0
#include "generators/tmem/commit_cases.h"

#include "generators/shrink_tree.h"
#include "reference/model/rig.h"

namespace assay::suites {
namespace {

/// Cases in a row with one size of cluster.
constexpr uint64_t turn = 16;

std::vector<CommitCase> simpler(const CommitCase& c) {
  std::vector<CommitCase> list;
  const auto offer = [&](auto change) {
    CommitCase s = c;
    change(s);
    if (s != c && what_is_wrong(s).empty()) list.push_back(s);
  };
  offer([](CommitCase& s) {
    s.cluster_size /= 2;
    const uint32_t kept = (1u << s.cluster_size) - 1;
    s.cta_mask =
        static_cast<uint16_t>((s.cta_mask & kept) | (s.multicast ? 0u : s.cta_mask >> s.cluster_size));
    s.issuer_rank = static_cast<uint16_t>(s.issuer_rank % s.cluster_size);
  });
  for (uint32_t bits = c.cta_mask; c.multicast && bits != 0; bits &= bits - 1)
    offer([bits](CommitCase& s) { s.cta_mask &= static_cast<uint16_t>(~(bits & -bits)); });
  offer([](CommitCase& s) { s.issuer_rank = 0; });
  if (!c.multicast) offer([](CommitCase& s) { s.cta_mask = 1; });
  offer([](CommitCase& s) { s.issuer_thread = 0; });
  offer([](CommitCase& s) { s.barrier_offset = 0; });
  offer([](CommitCase& s) { s.is_generic = false; });
  for (const uint32_t bytes : {0u, 1u, c.tracked_bytes / 2})
    if (bytes < c.tracked_bytes) offer([bytes](CommitCase& s) { s.tracked_bytes = bytes; });
  return list;
}

void make_in_cluster(const gen::CaseId& id, uint32_t cluster_size, CommitCase& c) {
  gen::Random random = id.random();
  c = {};
  c.cluster_size = cluster_size;
  const uint32_t all = (1u << c.cluster_size) - 1;
  c.issuer_rank = static_cast<uint16_t>(random.below(c.cluster_size));
  c.multicast = !random.one_in(4);
  const uint32_t one = 1u << random.below(c.cluster_size), way = random.below(4);
  c.cta_mask = static_cast<uint16_t>(!c.multicast             ? random.one_in(4) ? 1u << c.issuer_rank : one
                                     : way == 0               ? one
                                     : way == 1 && one != all ? all & ~one
                                                              : 1 + random.below(all));
  if (random.one_in(2)) c.issuer_thread = random.below(128);
  const uint32_t room = (rig::max_window_bytes - commit_window_bytes) / 8;
  if (random.one_in(4)) c.barrier_offset = commit_window_bytes + 8 * random.below(room + 1);
  if (random.one_in(4)) c.tracked_bytes = random.between(1, 0xfffff) >> random.below(20);
  c.is_generic = random.one_in(4);
}

}  // namespace

void make_commit(const gen::CaseId& id, CommitCase& c) {
  make_in_cluster(id, 2u << id.index / turn % 3, c);
}
void make_commit_non_portable(const gen::CaseId& id, CommitCase& c) {
  make_in_cluster(id, rig::largest_cluster, c);
}

rc::Shrinkable<CommitCase> shrink_tree(const CommitCase& c, std::function<bool(const CommitCase&)> keep) {
  return gen::kept_tree<CommitCase>(c, simpler, std::move(keep));
}

}  // namespace assay::suites
