// SPDX-License-Identifier: Apache-2.0
// Bulk copies and their forms: PTX run through the driver.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
namespace {

class BulkInstructions : public DriverRig {
 protected:
  static std::vector<uint32_t> numbered(size_t count, uint32_t from = 0) {
    std::vector<uint32_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = from + static_cast<uint32_t>(i);
    return values;
  }
};

/// One thread takes 256 bytes from `in` to shared memory, on to `far` in its CTA, and from there to `out`.
const std::string round_trip = R"(.visible .entry round_trip(.param .u64 in, .param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  .shared .align 128 .b8 near_block[256];
  .shared .align 128 .b8 far_block[256];
  .shared .align 8 .b8 barriers[16];
  mov.u32 %r1, barriers;
  mov.u32 %r2, near_block;
  mov.u32 %r3, far_block;
  mbarrier.init.shared::cta.b64 [%r1], 1;
  mbarrier.init.shared::cta.b64 [%r1+8], 1;
  fence.mbarrier_init.release.cluster;
  fence.proxy.async.shared::cta;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 256;
  cp.async.bulk.prefetch.L2.global [%rd1], 256;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 256, [%r1];
FIRST:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;
  @!%p1 bra FIRST;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1+8], 256;
  cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%r2], 256, [%r1+8];
SECOND:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1+8], 0;
  @!%p1 bra SECOND;
  cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r3], 256;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
  st.shared.u32 [%r3], 99;
  cp.async.bulk.wait_group 0;
  ret;
})";

TEST_F(BulkInstructions, CopiesGoRoundUnderEverySchedule) {
  for (const char* schedule : {"eager", "lazy", "random:3", "random:4", "random:5"}) {
    // As if a CTA were a peer of its own, which on an H200 it is not.
    start(std::string("sm_90a,strict,reading=BULK-AMB-03:B,schedule=") + schedule);
    abi::DevicePtr in = upload(numbered(64, 1000)), out = allocate(256);
    ASSERT_EQ(run(function(round_trip, "round_trip"), {&in, &out}, 1, 1), abi::success) << notes();
    EXPECT_EQ(download<uint32_t>(out, 64), numbered(64, 1000)) << schedule;
    EXPECT_EQ(breaches(), "") << schedule;
  }
}

// As a kernel that is launched as clusters of one CTA found on an H200; without clusters it faulted.
TEST_F(BulkInstructions, ACopyToOneselfFaultsWithoutClusters) {
  start("sm_90a");
  abi::DevicePtr in = upload(numbered(64, 1000)), out = allocate(256);
  ASSERT_EQ(run(function(round_trip, "round_trip"), {&in, &out}, 1, 1, 1), abi::success) << notes();
  EXPECT_EQ(download<uint32_t>(out, 64), numbered(64, 1000));
  EXPECT_EQ(run(function(round_trip, "round_trip"), {&in, &out}, 1, 1), abi::illegal_instruction) << notes();
}

