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

/// The border points of an encoder.
template <bool wide>
std::span<const gen::Im2colProbe> im2col_borders(spec::Arch arch) {
  return gen::im2col_borders(arch, wide);
}

// Space 0: accepted maps by their modes. Space 1: rules that a refused call breaks, alone or with others.
constexpr uint32_t swizzle_count = 7;
static_assert(spec::host_swizzle::count == swizzle_count);

template <uint32_t first_rank>
constexpr uint32_t modes_of_type = (6 - first_rank) * 3 * swizzle_count;

template <uint32_t first_rank, bool wide = false>
CellSpace accepted_modes() {
  return {"type x rank x interleave x swizzle, accepted",
          uint32_t{spec::data_types.size()} * modes_of_type<first_rank>,
          [](uint32_t cell, spec::Arch) {
            return std::string(spec::data_types[cell / modes_of_type<first_rank>].name) + "/" +
                   std::to_string(cell / 21 % (6 - first_rank) + first_rank) + "/" +
                   std::string(spec::interleaves[cell / 7 % 3].name) + "/" +
                   std::string(spec::swizzles[cell % 7].name);
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < spec::data_types.size() * modes_of_type<first_rank>; ++cell) {
              const spec::DataType& type = spec::data_types[cell / modes_of_type<first_rank>];
              const uint32_t rank = cell / 21 % (6 - first_rank) + first_rank, interleave = cell / 7 % 3;
              const spec::Swizzle& swizzle = spec::swizzles[cell % 7];
              if (!type.exists(arch) || !swizzle.exists(arch)) continue;
              const bool by_documents = wide && spec::has_tcgen05(arch);
              if (by_documents && (interleave != 0 || swizzle.host < spec::host_swizzle::by_64B ||
                                   swizzle.host > spec::host_swizzle::by_128B_atom32B))
                continue;
              if (interleave != 0 && (rank < 3 || type.is_packed())) continue;
              if (interleave == spec::host_interleave::by_32B && swizzle.host != spec::host_swizzle::by_32B)
                continue;  // the documents' only pair; the others by chance
              if (type.is_padded() && swizzle.host != spec::host_swizzle::by_128B &&
                  swizzle.host != spec::host_swizzle::by_128B_atom32B &&
                  (swizzle.host != spec::host_swizzle::none || by_documents))
                continue;
              cells.push_back(cell);
            }
            return cells;
          }};
}

/// Rules whose breach refuses a call under the default readings: those with a border point of their own.
template <auto borders>
CellSpace refusals() {
  return {"rule broken by a refused call", static_cast<uint32_t>(spec::rules().size()),
          [](uint32_t cell, spec::Arch) { return std::string(spec::rules()[cell].id); },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (const auto& probe : borders(arch)) {
              const auto rule = spec::find_rule(probe.rule);
              if (!probe.inside && rule && std::find(cells.begin(), cells.end(), *rule) == cells.end())
                cells.push_back(*rule);
            }
            std::sort(cells.begin(), cells.end());
            return cells;
          }};
}

template <typename EncodeCase, uint32_t first_rank>
void cover_call(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  const TensorMapArgs& map = any.as<EncodeCase>().map;
  if (expected.end == model::End::done) {
    if (map.data_type < spec::data_types.size() && map.swizzle < swizzle_count &&
        map.interleave < spec::interleaves.size() && map.rank >= first_rank && map.rank <= 5)
      sink.hit(0, map.data_type * modes_of_type<first_rank> +
                      ((map.rank - first_rank) * 3 + map.interleave) * swizzle_count + map.swizzle);
    return;
  }
  for (size_t rule = expected.rules._Find_first(); rule < expected.rules.size();
       rule = expected.rules._Find_next(rule))
    sink.hit(1, static_cast<uint32_t>(rule));
}

/// `count`: of the space, which keeps room for border points to come.
template <auto borders, uint32_t count>
CellSpace border_points() {
  return {"rule x side x value", count,
          [](uint32_t cell, spec::Arch arch) {
            const auto probes = borders(arch);
            const auto& probe = probes[cell % probes.size()];
            return std::string(probe.rule) + "/" + (probe.inside ? "inside" : "outside") + "/" +
                   std::string(probe.value);
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells(borders(arch).size());
            for (uint32_t i = 0; i < cells.size(); ++i) cells[i] = i;
            return cells;
          }};
}

/// A point counts only when the reference sees the call as the point means it.
template <auto borders>
void cover_border(const Case&, const Expected& expected, uint64_t index, spec::Arch arch,
                  CoverageSink& sink) {
  const auto probes = borders(arch);
  if (probes[index % probes.size()].inside == (expected.end == model::End::done))
    sink.hit(0, static_cast<uint32_t>(index % probes.size()));
}

