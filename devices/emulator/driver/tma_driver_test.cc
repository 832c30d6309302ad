// SPDX-License-Identifier: Apache-2.0
// Tensor copies seen from a host program: encode, launch PTX, read back what ordinary loads saw.
#include <gtest/gtest.h>

#include <functional>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
namespace {

/// Loads a box of `bytes` at (x, y), waits, and copies shared memory out with ld.shared. Parameters in
/// declared order.
std::string load_kernel(const std::string& name, const std::string& params, int bytes = 1024) {
  return ".visible .entry " + name + "(" + params + R"() {
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<6>;
  .shared .align 1024 .b8 tile[4096];
  .shared .align 8 .b8 barrier[8];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, barrier;
  mov.u32 %r3, tile;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra READY;
  mbarrier.init.shared::cta.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
  fence.proxy.async.shared::cta;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], )" +
         std::to_string(bytes) + R"(;
  ld.param.u32 %r4, [x];
  ld.param.u32 %r5, [y];
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%r3], [%rd2, {%r4, %r5}], [%r2];
READY:
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
  @!%p2 bra WAIT;
  ld.param.u64 %rd3, [out];
  cvta.to.global.u64 %rd3, %rd3;
  shl.b32 %r6, %r1, 2;
COPY:
  add.u32 %r7, %r3, %r6;
  ld.shared.u32 %r8, [%r7];
  cvt.u64.u32 %rd4, %r6;
  add.u64 %rd5, %rd3, %rd4;
  st.global.u32 [%rd5], %r8;
  add.u32 %r6, %r6, 256;
  setp.lt.u32 %p3, %r6, )" +
         std::to_string(bytes) + R"(;
  @%p3 bra COPY;
  ret;
})";
}
const std::string load_params =
    ".param .align 64 .b8 map[128], .param .u64 out, .param .u32 x, .param .u32 y";

/// Writes the tile with ordinary stores in the order of addresses, fences, and stores it as a box.
std::string store_kernel(bool fences) {
  return R"(.visible .entry store(.param .align 64 .b8 map[128], .param .u32 x, .param .u32 y) {
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<3>;
  .shared .align 1024 .b8 tile[1024];
  mov.u32 %r1, %tid.x;
  mov.u32 %r3, tile;
  shl.b32 %r2, %r1, 2;
FILL:
  add.u32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r2;
  add.u32 %r2, %r2, 256;
  setp.lt.u32 %p1, %r2, 1024;
  @%p1 bra FILL;
  )" + std::string(fences ? "fence.proxy.async.shared::cta;" : "") +
         R"(
  bar.sync 0;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra END;
  ld.param.u32 %r5, [x];
  ld.param.u32 %r6, [y];
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd2, {%r5, %r6}], [%r3];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
END:
  ret;
})";
}

class TmaDriver : public DriverRig {
 protected:
  static constexpr uint64_t columns = 128, rows = 16;
  std::vector<uint16_t> numbered() const {
    std::vector<uint16_t> values(columns * rows);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint16_t>(i);
    return values;
  }
  /// Runs load_kernel on a numbered matrix with a 64 x 8 box and gives the 512 values that shared memory
  /// held.
  std::vector<uint16_t> load_box(int swizzle, uint32_t x, uint32_t y) {
    const abi::DevicePtr tensor = upload(numbered()), out = allocate(1024);
    abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, swizzle);
    abi::DevicePtr out_param = out;
    EXPECT_EQ(run(function(load_kernel("load", load_params), "load"), {&map, &out_param, &x, &y}),
              abi::success)
        << notes();
    return download<uint16_t>(out, 512);
  }
};

TEST_F(TmaDriver, LoadIsReadBackByOrdinaryLoads) {
  for (const char* schedule : {"eager", "lazy", "random:1", "random:2"}) {
    start(std::string("sm_90a,schedule=") + schedule);
    const auto seen = load_box(0, 64, 4);
    for (uint32_t row = 0; row < 8; ++row)
      for (uint32_t column = 0; column < 64; ++column)
        ASSERT_EQ(seen[row * 64 + column], (row + 4) * columns + column + 64) << schedule;
  }
}

