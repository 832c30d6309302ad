// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/tensor/smem_operand.h"
#include "devices/emulator/tensor/tcgen05_desc.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

/// A window in which every element of `bytes` tells a part of its own address.
Cta telling_window(uint32_t bytes, uint32_t shift) {
  Cta cta;
  cta.shared.resize(facts_of(Target::sm_100).shared_bytes + 64 * 1024);
  cta.written.assign(cta.shared.size(), 1);
  for (uint32_t at = 0; at + bytes <= cta.shared.size(); at += bytes) {
    const uint32_t value = at >> shift;
    std::memcpy(cta.shared.data() + at, &value, bytes);
  }
  return cta;
}

const spec::Format& format_of(uint32_t bytes) {
  return bytes == 1 ? spec::format("u8") : bytes == 2 ? spec::format("f16") : spec::format("tf32");
}

std::vector<uint32_t> elements_of(const SmemMatrix& matrix, const Cta& cta) {
  std::vector<uint32_t> codes(static_cast<size_t>(matrix.rows) * matrix.k);
  std::vector<uint8_t> unwritten(matrix.rows);
  read_matrix(matrix, cta, {codes, unwritten});
  return codes;
}

// What wgmma read on an H200, address by address, through descriptors whose fields tcgen05 shares.
/// The table that rules, generators and forms are made of and the device's own were written apart: a cell
/// that is altered in either is found here, and a new column does not compile until it is compared.
TEST(MmaKinds, BothTablesSayTheSameOfEveryKind) {
  const std::pair<std::string_view, int> golden[] = {
      {"f16", 16}, {"tf32", 8}, {"f8f6f4", 32}, {"i8", 32}, {"mxf8f6f4", 32}, {"mxf4", 64}, {"mxf4nvf4", 64}};
  ASSERT_EQ(std::size(golden), spec::mma_kinds.size());
  for (const spec::MmaKindRow& row : spec::mma_kinds) {
    const auto& [kind, name, k, is_mx, packed, has_bytes, may_transpose, integer, scales_d, ue4m3, qualifiers,
                 mechanism] = row;
    const auto& [is_scaled, is_packed, holds_bytes, is_integer, takes_factor, may_be_ue4m3, scalings] =
        facts_of(kind);
    EXPECT_EQ(std::pair(name, k), golden[number_of(kind)]);
    EXPECT_EQ(is_mx, is_scaled) << name;
    EXPECT_EQ(packed, is_packed) << name;
    EXPECT_EQ(has_bytes, holds_bytes) << name;
    EXPECT_EQ(may_transpose, !is_packed) << name;
    EXPECT_EQ(integer, is_integer) << name;
    EXPECT_EQ(scales_d, takes_factor) << name;
    EXPECT_EQ(ue4m3, may_be_ue4m3) << name;
    EXPECT_EQ(mechanism == &spec::Architecture::has_tcgen05_i8, is_integer) << name;
    EXPECT_TRUE(is_integer || mechanism == &spec::Architecture::has_tcgen05) << name;
    for (const spec::ScaleQualifier& one : spec::scale_qualifiers) {
      const std::string_view text = one.text.substr(one.text.empty() ? 0 : 1);
      const auto* own = std::find_if(scalings.begin(), scalings.end(),
                                     [&](auto& s) { return s.block != 0 && s.qualifier == text; });
      EXPECT_EQ(is_mx && row.takes(one.number), own != scalings.end()) << name << one.text;
      if (own != scalings.end() && one.block != 0) {
        EXPECT_EQ(static_cast<uint32_t>(one.block), own->block) << name << one.text;
      }
    }
  }
}

