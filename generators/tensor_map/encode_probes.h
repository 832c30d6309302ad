// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "generators/tensor_copy/tiled_cases.h"

namespace assay::gen {

/// One point beside the border of a rule on encoder arguments: just inside (the call stays legal) or just
/// outside (exactly this rule is broken).
struct EncodeProbe {
  std::string_view rule;   ///< "V-15"
  std::string_view value;  ///< what is special, in words: "box[i] = 257"
  bool inside;
  bool (*fits)(const EncodeTiledCase&);  ///< which legal calls it can be applied to
  void (*change)(Random&, EncodeTiledCase&);
  spec::Arch from = spec::Arch::sm_90;  ///< first architecture that it makes sense on
  bool only_sm_90 = false;
};

/// The whole tables.
std::span<const EncodeProbe> all_borders();
std::span<const EncodeProbe> all_disputes();

/// Every border point of the architecture, in table order.
std::span<const EncodeProbe> boundary_probes(spec::Arch arch);
/// Points where documents and a measured driver disagree, or the documents disagree among themselves.
std::span<const EncodeProbe> disputed_probes(spec::Arch arch);

/// Draws legal calls until the probe fits one, and changes it.
void apply(const EncodeProbe& probe, Random& random, spec::Arch arch, EncodeTiledCase& c);

/// Case i: probe i mod n on a fresh legal call.
void make_encode_boundary(const CaseId& id, EncodeTiledCase& c);
const EncodeProbe& boundary_probe(uint64_t index, spec::Arch arch);

}  // namespace assay::gen
