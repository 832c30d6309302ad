// SPDX-License-Identifier: Apache-2.0
#include "generators/bulk_copy/cases.h"
#include "reference/model/bulk_copy/case.h"
#include "suites/bulk_copy/family.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

constexpr const char* size_names[bulk_size_classes] = {"16",       "to 128",    "to 1 KiB",
                                                       "to 8 KiB", "to 64 KiB", "more"};
/// Of these every run of some thousand cases has some.
constexpr uint32_t common_sizes = 4;

std::vector<uint32_t> bulk_up_to(uint32_t count) {
  std::vector<uint32_t> cells(count);
  for (uint32_t i = 0; i < count; ++i) cells[i] = i;
  return cells;
}

/// Instruction, size of the cluster, size class.
constexpr uint32_t cluster_sizes = 4;
uint32_t copy_cell(const BulkCase& c) {
  uint32_t cluster = 0;
  while (1u << cluster < c.cluster_size) ++cluster;
  return (static_cast<uint32_t>(c.op) * cluster_sizes + cluster) * bulk_size_classes +
         bulk_size_class(moved_bytes(c.size));
}
template <BulkOp... ops>
CellSpace copy_cells() {
  return {"instruction x cluster x size", 8 * cluster_sizes * bulk_size_classes,
          [](uint32_t cell, spec::Arch) {
            return std::string(bulk_op_names[cell / bulk_size_classes / cluster_sizes]) + " " +
                   std::to_string(1u << cell / bulk_size_classes % cluster_sizes) + " " +
                   size_names[cell % bulk_size_classes];
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (const BulkOp op : {ops...})
              for (uint32_t cluster = op == BulkOp::peer ? 1 : 0; cluster < cluster_sizes; ++cluster)
                for (uint32_t size = 0; size < common_sizes; ++size)
                  cells.push_back((static_cast<uint32_t>(op) * cluster_sizes + cluster) * bulk_size_classes +
                                  size);
            return cells;
          }};
}
void cover_copy(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, copy_cell(any.as<BulkCase>()));
}

/// Form of the reduction, size class.
template <bool to_shared>
CellSpace bulk_reduction_cells() {
  return {"reduction x size", static_cast<uint32_t>(spec::bulk_reductions.size()) * bulk_size_classes,
          [](uint32_t cell, spec::Arch) {
            return reduction_name(spec::bulk_reductions[cell / bulk_size_classes].what) + " " +
                   size_names[cell % bulk_size_classes];
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t form = 0; form < spec::bulk_reductions.size(); ++form)
              for (uint32_t size = 0; size < common_sizes; ++size)
                if (!to_shared || spec::bulk_reductions[form].to_shared)
                  cells.push_back(form * bulk_size_classes + size);
            return cells;
          }};
}
void bulk_cover_reduction(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const BulkCase& c = any.as<BulkCase>();
  sink.hit(0, static_cast<uint32_t>(c.reduction) * bulk_size_classes + bulk_size_class(moved_bytes(c.size)));
}
CellSpace conflict_cells() {
  return {"reduction", static_cast<uint32_t>(spec::bulk_reductions.size()),
          [](uint32_t cell, spec::Arch) { return reduction_name(spec::bulk_reductions[cell].what); },
          [](spec::Arch) { return bulk_up_to(static_cast<uint32_t>(spec::bulk_reductions.size())); }};
}
void cover_conflict(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, static_cast<uint32_t>(any.as<BulkCase>().reduction));
}

CellSpace bulk_instructions() {
  return {"instruction", static_cast<uint32_t>(bulk_op_names.size()),
          [](uint32_t cell, spec::Arch) { return std::string(bulk_op_names[cell]); },
          [](spec::Arch) { return bulk_up_to(static_cast<uint32_t>(bulk_op_names.size())); }};
}
void cover_instruction(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, static_cast<uint32_t>(any.as<BulkCase>().op));
}

template <model::End... ends>
CellSpace these_ends() {
  return expected_ends([](spec::Arch) { return std::vector<uint32_t>{static_cast<uint32_t>(ends)...}; });
}

const Registered bulk_loads({
    .name = "bulk.copy.global_to_shared",
    .claim = "a bulk copy from global memory delivers its bytes to every destination CTA, signals exactly "
             "that many bytes there, and writes nothing else",
    .family = bulk_copy_family,
    .share = 2,
    .generate = generate_case<make_bulk_load>,
    .spaces = {copy_cells<BulkOp::load_cta, BulkOp::load_cluster, BulkOp::multicast>()},
    .cover = cover_copy,
});
void cover_largest(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const BulkCase& c = any.as<BulkCase>();
  if (c.op == BulkOp::multicast) cover_members(c.cta_mask, sink);
}

