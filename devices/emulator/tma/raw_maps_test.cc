// SPDX-License-Identifier: Apache-2.0
// Maps made bit by bit and what one load through each did on an H200 (testdata/vectors/vectors_rawmap.csv):
// its fault, or the bytes that it signalled and where every byte of shared memory came from.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/tma/engine.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

/// Where the arena of the measurements is put; addresses of the rows are relative to it.
constexpr uint64_t arena_address = 0x10000000;

std::vector<std::string> parts(const std::string& text, char at) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) list.push_back(part);
  return list;
}

struct RawCopy {
  std::string id, outcome, map_crc;
  TensorCopyRequest request{};
  uint64_t map_address = 0;
  uint32_t transaction_bytes = 0, end = 0;
};

RawCopy read_row(const std::string& line) {
  const std::vector<std::string> cells = parts(line, ',');
  RawCopy row;
  row.id = cells.at(0);
  row.outcome = cells.at(8);
  row.map_crc = cells.at(12);
  TensorCopyRequest& r = row.request;
  r.kind = TensorCopyKind::load;
  r.target = Target::sm_90;
  r.mode = cells.at(2) == "im2col" ? TensorCopyMode::im2col : TensorCopyMode::tile;
  r.rank = std::stoi(cells.at(3));
  const auto coordinates = parts(cells.at(4), '|'), offsets = parts(cells.at(5), '|');
  for (size_t i = 0; i < coordinates.size(); ++i)
    r.coord.at(i) = static_cast<int32_t>(std::stoll(coordinates[i]));
  for (size_t i = 0; i < offsets.size(); ++i) r.offset.at(i) = static_cast<uint16_t>(std::stoul(offsets[i]));
  r.shared_address = static_cast<uint32_t>(std::stoul(cells.at(6)));
  const auto words = parts(cells.at(7), ' ');
  for (size_t i = 0; i < words.size(); ++i) {
    const auto word = static_cast<uint32_t>(std::stoul(words[i], nullptr, 16));
    std::memcpy(&r.map[4 * i], &word, 4);
  }
  std::memcpy(&row.map_address, r.map.data(), 8);
  row.map_address += arena_address;
  std::memcpy(r.map.data(), &row.map_address, 8);
  if (row.outcome == "ok") {
    row.transaction_bytes = static_cast<uint32_t>(std::stoul(cells.at(10)));
    row.end = static_cast<uint32_t>(std::stoul(cells.at(11)));
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
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/vectors_rawmap.csv");
  ASSERT_TRUE(in.good());
  std::string line;
  std::getline(in, line);
  Settings settings;
  settings.target = Target::sm_90;
  int im2col = 0, tiled = 0;
  while (std::getline(in, line)) {
    const RawCopy row = read_row(line);
    SCOPED_TRACE(line);
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
