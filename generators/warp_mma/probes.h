// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/warp_mma/case.h"

/// Single dot products that tell ways to add apart.
namespace assay::gen {

struct WarpMmaProbe {
  std::string id, property;
  /// "F=24=3f800001|F=25=3f800000": ways to add and what D is then, in hexadecimal.
  std::string candidates;
  MmaTypes types;
  KnownOperands operands;
};
/// Those of the two instructions, and what could not be read.
struct WarpMmaProbes {
  std::vector<WarpMmaProbe> wgmma, mma_sync;
  std::vector<std::string> problems;  ///< "line 12: the column a is missing": rows that are left out
};
/// The rows of a text as testdata/vectors/probes_numerics.csv is one: those that an H200 can decide, but for
/// f64.
WarpMmaProbes read_warp_mma_probes(std::string_view csv);
/// That file, which is built in.
std::string_view warp_mma_probes_text();

/// Of the file that is built in.
std::span<const WarpMmaProbe> wgmma_probes();
std::span<const WarpMmaProbe> mma_sync_probes();

/// Probe id.index modulo their number; with wgmma, A in shared memory and in registers in turn.
void make_wgmma_probe(const CaseId& id, WgmmaCase& c);
void make_mma_sync_probe(const CaseId& id, MmaSyncCase& c);

}  // namespace assay::gen
