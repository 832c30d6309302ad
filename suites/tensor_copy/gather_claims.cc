// SPDX-License-Identifier: Apache-2.0

#include "generators/tensor_copy/gather.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

std::optional<std::string> gather_needs_sm_100(spec::Arch arch) {
  if (spec::has_tcgen05(arch)) return std::nullopt;
  return spec::requires_capability(&spec::Architecture::has_tcgen05);
}

template <CopyDirection direction>
CellSpace gather_rows() {
  return {gen::gather_cell_dimension, gen::gather_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of_gather_cell(cell); },
          [](spec::Arch arch) {
            const auto cells = gen::reachable_gather_cells(arch, direction);
            return std::vector<uint32_t>{cells.begin(), cells.end()};
          }};
}

void cover_rows(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  // What a map is refused for, or an instruction faults for, has no rows.
  if (expected.end != model::End::done) return;
  const TensorCopyCase& c = any.as<TensorCopyCase>();
  if (c.map.swizzle < spec::host_swizzle::count) sink.hit(0, gen::index_of(gen::classify_rows(c)));
}

/// Which rows of a store are equal: for each of the last three the first before it that it equals.
CellSpace equal_rows() {
  return {"equal rows", 256,
          [](uint32_t cell, spec::Arch) {
            std::string text = "0";
            for (int q = 1; q < 4; ++q) text += std::to_string(cell >> (2 * q) & 3);
            return text;
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t a = 0; a < 2; ++a)
              for (uint32_t b = 0; b < 3; ++b)
                for (uint32_t c = 0; c < 4; ++c) {
                  const bool are_firsts = (b != 1 || a == 1) && (c != 1 || a == 1) && (c != 2 || b == 2);
                  if (are_firsts && !(a == 1 && b == 2 && c == 3)) cells.push_back(a << 2 | b << 4 | c << 6);
                }
            return cells;
          }};
}

void cover_equal(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  if (expected.end != model::End::done) return;
  const auto& at = any.as<TensorCopyCase>().coord;
  uint32_t cell = 0;
  for (uint32_t q = 1; q < gathered_rows; ++q) {
    uint32_t first = q;
    for (uint32_t before = q; before-- > 0;)
      if (at[1 + before] == at[1 + q]) first = before;
    cell |= first << (2 * q);
  }
  sink.hit(0, cell);
}

const Registered gather_load({
    .name = "tma.gather4.load",
    .claim =
        "a gather4 load copies four rows of a tensor, starting at the same column, to consecutive rows of "
        "shared memory, fills elements out of bounds, signals every byte once and writes nothing else",
    .family = gather_copy_family,
    .share = 3,
    .generate = generate_case<gen::make_gather4_load>,
    .spaces = {gather_rows<CopyDirection::load>()},
    .cover = cover_rows,
    .declines = gather_needs_sm_100,
});

const Registered gather_large_cluster({
    .name = "tma.gather4.load.non_portable_cluster",
    .claim = "in a cluster of sixteen CTAs a multicast gather4 load delivers the same bytes at the same "
             "offset, and signals all of them, in every CTA of its mask; one without a mask does so in the "
             "CTA that its address names; no other CTA is written",
    .family = gather_non_portable_family,
    .share = 0.3,
    .generate = generate_case<gen::make_gather4_load_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_members,
    .declines = gather_needs_sm_100,
});

const Registered gather_multicast({
    .name = "tma.gather4.load.multicast",
    .claim = "a multicast gather4 load delivers the same bytes at the same offset, and signals all of them, "
             "in every CTA of its mask; one without a mask does so in the CTA that its address names; no "
             "other CTA is written",
    .family = gather_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_gather4_load_multicast>,
    .spaces = {cluster_masks()},
    .cover = cover_receivers,
    .declines = gather_needs_sm_100,
});

const Registered gather_cta_group({
    .name = "tma.gather4.load.cta_group",
    .claim = "with .cta_group::2 the signal for each destination goes to the CTA of its pair whose rank has "
             "the parity of the mbarrier's CTA, with .cta_group::1 to the destination itself; the data goes "
             "where it would without the qualifier",
    .family = gather_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_gather4_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover_pairs,
    .declines = gather_needs_sm_100,
});

const Registered gather_transaction_bytes({
    .name = "tma.gather4.load.transaction_bytes",
    .claim = "a gather4 load signals exactly the bytes of its four rows, in bounds or not: a barrier armed "
             "with more or fewer does not complete cleanly",
    .family = gather_copy_family,
    .share = 0.5,
    .generate = generate_case<gen::make_gather4_load_transaction>,
    .spaces = {ends_of_counts()},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 4000,
    .declines = gather_needs_sm_100,
});

const Registered gather_load_faults({
    .name = "tma.gather4.load.faults",
    .claim = "a gather4 load that breaks one run-time rule faults with that rule's error code; one that "
             "breaks none completes",
    .family = gather_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_gather4_load_fault, gen::make_gather4_load, gather_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 75,
    .most_on_emulator = 45,
    .declines = gather_needs_sm_100,
});

const Registered gather_store({
    .name = "tma.scatter4.store",
    .claim = "a scatter4 store writes each of its four rows to its place in the tensor, in whole 16-byte "
             "pieces, and no other byte of global memory",
    .family = gather_copy_family,
    .share = 3,
    .generate = generate_case<gen::make_scatter4_store>,
    .spaces = {gather_rows<CopyDirection::store>()},
    .cover = cover_rows,
    .declines = gather_needs_sm_100,
});

const Registered gather_conflicts({
    .name = "tma.scatter4.store.equal_rows",
    .claim =
        "where rows of a scatter4 store have the same index, each element holds the value from one of them",
    .family = gather_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_scatter4_conflict>,
    .spaces = {equal_rows()},
    .cover = cover_equal,
    .declines = gather_needs_sm_100,
});

const Registered gather_store_faults({
    .name = "tma.scatter4.store.faults",
    .claim = "a scatter4 store that breaks one run-time rule faults with that rule's error code; one that "
             "breaks none completes",
    .family = gather_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_scatter4_store_fault, gen::make_scatter4_store, gather_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {ends_of_faults()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 91,
    .most_on_emulator = 63,
    .declines = gather_needs_sm_100,
});

}  // namespace
}  // namespace assay::suites
