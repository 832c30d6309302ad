// SPDX-License-Identifier: Apache-2.0
// Copies worked out by hand, on the device that ASSAY_TEST_DEVICE names (default: the emulator).

#include <gtest/gtest.h>
#include <cstdlib>
#include <functional>

#include "devices/cuda/device_spec.h"
#include "devices/cuda/test_device.h"
#include "devices/device.h"
#include "kernels/params/encode_tiled.h"

namespace assay::cuda {

using params::CopyOp;
using params::TiledCopyRecord;

std::string test_device_spec() {
  const char* named = std::getenv("ASSAY_TEST_DEVICE");
  return named ? named : "emulator";
}

std::byte arena_byte(uint64_t offset) {
  return static_cast<std::byte>(params::arena_word(offset / 8) >> (8 * (offset % 8)));
}

TiledCopyRecord byte_copy(CopyOp op, std::vector<uint64_t> dims, std::vector<uint32_t> box,
                          std::vector<int32_t> coord) {
  TiledCopyRecord r{};
  r.op = op;
  r.map.rank = r.instruction_rank = static_cast<uint32_t>(dims.size());
  uint64_t stride = 1;
  uint32_t bytes = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    r.map.global_dim[i] = dims[i];
    r.map.box_dim[i] = box[i];
    r.map.element_stride[i] = 1;
    r.coord[i] = coord[i];
    stride *= dims[i];
    bytes *= box[i];
    r.map.global_stride[i] = (stride + 15) / 16 * 16;
    stride = r.map.global_stride[i];
  }
  r.window_bytes = (bytes + 4095) / 4096 * 4096;
  r.expect_tx = bytes;
  r.fill_offset = 16 << 20;
  r.slot_fill_offset = 20 << 20;
  r.cluster_size = 1;
  r.output_bytes = op == CopyOp::load ? r.window_bytes : static_cast<uint32_t>((stride + 4095) / 4096 * 4096);
  return r;
}

namespace {

class DeviceCopies : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    DeviceLimits limits;
    limits.batches = 2;
    device = open_device(test_device_spec(), limits);
  }
  static void TearDownTestSuite() { device.reset(); }

  /// Runs one load and compares every byte of the window: `source` gives the arena offset that window byte i
  /// comes from, or zero_fill, or untouched.
  static constexpr int64_t zero_fill = -1, untouched = -2;
  void expect_load(const TiledCopyRecord& r, const std::function<int64_t(uint32_t)>& source) {
    const Ran ran = run_batch<TiledCopyRecord>(*device, "tma_tiled_copy", {r});
    ASSERT_EQ(ran.ends[0].ended, Ended::done)
        << "code " << ran.ends[0].code << (ran.notes.empty() ? "" : ": " + ran.notes[0]);
    for (uint32_t i = 0; i < r.window_bytes; ++i) {
      const int64_t from = source(i);
      const std::byte want = from == zero_fill   ? std::byte{0}
                             : from == untouched ? arena_byte(r.fill_offset + i)
                                                 : arena_byte(static_cast<uint64_t>(from));
      ASSERT_EQ(ran.output[r.output_offset + i], want) << "window byte " << i;
    }
  }
  /// The same for a store: `source` gives the window offset that slot byte i comes from, or untouched.
  void expect_store(const TiledCopyRecord& r, const std::function<int64_t(uint32_t)>& source) {
    const Ran ran = run_batch<TiledCopyRecord>(*device, "tma_tiled_copy", {r});
    ASSERT_EQ(ran.ends[0].ended, Ended::done)
        << "code " << ran.ends[0].code << (ran.notes.empty() ? "" : ": " + ran.notes[0]);
    for (uint32_t i = 0; i < r.output_bytes; ++i) {
      const int64_t from = source(i);
      const std::byte want = from == untouched ? arena_byte(r.slot_fill_offset + i)
                                               : arena_byte(r.fill_offset + static_cast<uint64_t>(from));
      ASSERT_EQ(ran.output[r.output_offset + i], want) << "slot byte " << i;
    }
  }

  static inline std::unique_ptr<Device> device;
};

TEST_F(DeviceCopies, KnowsItself) {
  const DeviceIdentity& identity = device->identity();
  EXPECT_FALSE(identity.name.empty());
  EXPECT_EQ(identity.architecture.substr(0, 3), "sm_");
  EXPECT_GT(identity.sm_count, 0);
  EXPECT_GE(identity.driver_version, 12000);
  EXPECT_EQ(identity.evidence,
            test_device_spec().rfind("emulator", 0) == 0 ? Evidence::emulator : Evidence::silicon);
  EXPECT_FALSE(device->declines("tma_tiled_copy")) << *device->declines("tma_tiled_copy");
  EXPECT_FALSE(device->declines("encode_tiled"));
  EXPECT_TRUE(device->declines("no_such_family"));
  std::string facts;
  for (const auto& [what, value] : identity.facts) facts += what + " = " + value + "\n";
  RecordProperty("facts", facts);
}

