// SPDX-License-Identifier: Apache-2.0
// Copies of four rows and along W, from maps that the emulated encoders wrote.

#include <gtest/gtest.h>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/tma/copy_rig_test.h"
#include "devices/emulator/tma/engine.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

constexpr uint64_t tensor_address = 0x10000000;

Settings settings_for(Target target) {
  Settings settings;
  settings.target = target;
  return settings;
}

/// A matrix of 8 rows of 64 16-bit elements; a box of 8 by `height`.
TensorCopyRequest rows_of(std::array<int32_t, 5> coord, TensorCopyMode mode, uint32_t height = 1) {
  const uint64_t dim[] = {64, 8}, stride[] = {128};
  const uint32_t box[] = {8, height}, traversal[] = {1, 1};
  TensorCopyRequest request{};
  EncodeTiledArguments args;
  args.map = request.map.data();
  args.data_type = 1, args.rank = 2, args.address = tensor_address;
  args.dim = dim, args.stride = stride, args.box = box, args.traversal = traversal;
  EXPECT_EQ(encode_tiled(args, settings_for(Target::sm_100)), "");
  request.kind = mode == TensorCopyMode::scatter4 ? TensorCopyKind::store : TensorCopyKind::load;
  request.mode = mode, request.rank = 2, request.coord = coord;
  request.shared_address = 0x400, request.target = Target::sm_100;
  return request;
}

TensorCopyPlan planned(const TensorCopyRequest& request) {
  return plan_tensor_copy(request, settings_for(request.target));
}

TEST(EngineModes, GatherTakesEachRowFromItsCoordinate) {
  const TensorCopyPlan plan = planned(rows_of({16, 6, 1, 9, 0}, TensorCopyMode::gather4));
  ASSERT_FALSE(plan.fault);
  EXPECT_EQ(plan.transaction_bytes, 64u);
  ASSERT_EQ(plan.pieces.size(), 4u);
  constexpr uint64_t row[] = {6, 1, 0, 0};
  for (size_t q = 0; q < 4; ++q) {
    EXPECT_EQ(plan.pieces[q].shared_address, 0x400 + 16 * q);
    EXPECT_EQ(plan.pieces[q].is_fill, q == 2);
    if (q != 2) {
      EXPECT_EQ(plan.pieces[q].global_address, tensor_address + 128 * row[q] + 32);
    }
  }
}

TEST(EngineModes, ScatterSkipsRowsOutsideAndFaultsAtNegativeOnes) {
  const TensorCopyPlan plan = planned(rows_of({0, 3, 8, 3, 7}, TensorCopyMode::scatter4));
  ASSERT_FALSE(plan.fault);
  EXPECT_EQ(plan.pieces.size(), 3u);
  EXPECT_EQ(plan.transaction_bytes, 0u);
  for (int operand = 0; operand < 5; ++operand) {
    std::array<int32_t, 5> coord{0, 3, 2, 1, 7};
    coord[static_cast<size_t>(operand)] = -8;
    const TensorCopyPlan faulty = planned(rows_of(coord, TensorCopyMode::scatter4));
    ASSERT_TRUE(faulty.fault) << operand;
    EXPECT_EQ(faulty.fault->kind, Diagnostic::Kind::illegal_instruction);
  }
}

TEST(EngineModes, FourRowsWantABoxOfOne) {
  const TensorCopyPlan plan = planned(rows_of({0, 3, 2, 1, 7}, TensorCopyMode::gather4, 4));
  ASSERT_TRUE(plan.fault);
  EXPECT_NE(plan.fault->message.find("4 rows high"), std::string::npos) << plan.fault->message;
}

