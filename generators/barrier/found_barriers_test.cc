// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

#include "generators/barrier/sequence_cases.h"
#include "reference/model/barrier/machine.h"
#include "reference/spec/questions.h"

namespace assay::gen {
namespace {

model::End end_of_found_barriers(const SequenceCase& c,
                                 spec::Readings readings = spec::Readings(spec::Arch::sm_90)) {
  std::vector<uint32_t> output(model::output_words(c.machine)), defined(output.size());
  return model::predict_sequence(c, readings, output, defined);
}

TEST(FoundBarriers, EveryBitOfTheWordIsSetAloneAndEndsWell) {
  std::set<int> bits;
  std::set<uint32_t> ops;
  SequenceCase c;
  for (uint64_t index = 0; index < 1024; ++index) {
    make_found_barrier({7, "barrier.found", index, spec::Arch::sm_90}, c);
    ASSERT_EQ(model::legal_steps(c), c.count) << index;
    EXPECT_EQ(end_of_found_barriers(c), model::End::done) << index;
    if (std::has_single_bit(c.found_word)) bits.insert(std::countr_zero(c.found_word));
    ops.insert(c.steps[0].op);
  }
  for (int bit = 0; bit < 64; ++bit) EXPECT_TRUE(bits.contains(bit) || bit == 42) << bit;
  EXPECT_EQ(ops.size(), 13u);
}

TEST(FoundBarriers, FaultsFailAndOneOfFourEndsWell) {
  std::set<uint32_t> ops;
  int damaged = 0;
  SequenceCase c;
  for (uint64_t index = 0; index < 400; ++index) {
    make_found_barrier_fault({7, "barrier.found.faults", index, spec::Arch::sm_90}, c);
    ASSERT_EQ(model::legal_steps(c), c.count) << index;
    EXPECT_EQ(end_of_found_barriers(c), index % 4 == 3 ? model::End::done : model::End::launch_failed)
        << index;
    if (index % 4 == 3) continue;
    damaged += static_cast<int>(c.found_word >> 42 & 1);
    ops.insert(c.steps[0].op);
  }
  EXPECT_GT(damaged, 100);
  EXPECT_LT(damaged, 290);
  // All that the good ones have, but init and inval.
  EXPECT_EQ(ops.size(), 10u);
}

TEST(FoundBarriers, TheOtherReadingFailsWithEveryWord) {
  SequenceCase c;
  int differ = 0;
  for (uint64_t index = 0; index < 100; ++index) {
    make_found_barrier({7, "barrier.found", index, spec::Arch::sm_90}, c);
    const bool begins = static_cast<BarrierOp>(c.steps[0].op) == BarrierOp::init;
    const model::End end =
        end_of_found_barriers(c, spec::Readings(spec::Arch::sm_90).choose({"MBAR-AMB-01", "faults"}));
    EXPECT_EQ(end, begins ? model::End::done : model::End::launch_failed) << index;
    differ += !begins;
  }
  EXPECT_GT(differ, 50);
}

}  // namespace
}  // namespace assay::gen
