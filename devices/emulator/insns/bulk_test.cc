// Bulk copies, their groups, pairs of CTAs, tensormap.replace: PTX run through the driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

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
    start(std::string("sm_90a,strict,schedule=") + schedule);
    abi::DevicePtr in = upload(numbered(64, 1000)), out = allocate(256);
    ASSERT_EQ(run(function(round_trip, "round_trip"), {&in, &out}, 1, 1), abi::success) << notes();
    EXPECT_EQ(download<uint32_t>(out, 64), numbered(64, 1000)) << schedule;
    EXPECT_EQ(breaches(), "") << schedule;
  }
}

TEST_F(BulkInstructions, SizesAndAddressesAreMultiplesOf16) {
  const std::string kernel = R"(.visible .entry copy(.param .u64 out, .param .u32 offset, .param .u32 size) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<2>;
  .shared .align 128 .b8 block[256];
  mov.u32 %r1, block;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r2, [offset];
  ld.param.u32 %r3, [size];
  add.u32 %r1, %r1, %r2;
  cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r3;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
})";
  const std::tuple<uint32_t, uint32_t, abi::Result> rows[] = {{0, 256, abi::success},
                                                              {16, 16, abi::success},
                                                              {8, 16, abi::misaligned_address},
                                                              {0, 8, abi::illegal_instruction},
                                                              {16, 256, abi::illegal_address}};
  for (const auto& [offset, size, want] : rows) {
    start("sm_90a");
    abi::DevicePtr out = allocate(256);
    uint32_t offset_param = offset, size_param = size;
    EXPECT_EQ(run(function(kernel, "copy"), {&out, &offset_param, &size_param}, 1, 1), want)
        << offset << " " << size;
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
  st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};
  st.shared.v4.u32 [%r1+16], {%r2, %r2, %r2, %r2};
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
  cp.async.bulk.tensor.1d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd2, {%r6}], [%r5];
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

TEST_F(BulkInstructions, PairsSignalTheBarrierOfTheNamedParity) {
  start("sm_100a,schedule=lazy");
  const abi::DevicePtr tensor = upload(numbered(64));
  abi::DevicePtr out = allocate(8);
  abi::TensorMap map;
  const uint64_t dim[] = {64}, stride[] = {0};
  const uint32_t box[] = {32}, traversal[] = {1};
  ASSERT_EQ(cuTensorMapEncodeTiled(&map, 2, 1, reinterpret_cast<void*>(tensor), dim, stride, box, traversal,
                                   0, 0, 0, 0),
            abi::success);
  ASSERT_EQ(run(function(pair_kernel, "pair"), {&map, &out}, 2, 1, 2), abi::success) << notes();
  EXPECT_EQ(download<uint32_t>(out, 2), (std::vector<uint32_t>{0, 32}));
}

TEST_F(BulkInstructions, BothOrdersOfQualifiersAreTheSameInstruction) {
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

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}
std::map<std::string, std::string> fields(const std::string& text) {
  std::map<std::string, std::string> out;
  for (const std::string& part : split(text, ';'))
    if (const size_t at = part.find('='); at != std::string::npos)
      out[part.substr(0, at)] = part.substr(at + 1);
  return out;
}

