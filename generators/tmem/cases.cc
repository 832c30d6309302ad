// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "generators/mma/cases.h"
#include "generators/simpler_cases.h"
#include "generators/tmem/copy_cases.h"
#include "reference/layout/tmem.h"
#include "reference/model/rig.h"
#include "reference/model/tmem/access.h"

namespace assay::gen {
namespace {

OperandPattern any_bits(Random& random) {
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  return pattern;
}

/// One case of four: anywhere among all columns that there are.
void place_anywhere(Random random, TmemAccessCase& c) {
  if (!random.one_in(4)) return;
  TmemAccessCase placed = c;
  const auto columns = static_cast<uint32_t>(layout::tmem_access_columns(
      c.shape, static_cast<int>(c.count), c.packs ? 2 : 1, static_cast<int>(c.split)));
  placed.alloc_columns = 512;
  placed.column = random.below(512 - columns + 1);
  if (model::fits_rig(placed)) c = placed;
}

/// Shapes times counts times packing, walked once by the first indexes.
void make_access(const CaseId& id, bool is_store, TmemAccessCase& c) {
  Random random = id.random();
  do {
    const uint64_t form = id.index < 80 ? id.index : random.below(80);
    c = {};
    c.is_store = is_store;
    c.shape = static_cast<uint32_t>(form % 5);
    c.packs = form / 5 % 2 == 1;
    c.count = 1u << (form / 10);
    const auto most = static_cast<uint32_t>(layout::tmem_shapes[c.shape].most_count);
    if (c.count > most) c.count = 1u << random.below(static_cast<uint32_t>(std::bit_width(most)));
    const uint32_t spread = c.packs ? 2 : 1;
    if (c.shape == 4) {
      // Halves side by side, further apart, and for loads on top of each other.
      c.split = random.one_in(2) ? c.count * spread : 1u << random.below(9);
      if (!is_store && random.one_in(8)) c.split = 0;
    }
    const auto columns = static_cast<uint32_t>(layout::tmem_access_columns(
        c.shape, static_cast<int>(c.count), static_cast<int>(spread), static_cast<int>(c.split)));
    if (columns > 512) continue;
    c.alloc_columns = std::max(32u, std::bit_ceil(columns));
    if (c.alloc_columns < 512 && random.one_in(2)) c.alloc_columns *= 2;
    c.column = random.below(c.alloc_columns - columns + 1);
    c.lane = layout::tmem_shapes[c.shape].lanes == 16 && random.one_in(2) ? 16 : 0;
    c.d_fill = any_bits(random);
    c.register_fill = any_bits(random);
  } while (!model::fits_rig(c));
  if (apart(random).one_in(3)) c.warps = 8;
  place_anywhere(apart(apart(random)), c);
}

}  // namespace

void make_tmem_load(const CaseId& id, TmemAccessCase& c) {
  make_access(id, false, c);
}
void make_tmem_store(const CaseId& id, TmemAccessCase& c) {
  make_access(id, true, c);
}

void make_tmem_same_address(const CaseId& id, TmemAccessCase& c) {
  make_access(id, id.index % 2 == 1, c);
  c.same_address = id.index % 16 != 2;
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  if (c.same_address) c.named_warp = random.below(4);
}

}  // namespace assay::gen

