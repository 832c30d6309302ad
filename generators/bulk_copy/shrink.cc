// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/bulk_copy/cases.h"
#include "generators/simpler_cases.h"

namespace assay::suites {
namespace {

template <typename Number>
void add_less(gen::SimplerCases<BulkCase>& steps, const BulkCase& c, Number BulkCase::*member, Number unit,
              Number least = 0) {
  const Number value = c.*member;
  for (const Number less : {least, static_cast<Number>(value / 2 / unit * unit),
                            static_cast<Number>(value - std::min(value, unit))})
    if (less < value && less >= least) steps.offer([&](BulkCase& s) { s.*member = less; });
}

}  // namespace

std::vector<BulkCase> simpler(const BulkCase& c) {
  gen::SimplerCases<BulkCase> steps(c, [](const BulkCase& s) { return what_is_wrong(s).empty(); });
  if (c.cluster_size > 1)
    steps.offer([](BulkCase& s) {
      s.cluster_size /= 2;
      s.issuer_rank %= s.cluster_size, s.target_rank %= s.cluster_size;
      s.cta_mask = static_cast<uint16_t>(s.cta_mask & ((1u << s.cluster_size) - 1));
    });
  steps.offer([](BulkCase& s) { s.cache_hint = false; });
  steps.offer([](BulkCase& s) { s.spelling = 0; });
  steps.offer([](BulkCase& s) { s.names_own_barrier = false; });
  steps.offer([](BulkCase& s) { s.barrier = 0; });
  steps.offer([](BulkCase& s) { s.byte_mask = 0xffff; });
  steps.offer([](BulkCase& s) {
    s.pieces = s.lanes = s.group_ends = 1;
    s.ends_empty = s.waits_for_reads = false;
    s.pending = s.early_waits = 0;
  });
  steps.offer([](BulkCase& s) { s.lanes = 1; });
  if (c.pieces > 1)
    steps.offer([](BulkCase& s) {
      --s.pieces;
      s.lanes = std::min(s.lanes, s.pieces);
      s.group_ends = (s.group_ends & ((1u << s.pieces) - 1)) | 1u << (s.pieces - 1);
      s.early_waits &= (1u << s.pieces) - 1;
    });
  steps.offer([](BulkCase& s) { s.ends_empty = false; });
  steps.offer([](BulkCase& s) { s.waits_for_reads = false; });
  if (c.pending != 0) steps.offer([](BulkCase& s) { --s.pending; });
  for (uint32_t waits = c.early_waits; waits != 0; waits &= waits - 1)
    steps.offer([&](BulkCase& s) { s.early_waits &= ~(waits & -waits); });
  for (uint32_t mask = c.cta_mask; mask != 0; mask &= mask - 1)
    steps.offer([&](BulkCase& s) { s.cta_mask = static_cast<uint16_t>(s.cta_mask & ~(mask & -mask)); });
  add_less(steps, c, &BulkCase::size, 16u, c.size >= 16 ? 16u : 0u);
  if (c.size >= 16) steps.offer([](BulkCase& s) { s.size = s.size / 16 * 16; });
  if (c.size >= 1 << 20) steps.offer([](BulkCase& s) { s.size %= 1 << 20; });
  add_less<uint64_t>(steps, c, &BulkCase::source_offset, 16);
  add_less<uint64_t>(steps, c, &BulkCase::target_offset, 16);
  add_less(steps, c, &BulkCase::window_bytes, 16u);
  add_less(steps, c, &BulkCase::slot_bytes, 16u);
  add_less<uint64_t>(steps, c, &BulkCase::fill_offset, 16);
  add_less<uint64_t>(steps, c, &BulkCase::slot_fill_offset, 16);
  steps.offer([](BulkCase& s) { s.pool_seed = 0; });
  steps.offer([](BulkCase& s) { s.issuer_rank = 0; });
  steps.offer([](BulkCase& s) { s.issuer_thread = 0; });
  steps.offer([](BulkCase& s) { s.target_rank = 0; });
  return std::move(steps.made);
}

}  // namespace assay::suites
