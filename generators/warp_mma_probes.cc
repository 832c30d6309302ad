#include "generators/warp_mma_probes.h"

#include <array>
#include <vector>

#include "generators/warp_mma_forms.h"

namespace assay::gen {
namespace {

constexpr std::array<uint32_t, 8> words(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3, uint32_t w4,
                                        uint32_t w5, uint32_t w6, uint32_t w7) {
  return {w0, w1, w2, w3, w4, w5, w6, w7};
}

struct Row {
  bool is_wgmma;
  WarpMmaProbe probe;
};
// Constant data: as code that fills a list it would take the compiler minutes under sanitizers.
#define ASSAY_PROBE(id, property, candidates, is_wgmma, a_type, b_type, d_type, saturates, a, b, c) \
  {is_wgmma,                                                                                        \
   {id,                                                                                             \
    property,                                                                                       \
    candidates,                                                                                     \
    {MmaElement::a_type, MmaElement::b_type, MmaAccumulator::d_type, saturates},                    \
    {true, words a, words b, {}, c}}},
constexpr Row rows[] = {
#include "generators/warp_mma_probes.inc"
};
#undef ASSAY_PROBE

std::vector<WarpMmaProbe> probes(bool wgmma) {
  std::vector<WarpMmaProbe> chosen;
  for (const Row& row : rows)
    if (row.is_wgmma == wgmma) chosen.push_back(row.probe);
  return chosen;
}

}  // namespace

std::span<const WarpMmaProbe> wgmma_probes() {
  static const auto all = probes(true);
  return all;
}
std::span<const WarpMmaProbe> mma_sync_probes() {
  static const auto all = probes(false);
  return all;
}

void make_wgmma_probe(const CaseId& id, WgmmaCase& c) {
  const auto all = wgmma_probes();
  const WarpMmaProbe& probe = all[id.index % all.size()];
  c = {};
  c.types = probe.types;
  c.a_in_registers = id.index / all.size() % 2 != 0;
  place_known(c);
  c.known = probe.operands;
}

void make_mma_sync_probe(const CaseId& id, MmaSyncCase& c) {
  const auto all = mma_sync_probes();
  const WarpMmaProbe& probe = all[id.index % all.size()];
  c = {};
  c.types = probe.types;
  c.k = 32 / element_bytes(probe.types.a);
  c.known = probe.operands;
}

}  // namespace assay::gen
