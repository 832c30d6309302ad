// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/encode.h"

#include <gtest/gtest.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {
namespace {

using spec::Arch;

/// T0 of the measurements: f16, rank 2, 256 x 256, box 64 x 8, nothing special.
EncodeTiledCase base() {
  EncodeTiledCase call;
  TensorMapArgs& map = call.map;
  map.data_type = 6;
  map.rank = 2;
  map.global_address = 0x100000;
  map.global_dim = {256, 256};
  map.global_stride = {512};
  map.box_dim = {64, 8};
  map.element_stride = {1, 1};
  return call;
}

/// Rank 3, s32, 32B interleave.
EncodeTiledCase interleaved() {
  EncodeTiledCase call;
  TensorMapArgs& map = call.map;
  map.data_type = 3;
  map.rank = 3;
  map.global_address = 0x100000;
  map.global_dim = {32, 8, 4};
  map.global_stride = {4096, 32768};
  map.box_dim = {8, 1, 1};
  map.element_stride = {1, 1, 1};
  map.interleave = 2;
  map.swizzle = 1;
  return call;
}

std::string broken(const EncodeTiledCase& call, Arch arch = Arch::sm_90) {
  std::string ids;
  for (const spec::RuleIndex rule : broken_rules(call, spec::Readings(arch)))
    ids += (ids.empty() ? "" : " ") + std::string(spec::rules()[rule].id);
  return ids;
}

std::string map_words(const spec::TensorMapBytes& map) {
  std::string text;
  for (int offset = 0; offset < 128; offset += 4) {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word |= static_cast<uint32_t>(map[offset + i]) << (8 * i);
    if (word == 0) continue;
    char entry[24];
    std::snprintf(entry, sizeof entry, "%s%02x:%08x", text.empty() ? "" : " ", offset, word);
    text += entry;
  }
  return text;
}

// Worked out on paper from the bit positions, field by field; never from the table.
TEST(EncodeTiled, GoldenMaps) {
  const spec::Readings readings(Arch::sm_90);
  EXPECT_EQ(map_words(predict_encode(base(), readings).map),
            "00:00100000 08:00000310 0c:00000020 20:000000ff 24:000000ff 34:3f000000 38:00000007 40:00000400 "
            "48:00000010");
  EXPECT_EQ(map_words(predict_encode(interleaved(), readings).map),
            "00:00100000 08:000031a0 0c:00000100 10:00000800 20:0000001f 24:00000007 28:00000003 34:07000000 "
            "40:00000020 "
            "48:00000100");
  EncodeTiledCase full = base();
  full.map = {.global_address = 0x1ff'fedc'ba98'7650,
              .global_dim = {4096, 3, 5, 7, uint64_t{1} << 32},
              .global_stride = {0x12'3456'7890, 0xff'ffff'fff0, 0x10, 0x8000},
              .box_dim = {32, 3, 2, 256, 1},
              .element_stride = {2, 3, 1, 8, 4},
              .data_type = 11,
              .rank = 5,
              .swizzle = 3,
              .l2_promotion = 2,
              .oob_fill = 1};
  // 0x40: 4 bytes * 16 * 1 * 2 * 32 * 0 = 0.
  EXPECT_EQ(map_words(predict_encode(full, readings).map),
            "00:ba987650 04:01fffedc 08:0005e3c0 0c:23456789 10:ffffffff 14:00000001 18:00000800 1c:000000f1 "
            "20:00000fff "
            "24:00000002 28:00000004 2c:00000006 30:ffffffff 34:1f003e11 38:00ff0102 48:00000400");
}

TEST(EncodeTiled, AcceptedMapsAreJudgedInAllBitsOnlyWhereMeasured) {
  const auto all = [](const spec::TensorMapBytes& mask, size_t from, size_t to, std::byte value) {
    for (size_t i = from; i < to; ++i)
      if (mask[i] != value) return false;
    return true;
  };
  EXPECT_TRUE(all(predict_encode(base(), spec::Readings(Arch::sm_90)).defined, 0, 128, std::byte{0xff}));
  const EncodePrediction later = predict_encode(base(), spec::Readings(Arch::sm_100));
  EXPECT_TRUE(all(later.defined, 0, 0x0a, std::byte{0xff}));
  EXPECT_EQ(later.defined[0x0a], std::byte{0xdf});
  EXPECT_TRUE(all(later.defined, 0x0b, 0x40, std::byte{0xff}));
  EXPECT_TRUE(all(later.defined, 0x40, 0x80, std::byte{0}));
}

TEST(EncodeTiled, EntriesAtAndAboveTheRankAreNotRead) {
  EncodeTiledCase call = base();
  call.map.global_dim[2] = 0, call.map.global_dim[4] = ~uint64_t{0};
  call.map.global_stride[1] = 0x7771, call.map.box_dim[2] = 0, call.map.element_stride[3] = 99;
  const spec::Readings readings(Arch::sm_90);
  EXPECT_EQ(predict_encode(call, readings).map, predict_encode(base(), readings).map);
}

struct Boundary {
  const char* what;
  std::function<void(TensorMapArgs&)> change;
  const char* broken;  ///< rules in table order; empty: accepted
  bool interleaved = false;
};

// Just inside and just outside, as measured on the H200.
TEST(EncodeTiled, BoundariesOfEveryRule) {
  using Args = TensorMapArgs;
  const Boundary boundaries[] = {
      {"type 12", [](Args& m) { m.data_type = 12, m.box_dim[0] = 32; }, ""},
      {"type 13", [](Args& m) { m.data_type = 13; }, "V-02"},
      {"type 15", [](Args& m) { m.data_type = 15, m.box_dim[0] = 128; }, "V-02"},
      {"type 16", [](Args& m) { m.data_type = 16; }, "V-02"},
      {"type -1", [](Args& m) { m.data_type = ~0u; }, "V-02"},
      {"rank 0", [](Args& m) { m.rank = 0; }, "V-03"},
      {"rank 5",
       [](Args& m) {
         m.rank = 5, m.global_dim = {256, 2, 2, 2, 2}, m.global_stride = {512, 1024, 2048, 4096},
         m.box_dim = {64, 1, 1, 1, 1}, m.element_stride = {1, 1, 1, 1, 1};
       },
       ""},
      {"rank 6",
       [](Args& m) {
         m.rank = 6, m.global_dim.fill(1), m.box_dim = {8, 1, 1, 1, 1}, m.element_stride.fill(1);
       },
       "V-03"},
      {"interleave, rank 2", [](Args& m) { m.interleave = 1; }, "V-04"},
      {"address + 8", [](Args& m) { m.global_address += 8; }, "V-05"},
      {"address 48", [](Args& m) { m.global_address = 48; }, ""},
      {"32B interleave, address 16", [](Args& m) { m.global_address = 16; }, "V-06", true},
      {"32B interleave, address 32", [](Args& m) { m.global_address = 32; }, "", true},
      {"address 0", [](Args& m) { m.global_address = 0; }, ""},
      {"address 2^57-16", [](Args& m) { m.global_address = (uint64_t{1} << 57) - 16; }, ""},
      {"address 2^57", [](Args& m) { m.global_address = uint64_t{1} << 57; }, "V-49"},
      {"extent 0", [](Args& m) { m.global_dim[1] = 0; }, "V-09"},
      {"extent 2^32", [](Args& m) { m.global_dim[1] = uint64_t{1} << 32; }, ""},
      {"extent 2^32+1", [](Args& m) { m.global_dim[1] = (uint64_t{1} << 32) + 1; }, "V-09"},
      {"stride 0", [](Args& m) { m.global_stride[0] = 0; }, ""},
      {"stride 16", [](Args& m) { m.global_stride[0] = 16; }, ""},
      {"stride 24", [](Args& m) { m.global_stride[0] = 24; }, "V-12"},
      {"stride 2^40-16", [](Args& m) { m.global_stride[0] = (uint64_t{1} << 40) - 16; }, ""},
      {"stride 2^40", [](Args& m) { m.global_stride[0] = uint64_t{1} << 40; }, "V-13"},
      {"32B interleave, stride 48", [](Args& m) { m.global_stride[0] = 48; }, "V-14", true},
      {"32B interleave, stride 2^40-32", [](Args& m) { m.global_stride[1] = (uint64_t{1} << 40) - 32; }, "",
       true},
      {"box 0", [](Args& m) { m.box_dim[1] = 0; }, "V-15"},
      {"box 256", [](Args& m) { m.box_dim[1] = 256; }, ""},
      {"box 257", [](Args& m) { m.box_dim[1] = 257, m.element_stride[1] = 2; }, "V-15"},
      {"inner 8 bytes", [](Args& m) { m.box_dim[0] = 4; }, "V-16"},
      {"inner 16 bytes", [](Args& m) { m.box_dim[0] = 8; }, ""},
      {"inner 24 bytes", [](Args& m) { m.box_dim[0] = 12; }, "V-16"},
      {"interleaved, inner 8 bytes", [](Args& m) { m.box_dim[0] = 2; }, "V-16", true},
      {"traversal 8", [](Args& m) { m.element_stride[1] = 8; }, ""},
      {"traversal 9", [](Args& m) { m.element_stride[1] = 9; }, "V-18"},
      {"traversal 0", [](Args& m) { m.element_stride[1] = 0; }, "V-18"},
      {"traversal[0] 8", [](Args& m) { m.element_stride[0] = 8; }, ""},
      {"traversal[0] 9", [](Args& m) { m.element_stride[0] = 9; }, "V-19"},
      {"traversal[0] 0", [](Args& m) { m.element_stride[0] = 0; }, "V-19"},
      {"interleaved, traversal[0] 9", [](Args& m) { m.element_stride[0] = 9; }, "V-18", true},
      {"interleave 3", [](Args& m) { m.interleave = 3; }, "V-21"},
      {"swizzle 4", [](Args& m) { m.swizzle = 4; }, "V-22"},
      {"swizzle 7", [](Args& m) { m.swizzle = 7; }, "V-22"},
      {"swizzle 0x96", [](Args& m) { m.swizzle = swizzle_96B; }, "V-22"},
      {"128B swizzle, 128 bytes", [](Args& m) { m.swizzle = 3; }, ""},
      {"128B swizzle, 144 bytes", [](Args& m) { m.swizzle = 3, m.box_dim[0] = 72; }, "V-23"},
      {"64B swizzle, 64 bytes", [](Args& m) { m.swizzle = 2, m.box_dim[0] = 32; }, ""},
      {"64B swizzle, 80 bytes", [](Args& m) { m.swizzle = 2, m.box_dim[0] = 40; }, "V-23"},
      {"32B swizzle, 32 bytes", [](Args& m) { m.swizzle = 1, m.box_dim[0] = 16; }, ""},
      {"32B swizzle, 48 bytes", [](Args& m) { m.swizzle = 1, m.box_dim[0] = 24; }, "V-23"},
      {"interleaved, 32B swizzle, long rows", [](Args& m) { m.box_dim[0] = 32; }, "", true},
      {"32B interleave, no swizzle", [](Args& m) { m.swizzle = 0; }, "", true},
      {"32B interleave, 128B swizzle", [](Args& m) { m.swizzle = 3; }, "", true},
      {"NaN fill on f16", [](Args& m) { m.oob_fill = 1; }, ""},
      {"NaN fill on s64", [](Args& m) { m.oob_fill = 1, m.data_type = 5; }, "V-27"},
      {"promotion 3", [](Args& m) { m.l2_promotion = 3; }, ""},
      {"promotion 4", [](Args& m) { m.l2_promotion = 4; }, "V-28"},
      {"fill 2", [](Args& m) { m.oob_fill = 2; }, "V-29"},
      {"box larger than tensor",
       [](Args& m) {
         m.global_dim = {8, 1};
       },
       ""},
      {"f32 256 x 228",
       [](Args& m) {
         m.data_type = 7, m.box_dim = {256, 228};
       },
       ""},
      {"f32 256 x 229",
       [](Args& m) {
         m.data_type = 7, m.box_dim = {256, 229};
       },
       "V-48"},
      {"262144 bytes, less by floor",
       [](Args& m) {
         m.data_type = 0, m.rank = 3, m.global_dim = {256, 256, 16}, m.global_stride = {256, 65536},
         m.box_dim = {256, 256, 4}, m.element_stride = {8, 1, 1};
       },
       ""},
  };
  for (const Boundary& boundary : boundaries) {
    EncodeTiledCase call = boundary.interleaved ? interleaved() : base();
    boundary.change(call.map);
    EXPECT_EQ(broken(call), boundary.broken) << boundary.what;
    EXPECT_EQ(predict_encode(call, spec::Readings(Arch::sm_90)).accepted, boundary.broken[0] == 0)
        << boundary.what;
  }
}

// Packed types and wide atoms from sm_100 on.
TEST(EncodeTiled, BoundariesOfPackedTypes) {
  EncodeTiledCase p64 = base();
  p64.map.data_type = 14, p64.map.box_dim[0] = 128, p64.map.swizzle = 3;
  EXPECT_EQ(broken(p64, Arch::sm_100), "");
  EncodeTiledCase b4 = base();
  b4.map.data_type = 13;
  EXPECT_EQ(broken(b4, Arch::sm_100), "");
  const auto changed = [](EncodeTiledCase call, const std::function<void(TensorMapArgs&)>& change) {
    change(call.map);
    return broken(call, Arch::sm_100);
  };
  // What no encoder takes, a store takes through a map that was rewritten, on sm_103 alone.
  const std::pair<const char*, std::function<void(TensorMapArgs&)>> halved[] = {
      {"V-07", [](auto& m) { m.global_address += 16; }},
      {"V-10", [](auto& m) { m.global_dim[0] = 192; }},
      {"V-14", [](auto& m) { m.global_stride[0] += 16; }},
      {"V-17", [](auto& m) { m.box_dim[0] = 64; }},
      {"V-26", [](auto& m) { m.swizzle = spec::host_swizzle::by_64B, m.box_dim[0] = 64; }}};
  for (const auto& row : halved) {
    const char* const id = row.first;
    SCOPED_TRACE(id);
    TensorMapArgs map = p64.map;
    map.data_type = spec::host_type::b6x16_p32;
    row.second(map);
    const auto breaks = [&](Arch arch, CopyDirection direction) {
      return broken_map_rules(map, spec::Readings(arch), direction).test(*spec::find_rule(id));
    };
    EXPECT_FALSE(breaks(Arch::sm_103, CopyDirection::store));
    EXPECT_TRUE(breaks(Arch::sm_103, CopyDirection::load));
    EXPECT_TRUE(breaks(Arch::sm_100, CopyDirection::store));
    map.box_dim[0] = 48;
    EXPECT_TRUE(broken_map_rules(map, spec::Readings(Arch::sm_103), CopyDirection::store).any());
  }
  EXPECT_EQ(changed(b4, [](auto& m) { m.global_dim[0] = 257; }), "V-11");
  EXPECT_EQ(changed(b4, [](auto& m) { m.box_dim[0] = 48; }), "V-16");
  EXPECT_EQ(changed(b4, [](auto& m) { m.swizzle = 5; }), "");
  EXPECT_EQ(changed(b4, [](auto& m) { m.oob_fill = 1; }), "V-27");
  EXPECT_EQ(changed(p64, [](auto& m) { m.global_address += 16; }), "V-07");
  EXPECT_EQ(changed(p64, [](auto& m) { m.global_dim[0] = 192; }), "V-10");
  EXPECT_EQ(changed(p64, [](auto& m) { m.global_stride[0] = 528; }), "V-14");
  EXPECT_EQ(changed(p64, [](auto& m) { m.box_dim[0] = 64; }), "V-17");
  EXPECT_EQ(changed(p64, [](auto& m) { m.swizzle = 2; }), "V-26");
  EXPECT_EQ(changed(p64, [](auto& m) { m.swizzle = 4; }), "");
  EXPECT_EQ(changed(p64, [](auto& m) { m.swizzle = 5; }), "V-46");
  EXPECT_EQ(changed(p64, [](auto& m) { m.swizzle = 6; }), "V-26");
  EXPECT_EQ(changed(p64, [](auto& m) { m.data_type = 15, m.swizzle = 6; }), "");
  EXPECT_EQ(changed(p64,
                    [](auto& m) {
                      m.data_type = 15, m.rank = 3, m.interleave = 1, m.global_dim[2] = 1,
                      m.global_stride[1] = 32, m.box_dim[2] = m.element_stride[2] = 1;
                    }),
            "V-25");
}

TEST(EncodeTiled, NullPointers) {
  for (const uint32_t bit : {1u, 2u, 4u, 8u, 16u}) {
    EncodeTiledCase call = base();
    call.null_mask = bit;
    EXPECT_EQ(broken(call), "V-43") << bit;
  }
  EncodeTiledCase one = base();
  one.map.rank = 1, one.null_mask = 4;
  EXPECT_EQ(broken(one), "V-43") << "strides of a rank 1 map";
}

TEST(EncodeTiled, MapPointersOfAnyAlignmentAreTaken) {
  EncodeTiledCase call = base();
  for (call.map_offset = 1; call.map_offset < 64; ++call.map_offset) EXPECT_EQ(broken(call), "");
}

TEST(EncodeTiled, ARefusedCallLeavesTheMapAloneOnlyForAZero) {
  const spec::Readings readings(Arch::sm_90);
  const auto untouched = [&](const std::function<void(EncodeTiledCase&)>& change) {
    EncodeTiledCase call = base();
    change(call);
    const EncodePrediction prediction = predict_encode(call, readings);
    EXPECT_FALSE(prediction.accepted);
    return prediction.map_untouched;
  };
  EXPECT_TRUE(untouched([](auto& c) { c.map.rank = 0; }));
  EXPECT_TRUE(untouched([](auto& c) { c.map.global_dim[1] = 0; }));
  EXPECT_TRUE(untouched([](auto& c) { c.map.box_dim[0] = 0; }));
  EXPECT_TRUE(untouched([](auto& c) { c.map.element_stride[0] = 0; }));
  EXPECT_TRUE(untouched([](auto& c) { c.map.element_stride[1] = 0, c.map.data_type = 99; }));
  EXPECT_FALSE(untouched([](auto& c) { c.map.data_type = 99; }));
  EXPECT_FALSE(untouched([](auto& c) { c.map.global_dim[1] = ~uint64_t{0}; }));
  EXPECT_FALSE(untouched([](auto& c) { c.null_mask = 2, c.map.rank = 0; }))
      << "null pointers were not examined";
  EXPECT_FALSE(untouched([](auto& c) { c.map.rank = 6, c.map.global_dim[0] = 0; }))
      << "nor were ranks above 5";
}

TEST(EncodeTiled, AnyOtherRefusalLeavesNothingOfTheMapWhereThatWasMeasured) {
  const auto emptied = [&](Arch arch, const std::function<void(EncodeTiledCase&)>& change) {
    EncodeTiledCase call = base();
    change(call);
    const EncodePrediction prediction = predict_encode(call, spec::Readings(arch));
    EXPECT_FALSE(prediction.accepted);
    EXPECT_EQ(prediction.map_emptied, prediction.defined == spec::bits_without_field);
    return prediction.map_emptied;
  };
  const auto wrong_type = [](EncodeTiledCase& c) { c.map.data_type = 99; };
  EXPECT_TRUE(emptied(Arch::sm_90, wrong_type));
  EXPECT_TRUE(emptied(Arch::sm_90, [](auto& c) { c.map.global_dim[1] = ~uint64_t{0}; }));
  EXPECT_FALSE(emptied(Arch::sm_100, wrong_type));
  EXPECT_FALSE(emptied(Arch::sm_90, [](auto& c) { c.map.box_dim[0] = 0; })) << "left alone for a zero";
  EXPECT_FALSE(emptied(Arch::sm_90, [](auto& c) { c.null_mask = 2; })) << "null pointers were not examined";
  EXPECT_FALSE(emptied(Arch::sm_90, [](auto& c) { c.map.rank = 6; })) << "nor were ranks above 5";
  // What no field is for: nothing of the address, all of the last word.
  EXPECT_EQ(spec::bits_without_field[0], std::byte{0});
  EXPECT_EQ(spec::bits_without_field[127], std::byte{0xff});
}

TEST(ReplaceAddress, ChangesTheAddressAlone) {
  for (const Arch arch : {Arch::sm_90, Arch::sm_100}) {
    const spec::Readings readings(arch);
    EncodeTiledCase call = base();
    const EncodePrediction before = predict_encode(call, readings);
    call.replaces = true;
    const auto accepts = [&](uint64_t address) {
      call.replacement = address;
      return predict_encode(call, readings).accepted;
    };
    for (const uint64_t address : {uint64_t{16}, uint64_t{1} << 40, (uint64_t{1} << 57) - 16})
      EXPECT_TRUE(accepts(address)) << address;
    for (const uint64_t address :
         {uint64_t{0}, uint64_t{8}, uint64_t{17}, uint64_t{1} << 57, uint64_t{1} << 63})
      EXPECT_FALSE(accepts(address)) << address;
    ASSERT_TRUE(accepts(0x1234567890));
    EncodePrediction after = predict_encode(call, readings);
    EXPECT_EQ(spec::get(after.map, spec::tensor_map::global_address), 0x1234567890u);
    spec::put(after.map, spec::tensor_map::global_address, call.map.global_address);
    EXPECT_EQ(after.map, before.map);
    EXPECT_EQ(after.defined, before.defined);
  }
}

TEST(EncodeTiled, ARankFarOutOfRangeMayEndTheProcess) {
  const spec::Readings readings(Arch::sm_90);
  EncodeTiledCase call = base();
  call.map.rank = 31;
  EXPECT_FALSE(predict_encode(call, readings).may_crash);
  call.map.rank = ~0u;
  EXPECT_TRUE(predict_encode(call, readings).may_crash);
  EXPECT_FALSE(predict_encode(call, readings).accepted);
}

namespace bits = spec::tensor_map;

Im2colMapArgs some_map(uint32_t rank) {
  Im2colMapArgs map;
  map.rank = rank;
  map.data_type = 6;  // f16
  map.global_address = 4096;
  map.global_dim = {64, 20, 10, 6, 4};
  map.global_stride = {128, 4096, 65536, 1 << 20};
  map.element_stride.fill(1);
  map.swizzle = 3;
  map.channels = 64;
  map.pixels = 32;
  for (uint32_t k = 0; k < spatial_axes(rank); ++k)
    map.lower[k] = -1 - static_cast<int32_t>(k), map.upper[k] = 2;
  return map;
}

/// By hand: what the emulated driver puts where, spec/tensor_map_bits.h.
spec::TensorMapBytes wide_map(uint32_t rank, bool is_128, int lower, int upper) {
  Im2colMapArgs map = some_map(rank);
  map.lower = map.upper = {};
  spec::TensorMapBytes bytes = encode_im2col_map(map, spec::Readings(spec::Arch::sm_90));
  bytes[0x08] |= static_cast<std::byte>(is_128 ? 6 : 2);
  bytes[0x38] = static_cast<std::byte>(lower), bytes[0x39] = static_cast<std::byte>(lower >> 8);
  bytes[0x3a] = static_cast<std::byte>(upper), bytes[0x3b] = static_cast<std::byte>(upper >> 8);
  return bytes;
}

TEST(MapArguments, OfIm2colMapsAreThoseThatTheyWereEncodedFrom) {
  for (const uint32_t rank : {3, 4, 5}) {
    const Im2colMapArgs map = some_map(rank);
    const MapArguments read = arguments_of(encode_im2col_map(map, spec::Readings(spec::Arch::sm_90)));
    EXPECT_TRUE(read.is_im2col);
    EXPECT_EQ(read.map.lower, map.lower) << rank;
    EXPECT_EQ(read.map.upper, map.upper) << rank;
    EXPECT_EQ(read.map.channels, map.channels);
    EXPECT_EQ(read.map.pixels, map.pixels);
  }
}

TEST(MapArguments, OfWideMapsHaveTheCornersOfWIn16Bits) {
  for (const uint32_t rank : {3, 4, 5})
    for (const bool is_128 : {false, true}) {
      const spec::TensorMapBytes bytes = wide_map(rank, is_128, -300, 255);
      const MapArguments read = arguments_of(bytes, spec::Readings(spec::Arch::sm_100));
      EXPECT_TRUE(read.map.wide);
      EXPECT_EQ(read.map.wide_mode, is_128 ? 1u : 0u);
      EXPECT_EQ(read.map.lower, (std::array<int32_t, 3>{-300, 0, 0})) << rank;
      EXPECT_EQ(read.map.upper, (std::array<int32_t, 3>{255, 0, 0})) << rank;
      // On an H200 the bits mean nothing.
      EXPECT_FALSE(arguments_of(bytes, spec::Readings(spec::Arch::sm_90)).map.wide);
      EXPECT_FALSE(arguments_of(bytes).map.wide);
    }
}

TEST(DescribeMap, WideMapsAreReadAndHeldAgainstTheirRules) {
  const spec::TensorMapBytes good = wide_map(4, true, -3, 2);
  const std::string text = describe_map(good, spec::Arch::sm_100, false);
  EXPECT_NE(text.find("im2col::w::128 tensor map\n"), std::string::npos) << text;
  EXPECT_NE(text.find("lower_corner[0]      -3 "), std::string::npos) << text;
  EXPECT_NE(text.find("no document tells"), std::string::npos) << text;
  EXPECT_NE(text.find("no violation on sm_100"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(describe_map(good, spec::Arch::sm_100, true));
  EXPECT_EQ(json.at("mode"), "im2col::w::128");
  EXPECT_TRUE(json.at("violations").empty());

  spec::TensorMapBytes wrong = wide_map(4, false, -3, 2);
  put_raw(wrong, bits::swizzle_width, 1);
  EXPECT_NE(describe_map(wrong, spec::Arch::sm_100, false).find("violates V-38"), std::string::npos);
  put_raw(wrong, bits::interleave, 1);
  EXPECT_NE(describe_map(wrong, spec::Arch::sm_100, false).find("violates V-39"), std::string::npos);
  // The same words on an H200 are those of a plain map.
  EXPECT_EQ(describe_map(good, spec::Arch::sm_90, false).find("im2col tensor map\n"), 0u);
}

TEST(DescribeMap, SaysWhichRuleRefusesAnIm2colMap) {
  const auto violations = [](const Im2colMapArgs& map) {
    return describe_map(encode_im2col_map(map, spec::Readings(spec::Arch::sm_90)), spec::Arch::sm_90, false);
  };
  Im2colMapArgs map = some_map(4);
  EXPECT_NE(violations(map).find("no violation on sm_90"), std::string::npos) << violations(map);
  map.lower[0] = 30;  // beyond the last column
  EXPECT_NE(violations(map).find("violates V-34"), std::string::npos) << violations(map);
  map = some_map(4);
  map.channels = 3;
  EXPECT_NE(violations(map).find("violates V-35"), std::string::npos) << violations(map);
  map = some_map(4);
  map.data_type = 1, map.oob_fill = 1;  // u16
  EXPECT_NE(violations(map).find("violates V-27"), std::string::npos) << violations(map);
}

}  // namespace
}  // namespace assay::model