// Chunk k of row r lies where chunk k ^ r would: worked out from the table of the 128B pattern, not from the
// engine.
TEST_F(TmaDriver, SwizzledLoadHasChunksWhereTheTableSays) {
  static constexpr int table[8][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
      {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2}, {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
  start();
  const auto seen = load_box(3, 0, 12);  // rows 16 to 19 are outside
  for (uint32_t row = 0; row < 8; ++row)
    for (uint32_t place = 0; place < 8; ++place)
      for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t column = static_cast<uint32_t>(table[row][place]) * 8 + i;
        const uint32_t want = row < 4 ? (row + 12) * columns + column : 0;
        ASSERT_EQ(seen[row * 64 + place * 8 + i], want) << "row " << row << " place " << place;
      }
}

TEST_F(TmaDriver, StoreWritesTheBoxAndClipsIt) {
  start();
  const abi::DevicePtr tensor = upload(std::vector<uint16_t>(columns * rows, 0xeeee));
  abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 0);
  uint32_t x = 64, y = 12;
  ASSERT_EQ(run(function(store_kernel(true), "store"), {&map, &x, &y}), abi::success) << notes();
  const auto seen = download<uint16_t>(tensor, columns * rows);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column) {
      const uint32_t tile_byte =
          (row - y) * 128 + (column - x) * 2;  // the tile holds its own offsets, a word each
      const uint32_t want = row < y || column < x ? 0xeeee : tile_byte % 4 == 0 ? tile_byte : 0;
      ASSERT_EQ(seen[row * columns + column], want) << row << " " << column;
    }
}

/// Rank 1 of a cluster of two loads into both CTAs; each waits for its own barrier.
const std::string multicast_kernel =
    R"(.visible .entry multicast(.param .align 64 .b8 map[128], .param .u64 out) {
  .reg .pred %p<4>;
  .reg .b16 %h<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<6>;
  .shared .align 1024 .b8 tile[1024];
  .shared .align 8 .b8 barrier[8];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, barrier;
  mov.u32 %r3, tile;
  mov.u32 %r4, %cluster_ctarank;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra READY;
  mbarrier.init.shared::cta.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
READY:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  setp.ne.u32 %p3, %r4, 1;
  or.pred %p1, %p1, %p3;
  @%p1 bra WAIT;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  mov.b16 %h1, 3;
  mov.u32 %r5, 0;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
    [%r3], [%rd2, {%r5, %r5}], [%r2], %h1;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
  @!%p2 bra WAIT;
  ld.param.u64 %rd3, [out];
  cvta.to.global.u64 %rd3, %rd3;
  mov.u32 %r9, %ctaid.x;
  shl.b32 %r9, %r9, 10;
  shl.b32 %r6, %r1, 2;
COPY:
  add.u32 %r7, %r3, %r6;
  ld.shared.u32 %r8, [%r7];
  add.u32 %r10, %r6, %r9;
  cvt.u64.u32 %rd4, %r10;
  add.u64 %rd5, %rd3, %rd4;
  st.global.u32 [%rd5], %r8;
  add.u32 %r6, %r6, 256;
  setp.lt.u32 %p3, %r6, 1024;
  @%p3 bra COPY;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ret;
})";

TEST_F(TmaDriver, MulticastReachesBothCtasOfACluster) {
  for (const char* settings : {"sm_90a,schedule=lazy", "sm_100a,schedule=random:7"}) {
    start(settings);
    const abi::DevicePtr tensor = upload(numbered()), out = allocate(4 * 1024);
    abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 0);
    abi::DevicePtr out_param = out;
    ASSERT_EQ(run(function(multicast_kernel, "multicast"), {&map, &out_param}, 4, 64, 2), abi::success)
        << notes();
    const auto seen = download<uint16_t>(out, 4 * 512);
    for (uint32_t cta = 0; cta < 4; ++cta)
      for (uint32_t i = 0; i < 512; ++i) ASSERT_EQ(seen[cta * 512 + i], i / 64 * columns + i % 64) << cta;
  }
}

