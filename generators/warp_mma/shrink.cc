// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>

#include "generators/shrink_tree.h"
#include "reference/layout/scales_and_metadata.h"

namespace assay::gen {
namespace {

template <typename Case>
class WarpMmaSteps {
 public:
  explicit WarpMmaSteps(const Case& from) : from_(from) {}

  template <typename Change>
  void offer(Change change) {
    Case c = from_;
    change(c);
    if (c == from_ || !fits_rig(c)) return;
    if (std::find(made.begin(), made.end(), c) == made.end()) made.push_back(c);
  }

  std::vector<Case> made;

 private:
  const Case& from_;
};

/// From any pattern towards one number, then zero.
template <typename Case>
void offer_pattern(WarpMmaSteps<Case>& steps, const Case& c, OperandPattern Case::*which) {
  const OperandPattern& p = c.*which;
  const auto offer = [&](auto change) { steps.offer([&](Case& s) { change(s.*which); }); };
  offer([](OperandPattern& s) { s = {.keep = 0}; });
  offer([](OperandPattern& s) { s.special_bits = s.special_rate = 0, s.special = {}; });
  offer([](OperandPattern& s) { s.mirror_bits = s.mirror_flip = 0; });
  offer([](OperandPattern& s) { s.keep = 0; });
  offer([](OperandPattern& s) { s.seed = 0; });
  offer([](OperandPattern& s) { s.seed &= 0xff; });
  for (const uint32_t mask : {0xffff0000u, 0x0000ffffu, 0xff00ff00u, 0x00ff00ffu, 0xf0f0f0f0u, 0x0f0f0f0fu,
                              0xccccccccu, 0x33333333u, 0xaaaaaaaau, 0x55555555u})
    if ((p.keep & mask) != p.keep) offer([mask](OperandPattern& s) { s.keep &= mask; });
  for (uint32_t bit = 1; bit != 0; bit <<= 1)
    if ((p.keep & bit) != 0) offer([bit](OperandPattern& s) { s.keep &= ~bit; });
}

template <typename Member>
void offer_matrix(WarpMmaSteps<WgmmaCase>& steps, const WgmmaCase& c, Member which, const SmemReads& reads) {
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
void offer_metadata(WarpMmaSteps<Case>& steps, const Case& c) {
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
void offer_patterns(WarpMmaSteps<Case>& steps, const Case& c) {
  offer_pattern(steps, c, &Case::c_fill);
  offer_pattern(steps, c, &Case::a_fill);
  offer_pattern(steps, c, &Case::b_fill);
}

}  // namespace

std::vector<WgmmaCase> simpler(const WgmmaCase& c) {
  WarpMmaSteps<WgmmaCase> steps(c);
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
  offer_patterns(steps, c);
  const uint32_t end =
      std::max(linear_end(c.b, reads_of_b(c)), c.a_in_registers ? 0 : linear_end(c.a, reads_of_a(c)));
  steps.offer([&](WgmmaCase& s) {
    s.window_bytes = (end + 1023) / 1024 * 1024;
    s.split = std::min(s.split, s.window_bytes);
  });
  return std::move(steps.made);
}

std::vector<MmaSyncCase> simpler(const MmaSyncCase& c) {
  WarpMmaSteps<MmaSyncCase> steps(c);
  steps.offer([](MmaSyncCase& s) { s.tiles = 1; });
  steps.offer([](MmaSyncCase& s) { s.tiles /= 2; });
  steps.offer([](MmaSyncCase& s) { s.tiles -= 1; });
  steps.offer([](MmaSyncCase& s) { s.types.saturates = false; });
  steps.offer([](MmaSyncCase& s) { s.k /= 2; });
  offer_metadata(steps, c);
  offer_patterns(steps, c);
  return std::move(steps.made);
}

rc::Shrinkable<WgmmaCase> shrink_tree(const WgmmaCase& c, KeepWgmma keep) {
  return kept_tree<WgmmaCase>(c, simpler, std::move(keep));
}
rc::Shrinkable<MmaSyncCase> shrink_tree(const MmaSyncCase& c, KeepMmaSync keep) {
  return kept_tree<MmaSyncCase>(c, simpler, std::move(keep));
}

}  // namespace assay::gen
