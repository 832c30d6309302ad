// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/scaled_coverage.h"

namespace assay::suites {

void cover_mma_scaled(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                      CoverageSink& sink) {
  cover_mma_layout(any, expected, index, arch, sink);
  sink.hit(2, gen::scale_cell(any.as<Tcgen05MmaCase>()));
  sink.hit(3, gen::scale_way_cell(any.as<Tcgen05MmaCase>()));
}

std::vector<CellSpace> mma_refill_spaces() {
  return {{"kind x CTA group", 6,
           [](uint32_t cell, spec::Arch) {
             const uint32_t kind = number_of(spec::MmaKind::mxf8f6f4) + cell / 2 % 3;
             return std::string(row_of(static_cast<spec::MmaKind>(kind)).name) +
                    (cell % 2 == 0 ? " one CTA" : " pair");
           },
           [](spec::Arch) { return std::vector<uint32_t>{0, 1, 2, 3, 4, 5}; }}};
}
void cover_mma_refill(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const auto& c = any.as<Tcgen05MmaCase>();
  sink.hit(0, (number_of(c.kind) - number_of(spec::MmaKind::mxf8f6f4)) * 2 + c.cta_group - 1);
}

std::optional<std::string> needs_k_of_96(spec::Arch arch) {
  if (arch == spec::Arch::sm_103) return std::nullopt;
  return "requires sm_103a, the only target that multiplies 96 elements of K";
}

}  // namespace assay::suites
