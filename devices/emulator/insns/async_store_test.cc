// SPDX-License-Identifier: Apache-2.0
// st.async and red.async to shared memory: PTX run through the driver.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator::async_store_test {
namespace {

class AsyncStores : public DriverRig {
 protected:
  /// Each CTA of the cluster writes `instruction` of 8 bytes to the next one, which waits for them and gives
  /// out the words there, 10 and 0 before.
  std::string kernel(const std::string& instruction) {
    return R"(.visible .entry writes(.param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<6>;
  .shared .align 16 .b8 words[16];
  .shared .align 8 .b8 barrier[8];
  mov.u32 %r1, barrier;
  mov.u32 %r2, words;
  mov.u32 %r3, 10;
  st.shared.u32 [%r2], %r3;
  mov.u32 %r3, 0;
  st.shared.u32 [%r2+4], %r3;
  mbarrier.init.shared::cta.b64 [%r1], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 8;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mov.u32 %r4, %cluster_ctarank;
  mov.u32 %r5, %cluster_nctarank;
  add.u32 %r6, %r4, 1;
  rem.u32 %r6, %r6, %r5;
  mapa.shared::cluster.u32 %r7, %r2, %r6;
  mapa.shared::cluster.u32 %r8, %r1, %r6;
  mov.u64 %rd1, 0x1fffffff6;
  )" + instruction +
           R"(
AGAIN:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;
  @!%p1 bra AGAIN;
  ld.param.u64 %rd2, [out];
  mul.wide.u32 %rd3, %r4, 8;
  add.u64 %rd2, %rd2, %rd3;
  ld.shared.b64 %rd4, [%r2];
  st.global.b64 [%rd2], %rd4;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
})";
  }
};
const std::string stores =
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r7], %rd1, [%r8];";
const std::string adds =
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r7], %rd1, [%r8];";

TEST_F(AsyncStores, ReachTheNextCtaUnderEverySchedule) {
  for (const char* schedule : {"eager", "lazy", "random:3", "random:4"})
    for (const unsigned cluster : {1u, 2u, 4u}) {
      start(std::string("sm_90a,strict,schedule=") + schedule);
      abi::DevicePtr out = allocate(64);
      ASSERT_EQ(run(function(kernel(stores), "writes"), {&out}, cluster, 1, cluster), abi::success)
          << notes();
      EXPECT_EQ(download<uint64_t>(out, cluster), std::vector<uint64_t>(cluster, 0x1fffffff6)) << schedule;
      ASSERT_EQ(run(function(kernel(adds), "writes"), {&out}, cluster, 1, cluster), abi::success) << notes();
      EXPECT_EQ(download<uint64_t>(out, cluster), std::vector<uint64_t>(cluster, 0x200000000)) << schedule;
      EXPECT_EQ(breaches(), "") << schedule;
    }
}

// As on an H200, where a cluster of one CTA will do.
TEST_F(AsyncStores, FaultWithoutClusters) {
  for (const std::string& instruction : {stores, adds}) {
    start("sm_90a");
    abi::DevicePtr out = allocate(64);
    EXPECT_EQ(run(function(kernel(instruction), "writes"), {&out}, 1, 1), abi::illegal_instruction)
        << notes();
  }
}

}  // namespace
}  // namespace assay::emulator::async_store_test
