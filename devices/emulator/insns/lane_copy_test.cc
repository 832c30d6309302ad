// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/lane_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "devices/emulator/gpu.h"

namespace assay::emulator {
namespace {

constexpr uint32_t lanes = 32, area = 4096, lanes_bytes = lanes * 64;

struct Access {
  std::string type;  ///< "u32", "v2.u16"
  uint32_t bytes;    ///< of a lane
  uint32_t elements;
  bool is_signed;
  std::string space;  ///< "global", "shared", "local"
  int stride;         ///< elements from a lane's place to the next lane's
  uint32_t guard;     ///< lanes that take part
};

std::string lane_registers(const Access& access, const std::string& name) {
  if (access.elements == 1) return "%" + name + "0";
  std::string made = "{";
  for (uint32_t i = 0; i < access.elements; ++i) made += (i ? ", %" : "%") + name + std::to_string(i);
  return made + "}";
}

/// Copies words of an area into the space, each lane loads from its place and stores all registers as 64
/// bits.
std::string lane_kernel(const Access& access) {
  const uint32_t first = access.stride < 0 ? lanes * access.bytes : access.bytes;
  // Whatever the width of the element, registers of 64 bits take it and show what stands above it.
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
      "out)\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<12>;\n.reg .b64 %v<8>;\n"
      ".shared .align 16 .b8 own[4096];\n.local .align 16 .b8 mine[4096];\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
      "mov.u64 %rd3, own;\nmov.u64 %rd4, mine;\n";
  if (access.space != "global")
    text +=
        "MORE:\ncvt.u64.u32 %rd5, %r2;\nadd.u64 %rd6, %rd1, %rd5;\nld.global.u64 %rd7, [%rd6];\nadd.u64 "
        "%rd6, " +
        std::string(access.space == "shared" ? "%rd3" : "%rd4") + ", %rd5;\nst." + access.space +
        ".u64 [%rd6], %rd7;\nadd.u32 %r2, %r2, 8;\nsetp.lt.u32 %p1, %r2, 4096;\n@%p1 bra MORE;\n";
  const std::string base = access.space == "global" ? "%rd1" : access.space == "shared" ? "%rd3" : "%rd4";
  text += "mul.lo.s32 %r3, %r1, " + std::to_string(access.stride * static_cast<int>(access.bytes)) +
          ";\ncvt.s64.s32 %rd8, %r3;\nadd.u64 %rd8, %rd8, " + base + ";\n";
  for (int i = 0; i < 8; ++i) text += "mov.u64 %v" + std::to_string(i) + ", 7;\n";
  text += "mov.u32 %r4, " + std::to_string(access.guard) +
          ";\nshr.u32 %r4, %r4, %r1;\nand.b32 %r4, %r4, 1;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 ld." +
          access.space + "." + access.type + " " + lane_registers(access, "v") + ", [%rd8+" +
          std::to_string(first) + "];\nmul.wide.u32 %rd9, %r1, 64;\nadd.u64 %rd9, %rd9, %rd2;\n";
  for (int i = 0; i < 8; ++i)
    text += "st.global.u64 [%rd9+" + std::to_string(8 * i) + "], %v" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

std::vector<uint64_t> lane_expected(const Access& access, const std::vector<std::byte>& in) {
  std::vector<uint64_t> made(lanes * 8, 7);
  const int first = static_cast<int>(access.stride < 0 ? lanes * access.bytes : access.bytes);
  const uint32_t each = access.bytes / access.elements;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    for (uint32_t i = 0; access.guard >> lane & 1 && i < access.elements; ++i) {
      const int at = first + static_cast<int>(lane) * access.stride * static_cast<int>(access.bytes);
      uint64_t value = 0;
      std::memcpy(&value, in.data() + at + static_cast<int>(i * each), each);
      if (access.is_signed && each < 8)
        value = static_cast<uint64_t>(static_cast<int64_t>(value << (64 - 8 * each)) >> (64 - 8 * each));
      made[lane * 8 + i] = value;
    }
  return made;
}

// Every width, in rising, equal and scattered places, of all lanes and of some, in each kind of memory.
TEST(LaneCopy, LoadsBringWhatLiesThere) {
  const auto gpu = Gpu::create({});
  const uint64_t in = gpu->memory().allocate(area), out = gpu->memory().allocate(lanes_bytes);
  std::vector<std::byte> content(area);
  for (size_t i = 0; i < area; ++i) content[i] = static_cast<std::byte>(i * 167 + i / 256 + 0x80);
  std::memcpy(reinterpret_cast<void*>(in), content.data(), area);
  std::vector<std::byte> params(16);
  std::memcpy(params.data(), &in, 8);
  std::memcpy(params.data() + 8, &out, 8);
  struct Type {
    const char* name;
    uint32_t bytes, elements;
    bool is_signed;
  };
  constexpr Type types[] = {{"u8", 1, 1, false},     {"s8", 1, 1, true},       {"u16", 2, 1, false},
                            {"s16", 2, 1, true},     {"u32", 4, 1, false},     {"s32", 4, 1, true},
                            {"u64", 8, 1, false},    {"v2.u8", 2, 2, false},   {"v4.s16", 8, 4, true},
                            {"v2.u32", 8, 2, false}, {"v4.u32", 16, 4, false}, {"v2.u64", 16, 2, false},
                            {"v8.b32", 32, 8, false}};
  for (const Type& type : types)
    for (const char* space : {"global", "shared", "local"})
      for (const int stride : {0, 1, 2, -1})
        for (const uint32_t guard : {~0u, 0x5a5a00ffu, 1u << 31}) {
          const Access access{type.name, type.bytes, type.elements, type.is_signed, space, stride, guard};
          const auto loaded = gpu->load(lane_kernel(access));
          ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Module>>(loaded))
              << std::get<Diagnostic>(loaded).message << lane_kernel(access);
          const auto end = gpu->launch(
              {std::get<0>(loaded)->find_kernel("k"), {1, 1, 1}, {lanes, 1, 1}, {0, 0, 0}, 0, params});
          ASSERT_FALSE(end) << end->message;
          std::vector<uint64_t> found(lanes * 8);
          std::memcpy(found.data(), reinterpret_cast<void*>(out), lanes_bytes);
          EXPECT_EQ(found, lane_expected(access, content))
              << type.name << " " << space << " " << stride << " " << guard;
        }
}

TEST(LaneCopy, ShadowsFollowTheBytes) {
  for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u, 32u})
    for (const uint32_t stride : {0u, 1u, 2u})
      for (const uint32_t mask : {~0u, 0xf0f0f00fu}) {
        LanePlaces places;
        for (uint32_t lane = 0; lane < lanes; ++lane) places.offset[lane] = uint64_t{lane} * stride * bytes;
        if (mask == ~0u)
          places.order = stride == 0   ? LanePlaces::Order::same
                         : stride == 1 ? LanePlaces::Order::rising
                                       : LanePlaces::Order::scattered;
        std::vector<uint8_t> written(area, 0), model(area, 0);
        for (uint32_t lane = 0; lane < lanes; ++lane)
          if (mask >> lane & 1)
            for (uint32_t i = 0; i < bytes; ++i) model[lane * stride * bytes + i] = 1;
        EXPECT_FALSE(is_all_written(written.data(), places, mask, bytes));
        mark_written(written.data(), places, mask, bytes);
        EXPECT_EQ(written, model);
        EXPECT_TRUE(is_all_written(written.data(), places, mask, bytes));
        const uint64_t last = places.offset[31] + bytes - 1;
        written[last] = 0;
        EXPECT_FALSE(is_all_written(written.data(), places, mask, bytes))
            << bytes << " " << stride << " " << mask;
      }
}

}  // namespace
}  // namespace assay::emulator
