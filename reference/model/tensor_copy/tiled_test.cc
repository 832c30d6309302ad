// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::Arch;
using spec::question;
using spec::rule;

/// f16, 64 x 32 in rows of 128 bytes, box 16 x 4.
TensorCopyCase tile_base(CopyDirection direction = CopyDirection::load) {
  TensorCopyCase copy;
  TensorMapArgs& map = copy.map;
  map.data_type = 6;
  map.rank = copy.instruction_rank = 2;
  map.global_dim = {64, 32};
  map.global_stride = {128};
  map.box_dim = {16, 4};
  map.element_stride = {1, 1, 1, 1, 1};
  copy.direction = direction;
  copy.window_bytes = 4096;
  return copy;
}

CopyPrediction predict(const TensorCopyCase& copy,
                       const spec::Readings& readings = spec::Readings(Arch::sm_90)) {
  static std::vector<std::byte> memory(1 << 16);
  std::vector<std::byte> window(copy.window_bytes), slot(1 << 16);
  return copy.direction == CopyDirection::load ? predict_load(copy, readings, memory, window, {})
                                               : predict_store(copy, readings, window, slot, {});
}

/// Loads words given as 32-bit patterns through a type.
std::vector<uint32_t> load_words(uint32_t type, const std::vector<uint32_t>& words,
                                 const spec::Readings& readings) {
  TensorCopyCase copy = tile_base();
  copy.map.data_type = type;
  copy.map.rank = copy.instruction_rank = 1;
  copy.map.box_dim[0] = static_cast<uint32_t>((words.size() + 3) / 4 * 4);
  copy.map.global_dim[0] = words.size();
  std::vector<std::byte> memory(words.size() * 4), window(copy.window_bytes);
  std::memcpy(memory.data(), words.data(), memory.size());
  EXPECT_EQ(predict_load(copy, readings, memory, window, {}).end, End::done);
  std::vector<uint32_t> loaded(words.size());
  std::memcpy(loaded.data(), window.data(), memory.size());
  return loaded;
}

TEST(TiledFaults, MisalignedSharedOperand) {
  for (const CopyDirection direction : {CopyDirection::load, CopyDirection::store})
    for (const uint32_t offset : {1u, 4u, 8u, 16u, 32u, 64u, 96u, 112u}) {
      TensorCopyCase copy = tile_base(direction);
      copy.tile_offset = offset;
      EXPECT_EQ(predict(copy).end, End::misaligned_address) << offset;
      copy.map.swizzle = 3;
      EXPECT_EQ(predict(copy).end, End::misaligned_address) << offset;
    }
}

TEST(TiledFaults, StartNotOnSixteenBytes) {
  for (const CopyDirection direction : {CopyDirection::load, CopyDirection::store}) {
    TensorCopyCase copy = tile_base(direction);
    for (const int32_t start : {1, 4, 63, 1000001}) {  // the last wholly out of bounds
      copy.coord[0] = start;
      EXPECT_EQ(predict(copy).end, End::illegal_instruction) << start;
    }
    copy.coord[0] = 8;
    EXPECT_EQ(predict(copy).end, End::done);
  }
}

TEST(TiledFaults, RankMismatchAndHugeExtent) {
  TensorCopyCase copy = tile_base();
  copy.instruction_rank = 3;
  EXPECT_EQ(predict(copy).end, End::illegal_instruction);
  copy = tile_base();
  copy.map.global_dim[1] = uint64_t{1} << 31;
  EXPECT_EQ(predict(copy).end, End::done);
  copy.map.global_dim[1] += 1;
  EXPECT_EQ(predict(copy).end, End::illegal_instruction);
  EXPECT_TRUE(predict(copy).rules.test(rule("TILE-R25")));
}

TEST(TiledFaults, NegativeStartOfAStoreButNotOfALoad) {
  TensorCopyCase copy = tile_base();
  copy.coord = {-8, -1};
  EXPECT_EQ(predict(copy).end, End::done);
  copy.direction = CopyDirection::store;
  EXPECT_EQ(predict(copy).end, End::illegal_instruction);
  copy.coord = {0, -1};
  EXPECT_EQ(predict(copy).end, End::illegal_instruction);
}

