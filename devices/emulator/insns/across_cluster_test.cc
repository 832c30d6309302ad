// SPDX-License-Identifier: Apache-2.0
// st.async and red.async to shared memory: PTX run through the driver.

#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
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

// Bulk tensor copies of pairs of CTAs and across a cluster: PTX run through the driver.

class BulkInClusters : public DriverRig {
 protected:
  static std::vector<uint32_t> numbered(size_t count, uint32_t from = 0) {
    std::vector<uint32_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = from + static_cast<uint32_t>(i);
    return values;
  }
};

/// Both CTAs of a pair load into their own shared memory and signal the barrier of the even one, whose
/// address has bit 24 cleared. Rank 0 waits for both, tells rank 1 through the cluster barrier, and each
/// copies its tile out.
const std::string pair_kernel = R"(.visible .entry pair(.param .align 64 .b8 map[128], .param .u64 out) {
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<6>;
  .shared .align 1024 .b8 tile[128];
  .shared .align 8 .b8 barrier[8];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, barrier;
  mov.u32 %r3, tile;
  mov.u32 %r4, %cluster_ctarank;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 bra READY;
  mbarrier.init.shared::cta.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 256;
READY:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  and.b32 %r5, %r2, 0xfeffffff;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  shl.b32 %r6, %r4, 5;
  cp.async.bulk.tensor.1d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes
    [%r3], [%rd2, {%r6}], [%r5];
  @%p1 bra WAITED;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
  @!%p2 bra WAIT;
WAITED:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ld.param.u64 %rd3, [out];
  cvta.to.global.u64 %rd3, %rd3;
  shl.b32 %r7, %r4, 2;
  cvt.u64.u32 %rd4, %r7;
  add.u64 %rd5, %rd3, %rd4;
  ld.shared.u32 %r8, [%r3];
  st.global.u32 [%rd5], %r8;
  ret;
})";

TEST_F(BulkInClusters, PairsSignalTheBarrierOfTheNamedParity) {
  start("sm_100a,schedule=lazy");
  const abi::DevicePtr tensor = upload(numbered(64));
  abi::DevicePtr out = allocate(8);
  abi::TensorMap map = row_map(2, tensor, 64, 32);
  ASSERT_EQ(run(function(pair_kernel, "pair"), {&map, &out}, 2, 1, 2), abi::success) << notes();
  EXPECT_EQ(download<uint32_t>(out, 2), (std::vector<uint32_t>{0, 32}));
}

TEST_F(BulkInClusters, BothOrdersOfQualifiersAreTheSameInstruction) {
  start("sm_100a");
  const std::string body = R"( [%r1], [%rd1, {%r1, %r1}], [%r1], %h1, %rd1;)";
  for (const char* opcode : {"cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_"
                             "tx::bytes.multicast::cluster.L2::cache_hint",
                             "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                             "bytes.cta_group::2.multicast::cluster.L2::cache_hint",
                             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes."
                             "multicast::cluster.cta_group::1.L2::cache_hint"})
    load(".visible .entry k() {\n.reg .b16 %h<2>;\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n" +
         std::string(opcode) + body + "\nret;\n}");
}

/// Rank 1 of a cluster loads 128 bytes; every CTA has a barrier armed with 128 bytes, waits at most 200 times
/// for it, and writes to out[2 * ctaid] the first word of its tile (1 where nothing arrived), to out[2 *
/// ctaid + 1] whether its barrier completed. With `mask` 0x10000 the load is no multicast: it goes to rank
/// `to`, with the barrier of `named`.
const std::string deliver_kernel = R"(.visible .entry deliver(.param .align 64 .b8 map[128], .param .u64 out,
    .param .u32 mask, .param .u32 to, .param .u32 named) {
  .reg .pred %p<6>;
  .reg .b16 %h<2>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<6>;
  .shared .align 1024 .b8 tile[128];
  .shared .align 8 .b8 barrier[8];
  mov.u32 %r2, barrier;
  mov.u32 %r3, tile;
  mov.u32 %r4, %cluster_ctarank;
  mov.u32 %r5, 1;
  st.shared.u32 [%r3], %r5;
  mbarrier.init.shared::cta.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
  fence.proxy.async.shared::cta;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  setp.ne.u32 %p1, %r4, 1;
  @%p1 bra WAIT;
  ld.param.u32 %r6, [mask];
  ld.param.u32 %r7, [to];
  ld.param.u32 %r8, [named];
  mov.u32 %r9, 0;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  setp.eq.u32 %p2, %r6, 0x10000;
  @%p2 bra SINGLE;
  cvt.u16.u32 %h1, %r6;
  cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
    [%r3], [%rd2, {%r9}], [%r2], %h1;
  bra WAIT;
SINGLE:
  mapa.shared::cluster.u32 %r10, %r3, %r7;
  mapa.shared::cluster.u32 %r11, %r2, %r8;
  cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd2, {%r9}], [%r11];