TEST(SmemOperand, ReadsWhereTheHopperDescriptorWasSeenToRead) {
  int points = 0, descriptors = 0;
  // The CTA's reserved part may be read there.
  for (Fields cell : vector_rows("vectors_wgmma.csv")) {
    if (cell["sparse_instr"] != "0") continue;
    const auto bytes = static_cast<uint32_t>(std::stoul(cell["elem_bytes"]));
    const uint64_t hopper = std::stoull(cell["desc_hex"], nullptr, 16);
    const uint64_t word = (hopper & 0xc00e3fff3fff3fffull) | uint64_t{1} << 46;
    const auto decoded = decode_smem_descriptor(word, Target::sm_100);
    ASSERT_TRUE(std::holds_alternative<SmemDescriptor>(decoded)) << std::get<std::string>(decoded);
    SmemMatrix matrix;
    matrix.descriptor = std::get<SmemDescriptor>(decoded);
    matrix.format = &format_of(bytes);
    matrix.is_mn_major = cell["major"] == "MN";
    matrix.k = static_cast<uint32_t>(std::stoul(cell["k_extent"]));
    matrix.rows = 1;
    const Cta low = telling_window(bytes, 0), high = telling_window(bytes, 8);
    for (const std::string& point : split(cell["points_mn:k:byte"], ' ')) {
      const auto part = split(point, ':');
      const auto mn = static_cast<uint32_t>(std::stoul(part[0]));
      const size_t k = std::stoul(part[1]);
      const auto at = static_cast<uint32_t>(std::stoul(part[2], nullptr, 16));
      if (at < shared_reserved_bytes) continue;
      matrix.first_row = mn;
      const uint32_t mask = bytes == 1 ? 0xff : bytes == 2 ? 0xffff : ~0u;
      try {
        EXPECT_EQ(elements_of(matrix, low)[k], at & mask) << cell["id"] << " " << point;
        EXPECT_EQ(elements_of(matrix, high)[k], at >> 8 & mask) << cell["id"] << " " << point;
        ++points;
      } catch (const Trap& trap) {
        ADD_FAILURE() << cell["id"] << " " << point << ": " << trap.message;
      }
    }
    ++descriptors;
  }
  EXPECT_GT(descriptors, 40);
  EXPECT_GT(points, 1000);
}

SmemMatrix plain(const char* format, uint32_t rows, uint32_t k) {
  SmemMatrix matrix;
  matrix.descriptor = {2048, 4096, 128, 0, false, SmemSwizzle::none};
  matrix.format = spec::find_format(format);
  matrix.rows = rows;
  matrix.k = k;
  return matrix;
}

// (ptx, tcgen05: packing formats) Sixteen elements take 16 bytes: 8 or 12 of them, then padding.
TEST(SmemOperand, PicksNarrowElementsOutOfPaddedGroups) {
  Cta cta = telling_window(1, 0);
  const uint8_t nibbles[16] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe,
                               0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
  std::memcpy(cta.shared.data() + 2048, nibbles, 16);
  std::memcpy(cta.shared.data() + 2048 + 4096, nibbles, 16);
  const auto four = elements_of(plain("e2m1", 1, 32), cta);
  for (uint32_t k = 0; k < 32; ++k) EXPECT_EQ(four[k], k % 16) << k;
  // 0, 1, 2, 3: 000000 000001 000010 000011 from the low end.
  const uint8_t sixes[16] = {0x40, 0x20, 0x0c, 0x44, 0x61, 0x1c, 0x48, 0xa2,
                             0x2c, 0x4c, 0xe3, 0x3c, 9,    9,    9,    9};
  std::memcpy(cta.shared.data() + 2048, sixes, 16);
  const auto six = elements_of(plain("e2m3", 1, 32), cta);
  for (uint32_t k = 0; k < 16; ++k) EXPECT_EQ(six[k], k) << k;
  SmemMatrix packed = plain("e2m1", 1, 32);
  packed.is_packed = true;
  std::memcpy(cta.shared.data() + 2048 + 8, nibbles, 8);
  std::memcpy(cta.shared.data() + 2048, nibbles, 8);
  const auto dense = elements_of(packed, cta);
  for (uint32_t k = 0; k < 32; ++k) EXPECT_EQ(dense[k], k % 16) << k;
}