TEST_F(DeviceCopies, LoadRank1) {
  TiledCopyRecord r = byte_copy(CopyOp::load, {1000}, {64}, {32});
  r.map.global_address = 4096;
  r.tile_offset = 256;
  expect_load(r, [](uint32_t i) -> int64_t { return i >= 256 && i < 320 ? 4096 + 32 + i - 256 : untouched; });
}

TEST_F(DeviceCopies, LoadRank2) {
  const TiledCopyRecord r = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {16, 5});
  expect_load(r,
              [](uint32_t i) -> int64_t { return i < 128 ? (5 + i / 32) * 256 + 16 + i % 32 : untouched; });
}

TEST_F(DeviceCopies, LoadRank3) {
  const TiledCopyRecord r = byte_copy(CopyOp::load, {64, 16, 8}, {16, 3, 2}, {16, 7, 5});
  expect_load(r, [](uint32_t i) -> int64_t {
    if (i >= 96) return untouched;
    const uint32_t x = i % 16, y = i / 16 % 3, z = i / 48;
    return 16 + x + 64 * (7 + y) + 1024 * (5 + z);
  });
}

TEST_F(DeviceCopies, LoadRank4) {
  const TiledCopyRecord r = byte_copy(CopyOp::load, {32, 8, 4, 4}, {16, 2, 2, 2}, {16, 3, 1, 2});
  expect_load(r, [](uint32_t i) -> int64_t {
    if (i >= 128) return untouched;
    const uint32_t x = i % 16, y = i / 16 % 2, z = i / 32 % 2, w = i / 64;
    return 16 + x + 32 * (3 + y) + 256 * (1 + z) + 1024 * (2 + w);
  });
}

TEST_F(DeviceCopies, LoadRank5) {
  const TiledCopyRecord r = byte_copy(CopyOp::load, {32, 4, 4, 4, 3}, {32, 1, 2, 1, 2}, {0, 3, 1, 2, 1});
  expect_load(r, [](uint32_t i) -> int64_t {
    if (i >= 128) return untouched;
    const uint32_t x = i % 32, z = i / 32 % 2, v = i / 64;
    return x + 32 * 3 + 128 * (1 + z) + 512 * 2 + 2048 * (1 + v);
  });
}

TEST_F(DeviceCopies, EveryFlagGivesTheSameLoad) {
  for (const uint32_t flags : {1u, 2u, 4u, 3u, 5u, 6u, 7u})
    for (uint32_t rank = 1; rank <= 5; ++rank) {
      TiledCopyRecord r =
          byte_copy(CopyOp::load, std::vector<uint64_t>(rank, 32), std::vector<uint32_t>{{32, 2, 1, 1, 1}},
                    std::vector<int32_t>{{0, 3, 4, 5, 6}});
      r.flags = flags;
      const int64_t steps[] = {0, 3 * 32, 4 * 1024, 5 * 32768, 6 * 1048576};
      int64_t start = 0;
      for (uint32_t i = 0; i < rank; ++i) start += steps[i];
      const uint32_t bytes = rank == 1 ? 32 : 64;
      r.expect_tx = bytes;
      expect_load(r, [=](uint32_t i) -> int64_t { return i < bytes ? start + i : untouched; });
    }
}

TEST_F(DeviceCopies, LoadSwizzle128BFollowsAbsoluteAddressBits) {
  // Rows of 128 bytes; the window starts at a multiple of 1024, the tile 384 bytes further.
  TiledCopyRecord r = byte_copy(CopyOp::load, {256, 64}, {128, 8}, {0, 0});
  r.map.swizzle = 3;
  r.tile_offset = 384;
  expect_load(r, [](uint32_t i) -> int64_t {
    const uint32_t logical = (i ^ ((i >> 7 & 7) << 4)) - 384;
    return i >= 384 && i < 384 + 1024 ? logical / 128 * 256 + logical % 128 : untouched;
  });
}

TEST_F(DeviceCopies, LoadFillsOutOfBoundsWithZero) {
  TiledCopyRecord r = byte_copy(CopyOp::load, {20, 6}, {48, 4}, {-16, 4});
  r.map.global_address = 1 << 20;
  expect_load(r, [](uint32_t i) -> int64_t {
    if (i >= 192) return untouched;
    const int x = static_cast<int>(i % 48) - 16, y = static_cast<int>(i / 48) + 4;
    return x >= 0 && x < 20 && y < 6 ? (1 << 20) + y * 32 + x : zero_fill;
  });
}

