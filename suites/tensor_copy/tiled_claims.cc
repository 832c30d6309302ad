// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

const Registered tiled_load({
    .name = "tma.tiled.load",
    .claim = "a tiled load writes each element of its box to its place in shared memory, fills elements out "
             "of bounds, signals every byte once and writes nothing else",
    .family = tiled_copy_family,
    .share = 8,
    .generate = generate_case<gen::make_tiled_load>,
    .spaces = {tiled_cells(CopyDirection::load)},
    .cover = cover_tiled,
});

const Registered tiled_multicast({
    .name = "tma.tiled.load.multicast",
    .claim =
        "a multicast load delivers the same bytes at the same offset, and signals all of them, in every CTA "
        "of its mask; one without a mask does so in the CTA that its address names; no other CTA is written",
    .family = tiled_copy_family,
    .share = 1.5,
    .generate = generate_case<gen::make_tiled_load_multicast>,
    .spaces = {cluster_masks()},
    .cover = cover_receivers,
});

const Registered tiled_large_cluster({
    .name = "tma.tiled.load.non_portable_cluster",
    .claim = "in a cluster of sixteen CTAs a multicast load delivers the same bytes at the same offset, and "
             "signals all of them, in every CTA of its mask; one without a mask does so in the CTA that its "
             "address names; no other CTA is written",
    .family = tiled_non_portable_family,
    .share = 0.3,
    .generate = generate_case<gen::make_tiled_load_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_members,
});

const Registered cta_group({
    .name = "tma.tiled.load.cta_group",
    .claim = "with .cta_group::2 the signal for each destination of a tiled load goes to the CTA of its pair "
             "whose rank has the parity of the mbarrier's CTA, with .cta_group::1 to the destination itself",
    .family = tiled_cta_group_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tiled_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_pairs,
    .declines = needs_group,
});

const Registered transaction_bytes({
    .name = "tma.tiled.load.transaction_bytes",
    .claim = "a tiled load signals exactly the bytes of its whole box, in bounds or not: a barrier armed "
             "with more or fewer does not complete cleanly",
    .family = tiled_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tiled_load_transaction>,
    .spaces = {ends_of_counts()},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
});

const Registered load_faults({
    .name = "tma.tiled.load.faults",
    .claim = "a tiled load that breaks one run-time rule faults with that rule's error code; one that breaks "
             "none completes",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_tiled_load_fault, gen::make_tiled_load, tiled_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});

const Registered tiled_store({
    .name = "tma.tiled.store",
    .claim = "a tiled store writes the elements of its box that lie in the tensor, in whole 16-byte pieces "
             "along dimension 0, and no other byte of global memory",
    .family = tiled_copy_family,
    .share = 6,
    .generate = generate_case<gen::make_tiled_store>,
    .spaces = {tiled_cells(CopyDirection::store)},
    .cover = cover_tiled,
});

const Registered store_faults({
    .name = "tma.tiled.store.faults",
    .claim = "a tiled store that breaks one run-time rule, such as a negative start, faults with that rule's "
             "error code; one that breaks none completes",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_tiled_store_fault, gen::make_tiled_store, tiled_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch arch) {
      std::vector<uint32_t> ends =
          of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
      // A store through a type that is for loads alone (TILE-R54).
      if (spec::has_tcgen05(arch)) ends.push_back(static_cast<uint32_t>(model::End::undefined));
      return ends;
    })},
    .cover = cover_end,
    .batch_cases = 8,
    .most_on_silicon = 80,
    .most_on_emulator = 120,  // each dimension starts below zero in some
});

