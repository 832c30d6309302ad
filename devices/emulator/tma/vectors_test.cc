// SPDX-License-Identifier: Apache-2.0
// The engine and the encoder against the worked vectors that concern them (testdata/vectors/vectors_tma.csv).
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/tma/copy_rig_test.h"
#include "devices/emulator/tma/steps.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

struct Vector {
  std::string id;
  Fields params, expected;
};
std::vector<Vector> vectors(const std::string& kind) {
  std::vector<Vector> made;
  for (const Fields& row : vector_rows("vectors_tma.csv"))
    if (row.at("kind") == kind)
      made.push_back({row.at("id"), fields(row.at("params")), fields(row.at("expected"))});
  return made;
}
template <typename T>
std::vector<T> numbers(const std::string& text) {
  std::vector<T> out;
  for (const std::string& part : split(text, '|'))
    out.push_back(part[0] == '-' ? static_cast<T>(std::stoll(part, nullptr, 0))
                                 : static_cast<T>(std::stoull(part, nullptr, 0)));
  return out;
}

std::string hex32(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

const std::map<std::string, SwizzleKind> swizzle_kinds{{"none", SwizzleKind::none},
                                                       {"32", SwizzleKind::span_32},
                                                       {"64", SwizzleKind::span_64},
                                                       {"96", SwizzleKind::span_96},
                                                       {"128", SwizzleKind::span_128},
                                                       {"128a32", SwizzleKind::span_128_atom_32},
                                                       {"128a32f8", SwizzleKind::span_128_atom_32_flip_8},
                                                       {"128a64", SwizzleKind::span_128_atom_64}};

TEST(TmaVectors, Swizzle) {
  size_t rows = 0;
  for (const Vector& v : vectors("SWZ")) {
    const auto base = static_cast<uint32_t>(std::stoul(v.params.at("base"), nullptr, 0));
    const auto logical = numbers<uint32_t>(v.params.at("logical"));
    const auto physical = numbers<uint32_t>(v.expected.at("physical"));
    ASSERT_EQ(logical.size(), physical.size()) << v.id;
    for (size_t i = 0; i < logical.size(); ++i) {
      const SwizzleQuery query{swizzle_kinds.at(v.params.at("mode")), base + logical[i], base, false};
      EXPECT_EQ(honest_steps.swizzle(query) - base, physical[i]) << v.id << " logical " << logical[i];
    }
    ++rows;
  }
  EXPECT_EQ(rows, 18u);
}

std::vector<int> bytes(const std::string& hex) {  // -1: undefined
  std::vector<int> out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(hex[i] == '?' ? -1 : std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

/// A vector is one or two groups of 16 elements; a row of a padded type holds eight groups, so the groups
/// repeat.
TEST(TmaVectors, PackedTypes) {
  const std::map<std::string, uint32_t> types{
      {"b4x16", 13}, {"b4x16_p64", 14}, {"b6x16_p32", 15}, {"b6p2x16", 15}};
  size_t rows = 0;
  for (const Vector& v : vectors("PACK")) {
    const auto gmem = bytes(v.expected.at("gmem")), smem = bytes(v.expected.at("smem"));
    const std::string& direction = v.params.at("dir");
    for (const bool store : {false, true}) {
      if (direction.find(store ? "store" : "load") == std::string::npos) continue;
      CopyRig rig;
      rig.settings.target = Target::sm_100;
      rig.data_type = types.at(v.params.at("type"));
      rig.rank = 1, rig.dim = {128}, rig.box = {128}, rig.traversal = {1}, rig.coord = {0};
      rig.kind = store ? TensorCopyKind::store : TensorCopyKind::load;
      const size_t global_row = rig.data_type == 15 ? 96 : 64, shared_row = rig.data_type == 13 ? 64 : 128;
      rig.global_bytes.assign(global_row, std::byte{0});
      for (size_t i = 0; i < global_row && !store; ++i)
        rig.global_bytes[i] = static_cast<std::byte>(gmem[i % gmem.size()]);
      for (size_t i = 0; i < shared_row && store; ++i)
        rig.shared[rig.shared_address + i] = static_cast<std::byte>(smem[i % smem.size()]);
      ASSERT_EQ(rig.encode(), "") << v.id;
      const auto fault = rig.run();
      ASSERT_FALSE(fault) << v.id << fault->message;
      if (store) {
        for (size_t i = 0; i < global_row; ++i)
          EXPECT_EQ(std::to_integer<int>(rig.global_bytes[i]), gmem[i % gmem.size()])
              << v.id << " byte " << i;
      } else {
        for (size_t i = 0; i < shared_row; ++i) {
          const int want = smem[i % smem.size()] < 0 ? 0xcd : smem[i % smem.size()];
          EXPECT_EQ(std::to_integer<int>(rig.shared[rig.shared_address + i]), want) << v.id << " byte " << i;
        }
      }
      ++rows;
    }
  }
  EXPECT_EQ(rows, 6u);
}

const std::map<std::string, uint32_t> ptx_type_values{
    {"u8", 0}, {"f16", 6}, {"bf16", 9}, {"f32.ftz", 10}, {"tf32", 11}, {"b4x16_p64", 14}, {"b6", 15}};

/// The words of the map as ptxas fills them field by field, and as the driver does for the same arguments.
/// Rows that only tensormap.replace can make (96B) are left to its test.
TEST(TmaVectors, DescriptorWords) {
  size_t rows = 0;
  for (const Vector& v : vectors("DESC")) {
    const auto number = [&](const char* key) { return static_cast<uint32_t>(std::stoul(v.params.at(key))); };
    if (number("swizzle") == 4) continue;
    std::byte map[128];
    auto dim = numbers<uint64_t>(v.params.at("dims")), stride = numbers<uint64_t>(v.params.at("strides"));
    auto box = numbers<uint32_t>(v.params.at("box")), traversal = numbers<uint32_t>(v.params.at("estr"));
    EncodeTiledArguments args;
    args.map = map, args.data_type = ptx_type_values.at(v.params.at("type")), args.rank = number("rank");
    args.address = std::stoull(v.params.at("addr"), nullptr, 0);
    args.dim = dim.data(), args.stride = stride.data(), args.box = box.data(),
    args.traversal = traversal.data();
    args.interleave = number("interleave"), args.fill = number("fill");
    args.swizzle = number("swizzle") == 3 ? 3 + number("atom") : number("swizzle");
    Settings settings;                    // sm_100a knows every type
    settings.readings = {{"X-08", 'A'}};  // one row has an interleaved box of 8 bytes
    ASSERT_EQ(encode_tiled(args, settings), "") << v.id;
    for (const auto& [key, text] : v.expected) {
      if (key[0] != 'w') continue;
      uint32_t word;
      std::memcpy(&word, map + std::stoul(key.substr(1), nullptr, 16), 4);
      EXPECT_EQ(hex32(word), text) << v.id << " " << key;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 7u);
}

}  // namespace
}  // namespace assay::emulator
