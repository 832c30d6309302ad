// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/coverage.h"
#include "suites/warp_mma/words.h"

namespace assay::suites {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto wgmma_property = arithmetic_property<WgmmaArithmetic, group>;

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

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto wgmma_sparse_property = sparse_arithmetic_property<SparseWgmmaArithmetic, group>;

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
