// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/coverage.h"
#include "suites/warp_mma/family.h"

namespace assay::suites::claims_wgmma {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto property = arithmetic_property<WgmmaArithmetic, group>;

const Registered f16(property<MmaGroup::f16>("wgmma.f16",
                                             "wgmma of f16 into f32 and f16 adds products cut 25 bits below "
                                             "the largest exponent, as one block with C, and rounds "
                                             "once",
                                             2));
const Registered bf16(property<MmaGroup::bf16>(
    "wgmma.bf16", "wgmma of bf16 into f32 adds as that of f16, with exponents down to -133", 2));
const Registered tf32(property<MmaGroup::tf32>(
    "wgmma.tf32", "wgmma of tf32 drops the low 13 bits of its operands unseen and adds as that of f16", 2));
const Registered fp8(property<MmaGroup::fp8>(
    "wgmma.fp8",
    "wgmma of e4m3 and e5m2 keeps 13 bits below the largest exponent and 13 fraction bits of an f32 result",
    6));
const Registered i8(property<MmaGroup::i8>("wgmma.i8",
                                           "wgmma of s8 and u8 adds exactly, then wraps or clamps once", 6));

void cover_descriptor(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  gen::for_smem_cells(any.as<WgmmaCase>(), [&](uint32_t cell) { sink.hit(0, cell); });
}

const Registered descriptor({
    .name = "wgmma.descriptor",
    .claim = "wgmma reads each element of A and B where the shared-memory descriptor says: any start, "
             "strides, base "
             "offset and swizzle, with values whose sums are exact",
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

const Registered groups({
    .name = "wgmma.groups",
    .claim = "wgmma.wait_group N returns when at most N groups are left, and a wgmma that adds to a D "
             "which others still write adds to what they leave",
    .family = wgmma_family,
    .share = 1,
    .generate = generate_case<gen::make_wgmma_groups>,
    .spaces = {{"wait", gen::wgmma_waits,
                [](uint32_t cell, spec::Arch) { return gen::wgmma_wait_name(cell); },
                [](spec::Arch) { return up_to(gen::wgmma_waits); }}},
    .cover = cover_wait,
});

}  // namespace
}  // namespace assay::suites::claims_wgmma
