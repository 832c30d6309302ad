// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/sparse_coverage.h"

namespace assay::suites::claims_wgmma_sparse {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto property = sparse_arithmetic_property<SparseWgmmaArithmetic, group>;

const Registered f16(property<MmaGroup::f16>("wgmma.sparse.f16",
                                             "wgmma.sp of f16 multiplies the kept elements of A by the "
                                             "elements of B that the metadata of the selected "
                                             "lanes name, and adds as wgmma of f16",
                                             2));
const Registered bf16(property<MmaGroup::bf16>(
    "wgmma.sparse.bf16",
    "wgmma.sp of bf16 multiplies the kept elements of A by the elements of B that the metadata of the "
    "selected lanes name, and adds as wgmma of bf16",
    1));
const Registered tf32(property<MmaGroup::tf32>(
    "wgmma.sparse.tf32",
    "wgmma.sp of tf32 multiplies the kept elements of A by that of two elements of B which the metadata of "
    "the selected lanes name, and adds as wgmma of tf32",
    1));
const Registered fp8(property<MmaGroup::fp8>("wgmma.sparse.fp8",
                                             "wgmma.sp of e4m3 and e5m2 multiplies the kept elements of A by "
                                             "the elements of B that the metadata name, "
                                             "and adds as wgmma of them",
                                             3));
const Registered i8(property<MmaGroup::i8>("wgmma.sparse.i8",
                                           "wgmma.sp of s8 and u8 multiplies the kept elements of A by the "
                                           "elements of B that the metadata name, and "
                                           "adds exactly, then wraps or clamps once",
                                           3));
const Registered illegal_codes(illegal_codes_property<SparseWgmmaIllegalCodes>(
    "wgmma.sparse.illegal_codes",
    "a metadata code of wgmma.sp without a meaning leaves its own row of D open, and every other row as it "
    "should be"));

}  // namespace
}  // namespace assay::suites::claims_wgmma_sparse
