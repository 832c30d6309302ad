// SPDX-License-Identifier: Apache-2.0
// Our kernels keep the memory model: the emulator's strict mode has nothing to say, under every schedule.
#include <gtest/gtest.h>

#include "devices/cuda/test_device.h"

namespace assay::cuda {
namespace {

using params::CopyOp;
using params::TiledCopyRecord;

TEST(StrictMode, OurKernelsAreCleanUnderEverySchedule) {
  std::vector<TiledCopyRecord> copies, multicasts;
  for (uint32_t i = 0; i < 60; ++i) {
    TiledCopyRecord r =
        byte_copy(i % 3 ? CopyOp::load : CopyOp::store, {64, 32, 2}, {64, 8, 1 + i % 2}, {0, 3, 0});
    r.map.swizzle = i % 3 == 0 ? 0 : 1 + i % 3;
    r.flags = i % 8;
    r.output_offset = i * 16384;
    r.tile_offset = 128 * (i % 8);
    copies.push_back(r);
  }
  for (uint32_t i = 0; i < 24; ++i) {
    TiledCopyRecord r = byte_copy(CopyOp::load, {64, 32}, {64, 8}, {0, 3});
    r.cluster_size = 4;
    r.cta_mask = static_cast<uint16_t>(1 + i % 15);
    r.signals = signals_of(r.cta_mask);
    r.issuer_rank = static_cast<uint16_t>(i % 4);
    r.flags = i % 8 & ~2u;
    r.output_bytes = 4 * r.window_bytes;
    r.output_offset = i * 16384;
    multicasts.push_back(r);
  }
  DeviceLimits limits;
  limits.batches = 2;
  for (const char* target : {"sm_90a", "sm_100a", "sm_103a"})
    for (const char* schedule : {"eager", "lazy", "random:1", "random:2"}) {
      const auto device =
          open_device(std::string("emulator:") + target + ",strict,schedule=" + schedule, limits);
      for (const auto& records : {copies, multicasts}) {
        const Ran ran = run_batch(*device, "tma_tiled_copy", records);
        for (size_t i = 0; i < records.size(); ++i)
          ASSERT_EQ(ran.ends[i].ended, Ended::done) << target << " " << schedule << " record " << i;
        EXPECT_TRUE(ran.notes.empty()) << ran.notes.front();
      }
      for (const StrictFinding& finding : device->strict_findings())
        ADD_FAILURE() << target << " " << schedule << ": " << finding.clause << " in " << finding.kernel
                      << ", " << finding.where;
    }
}

}  // namespace
}  // namespace assay::cuda