TEST_F(BulkInstructions, AddressesAreMultiplesOf16AndSizesAreRoundedDown) {
  const std::string kernel = R"(.visible .entry copy(.param .u64 out, .param .u32 offset, .param .u32 size) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<2>;
  .reg .pred %p;
  .shared .align 128 .b8 block[256];
  mov.u32 %r1, block;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r2, [offset];
  ld.param.u32 %r3, [size];
  mov.u32 %r4, 0;
fill:
  add.u32 %r5, %r1, %r4;
  st.shared.u32 [%r5], %r4;
  add.u32 %r4, %r4, 4;
  setp.lt.u32 %p, %r4, 256;
  @%p bra fill;
  fence.proxy.async.shared::cta;
  add.u32 %r1, %r1, %r2;
  cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r3;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
})";
  const std::tuple<uint32_t, uint32_t, abi::Result> rows[] = {{0, 256, abi::success},
                                                              {16, 16, abi::success},
                                                              {8, 16, abi::misaligned_address},
                                                              {0, 8, abi::success},
                                                              {8, 15, abi::success},
                                                              {0, 31, abi::success},
                                                              {0, (1u << 20) + 32, abi::success},
                                                              {1, 1u << 31, abi::success},
                                                              {16, 256, abi::illegal_address}};
  for (const auto& [offset, size, want] : rows) {
    start("sm_90a");
    abi::DevicePtr out = upload(std::vector<uint32_t>(64, 0xcdcdcdcd));
    uint32_t offset_param = offset, size_param = size;
    EXPECT_EQ(run(function(kernel, "copy"), {&out, &offset_param, &size_param}, 1, 1), want)
        << offset << " " << size;
    if (want != abi::success) continue;
    const uint32_t moved = size & 0xffff0;
    const std::vector<uint32_t> got = download<uint32_t>(out, 64);
    for (uint32_t at = 0; at < 256; at += 4)
      EXPECT_EQ(got[at / 4], at < moved ? offset + at : 0xcdcdcdcd) << offset << " " << size << " " << at;
  }
}

/// One thread reduces 16 bytes of `out` by 16 bytes that `in` gives, then its own copy of `out` in shared
/// memory, which follows behind.
TEST_F(BulkInstructions, ReductionsOfGlobalAndOfSharedMemory) {
  const auto kernel = [](const std::string& global, const std::string& shared) {
    return R"(.visible .entry reduce(.param .u64 in, .param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  .shared .align 16 .b8 source[16];
  .shared .align 16 .b8 target[16];
  .shared .align 8 .b8 barrier[8];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, source;
  mov.u32 %r2, target;
  mov.u32 %r3, barrier;
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd1];
  st.shared.v4.b32 [%r1], {%r4, %r5, %r6, %r7};
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd2];
  st.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};
  mbarrier.init.shared::cta.b64 [%r3], 1;
  fence.mbarrier_init.release.cluster;
  fence.proxy.async;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.)" +
           global + R"( [%rd2], [%r1], 16;
  cp.async.bulk.commit_group;
  cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.)" +
           shared + R"( [%r2], [%r1], 16, [%r3];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0;
  @!%p1 bra WAIT;
  cp.async.bulk.wait_group 0;
  ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2];
  st.global.v4.b32 [%rd2+16], {%r4, %r5, %r6, %r7};
  ret;
})";
  };
  const std::vector<uint32_t> in{1, 0xffffffff, 0x80000000, 7};
  struct Row {
    std::string global, shared;
    std::vector<uint32_t> want;
  };
  const Row rows[] = {
      {"add.u32", "add.s32", {11, 9, 0x8000000a, 17, 11, 9, 0x8000000a, 17}},
      {"min.s32", "min.u32", {1, 0xffffffff, 0x80000000, 7, 1, 10, 10, 7}},
      {"inc.u32", "dec.u32", {0, 11, 11, 0, 1, 9, 9, 7}},
      {"xor.b32", "and.b32", {11, 0xfffffff5, 0x8000000a, 13, 0, 10, 0, 2}},
      // 10 and 0x8000000a are subnormals, which the reduction keeps.
      {"add.f32", "or.b32", {11, 0x7fffffff, 0, 17, 11, 0xffffffff, 0x8000000a, 15}},
      {"add.noftz.f16", "max.s32", {11, 0x7fff7fff, 10, 17, 10, 10, 10, 10}},
  };
  for (const char* schedule : {"eager", "lazy"})
    for (const Row& row : rows) {
      start(std::string("sm_90a,strict,reading=BULK-AMB-03:B,schedule=") + schedule);
      std::vector<uint32_t> old(8, 10);
      if (row.global == "add.f32") old[2] = 0x80000000;
      abi::DevicePtr source = upload(in), out = upload(old);
      ASSERT_EQ(run(function(kernel(row.global, row.shared), "reduce"), {&source, &out}, 1, 1), abi::success)
          << notes();
      std::vector<uint32_t> want = row.want;
      if (row.global == "add.f32") want[2] = 0x80000000, want[6] = 0x80000000;
      EXPECT_EQ(download<uint32_t>(out, 8), want) << row.global << " " << row.shared;
      EXPECT_EQ(breaches(), "");
    }
}

