// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/tensor_map/encode_cases.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

/// Accepted maps by their modes.
constexpr uint32_t swizzle_count = 7, type_count = 16;
uint32_t cell_of_modes(const TensorMapArgs& map) {
  return ((map.data_type * 3 + map.rank - 3) * 3 + map.interleave) * swizzle_count + map.swizzle;
}

template <bool wide>
CellSpace accepted_modes() {
  return {"type x rank x interleave x swizzle, accepted", type_count * 3 * 3 * swizzle_count,
          [](uint32_t cell, spec::Arch) {
            return std::string(spec::data_types[cell / 63].name) + "/" + std::to_string(cell / 21 % 3 + 3) +
                   "/" + std::string(spec::interleaves[cell / 7 % 3].name) + "/" +
                   std::string(spec::swizzles[cell % 7].name);
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < type_count * 63; ++cell) {
              const spec::DataType& type = spec::data_types[cell / 63];
              const uint32_t interleave = cell / 7 % 3;
              const spec::Swizzle& swizzle = spec::swizzles[cell % 7];
              if (!type.exists(arch) || !swizzle.exists(arch)) continue;
              const bool by_documents = wide && spec::has_tcgen05(arch);
              if (by_documents && (interleave != 0 || swizzle.host < spec::host_swizzle::by_64B ||
                                   swizzle.host > spec::host_swizzle::by_128B_atom32B))
                continue;
              if (interleave != 0 && type.is_packed()) continue;
              if (interleave == spec::host_interleave::by_32B && swizzle.host != spec::host_swizzle::by_32B)
                continue;  // the others by chance
              if (type.is_padded() && swizzle.host != spec::host_swizzle::by_128B &&
                  swizzle.host != spec::host_swizzle::by_128B_atom32B &&
                  (swizzle.host != spec::host_swizzle::none || by_documents))
                continue;
              cells.push_back(cell);
            }
            return cells;
          }};
}

/// Rules that a refused call breaks, alone or with others.
template <bool wide>
CellSpace encode_im2col_refusals() {
  return {"rule broken by a refused call", static_cast<uint32_t>(spec::rules().size()),
          [](uint32_t cell, spec::Arch) { return std::string(spec::rules()[cell].id); },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (const gen::Im2colProbe& probe : gen::im2col_borders(arch, wide)) {
              const auto rule = spec::find_rule(probe.rule);
              if (!probe.inside && rule && std::find(cells.begin(), cells.end(), *rule) == cells.end())
                cells.push_back(*rule);
            }
            std::sort(cells.begin(), cells.end());
            return cells;
          }};
}

void cover_call(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  const TensorMapArgs& map = any.as<EncodeIm2colCase>().map;
  if (expected.end == model::End::done) {
    if (map.data_type < type_count && map.swizzle < swizzle_count &&
        map.interleave < spec::interleaves.size() && spatial_axes(map.rank) != 0)
      sink.hit(0, cell_of_modes(map));
    return;
  }
  for (size_t rule = expected.rules._Find_first(); rule < expected.rules.size();
       rule = expected.rules._Find_next(rule))
    sink.hit(1, static_cast<uint32_t>(rule));
}

template <bool wide>
const gen::Im2colProbe& border_of(uint64_t index, spec::Arch arch) {
  const auto probes = gen::im2col_borders(arch, wide);
  return probes[index % probes.size()];
}

template <bool wide>
CellSpace encode_im2col_borders() {
  return {"rule x side x value", 128,
          [](uint32_t cell, spec::Arch arch) {
            const gen::Im2colProbe& probe = border_of<wide>(cell, arch);
            return std::string(probe.rule) + "/" + (probe.inside ? "inside" : "outside") + "/" +
                   std::string(probe.value);
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells(gen::im2col_borders(arch, wide).size());
            for (uint32_t i = 0; i < cells.size(); ++i) cells[i] = i;
            return cells;
          }};
}

/// A point counts only when the reference sees the call as the point means it.
template <bool wide>
void cover_border(const Case&, const Expected& expected, uint64_t index, spec::Arch arch,
                  CoverageSink& sink) {
  if (border_of<wide>(index, arch).inside == (expected.end == model::End::done))
    sink.hit(0, static_cast<uint32_t>(index % gen::im2col_borders(arch, wide).size()));
}

const Registered encode_im2col_calls({
    .name = "driver.tensor_map.encode_im2col",
    .claim = "the driver's im2col encoder accepts exactly the calls that the rules allow, writes the 128 "
             "bytes that they define, and nothing else",
    .family = encode_im2col_family,
    .share = 2,
    .generate = generate_case<gen::make_im2col_encode>,
    .spaces = {accepted_modes<false>(), encode_im2col_refusals<false>()},
    .cover = cover_call,
    .declines = encoder_declines,
});

const Registered encode_wide({
    .name = "driver.tensor_map.encode_im2col_wide",
    .claim = "the driver's wide im2col encoder accepts exactly the calls that the rules allow, writes the "
             "128 bytes that they define, and nothing else",
    .family = encode_im2col_wide_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_wide_encode>,
    .spaces = {accepted_modes<true>(), encode_im2col_refusals<true>()},
    .cover = cover_call,
    .declines = encoder_declines,
});

const Registered encode_im2col_one_rule_broken({
    .name = "driver.tensor_map.encode_im2col.one_rule_broken",
    .claim = "an im2col call at the limit of a rule is accepted; one just past it that breaks only this rule "
             "is refused",
    .family = encode_im2col_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_boundary>,
    .spaces = {encode_im2col_borders<false>()},
    .cover = cover_border<false>,
    .declines = encoder_declines,
});

const Registered one_rule_broken_wide({
    .name = "driver.tensor_map.encode_im2col_wide.one_rule_broken",
    .claim = "a wide im2col call at the limit of a rule is accepted; one just past it that breaks only this "
             "rule is refused",
    .family = encode_im2col_wide_family,
    .share = 0.5,
    .generate = generate_case<gen::make_im2col_wide_boundary>,
    .spaces = {encode_im2col_borders<true>()},
    .cover = cover_border<true>,
    .declines = encoder_declines,
});

const Registered encode_im2col_crash({
    .name = "driver.tensor_map.encode_im2col.crash",
    .claim = "null corner arrays and a rank far out of range are refused or crash the calling process, but "
             "are never accepted",
    .family = encode_im2col_family,
    .share = 0.1,
    .generate = generate_case<gen::make_im2col_encode_crash>,
    .spaces = {},
    .cover = nullptr,
    .batch_cases = 4,
    .most_on_silicon = 28,
    .most_on_emulator = 28,
    .declines = encoder_declines,
});

const Registered crash_wide({
    .name = "driver.tensor_map.encode_im2col_wide.crash",
    .claim = "a rank far out of range is refused by the wide encoder or crashes the calling process, but is "
             "never accepted",
    .family = encode_im2col_wide_family,
    .share = 0.1,
    .generate = generate_case<gen::make_im2col_wide_encode_crash>,
    .spaces = {},
    .cover = nullptr,
    .batch_cases = 4,
    .most_on_silicon = 16,
    .most_on_emulator = 16,
    .declines = encoder_declines,
});

}  // namespace
}  // namespace assay::suites
