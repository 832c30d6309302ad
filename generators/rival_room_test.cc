// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/questions.h"

namespace assay::gen {
namespace {

/// How many of the cases touch more global memory by the rival than by the default; none leaves its room,
/// where other cases lie, or nothing.
template <typename Copy>
int reach_further(void (*make)(const CaseId&, Copy&), uint64_t cases, spec::NamedReading rival) {
  const spec::Readings usual(spec::Arch::sm_90), other = spec::Readings(usual).choose(rival);
  int further = 0;
  for (uint64_t index = 0; index < cases; ++index) {
    Copy c;
    make({1, "tma.im2col.load", index, spec::Arch::sm_90}, c);
    const uint64_t room = c.direction == CopyDirection::store ? c.slot_bytes : rig::arena_bytes;
    for (uint32_t lane = 0; lane < c.lanes; ++lane) {
      const uint64_t end = model::footprint(of_lane(c, lane), other).global_end;
      further += end > model::footprint(of_lane(c, lane), usual).global_end;
      EXPECT_LE(end, room) << index << " lane " << lane;
    }
  }
  return further;
}

TEST(RivalRoom, ADeviceThatWalksChannelSlicesStaysInTheRoomOfItsCase) {
  for (const auto make : {make_tiled_load, make_tiled_store})
    EXPECT_GT(reach_further<TensorCopyCase>(make, 2000, {"TMA-AMB-12", "walks_slices"}), 20);
}

TEST(RivalRoom, ADeviceThatCutsOffsetsReadsTheArena) {
  EXPECT_GT(reach_further<TensorCopyCase>(make_im2col_load, 20000, {"TMA-AMB-23", "cut_to_5_bits"}), 5);
}

}  // namespace
}  // namespace assay::gen
