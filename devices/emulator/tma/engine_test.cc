// SPDX-License-Identifier: Apache-2.0
// The engine against what the H200 did, row by row of the fact sheet; expected values are worked out here by
// plain arithmetic on coordinates, not by the engine's formulas.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "devices/emulator/tma/copy_rig_test.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {
namespace {

namespace bits = spec::tensor_map;
using Kind = Diagnostic::Kind;

/// A tensor of `types` with unit traversal strides.
CopyRig rig_of(uint32_t type, std::vector<uint64_t> dim, std::vector<uint64_t> stride,
               std::vector<uint32_t> box, std::vector<int32_t> coord, Target target = Target::sm_90) {
  CopyRig rig;
  rig.settings.target = target;
  rig.data_type = type, rig.rank = static_cast<uint32_t>(dim.size());
  rig.traversal.assign(dim.size(), 1);
  rig.dim = std::move(dim), rig.stride = std::move(stride), rig.box = std::move(box),
  rig.coord = std::move(coord);
  rig.global_bytes.resize(1 << 16);
  for (size_t i = 0; i < rig.global_bytes.size(); ++i)
    rig.global_bytes[i] = static_cast<std::byte>(i ^ i >> 8);
  return rig;
}
CopyRig encoded(CopyRig rig) {
  EXPECT_EQ(rig.encode(), "");
  return rig;
}
/// A byte matrix of 64 x 64, a box of 32 x 4 at (0, 0).
CopyRig bytes_rig() {
  return rig_of(0, {64, 64}, {64}, {32, 4}, {0, 0});
}
std::byte at_offset(uint64_t offset) {
  return static_cast<std::byte>(offset ^ offset >> 8);
}

TEST(TmaEngine, IndexArithmeticIsWiderThan32Bits) {  // L-02
  CopyRig rig = encoded(rig_of(0, {64, uint64_t{1} << 31}, {0}, {16, 4}, {0, 0x7ffffffe}));
  ASSERT_FALSE(rig.run());
  for (uint32_t row = 0; row < 4; ++row)
    for (uint32_t i = 0; i < 16; ++i)
      EXPECT_EQ(rig.shared[0x400 + row * 16 + i], row < 2 ? at_offset(i) : std::byte{0}) << row;
  rig.coord[1] = INT32_MIN;
  EXPECT_FALSE(rig.run());
  EXPECT_EQ(rig.shared[0x400], std::byte{0});
}

TEST(TmaEngine, TraversalStridesCountUpAndMayExceedTheBox) {  // L-05, L-06
  CopyRig rig = rig_of(0, {64, 64}, {64}, {16, 7}, {0, 1});
  rig.traversal = {8, 3};
  rig = encoded(rig);
  EXPECT_EQ(rig.plan().transaction_bytes, 16u * 3);
  ASSERT_FALSE(rig.run());
  for (uint32_t row = 0; row < 3; ++row)
    EXPECT_EQ(rig.shared[0x400 + row * 16 + 5], at_offset((1 + 3 * row) * 64 + 5));
  EXPECT_EQ(rig.shared[0x400 + 48], std::byte{0xcd});
  rig.box = {16, 2}, rig.traversal = {1, 8};
  rig = encoded(rig);
  EXPECT_EQ(rig.plan().transaction_bytes, 16u);
}

TEST(TmaEngine, StridesArePlainArithmetic) {  // L-08
  for (const uint64_t stride : {0, 16, 48}) {
    CopyRig rig = encoded(rig_of(0, {64, 8}, {stride}, {32, 4}, {16, 2}));
    ASSERT_FALSE(rig.run());
    for (uint32_t row = 0; row < 4; ++row)
      EXPECT_EQ(rig.shared[0x400 + row * 32 + 3], at_offset((row + 2) * stride + 19)) << stride;
  }
}

TEST(TmaEngine, LoadsClipPerElement) {  // L-07
  CopyRig rig = encoded(rig_of(1, {5}, {}, {8}, {0}));
  ASSERT_FALSE(rig.run());
  for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(rig.shared[0x400 + i], i < 10 ? at_offset(i) : std::byte{0});
}

TEST(TmaEngine, NarrowRowsAreASpanApart) {  // W-02
  CopyRig rig = rig_of(0, {64, 64}, {64}, {16, 3}, {0, 0});
  rig.swizzle = 2;
  rig = encoded(rig);
  EXPECT_EQ(rig.plan().transaction_bytes, 48u);
  ASSERT_FALSE(rig.run());
  // Row 2 begins at 0x480: its line has number 9, so the low two bits of the chunk are flipped by 1.
  EXPECT_EQ(rig.shared[0x400 + 1], at_offset(1));
  EXPECT_EQ(rig.shared[0x400 + 64 + 1], at_offset(64 + 1));
  EXPECT_EQ(rig.shared[0x480 + 16 + 1], at_offset(128 + 1));
  for (const uint32_t gap : {0x410, 0x430, 0x450, 0x480, 0x4a0})
    EXPECT_EQ(rig.shared[gap], std::byte{0xcd}) << gap;
}

TEST(TmaEngine, InterleavedRowsAreDenseUnderSwizzle) {  // W-04
  CopyRig rig = rig_of(1, {64, 4, 4}, {1024, 4096}, {16, 1, 2}, {0, 1, 1});
  rig.interleave = 1, rig.swizzle = 1;
  rig = encoded(rig);
  ASSERT_FALSE(rig.run());
  for (uint32_t n = 0; n < 2; ++n)
    for (uint32_t slice = 0; slice < 16; ++slice) {
      const uint32_t dense = n * 256 + slice * 16;
      const uint32_t place = (dense / 128) % 2 == 0 ? dense : dense ^ 16;
      EXPECT_EQ(rig.shared[0x400 + place], at_offset((n + 1) * 4096 + 1024 + slice * 16))
          << n << " " << slice;
    }
}

TEST(TmaEngine, InterleaveLoadsOneChannelSlice) {  // I-01, I-02, I-07
  CopyRig rig = rig_of(1, {64, 16, 8}, {1024, 16384}, {24, 4, 3}, {3, 2, 1});
  rig.interleave = 1;
  rig = encoded(rig);
  EXPECT_EQ(rig.plan().transaction_bytes, 3u * 384);
  ASSERT_FALSE(rig.run());
  for (uint32_t n = 0; n < 3; ++n)
    for (uint32_t slice = 0; slice < 24; ++slice)
      EXPECT_EQ(rig.shared[0x400 + n * 384 + slice * 16 + 7],
                at_offset((n + 1) * 16384 + 2 * 1024 + (slice + 3) * 16 + 7));
  rig.box = {8, 4, 3}, rig.traversal = {2, 1, 1}, rig.coord = {0, 0, 0};
  rig = encoded(rig);
  EXPECT_EQ(rig.plan().transaction_bytes, 3u * 64);
  ASSERT_FALSE(rig.run());
  for (uint32_t slice = 0; slice < 4; ++slice)
    EXPECT_EQ(rig.shared[0x400 + slice * 16], at_offset(slice * 32));
  // What the encoder refuses works when the map is edited: boxes of 1 or 3 slices of 16 bytes in a type of 2.
  spec::put(rig.map, bits::box_dim[0], 3);
  EXPECT_EQ(rig.plan().transaction_bytes, 3u * 32);
}

TEST(TmaEngine, NanFillIsTheSameInEveryHalf) {  // F-02
  for (const uint32_t type : {6, 7, 8, 9, 10, 11, 12}) {
    CopyRig rig = rig_of(type, {64}, {}, {16}, {0x4000});
    rig.fill = 1;
    rig = encoded(rig);
    ASSERT_FALSE(rig.run());
    for (uint32_t i = 0; i < 32; i += 2) {
      EXPECT_EQ(rig.shared[0x400 + i], std::byte{0xf7}) << type;
      EXPECT_EQ(rig.shared[0x401 + i], std::byte{0x7f}) << type;
    }
  }
}

TEST(TmaEngine, Tf32RoundsOnLoadOnly) {  // F-06, F-07
  const std::pair<uint32_t, uint32_t> words[] = {
      {0x3f801000, 0x3f800000}, {0x3f803000, 0x3f804000}, {0x3f801001, 0x3f802000}, {0x3f805000, 0x3f804000},
      {0x7f7ff000, 0x7f800000}, {0x7f800001, 0x7fffe000}, {0xff800001, 0x7fffe000}, {0x00001000, 0x00000000},
      {0x00003000, 0x00004000}, {0xff800000, 0xff800000}, {0x80001001, 0x80002000}, {0x00000000, 0x00000000}};
  for (const uint32_t type : {11, 12}) {
    CopyRig rig = encoded(rig_of(type, {12}, {}, {12}, {0}));
    for (size_t i = 0; i < std::size(words); ++i) std::memcpy(&rig.global_bytes[4 * i], &words[i].first, 4);
    ASSERT_FALSE(rig.run());
    for (size_t i = 0; i < std::size(words); ++i) {
      uint32_t seen;
      std::memcpy(&seen, &rig.shared[0x400 + 4 * i], 4);
      EXPECT_EQ(seen, words[i].second) << std::hex << words[i].first;
    }
    rig.kind = TensorCopyKind::store;
    std::memcpy(&rig.shared[0x400], &words[5].first, 4);
    ASSERT_FALSE(rig.run());
    EXPECT_EQ(std::memcmp(rig.global_bytes.data(), &words[5].first, 4), 0);
  }
}

TEST(TmaEngine, StoresClipInPiecesOf16Bytes) {  // S-01, S-03, S-05
  CopyRig rig = rig_of(0, {17, 3}, {80}, {64, 4}, {0, 1});
  rig.kind = TensorCopyKind::store;
  rig = encoded(rig);
  rig.global_bytes.assign(400, std::byte{0xee});
  ASSERT_FALSE(rig.run());
  for (uint32_t row = 0; row < 5; ++row)
    for (uint32_t i = 0; i < 80; ++i)
      EXPECT_EQ(rig.global_bytes[row * 80 + i],
                (row == 1 || row == 2) && i < 32 ? std::byte{0xcd} : std::byte{0xee})
          << row << " " << i;
  rig.coord = {32, 0};
  rig.global_bytes.assign(400, std::byte{0xee});
  ASSERT_FALSE(rig.run());
  EXPECT_EQ(rig.global_bytes, std::vector<std::byte>(400, std::byte{0xee}));
}

/// A change of a good map or request, and how the hardware of each target answers.
struct FaultRow {
  const char* id;
  std::function<void(CopyRig&)> spoil;
  std::optional<Kind> hopper, blackwell;
};

TEST(TmaEngine, FaultsAreThoseOfTheHardware) {
  const auto set = [](const spec::Field& field, uint64_t raw) {
    return [=](CopyRig& rig) { spec::put_raw(rig.map, field, raw); };
  };
  const auto store = [](CopyRig& rig) { rig.kind = TensorCopyKind::store; };
  const Kind ill = Kind::illegal_instruction, mis = Kind::misaligned_address, adr = Kind::illegal_address;
  const FaultRow table[] = {
      {"a good map", [](CopyRig&) {}, {}, {}},
      {"mode im2col", set(bits::mode, 1), ill, ill},
      {"rank 3", set(bits::rank, 2), ill, ill},
      {"rank 6", set(bits::rank, 5), ill, ill},
      {"type 11 (b4x16)", [&](CopyRig& rig) { set(bits::type, 11)(rig); }, ill, {}},
      {"type 14", set(bits::type, 14), ill, ill},
      {"type 15", set(bits::type, 15), ill, ill},
      {"interleave, rank 2", set(bits::interleave, 1), ill, ill},
      {"NaN fill of bytes", set(bits::fill, 1), ill, ill},
      {"tf32 flag on bytes", set(bits::tf32, 1), ill, ill},
      {"L2 promotion", set(bits::l2_promotion, 3), {}, {}},
      {"atomicity without swizzle", set(bits::swizzle_atomicity, 1), {}, {}},
      {"atomicity with 64B swizzle",
       [&](CopyRig& rig) { set(bits::swizzle_width, 2)(rig), set(bits::swizzle_atomicity, 1)(rig); },
       {},
       ill},
      {"bit 21", set(bits::swizzle_atomicity, 4), {}, {}},
      {"96B bit", set(bits::swizzle_96B, 1), {}, {}},
      {"box of 8 bytes", set(bits::box_dim[0], 7), ill, ill},
      {"box wider than the span",
       [&](CopyRig& rig) { set(bits::swizzle_width, 1)(rig), set(bits::box_dim[0], 47)(rig); }, ill, ill},
      {"dimension of 2^31", set(bits::global_dim[1], 0x7fffffff), {}, {}},
      {"dimension above 2^31", set(bits::global_dim[1], 0x80000000), ill, ill},
      {"dimension beyond the rank", set(bits::global_dim[2], 0xffffffff), {}, {}},
      {"address on 8 bytes", [](CopyRig& rig) { rig.map[0] |= std::byte{8}; }, mis, mis},
      {"all ones beyond the part that is read",
       [](CopyRig& rig) { std::fill(rig.map.begin() + 64, rig.map.end(), std::byte{255}); },
       {},
       {}},
      {"all zero", [](CopyRig& rig) { rig.map = {}; }, ill, ill},
      {"all one", [](CopyRig& rig) { rig.map.fill(std::byte{255}); }, ill, ill},
      {"shared address on 64 bytes", [](CopyRig& rig) { rig.shared_address += 64; }, mis, mis},
      {"shared address on 1 byte", [](CopyRig& rig) { rig.shared_address += 1; }, mis, mis},
      {"start on 4 bytes, far outside",
       [](CopyRig& rig) {
         rig.coord = {4, 5000};
       },
       ill, ill},
      {"start at -1",
       [](CopyRig& rig) {
         rig.coord = {-1, 0};
       },
       ill, ill},
      {"negative start of a load",
       [](CopyRig& rig) {
         rig.coord = {-16, -3};
       },
       {},
       {}},
      {"negative start of a store",
       [&](CopyRig& rig) {
         store(rig), rig.coord = {0, -3};
       },
       ill, ill},
      {"prefetch on 4 bytes",
       [](CopyRig& rig) {
         rig.kind = TensorCopyKind::prefetch, rig.coord = {4, 0};
       },
       ill, ill},
      {"prefetch of unmapped memory",
       [](CopyRig& rig) { rig.kind = TensorCopyKind::prefetch, rig.map[3] = std::byte{1}; },
       {},
       {}},
      {"unmapped tensor, box outside",
       [](CopyRig& rig) {
         rig.map[3] = std::byte{1}, rig.coord = {0, 5000};
       },
       adr, adr},
      {"box beyond shared memory", [](CopyRig& rig) { rig.shared_address = CopyRig::shared_bytes; }, adr,
       adr},
      {"box larger than shared memory",
       [&](CopyRig& rig) {
         set(bits::rank, 2)(rig), rig.rank = 3, rig.coord = {0, 0, 0};
         for (const int i : {0, 1, 2}) set(bits::box_dim[i], 255)(rig);
       },
       adr, adr},
  };
  for (const Target target : {Target::sm_90, Target::sm_100, Target::sm_103})
    for (const FaultRow& row : table) {
      CopyRig rig = encoded(bytes_rig());
      rig.settings.target = target;
      row.spoil(rig);
      const auto fault = rig.run();
      auto want = target == Target::sm_90 ? row.hopper : row.blackwell;
      ASSERT_EQ(fault.has_value(), want.has_value()) << row.id << (fault ? fault->message : "");
      EXPECT_TRUE(!fault || fault->kind == *want) << row.id << (fault ? fault->message : "");
    }
}

TEST(TmaEngine, RowsOutsideMayHaveAddressesThatAreNotMapped) {
  CopyRig rig = encoded(rig_of(0, {64, 4}, {1 << 14}, {16, 4}, {0, 2}));
  EXPECT_FALSE(rig.run()) << "rows 4 and 5 would lie beyond the memory";
}

TEST(TmaEngine, The96BSwizzleExistsOnSm103Alone) {
  for (const Target target : {Target::sm_90, Target::sm_100, Target::sm_103}) {
    CopyRig rig = rig_of(0, {96, 8}, {96}, {96, 4}, {0, 0}, target);
    rig = encoded(rig);
    spec::put_raw(rig.map, bits::swizzle_96B, 1);
    ASSERT_FALSE(rig.run());
    // Byte 128 of the dense image is byte 32 of row 1; in an odd line chunks change places in pairs.
    const bool moved = rig.shared[0x400 + 144] == at_offset(128) && rig.shared[0x400 + 128] == at_offset(144);
    EXPECT_EQ(moved, target == Target::sm_103);
  }
  CopyRig wide = encoded(rig_of(0, {128, 8}, {128}, {112, 4}, {0, 0}, Target::sm_103));
  spec::put_raw(wide.map, bits::swizzle_96B, 1);
  EXPECT_TRUE(wide.run());
}

TEST(TmaEngine, PackedTypesObeyTheirRestrictions) {
  const auto fault_of = [](uint32_t type, TensorCopyKind kind, int32_t start, Target target,
                           uint32_t box = 128) {
    CopyRig rig = rig_of(type, {256, 4}, {192}, {128, 2}, {start, 0}, target);
    EXPECT_EQ(rig.encode(), "");
    spec::put(rig.map, bits::box_dim[0], box);
    rig.kind = kind;
    return rig.run().has_value();
  };
  const auto load = TensorCopyKind::load, store = TensorCopyKind::store;
  for (const Target target : {Target::sm_100, Target::sm_103}) {
    const bool ultra = target == Target::sm_103;
    EXPECT_FALSE(fault_of(13, load, 32, target));
    EXPECT_TRUE(fault_of(13, load, 16, target));
    EXPECT_FALSE(fault_of(13, store, 32, target));
    EXPECT_FALSE(fault_of(14, load, 128, target));
    EXPECT_TRUE(fault_of(14, load, 64, target));
    EXPECT_TRUE(fault_of(14, store, 0, target)) << "b4x16_p64 can be loaded only";
    EXPECT_FALSE(fault_of(15, load, 128, target));
    EXPECT_FALSE(fault_of(15, store, 128, target));
    EXPECT_EQ(fault_of(15, store, 64, target), !ultra) << "boxes of 64 elements are stored by sm_103a";
    EXPECT_EQ(fault_of(15, store, 0, target, 64), !ultra);
    EXPECT_TRUE(fault_of(15, load, 0, target, 64));
  }
}

TEST(TmaEngine, StoresOfSixBitsTakeHalfOfEveryLimitOnSm103Alone) {
  struct Limit {
    const spec::Field& field;
    uint64_t value;  ///< of the address what is added
  };
  const Limit limits[] = {{bits::global_dim[0], 192},
                          {bits::global_stride[0], 208},
                          {bits::global_address, 16},
                          {bits::swizzle_width, 2}};
  const auto faults = [](const Limit& limit, uint32_t box, TensorCopyKind kind, Target target) {
    CopyRig rig = rig_of(15, {256, 4}, {224}, {128, 2}, {0, 0}, target);
    EXPECT_EQ(rig.encode(), "");
    spec::put(rig.map, bits::box_dim[0], box);
    const bool is_address = &limit.field == &bits::global_address;
    const uint64_t before = spec::get(rig.map, bits::global_address);
    spec::put(rig.map, limit.field, limit.value + (is_address ? before : 0));
    rig.kind = kind;
    return rig.run().has_value();
  };
  const auto load = TensorCopyKind::load, store = TensorCopyKind::store;
  for (const Limit& limit : limits) {
    SCOPED_TRACE(limit.field.name);
    EXPECT_FALSE(faults(limit, 64, store, Target::sm_103));
    EXPECT_TRUE(faults(limit, 48, store, Target::sm_103));
    EXPECT_TRUE(faults(limit, 128, store, Target::sm_100));
    EXPECT_TRUE(faults(limit, 128, load, Target::sm_103));
    EXPECT_EQ(faults(limit, 128, store, Target::sm_103), &limit.field == &bits::swizzle_width)
        << "a row of 128 bytes is wider than a span of 64";
  }
}

/// A copy that the reading decides: what the device does by itself and under the reading must differ.
TEST(TmaEngine, EachReadingChangesACopy) {
  struct Row {
    const char* question;
    char letter;
    std::function<CopyRig()> make;
  };
  const auto swizzled = [](uint32_t swizzle, uint32_t box, Target target = Target::sm_90) {
    return [=] {
      CopyRig rig = rig_of(0, {128, 8}, {128}, {box, 4}, {0, 0}, target);
      rig.swizzle = swizzle;
      return encoded(rig);
    };
  };
  const auto filled = [] {
    CopyRig rig = rig_of(7, {64}, {}, {16}, {0x4000});
    rig.fill = 1;
    return encoded(rig);
  };
  const auto words = [](uint32_t type) {
    return [=] {
      CopyRig rig = encoded(rig_of(type, {12}, {}, {12}, {0}));
      const uint32_t values[] = {0x3f801000, 0x3f803000, 0x00000001, 0x3f801001, 0x3f805000, 0x7f800001};
      std::memcpy(rig.global_bytes.data(), values, sizeof values);
      return rig;
    };
  };
  const auto interleaved = [] {
    CopyRig rig = rig_of(1, {64, 16, 3}, {1024, 16384}, {8, 4, 1}, {0, 0, 0});
    rig.interleave = 1;
    return encoded(rig);
  };
  const auto moved = [](std::function<CopyRig()> make, std::vector<int32_t> coord) {
    return [=] {
      CopyRig rig = make();
      rig.coord = coord;
      return rig;
    };
  };
  const auto stored = [](std::function<CopyRig()> make) {
    return [=] {
      CopyRig rig = make();
      rig.kind = TensorCopyKind::store;
      return rig;
    };
  };
  const auto plain = [] { return encoded(bytes_rig()); };
  const auto packed = [](uint32_t type) {
    return [=] { return encoded(rig_of(type, {256, 4}, {192}, {128, 2}, {0, 0}, Target::sm_100)); };
  };
  const Row rows[] = {
      {"TMA-AMB-04", 'B', swizzled(3, 32)},
      {"TMA-AMB-04", 'C', swizzled(3, 32)},
      {"TMA-AMB-05", 'B', filled},
      {"TMA-AMB-05", 'C', filled},
      {"TMA-AMB-06", 'B', words(10)},
      {"TMA-AMB-07", 'B', words(11)},
      {"TMA-AMB-07", 'C', words(11)},
      {"TMA-AMB-07", 'D', words(11)},
      {"TMA-AMB-08", 'B', moved(plain, {4, 0})},
      {"TMA-AMB-10", 'B', swizzled(5, 128, Target::sm_100)},
      {"TMA-AMB-11", 'B',
       [] {
         CopyRig rig = encoded(rig_of(0, {96, 8}, {96}, {96, 4}, {0, 0}, Target::sm_103));
         spec::put_raw(rig.map, bits::swizzle_96B, 1);
         return rig;
       }},
      {"TMA-AMB-12", 'B', interleaved},
      {"TMA-AMB-12", 'C', interleaved},
      {"TMA-AMB-15", 'B',
       [&] {
         CopyRig rig = packed(15)();
         spec::put_raw(rig.map, bits::swizzle_width, 3), spec::put_raw(rig.map, bits::swizzle_atomicity, 3);
         return rig;
       }},
      {"TMA-AMB-16", 'A',
       [&] {
         CopyRig rig = plain();
         rig.shared_address += 16;
         return rig;
       }},
      {"TMA-AMB-18", 'B', moved(plain, {0, 62})},
      {"TMA-AMB-19", 'A', stored(moved(plain, {0, -2}))},
      {"TMA-AMB-32", 'B', stored(words(11))},
      {"TMA-AMB-33", 'B', packed(14)},
      {"TMA-AMB-34", 'B', moved(packed(13), {2, 0})},
      {"X-06", 'A',
       [] {
         return encoded(rig_of(0, {64, (uint64_t{1} << 31) + 1}, {64}, {32, 4}, {0, 0}));
       }},
      {"X-17", 'A',
       [] {
         CopyRig rig = rig_of(0, {17, 3}, {80}, {64, 4}, {0, 0});
         rig.kind = TensorCopyKind::store;
         return encoded(rig);
       }},
  };
  const auto outcome = [](CopyRig rig) {
    if (rig.kind == TensorCopyKind::store)  // words that a conversion would change
      for (size_t i = 0; i < 64; i += 4) std::memcpy(&rig.shared[0x400 + i], "\x01\x10\x80\x3f", 4);
    const TensorCopyPlan plan = rig.plan();
    const auto fault = rig.run();
    std::string text = fault ? fault->message : std::to_string(plan.transaction_bytes);
    const auto& memory = rig.kind == TensorCopyKind::store ? rig.global_bytes : rig.shared;
    return text.append(reinterpret_cast<const char*>(memory.data()), memory.size());
  };
  for (const Row& row : rows) {
    CopyRig rig = row.make();
    const std::string by_itself = outcome(rig);
    rig.settings.readings = {{row.question, row.letter}};
    EXPECT_TRUE(by_itself != outcome(rig)) << row.question << ":" << row.letter << " changes nothing";
  }
}

}  // namespace
}  // namespace assay::emulator