TEST(SmemOperand, ReadsPastTheRowAtTheAbsoluteLeadingAddress) {
  const auto word = uint64_t{2} << 61 | uint64_t{1} << 52 | uint64_t{1} << 46 | uint64_t{64} << 32 |
                    uint64_t{0x2000 >> 4} << 16 | uint64_t{(0x1000 + 112) >> 4};
  EXPECT_TRUE(std::holds_alternative<std::string>(decode_smem_descriptor(word, Target::sm_100)));
  SmemMatrix matrix = plain("f16", 8, 16);
  matrix.descriptor = std::get<SmemDescriptor>(decode_smem_descriptor(word, Target::sm_103));
  const auto codes = elements_of(matrix, telling_window(2, 0));
  EXPECT_EQ(codes[0], 0x1000u + 112);  // row 0, its last 16 bytes
  EXPECT_EQ(codes[8], 0x2000u);        // and the first of the next buffer
  EXPECT_EQ(codes[16 + 0], 0x1080u + (7u ^ 1) * 16);
  EXPECT_EQ(codes[16 + 8], 0x2080u + 16);  // line 1 of either: 16-byte columns change places by 1
}

TEST(SmemOperand, PaddingOfNarrowElementsMayBeNeverWritten) {
  for (const auto& [name, used] : {std::pair{"e2m1", 8u}, {"e3m2", 12u}}) {
    const SmemMatrix matrix = plain(name, 8, 32);
    std::vector<uint32_t> codes(8 * 32);
    std::vector<uint8_t> unwritten(8);
    for (const uint32_t at : {used - 1, used, 15u}) {
      Cta cta = telling_window(2, 0);
      cta.written[2048 + 3 * 16 + at] = 0;
      read_matrix(matrix, cta, {codes, unwritten});
      for (size_t row = 0; row < 8; ++row)
        EXPECT_EQ(unwritten[row], row == 3 && at < used) << name << " " << at;
    }
  }
}

TEST(SmemOperand, SaysWhichRowsHoldNeverWrittenMemoryAndWhichBytesItTouches) {
  Cta cta = telling_window(2, 0);
  cta.written[2048 + 128 + 3 * 16 + 5] = 0;  // row 11, k 2
  const SmemMatrix matrix = plain("f16", 16, 16);
  std::vector<uint32_t> codes(256);
  std::vector<uint8_t> unwritten(16);
  read_matrix(matrix, cta, {codes, unwritten});
  for (size_t row = 0; row < 16; ++row) EXPECT_EQ(unwritten[row], row == 11) << row;
  const auto ranges = matrix_ranges(matrix, 3);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].address, 3u << 24 | 2048);
  EXPECT_EQ(ranges[0].bytes, 256u);
  EXPECT_EQ(ranges[1].address, 3u << 24 | (2048 + 4096));
}