TEST_F(DeviceCopies, StoreRanks) {
  expect_store(byte_copy(CopyOp::store, {512}, {64}, {128}),
               [](uint32_t i) -> int64_t { return i >= 128 && i < 192 ? i - 128 : untouched; });
  expect_store(byte_copy(CopyOp::store, {64, 16}, {32, 4}, {16, 3}), [](uint32_t i) -> int64_t {
    const uint32_t x = i % 64, y = i / 64;
    return x >= 16 && x < 48 && y >= 3 && y < 7 ? (y - 3) * 32 + x - 16 : untouched;
  });
  for (uint32_t rank = 3; rank <= 5; ++rank) {
    std::vector<uint64_t> dims{32, 4, 3, 2, 2};
    std::vector<uint32_t> box{16, 2, 1, 1, 1};
    std::vector<int32_t> coord{16, 1, 2, 1, 1};
    dims.resize(rank);
    box.resize(rank);
    coord.resize(rank);
    const uint32_t start = 16 + 32 + 2 * 128 + (rank > 3 ? 384 : 0) + (rank > 4 ? 768 : 0);
    expect_store(byte_copy(CopyOp::store, dims, box, coord), [=](uint32_t i) -> int64_t {
      const uint32_t at = i - start;
      return i >= start && at % 32 < 16 && at / 32 < 2 ? at / 32 * 16 + at % 32 : untouched;
    });
  }
}

TEST_F(DeviceCopies, StoreSwizzle64BAndHint) {
  TiledCopyRecord r = byte_copy(CopyOp::store, {64, 16}, {64, 16}, {0, 0});
  r.map.swizzle = 2;
  r.flags = params::copy_cache_hint;
  r.tile_offset = 128;
  r.window_bytes = 4096;
  expect_store(r, [](uint32_t i) -> int64_t {
    if (i >= 1024) return untouched;
    const uint32_t a = 128 + i;
    return a ^ ((a >> 7 & 3) << 4);
  });
}

TEST_F(DeviceCopies, StoreClipsRowsExactlyAndColumnsInWholePieces) {
  // 20 bytes a row at a pitch of 32; the box hangs over both ends. A 16-byte piece whose first byte is in
  // bounds is written in full ("h200", S-01), rows beyond the last are not.
  expect_store(byte_copy(CopyOp::store, {20, 6}, {48, 4}, {0, 4}), [](uint32_t i) -> int64_t {
    const uint32_t x = i % 32, y = i / 32;
    return y >= 4 && y < 6 ? (y - 4) * 48 + x : untouched;
  });
}

TEST_F(DeviceCopies, MulticastReachesTheMaskAndNobodyElse) {
  for (const uint32_t mask : {3u, 1u, 2u}) {
    TiledCopyRecord r = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {16, 5});
    r.cluster_size = 2;
    r.cta_mask = static_cast<uint16_t>(mask);
    r.signals = signals_of(mask);
    r.issuer_rank = 1;
    r.output_bytes = 2 * r.window_bytes;
    const Ran ran = run_batch<TiledCopyRecord>(*device, "tma_tiled_copy", {r, r});
    ASSERT_EQ(ran.ends[0].ended, Ended::done) << "code " << ran.ends[0].code;
    for (uint32_t i = 0; i < 2 * r.window_bytes; ++i) {
      const uint32_t rank = i / r.window_bytes, at = i % r.window_bytes;
      const bool loaded = (mask >> rank & 1) && at < 128;
      const std::byte want =
          loaded ? arena_byte((5 + at / 32) * 256 + 16 + at % 32) : arena_byte(r.fill_offset + at);
      ASSERT_EQ(ran.output[i], want) << "mask " << mask << " byte " << i;
    }
  }
}

TEST_F(DeviceCopies, RefusedMapsAreRejected) {
  TiledCopyRecord bad = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {0, 0});
  bad.map.global_address = 8;
  const TiledCopyRecord good = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {0, 0});
  TiledCopyRecord second = good;
  second.output_offset = good.output_bytes;
  const Ran ran = run_batch<TiledCopyRecord>(*device, "tma_tiled_copy", {bad, second});
  EXPECT_EQ(ran.ends[0].ended, Ended::rejected);
  EXPECT_EQ(ran.ends[0].code, 1);
  EXPECT_EQ(ran.ends[1].ended, Ended::done);
  EXPECT_EQ(ran.output[good.output_bytes], arena_byte(0));
}