namespace assay::suites {
namespace {

/// Whether the probes can run a case.
constexpr auto can_run = [](const auto& c) { return what_is_wrong(c).empty(); };

/// Cases in a row with one size of cluster.
constexpr uint64_t turn = 16;

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

std::vector<CommitCase> simpler(const CommitCase& c) {
  gen::SimplerCases<CommitCase> steps(c, can_run);
  steps.offer([](CommitCase& s) {
    s.cluster_size /= 2;
    const uint32_t kept = (1u << s.cluster_size) - 1;
    s.cta_mask =
        static_cast<uint16_t>((s.cta_mask & kept) | (s.multicast ? 0u : s.cta_mask >> s.cluster_size));
    s.issuer_rank = static_cast<uint16_t>(s.issuer_rank % s.cluster_size);
  });
  for (uint32_t bits = c.cta_mask; c.multicast && bits != 0; bits &= bits - 1)
    steps.offer([bits](CommitCase& s) { s.cta_mask &= static_cast<uint16_t>(~(bits & -bits)); });
  steps.offer([](CommitCase& s) { s.issuer_rank = 0; });
  if (!c.multicast) steps.offer([](CommitCase& s) { s.cta_mask = 1; });
  steps.offer([](CommitCase& s) { s.issuer_thread = 0; });
  steps.offer([](CommitCase& s) { s.barrier_offset = 0; });
  steps.offer([](CommitCase& s) { s.is_generic = false; });
  for (const uint32_t bytes : {0u, 1u, c.tracked_bytes / 2})
    if (bytes < c.tracked_bytes) steps.offer([bytes](CommitCase& s) { s.tracked_bytes = bytes; });
  return std::move(steps.made);
}

namespace {

constexpr uint32_t operations = register_reductions.size(), counts = 7;

/// Words that are edges of some type.
constexpr uint32_t edges[][4] = {
    {0x7fc00000, 0xffffffff, 0x7f800001, 0x7fffffff},  // NaN
    {0x00000000, 0x80000000, 0x00000001, 0x80000001},  // zeros and subnormals
    {0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff},  // infinities and the largest numbers
    {0x7fffffff, 0x80000000, 0xffffffff, 0x00000000},  // ends of the integers
};

}  // namespace

void make_tmem_ld_red(const gen::CaseId& id, TmemLdRedCase& c) {
  gen::Random random = id.random();
  constexpr uint32_t forms = 2 * counts * operations;
  const uint32_t form = id.index < forms ? static_cast<uint32_t>(id.index) : random.below(forms);
  c = {};
  c.operation = form % operations;
  c.count = 2u << form / operations % counts;
  c.is_split = form / operations / counts != 0;
  c.lane = c.is_split && random.one_in(2) ? 16 : 0;
  const uint32_t columns = columns_of(c);
  c.alloc_columns = std::max(32u, std::bit_ceil(columns));
  if (c.alloc_columns < 512 && random.one_in(2)) c.alloc_columns *= 2;
  c.column = random.below(c.alloc_columns - columns + 1);
  c.d_fill.seed = random.next() >> 16;
  if (random.one_in(4)) c.d_fill.keep = 0x807fffff, c.d_fill.set = 0x3f000000;  // near each other
  if (random.one_in(3)) return;
  c.d_fill.special_bits = 32;
  // So few that most registers have none, or so many that some threads have nothing else.
  constexpr uint32_t rates[] = {2, 32, 240};
  c.d_fill.special_rate = rates[random.below(3)];
  const auto& list = edges[random.below(std::size(edges))];
  std::copy(std::begin(list), std::end(list), c.d_fill.special.begin());
}

std::vector<TmemLdRedCase> simpler(const TmemLdRedCase& c) {
  gen::SimplerCases<TmemLdRedCase> steps(c, can_run);
  steps.offer([](TmemLdRedCase& s) { s.is_split = false, s.lane = 0; });
  steps.offer([](TmemLdRedCase& s) { s.lane = 0; });
  steps.offer([](TmemLdRedCase& s) { s.count = 2; });
  steps.offer([](TmemLdRedCase& s) { s.count /= 2; });
  steps.offer([](TmemLdRedCase& s) { s.column = 0; });
  steps.offer([](TmemLdRedCase& s) { s.alloc_columns = 32; });
  steps.offer([](TmemLdRedCase& s) { s.alloc_columns /= 2; });
  steps.offer(
      [](TmemLdRedCase& s) { s.d_fill.special_bits = s.d_fill.special_rate = 0, s.d_fill.special = {}; });
  return std::move(steps.made);
}

namespace {

void simpler_source(gen::SimplerCases<TmemCopyCase>& steps, const TmemCopyCase& c, uint32_t i) {
  const auto change = [&](auto&& of_source) {
    steps.offer([&](TmemCopyCase& s) { of_source(s.moves[i].source); });
  };
  change([](MatrixInShared& m) { m.swizzle = 0; });
  change([](MatrixInShared& m) { m.base_offset = 0; });
  change([](MatrixInShared& m) { m.leading_is_absolute = false; });
  for (const auto member :
       {&MatrixInShared::start, &MatrixInShared::leading_offset, &MatrixInShared::stride_offset}) {
    const uint32_t value = c.moves[i].source.*member;
    for (const uint32_t less : {0u, 128u, value / 32 * 16, value - std::min(value, 16u)})
      if (less < value) change([&](MatrixInShared& m) { m.*member = less; });
  }
}

}  // namespace

std::vector<TmemCopyCase> simpler(const TmemCopyCase& c) {
  // The window is as large as needed.
  gen::SimplerCases<TmemCopyCase> steps(c, [](TmemCopyCase& s) {
    uint32_t end = 16;
    for (uint32_t i = 0; i < s.move_count; ++i)
      if (!s.moves[i].is_shift) end = std::max(end, source_end(s.moves[i]));
    s.window_bytes = std::min(s.window_bytes, end);
    return can_run(s);
  });
  for (uint32_t i = 0; c.move_count > 1 && i < c.move_count; ++i)
    steps.offer([&](TmemCopyCase& s) {
      std::copy(s.moves.begin() + i + 1, s.moves.end(), s.moves.begin() + i);
      s.moves.back() = {};
      --s.move_count;
    });
  steps.offer([](TmemCopyCase& s) { s.cta_group = 1, s.odd_cta_issues = false; });
  steps.offer([](TmemCopyCase& s) { s.odd_cta_issues = false; });
  steps.offer([](TmemCopyCase& s) { s.issuer_thread = 0; });
  steps.offer([](TmemCopyCase& s) { s.spelling = 0; });
  for (uint32_t i = 0; i < c.move_count; ++i) {
    const auto change = [&](auto&& of_move) { steps.offer([&](TmemCopyCase& s) { of_move(s.moves[i]); }); };
    change([](TmemMove& m) { m.count = 1, m.source_step = 0, m.column_step = 0; });
    change([](TmemMove& m) { m.count = (m.count + 1) / 2; });
    change([](TmemMove& m) { m.count -= m.count > 1; });
    change([](TmemMove& m) { m.format = 0; });
    change([](TmemMove& m) { m.lane = 0; });
    change([](TmemMove& m) { m.column = 0; });
    change([](TmemMove& m) { m.column /= 2; });
    change([](TmemMove& m) { m.column_step = m.column_step > 8 ? 8 : 0; });
    change([](TmemMove& m) { m.source_step /= 2; });
    if (!c.moves[i].is_shift) simpler_source(steps, c, i);
  }
  for (const uint32_t columns : {32u, c.alloc_columns / 2})
    if (columns < c.alloc_columns) steps.offer([&](TmemCopyCase& s) { s.alloc_columns = columns; });
  steps.offer([](TmemCopyCase& s) { s.window_fill = {}; });
  steps.offer([](TmemCopyCase& s) { s.window_fill = {.seed = s.window_fill.seed}; });
  steps.offer([](TmemCopyCase& s) { s.d_fill = {}; });
  return std::move(steps.made);
}

}  // namespace assay::suites