/// Rank 3, 64 channels of 16 bits, W 5, ten images; pixel p of image n at 128 (5 n + p).
TensorCopyRequest along_w(TensorCopyMode mode, uint32_t map_mode, int32_t start, uint16_t halo,
                          uint16_t offset, int32_t lower = 0, bool wide = true) {
  const uint64_t dim[] = {64, 5, 10}, stride[] = {128, 640};
  const uint32_t traversal[] = {1, 1, 1};
  const int32_t upper = 0;
  TensorCopyRequest request{};
  EncodeIm2colArguments args;
  args.map = request.map.data();
  args.data_type = 1, args.rank = 3, args.address = tensor_address;
  args.dim = dim, args.stride = stride, args.traversal = traversal;
  args.lower = &lower, args.upper = &upper, args.channels = 64, args.pixels = 4;
  args.swizzle = 3, args.wide = wide, args.mode = map_mode;
  EXPECT_EQ(encode_im2col(args, settings_for(Target::sm_100)), "");
  request.kind = TensorCopyKind::load;
  request.mode = mode, request.rank = 3, request.coord = {0, start, 0};
  request.shared_address = 0x400, request.target = Target::sm_100;
  request.offset = {halo, offset, 0};
  return request;
}

/// Which pixel of the tensor each row of shared memory has, -1 where it is filled.
std::vector<int> pixels_of(const TensorCopyPlan& plan) {
  std::vector<int> rows;
  for (const TensorCopyPiece& piece : plan.pieces) {
    const size_t row = (piece.shared_address - 0x400) / 128;
    if (rows.size() <= row) rows.resize(row + 1, -2);
    rows[row] = piece.is_fill ? -1 : static_cast<int>((piece.global_address - tensor_address) / 128);
  }
  return rows;
}