TEST_F(TmaDriver, CompletionFaultsShowInACluster) {
  const auto run_with = [&](const std::string& settings) -> std::pair<abi::Result, bool> {
    start(settings);
    const abi::DevicePtr tensor = upload(numbered()), out = allocate(2 * 1024);
    abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 0);
    abi::DevicePtr out_param = out;
    const abi::Result result = run(function(multicast_kernel, "multicast"), {&map, &out_param}, 2, 64, 2);
    if (result != abi::success) return {result, false};
    const auto seen = download<uint16_t>(out, 2 * 512);
    bool right = true;
    for (uint32_t i = 0; i < 1024; ++i) right = right && seen[i] == i % 512 / 64 * columns + i % 64;
    return {result, right};
  };
  EXPECT_EQ(run_with("sm_90a,schedule=lazy"), std::pair(abi::success, true));
  // The tile that did not come, or not in time, was never written.
  for (const char* fault : {"multicast_skips_highest", "signal_before_data"}) {
    EXPECT_EQ(run_with(std::string("sm_90a,schedule=lazy,fault=") + fault).first, abi::launch_failed)
        << fault;
    EXPECT_NE(notes().find("\"kind\":\"uninitialised_read\""), std::string::npos) << fault;
  }
  // The other CTA waits for ever: a deadlock is found, not sat through.
  EXPECT_EQ(run_with("sm_90a,schedule=lazy,fault=multicast_signals_issuer_only").first, abi::launch_timeout);
  EXPECT_NE(notes().find("\"kind\":\"deadlock\""), std::string::npos);
}

TEST_F(TmaDriver, AFaultIsToldByTheNextCallAndSticks) {
  start();
  const abi::DevicePtr tensor = upload(numbered()), out = allocate(1024);
  abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 0);
  abi::DevicePtr out_param = out;
  uint32_t x = 1, y = 0;
  const abi::Function kernel = function(load_kernel("load", load_params), "load");
  void* params[] = {&map, &out_param, &x, &y};
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr), abi::success);
  EXPECT_EQ(cuCtxSynchronize(), abi::illegal_instruction);
  abi::DevicePtr more = 0;
  EXPECT_EQ(cuMemAlloc_v2(&more, 256), abi::illegal_instruction);
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr), abi::illegal_instruction);
  const std::string note = notes();
  EXPECT_NE(note.find("\"kind\":\"illegal_instruction\""), std::string::npos) << note;
  EXPECT_NE(note.find("\"kernel\":\"load\""), std::string::npos) << note;
  EXPECT_NE(note.find("AMB-08"), std::string::npos) << note;
  EXPECT_EQ(note.find("\"line\":0"), std::string::npos) << note;
  // The line is that of the copy in the PTX text.
  const std::string text = ptx(load_kernel("load", load_params));
  size_t line = 1;
  for (size_t i = 0; i < text.find("cp.async.bulk.tensor"); ++i) line += text[i] == '\n';
  EXPECT_NE(note.find("\"line\":" + std::to_string(line) + ","), std::string::npos) << note;

  EXPECT_EQ(cuDevicePrimaryCtxReset_v2(0), abi::success);
  EXPECT_EQ(cuCtxSynchronize(), abi::context_is_destroyed);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), abi::success);
  EXPECT_EQ(load_box(0, 0, 0)[1], 1);
}

