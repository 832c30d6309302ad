#include "generators/tiled_cases.h"
#include "suites/tma_tiled_coverage.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load_transaction({seed, property, index, arch}, c.emplace<TiledCase>());
}

const Registered transaction_bytes({
    .name = "tma.tiled.load.transaction_bytes",
    .claim = "a tiled load signals the bytes of its whole box, in bounds or not: a barrier armed with more "
             "or fewer "
             "never completes cleanly",
    .family = tiled_copy_family,
    .share = 0.5,
    .generate = generate,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                   static_cast<uint32_t>(model::End::never_completes),
                                   static_cast<uint32_t>(model::End::early_surplus)};
    })},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
});

}  // namespace
}  // namespace assay::suites
