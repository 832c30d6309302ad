// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"
#include "reference/layout/fragments.h"
#include "suites/run/family.h"
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto mma_sync_property = arithmetic_property<MmaSyncCase, false, group>;

const Registered mma_sync_f16(
    mma_sync_property<MmaGroup::f16>("mma_sync.f16",
                                     "mma.sync of f16 into f32 and f16 truncates products 25 bits below the "
                                     "largest exponent, adds them and C as one block, and rounds once",
                                     2));
const Registered mma_sync_bf16(mma_sync_property<MmaGroup::bf16>(
    "mma_sync.bf16", "mma.sync of bf16 into f32 adds like f16, with exponents down to -133", 2));
const Registered mma_sync_tf32(mma_sync_property<MmaGroup::tf32>(
    "mma_sync.tf32", "mma.sync of tf32 ignores the low 13 bits of its operands and adds like f16", 2));
/// On sm_120 they are multiplied as they are, by the instruction of kind f8f6f4 (mma_sync.f8f6f4), and how
/// the form of K = 16 adds there nobody has told.
Property mma_sync_by_f16(Property mma_sync_fp8) {
  mma_sync_fp8.declines = [](spec::Arch arch) -> std::optional<std::string> {
    if (!spec::row_of(arch).has_mma_kinds) return std::nullopt;
    return "sm_120 multiplies 8-bit floats without f16, and how it adds with K = 16 is not known";
  };
  return mma_sync_fp8;
}
const Registered mma_sync_fp8(mma_sync_by_f16(
    mma_sync_property<MmaGroup::fp8>("mma_sync.fp8",
                                     "mma.sync of e4m3 and e5m2 adds two blocks as f16 does, k mod 4 in {0, "
                                     "1} and {2, 3}, then adds C, rounding to nearest even",
                                     6)));
const Registered mma_sync_i8(mma_sync_property<MmaGroup::i8>(
    "mma_sync.i8", "mma.sync of s8 and u8 adds exactly, then wraps or clamps once", 6));
const Registered mma_sync_i4(mma_sync_property<MmaGroup::i4>(
    "mma_sync.i4", "mma.sync of s4 and u4 adds exactly, then wraps or clamps once", 4));

template <MmaGroup group>
constexpr auto mma_sync_sparse_property = arithmetic_property<MmaSyncCase, true, group>;

const Registered mma_sync_sparse_f16(mma_sync_sparse_property<MmaGroup::f16>(
    "mma_sync.sparse.f16",
    "mma.sp of f16 multiplies the kept elements of A by the elements of B that the metadata of the selected "
    "lanes select, and adds like mma.sync of f16",
    1));
const Registered mma_sync_sparse_bf16(mma_sync_sparse_property<MmaGroup::bf16>(
    "mma_sync.sparse.bf16",
    "mma.sp of bf16 multiplies the kept elements of A by the elements of B that the metadata of the selected "
    "lanes select, and adds like mma.sync of bf16",
    1));
const Registered mma_sync_sparse_tf32(mma_sync_sparse_property<MmaGroup::tf32>(
    "mma_sync.sparse.tf32",
    "mma.sp of tf32 multiplies each kept element of A by the one of two elements of B that the metadata of "
    "the selected lanes select, and adds like mma.sync of tf32",
    1));
/// As of dense ones (mma_sync.fp8).
Property mma_sync_sparse_by_f16(Property mma_sync_sparse_fp8) {
  mma_sync_sparse_fp8.declines = [](spec::Arch arch) -> std::optional<std::string> {
    if (!spec::row_of(arch).has_mma_kinds) return std::nullopt;
    return "sm_120 multiplies 8-bit floats without f16, and its summation of sparse rows is undocumented";
  };
  return mma_sync_sparse_fp8;
}
const Registered mma_sync_sparse_fp8(mma_sync_sparse_by_f16(mma_sync_sparse_property<MmaGroup::fp8>(
    "mma_sync.sparse.fp8",
    "mma.sp of e4m3 and e5m2 multiplies the kept elements of A by the elements of B that the metadata "
    "select, and adds like mma.sync of these types, in two blocks of kept elements",
    1)));
const Registered mma_sync_sparse_i8(mma_sync_sparse_property<MmaGroup::i8>(
    "mma_sync.sparse.i8",
    "mma.sp of s8 and u8 multiplies the kept elements of A by the elements of B that the metadata select, "
    "adds exactly, then wraps or clamps once",
    2));
const Registered mma_sync_sparse_i4(mma_sync_sparse_property<MmaGroup::i4>(
    "mma_sync.sparse.i4",
    "mma.sp of s4 and u4 multiplies the kept elements of A by the pairs of elements of B that the metadata "
    "select, adds exactly, then wraps or clamps once",
    2));
const Registered mma_sync_sparse_illegal_codes(
    illegal_codes_property<SparseMmaSyncIllegalCodes>("mma_sync.sparse.illegal_codes",
                                                      "an undefined metadata code of mma.sp leaves only its "
                                                      "own row of D undefined; every other row is correct"));

