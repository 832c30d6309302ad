// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/random_case.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

std::string missing(const spec::RuleSet& seen, std::string_view prefix, const std::string& excused = "") {
  std::string ids;
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const std::string id(spec::rule_table[i].id);
    if (id.starts_with(prefix) && !seen.test(i) && excused.find(id) == std::string::npos) ids += id + " ";
  }
  return ids;
}

spec::RuleSet rules_of(const TensorCopyCase& copy, const spec::Readings& readings) {
  static std::vector<std::byte> window(1 << 18), memory(RandomCase::arena_bytes), mask(memory.size());
  return copy.direction == CopyDirection::load ? predict_load(copy, readings, memory, window, {}).rules
                                               : predict_store(copy, readings, window, memory, mask).rules;
}

// A rule that no prediction ever names would be a sentence without a test.
TEST(RuleCoverage, SomeCopyExercisesEveryTileRule) {
  spec::RuleSet seen;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    RandomCase random(seed);
    const spec::Readings readings(spec::Arch::sm_103);
    TensorCopyCase copy = random.copy(spec::Arch::sm_103);
    if (random.one_in(2)) copy.coord[copy.map.rank - 1] = -1;
    copy.prefetch_first = random.one_in(2), copy.destination_cta = random.one_in(2),
    copy.cache_hint = random.one_in(2);
    copy.transaction_delta = random.one_in(8) ? 16 : 0;
    if (random.one_in(4)) copy.cluster_size = 2, copy.cta_mask = 3;
    seen |= rules_of(copy, readings);
    TensorCopyCase reduced = copy;
    reduced.direction = CopyDirection::store;
    reduced.reduction = static_cast<TensorReduction>(1 + seed % 8);
    if (random.one_in(4)) reduced.map.global_stride.fill(0);  // rows on each other
    seen |= rules_of(reduced, readings);
    if (copy.map.data_type == 14) {  // for loads alone
      TensorCopyCase stored = copy;
      stored.direction = CopyDirection::store;
      seen |= rules_of(stored, readings);
    }
    if (seed % 64 != 0) continue;
    TensorCopyCase far = copy;
    far.map.global_dim[far.map.rank - 1] = uint64_t{1} << 31;
    far.coord[far.map.rank - 1] = INT32_MAX;
    seen |= rules_of(far, readings);
    far.map.global_dim[far.map.rank - 1] += 1;
    seen |= rules_of(far, readings);
    far = copy;
    far.tile_offset = 220 * 1024, far.map.box_dim[0] = 128, far.map.rank = far.instruction_rank = 2,
    far.map.interleave = 0;
    far.map.swizzle = 0, far.map.box_dim[1] = 250, far.map.element_stride[1] = 1;
    seen |= rules_of(far, readings);
  }
  EXPECT_EQ(missing(seen, "TILE-"), "");
  EXPECT_TRUE(seen.test(spec::rule("V-47")));
}

TEST(RuleCoverage, SomeCallBreaksEveryRuleOnArguments) {
  spec::RuleSet broken;
  for (uint64_t seed = 0; seed < 30000; ++seed) {
    RandomCase random(seed);
    const spec::Arch arch = seed % 2 == 0 ? spec::Arch::sm_90 : spec::Arch::sm_103;
    spec::Readings readings(arch);
    for (const char* id : {"X-03", "X-04", "TMA-AMB-20"})  // where the default takes everything
      if (random.one_in(4)) readings.choose(*spec::find_question(id), id[0] == 'X' ? 'A' : 'B');
    broken |= broken_rule_set(random.call(arch), readings);
    TensorMapArgs map = random.copy(spec::Arch::sm_103).map;
    map.swizzle = swizzle_96B;
    broken |= broken_map_rules(map, readings);
  }
  // V-30 is about the device, V-42 about another call, V-47 a permission, V-50 about what a refused call
  // leaves; those from V-31 to V-40 are of im2col maps (encode_test.cc).
  EXPECT_EQ(missing(broken, "V-", "V-30 V-42 V-47 V-50 V-31 V-32 V-33 V-34 V-35 V-36 V-37 V-38 V-39 V-40"),
            "");
}

}  // namespace
}  // namespace assay::model
