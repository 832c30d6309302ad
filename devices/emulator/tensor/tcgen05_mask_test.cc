// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_mask.h"

#include <gtest/gtest.h>

namespace assay::emulator {
namespace {

/// Columns as text, the first one first: 1 zeroed, 0 used.
std::string columns(uint64_t word, uint32_t m, uint32_t n, const DeviceReadings& readings = {}) {
  std::string text;
  for (const uint8_t zeroed : zeroed_columns(std::get<ColumnMask>(decode_column_mask(word)), m, n, readings))
    text += zeroed ? '1' : '0';
  return text;
}

// (ptx, Zero-Column Mask Descriptor: examples 2 and 4)
constexpr uint64_t example_2 = 0x0003028000000000, example_4 = 0x0203028301020100;

TEST(Tcgen05Mask, ReadsItsExamples) {
  EXPECT_EQ(columns(example_2, 128, 64).substr(0, 21), "000011100001110000111");
  EXPECT_EQ(columns(example_4, 32, 64),
            "1110000111000011"
            "1100001110000111"
            "0011100001110000"
            "0001110000111000");
}

TEST(Tcgen05Mask, OtherReadingsGiveOtherColumns) {
  const auto answering = [](NamedAnswer answer) { return DeviceReadings().choose(answer); };
  EXPECT_EQ(columns(example_2, 128, 64, answering({"AMB-01", "use_spans_zeroed"})).substr(0, 14),
            "00011110001111");
  EXPECT_EQ(columns(example_2, 128, 64, answering({"AMB-02", "set_disables"})), std::string(64, '0'));
  EXPECT_EQ(
      columns(example_2 ^ uint64_t{1} << 39, 128, 64, answering({"AMB-02", "set_disables"})).substr(0, 7),
      "0000111");
  // Start count 5 with a first run of 4: one of the next run is gone too, or all but one of the first.
  EXPECT_EQ(columns(example_2 | 5, 128, 64).substr(0, 9), "110000111");
  EXPECT_EQ(columns(example_2 | 5, 128, 64, answering({"AMB-03", "goes_on"})).substr(0, 9), "110000111");
  EXPECT_EQ(columns(example_2 | 5, 128, 64, answering({"AMB-03", "span_less_one"})).substr(0, 9),
            "011100001");
  // 255 columns gone of runs of 7.
  EXPECT_EQ(columns(example_2 | 255, 128, 64).substr(0, 9), "011100001");
}

TEST(Tcgen05Mask, RefusesReservedBits) {
  for (const int bit : {36, 37, 38, 62, 63})
    EXPECT_TRUE(std::holds_alternative<std::string>(decode_column_mask(uint64_t{1} << bit))) << bit;
}

}  // namespace
}  // namespace assay::emulator
