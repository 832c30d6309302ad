// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/tensor_map/encode_cases.h"
#include "suites/run/property.h"
#include "suites/tensor_map/encode_family.h"
#include "suites/tensor_map/encoder_declines.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_replace_address({seed, property, index, arch}, c.emplace<EncodeTiledCase>());
}

/// Of accepted calls: the lowest and the highest bit of the new address, which is a multiple of 16 below
/// 2^57.
CellSpace replace_address_bits() {
  return {
      "lowest bit x highest bit of the address", 64 * 64,
      [](uint32_t cell, spec::Arch) { return std::to_string(cell / 64) + "/" + std::to_string(cell % 64); },
      [](spec::Arch) {
        std::vector<uint32_t> cells;
        for (uint32_t low = 4; low < 57; ++low)
          for (uint32_t high = low; high < 57; ++high) cells.push_back(low * 64 + high);
        return cells;
      }};
}

void cover(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  const uint64_t address = any.as<EncodeTiledCase>().replacement;
  if (expected.end != model::End::done || address == 0) return;
  sink.hit(0, static_cast<uint32_t>(std::countr_zero(address) * 64 + 63 - std::countl_zero(address)));
}

const Registered replace({
    .name = "driver.tensor_map.replace_address",
    .claim = "cuTensorMapReplaceAddress accepts every aligned, non-zero address below 2^57 and changes only "
             "the address in the map",
    .family = encode_tiled_family,
    .share = 0.5,
    .generate = generate,
    .spaces = {replace_address_bits()},
    .cover = cover,
    .declines = encoder_declines,
});

}  // namespace
}  // namespace assay::suites
