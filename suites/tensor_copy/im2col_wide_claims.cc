// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/tensor_copy/im2col_wide.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/cluster_coverage.h"
#include "suites/tensor_copy/im2col_family.h"
#include "suites/tensor_copy/tiled_coverage.h"

namespace assay::suites::claims_tma_im2col_wide {
namespace {

std::optional<std::string> needs_sm_100(spec::Arch arch) {
  if (spec::is_sm_10x(arch)) return std::nullopt;
  return "requires compute capability 10.0 or 10.3";
}

std::optional<std::string> needs_group(spec::Arch arch) {
  if (spec::is_sm_10x(arch)) return std::nullopt;
  return ".cta_group requires compute capability 10.0 or 10.3";
}

CellSpace columns() {
  return {gen::wide_cell_dimension, gen::wide_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of_wide_cell(cell); },
          [](spec::Arch arch) {
            const auto cells = gen::reachable_wide_cells(arch);
            return std::vector<uint32_t>{cells.begin(), cells.end()};
          }};
}

CellSpace halos() {
  return {gen::halo_cell_dimension, gen::halo_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of_halo_cell(cell); },
          [](spec::Arch) {
            std::vector<uint32_t> cells(gen::halo_cell_count);
            for (uint32_t i = 0; i < cells.size(); ++i) cells[i] = i;
            return cells;
          }};
}

void cover_load(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  // What a map is refused for, or an instruction faults for, has no column.
  if (expected.end != model::End::done) return;
  const Im2colCase& c = any.as<Im2colCase>();
  if (!is_wide(c)) return;
  sink.hit(0, gen::index_of(gen::classify_wide(c)));
  sink.hit(1, gen::halo_cell(c));
}

/// Cluster size, and how many CTAs of it receive.
CellSpace receivers() {
  return {"mode x cluster x receiving CTAs", 2 * 3 * 9,
          [](uint32_t cell, spec::Arch) {
            return std::string(cell / 27 ? "w::128/" : "w/") + std::to_string(2u << (cell / 9 % 3)) + "/" +
                   std::to_string(cell % 9);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < 2 * 3 * 9; ++cell)
              if (cell % 9 <= 2u << (cell / 9 % 3)) cells.push_back(cell);
            return cells;
          }};
}

void cover_receivers(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  const Im2colCase& c = any.as<Im2colCase>();
  const uint32_t size = c.cluster_size <= 2 ? 0 : c.cluster_size == 4 ? 1 : 2;
  const auto count = static_cast<uint32_t>(std::popcount(expected.receivers & 0xffu));
  sink.hit(0, (c.mode == Im2colMode::w_128 ? 27u : 0u) + size * 9 + count);
}

void cover_pairs(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const Im2colCase& c = any.as<Im2colCase>();
  sink.hit(0, cta_pair_cell(c.cta_group, c.issuer_rank, c.peer_barrier, c.cta_mask));
}

const Registered load({
    .name = "tma.im2col_w.load",
    .claim =
        "a load by im2col::w or im2col::w::128 walks along W from image to image, writes the channels of "
        "each pixel and of its halos to their rows in shared memory, fills what lies outside the tensor, "
        "signals every byte once and touches nothing else",
    .family = im2col_wide_copy_family,
    .share = 4,
    .generate = generate_case<gen::make_wide_load>,
    .spaces = {columns(), halos()},
    .cover = cover_load,
    .declines = needs_sm_100,
});

const Registered multicast({
    .name = "tma.im2col_w.load.multicast",
    .claim =
        "a multicast load by im2col::w or im2col::w::128 gives every CTA of its mask the same bytes at the "
        "same offset and a full signal, one without a mask the CTA that it names, and touches no other CTA",
    .family = im2col_wide_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_wide_load_multicast>,
    .spaces = {receivers()},
    .cover = cover_receivers,
    .declines = needs_sm_100,
});

const Registered cta_group({
    .name = "tma.im2col_w.load.cta_group",
    .claim =
        "with .cta_group::2 the signal for each destination of a load along W goes to the CTA of its pair "
        "that has the parity of the mbarrier's CTA, with .cta_group::1 to the destination",
    .family = im2col_wide_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_wide_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_pairs,
    .declines = needs_sm_100,
});

const Registered plain_cta_group({
    .name = "tma.im2col.load.cta_group",
    .claim =
        "with .cta_group::2 the signal for each destination of a load in mode im2col goes to the CTA of its "
        "pair that has the parity of the mbarrier's CTA, with .cta_group::1 to the destination",
    .family = im2col_wide_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_im2col_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_pairs,
    .declines = needs_group,
});

const Registered transaction_bytes({
    .name = "tma.im2col_w.load.transaction_bytes",
    .claim =
        "a load by im2col::w or im2col::w::128 signals the bytes of all its pixels and halos, in bounds or "
        "not: a barrier armed with more or fewer never completes cleanly",
    .family = im2col_wide_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_wide_load_transaction>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::never_completes, model::End::early_surplus});
    })},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
    .declines = needs_sm_100,
});

const Registered faults({
    .name = "tma.im2col_w.load.faults",
    .claim =
        "a load along W that breaks one run-time rule faults with the code of that rule, and so does any "
        "other instruction through a map of the wide encoder; one that breaks none ends well",
    .family = im2col_wide_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_wide_load_fault, gen::make_wide_load, im2col_wide_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 90,
    .most_on_emulator = 63,
    .declines = needs_sm_100,
});

}  // namespace
}  // namespace assay::suites::claims_tma_im2col_wide