TEST(TiledFaults, TwoKindsAtOnceAreNotPredicted) {
  TensorCopyCase copy = tile_base();
  copy.coord[0] = 1;
  copy.tile_offset = 16;
  EXPECT_EQ(predict(copy).end, End::undefined);
}

TEST(TiledFaults, BoxLargerThanSharedMemory) {
  TensorCopyCase copy = tile_base();
  TensorMapArgs& map = copy.map;
  map.data_type = 0, map.rank = copy.instruction_rank = 3;
  map.global_dim = {256, 16, 4}, map.global_stride = {256, 4096}, map.box_dim = {256, 256, 4},
  map.element_stride[0] = 8;
  EXPECT_EQ(predict(copy).end, End::illegal_address);
}

// The driver's floor count lets boxes through that are far larger than any memory: 2^32 rows here.
TEST(TiledFaults, BoxWhoseSizeDoesNotFit32Bits) {
  TensorCopyCase copy = tile_base();
  TensorMapArgs& map = copy.map;
  map.data_type = 7, map.rank = copy.instruction_rank = 5;
  map.global_dim.fill(4), map.global_stride = {16, 64, 256, 1024};
  map.box_dim = {4, 256, 256, 256, 256}, map.element_stride = {8, 1, 1, 1, 1};
  EXPECT_EQ(counted_box_bytes(map), 0u);
  EXPECT_EQ(predict(copy).end, End::illegal_address);
  EXPECT_EQ(footprint(copy, spec::Readings(Arch::sm_90)).shared_bytes, UINT32_MAX);
  copy.direction = CopyDirection::store;
  EXPECT_EQ(predict(copy).end, End::illegal_address);
}

TEST(TiledFaults, AMapThatTheEncoderRefuses) {
  TensorCopyCase copy = tile_base();
  copy.map.box_dim[0] = 12;
  EXPECT_EQ(predict(copy).end, End::rejected);
  EXPECT_TRUE(predict(copy).rules.test(rule("V-16")));
  copy = tile_base();
  copy.map.swizzle = swizzle_96B;
  EXPECT_EQ(predict(copy).end, End::rejected);
  EXPECT_EQ(predict(copy, spec::Readings(Arch::sm_103)).end, End::done);
  EXPECT_EQ(predict(copy, spec::Readings(Arch::sm_100)).end, End::rejected);
  // Too wide for the swizzle, which the encoder does not see.
  copy.map.box_dim[0] = 56;
  EXPECT_EQ(predict(copy, spec::Readings(Arch::sm_103)).end, End::undefined);
  // Interleaved: the encoder sees 32-byte slices without a swizzle, which this driver takes.
  copy = tile_base();
  TensorMapArgs& map = copy.map;
  map.data_type = 0, map.rank = copy.instruction_rank = 3, map.interleave = 2, map.swizzle = swizzle_96B;
  map.global_dim = {64, 32, 4}, map.global_stride = {2048, 65536}, map.box_dim = {32, 4, 1};
  EXPECT_EQ(predict(copy, spec::Readings(Arch::sm_103)).end, End::undefined);
}

// V-25 names the 6-bit type alone, so that the encoder takes the padded 4-bit type interleaved.
TEST(TiledFaults, AnInterleavedCopyOfThePaddedTypeIsNotPredicted) {
  TensorCopyCase copy = tile_base();
  TensorMapArgs& map = copy.map;
  map.data_type = 14, map.rank = copy.instruction_rank = 3;
  map.global_dim = {128, 32, 4}, map.global_stride = {64, 2048}, map.box_dim = {128, 4, 1};
  EXPECT_EQ(predict(copy, spec::Readings(Arch::sm_100)).end, End::done);
  map.interleave = 1;
  map.global_stride = {2048, 65536};
  EXPECT_TRUE(broken_map_rules(map, spec::Readings(Arch::sm_100)).none());
  EXPECT_EQ(predict(copy, spec::Readings(Arch::sm_100)).end, End::undefined);
}

