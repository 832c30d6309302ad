// SPDX-License-Identifier: Apache-2.0
// tensormap.replace, and maps that a kernel edits: PTX run through the driver.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "devices/emulator/driver/driver_rig.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

class TensormapInstructions : public DriverRig {
 protected:
  /// A kernel that applies `statements` to the map at %rd1.
  static std::string kernel_of(const std::string& statements) {
    return ".visible .entry edit(.param .u64 map) {\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nmov.u32 %r1, 0;\n"
           "ld.param.u64 %rd1, [map];\n" +
           statements + "\nret;\n}";
  }
  /// Room for a map and as much behind it, that of a row of 64 bytes of `tensor` at its beginning.
  abi::DevicePtr stored_map(abi::DevicePtr tensor, uint32_t box, uint64_t offset = 0) {
    const abi::TensorMap map = row_map(0, tensor, 64, box);
    const abi::DevicePtr at = allocate(512) + offset;
    EXPECT_EQ(cuMemcpyHtoD_v2(at, &map, 128), abi::success);
    return at;
  }
};

// Every field written onto 128 zero bytes by the device, against the words of the code that ptxas makes.
TEST_F(TensormapInstructions, TensormapReplaceWritesTheWordsOfPtxas) {
  const std::map<std::string, int> types{{"u8", 0},    {"f16", 6},        {"f32.ftz", 8}, {"bf16", 10},
                                         {"tf32", 11}, {"b4x16_p64", 14}, {"b6", 15}};
  size_t rows = 0;
  for (const Fields& row : vector_rows("vectors_tma.csv")) {
    if (row.at("kind") != "DESC") continue;
    auto params = fields(row.at("params")), expected = fields(row.at("expected"));
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
    ASSERT_EQ(run(function(kernel, "edit"), {&map}, 1, 32), abi::success) << row.at("id") << notes();
    const auto words = download<uint32_t>(map, 32);
    for (const auto& [key, text] : expected) {
      if (key[0] != 'w') continue;
      char seen[16];
      std::snprintf(seen, sizeof seen, "%08x", words[std::stoul(key.substr(1), nullptr, 16) / 4]);
      EXPECT_EQ(seen, text) << row.at("id") << " " << key;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 8u);
}

TEST_F(TensormapInstructions, TensormapReplaceTouchesItsOwnBitsOnly) {
  start("sm_90a");
  const auto after = [&](const std::string& replacement, uint32_t before) {
    abi::DevicePtr map = upload(std::vector<uint32_t>(32, before));
    const std::string kernel = kernel_of("tensormap.replace.tile." + replacement + ";");
    EXPECT_EQ(run(function(kernel, "edit"), {&map}, 1, 1), abi::success) << notes();
    return download<uint32_t>(map, 32);
  };
  // Type tf32 sets bit 16, type f32 leaves it.
  EXPECT_EQ(after("elemtype.global.b1024.b32 [%rd1], 11", 0)[2], 7u << 7 | 1u << 16);
  EXPECT_EQ(after("elemtype.global.b1024.b32 [%rd1], 7", ~0u)[2], ~0u & ~(8u << 7));
  // The swizzle clears bit 22 too, though this target does not have it (H200: RP-02).
  EXPECT_EQ(after("swizzle_mode.global.b1024.b32 [%rd1], 0", ~0u)[2], ~(3u << 13 | 1u << 22));
  EXPECT_EQ(after("fill_mode.global.b1024.b32 [%rd1], 0", ~0u)[2], ~(1u << 15));
  EXPECT_EQ(after("rank.global.b1024.b32 [%rd1], 9", 0)[2], 1u << 4);
  EXPECT_EQ(after("box_dim.global.b1024.b32 [%rd1], 0, 257", ~0u)[13], 0x00ffffffu);
  EXPECT_EQ(after("element_stride.global.b1024.b32 [%rd1], 4, 1", ~0u)[13], ~(7u << 12));
  EXPECT_EQ(after("global_stride.global.b1024.b64 [%rd1], 0, 0xf23456789b", 0)[3], 0x23456789u);
  EXPECT_EQ(after("global_stride.global.b1024.b64 [%rd1], 0, 0xf23456789b", 0)[7], 0xfu);
  // A fifth stride does not exist: its low part covers the upper parts of the four.
  EXPECT_EQ(after("global_stride.global.b1024.b64 [%rd1], 4, 0xf000012340", 0)[7], 0xf1234u);
}

// The map is edited as the words that its fields are, wherever they lie (H200: RP-07).
TEST_F(TensormapInstructions, TensormapReplaceWantsTheAlignmentOfItsAccess) {
  const std::tuple<const char*, uint64_t, abi::Result> rows[] = {
      {"global_address.global.b1024.b64 [%rd1], 4096", 8, abi::success},
      {"global_address.global.b1024.b64 [%rd1], 4096", 4, abi::misaligned_address},
      {"rank.global.b1024.b32 [%rd1], 1", 4, abi::success},
      {"rank.global.b1024.b32 [%rd1], 1", 2, abi::misaligned_address},
  };
  for (const auto& [replacement, off, want] : rows) {
    start("sm_90a");
    abi::DevicePtr map = upload(std::vector<uint32_t>(64, 0)) + off;
    const std::string kernel = kernel_of("tensormap.replace.tile." + std::string(replacement) + ";");
    EXPECT_EQ(run(function(kernel, "edit"), {&map}, 1, 1), want) << replacement << " off by " << off;
  }
}

/// Edits a map in global memory and prefetches through it, with the fences or without.
TEST_F(TensormapInstructions, StrictModeWantsTheFenceOfAnEditedMap) {
  for (const bool fences : {true, false}) {
    start("sm_90a,strict");
    const std::string kernel =
        kernel_of("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 0, 32;\n" +
                  std::string(fences ? "fence.proxy.tensormap::generic.release.gpu;\n"
                                       "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n"
                                     : "") +
                  "cp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r1}];");
    abi::DevicePtr at = stored_map(0, 16);
    ASSERT_EQ(run(function(kernel, "edit"), {&at}, 1, 1), abi::success) << notes();
    const std::string seen = breaches();
    EXPECT_EQ(seen.find("missing-tensormap-fence") == std::string::npos, fences) << seen;
  }
}

/// A map is used, its box made half as wide, and used again: which box moved the second time.
constexpr const char* hot_map = R"(.visible .entry twice(.param .u64 map, .param .u64 tensor) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .reg .pred %p;
  .shared .align 128 .b8 tile[256];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd1, [map];
  ld.param.u64 %rd2, [tensor];
  mov.u32 %r1, tile;
  mov.u32 %r2, bar;
  mov.u32 %r3, 0;
  mbarrier.init.shared::cta.b64 [%r2], 1;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 32;
  cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r3}], [%r2];
