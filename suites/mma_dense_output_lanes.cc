#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

std::vector<gen::MmaForm> forms_of(spec::Arch arch) {
  std::vector<gen::MmaForm> all = gen::plain_forms(arch);
  for (const gen::MmaForm& form : gen::pair_forms(arch)) all.push_back(form);
  return all;
}
const Registered output_lanes({
    .name = "mma.dense.output_lanes",
    .claim = "lanes that disable-output-lane names keep what they held",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_output_lanes>,
    .spaces = mma_layout_spaces<forms_of>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