TEST_F(TmaDriver, EachFaultHasTheCodeThatTheHardwareGives) {
  struct Row {
    const char* name;
    abi::Result code;
    std::function<void(TmaDriver&, abi::TensorMap&, uint32_t&)> spoil;
  };
  const Row table[] = {
      {"all-zero map", abi::illegal_instruction,
       [](TmaDriver&, abi::TensorMap& map, uint32_t&) { std::memset(&map, 0, sizeof map); }},
      {"all-ones map", abi::illegal_instruction,
       [](TmaDriver&, abi::TensorMap& map, uint32_t&) { std::memset(&map, 0xff, sizeof map); }},
      {"rank of the map", abi::illegal_instruction,
       [](TmaDriver&, abi::TensorMap& map, uint32_t&) { map.opaque[1] ^= 0x30; }},
      {"address not on 16 bytes", abi::misaligned_address,
       [](TmaDriver&, abi::TensorMap& map, uint32_t&) { map.opaque[0] += 8; }},
      {"unmapped tensor", abi::illegal_address,
       [](TmaDriver&, abi::TensorMap& map, uint32_t&) { map.opaque[0] = 0x10000; }},
      {"unmapped tensor, box outside", abi::illegal_address,
       [](TmaDriver&, abi::TensorMap& map, uint32_t& y) { map.opaque[0] = 0x10000, y = 100; }},
      {"tensor longer than its memory", abi::illegal_address,
       [](TmaDriver&, abi::TensorMap& map, uint32_t& y) {
         map.opaque[4] |= uint64_t{0xffff} << 32, y = 20000;
       }},
  };
  for (const Row& row : table) {
    start();
    const abi::DevicePtr tensor = upload(numbered()), out = allocate(1024);
    abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 0);
    abi::DevicePtr out_param = out;
    uint32_t x = 0, y = 0;
    row.spoil(*this, map, y);
    EXPECT_EQ(run(function(load_kernel("load", load_params), "load"), {&map, &out_param, &x, &y}), row.code)
        << row.name << notes();
  }
}

TEST_F(TmaDriver, StrictModeNamesTheMissingProxyFence) {
  for (const bool fences : {true, false}) {
    start("sm_90a,strict,schedule=lazy");
    const abi::DevicePtr tensor = upload(std::vector<uint16_t>(columns * rows, 0));
    abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 0);
    uint32_t x = 0, y = 0;
    EXPECT_EQ(run(function(store_kernel(fences), "store"), {&map, &x, &y}), abi::success) << notes();
    const std::string seen = breaches();
    EXPECT_EQ(seen.find("missing-proxy-fence") == std::string::npos, fences) << seen;
    EXPECT_EQ(seen.find("\"kernel\":\"store\"") == std::string::npos, fences) << seen;
    EXPECT_EQ(breaches(), "");
  }
}

TEST_F(TmaDriver, NamesAndOrderOfParametersChangeNothing) {
  start();
  const std::string reordered =
      ".param .u32 y, .param .u64 out, .param .u32 x, .param .align 64 .b8 map[128]";
  const abi::DevicePtr tensor = upload(numbered());
  abi::TensorMap map = matrix_map(tensor, columns, rows, 64, 8, 3);
  uint32_t x = 64, y = 12;
  std::vector<std::vector<uint16_t>> seen;
  for (const bool other : {false, true}) {
    const abi::DevicePtr out = allocate(1024);
    abi::DevicePtr out_param = out;
    const char* name = other ? "_ZN9something4elseEv" : "load";
    const abi::Function kernel = function(load_kernel(name, other ? reordered : load_params), name);
    const abi::Result result =
        other ? run(kernel, {&y, &out_param, &x, &map}) : run(kernel, {&map, &out_param, &x, &y});
    ASSERT_EQ(result, abi::success) << notes();
    seen.push_back(download<uint16_t>(out, 512));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0][0], 12 * columns + 64);
}

TEST_F(TmaDriver, ModesThatAnArchitectureLacksAreRefusedAtLoadWithTheirName) {
  start("sm_90a");
  const char* const copies[] = {
      "cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [%r1], [%rd1, "
      "{%r1, %r1, %r1}], [%r1], {%h1, %h1};",
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r1], [%rd1, "
      "{%r1, %r1, %r1, %r1, %r1}], [%r1];",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {%r1, %r1, %r1, %r1, "
      "%r1}], [%r1];",
      "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w::128 [%rd1, {%r1, %r1, %r1}], {%h1, %h1};"};
  for (const char* copy : copies) {
    abi::Module module = nullptr;
    const std::string text =
        ptx(std::string(".visible .entry k() {\n.reg .b16 %h<2>;\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n") +
            copy + "\nret;\n}");
    EXPECT_EQ(cuModuleLoadData(&module, text.c_str()), abi::invalid_ptx) << copy;
    const std::string note = notes();
    EXPECT_NE(note.find("does not exist on sm_90a"), std::string::npos) << note;
    EXPECT_NE(note.find("\"line\":8,"), std::string::npos) << note;
  }
}

}  // namespace
}  // namespace assay::emulator
