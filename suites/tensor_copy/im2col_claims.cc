// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

template <CopyDirection direction>
std::vector<uint32_t> im2col_reachable(spec::Arch arch) {
  const auto cells = gen::reachable_column_cells(arch, direction);
  return {cells.begin(), cells.end()};
}

template <CopyDirection direction>
CellSpace im2col_columns() {
  return {gen::column_cell_dimension, gen::column_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of_column_cell(cell); },
          im2col_reachable<direction>};
}

void cover_column(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  // What a map is refused for, or an instruction faults for, has no column.
  if (expected.end != model::End::done) return;
  const TensorCopyCase& c = any.as<TensorCopyCase>();
  if (c.map.swizzle < spec::host_swizzle::count) sink.hit(0, gen::index_of(gen::classify_column(c)));
}

const Registered im2col_load({
    .name = "tma.im2col.load",
    .claim =
        "an im2col load walks its pixel box through the images, writes the channels of each pixel to its row "
        "in shared memory, fills elements out of bounds, signals every byte once and writes nothing else",
    .family = im2col_copy_family,
    .share = 6,
    .generate = generate_case<gen::make_im2col_load>,
    .spaces = {im2col_columns<CopyDirection::load>()},
    .cover = cover_column,
});

const Registered im2col_large_cluster({
    .name = "tma.im2col.load.non_portable_cluster",
    .claim = "in a cluster of sixteen CTAs a multicast im2col load delivers the same bytes at the same "
             "offset, and signals all of them, in every CTA of its mask; one without a mask does so in the "
             "CTA that its address names; no other CTA is written",
    .family = im2col_non_portable_family,
    .share = 0.3,
    .generate = generate_case<gen::make_im2col_load_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_members,
});

const Registered im2col_multicast({
    .name = "tma.im2col.load.multicast",
    .claim = "a multicast im2col load delivers the same bytes at the same offset, and signals all of them, "
             "in every CTA of its mask; one without a mask does so in the CTA that its address names; no "
             "other CTA is written",
    .family = im2col_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_load_multicast>,
    .spaces = {cluster_masks()},
    .cover = cover_receivers,
});

const Registered im2col_transaction_bytes({
    .name = "tma.im2col.load.transaction_bytes",
    .claim = "an im2col load signals exactly the bytes of its whole column, in bounds or not: a barrier "
             "armed with more or fewer does not complete cleanly",
    .family = im2col_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_im2col_load_transaction>,
    .spaces = {ends_of_counts()},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
});

const Registered im2col_load_faults({
    .name = "tma.im2col.load.faults",
    .claim = "an im2col load that breaks one run-time rule faults with that rule's error code; one that "
             "breaks none completes",
    .family = im2col_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_im2col_load_fault, gen::make_im2col_load, im2col_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 84,
    .most_on_emulator = 63,
});

const Registered im2col_store({
    .name = "tma.im2col.store",
    .claim = "an im2col store walks as a load does, writes the channels of each pixel that lie in the "
             "tensor, in whole 16-byte pieces, and no other byte of global memory",
    .family = im2col_copy_family,
    .share = 4,
    .generate = generate_case<gen::make_im2col_store>,
    .spaces = {im2col_columns<CopyDirection::store>()},
    .cover = cover_column,
});

const Registered im2col_store_faults({
    .name = "tma.im2col.store.faults",
    .claim = "an im2col store that breaks one run-time rule faults with that rule's error code; one that "
             "breaks none completes",
    .family = im2col_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_im2col_store_fault, gen::make_im2col_store, im2col_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 90,
    .most_on_emulator = 63,
});

const Registered im2col_reduce({
    .name = "tma.im2col.reduce",
    .claim = "a reduction in im2col mode leaves the exact result of its operation in each element that a "
             "store of its column would write, and writes nothing else",
    .family = im2col_copy_family,
    .share = 2,
    .generate = generate_case<gen::make_im2col_reduce>,
    .spaces = {reductions()},
    .cover = cover_reduction,
});
const Registered im2col_conflicts({
    .name = "tma.im2col.reduce.conflicts",
    .claim = "where pixels of its column overlap, a reduction in im2col mode counts each: an element is the "
             "result of some order of them",
    .family = im2col_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_im2col_reduce_conflict>,
    .spaces = {reductions()},
    .cover = cover_reduction,
});
const Registered im2col_reduce_faults({
    .name = "tma.im2col.reduce.faults",
    .claim = "a reduction in im2col mode that its element type does not have, or that breaks a rule of "
             "stores, faults with that rule's error code; one that breaks none completes",
    .family = im2col_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_im2col_reduce_fault, gen::make_im2col_reduce, im2col_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,
    .most_on_silicon = 120,
    .most_on_emulator = 60,
});