FIRST:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [%r2], 0;
  @!%p bra FIRST;
  tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;
  PUBLISH
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 32;
  cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r3}], [%r2];
SECOND:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [%r2], 1;
  @!%p bra SECOND;
  ld.shared.u32 %r4, [%r1];
  st.global.u32 [%rd2], %r4;
  ret;
})";

TEST_F(TensormapInstructions, AMapStaysInItsCacheUntilItsVeryAddressIsAcquired) {
  constexpr uint32_t old_tensor = 0x01010101, new_tensor = 0x02020202;
  const std::tuple<const char*, const char*, uint32_t> rows[] = {
      {"schedule=lazy", "", old_tensor},
      {"schedule=lazy", "fence.proxy.tensormap::generic.release.gpu;", old_tensor},
      {"schedule=lazy", "fence.proxy.async;", old_tensor},
      {"schedule=lazy", "fence.proxy.tensormap::generic.acquire.cta [%rd1+64], 128;", old_tensor},
      {"schedule=lazy", "fence.proxy.tensormap::generic.acquire.sys [%rd1+128], 128;", old_tensor},
      {"schedule=lazy", "fence.proxy.tensormap::generic.acquire.cta [%rd1], 128;", new_tensor},
      {"schedule=lazy", "fence.proxy.tensormap::generic.acquire.sys [%rd1], 128;", new_tensor},
      {"schedule=eager", "", new_tensor},
  };
  for (const auto& [schedule, publish, want] : rows) {
    start(std::string("sm_90a,") + schedule);
    std::string kernel = hot_map;
    kernel.replace(kernel.find("PUBLISH"), 7, publish);
    abi::DevicePtr first = upload(std::vector<uint32_t>(64, old_tensor)),
                   second = upload(std::vector<uint32_t>(64, new_tensor));
    abi::DevicePtr at = stored_map(first, 32);
    ASSERT_EQ(run(function(kernel, "twice"), {&at, &second}, 1, 1), abi::success) << notes();
    EXPECT_EQ(download<uint32_t>(second, 1)[0], want) << schedule << " " << publish;
    // The next launch finds what memory holds, fence or no fence (H200: PX-06).
    ASSERT_EQ(run(function(kernel, "twice"), {&at, &second}, 1, 1), abi::success) << notes();
    EXPECT_EQ(download<uint32_t>(second, 2)[1], new_tensor) << schedule << " " << publish;
  }
}