TEST(TiledTransactions, ArmedTooHighOrTooLow) {
  TensorCopyCase copy = tile_base();
  EXPECT_EQ(predict(copy).transaction_bytes, 128u);
  copy.transaction_delta = 16;
  EXPECT_EQ(predict(copy).end, End::never_completes);
  copy.transaction_delta = -16;
  EXPECT_EQ(predict(copy).end, End::early_surplus);
  copy.transaction_delta = 0;
  copy.coord = {56, 30};
  EXPECT_EQ(predict(copy).end, End::done) << "96 of 128 bytes out of bounds, all counted";
  spec::Readings rival(Arch::sm_90);
  rival.choose({"TMA-AMB-18", "bytes_in_bounds"});
  EXPECT_EQ(predict(copy, rival).transaction_bytes, 32u);
  EXPECT_EQ(predict(copy, rival).end, End::never_completes) << "armed for the default reading";
  rival = spec::Readings(Arch::sm_90).choose({"TMA-AMB-04", "span_bytes_counted"});
  copy.map.swizzle = 3;
  EXPECT_EQ(predict(copy, rival).transaction_bytes, 512u);
  EXPECT_EQ(predict(copy, rival).end, End::early_surplus);
}

TEST(TiledTransactions, InterleavedAndStrided) {
  TensorCopyCase copy = tile_base();
  TensorMapArgs& map = copy.map;
  map.data_type = 1, map.rank = copy.instruction_rank = 3, map.interleave = 1;
  map.global_dim = {64, 16, 8}, map.global_stride = {1024, 16384}, map.box_dim = {24, 4, 3};
  EXPECT_EQ(predict(copy).transaction_bytes, 24u * 16 * 3);
  map.box_dim = {8, 4, 3}, map.element_stride[0] = 2;
  EXPECT_EQ(predict(copy).transaction_bytes, 4u * 16 * 3);
}

// The bit patterns that tell the readings apart, and what the H200 made of them (F-06).
TEST(TiledValues, Tf32RoundsToNearestEvenOnLoad) {
  const std::vector<uint32_t> words = {0x3f801000, 0x3f803000, 0x3f801001, 0x3f805000,
                                       0x7f7ff000, 0x7f800001, 0xff800001, 0x7f800000,
                                       0xff800000, 0x00001000, 0x80003000, 0x00000001};
  const std::vector<uint32_t> even = {0x3f800000, 0x3f804000, 0x3f802000, 0x3f804000, 0x7f800000, 0x7fffe000,
                                      0x7fffe000, 0x7f800000, 0xff800000, 0x00000000, 0x80004000, 0x00000000};
  const std::vector<uint32_t> away = {0x3f802000, 0x3f804000, 0x3f802000, 0x3f806000, 0x7f800000, 0x7fffe000,
                                      0x7fffe000, 0x7f800000, 0xff800000, 0x00002000, 0x80004000, 0x00000000};
  spec::Readings readings(Arch::sm_90);
  EXPECT_EQ(load_words(11, words, readings), even);
  EXPECT_EQ(load_words(12, words, readings), even) << "ftz changes nothing on a load";
  EXPECT_EQ(load_words(7, words, readings), words);
  EXPECT_EQ(load_words(10, words, readings), words);
  EXPECT_EQ(load_words(11, words, readings.choose({"TMA-AMB-07", "nearest_away"})), away);
  EXPECT_EQ(load_words(11, words, readings.choose({"TMA-AMB-07", "not_converted"})), words);
}

TEST(TiledValues, NanFillIs7ff7AndIsNotRounded) {
  for (const uint32_t type : {6u, 7u, 8u, 9u, 10u, 11u, 12u}) {
    TensorCopyCase copy = tile_base();
    copy.map.data_type = type;
    copy.map.oob_fill = 1;
    copy.coord[1] = 32;
    std::vector<std::byte> memory(4096), window(copy.window_bytes);
    const CopyPrediction prediction = predict_load(copy, spec::Readings(Arch::sm_90), memory, window, {});
    ASSERT_EQ(prediction.end, End::done);
    for (uint32_t i = 0; i < prediction.transaction_bytes; ++i)
      ASSERT_EQ(window[i], i % 2 == 0 ? std::byte{0xf7} : std::byte{0x7f})
          << "type " << type << " byte " << i;
  }
}