const Registered encode_tiled_calls({
    .name = "driver.tensor_map.encode_tiled",
    .claim = "the driver's encoder accepts exactly the calls that the rules allow, writes the 128 bytes that "
             "they define, and nothing else",
    .family = encode_tiled_family,
    .share = 2,
    .generate = generate_case<gen::make_encode>,
    .spaces = {accepted_modes<1>(), refusals<gen::boundary_probes>()},
    .cover = cover_call<EncodeTiledCase, 1>,
    .declines = encoder_declines,
});

const Registered encode_tiled_one_rule_broken({
    .name = "driver.tensor_map.encode_tiled.one_rule_broken",
    .claim =
        "a call at the limit of a rule is accepted; one just past it that breaks only this rule is refused",
    .family = encode_tiled_family,
    .share = 1,
    .generate = generate_case<gen::make_encode_boundary>,
    .spaces = {border_points<gen::boundary_probes, 256>()},
    .cover = cover_border<gen::boundary_probes>,
    .declines = encoder_declines,
});

/// `cases`: so many are enough, on silicon and on the emulator.
Property crashing_calls(std::string_view name, std::string_view claim, const Family& (*family)(),
                        decltype(Property::generate) generate, uint64_t cases) {
  return {.name = name,
          .claim = claim,
          .family = family,
          .share = 0.1,
          .generate = generate,
          .spaces = {},
          .cover = nullptr,
          .batch_cases = 4,
          .most_on_silicon = cases,
          .most_on_emulator = cases,
          .declines = encoder_declines};
}
const Registered encode_tiled_crash(
    crashing_calls("driver.tensor_map.encode_tiled.crash",
                   "a rank far out of range is refused or crashes the calling process, but is never accepted",
                   encode_tiled_family, generate_case<gen::make_encode_crash>, 16));

const Registered encode_im2col_calls({
    .name = "driver.tensor_map.encode_im2col",
    .claim = "the driver's im2col encoder accepts exactly the calls that the rules allow, writes the 128 "
             "bytes that they define, and nothing else",
    .family = encode_im2col_family,
    .share = 2,
    .generate = generate_case<gen::make_im2col_encode>,
    .spaces = {accepted_modes<3>(), refusals<im2col_borders<false>>()},
    .cover = cover_call<EncodeIm2colCase, 3>,
    .declines = encoder_declines,
});

const Registered encode_wide({
    .name = "driver.tensor_map.encode_im2col_wide",
    .claim = "the driver's wide im2col encoder accepts exactly the calls that the rules allow, writes the "
             "128 bytes that they define, and nothing else",
    .family = encode_im2col_wide_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_wide_encode>,
    .spaces = {accepted_modes<3, true>(), refusals<im2col_borders<true>>()},
    .cover = cover_call<EncodeIm2colCase, 3>,
    .declines = encoder_declines,
});

const Registered encode_im2col_one_rule_broken({
    .name = "driver.tensor_map.encode_im2col.one_rule_broken",
    .claim = "an im2col call at the limit of a rule is accepted; one just past it that breaks only this rule "
             "is refused",
    .family = encode_im2col_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_boundary>,
    .spaces = {border_points<im2col_borders<false>, 128>()},
    .cover = cover_border<im2col_borders<false>>,
    .declines = encoder_declines,
});

const Registered one_rule_broken_wide({
    .name = "driver.tensor_map.encode_im2col_wide.one_rule_broken",
    .claim = "a wide im2col call at the limit of a rule is accepted; one just past it that breaks only this "
             "rule is refused",
    .family = encode_im2col_wide_family,
    .share = 0.5,
    .generate = generate_case<gen::make_im2col_wide_boundary>,
    .spaces = {border_points<im2col_borders<true>, 128>()},
    .cover = cover_border<im2col_borders<true>>,
    .declines = encoder_declines,
});

const Registered encode_im2col_crash(crashing_calls(
    "driver.tensor_map.encode_im2col.crash",
    "null corner arrays and a rank far out of range are refused or crash the calling process, but "
    "are never accepted",
    encode_im2col_family, generate_case<gen::make_im2col_encode_crash>, 28));

const Registered crash_wide(crashing_calls(
    "driver.tensor_map.encode_im2col_wide.crash",
    "a rank far out of range is refused by the wide encoder or crashes the calling process, but is "
    "never accepted",
    encode_im2col_wide_family, generate_case<gen::make_im2col_wide_encode_crash>, 16));

}  // namespace
}  // namespace assay::suites
