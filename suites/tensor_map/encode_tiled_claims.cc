// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/tensor_map/encode_cases.h"
#include "generators/tensor_map/encode_probes.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/property.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

void generate_encode_tiled(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch,
                           Case& c) {
  gen::make_encode({seed, property, index, arch}, c.emplace<EncodeTiledCase>());
}

// Space 0: accepted maps by their modes. Space 1: rules that a refused call breaks, alone or with others.
uint32_t modes_cell(const TensorMapArgs& map) {
  return ((map.data_type * 5 + map.rank - 1) * 3 + map.interleave) * 7 + map.swizzle;
}

constexpr uint32_t mode_cells = uint32_t{spec::data_types.size()} * 5 * 3 * 7;

CellSpace modes() {
  return {"type x rank x interleave x swizzle, accepted", mode_cells,
          [](uint32_t cell, spec::Arch) {
            return std::string(spec::data_types[cell / 105].name) + "/" + std::to_string(cell / 21 % 5 + 1) +
                   "/" + std::string(spec::interleaves[cell / 7 % 3].name) + "/" +
                   std::string(spec::swizzles[cell % 7].name);
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < mode_cells; ++cell) {
              const spec::DataType& type = spec::data_types[cell / 105];
              const uint32_t rank = cell / 21 % 5 + 1, interleave = cell / 7 % 3;
              const spec::Swizzle& swizzle = spec::swizzles[cell % 7];
              if (!type.exists(arch) || !swizzle.exists(arch)) continue;
              if (interleave != 0 && (rank < 3 || type.is_packed())) continue;
              if (interleave == spec::host_interleave::by_32B && swizzle.host != spec::host_swizzle::by_32B)
                continue;  // the documents' only pair; the others by chance
              if (type.is_padded() && swizzle.host != spec::host_swizzle::none &&
                  swizzle.host != spec::host_swizzle::by_128B &&
                  swizzle.host != spec::host_swizzle::by_128B_atom32B)
                continue;
              cells.push_back(cell);
            }
            return cells;
          }};
}

CellSpace refusals() {
  return {"rule broken by a refused call", static_cast<uint32_t>(spec::rules().size()),
          [](uint32_t cell, spec::Arch) { return std::string(spec::rules()[cell].id); },
          [](spec::Arch arch) {
            // Rules whose breach refuses a call under the default readings: those with a border point of
            // their own.
            std::vector<uint32_t> cells;
            for (const gen::EncodeProbe& probe : gen::boundary_probes(arch)) {
              const auto rule = spec::find_rule(probe.rule);
              if (!probe.inside && rule && std::find(cells.begin(), cells.end(), *rule) == cells.end())
                cells.push_back(*rule);
            }
            std::sort(cells.begin(), cells.end());
            return cells;
          }};
}

void cover_encode_tiled(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  const TensorMapArgs& map = any.as<EncodeTiledCase>().map;
  if (expected.end == model::End::done) {
    if (map.data_type < spec::data_types.size() && map.swizzle < spec::host_swizzle::count)
      sink.hit(0, modes_cell(map));
    return;
  }
  for (size_t rule = expected.rules._Find_first(); rule < expected.rules.size();
       rule = expected.rules._Find_next(rule))
    sink.hit(1, static_cast<uint32_t>(rule));
}

const Registered encode({
    .name = "driver.tensor_map.encode_tiled",
    .claim = "the driver's encoder accepts exactly the calls that the rules allow, writes the 128 bytes that "
             "they define, and nothing else",
    .family = encode_tiled_family,
    .share = 2,
    .generate = generate_encode_tiled,
    .spaces = {modes(), refusals()},
    .cover = cover_encode_tiled,
    .declines = encoder_declines,
});

void generate_one_rule_broken(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch,
                              Case& c) {
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
void cover_one_rule_broken(const Case&, const Expected& expected, uint64_t index, spec::Arch arch,
                           CoverageSink& sink) {
  const gen::EncodeProbe& probe = gen::boundary_probe(index, arch);
  if (probe.inside == (expected.end == model::End::done))
    sink.hit(0, static_cast<uint32_t>(index % gen::boundary_probes(arch).size()));
}

const Registered one_rule_broken({
    .name = "driver.tensor_map.encode_tiled.one_rule_broken",
    .claim =
        "a call at the limit of a rule is accepted; one just past it that breaks only this rule is refused",
    .family = encode_tiled_family,
    .share = 1,
    .generate = generate_one_rule_broken,
    .spaces = {borders()},
    .cover = cover_one_rule_broken,
    .declines = encoder_declines,
});

void generate_crash(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_encode_crash({seed, property, index, arch}, c.emplace<EncodeTiledCase>());
}

const Registered crash({
    .name = "driver.tensor_map.encode_tiled.crash",
    .claim = "a rank far out of range is refused or crashes the calling process, but is never accepted",
    .family = encode_tiled_family,
    .share = 0.1,
    .generate = generate_crash,
    .spaces = {},
    .cover = nullptr,
    .batch_cases = 4,
    .most_on_silicon = 16,
    .most_on_emulator = 16,
    .declines = encoder_declines,
});

}  // namespace
}  // namespace assay::suites
