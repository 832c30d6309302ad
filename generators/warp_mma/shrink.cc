// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>

#include "generators/simpler_cases.h"
#include "reference/layout/fragments.h"

namespace assay::gen {
namespace {

constexpr auto fits = [](const auto& c) { return fits_rig(c); };

template <typename Member>
void offer_matrix(SimplerCases<WgmmaCase>& steps, const WgmmaCase& c, Member which, const SmemReads& reads) {
  const MatrixInShared& m = c.*which;
  const auto offer = [&](auto change) { steps.offer([&](WgmmaCase& s) { change(s.*which); }); };
  offer([&](MatrixInShared& s) {
    s.swizzle = 0, s.base_offset = 0;
    make_canonical(s, reads);
  });
  offer([](MatrixInShared& s) { s.swizzle = 0; });
  offer([](MatrixInShared& s) { s.base_offset = 0; });
  offer([](MatrixInShared& s) { s.base_offset /= 2; });
  // Canonical strides are the simplest: from them no step leads away, so that none undoes another.
  MatrixInShared canonical = m;
  make_canonical(canonical, reads);
  if (m != canonical) {
    offer([&](MatrixInShared& s) { s = canonical; });
    offer([](MatrixInShared& s) { s.leading_offset = 0; });
    offer([](MatrixInShared& s) { s.stride_offset = 0; });
    if (m.leading_offset > 16)
      offer([](MatrixInShared& s) { s.leading_offset = s.leading_offset / 32 * 16; });
    if (m.stride_offset > 16) offer([](MatrixInShared& s) { s.stride_offset = s.stride_offset / 32 * 16; });
  }
  offer([](MatrixInShared& s) { s.start = 0; });
  offer([](MatrixInShared& s) { s.start = s.start / 1024 * 1024; });
  if (m.start >= 1024) offer([](MatrixInShared& s) { s.start -= 1024; });
  if (m.start >= 16) offer([](MatrixInShared& s) { s.start -= 16; });
}

/// Towards one code for all, and the first selector.
template <typename Case>
void offer_metadata(SimplerCases<Case>& steps, const Case& c) {
  if (!c.sparse.present) return;
  for (const uint32_t code : layout::codes_of(c.sparse.codes))
    steps.offer([code](Case& s) { s.sparse.codes = code * 0x11111111u, s.sparse.seed = 0; });
  for (const uint32_t code : layout::codes_of(c.sparse.strange_codes))
    steps.offer([code](Case& s) { s.sparse.strange_codes = code * 0x11111111u; });
  steps.offer([](Case& s) { s.sparse.strange_codes = s.sparse.strange_rate = 0; });
  if (c.sparse.strange_rate > 1) steps.offer([](Case& s) { s.sparse.strange_rate /= 2; });
  steps.offer([](Case& s) { s.sparse.selector = 0; });
  steps.offer([](Case& s) { s.sparse.seed = 0; });
  steps.offer([](Case& s) { s.sparse.seed &= 0xff; });
}

template <typename Case>
void offer_patterns(SimplerCases<Case>& steps) {
  for (OperandPattern Case::*which : {&Case::c_fill, &Case::a_fill, &Case::b_fill})
    steps.offer_pattern(which);
}

}  // namespace

std::vector<WgmmaCase> simpler(const WgmmaCase& c) {
  SimplerCases<WgmmaCase> steps(c, fits);
  std::vector<uint32_t> fewer;
  const MmaGroup group = group_of(c.types);
  for (const WgmmaForm& form : warp_forms<WgmmaForm>(group, c.sparse.present))
    if (form.types == c.types && form.n < c.n) fewer.push_back(form.n);
  std::sort(fewer.begin(), fewer.end());
  steps.offer([](WgmmaCase& s) { s.warpgroup = 0; });
  steps.offer([](WgmmaCase& s) { s.in_groups = false, s.pending = 0; });
  steps.offer([](WgmmaCase& s) { s.pending /= 2; });
  for (const uint32_t n : fewer) steps.offer([n](WgmmaCase& s) { s.n = n; });
  steps.offer([](WgmmaCase& s) { s.negate_a = s.negate_b = false; });
  steps.offer([](WgmmaCase& s) { s.negate_a = false; });
  steps.offer([](WgmmaCase& s) { s.negate_b = false; });
  steps.offer([](WgmmaCase& s) { s.a_ignored = s.b_ignored = 0; });
  steps.offer([](WgmmaCase& s) { s.a_ignored = 0; });
  steps.offer([](WgmmaCase& s) { s.b_ignored = 0; });
  steps.offer([](WgmmaCase& s) { s.scale_d = false; });
  if (c.transpose_a)
    steps.offer([](WgmmaCase& s) {
      s.transpose_a = false;
      make_canonical(s.a, reads_of_a(s));
    });
  if (c.transpose_b)
    steps.offer([](WgmmaCase& s) {
      s.transpose_b = false;
      make_canonical(s.b, reads_of_b(s));
    });
  if (!c.a_in_registers) offer_matrix(steps, c, &WgmmaCase::a, reads_of_a(c));
  offer_matrix(steps, c, &WgmmaCase::b, reads_of_b(c));
  offer_metadata(steps, c);
  offer_patterns(steps);
  const uint32_t end =
      std::max(linear_end(c.b, reads_of_b(c)), c.a_in_registers ? 0 : linear_end(c.a, reads_of_a(c)));
  steps.offer([&](WgmmaCase& s) {
    s.window_bytes = (end + 1023) / 1024 * 1024;
    s.split = std::min(s.split, s.window_bytes);
  });
  return std::move(steps.made);
}

std::vector<MmaSyncCase> simpler(const MmaSyncCase& c) {
  SimplerCases<MmaSyncCase> steps(c, fits);
  steps.offer([](MmaSyncCase& s) { s.tiles = 1; });
  steps.offer([](MmaSyncCase& s) { s.tiles /= 2; });
  steps.offer([](MmaSyncCase& s) { s.tiles -= 1; });
  steps.offer([](MmaSyncCase& s) { s.types.saturates = false; });
  steps.offer([](MmaSyncCase& s) { s.k /= 2; });
  offer_metadata(steps, c);
  offer_patterns(steps);
  return std::move(steps.made);
}

std::vector<MmaSyncKindCase> simpler(const MmaSyncKindCase& c) {
  SimplerCases<MmaSyncKindCase> steps(c,
                                      [](const MmaSyncKindCase& s) { return model::wrong_with(s).empty(); });
  steps.offer([](auto& s) { s.tiles = 1; });
  steps.offer([](auto& s) { s.tiles /= 2; });
  steps.offer([](auto& s) { s.tiles -= 1; });
  steps.offer([](auto& s) { s.byte_a = s.thread_a = s.byte_b = s.thread_b = 0; });
  offer_metadata(steps, c);
  for (uint32_t MmaSyncKindCase::*which : {&MmaSyncKindCase::byte_a, &MmaSyncKindCase::thread_a,
                                           &MmaSyncKindCase::byte_b, &MmaSyncKindCase::thread_b})
    steps.offer([&](auto& s) { s.*which = 0; });
  offer_patterns(steps);
  steps.offer_pattern(&MmaSyncKindCase::a_scale_fill);
  steps.offer_pattern(&MmaSyncKindCase::b_scale_fill);
  return std::move(steps.made);
}

}  // namespace assay::gen
