#include "generators/tiled_cases.h"
#include "suites/tma_tiled_coverage.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load_fault({seed, property, index, arch}, c.emplace<TiledCase>());
}

const Registered faults({
    .name = "tma.tiled.load.faults",
    .claim = "a tiled load that breaks one run-time rule faults with the code of that rule",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::illegal_instruction),
                                   static_cast<uint32_t>(model::End::misaligned_address)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});

}  // namespace
}  // namespace assay::suites
