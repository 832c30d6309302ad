// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/wgmma_operand.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/machine/trap.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

// Addresses that an H200 read (testdata/vectors/vectors_wgmma.csv), the wider rows of sparse forms included.
TEST(WgmmaOperand, MeasuredAddresses) {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/vectors_wgmma.csv");
  ASSERT_TRUE(in.good());
  std::string line;
  std::getline(in, line);
  size_t rows = 0, points = 0;
  while (std::getline(in, line)) {
    const auto cells = split(line, ',');
    ASSERT_GE(cells.size(), 14u) << line;
    const bool is_mn_major = cells[2] == "MN";
    const auto bytes = static_cast<uint32_t>(std::stoul(cells[3]));
    WgmmaOperand operand;
    operand.descriptor = decode_wgmma_descriptor(std::stoull(cells[7], nullptr, 16));
    EXPECT_EQ(operand.descriptor.start, std::stoul(cells[8], nullptr, 16)) << cells[0];
    EXPECT_EQ(operand.descriptor.leading, std::stoul(cells[9], nullptr, 16)) << cells[0];
    EXPECT_EQ(operand.descriptor.stride, std::stoul(cells[10], nullptr, 16)) << cells[0];
    EXPECT_EQ(operand.descriptor.base_offset, std::stoul(cells[11])) << cells[0];
    EXPECT_EQ(operand.descriptor.is_swizzled() ? std::to_string(operand.descriptor.width) + "B" : "none",
              cells[12]);
    for (const std::string& point : split(cells[13], ' ')) {
      const auto parts = split(point, ':');
      const auto mn = static_cast<uint32_t>(std::stoul(parts[0])),
                 k = static_cast<uint32_t>(std::stoul(parts[1]));
      const uint32_t got = is_mn_major ? operand.mn_major(mn / 8 * 8, k).address + mn % 8 * 2
                                       : operand.k_major(mn, k * bytes / 16 * 16).address + k * bytes % 16;
      EXPECT_EQ(got, std::stoul(parts[2], nullptr, 16)) << cells[0] << " at " << point;
      ++points;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 80u);
  EXPECT_EQ(points, 80u * 28);
}

struct Window {
  Cta cta;
  WgmmaOperand operand;
  explicit Window(uint32_t bytes) {
    cta.shared.assign(bytes, std::byte{1});
    cta.written.assign(bytes, 1);
    operand.format = &spec::format("u8");
    operand.rows = 64, operand.k = 32;
  }
  /// "fault", "undefined" if a row has such bytes, or "fine".
  std::string read() const {
    std::vector<uint32_t> codes;
    std::vector<uint8_t> is_unwritten;
    try {
      operand.read(cta, 'B', codes, is_unwritten);
    } catch (const Trap& trap) {
      EXPECT_EQ(trap.kind, Diagnostic::Kind::illegal_address);
      return "fault";
    }
    for (const uint8_t row : is_unwritten)
      if (row) return "undefined";
    return "fine";
  }
};

// Section 5 of the descriptor's measurements.
TEST(WgmmaOperand, EndOfSharedMemory) {
  Window plain(0x9400);
  plain.operand.descriptor = {0x9400 - 0x800, 128, 256, 0, 16};
  EXPECT_EQ(plain.read(), "fine") << "the last byte is the last of the window";
  plain.operand.descriptor.start = 0;
  EXPECT_EQ(plain.read(), "fine") << "the reserved KiB is readable";
  plain.operand.descriptor.start = 0x9400 - 0x800 + 64;
  EXPECT_EQ(plain.read(), "undefined") << "a group that sticks out";
  plain.operand.descriptor.start = 0x9400 - 0x800 + 128;
  EXPECT_EQ(plain.read(), "fault") << "a group that begins at the end";
  plain.operand.descriptor = {0x9000, 128, 0x3ff80, 0, 16};
  EXPECT_EQ(plain.read(), "fault") << "sums do not wrap";

  Window swizzled(0x9400);
  swizzled.operand.descriptor = {0x9400 - 0x2000, 0, 0x400, 0, 128};
  EXPECT_EQ(swizzled.read(), "fine");
  swizzled.operand.descriptor.start += 128;
  EXPECT_EQ(swizzled.read(), "fault") << "a whole row past the end";

  Window odd(0x9090);
  odd.operand.descriptor = {0x9100 - 0x800, 128, 256, 0, 16};
  EXPECT_EQ(odd.read(), "undefined") << "memory is there up to a line's end";
}

}  // namespace
}  // namespace assay::emulator
