// SPDX-License-Identifier: Apache-2.0
// The encoder against the boundary table measured on the H200, and the rules of the packed types.
#include "devices/emulator/encode/map_encoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <vector>

namespace assay::emulator {
namespace {

struct TiledCall {
  std::array<uint64_t, 5> dim{256, 256, 16, 8, 4};
  std::array<uint64_t, 4> stride{512, 131072, 2097152, 16777216};
  std::array<uint32_t, 5> box{64, 8, 1, 1, 1}, traversal{1, 1, 1, 1, 1};
  uint32_t type = 6, rank = 2, interleave = 0, swizzle = 0, l2 = 0, fill = 0;
  uint64_t address = 0x100000;
  std::array<std::byte, 256> memory{};
  size_t map_at = 0;
  bool null_map = false, null_dim = false, null_stride = false, null_box = false, null_traversal = false;
  Settings settings;

  TiledCall() { settings.target = Target::sm_90, memory.fill(std::byte{0xcd}); }
  EncodeRejection encode() {
    EncodeTiledArguments args;
    args.map = null_map ? nullptr : memory.data() + map_at;
    args.data_type = type, args.rank = rank, args.address = address;
    args.dim = null_dim ? nullptr : dim.data(), args.stride = null_stride ? nullptr : stride.data();
    args.box = null_box ? nullptr : box.data(), args.traversal = null_traversal ? nullptr : traversal.data();
    args.interleave = interleave, args.swizzle = swizzle, args.l2_promotion = l2, args.fill = fill;
    return encode_tiled(args, settings);
  }
  uint32_t word(size_t at) const {
    uint32_t value;
    std::memcpy(&value, memory.data() + map_at + at, 4);
    return value;
  }
};
using Change = std::function<void(TiledCall&)>;

EncodeRejection encode(const Change& change) {
  TiledCall call;
  change(call);
  return call.encode();
}
/// Accepted with each of `inside`, refused by the rule with each of `outside`.
void boundary(const std::string& rule, const std::vector<Change>& inside,
              const std::vector<Change>& outside) {
  for (size_t i = 0; i < inside.size(); ++i) EXPECT_EQ(encode(inside[i]), "") << rule << " inside " << i;
  for (size_t i = 0; i < outside.size(); ++i) {
    const EncodeRejection rejection = encode(outside[i]);
    EXPECT_NE(rejection.find("(" + rule + ")"), std::string::npos)
        << rule << " outside " << i << ": " << rejection;
  }
}
template <typename T>
std::vector<Change> each(std::vector<T> values, std::function<void(TiledCall&, T)> put) {
  std::vector<Change> changes;
  for (const T value : values) changes.push_back([=](TiledCall& c) { put(c, value); });
  return changes;
}

void interleaved(TiledCall& c, uint32_t mode) {
  c.rank = 3, c.interleave = mode, c.type = 1, c.dim = {64, 16, 8}, c.stride = {4096, 65536},
  c.box = {24, 4, 3};
}

TEST(EncodeTiled, BoundariesAreThoseOfTheH200) {
  using u64 = uint64_t;
  using u32 = uint32_t;
  constexpr u64 two = 1;
  const auto address = [](TiledCall& c, u64 v) { c.address = v; };
  boundary("V-05", each<u64>({0, 16, 48, (two << 57) - 16}, address), each<u64>({1, 8, 15, 24}, address));
  boundary("V-49", {}, each<u64>({two << 57, two << 63}, address));
  const auto address_32B = [](TiledCall& c, u64 v) { interleaved(c, 2), c.address = v; };
  boundary("V-06", each<u64>({32, (two << 57) - 32}, address_32B), each<u64>({16, 48}, address_32B));
  const auto dim = [](TiledCall& c, u64 v) { c.dim[1] = v; };
  boundary("V-09", each<u64>({1, two << 32}, dim), each<u64>({0, (two << 32) + 1, two << 40, ~u64{0}}, dim));
  const auto stride = [](TiledCall& c, u64 v) { c.stride[0] = v; };
  boundary("V-12", each<u64>({0, 16, 48, (two << 40) - 16}, stride), each<u64>({1, 8, 15, 17, 24}, stride));
  boundary("V-13", {}, each<u64>({two << 40, two << 41, two << 63}, stride));
  const auto stride_32B = [](TiledCall& c, u64 v) { interleaved(c, 2), c.stride[0] = v; };
  boundary("V-14", each<u64>({0, 32, (two << 40) - 32}, stride_32B),
           each<u64>({16, 48, (two << 40) - 16}, stride_32B));
  const auto box = [](TiledCall& c, u32 v) { c.box[1] = v; };
  boundary("V-15", each<u32>({1, 256}, box), each<u32>({0, 257, 512, ~0u}, box));
  const auto inner = [](TiledCall& c, u32 v) { c.box[0] = v; };
  boundary("V-16", each<u32>({8, 16, 256}, inner), each<u32>({1, 4, 7, 12}, inner));
  boundary("V-16", {}, {[](TiledCall& c) { interleaved(c, 1), c.box[0] = 1; }});
  const auto step = [](TiledCall& c, u32 v) { c.traversal[1] = v; };
  boundary("V-18", each<u32>({1, 8}, step), each<u32>({0, 9, 255, ~0u}, step));
  const auto step_0 = [](TiledCall& c, u32 v) { c.traversal[0] = v; };
  boundary("V-19", each<u32>({1, 8}, step_0), each<u32>({0, 9, 255, ~0u}, step_0));
}

TEST(EncodeTiled, BoundariesOfModesAreThoseOfTheH200) {
  using u32 = uint32_t;
  boundary("V-21", {[](TiledCall& c) { interleaved(c, 2); }}, {[](TiledCall& c) { interleaved(c, 3); }});
  boundary("V-22", {[](TiledCall& c) { c.swizzle = 3; }},
           each<u32>({4, 5, 6, 7, ~0u}, [](TiledCall& c, u32 v) { c.swizzle = v; }));
  boundary("V-28", {[](TiledCall& c) { c.l2 = 3; }},
           each<u32>({4, ~0u}, [](TiledCall& c, u32 v) { c.l2 = v; }));
  boundary("V-29", {[](TiledCall& c) { c.fill = 1; }},
           each<u32>({2, ~0u}, [](TiledCall& c, u32 v) { c.fill = v; }));
  boundary(
      "V-02", {[](TiledCall& c) { c.type = 12; }},
      each<u32>({13, 14, 15, 16, 17, 255, ~0u}, [](TiledCall& c, u32 v) { c.type = v, c.box[0] = 128; }));
  const auto fill_type = [](TiledCall& c, u32 v) { c.type = v, c.fill = 1, c.box[0] = 16; };
  boundary("V-27", each<u32>({6, 7, 8, 9, 10, 11, 12}, fill_type), each<u32>({0, 1, 2, 3, 4, 5}, fill_type));
  for (u32 mode = 1; mode <= 3; ++mode) {
    const u32 span = 16u << mode;
    boundary("V-23", {[=](TiledCall& c) { c.swizzle = mode, c.box[0] = span / 2; }},
             {[=](TiledCall& c) { c.swizzle = mode, c.box[0] = span / 2 + 8; }});
  }
  boundary("V-04", {[](TiledCall& c) { interleaved(c, 1); }}, {[](TiledCall& c) { c.interleave = 1; }});
  boundary("V-03", each<u32>({1, 2, 3, 4, 5}, [](TiledCall& c, u32 v) { c.rank = v; }),
           each<u32>({0, 6, 7, 8, 9, 31, ~0u}, [](TiledCall& c, u32 v) { c.rank = v; }));
  boundary("V-48", {[](TiledCall& c) {
             c.type = 7, c.box = {256, 228};
           }},
           {[](TiledCall& c) {
             c.type = 7, c.box = {256, 229};
           }});
  // 262,144 bytes are copied, but the driver counts floor(box / stride), dimension 0 included.
  boundary("V-48", {[](TiledCall& c) {
             c.type = 0, c.rank = 3, c.box = {256, 256, 4}, c.traversal = {8, 1, 1};
           }},
           {});
  boundary("V-43", {[](TiledCall& c) { c.rank = 1; }},
           {[](TiledCall& c) { c.null_map = true; }, [](TiledCall& c) { c.null_dim = true; },
            [](TiledCall& c) { c.rank = 1, c.null_stride = true; }, [](TiledCall& c) { c.null_box = true; },
            [](TiledCall& c) { c.null_traversal = true; }});
  // Accepted against what documents say, V-47, entries beyond the rank.
  boundary("-",
           {[](TiledCall& c) { c.map_at = 1; }, [](TiledCall& c) { c.map_at = 48; },
            [](TiledCall& c) { interleaved(c, 2), c.swizzle = 2; },
            [](TiledCall& c) {
              c.dim = {8, 1};
            },
            [](TiledCall& c) { c.dim[2] = 0, c.stride[1] = 7, c.box[2] = 0, c.traversal[2] = 99; }},
           {});
}

// T0 of the fact sheet, worked out by hand.
TEST(EncodeTiled, WordsWorkedOutByHand) {
  TiledCall call;
  call.rank = 5, call.dim = {256, 255, 5, 3, 2}, call.stride = {512, 0x1230000000, 0xfedcba9870, 16};
  call.box = {64, 8, 2, 3, 2}, call.traversal = {1, 3, 2, 1, 8};
  call.swizzle = 3, call.l2 = 2, call.fill = 1, call.address = 0x1ffeddccbbaa990;
  ASSERT_EQ(call.encode(), "");
  EXPECT_EQ(call.word(0x00), 0xcbbaa990u);
  EXPECT_EQ(call.word(0x04), 0x01ffeddcu);
  EXPECT_EQ(call.word(0x08), 4u << 4 | 6u << 7 | 3u << 13 | 1u << 15 | 2u << 17);
  EXPECT_EQ(call.word(0x0c), 512u / 16);
  EXPECT_EQ(call.word(0x10), 0x23000000u);
  EXPECT_EQ(call.word(0x14), 0xedcba987u);
  EXPECT_EQ(call.word(0x18), 1u);
  EXPECT_EQ(call.word(0x1c), 0x1u << 4 | 0xfu << 8);
  EXPECT_EQ(call.word(0x20), 255u);
  EXPECT_EQ(call.word(0x24), 254u);
  EXPECT_EQ(call.word(0x30), 1u);
  EXPECT_EQ(call.word(0x34), 63u << 24 | 0u | 2u << 3 | 1u << 6 | 0u << 9 | 7u << 12);
  EXPECT_EQ(call.word(0x38), 7u | 1u << 8 | 2u << 16 | 1u << 24);
  EXPECT_EQ(call.word(0x3c), 0u);
  EXPECT_EQ(call.word(0x40), 2u * 64 * 2 * 1 * 3 * 0);  // floor(2/8) = 0
  EXPECT_EQ(call.word(0x44), 0u);
  EXPECT_EQ(call.word(0x48), 1024u);
  for (size_t at = 0x4c; at < 128; at += 4) EXPECT_EQ(call.word(at), 0u) << at;
  EXPECT_EQ(call.memory[128], std::byte{0xcd}) << "nothing beyond the map is written";
}

TEST(EncodeTiled, RejectedCallsDestroyTheMapUnlessAnExtentIsZero) {
  const auto left_alone = [](const Change& change) {
    TiledCall call;
    change(call);
    EXPECT_NE(call.encode(), "");
    int kept = 0;
    for (size_t i = 0; i < 128; ++i) kept += call.memory[i] == std::byte{0xcd};
    EXPECT_EQ(call.memory[128], std::byte{0xcd});
    return kept == 128;
  };
  for (const Change& zero : std::vector<Change>{
           [](TiledCall& c) { c.rank = 0; }, [](TiledCall& c) { c.dim[1] = 0; },
           [](TiledCall& c) { c.box[0] = 0; }, [](TiledCall& c) { c.traversal[1] = 0, c.address = 1; },
           [](TiledCall& c) { c.null_dim = true; }})
    EXPECT_TRUE(left_alone(zero));
  for (const Change& other :
       std::vector<Change>{[](TiledCall& c) { c.address = 1; }, [](TiledCall& c) { c.box[0] = 1; },
                           [](TiledCall& c) { c.rank = 6; }, [](TiledCall& c) { c.type = 13; },
                           [](TiledCall& c) { c.fill = 2; },
                           [](TiledCall& c) {
                             c.box = {256, 256}, c.type = 7;
                           }}) {
    TiledCall call;
    other(call);
    EXPECT_FALSE(left_alone(other));
    call.encode();
    for (size_t i = 0; i < 128; ++i)
      EXPECT_NE(call.memory[i], std::byte{0xcd}) << "byte " << i << " is as before";
  }
}

TEST(EncodeTiled, PackedTypesAndAtomsOfBlackwell) {
  const auto blackwell = [](
                             uint32_t type, const Change& change = [](TiledCall&) {}) {
    return [=](TiledCall& c) {
      c.settings.target = Target::sm_100, c.type = type, c.box[0] = 128;
      change(c);
    };
  };
  boundary("V-07", {blackwell(14), blackwell(13, [](TiledCall& c) { c.address = 16; })},
           {blackwell(14, [](TiledCall& c) { c.address = 16; }),
            blackwell(15, [](TiledCall& c) { c.address = 48; })});
  boundary("V-10", {blackwell(15)},
           {blackwell(15, [](TiledCall& c) { c.dim[0] = 192; }),
            blackwell(14, [](TiledCall& c) { c.dim[0] = 64; })});
  boundary("V-11", {blackwell(13, [](TiledCall& c) { c.dim[0] = 130; })},
           {blackwell(13, [](TiledCall& c) { c.dim[0] = 131; })});
  boundary("V-14", {blackwell(14, [](TiledCall& c) { c.stride[0] = 96; })},
           {blackwell(14, [](TiledCall& c) { c.stride[0] = 80; })});
  boundary("V-16", {blackwell(13, [](TiledCall& c) { c.box[0] = 32; })},
           {blackwell(13, [](TiledCall& c) { c.box[0] = 16; })});
  boundary("V-17", {blackwell(14)},
           {blackwell(14, [](TiledCall& c) { c.box[0] = 64; }),
            blackwell(15, [](TiledCall& c) { c.box[0] = 256; })});
  boundary("V-25", {}, {blackwell(15, [](TiledCall& c) { c.rank = 3, c.interleave = 1; })});
  const auto swizzle = [&](uint32_t type, uint32_t mode) {
    return blackwell(type, [=](TiledCall& c) { c.swizzle = mode; });
  };
  boundary("V-26", {swizzle(14, 0), swizzle(14, 3), swizzle(14, 4), swizzle(15, 6)},
           {swizzle(14, 5), swizzle(14, 6), swizzle(15, 5)});
  boundary("V-23", {blackwell(13, [](TiledCall& c) { c.box[0] = 256, c.swizzle = 5; })},
           {blackwell(0, [](TiledCall& c) { c.box[0] = 144, c.swizzle = 6; })});
  boundary("V-24",
           {[](TiledCall& c) { c.settings.target = Target::sm_100, interleaved(c, 1), c.swizzle = 6; }},
           {[](TiledCall& c) { c.settings.target = Target::sm_100, interleaved(c, 2), c.swizzle = 4; }});
  for (uint32_t mode = 4; mode <= 6; ++mode) {
    TiledCall call;
    call.settings.target = Target::sm_103, call.swizzle = mode;
    ASSERT_EQ(call.encode(), "");
    EXPECT_EQ(call.word(0x08) >> 13 & 3, 3u);
    EXPECT_EQ(call.word(0x08) >> 19 & 7, mode - 3);
  }
}

TEST(EncodeTiled, EachReadingChangesACall) {
  struct Row {
    const char* question;
    char letter;
    Change change;
  };
  const Row rows[] = {
      {"TMA-AMB-09", 'B', [](TiledCall& c) { c.swizzle = 4; }},
      {"TMA-AMB-17", 'B', [](TiledCall& c) { c.swizzle = 3, c.address = 0x100010; }},
      {"TMA-AMB-20", 'B', [](TiledCall& c) { c.stride[0] = 16; }},
      {"X-01", 'A',
       [](TiledCall& c) {
         c.type = 7, c.box = {256, 256};
       }},
      {"X-02", 'A',
       [](TiledCall& c) {
         c.type = 0, c.rank = 3, c.box = {256, 256, 4}, c.traversal = {8, 1, 1};
       }},
      {"X-03", 'A',
       [](TiledCall& c) { c.map_at = 16 - reinterpret_cast<uintptr_t>(c.memory.data()) % 16 + 1; }},
      {"X-04", 'A', [](TiledCall& c) { c.address = 0; }},
      {"X-05", 'A', [](TiledCall& c) { c.address = uint64_t{1} << 58; }},
      {"X-08", 'A', [](TiledCall& c) { interleaved(c, 1), c.box[0] = 1; }},
      {"X-09", 'A', [](TiledCall& c) { c.traversal[0] = 9; }},
      {"X-11", 'A', [](TiledCall& c) { interleaved(c, 2), c.swizzle = 2; }},
      {"X-15", 'A', [](TiledCall& c) { c.rank = 1, c.null_stride = true; }},
  };
  for (const Row& row : rows) {
    const bool by_itself = encode(row.change).empty();
    const bool otherwise = encode([&](TiledCall& c) {
                             row.change(c);
                             c.settings.readings = {{row.question, row.letter}};
                           }).empty();
    EXPECT_NE(by_itself, otherwise) << row.question;
  }
  TiledCall call;
  call.settings.readings = {{"TMA-AMB-28", 'B'}};
  ASSERT_EQ(call.encode(), "");
  EXPECT_EQ(call.word(0x08) >> 21 & 1, 1u) << "the tensor spans 128 KiB";
  TiledCall packed;
  packed.settings.target = Target::sm_100, packed.settings.readings = {{"TMA-AMB-15", 'B'}};
  packed.type = 14, packed.box[0] = 128, packed.swizzle = 6;
  EXPECT_EQ(packed.encode(), "");
}

TEST(ReplaceAddress, LooksAtTheAddressAlone) {
  std::array<std::byte, 128> map{};
  const Settings settings;
  EXPECT_EQ(replace_address(map.data(), 0x10, settings), "");
  EXPECT_EQ(map[0], std::byte{0x10});
  EXPECT_NE(replace_address(map.data(), 0, settings), "");
  EXPECT_NE(replace_address(map.data(), 8, settings), "");
  EXPECT_NE(replace_address(map.data(), uint64_t{1} << 57, settings), "");
  EXPECT_NE(replace_address(nullptr, 16, settings), "");
  EXPECT_EQ(map[0], std::byte{0x10}) << "a refused address is not written";
}

}  // namespace
}  // namespace assay::emulator