TEST(EngineModes, TheWalkAlongWGoesOnInTheNextImageAndIntoTheHalo) {
  const TensorCopyPlan plan = planned(along_w(TensorCopyMode::im2col_w, 0, 3, 2, 0));
  ASSERT_FALSE(plan.fault) << plan.fault->message;
  EXPECT_EQ(pixels_of(plan), (std::vector<int>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(plan.transaction_bytes, 6u * 128);
}

TEST(EngineModes, WOffsetMovesTheBoxAndTheStart) {
  // The box is -1..4, then 1..6: positions 5 and 6 lie outside of W.
  const TensorCopyPlan plan = planned(along_w(TensorCopyMode::im2col_w, 0, 2, 1, 2, -1));
  ASSERT_FALSE(plan.fault) << plan.fault->message;
  EXPECT_EQ(pixels_of(plan), (std::vector<int>{4, -1, -1, 6, 7}));
}

TEST(EngineModes, W128HasAHaloBehindEvery32Pixels) {
  const TensorCopyPlan plan = planned(along_w(TensorCopyMode::im2col_w_128, 1, 0, 1, 0));
  ASSERT_FALSE(plan.fault) << plan.fault->message;
  const std::vector<int> rows = pixels_of(plan);
  ASSERT_EQ(rows.size(), 132u);
  EXPECT_EQ(rows[31], 31);
  EXPECT_EQ(rows[32], 32) << "the halo goes on";
  EXPECT_EQ(rows[33], 32) << "and the next group begins there";
  EXPECT_EQ(rows[65], -1) << "behind the last image";
}

TEST(EngineModes, MapsOfAnotherModeFault) {
  const TensorCopyRequest requests[] = {
      along_w(TensorCopyMode::im2col_w, 1, 0, 0, 0), along_w(TensorCopyMode::im2col_w_128, 0, 0, 0, 0),
      along_w(TensorCopyMode::im2col_w, 0, 0, 0, 0, 0, false), along_w(TensorCopyMode::im2col, 0, 0, 0, 0),
      along_w(TensorCopyMode::im2col_w, 0, 5, 0, 0)};
  for (const TensorCopyRequest& request : requests) {
    const TensorCopyPlan plan = planned(request);
    ASSERT_TRUE(plan.fault);
    EXPECT_EQ(plan.fault->kind, Diagnostic::Kind::illegal_instruction) << plan.fault->message;
  }
}

// Maps made bit by bit and what one load through each did on an H200 (vectors_rawmap.csv):
// its fault, or the bytes that it signalled and where every byte of shared memory came from.

/// Where the arena of the measurements is put; addresses of the rows are relative to it.
constexpr uint64_t arena_address = 0x10000000;

struct RawCopy {
  std::string id, outcome, map_crc;
  TensorCopyRequest request{};
  uint64_t map_address = 0;
  uint32_t transaction_bytes = 0, end = 0;
};

RawCopy read_row(const Fields& cells) {
  RawCopy row;
  row.id = cells.at("id");
  row.outcome = cells.at("outcome");
  row.map_crc = cells.at("map_crc");
  TensorCopyRequest& r = row.request;
  r.kind = TensorCopyKind::load;
  r.target = Target::sm_90;
  r.mode = cells.at("instruction") == "im2col" ? TensorCopyMode::im2col : TensorCopyMode::tile;
  r.rank = std::stoi(cells.at("rank"));
  const auto coordinates = split(cells.at("coords"), '|'), offsets = split(cells.at("offsets"), '|');
  for (size_t i = 0; i < coordinates.size(); ++i)
    r.coord.at(i) = static_cast<int32_t>(std::stoll(coordinates[i]));
  for (size_t i = 0; i < offsets.size(); ++i) r.offset.at(i) = static_cast<uint16_t>(std::stoul(offsets[i]));
  r.shared_address = static_cast<uint32_t>(std::stoul(cells.at("smem_offset")));
  const auto words = split(cells.at("map_w00_w3c_address_relative"), ' ');
  for (size_t i = 0; i < words.size(); ++i) {
    const auto word = static_cast<uint32_t>(std::stoul(words[i], nullptr, 16));
    std::memcpy(&r.map[4 * i], &word, 4);
  }
  std::memcpy(&row.map_address, r.map.data(), 8);
  row.map_address += arena_address;
  std::memcpy(r.map.data(), &row.map_address, 8);
  if (row.outcome == "ok") {
    row.transaction_bytes = static_cast<uint32_t>(std::stoul(cells.at("tx")));
    row.end = static_cast<uint32_t>(std::stoul(cells.at("image_bytes_end")));
  }
  return row;
}

/// Of each byte from the operand on: its source relative to the map's address, -1 fill, -2 untouched.
std::vector<int64_t> sources(const TensorCopyPlan& plan, const RawCopy& row) {
  std::vector<int64_t> list(row.end - row.request.shared_address, -2);
  for (const TensorCopyPiece& piece : plan.pieces)
    for (uint32_t i = 0; i < piece.bytes; ++i)
      list.at(piece.shared_address + i - row.request.shared_address) =
          piece.is_fill ? -1 : static_cast<int64_t>(piece.global_address + i - row.map_address);
  return list;
}

std::string outcome_of(const TensorCopyPlan& plan) {
  if (!plan.fault) return "ok";
  switch (plan.fault->kind) {
    case Diagnostic::Kind::illegal_instruction:
      return "ILL";
    case Diagnostic::Kind::misaligned_address:
      return "MIS";
    default:
      return "another fault";
  }
}

TEST(RawMaps, DoWhatTheyDidOnSilicon) {
  Settings settings;
  settings.target = Target::sm_90;
  int im2col = 0, tiled = 0;
  for (const Fields& cells : vector_rows("vectors_rawmap.csv")) {
    const RawCopy row = read_row(cells);
    SCOPED_TRACE(row.id);
    (row.request.mode == TensorCopyMode::im2col ? im2col : tiled) += 1;
    const TensorCopyPlan plan = plan_tensor_copy(row.request, settings);
    // When two rules are broken one of their codes comes.
    if (row.outcome == "ILL/MIS") {
      EXPECT_NE(outcome_of(plan), "ok");
      continue;
    }
    ASSERT_EQ(outcome_of(plan), row.outcome) << (plan.fault ? plan.fault->message : "");
    if (plan.fault) continue;
    EXPECT_EQ(plan.transaction_bytes, row.transaction_bytes);
    EXPECT_EQ(crc32(sources(plan, row)), row.map_crc);
  }
  EXPECT_EQ(im2col, 256);
  EXPECT_EQ(tiled, 479);
}

}  // namespace
}  // namespace assay::emulator
