#include "suites/tcgen05_scaled_coverage.h"
#include "suites/tma_tiled_coverage.h"

namespace assay::suites {
namespace {

const Registered broken({
    .name = "mma.scaled.one_field_wrong",
    .claim =
        "a block-scaled instruction with one field that no table allows leaves everything around D unharmed, "
        "and one beside it that is right gives its product",
    .family = tcgen05_mma_family,
    .share = 0.4,
    .generate = generate_case<gen::make_mma_scaled_broken>,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                   static_cast<uint32_t>(model::End::undefined)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // any of them may end the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