TEST_F(DeviceCopies, WrongByteCountsShowAndCostNoOtherRecord) {
  // More time-outs than CTAs that the emulator launches: the rest must be launched again.
  std::vector<TiledCopyRecord> records;
  for (uint32_t i = 0; i < 24; ++i) {
    TiledCopyRecord r = byte_copy(i % 2 ? CopyOp::load : CopyOp::store, {256, 64}, {32, 4}, {0, 0});
    r.map.global_stride[1] = 0;
    r.output_bytes = r.op == CopyOp::load ? r.window_bytes : 16384;
    r.output_offset = i * 16384;
    if (i % 6 == 3) r.expect_tx += 16;
    if (i % 6 == 5) r.expect_tx -= 16;
    records.push_back(r);
  }
  const Ran ran = run_batch(*device, "tma_tiled_copy", records);
  for (uint32_t i = 0; i < 24; ++i) {
    if (i % 6 == 3) {
      EXPECT_EQ(ran.ends[i].ended, Ended::timed_out) << i;
    } else if (i % 6 == 5) {
      EXPECT_TRUE(ran.ends[i].ended == Ended::surplus || ran.ends[i].ended == Ended::timed_out) << i;
    } else {
      EXPECT_EQ(ran.ends[i].ended, Ended::done) << i;
      const std::byte want = i % 2 ? arena_byte(0) : arena_byte(records[i].fill_offset);
      EXPECT_EQ(ran.output[i * 16384], want) << i;
    }
  }
}

TEST_F(DeviceCopies, AFaultIsBlamedOnItsRecordAlone) {
  std::vector<TiledCopyRecord> records;
  for (uint32_t i = 0; i < 40; ++i) {
    TiledCopyRecord r = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {0, 0});
    r.output_offset = i * 4096;
    r.map.global_address = 4096 * i;
    records.push_back(r);
  }
  records[17].coord[0] =
      8;  // the box starts off a 16-byte boundary: illegal instruction ("h200", TMA-AMB-08)
  records[23].tile_offset = 64;  // shared address off a 128-byte boundary: misaligned address ("h200", W-05)
  const Ran ran = run_batch(*device, "tma_tiled_copy", records);
  for (uint32_t i = 0; i < 40; ++i) {
    const RecordEnd& end = ran.ends[i];
    if (i == 17 || i == 23) {
      EXPECT_EQ(end.ended, Ended::faulted) << i;
      EXPECT_EQ(end.code, i == 17 ? 715 : 716);
    } else {
      ASSERT_EQ(end.ended, Ended::done) << i << " code " << end.code;
      EXPECT_EQ(ran.output[i * 4096], arena_byte(4096 * i)) << i;
    }
  }
  EXPECT_FALSE(ran.notes.empty());
}

TEST_F(DeviceCopies, EncoderAnswersEachCall) {
  params::EncodeTiledRecord good{};
  good.args.global_address = 0x100000;
  good.args.rank = 2;
  good.args.data_type = 6;
  for (int i = 0; i < 5; ++i) {
    good.args.global_dim[i] = 256;
    good.args.global_stride[i] = 512;
    good.args.box_dim[i] = i ? 8 : 64;
    good.args.element_stride[i] = 1;
  }
  good.before = 0xcd;
  params::EncodeTiledRecord no_dims = good, bad_rank = good, offset = good;
  no_dims.null_mask = params::null_global_dim;
  bad_rank.args.rank = 6;
  offset.map_offset = 24;
  const Ran ran =
      run_batch<params::EncodeTiledRecord>(*device, "encode_tiled", {good, no_dims, bad_rank, offset});
  EXPECT_EQ(ran.ends[0].ended, Ended::done);
  EXPECT_EQ(ran.ends[1].ended, Ended::rejected);
  EXPECT_EQ(ran.ends[2].ended, Ended::rejected);
  EXPECT_EQ(ran.ends[3].ended, Ended::done) << "the driver takes any map pointer (\"h200\", V-01)";
  EXPECT_EQ(ran.ends[1].code, 1);
  for (const RecordEnd& end : ran.ends) EXPECT_EQ(end.note, 0u) << "bytes outside the map changed";
  const auto word = [&](size_t at) {
    uint32_t value;
    std::memcpy(&value, ran.output.data() + at, 4);
    return value;
  };
  EXPECT_EQ(word(0), 0x100000u);  // address 31:0 ("h200", section 9)
  EXPECT_EQ(word(0x20), 255u);    // D[0] - 1
  EXPECT_EQ(word(0x38) & 0xff, 7u);
  EXPECT_EQ(std::memcmp(ran.output.data(), ran.output.data() + 3 * 128, 128), 0);
}

