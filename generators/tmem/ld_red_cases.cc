// SPDX-License-Identifier: Apache-2.0
#include "generators/tmem/ld_red_cases.h"

#include <algorithm>
#include <bit>

#include "generators/shrink_tree.h"

namespace assay::suites {
namespace {

constexpr uint32_t operations = register_reductions.size(), counts = 7;

/// Words that are edges of some type.
constexpr uint32_t edges[][4] = {
    {0x7fc00000, 0xffffffff, 0x7f800001, 0x7fffffff},  // NaN
    {0x00000000, 0x80000000, 0x00000001, 0x80000001},  // zeros and subnormals
    {0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff},  // infinities and the largest numbers
    {0x7fffffff, 0x80000000, 0xffffffff, 0x00000000},  // ends of the integers
};

std::vector<TmemLdRedCase> simpler(const TmemLdRedCase& c) {
  std::vector<TmemLdRedCase> list;
  const auto offer = [&](auto change) {
    TmemLdRedCase s = c;
    change(s);
    if (s != c && what_is_wrong(s).empty()) list.push_back(s);
  };
  offer([](TmemLdRedCase& s) { s.is_split = false, s.lane = 0; });
  offer([](TmemLdRedCase& s) { s.lane = 0; });
  offer([](TmemLdRedCase& s) { s.count = 2; });
  offer([](TmemLdRedCase& s) { s.count /= 2; });
  offer([](TmemLdRedCase& s) { s.column = 0; });
  offer([](TmemLdRedCase& s) { s.alloc_columns = 32; });
  offer([](TmemLdRedCase& s) { s.alloc_columns /= 2; });
  offer([](TmemLdRedCase& s) { s.d_fill.special_bits = s.d_fill.special_rate = 0, s.d_fill.special = {}; });
  return list;
}

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

rc::Shrinkable<TmemLdRedCase> shrink_tree(const TmemLdRedCase& c,
                                          std::function<bool(const TmemLdRedCase&)> keep) {
  return gen::kept_tree<TmemLdRedCase>(c, simpler, std::move(keep));
}

}  // namespace assay::suites
