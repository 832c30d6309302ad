// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/fragment.h"

/// Faults of mma.sp with a kind: each changes something, and none changes what is not sparse.
namespace assay::faults {
namespace {

using namespace emulator;

const spec::Format* format(std::string_view name) {
  return spec::find_format(name);
}
const std::vector<KindForm> forms = [] {
  const spec::Format *e4m3 = format("e4m3"), *e2m1 = format("e2m1"), *f32 = format("f32");
  std::vector<KindForm> made{{e4m3, e4m3, f32}, {e2m1, e4m3, f32}, {e4m3, format("e3m2"), f32}};
  made.push_back({e2m1, e2m1, f32, format("ue8m0"), 64, 32});
  made.push_back({e2m1, e2m1, f32, format("ue4m3"), 64, 16});
  for (KindForm& form : made) form.is_sparse = true;
  return made;
}();

struct Changes {
  int changed = 0, all = 0;
};

/// Rows with all codes whose places ascend, by elements that all differ from their neighbours.
Changes changes_of_met(void (*kind_met)(const KindRow&, uint32_t*)) {
  Changes count;
  constexpr uint32_t legal[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  for (const KindForm& form : forms)
    for (uint32_t row = 0; row < 16; ++row) {
      std::vector<uint32_t> codes(16), b(8 * form.b_k()), met(8 * form.k);
      for (uint32_t i = 0; i < codes.size(); ++i) codes[i] = legal[(i * 5 + row) % 6];
      const uint32_t values = form.is_packed() ? 16 : form.b->name == "e4m3" ? 128 : 64;
      for (uint32_t i = 0; i < b.size(); ++i) b[i] = (i * 7 + i / 16) % values;
      meet_row(form.is_packed() ? *form.a : *format("e4m3"), form.k, codes.data(), b.data(), 8, met.data());
      std::vector<uint32_t> wrong = met;
      kind_met({form, row, codes.data(), b.data()}, wrong.data());
      count.changed += wrong != met;
      ++count.all;
    }
  return count;
}

Changes changes_of_scales(FragmentScale (*scale)(const FragmentScaleRequest&)) {
  Changes count;
  for (const bool is_sparse : {false, true})
    for (const bool is_a : {false, true})
      for (uint32_t i = 0; i < 16 * 2 * 2 * 2; ++i) {
        const FragmentScaleRequest wanted{is_a,           i % (is_a ? 16 : 8), i / 16 % 2,
                                          i / 32 % 2 * 2, i / 64 % 2,          is_sparse};
        const FragmentScale at = scale(wanted), right = fragment_scale(wanted);
        const bool differs = at.lane != right.lane || at.byte != right.byte;
        EXPECT_TRUE(is_sparse || !differs);
        EXPECT_LT(at.lane, 32u);
        EXPECT_LT(at.byte, 4u);
        count.changed += differs;
        ++count.all;
      }
  return count;
}

Changes changes_of_rules(void (*change)(const TileProduct&, AdderRules&)) {
  Changes count;
  for (const bool is_sparse : {false, true}) {
    TileProduct product{};
    product.k = 64, product.is_sparse = is_sparse;
    AdderRules rules{};
    rules.fused = 64;
    change(product, rules);
    EXPECT_TRUE(is_sparse || rules.fused == 64);
    count.changed += rules.fused != 64;
    ++count.all;
  }
  return count;
}

TEST(SparseKindFaults, ChangeSomethingAndNothingOfADenseA) {
  int faults = 0;
  for (const Fault* fault : all_faults()) {
    if (!fault->name.starts_with("mma_sp_kind_")) continue;
    EXPECT_EQ(fault->devices(), std::vector<std::string>{"sm_120a"});
    const TensorSteps& steps = fault->tensor_steps();
    const Changes count = steps.kind_met != nullptr ? changes_of_met(steps.kind_met)
                          : steps.scale != nullptr  ? changes_of_scales(steps.scale)
                                                    : changes_of_rules(steps.rules);
    EXPECT_GT(count.changed, 0) << fault->name << " changes nothing";
    if (fault->name != "mma_sp_kind_second_half_as_first") {
      EXPECT_LT(count.changed, count.all) << fault->name << " changes everything";
    }
    ++faults;
  }
  EXPECT_GE(faults, 11);
}

}  // namespace
}  // namespace assay::faults