TEST_F(DeviceCopies, ACallThatCrashesTheDriverIsBlamedAlone) {
  std::vector<params::EncodeTiledRecord> records(50);
  for (params::EncodeTiledRecord& r : records) {
    r.args.global_address = 0x100000;
    r.args.rank = 1;
    for (int i = 0; i < 5; ++i) {
      r.args.global_dim[i] = r.args.global_stride[i] = 256;
      r.args.box_dim[i] = 16;
      r.args.element_stride[i] = 1;
    }
  }
  records[31].args.rank = 0xffffffff;
  const Ran ran = run_batch(*device, "encode_tiled", records);
  for (uint32_t i = 0; i < 50; ++i) {
    if (i != 31) {
      EXPECT_EQ(ran.ends[i].ended, Ended::done) << i;
    }
  }
  // The driver of an H200 crashes here ("h200", V-03); one that refuses is right too.
  EXPECT_TRUE(ran.ends[31].ended == Ended::crashed || ran.ends[31].ended == Ended::rejected);
  if (ran.ends[31].ended == Ended::crashed) {
    EXPECT_GT(ran.ends[31].code, 0) << "the signal";
  }
}

TEST_F(DeviceCopies, AMulticastToACtaThatTheClusterLacksIsRefusedBeforehand) {
  TiledCopyRecord r = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {0, 0});
  r.cluster_size = 2;
  r.cta_mask = 0b101;
  r.signals = signals_of(r.cta_mask);
  r.output_bytes = r.window_bytes * 2;
  Batch& batch = device->acquire();
  batch.family = "tma_tiled_copy";
  batch.count = 1;
  std::memcpy(batch.records.data(), &r, sizeof r);
  try {
    device->submit(batch);
    ADD_FAILURE() << "taken";
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("cta_mask must name CTAs that the cluster has"),
              std::string::npos)
        << refused.what();
  }
  device->release(batch);
}

TEST_F(DeviceCopies, RecordsThatWouldBreakTheRigAreRefusedBeforehand) {
  TiledCopyRecord r = byte_copy(CopyOp::load, {256, 64}, {32, 4}, {0, 0});
  r.output_offset = 1 << 30;
  Batch& batch = device->acquire();
  batch.family = "tma_tiled_copy";
  batch.count = 1;
  std::memcpy(batch.records.data(), &r, sizeof r);
  EXPECT_THROW(device->submit(batch), std::invalid_argument);
  batch.family = "no_such_family";
  EXPECT_THROW(device->submit(batch), std::invalid_argument);
  device->release(batch);
}

TEST(DeviceSpec, Gpus) {
  const DeviceSpec spec = parse_device_spec("cuda:3");
  EXPECT_FALSE(spec.emulator);
  EXPECT_EQ(spec.ordinal, 3);
  EXPECT_EQ(spec.text, "cuda:3");
}

TEST(DeviceSpec, EmulatorWordsGoToTheEmulatorTargetFirst) {
  const DeviceSpec plain = parse_device_spec("emulator");
  EXPECT_TRUE(plain.emulator);
  EXPECT_EQ(plain.settings, "sm_100a");
  EXPECT_EQ(plain.architecture, "sm_100");
  EXPECT_EQ(plain.text, "emulator:sm_100a");
  const DeviceSpec spec =
      parse_device_spec("emulator:strict,schedule=random:18446,sm_90a,reading=TMA-AMB-11:B,fault=fill_value");
  EXPECT_EQ(spec.settings, "sm_90a,strict,schedule=random:18446,reading=TMA-AMB-11:B,fault=fill_value");
  EXPECT_EQ(spec.architecture, "sm_90");
  EXPECT_EQ(parse_device_spec(spec.text).settings, spec.settings);
  EXPECT_EQ(parse_device_spec("emulator:tmem_base=random").settings, "sm_100a,tmem_base=random");
  EXPECT_EQ(parse_device_spec("emulator:workers=2").settings, "sm_100a,workers=2");
}

TEST(DeviceSpec, EachMistakeIsOneSentence) {
  for (const char* wrong :
       {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:99999", "emulator:", "emulator:sm_80",
        "emulator:schedule=random", "emulator:schedule=random:", "emulator:schedule=soon",
        "emulator:tmem_base=high", "emulator:workers=all", "emulator:strict=1", "emulator:reading=TMA-AMB-11",
        "emulator:fault=", "emulator:sm_90a,,strict", "emulatorsm_90a"})
    try {
      parse_device_spec(wrong);
      ADD_FAILURE() << "accepted '" << wrong << "'";
    } catch (const DeviceError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("is not"), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace assay::cuda