// Addresses that an H200 read (testdata/vectors/vectors_wgmma.csv), the wider rows of sparse forms included.
TEST(WgmmaOperand, MeasuredAddresses) {
  size_t rows = 0, points = 0;
  for (Fields cells : vector_rows("vectors_wgmma.csv")) {
    const bool is_mn_major = cells["major"] == "MN";
    const auto bytes = static_cast<uint32_t>(std::stoul(cells["elem_bytes"]));
    WgmmaOperand operand;
    operand.descriptor = decode_wgmma_descriptor(std::stoull(cells["desc_hex"], nullptr, 16));
    EXPECT_EQ(operand.descriptor.start, std::stoul(cells["start"], nullptr, 16)) << cells["id"];
    EXPECT_EQ(operand.descriptor.leading, std::stoul(cells["lbo"], nullptr, 16)) << cells["id"];
    EXPECT_EQ(operand.descriptor.stride, std::stoul(cells["sbo"], nullptr, 16)) << cells["id"];
    EXPECT_EQ(operand.descriptor.base_offset, std::stoul(cells["base"])) << cells["id"];
    EXPECT_EQ(operand.descriptor.is_swizzled() ? std::to_string(operand.descriptor.width) + "B" : "none",
              cells["swizzle"]);
    for (const std::string& point : split(cells["points_mn:k:byte"], ' ')) {
      const auto parts = split(point, ':');
      const auto mn = static_cast<uint32_t>(std::stoul(parts[0])),
                 k = static_cast<uint32_t>(std::stoul(parts[1]));
      const uint32_t got = is_mn_major ? operand.mn_major(mn / 8 * 8, k).address + mn % 8 * 2
                                       : operand.k_major(mn, k * bytes / 16 * 16).address + k * bytes % 16;
      EXPECT_EQ(got, std::stoul(parts[2], nullptr, 16)) << cells["id"] << " at " << point;
      ++points;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 80u);
  EXPECT_EQ(points, 80u * 28);
}

struct WholeWindow {
  Cta cta;
  WgmmaOperand operand;
  explicit WholeWindow(uint32_t bytes) {
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
  WholeWindow plain(0x9400);
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

  WholeWindow swizzled(0x9400);
  swizzled.operand.descriptor = {0x9400 - 0x2000, 0, 0x400, 0, 128};
  EXPECT_EQ(swizzled.read(), "fine");
  swizzled.operand.descriptor.start += 128;
  EXPECT_EQ(swizzled.read(), "fault") << "a whole row past the end";

  WholeWindow odd(0x9090);
  odd.operand.descriptor = {0x9100 - 0x800, 128, 256, 0, 16};
  EXPECT_EQ(odd.read(), "undefined") << "memory is there up to a line's end";
}

/// Columns as text, the first one first: 1 zeroed, 0 used.
std::string mask_columns(uint64_t word, uint32_t m, uint32_t n, const DeviceReadings& readings = {}) {
  std::string text;
  for (const uint8_t zeroed : zeroed_columns(std::get<ColumnMask>(decode_column_mask(word)), m, n, readings))
    text += zeroed ? '1' : '0';
  return text;
}

// (ptx, Zero-Column Mask Descriptor: examples 2 and 4)
constexpr uint64_t example_2 = 0x0003028000000000, example_4 = 0x0203028301020100;

TEST(Tcgen05Mask, ReadsItsExamples) {
  EXPECT_EQ(mask_columns(example_2, 128, 64).substr(0, 21), "000011100001110000111");
  EXPECT_EQ(mask_columns(example_4, 32, 64),
            "1110000111000011"
            "1100001110000111"
            "0011100001110000"
            "0001110000111000");
}

TEST(Tcgen05Mask, OtherReadingsGiveOtherColumns) {
  const auto answering = [](NamedAnswer answer) { return DeviceReadings().choose(answer); };
  EXPECT_EQ(mask_columns(example_2, 128, 64, answering({"AMB-01", "use_spans_zeroed"})).substr(0, 14),
            "00011110001111");
  EXPECT_EQ(mask_columns(example_2, 128, 64, answering({"AMB-02", "set_disables"})), std::string(64, '0'));
  EXPECT_EQ(mask_columns(example_2 ^ uint64_t{1} << 39, 128, 64, answering({"AMB-02", "set_disables"}))
                .substr(0, 7),
            "0000111");
  // Start count 5 with a first run of 4: one of the next run is gone too, or all but one of the first.
  EXPECT_EQ(mask_columns(example_2 | 5, 128, 64).substr(0, 9), "110000111");
  EXPECT_EQ(mask_columns(example_2 | 5, 128, 64, answering({"AMB-03", "goes_on"})).substr(0, 9), "110000111");
  EXPECT_EQ(mask_columns(example_2 | 5, 128, 64, answering({"AMB-03", "span_less_one"})).substr(0, 9),
            "011100001");
  // 255 columns gone of runs of 7.
  EXPECT_EQ(mask_columns(example_2 | 255, 128, 64).substr(0, 9), "011100001");
}

TEST(Tcgen05Mask, RefusesReservedBits) {
  for (const int bit : {36, 37, 38, 62, 63})
    EXPECT_TRUE(std::holds_alternative<std::string>(decode_column_mask(uint64_t{1} << bit))) << bit;
}

}  // namespace
}  // namespace assay::emulator
