// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "devices/emulator/gpu.h"

// Which forms of wgmma and mma.sync load, on which target, and what is said about the others (ptxas: what it
// accepts and rejects; block-scaled and single-bit forms are legal and named as not done).
namespace assay::emulator::wgmma_test {
namespace {

struct Answer {
  bool is_loaded;
  Diagnostic::Kind kind;
  std::string message;
};

std::string registers(char prefix, int count) {
  std::string made = "{";
  for (int i = 0; i < count; ++i) made += (i ? ", %" : "%") + std::string(1, prefix) + std::to_string(i);
  return made + "}";
}

Answer load(const std::string& instruction, Target target = Target::sm_90a) {
  const auto gpu = Gpu::create({target});
  const auto result = gpu->load(
      ".version 9.0\n.target " + std::string(target == Target::sm_90a ? "sm_90a" : "sm_100a") +
      "\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<9>, %d<128>, %a<8>;\n"
      ".reg .b64 %l<3>;\n.reg .f64 %f<9>;\n" +
      instruction + ";\nret;\n}\n");
  if (const auto* said = std::get_if<Diagnostic>(&result)) return {false, said->kind, said->message};
  return {true, {}, {}};
}

/// "m64n8k16.f32.f16.f16" with `count` registers of D, and what follows the descriptors.
std::string wgmma(const std::string& rest, int count, const std::string& modifiers,
                  bool a_in_registers = false) {
  return "wgmma.mma_async.sync.aligned." + rest + " " + registers('d', count) + ", " +
         (a_in_registers ? "{%a0, %a1, %a2, %a3}" : "%l0") + ", %l1, %p0" + modifiers;
}

TEST(WgmmaForms, EveryLegalN) {
  for (int n = 8; n <= 256; n += 8) {
    const std::string shape = "m64n" + std::to_string(n);
    EXPECT_TRUE(load(wgmma(shape + "k16.f32.f16.f16", n / 2, ", 1, 1, 0, 0")).is_loaded) << n;
    EXPECT_TRUE(load(wgmma(shape + "k16.f16.f16.f16", n / 4, ", 1, -1, 1, 1")).is_loaded) << n;
    EXPECT_TRUE(load(wgmma(shape + "k8.f32.tf32.tf32", n / 2, ", 1, 1")).is_loaded) << n;
    EXPECT_TRUE(load(wgmma(shape + "k32.f16.e4m3.e5m2", n / 4, ", -1, -1", true)).is_loaded) << n;
    const bool is_integer_n = n <= 32 || n % 16 == 0;
    EXPECT_EQ(load(wgmma(shape + "k32.s32.s8.u8", n / 2, "")).is_loaded, is_integer_n) << n;
    EXPECT_EQ(load(wgmma(shape + "k32.s32.u8.u8.satfinite", n / 2, "", true)).is_loaded, is_integer_n) << n;
  }
}

TEST(WgmmaForms, OthersAreRefused) {
  const std::string f16 = "m64n8k16.f32.f16.f16";
  for (const std::string& instruction : {
           wgmma("m64n4k16.f32.f16.f16", 2, ", 1, 1, 0, 0"),
           wgmma("m64n264k16.f32.f16.f16", 4, ", 1, 1, 0, 0"),
           wgmma("m128n8k16.f32.f16.f16", 4, ", 1, 1, 0, 0"),
           wgmma("m64n8k32.f32.f16.f16", 4, ", 1, 1, 0, 0"),
           wgmma("m64n8k16.f16.bf16.bf16", 2, ", 1, 1, 0, 0"),
           wgmma("m64n8k16.f32.f16.bf16", 4, ", 1, 1, 0, 0"),
           wgmma("m64n8k32.f32.s8.s8", 4, ""),
           wgmma("m64n8k16.f32.f16.f16.satfinite", 4, ", 1, 1, 0, 0"),
           wgmma("m64n8k32.f32.e4m3.e4m3.f32", 4, ", 1, 1"),
       }) {
    const Answer answer = load(instruction);
    EXPECT_FALSE(answer.is_loaded) << instruction;
    EXPECT_EQ(answer.kind, Diagnostic::Kind::unknown_instruction) << instruction;
  }
  for (const std::string& instruction : {
           wgmma(f16, 2, ", 1, 1, 0, 0"),
           wgmma(f16, 4, ", 0, 1, 0, 0"),
           wgmma(f16, 4, ", 1, 2, 0, 0"),
           wgmma(f16, 4, ", 1, 1, 2, 0"),
           wgmma(f16, 4, ", 1, 1, 0"),
           wgmma(f16, 4, ", 1, 1, 0, 0", true),
           wgmma("m64n8k8.f32.tf32.tf32", 4, ", 1, 1, 0, 0"),
           wgmma("m64n8k32.s32.s8.s8", 4, ", 1, 1"),
           std::string("wgmma.wait_group.sync.aligned %r0"),
           std::string("wgmma.fence.sync.aligned 0"),
       }) {
    const Answer answer = load(instruction);
    EXPECT_FALSE(answer.is_loaded) << instruction;
    EXPECT_EQ(answer.kind, Diagnostic::Kind::syntax) << instruction << ": " << answer.message;
  }
  EXPECT_NE(load(wgmma("m64n8k256.s32.b1.b1.and.popc", 4, ""))
                .message.find("does not support matrices of single bits"),
            std::string::npos);
  EXPECT_FALSE(load(wgmma(f16, 4, ", 1, 1, 0, 0"), Target::sm_100a).is_loaded) << "only sm_90a has wgmma";
}

TEST(WgmmaForms, SparseOnesHaveMetadataAndASelector) {
  const auto sparse = [](const std::string& rest, int count, const std::string& metadata,
                         const std::string& modifiers, const std::string& a = "%l0") {
    return load("wgmma.mma_async.sp.sync.aligned." + rest + " " + registers('d', count) + ", " + a + ", %l1" +
                metadata + ", %p0" + modifiers);
  };
  for (const Answer& answer : {
           sparse("m64n8k32.f32.f16.f16", 4, ", %r0, 0", ", 1, 1, 0, 0"),
           sparse("m64n8k32.f16.f16.f16", 2, ", %r0, 1", ", 1, -1, 1, 1"),
           sparse("m64n24k32.f32.bf16.bf16", 12, ", %r0, 1", ", 1, 1, 1", "{%a0, %a1, %a2, %a3}"),
           sparse("m64n256k16.f32.tf32.tf32", 128, ", %r0, 1", ", 1, 1"),
           sparse("m64n8k64.f16.e4m3.e5m2", 2, ", %r0, 0", ", 1, 1"),
           sparse("m64n8k64.s32.u8.s8.satfinite", 4, ", %r0, 0", "", "{%a0, %a1, %a2, %a3}"),
       })
    EXPECT_TRUE(answer.is_loaded) << answer.message;
  for (const Answer& answer : {
           sparse("m64n8k16.f32.f16.f16", 4, ", %r0, 0", ", 1, 1, 0, 0"),
           sparse("m64n8k32.s32.s8.s8", 4, ", %r0, 0", ""),
       })
    EXPECT_EQ(answer.kind, Diagnostic::Kind::unknown_instruction) << answer.message;
  for (const Answer& answer : {
           sparse("m64n8k32.f32.f16.f16", 4, "", ", 1, 1, 0, 0"),
           sparse("m64n8k32.f32.f16.f16", 4, ", %r0, 2", ", 1, 1, 0, 0"),
           sparse("m64n8k64.s32.s8.s8", 4, ", %r0, 1", ""),
           sparse("m64n8k64.s32.s8.s8", 4, ", %l0, 0", ""),
           sparse("m64n8k64.s32.s8.s8", 4, ", %r0, %r1", ""),
       }) {
    EXPECT_FALSE(answer.is_loaded);
    EXPECT_EQ(answer.kind, Diagnostic::Kind::syntax) << answer.message;
  }
}

TEST(MmaSyncForms, LegalAndNot) {
  const auto mma = [](const std::string& rest, int d, int a, int b) {
    return load("mma.sync.aligned." + rest + " " + registers('d', d) + ", " + registers('a', a) + ", " +
                registers('a', b) + ", " + registers('d', d));
  };
  EXPECT_TRUE(mma("m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2).is_loaded);
  EXPECT_TRUE(mma("m16n8k16.row.col.f16.e5m2.e4m3.f16", 2, 2, 1).is_loaded);
  EXPECT_EQ(mma("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 2).kind, Diagnostic::Kind::syntax);
  EXPECT_EQ(mma("m16n8k16.row.col.f32.f16.f16.f32", 2, 4, 2).kind, Diagnostic::Kind::syntax);
  for (const char* rest : {"m16n8k16.row.col.f32.f16.f16.f16", "m16n8k16.row.col.f32.f16.bf16.f32",
                           "m16n8k16.row.row.f32.f16.f16.f32", "m16n8k16.row.col.f16.bf16.bf16.f16",
                           "m16n8k16.row.col.satfinite.f32.f16.f16.f32", "m16n8k64.row.col.s32.s8.s8.s32"})
    EXPECT_EQ(mma(rest, 4, 4, 2).kind, Diagnostic::Kind::unknown_instruction) << rest;
  EXPECT_NE(mma("m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 4, 2).message.find("single bits"),
            std::string::npos);
  EXPECT_NE(mma("m8n8k4.row.col.f32.f16.f16.f32", 8, 2, 2).message.find("m8n8k4"), std::string::npos);
  const auto sparse = [](const std::string& metadata) {
    return load(
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, "
        "{%a0, %a1, %a2, %a3}, {%d0, %d1, %d2, %d3}" +
        metadata);
  };
  EXPECT_TRUE(sparse(", %r0, 0").is_loaded) << sparse(", %r0, 0").message;
  EXPECT_FALSE(sparse("").is_loaded) << "without metadata";
}

}  // namespace
}  // namespace assay::emulator::wgmma_test