TEST_F(BulkInstructions, ByteMasksKeepTheOtherBytes) {
  const std::string kernel = R"(.visible .entry masked(.param .u64 out) {
  .reg .b16 %h<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  .shared .align 128 .b8 block[32];
  mov.u32 %r1, block;
  mov.u32 %r2, 0x11111111;
  st.shared.u32 [%r1], %r2;  // what the mask leaves out may stay unwritten
  st.shared.u32 [%r1+12], %r2;
  st.shared.u32 [%r1+16], %r2;
  st.shared.u32 [%r1+28], %r2;
  fence.proxy.async.shared::cta;
  ld.param.u64 %rd1, [out];
  mov.b16 %h1, 0x8001;
  cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], 32, %h1;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
})";
  start("sm_100a");
  abi::DevicePtr out = upload(std::vector<uint32_t>(8, 0));
  ASSERT_EQ(run(function(kernel, "masked"), {&out}, 1, 1), abi::success) << notes();
  const std::vector<uint32_t> half{0x11, 0, 0, 0x11000000};
  EXPECT_EQ(download<uint32_t>(out, 4), half);
  EXPECT_EQ(download<uint32_t>(out + 16, 4), half);
  start("sm_90a");
  abi::Module module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, ptx(kernel).c_str()), abi::invalid_ptx)
      << "the mask is not there on sm_90a";
}

TEST_F(BulkInstructions, WrongFormsAreRefusedAtLoad) {
  start("sm_100a");
  const char* const wrong[] = {
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1}], "
      "[%r1];",
      "cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1}], "
      "[%r1];",
      "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1}];",
      "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], "
      "[%rd1, {%r1}], [%r1], %h1;",
      "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], "
      "[%rd1, {%r1}], [%r1], %r1;",
      "cp.async.bulk.tensor.1d.shared::cluster.global [%r1], [%rd1, {%r1}], [%r1];",
      "cp.async.bulk.tensor.1d.global.shared::cluster.bulk_group [%rd1, {%r1}], [%r1];",
      "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group.cta_group::1 [%rd1, {%r1}], [%r1];",
      "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group.L2::cache_hint [%rd1, {%r1}], [%r1];",
      "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%rd1}], [%r1];",
      "cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%rd1], [%r1], 16, [%r1];",
      "cp.async.bulk.shared::cluster.global.bulk_group [%r1], [%rd1], 16;",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd1], [%r1], 16;",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1], [%r1], 16;",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [%rd1], [%r1], 16;",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%rd1], [%r1], 16;",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16x2 [%rd1], [%r1], 16;",
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.u64 [%r1], [%r1], "
      "16, "
      "[%r1];",
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b64 [%r1], [%r1], "
      "16, "
      "[%r1];",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;",
      "cp.async.bulk.wait_group %r1;",
      "cp.async.bulk.commit_group 1;",
      "tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 5, %r1;",
      "tensormap.replace.tile.box_dim.global.b1024.b64 [%rd1], 0, %rd1;",
      "tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 16;",
      "tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], %r1;",
      "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd1], 4;",
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r1], "
      "64;",
  };
  for (const char* text : wrong) {
    abi::Module module = nullptr;
    const std::string kernel =
        std::string(".visible .entry k() {\n.reg .b16 %h<2>;\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n") + text +
        "\nret;\n}";
    EXPECT_EQ(cuModuleLoadData(&module, ptx(kernel).c_str()), abi::invalid_ptx) << text;
    EXPECT_NE(notes().find("\"line\":8,"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace assay::emulator
