// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_cases.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/cluster_coverage.h"
#include "suites/tensor_copy/tiled_coverage.h"
#include "suites/tensor_copy/tiled_family.h"

namespace assay::suites::claims_tma_tiled_load {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load({seed, property, index, arch}, c.emplace<TiledCase>());
}

const Registered load({
    .name = "tma.tiled.load",
    .claim = "a tiled load writes each element of its box to its place in shared memory, fills what lies "
             "outside the "
             "tensor, signals every byte once and touches nothing else",
    .family = tiled_copy_family,
    .share = 8,
    .generate = generate,
    .spaces = {tiled_cells(TiledDirection::load)},
    .cover = cover_tiled,
});

void generate_multicast(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load_multicast({seed, property, index, arch}, c.emplace<TiledCase>());
}

void cover_multicast(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TiledCase& c = any.as<TiledCase>();
  sink.hit(0, cluster_mask_cell(c.cluster_size, c.cta_mask));
}

const Registered multicast({
    .name = "tma.tiled.load.multicast",
    .claim = "a multicast load gives every CTA of its mask the same bytes at the same offset and a full "
             "signal, one without a mask the CTA that it names, and touches no other CTA",
    .family = tiled_copy_family,
    .share = 1.5,
    .generate = generate_multicast,
    .spaces = {cluster_masks()},
    .cover = cover_multicast,
});

void cover_large_cluster(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  cover_members(any.as<TiledCase>().cta_mask, sink);
}

const Registered large_cluster({
    .name = "tma.tiled.load.non_portable_cluster",
    .claim =
        "in a cluster of sixteen CTAs a multicast load gives every CTA of its mask the same bytes at the "
        "same offset and a full signal, one without a mask the CTA that it names, and touches no other CTA",
    .family = tiled_non_portable_family,
    .share = 0.3,
    .generate = generate_case<gen::make_tiled_load_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_large_cluster,
});

std::optional<std::string> needs_group(spec::Arch arch) {
  if (spec::is_sm_10x(arch)) return std::nullopt;
  return ".cta_group requires compute capability 10.0 or 10.3";
}

void cover_cta_group(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TiledCase& c = any.as<TiledCase>();
  sink.hit(0, cta_pair_cell(c.cta_group, c.issuer_rank, c.peer_barrier, c.cta_mask));
}

const Registered cta_group({
    .name = "tma.tiled.load.cta_group",
    .claim = "with .cta_group::2 the signal for each destination of a tiled load goes to the CTA of its pair "
             "that has the parity of the mbarrier's CTA, with .cta_group::1 to the destination",
    .family = tiled_cta_group_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tiled_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_cta_group,
    .declines = needs_group,
});

void generate_transaction_bytes(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch,
                                Case& c) {
  gen::make_tiled_load_transaction({seed, property, index, arch}, c.emplace<TiledCase>());
}

const Registered transaction_bytes({
    .name = "tma.tiled.load.transaction_bytes",
    .claim = "a tiled load signals the bytes of its whole box, in bounds or not: a barrier armed with more "
             "or fewer "
             "never completes cleanly",
    .family = tiled_copy_family,
    .share = 0.5,
    .generate = generate_transaction_bytes,
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

const Registered faults({
    .name = "tma.tiled.load.faults",
    .claim =
        "a tiled load that breaks one run-time rule faults with the code of that rule, and ends well where "
        "it breaks none",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_tiled_load_fault, gen::make_tiled_load, tiled_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});

}  // namespace
}  // namespace assay::suites::claims_tma_tiled_load
