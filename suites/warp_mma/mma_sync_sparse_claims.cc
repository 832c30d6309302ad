// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/sparse_coverage.h"

namespace assay::suites::claims_mma_sync_sparse {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto property = sparse_arithmetic_property<SparseMmaSyncArithmetic, group>;

const Registered f16(property<MmaGroup::f16>(
    "mma_sync.sparse.f16",
    "mma.sp of f16 multiplies the kept elements of A by the elements of B that the metadata of the selected "
    "lanes name, and adds as mma.sync of f16",
    1));
const Registered bf16(property<MmaGroup::bf16>(
    "mma_sync.sparse.bf16",
    "mma.sp of bf16 multiplies the kept elements of A by the elements of B that the metadata of the selected "
    "lanes name, and adds as mma.sync of bf16",
    1));
const Registered tf32(property<MmaGroup::tf32>(
    "mma_sync.sparse.tf32",
    "mma.sp of tf32 multiplies the kept elements of A by that of two elements of B which the metadata of the "
    "selected lanes name, and adds as mma.sync of tf32",
    1));
/// As of dense ones (mma_sync.fp8).
Property by_f16(Property fp8) {
  fp8.declines = [](spec::Arch arch) -> std::optional<std::string> {
    if (arch != spec::Arch::sm_120) return std::nullopt;
    return "sm_120 multiplies 8-bit floats without f16, and its summation of sparse rows is undocumented";
  };
  return fp8;
}
const Registered fp8(by_f16(property<MmaGroup::fp8>(
    "mma_sync.sparse.fp8",
    "mma.sp of e4m3 and e5m2 multiplies the kept elements of A by the elements of B that the metadata name, "
    "and adds as mma.sync of them, in two blocks of kept elements",
    1)));
const Registered i8(property<MmaGroup::i8>(
    "mma_sync.sparse.i8",
    "mma.sp of s8 and u8 multiplies the kept elements of A by the elements of B that the metadata name, and "
    "adds exactly, then wraps or clamps once",
    2));
const Registered i4(property<MmaGroup::i4>(
    "mma_sync.sparse.i4",
    "mma.sp of s4 and u4 multiplies the kept elements of A by the pairs of elements of B that the metadata "
    "name, and adds exactly, then wraps or clamps once",
    2));
const Registered illegal_codes(illegal_codes_property<SparseMmaSyncIllegalCodes>(
    "mma_sync.sparse.illegal_codes",
    "a metadata code of mma.sp without a meaning leaves its own row of D open, and every other row as it "
    "should be"));

}  // namespace
}  // namespace assay::suites::claims_mma_sync_sparse
