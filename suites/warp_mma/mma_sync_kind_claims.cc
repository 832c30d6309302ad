// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include "reference/layout/scales_and_metadata.h"
#include "suites/run/family.h"
#include "suites/warp_mma/coverage.h"
#include "suites/warp_mma/words.h"

/// mma.sync and mma.sp with the kinds of sm_120.
namespace assay::suites {
namespace {

std::optional<std::string> declines_mma_sync_kind(spec::Arch arch) {
  if (spec::row_of(arch).has_mma_kinds) return std::nullopt;
  return spec::requires_capability(&spec::Architecture::has_mma_kinds);
}

template <SyncKind kind>
CellSpace forms_space() {
  return {"elements x scale vector x selectors x operands", gen::kind_cells(kind),
          [](uint32_t cell, spec::Arch) { return gen::kind_cell_name(kind, cell); },
          [](spec::Arch) { return up_to(gen::kind_cells(kind)); }};
}

template <SyncKind kind>
Property mma_sync_kind_property(std::string_view name, std::string_view claim, double share) {
  Property made{.name = name, .claim = claim, .family = mma_sync_kind_family, .share = share};
  made.generate = [](uint64_t seed, std::string_view mma_sync_kind_property, uint64_t index, spec::Arch arch,
                     Case& c) {
    gen::make_mma_sync_kind({seed, mma_sync_kind_property, index, arch}, kind, c.emplace<MmaSyncKindCase>());
  };
  made.spaces = {forms_space<kind>()};
  made.cover = [](const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
    sink.hit(0, gen::kind_cell(kind, index));
  };
  made.declines = declines_mma_sync_kind;
  return made;
}

/// As of a dense A, with a space of codes.
template <SyncKind kind>
Property sparse_property(std::string_view name, std::string_view claim, double share) {
  Property made = mma_sync_kind_property<kind>(name, claim, share);
  made.generate = [](uint64_t seed, std::string_view mma_sync_kind_property, uint64_t index, spec::Arch arch,
                     Case& c) {
    gen::make_sparse_mma_sync_kind({seed, mma_sync_kind_property, index, arch}, kind,
                                   c.emplace<MmaSyncKindCase>());
  };
  made.spaces.push_back(
      {"kind of sparsity x code", gen::code_count,
       [](uint32_t cell, spec::Arch) { return gen::code_name(gen::codes_of_kind(kind), cell); },
       [](spec::Arch) { return gen::legal_codes(gen::codes_of_kind(kind)); }});
  made.cover = [](const Case& any, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
    sink.hit(0, gen::kind_cell(kind, index));
    for (const uint32_t code : layout::codes_of(any.as<MmaSyncKindCase>().sparse.codes)) sink.hit(1, code);
  };
  return made;
}

const Registered mma_sync_kind_f8f6f4(
    mma_sync_kind_property<SyncKind::f8f6f4>("mma_sync.f8f6f4",
                                             "mma.sync of kind f8f6f4 multiplies 8-, 6- and 4-bit floats, "
                                             "one per byte, and adds all 32 products and C as one block",
                                             2));
const Registered mma_sync_kind_mxf8f6f4(mma_sync_kind_property<SyncKind::mxf8f6f4>(
    "mma_sync.mxf8f6f4",
    "mma.sync of kind mxf8f6f4 reads the scale of each row and column from the byte and thread that the "
    "selectors name, and aligns scaled products",
    2));
const Registered mma_sync_kind_mxf4(mma_sync_kind_property<SyncKind::mxf4>(
    "mma_sync.mxf4",
    "mma.sync of kind mxf4 adds e2m1 in exact groups of 16, each scaled by the ue8m0 of its 32 elements", 1));
const Registered mma_sync_kind_mxf4nvf4(mma_sync_kind_property<SyncKind::mxf4nvf4>(
    "mma_sync.mxf4nvf4",
    "mma.sync of kind mxf4nvf4 adds e2m1 in exact groups of 16, each scaled by its own ue4m3 or by a ue8m0 "
    "shared by two groups",
    1));

const Registered kind_sparse_f8f6f4(sparse_property<SyncKind::f8f6f4>(
    "mma_sync.sparse.f8f6f4",
    "mma.sp of kind f8f6f4 multiplies the kept 8-, 6- and 4-bit floats of A by the two of every four of B "
    "that the metadata select, and adds like mma.sync of that kind",
    2));
const Registered kind_sparse_mxf8f6f4(sparse_property<SyncKind::mxf8f6f4>(
    "mma_sync.sparse.mxf8f6f4",
    "mma.sp of kind mxf8f6f4 scales the kept elements of a row of A by one scale and all 64 elements of a "
    "column of B by another; the metadata select the elements of B",
    2));
const Registered kind_sparse_mxf4(
    sparse_property<SyncKind::mxf4>("mma_sync.sparse.mxf4",
                                    "mma.sp of kind mxf4 multiplies kept pairs of e2m1 by the pairs of B "
                                    "that the metadata select, with one scale for every 64 elements of K",
                                    1));
const Registered kind_sparse_mxf4nvf4(sparse_property<SyncKind::mxf4nvf4>(
    "mma_sync.sparse.mxf4nvf4",
    "mma.sp of kind mxf4nvf4 multiplies kept pairs of e2m1 by the pairs of B that the metadata select, with "
    "a ue4m3 for every 32 elements of K or a ue8m0 for every 64",
    1));

constexpr uint32_t mma_sync_kinds = sync_kind_names.size();

/// Cells: kind x code.
const Registered mma_sync_kind_illegal_codes({
    .name = "mma_sync.sparse.kind_illegal_codes",
    .claim = "an undefined metadata code of mma.sp with a kind leaves only its own row of D undefined; every "
             "other row is correct",
    .family = mma_sync_kind_family,
    .share = 1,
    .generate =
        [](uint64_t seed, std::string_view of, uint64_t index, spec::Arch arch, Case& c) {
          gen::make_sparse_kind_illegal_codes({seed, of, index, arch}, c.emplace<MmaSyncKindCase>());
        },
    .spaces = {{"kind x code", mma_sync_kinds* gen::code_count,
                [](uint32_t cell, spec::Arch) {
                  const uint32_t kind = cell / gen::code_count;
                  return std::string(sync_kind_names[kind]) + " " +
                         gen::code_name(gen::codes_of_kind(static_cast<SyncKind>(kind)),
                                        cell % gen::code_count);
                },
                [](spec::Arch) {
                  std::vector<uint32_t> cells;
                  for (uint32_t kind = 0; kind < mma_sync_kinds; ++kind)
                    for (const uint32_t code :
                         gen::codes_without_a_meaning(gen::codes_of_kind(static_cast<SyncKind>(kind))))
                      cells.push_back(kind * gen::code_count + code);
                  return cells;
                }}},
    .cover =
        [](const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
          const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
          for (const uint32_t code : layout::codes_of(c.sparse.strange_codes))
            sink.hit(0, static_cast<uint32_t>(c.kind) * gen::code_count + code);
        },
    .declines = declines_mma_sync_kind,
});

}  // namespace
}  // namespace assay::suites
