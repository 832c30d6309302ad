// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "generators/tensor_map/im2col_probe_words.h"

namespace assay::gen {
namespace {

using im2col_words::List;
using On = Im2colProbe::On;

bool exists(const Im2colProbe& probe, spec::Arch arch, bool wide) {
  const bool old = !spec::has_tcgen05(arch);
  switch (probe.on) {
    case On::everywhere:
      return true;
    case On::sm_90:
      return old;
    case On::from_sm_100:
      return !old;
    case On::plain:
      return !wide;
    case On::plain_from_sm_100:
      return !wide && !old;
    case On::measured:
      return !wide || old;
    case On::by_documents:
      return wide && !old;
    case On::wide:
      return wide;
  }
  return false;
}

using ListsByArch = std::array<std::array<List, 2>, spec::arch_count>;
ListsByArch split(const List& all) {
  ListsByArch lists;
  for (int arch = 0; arch < spec::arch_count; ++arch)
    for (const bool wide : {false, true})
      std::copy_if(
          all.begin(), all.end(), std::back_inserter(lists[arch][wide]),
          [&](const Im2colProbe& probe) { return exists(probe, static_cast<spec::Arch>(arch), wide); });
  return lists;
}

}  // namespace

std::span<const Im2colProbe> im2col_borders(spec::Arch arch, bool wide) {
  static const ListsByArch lists = split(im2col_words::border_table());
  return lists[static_cast<int>(arch)][wide];
}

std::span<const Im2colProbe> im2col_disputes(spec::Arch arch, bool wide) {
  static const ListsByArch lists = split(im2col_words::dispute_table());
  return lists[static_cast<int>(arch)][wide];
}

void apply(const Im2colProbe& probe, Random& random, spec::Arch arch, bool wide, EncodeIm2colCase& c) {
  for (int tries = 0; tries < 1000 && !probe.fits(c); ++tries)
    make_legal_im2col_encode(random, arch, wide, c);
  if (probe.fits(c)) probe.change(random, c);
}

}  // namespace assay::gen