TEST_F(TensormapInstructions, StrictModeNamesTheAcquireOfAnotherAddressAndTheMissingRelease) {
  const std::string release = "fence.proxy.tensormap::generic.release.gpu;\n";
  for (const auto& [publish, is_right] :
       {std::pair{release + "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", true},
        std::pair{release + "fence.proxy.tensormap::generic.acquire.gpu [%rd1+64], 128;", false},
        std::pair{std::string("fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;"), false}}) {
    start("sm_90a,strict");
    std::string kernel = hot_map;
    kernel.replace(kernel.find("PUBLISH"), 7, publish);
    abi::DevicePtr first = upload(std::vector<uint32_t>(64, 1)),
                   second = upload(std::vector<uint32_t>(64, 2));
    abi::DevicePtr at = stored_map(first, 32);
    ASSERT_EQ(run(function(kernel, "twice"), {&at, &second}, 1, 1), abi::success) << notes();
    const std::string seen = breaches();
    EXPECT_EQ(seen.find("missing-tensormap-fence") == std::string::npos, is_right) << seen;
  }
}

TEST_F(TensormapInstructions, AcquireAndPrefetchOfAnOddAddressFault) {
  const std::pair<uint64_t, abi::Result> rows[] = {
      {64, abi::success}, {16, abi::misaligned_address}, {1, abi::misaligned_address}};
  for (const auto& [offset, want] : rows)
    for (const char* instruction :
         {"fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", "prefetch.tensormap [%rd1];"}) {
      start("sm_90a");
      abi::DevicePtr nowhere = 4096 + offset;
      EXPECT_EQ(run(function(kernel_of(instruction), "edit"), {&nowhere}, 1, 1), want)
          << instruction << offset << notes();
    }
}

TEST_F(TensormapInstructions, AMapOnAnOddBoundaryFaults) {
  const std::string kernel = kernel_of("cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1, {%r1}];");
  const std::pair<uint64_t, abi::Result> rows[] = {
      {0, abi::success}, {64, abi::success}, {16, abi::misaligned_address}, {1, abi::misaligned_address}};
  for (const auto& [offset, want] : rows) {
    start("sm_90a");
    abi::DevicePtr at = stored_map(0, 32, offset);
    EXPECT_EQ(run(function(kernel, "edit"), {&at}, 1, 1), want) << offset << notes();
  }
  start("sm_90a,reading=TMA-AMB-22:B");
  abi::DevicePtr at = upload(std::vector<uint32_t>(64, 0)) + 64;
  EXPECT_EQ(run(function(kernel, "edit"), {&at}, 1, 1), abi::misaligned_address);
}

}  // namespace
}  // namespace assay::emulator