const Registered large_clusters({
    .name = "bulk.copy.non_portable_cluster",
    .claim = "in a cluster of sixteen CTAs a bulk copy delivers its bytes to every destination CTA, signals "
             "exactly that many bytes there, and writes nothing else",
    .family = bulk_copy_non_portable_family,
    .share = 0.3,
    .generate = generate_case<make_bulk_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_largest,
});
const Registered stores({
    .name = "bulk.copy.shared_to_global",
    .claim = "a bulk copy to global memory writes its bytes and no others",
    .family = bulk_copy_family,
    .generate = generate_case<make_bulk_store>,
    .spaces = {copy_cells<BulkOp::store>()},
    .cover = cover_copy,
});
const Registered peers({
    .name = "bulk.copy.shared_to_shared",
    .claim = "a bulk copy to shared memory of the cluster delivers its bytes to the CTA that owns the "
             "destination and signals the mbarrier there, at the offset of the mbarrier operand, whichever "
             "CTA that operand names",
    .family = bulk_copy_family,
    .generate = generate_case<make_bulk_peer>,
    .spaces = {copy_cells<BulkOp::peer>()},
    .cover = cover_copy,
});
const Registered prefetches({
    .name = "bulk.copy.prefetch",
    .claim = "a bulk prefetch changes no memory and does not fault on unmapped addresses",
    .family = bulk_copy_family,
    .share = 0.3,
    .generate = generate_case<make_bulk_prefetch>,
    .spaces = {copy_cells<BulkOp::prefetch>()},
    .cover = cover_copy,
});
const Registered odd_sizes({
    .name = "bulk.copy.odd_sizes",
    .claim = "a bulk copy rounds its size down to a multiple of 16 and takes it modulo 2^20; a copy of 0 "
             "bytes does nothing, whatever its addresses",
    .family = bulk_copy_family,
    .share = 0.5,
    .generate = generate_case<make_bulk_odd_size>,
    .spaces = {bulk_instructions()},
    .cover = cover_instruction,
});
const Registered bulk_transaction_bytes({
    .name = "bulk.copy.transaction_bytes",
    .claim = "a bulk copy signals exactly the bytes that it moves: a barrier armed with more or fewer does "
             "not complete cleanly",
    .family = bulk_copy_family,
    .share = 0.3,
    .generate = generate_case<make_bulk_transaction>,
    .spaces = {these_ends<model::End::done, model::End::never_completes, model::End::early_surplus>()},
    .cover = cover_end,
    // Each wrong count costs a bounded wait and the rest of its CTA's time.
    .batch_cases = 128,
    .most_on_silicon = 20000,
    .most_on_emulator = 2000,
});
const Registered bulk_faults({
    .name = "bulk.copy.faults",
    .claim = "a bulk copy or reduction with one misaligned or unmapped address faults with the matching "
             "error code; one with valid addresses completes",
    .family = bulk_copy_family,
    .share = 0.4,
    .generate =
        generate_faults<make_bulk_fault, make_bulk_load, bulk_copy_family, model::End::illegal_instruction,
                        model::End::misaligned_address, model::End::illegal_address>,
    .spaces = {these_ends<model::End::done, model::End::illegal_instruction, model::End::misaligned_address,
                          model::End::illegal_address>()},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});
const Registered reduce_global({
    .name = "bulk.reduce.global",
    .claim = "a bulk reduction of global memory leaves the exact result of its operation in each element and "
             "writes nothing else",
    .family = bulk_copy_family,
    .share = 2,
    .generate = generate_case<make_bulk_reduce_global>,
    .spaces = {bulk_reduction_cells<false>()},
    .cover = bulk_cover_reduction,
});
const Registered reduce_shared({
    .name = "bulk.reduce.shared",
    .claim = "a bulk reduction of shared memory of the cluster leaves the exact result of its operation in "
             "each element and signals its bytes in the CTA that owns them",
    .family = bulk_copy_family,
    .generate = generate_case<make_bulk_reduce_shared>,
    .spaces = {bulk_reduction_cells<true>()},
    .cover = bulk_cover_reduction,
});
const Registered reduce_conflicts({
    .name = "bulk.reduce.conflicts",
    .claim = "when several CTAs reduce the same elements, no reduction is lost: each element is the result "
             "of some order of them",
    .family = bulk_copy_family,
    .generate = generate_case<make_bulk_reduce_conflict>,
    .spaces = {conflict_cells()},
    .cover = cover_conflict,
});

}  // namespace
}  // namespace assay::suites
