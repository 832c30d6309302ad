// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/gemm_words.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace assay::cuda {
namespace {

TEST(GemmWords, NameEveryBarrierOfTheKernel) {
  using params::GemmBarriers;
  constexpr uint32_t begin = params::gemm_barriers_at;
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, full)), "full[0]");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, empty) + 24), "empty[3]");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, accumulated)), "accumulated[0]");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, drained) + 8), "drained[1]");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, handed) + 8), "handed[1]");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, taken)), "taken[0]");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, answered)), "answered");
  EXPECT_EQ(gemm_names.barrier(begin + offsetof(GemmBarriers, answer_read)), "answer_read");
  EXPECT_EQ(gemm_names.barrier(begin + sizeof(GemmBarriers)), "");
  EXPECT_EQ(gemm_names.barrier(0), "");
}

TEST(GemmWords, TellWaitsThatSurvived) {
  std::vector<uint32_t> notes(params::batch_notes);
  EXPECT_TRUE(gemm_names.waits(notes).empty());
  notes[0] = 5;  // a record under way
  const auto note = [&](uint32_t cta, uint32_t warp) -> uint32_t& {
    return notes[params::gemm_first_wait + cta * params::gemm_warps + warp];
  };
  for (const uint32_t cta : {0u, 1u, 3u}) note(cta, 0) = params::gemm_wait_word({4, 0, 4});
  note(7, 0) = params::gemm_wait_word({16, 1, 2});
  for (uint32_t warp = 2; warp < 6; ++warp) note(2, warp) = params::gemm_wait_word({9, 1, 1});
  EXPECT_EQ(gemm_names.waits(notes),
            (std::vector<std::string>{
                "CTAs 0-1, 3: a load warp waits for phase 0 of empty[0], after 4 waits that ended",
                "CTA 7: a load warp waits for phase 1 of answered, after 2 waits that ended",
                "CTA 2: a store warp waits for phase 1 of accumulated[1], after 1 wait that ended"}));
  // The last CTA's notes lie below the host's own.
  EXPECT_LT(params::gemm_first_wait + most_gemm_ctas * params::gemm_warps, params::batch_notes);
}

/// A device that exchanges two of the coordinates of what was cancelled names another cluster, or none.
TEST(GemmWords, GridsHaveClustersThatDifferInEveryCoordinate) {
  for (uint32_t most = 1; most <= most_gemm_ctas; ++most) {
    const GemmGrid grid = gemm_grid(most);
    const uint32_t count = grid.clusters * grid.rows * grid.layers;
    EXPECT_LE(count, most);  // each has a tile
    EXPECT_GT(count + 6, most);
    EXPECT_TRUE(most == 1 || grid.rows != grid.layers) << most;
  }
  EXPECT_EQ(gemm_grid(2).cluster_rows, 2u);
  EXPECT_EQ(gemm_grid(5).cluster_layers, 2u);
  EXPECT_EQ(gemm_grid(18).cluster_rows, 2u);
  EXPECT_EQ(gemm_grid(12).cluster_rows * gemm_grid(12).cluster_layers, 1u);
  EXPECT_GT(gemm_grid(4).clusters, 1u);
  EXPECT_GT(gemm_grid(8).clusters, 1u);
  EXPECT_GT(gemm_grid(12).clusters, 1u);
}

}  // namespace
}  // namespace assay::cuda
