// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/tensor_copy/im2col_copy.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/cluster_coverage.h"
#include "suites/tensor_copy/im2col_family.h"
#include "suites/tensor_copy/tiled_coverage.h"

namespace assay::suites::claims_tma_im2col {
namespace {

template <TiledDirection direction>
std::vector<uint32_t> reachable(spec::Arch arch) {
  const auto cells = gen::reachable_column_cells(arch, direction);
  return {cells.begin(), cells.end()};
}

template <TiledDirection direction>
CellSpace columns() {
  return {gen::column_cell_dimension, gen::column_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of_column_cell(cell); }, reachable<direction>};
}

void cover_column(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  // What a map is refused for, or an instruction faults for, has no column.
  if (expected.end != model::End::done) return;
  const Im2colCase& c = any.as<Im2colCase>();
  if (c.map.base.swizzle < spec::host_swizzle::count) sink.hit(0, gen::index_of(gen::classify(c)));
}

void cover_receivers(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const Im2colCase& c = any.as<Im2colCase>();
  sink.hit(0, cluster_mask_cell(c.cluster_size, c.cta_mask));
}

const Registered load({
    .name = "tma.im2col.load",
    .claim =
        "an im2col load walks its pixel box through the images, writes the channels of each pixel to its "
        "row in shared memory, fills what lies outside the tensor, signals every byte once and touches "
        "nothing else",
    .family = im2col_copy_family,
    .share = 6,
    .generate = generate_case<gen::make_im2col_load>,
    .spaces = {columns<TiledDirection::load>()},
    .cover = cover_column,
});

void cover_large_cluster(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  cover_members(any.as<Im2colCase>().cta_mask, sink);
}

const Registered large_cluster({
    .name = "tma.im2col.load.non_portable_cluster",
    .claim =
        "in a cluster of sixteen CTAs a multicast im2col load gives every CTA of its mask the same bytes at "
        "the same offset and a full signal, one without a mask the CTA that it names, and touches no other "
        "CTA",
    .family = im2col_non_portable_family,
    .share = 0.3,
    .generate = generate_case<gen::make_im2col_load_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_large_cluster,
});

const Registered multicast({
    .name = "tma.im2col.load.multicast",
    .claim =
        "a multicast im2col load gives every CTA of its mask the same bytes at the same offset and a full "
        "signal, one without a mask the CTA that it names, and touches no other CTA",
    .family = im2col_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_load_multicast>,
    .spaces = {cluster_masks()},
    .cover = cover_receivers,
});

const Registered transaction_bytes({
    .name = "tma.im2col.load.transaction_bytes",
    .claim = "an im2col load signals the bytes of its whole column, in bounds or not: a barrier armed with "
             "more or fewer never completes cleanly",
    .family = im2col_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_im2col_load_transaction>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::never_completes, model::End::early_surplus});
    })},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
});

const Registered load_faults({
    .name = "tma.im2col.load.faults",
    .claim =
        "an im2col load that breaks one run-time rule faults with the code of that rule, and ends well where "
        "it breaks none",
    .family = im2col_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_im2col_load_fault, gen::make_im2col_load, im2col_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 84,
    .most_on_emulator = 63,
});

const Registered store({
    .name = "tma.im2col.store",
    .claim =
        "an im2col store walks as a load does, writes the channels of each pixel that lie in the tensor, "
        "in whole 16-byte pieces, and no other byte of global memory",
    .family = im2col_copy_family,
    .share = 4,
    .generate = generate_case<gen::make_im2col_store>,
    .spaces = {columns<TiledDirection::store>()},
    .cover = cover_column,
});

const Registered store_faults({
    .name = "tma.im2col.store.faults",
    .claim = "an im2col store that breaks one run-time rule faults with the code of that rule, and ends well "
             "where "
             "it breaks none",
    .family = im2col_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_im2col_store_fault, gen::make_im2col_store, im2col_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 90,
    .most_on_emulator = 63,
});

}  // namespace
}  // namespace assay::suites::claims_tma_im2col