const Registered reduce({
    .name = "tma.tiled.reduce",
    .claim = "a tiled reduction leaves the exact result of its operation in each element that a store of its "
             "box would write, and writes nothing else",
    .family = tiled_copy_family,
    .share = 3,
    .generate = generate_case<gen::make_tiled_reduce>,
    .spaces = {reductions()},
    .cover = cover_reduction,
});
const Registered conflicts({
    .name = "tma.tiled.reduce.conflicts",
    .claim = "where rows of its box overlap, a tiled reduction counts each: an element is the result of some "
             "order of them",
    .family = tiled_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_tiled_reduce_conflict>,
    .spaces = {reductions()},
    .cover = cover_reduction,
});
const Registered reduce_faults({
    .name = "tma.tiled.reduce.faults",
    .claim = "a tiled reduction that its element type does not have, or that breaks a rule of stores, faults "
             "with that rule's error code; one that breaks none completes",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_tiled_reduce_fault, gen::make_tiled_reduce, tiled_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,
    .most_on_silicon = 120,
    .most_on_emulator = 60,
});

std::vector<uint32_t> reachable_loads(spec::Arch arch) {
  const auto cells = gen::reachable_cells(arch, CopyDirection::load);
  return {cells.begin(), cells.end()};
}
std::vector<uint32_t> reachable_stores(spec::Arch arch) {
  const auto cells = gen::reachable_cells(arch, CopyDirection::store);
  return {cells.begin(), cells.end()};
}

}  // namespace

CellSpace tiled_cells(CopyDirection direction) {
  return {gen::tiled_cell_dimension, gen::tiled_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of(gen::tiled_cell(cell)); },
          direction == CopyDirection::load ? reachable_loads : reachable_stores};
}

void cover_tiled(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  if (expected.end == model::End::rejected) return;  // only a case file has such a map, and it has no shape
  const TensorCopyCase& c = any.as<TensorCopyCase>();
  // The cells of cases whose maps differ in their place alone, which follow each other, are one.
  thread_local struct {
    TensorMapArgs map;
    std::array<int32_t, 5> coord{};
    uint32_t cell = 0;
  } last;
  if (last.map.rank == 0 || last.coord != c.coord || !are_alike(last.map, c.map))
    last = {c.map, c.coord, gen::index_of(gen::classify(c, gen::visited(c.map, c.coord)))};
  sink.hit(0, last.cell);
}

CellSpace expected_ends(std::vector<uint32_t> (*reachable)(spec::Arch)) {
  return {"expected end", static_cast<uint32_t>(model::End::launch_failed) + 1,
          [](uint32_t cell, spec::Arch) { return words(static_cast<model::End>(cell)); }, reachable};
}

std::vector<uint32_t> of_ends(std::initializer_list<model::End> ends) {
  std::vector<uint32_t> cells;
  for (const model::End end : ends) cells.push_back(static_cast<uint32_t>(end));
  return cells;
}

void cover_end(const Case&, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, static_cast<uint32_t>(expected.end));
}

CellSpace ends_of_faults() {
  return expected_ends([](spec::Arch) {
    return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
  });
}
CellSpace ends_of_counts() {
  return expected_ends([](spec::Arch) {
    return of_ends({model::End::done, model::End::never_completes, model::End::early_surplus});
  });
}

namespace {

constexpr uint32_t reduced_types = 16;
uint32_t reduction_cell(TensorReduction reduction, uint32_t type) {
  return static_cast<uint32_t>(reduction) * reduced_types + type;
}

}  // namespace

CellSpace reductions() {
  return {"operation x type", static_cast<uint32_t>(tensor_reduction_names.size()) * reduced_types,
          [](uint32_t cell, spec::Arch) {
            return std::string(tensor_reduction_names[cell / reduced_types]) + " " +
                   std::string(spec::data_types[cell % reduced_types].name);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (const gen::ReductionPair& pair : gen::tensor_reductions())
              cells.push_back(reduction_cell(pair.reduction, pair.type));
            return cells;
          }};
}

void cover_reduction(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const auto& c = any.as<TensorCopyCase>();
  sink.hit(0, reduction_cell(c.reduction, c.map.data_type % reduced_types));
}

}  // namespace assay::suites