// Every field written onto 128 zero bytes by the device, against the words of the code that ptxas makes.
TEST_F(BulkInstructions, TensormapReplaceWritesTheWordsOfPtxas) {
  const std::map<std::string, int> types{{"u8", 0},    {"f16", 6},        {"f32.ftz", 8}, {"bf16", 10},
                                         {"tf32", 11}, {"b4x16_p64", 14}, {"b6", 15}};
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/vectors_tma.csv");
  size_t rows = 0;
  for (std::string line; std::getline(in, line);) {
    const auto column = split(line, ',');
    if (column.size() < 5 || column[1] != "DESC") continue;
    auto params = fields(column[3]), expected = fields(column[4]);
    const bool shared = rows % 2 == 1;  // through a map in shared memory too
    const std::string place = shared ? "shared::cta" : "global", address = shared ? "[%r1]" : "[%rd1]";
    const auto replace = [&](const std::string& field, const std::string& type, const std::string& operands) {
      return "tensormap.replace.tile." + field + "." + place + ".b1024." + type + " " + address + ", " +
             operands + ";\n";
    };
    std::string body = replace("global_address", "b64", params["addr"]);
    const int rank = std::stoi(params["rank"]);
    body += replace("rank", "b32", std::to_string(rank - 1));
    const auto each = [&](const char* field, const char* type, const std::string& list, int count) {
      const auto values = split(list, '|');
      for (int i = 0; i < count; ++i)
        body += replace(field, type, std::to_string(i) + ", " + values[static_cast<size_t>(i)]);
    };
    each("box_dim", "b32", params["box"], rank);
    body += "mov.u64 %rd2, 0;\n";
    const auto dims = split(params["dims"], '|');
    for (int i = 0; i < rank; ++i)  // 2^32 is written as 0
      body += replace("global_dim", "b32",
                      std::to_string(i) + ", " +
                          std::to_string(static_cast<uint32_t>(std::stoull(dims[static_cast<size_t>(i)]))));
    each("global_stride", "b64", params["strides"], rank - 1);
    each("element_stride", "b32", params["estr"], rank);
    body += replace("elemtype", "b32", std::to_string(types.at(params["type"])));
    body += replace("interleave_layout", "b32", params["interleave"]);
    body += replace("swizzle_mode", "b32", params["swizzle"]);
    body += replace("swizzle_atomicity", "b32", params["atom"]);
    body += replace("fill_mode", "b32", params["fill"]);
    start("sm_103a");
    const std::string kernel =
        ".visible .entry edit(.param .u64 map) {\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
        ".shared .align 128 .b8 block[128];\nld.param.u64 %rd1, [map];\nmov.u32 %r1, block;\n" +
        std::string(shared ? "mov.u32 %r2, 0;\nmov.u32 %r3, %r1;\nZERO:\nst.shared.u32 [%r3], 0;\n"
                             "add.u32 %r3, %r3, 4;\nadd.u32 %r2, %r2, 1;\n.reg .pred %p;\n"
                             "setp.lt.u32 %p, %r2, 32;\n@%p bra ZERO;\n"
                           : "") +
        body +
        (shared ? "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
                  "aligned [%rd1], [%r1], 128;\n"
                : "") +
        "ret;\n}";
    abi::DevicePtr map = upload(std::vector<uint32_t>(32, 0));
    ASSERT_EQ(run(function(kernel, "edit"), {&map}, 1, 32), abi::success) << column[0] << notes();
    const auto words = download<uint32_t>(map, 32);
    for (const auto& [key, text] : expected) {
      if (key[0] != 'w') continue;
      char seen[16];
      std::snprintf(seen, sizeof seen, "%08x", words[std::stoul(key.substr(1), nullptr, 16) / 4]);
      EXPECT_EQ(seen, text) << column[0] << " " << key;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 8u);
}

TEST_F(BulkInstructions, TensormapReplaceTouchesItsOwnBitsOnly) {
  start("sm_90a");
  const auto after = [&](const std::string& replacement, uint32_t before) {
    abi::DevicePtr map = upload(std::vector<uint32_t>(32, before));
    const std::string kernel =
        ".visible .entry edit(.param .u64 map) {\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [map];\n"
        "tensormap.replace.tile." +
        replacement + ";\nret;\n}";
    EXPECT_EQ(run(function(kernel, "edit"), {&map}, 1, 1), abi::success) << notes();
    return download<uint32_t>(map, 32);
  };
  // Type tf32 sets bit 16, type f32 leaves it.
  EXPECT_EQ(after("elemtype.global.b1024.b32 [%rd1], 11", 0)[2], 7u << 7 | 1u << 16);
  EXPECT_EQ(after("elemtype.global.b1024.b32 [%rd1], 7", ~0u)[2], ~0u & ~(8u << 7));
  EXPECT_EQ(after("swizzle_mode.global.b1024.b32 [%rd1], 0", ~0u)[2], ~(3u << 13));
  EXPECT_EQ(after("fill_mode.global.b1024.b32 [%rd1], 0", ~0u)[2], ~(1u << 15));
  EXPECT_EQ(after("rank.global.b1024.b32 [%rd1], 9", 0)[2], 1u << 4);
  EXPECT_EQ(after("box_dim.global.b1024.b32 [%rd1], 0, 257", ~0u)[13], 0x00ffffffu);
  EXPECT_EQ(after("element_stride.global.b1024.b32 [%rd1], 4, 1", ~0u)[13], ~(7u << 12));
  EXPECT_EQ(after("global_stride.global.b1024.b64 [%rd1], 0, 0xf23456789b", 0)[3], 0x23456789u);
  EXPECT_EQ(after("global_stride.global.b1024.b64 [%rd1], 0, 0xf23456789b", 0)[7], 0xfu);
  // A fifth stride does not exist: its low part covers the upper parts of the four.
  EXPECT_EQ(after("global_stride.global.b1024.b64 [%rd1], 4, 0xf000012340", 0)[7], 0xf1234u);
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
  cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3], [%rd2, {%r9}], [%r2], %h1;
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

TEST_F(BulkInstructions, DeliveriesInAClusterGoWhereTheH200SendsThem) {  // K-01 to K-05
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
      abi::TensorMap map;
      const uint64_t dim[] = {32}, stride[] = {0};
      const uint32_t box[] = {32}, traversal[] = {1};
      ASSERT_EQ(cuTensorMapEncodeTiled(&map, 2, 1, reinterpret_cast<void*>(tensor), dim, stride, box,
                                       traversal, 0, 0, 0, 0),
                abi::success);
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

TEST_F(BulkInstructions, AMaskBitWithoutACtaIsALaunchFailure) {  // K-03
  start("sm_90a");
  const abi::DevicePtr tensor = upload(numbered(32));
  abi::DevicePtr out = allocate(64);
  abi::TensorMap map;
  const uint64_t dim[] = {32}, stride[] = {0};
  const uint32_t box[] = {32}, traversal[] = {1};
  ASSERT_EQ(cuTensorMapEncodeTiled(&map, 2, 1, reinterpret_cast<void*>(tensor), dim, stride, box, traversal,
                                   0, 0, 0, 0),
            abi::success);
  uint32_t mask = 0b10001, to = 0, named = 0;
  EXPECT_EQ(run(function(deliver_kernel, "deliver"), {&map, &out, &mask, &to, &named}, 4, 1, 4),
            abi::launch_failed);
  EXPECT_NE(notes().find("K-03"), std::string::npos);
}

/// Edits a map in global memory and prefetches through it, with the fences or without.
TEST_F(BulkInstructions, StrictModeWantsTheFenceOfAnEditedMap) {
  for (const bool fences : {true, false}) {
    start("sm_90a,strict");
    const std::string kernel =
        ".visible .entry edit(.param .u64 map) {\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nmov.u32 %r1, 0;\n"
        "ld.param.u64 %rd1, [map];\ntensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 0, 32;\n" +
        std::string(fences ? "fence.proxy.tensormap::generic.release.gpu;\n"
                             "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n"
                           : "") +
        "cp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r1}];\nret;\n}";
    abi::TensorMap map;
    const uint64_t dim[] = {64}, stride[] = {0};
    const uint32_t box[] = {16}, traversal[] = {1};
    ASSERT_EQ(cuTensorMapEncodeTiled(&map, 0, 1, nullptr, dim, stride, box, traversal, 0, 0, 0, 0),
              abi::success);
    abi::DevicePtr at = allocate(128);
    ASSERT_EQ(cuMemcpyHtoD_v2(at, &map, 128), abi::success);
    ASSERT_EQ(run(function(kernel, "edit"), {&at}, 1, 1), abi::success) << notes();
    const std::string seen = breaches();
    EXPECT_EQ(seen.find("missing-tensormap-fence") == std::string::npos, fences) << seen;
  }
}

TEST_F(BulkInstructions, AMapOnAnOddBoundaryFaults) {
  const std::string kernel = R"(.visible .entry fetch(.param .u64 map) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  mov.u32 %r1, 0;
  ld.param.u64 %rd1, [map];
  cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1, {%r1}];
  ret;
})";
  const std::pair<uint64_t, abi::Result> rows[] = {
      {0, abi::success}, {64, abi::success}, {16, abi::misaligned_address}, {1, abi::misaligned_address}};
  for (const auto& [offset, want] : rows) {
    start("sm_90a");
    abi::TensorMap map;
    const uint64_t dim[] = {64}, stride[] = {0};
    const uint32_t box[] = {32}, traversal[] = {1};
    ASSERT_EQ(cuTensorMapEncodeTiled(&map, 0, 1, nullptr, dim, stride, box, traversal, 0, 0, 0, 0),
              abi::success);
    abi::DevicePtr at = allocate(256) + offset;
    ASSERT_EQ(cuMemcpyHtoD_v2(at, &map, 128), abi::success);
    EXPECT_EQ(run(function(kernel, "fetch"), {&at}, 1, 1), want) << offset << notes();
  }
  start("sm_90a,reading=TMA-AMB-22:B");
  abi::DevicePtr at = upload(std::vector<uint32_t>(64, 0)) + 64;
  EXPECT_EQ(run(function(kernel, "fetch"), {&at}, 1, 1), abi::misaligned_address);
}

}  // namespace
}  // namespace assay::emulator