// S-01: D[0] = 17 bytes: the second 16-byte piece is written in full, the third not at all.
TEST(TiledValues, AStoreWritesWholePieces) {
  TensorCopyCase copy = tile_base(CopyDirection::store);
  copy.map.data_type = 0;
  copy.map.global_dim = {17, 2}, copy.map.global_stride = {80}, copy.map.box_dim = {64, 2};
  std::vector<std::byte> window(copy.window_bytes, std::byte{0x11}), slot(256, std::byte{0xcd});
  const auto touched = [&] { return std::count(slot.begin(), slot.end(), std::byte{0x11}); };
  EXPECT_EQ(predict_store(copy, spec::Readings(Arch::sm_90), window, slot, {}).end, End::done);
  EXPECT_EQ(touched(), 64);
  EXPECT_EQ(slot[31], std::byte{0x11});
  EXPECT_EQ(slot[32], std::byte{0xcd});
  EXPECT_EQ(footprint(copy, spec::Readings(Arch::sm_90)).global_end, 112u);
  std::fill(slot.begin(), slot.end(), std::byte{0xcd});
  spec::Readings exact(Arch::sm_90);
  exact.choose({"X-17", "by_element"});
  predict_store(copy, exact, window, slot, {});
  EXPECT_EQ(touched(), 34);
}

// Stores whose rows overlap may leave either value: those bytes are not judged, the others are.
TEST(TiledValues, OverlappingStoresAreMasked) {
  TensorCopyCase copy = tile_base(CopyDirection::store);
  copy.map.global_stride = {16};  // rows of 32 bytes, 16 apart
  std::vector<std::byte> window(copy.window_bytes), slot(256, std::byte{0xcd}), defined(256);
  const CopyPrediction prediction = predict_store(copy, spec::Readings(Arch::sm_90), window, slot, defined);
  EXPECT_EQ(prediction.end, End::done);
  EXPECT_FALSE(prediction.all_defined);
  EXPECT_TRUE(prediction.rules.test(rule("TILE-R53")));
  for (size_t i = 0; i < 256; ++i) {
    const bool twice = i >= 16 && i < 64;
    EXPECT_EQ(defined[i], twice ? std::byte{0} : std::byte{0xff}) << i;
    EXPECT_EQ(slot[i], i < 80 ? std::byte{0} : std::byte{0xcd}) << i;
  }
  copy.map.global_stride = {48};
  EXPECT_TRUE(predict_store(copy, spec::Readings(Arch::sm_90), window, slot, defined).all_defined);
}

TEST(TiledMulticast, ReachesTheRanksOfTheMask) {
  TensorCopyCase copy = tile_base();
  EXPECT_EQ(receivers(copy), 1u);
  copy.cluster_size = 4, copy.cta_mask = 0b1010, copy.issuer_rank = 0;
  EXPECT_EQ(receivers(copy), 0b1010u);
  EXPECT_TRUE(predict(copy).rules.test(rule("TILE-R38")));
}

TEST(TiledMulticast, AWrongCountKeepsNobodyWaitingWhereNobodyReceives) {
  TensorCopyCase copy = tile_base();
  copy.cluster_size = 2, copy.cta_mask = 0b01, copy.transaction_delta = 1;
  EXPECT_EQ(predict(copy).end, End::never_completes);
  copy.cta_mask = 0b100;  // a rank that the cluster lacks
  EXPECT_EQ(predict(copy).end, End::done);
}

TEST(TiledReadings, OnlyQuestionsThatMatterAreConsulted) {
  const spec::Readings readings(Arch::sm_90);
  predict(tile_base(), readings);
  EXPECT_TRUE(readings.consulted().none());
  TensorCopyCase copy = tile_base();
  copy.coord = {56, 30};
  predict(copy, readings);
  EXPECT_TRUE(readings.consulted().test(question("TMA-AMB-18")));
  EXPECT_EQ(readings.consulted().count(), 1u);
}

}  // namespace
}  // namespace assay::model
