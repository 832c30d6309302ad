// SPDX-License-Identifier: Apache-2.0
#include "suites/warp_mma/coverage.h"

namespace assay::suites::claims_mma_sync {
namespace {

using gen::MmaGroup;

template <MmaGroup group>
constexpr auto property = arithmetic_property<MmaSyncArithmetic, group>;

const Registered f16(
    property<MmaGroup::f16>("mma_sync.f16",
                            "mma.sync of f16 into f32 and f16 adds products cut 25 bits below the largest "
                            "exponent, as one block with C, and rounds once",
                            2));
const Registered bf16(property<MmaGroup::bf16>(
    "mma_sync.bf16", "mma.sync of bf16 into f32 adds as that of f16, with exponents down to -133", 2));
const Registered tf32(property<MmaGroup::tf32>(
    "mma_sync.tf32", "mma.sync of tf32 drops the low 13 bits of its operands unseen and adds as that of f16",
    2));
/// On sm_120 they are multiplied as they are, by the instruction of kind f8f6f4 (mma_sync.f8f6f4), and how
/// the form of K = 16 adds there nobody has told.
Property by_f16(Property fp8) {
  fp8.declines = [](spec::Arch arch) -> std::optional<std::string> {
    if (arch != spec::Arch::sm_120) return std::nullopt;
    return "sm_120 multiplies 8-bit floats without f16, and how it adds with K = 16 is not known";
  };
  return fp8;
}
const Registered fp8(
    by_f16(property<MmaGroup::fp8>("mma_sync.fp8",
                                   "mma.sync of e4m3 and e5m2 is two blocks of f16, k mod 4 in {0, "
                                   "1} and {2, 3}, then C added to nearest even",
                                   6)));
const Registered i8(property<MmaGroup::i8>("mma_sync.i8",
                                           "mma.sync of s8 and u8 adds exactly, then wraps or clamps once",
                                           6));
const Registered i4(property<MmaGroup::i4>("mma_sync.i4",
                                           "mma.sync of s4 and u4 adds exactly, then wraps or clamps once",
                                           4));

}  // namespace
}  // namespace assay::suites::claims_mma_sync