WAIT:
  mov.u32 %r12, 0;
AGAIN:
  mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r2], 0;
  @%p3 bra DONE;
  add.u32 %r12, %r12, 1;
  setp.lt.u32 %p4, %r12, 20000;
  @%p4 bra AGAIN;
DONE:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r2], 0;
  selp.u32 %r13, 1, 0, %p3;
  ld.shared.u32 %r14, [%r3];
  ld.param.u64 %rd3, [out];
  cvta.to.global.u64 %rd3, %rd3;
  mov.u32 %r15, %ctaid.x;
  mul.wide.u32 %rd4, %r15, 8;
  add.u64 %rd5, %rd3, %rd4;
  st.global.u32 [%rd5], %r14;
  st.global.u32 [%rd5+4], %r13;
  ret;
})";

TEST_F(BulkInClusters, DeliveriesInAClusterGoWhereTheH200SendsThem) {  // K-01 to K-05
  struct Row {
    const char* id;
    uint32_t mask, to, named;
    std::vector<uint32_t> reached;  ///< ranks of a cluster of 4 with data and a signal
  };
  const Row rows[] = {
      {"K-01", 0b1101, 0, 0, {0, 2, 3}},
      {"K-01, issuer in the mask", 0b0010, 0, 0, {1}},
      {"K-02", 0, 0, 0, {}},
      {"own CTA", 0x10000, 1, 1, {1}},
      {"K-04", 0x10000, 3, 3, {3}},
      {"K-05, barrier of the issuer", 0x10000, 3, 1, {3}},
      {"K-05, barrier of another", 0x10000, 1, 3, {1}},
  };
  for (const char* settings : {"sm_90a,schedule=eager", "sm_90a,schedule=random:9"})
    for (const Row& row : rows) {
      start(settings);
      const abi::DevicePtr tensor = upload(numbered(32, 77));
      abi::DevicePtr out = allocate(64);
      abi::TensorMap map = row_map(2, tensor, 32, 32);
      uint32_t mask = row.mask, to = row.to, named = row.named;
      ASSERT_EQ(run(function(deliver_kernel, "deliver"), {&map, &out, &mask, &to, &named}, 8, 1, 4),
                abi::success)
          << row.id << notes();
      std::vector<uint32_t> want;
      for (uint32_t cta = 0; cta < 8; ++cta) {
        const bool reached = std::count(row.reached.begin(), row.reached.end(), cta % 4) != 0;
        want.insert(want.end(), {reached ? 77u : 1u, reached ? 1u : 0u});
      }
      EXPECT_EQ(download<uint32_t>(out, 16), want) << row.id << " " << settings;
    }
}

TEST_F(BulkInClusters, AMaskBitWithoutACtaIsALaunchFailure) {  // K-03
  start("sm_90a");
  const abi::DevicePtr tensor = upload(numbered(32));
  abi::DevicePtr out = allocate(64);
  abi::TensorMap map = row_map(2, tensor, 32, 32);
  uint32_t mask = 0b10001, to = 0, named = 0;
  EXPECT_EQ(run(function(deliver_kernel, "deliver"), {&map, &out, &mask, &to, &named}, 4, 1, 4),
            abi::launch_failed);
  EXPECT_NE(notes().find("K-03"), std::string::npos);
}

}  // namespace
}  // namespace assay::emulator
