// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_probes.h"

#include <array>
#include <vector>

#include "generators/tensor_map/encode_cases.h"

namespace assay::gen {
namespace {

std::vector<EncodeProbe> of_arch(std::span<const EncodeProbe> all, spec::Arch arch) {
  std::vector<EncodeProbe> list;
  for (const EncodeProbe& probe : all)
    if ((probe.from == spec::Arch::sm_90 || (spec::has_tcgen05(arch) && arch >= probe.from)) &&
        !(probe.only_sm_90 && arch != spec::Arch::sm_90))
      list.push_back(probe);
  return list;
}

using Lists = std::array<std::vector<EncodeProbe>, spec::arch_count>;
Lists by_arch(std::span<const EncodeProbe> all) {
  Lists lists;
  for (int a = 0; a < spec::arch_count; ++a) lists[a] = of_arch(all, static_cast<spec::Arch>(a));
  return lists;
}

}  // namespace

std::span<const EncodeProbe> boundary_probes(spec::Arch arch) {
  static const Lists lists = by_arch(all_borders());
  return lists[static_cast<int>(arch)];
}

std::span<const EncodeProbe> disputed_probes(spec::Arch arch) {
  static const Lists lists = by_arch(all_disputes());
  return lists[static_cast<int>(arch)];
}

void apply(const EncodeProbe& probe, Random& random, spec::Arch arch, EncodeTiledCase& c) {
  for (int tries = 0; tries < 1000 && !probe.fits(c); ++tries) make_legal_encode(random, arch, c);
  if (probe.fits(c)) probe.change(random, c);
}

void make_encode_boundary(const CaseId& id, EncodeTiledCase& c) {
  Random random = id.random();
  make_legal_encode(random, id.arch, c);
  apply(boundary_probe(id.index, id.arch), random, id.arch, c);
}

const EncodeProbe& boundary_probe(uint64_t index, spec::Arch arch) {
  const auto probes = boundary_probes(arch);
  return probes[index % probes.size()];
}

}  // namespace assay::gen
