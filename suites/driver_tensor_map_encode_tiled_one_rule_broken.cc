#include "generators/encode_probes.h"
#include "suites/property.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_encode_boundary({seed, property, index, arch}, c.emplace<EncodeTiledCase>());
}

CellSpace borders() {
  return {"rule x side x value", 256,
          [](uint32_t cell, spec::Arch arch) {
            const gen::EncodeProbe& probe = gen::boundary_probe(cell, arch);
            return std::string(probe.rule) + "/" + (probe.inside ? "inside" : "outside") + "/" +
                   std::string(probe.value);
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells(gen::boundary_probes(arch).size());
            for (uint32_t i = 0; i < cells.size(); ++i) cells[i] = i;
            return cells;
          }};
}

/// A point counts only when the reference sees the call as the point means it.
void cover(const Case&, const Expected& expected, uint64_t index, spec::Arch arch, CoverageSink& sink) {
  const gen::EncodeProbe& probe = gen::boundary_probe(index, arch);
  if (probe.inside == (expected.end == model::End::done))
    sink.hit(0, static_cast<uint32_t>(index % gen::boundary_probes(arch).size()));
}

const Registered one_rule_broken({
    .name = "driver.tensor_map.encode_tiled.one_rule_broken",
    .claim = "a call just inside the border of a rule is accepted, one just outside that breaks this rule "
             "alone is "
             "refused",
    .family = encode_tiled_family,
    .share = 1,
    .generate = generate,
    .spaces = {borders()},
    .cover = cover,
});

}  // namespace
}  // namespace assay::suites