std::optional<std::string> im2col_needs_sm_100(spec::Arch arch) {
  if (spec::has_tcgen05(arch)) return std::nullopt;
  return spec::requires_capability(&spec::Architecture::has_tcgen05);
}

CellSpace wide_columns() {
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

void cover_wide_load(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  // What a map is refused for, or an instruction faults for, has no column.
  if (expected.end != model::End::done) return;
  const TensorCopyCase& c = any.as<TensorCopyCase>();
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

void cover_wide_receivers(const Case& any, const Expected& expected, uint64_t, spec::Arch,
                          CoverageSink& sink) {
  const TensorCopyCase& c = any.as<TensorCopyCase>();
  const uint32_t size = c.cluster_size <= 2 ? 0 : c.cluster_size == 4 ? 1 : 2;
  const auto count = static_cast<uint32_t>(std::popcount(expected.receivers & 0xffu));
  sink.hit(0, (c.mode == CopyMode::w_128 ? 27u : 0u) + size * 9 + count);
}

const Registered wide_load({
    .name = "tma.im2col_w.load",
    .claim = "an im2col::w or im2col::w::128 load walks along W from image to image, writes the channels of "
             "each pixel and of its halos to their rows in shared memory, fills elements out of bounds, "
             "signals every byte once and writes nothing else",
    .family = im2col_wide_copy_family,
    .share = 4,
    .generate = generate_case<gen::make_wide_load>,
    .spaces = {wide_columns(), halos()},
    .cover = cover_wide_load,
    .declines = im2col_needs_sm_100,
});

const Registered wide_multicast({
    .name = "tma.im2col_w.load.multicast",
    .claim = "a multicast im2col::w or im2col::w::128 load delivers the same bytes at the same offset, and "
             "signals all of them, in every CTA of its mask; one without a mask does so in the CTA that its "
             "address names; no other CTA is written",
    .family = im2col_wide_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_wide_load_multicast>,
    .spaces = {receivers()},
    .cover = cover_wide_receivers,
    .declines = im2col_needs_sm_100,
});

const Registered wide_cta_group({
    .name = "tma.im2col_w.load.cta_group",
    .claim =
        "with .cta_group::2 the signal for each destination of an im2col::w load goes to the CTA of its pair "
        "whose rank has the parity of the mbarrier's CTA, with .cta_group::1 to the destination itself",
    .family = im2col_wide_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_wide_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_pairs,
    .declines = im2col_needs_sm_100,
});

const Registered im2col_cta_group({
    .name = "tma.im2col.load.cta_group",
    .claim =
        "with .cta_group::2 the signal for each destination of an im2col load goes to the CTA of its pair "
        "whose rank has the parity of the mbarrier's CTA, with .cta_group::1 to the destination itself",
    .family = im2col_wide_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_im2col_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_pairs,
    .declines = needs_group,
});

const Registered wide_transaction_bytes({
    .name = "tma.im2col_w.load.transaction_bytes",
    .claim = "an im2col::w or im2col::w::128 load signals exactly the bytes of all its pixels and halos, in "
             "bounds or not: a barrier armed with more or fewer does not complete cleanly",
    .family = im2col_wide_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_wide_load_transaction>,
    .spaces = {ends_of_counts()},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
    .declines = im2col_needs_sm_100,
});

const Registered wide_faults({
    .name = "tma.im2col_w.load.faults",
    .claim = "an im2col::w load that breaks one run-time rule faults with that rule's error code, and so "
             "does any other instruction that uses a map of the wide encoder; one that breaks none completes",
    .family = im2col_wide_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_wide_load_fault, gen::make_wide_load, im2col_wide_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 90,
    .most_on_emulator = 63,
    .declines = im2col_needs_sm_100,
});

}  // namespace
}  // namespace assay::suites
