// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto mma_sync_property = arithmetic_property<MmaSyncArithmetic, group>;

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

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto mma_sync_sparse_property = sparse_arithmetic_property<SparseMmaSyncArithmetic, group>;

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

}  // namespace
}  // namespace assay::suites
