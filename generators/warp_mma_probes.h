#pragma once

#include <span>
#include <string_view>

#include "generators/tiled_cases.h"
#include "reference/model/warp_mma_case.h"

/// Single dot products that tell ways to add apart.
namespace assay::gen {

struct WarpMmaProbe {
  std::string_view id, property;
  /// "F=24=3f800001|F=25=3f800000": ways to add and what D is then, in hexadecimal.
  std::string_view candidates;
  MmaTypes types;
  KnownOperands operands;
};
std::span<const WarpMmaProbe> wgmma_probes();
std::span<const WarpMmaProbe> mma_sync_probes();

/// Probe id.index modulo their number; with wgmma, A in shared memory and in registers in turn.
void make_wgmma_probe(const CaseId& id, WgmmaCase& c);
void make_mma_sync_probe(const CaseId& id, MmaSyncCase& c);

}  // namespace assay::gen
