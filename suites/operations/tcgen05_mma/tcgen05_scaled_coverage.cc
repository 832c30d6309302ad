#include "suites/operations/tcgen05_mma/tcgen05_scaled_coverage.h"

namespace assay::suites {

void cover_mma_scaled(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                      CoverageSink& sink) {
  cover_mma_layout(any, expected, index, arch, sink);
  sink.hit(2, gen::scale_cell(any.as<Tcgen05MmaCase>()));
  sink.hit(3, gen::scale_way_cell(any.as<Tcgen05MmaCase>()));
}

std::optional<std::string> needs_k_of_96(spec::Arch arch) {
  if (arch == spec::Arch::sm_103) return std::nullopt;
  return "tcgen05.mma multiplies 96 elements of K on sm_103a alone";
}

}  // namespace assay::suites
