#include "generators/encode_cases.h"
#include "suites/property.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_encode_crash({seed, property, index, arch}, c.emplace<EncodeTiledCase>());
}

const Registered crash({
    .name = "driver.tensor_map.encode_tiled.crash",
    .claim =
        "a rank far out of range is refused, or at worst ends the calling process, but is never accepted",
    .family = encode_tiled_family,
    .share = 0.1,
    .generate = generate,
    .spaces = {},
    .cover = nullptr,
    .batch_cases = 4,
    .most_on_silicon = 16,
    .most_on_emulator = 16,
});

}  // namespace
}  // namespace assay::suites
