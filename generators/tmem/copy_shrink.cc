// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "generators/shrink_tree.h"
#include "generators/tmem/copy_cases.h"
#include "reference/layout/tmem.h"

namespace assay::suites {
namespace {

/// What one change makes of a case, where the probes can still run it; the window is as large as needed.
template <typename Change>
void add(std::vector<TmemCopyCase>& list, const TmemCopyCase& c, const Change& change) {
  TmemCopyCase simpler = c;
  change(simpler);
  uint32_t end = 16;
  for (uint32_t i = 0; i < simpler.move_count; ++i)
    if (!simpler.moves[i].is_shift) end = std::max(end, source_end(simpler.moves[i]));
  simpler.window_bytes = std::min(simpler.window_bytes, end);
  if (simpler != c && what_is_wrong(simpler).empty()) list.push_back(simpler);
}

void simpler_source(std::vector<TmemCopyCase>& list, const TmemCopyCase& c, uint32_t i) {
  const auto change = [&](auto&& of_source) {
    add(list, c, [&](TmemCopyCase& s) { of_source(s.moves[i].source); });
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

std::vector<TmemCopyCase> simpler(const TmemCopyCase& c) {
  std::vector<TmemCopyCase> list;
  for (uint32_t i = 0; c.move_count > 1 && i < c.move_count; ++i)
    add(list, c, [&](TmemCopyCase& s) {
      std::copy(s.moves.begin() + i + 1, s.moves.end(), s.moves.begin() + i);
      s.moves.back() = {};
      --s.move_count;
    });
  add(list, c, [](TmemCopyCase& s) { s.cta_group = 1, s.odd_cta_issues = false; });
  add(list, c, [](TmemCopyCase& s) { s.odd_cta_issues = false; });
  add(list, c, [](TmemCopyCase& s) { s.issuer_thread = 0; });
  add(list, c, [](TmemCopyCase& s) { s.spelling = 0; });
  for (uint32_t i = 0; i < c.move_count; ++i) {
    const auto change = [&](auto&& of_move) { add(list, c, [&](TmemCopyCase& s) { of_move(s.moves[i]); }); };
    change([](TmemMove& m) { m.count = 1, m.source_step = 0, m.column_step = 0; });
    change([](TmemMove& m) { m.count = (m.count + 1) / 2; });
    change([](TmemMove& m) { m.count -= m.count > 1; });
    change([](TmemMove& m) { m.format = 0; });
    change([](TmemMove& m) { m.lane = 0; });
    change([](TmemMove& m) { m.column = 0; });
    change([](TmemMove& m) { m.column /= 2; });
    change([](TmemMove& m) { m.column_step = m.column_step > 8 ? 8 : 0; });
    change([](TmemMove& m) { m.source_step /= 2; });
    if (!c.moves[i].is_shift) simpler_source(list, c, i);
  }
  for (const uint32_t columns : {32u, c.alloc_columns / 2})
    if (columns < c.alloc_columns) add(list, c, [&](TmemCopyCase& s) { s.alloc_columns = columns; });
  add(list, c, [](TmemCopyCase& s) { s.window_fill = {}; });
  add(list, c, [](TmemCopyCase& s) { s.window_fill = {.seed = s.window_fill.seed}; });
  add(list, c, [](TmemCopyCase& s) { s.d_fill = {}; });
  return list;
}

}  // namespace

rc::Shrinkable<TmemCopyCase> shrink_tree(const TmemCopyCase& c,
                                         std::function<bool(const TmemCopyCase&)> keep) {
  return gen::kept_tree<TmemCopyCase>(c, simpler, std::move(keep));
}

}  // namespace assay::suites
