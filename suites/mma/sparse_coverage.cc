// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/sparse_coverage.h"

namespace assay::suites {

void cover_mma_sparse_codes(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                            CoverageSink& sink) {
  cover_mma_layout(any, expected, index, arch, sink);
  const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
  for (const uint32_t cell : gen::code_cells(c)) sink.hit(2, cell);
  sink.hit(3, gen::selector_cell(c));
}

void cover_mma_sparse(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                      CoverageSink& sink) {
  cover_mma_sparse_codes(any, expected, index, arch, sink);
  sink.hit(4, gen::way_cell(any.as<Tcgen05MmaCase>()));
}

std::optional<std::string> needs_kind_i8(spec::Arch arch) {
  if (arch == spec::Arch::sm_103) return "sm_103a has no kind::i8";
  return needs_tensor_memory(arch);
}

}  // namespace assay::suites