// mma.sync and mma.sp with the kinds of sm_120.

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

template <MmaGroup group>
constexpr auto wgmma_property = arithmetic_property<WgmmaCase, false, group>;

const Registered wgmma_f16(
    wgmma_property<MmaGroup::f16>("wgmma.f16",
                                  "wgmma of f16 into f32 and f16 truncates products 25 bits below the "
                                  "largest exponent, adds them and C as one block, and rounds once",
                                  2));
const Registered wgmma_bf16(wgmma_property<MmaGroup::bf16>(
    "wgmma.bf16", "wgmma of bf16 into f32 adds like f16, with exponents down to -133", 2));
const Registered wgmma_tf32(wgmma_property<MmaGroup::tf32>(
    "wgmma.tf32", "wgmma of tf32 ignores the low 13 bits of its operands and adds like f16", 2));
const Registered wgmma_fp8(wgmma_property<MmaGroup::fp8>(
    "wgmma.fp8",
    "wgmma of e4m3 and e5m2 keeps 13 bits below the largest exponent and 13 fraction bits of an f32 result",
    6));
const Registered wgmma_i8(wgmma_property<MmaGroup::i8>(
    "wgmma.i8", "wgmma of s8 and u8 adds exactly, then wraps or clamps once", 6));

void cover_descriptor(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  gen::for_smem_cells(any.as<WgmmaCase>(), [&](uint32_t cell) { sink.hit(0, cell); });
}

const Registered wgmma_descriptor({
    .name = "wgmma.descriptor",
    .claim = "wgmma reads each element of A and B where the shared-memory descriptor says, for any start "
             "address, strides, base offset and swizzle",
    .family = wgmma_family,
    .share = 3,
    .generate = generate_case<gen::make_wgmma_descriptor>,
    .spaces = {{gen::smem_cell_dimension, gen::smem_cell_count,
                [](uint32_t cell, spec::Arch) { return gen::smem_cell_name(cell); },
                [](spec::Arch) { return gen::reachable_smem_cells(); }}},
    .cover = cover_descriptor,
});

void cover_wait(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, gen::wgmma_wait_of(any.as<WgmmaCase>()));
}

const Registered wgmma_groups({
    .name = "wgmma.groups",
    .claim = "wgmma.wait_group N returns when at most N groups are pending, and a wgmma that accumulates "
             "into a D that earlier ones still write adds to their result",
    .family = wgmma_family,
    .share = 1,
    .generate = generate_case<gen::make_wgmma_groups>,
    .spaces = {{"wait", gen::wgmma_waits,
                [](uint32_t cell, spec::Arch) { return gen::wgmma_wait_name(cell); },
                [](spec::Arch) { return up_to(gen::wgmma_waits); }}},
    .cover = cover_wait,
});

template <MmaGroup group>
constexpr auto wgmma_sparse_property = arithmetic_property<WgmmaCase, true, group>;

const Registered wgmma_sparse_f16(wgmma_sparse_property<MmaGroup::f16>(
    "wgmma.sparse.f16",
    "wgmma.sp of f16 multiplies the kept elements of A by the elements of B that the metadata of the "
    "selected lanes select, and adds like wgmma of f16",
    2));
const Registered wgmma_sparse_bf16(wgmma_sparse_property<MmaGroup::bf16>(
    "wgmma.sparse.bf16",
    "wgmma.sp of bf16 multiplies the kept elements of A by the elements of B that the metadata of the "
    "selected lanes select, and adds like wgmma of bf16",
    1));
const Registered wgmma_sparse_tf32(wgmma_sparse_property<MmaGroup::tf32>(
    "wgmma.sparse.tf32",
    "wgmma.sp of tf32 multiplies each kept element of A by the one of two elements of B that the metadata of "
    "the selected lanes select, and adds like wgmma of tf32",
    1));
const Registered wgmma_sparse_fp8(wgmma_sparse_property<MmaGroup::fp8>(
    "wgmma.sparse.fp8",
    "wgmma.sp of e4m3 and e5m2 multiplies the kept elements of A by the elements of B that the metadata "
    "select, and adds like wgmma of these types",
    3));
const Registered wgmma_sparse_i8(wgmma_sparse_property<MmaGroup::i8>(
    "wgmma.sparse.i8",
    "wgmma.sp of s8 and u8 multiplies the kept elements of A by the elements of B that the metadata select, "
    "adds exactly, then wraps or clamps once",
    3));
const Registered wgmma_sparse_illegal_codes(
    illegal_codes_property<SparseWgmmaIllegalCodes>("wgmma.sparse.illegal_codes",
                                                    "an undefined metadata code of wgmma.sp leaves only its "
                                                    "own row of D undefined; every other row is correct"));

}  // namespace
}  // namespace assay::suites
