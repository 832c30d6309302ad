// SPDX-License-Identifier: Apache-2.0
// Which spellings of tensor copies in im2col mode, along W and of four rows the front end takes (ptxas 13.0).

#include <gtest/gtest.h>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/insns/lane_copy.h"

namespace assay::emulator {
namespace {

/// Why the instruction is refused; empty: it is not.
std::string refusal(const std::string& instruction, Target target = Target::sm_90) {
  Settings settings;
  settings.target = target;
  const auto gpu = Gpu::create(settings);
  const std::string name = target == Target::sm_90 ? "sm_90a" : "sm_100a";
  const auto result = gpu->load(".version 8.6\n.target " + name +
                                "\n.address_size 64\n.visible .entry k()\n{\n.reg .b16 %h<4>;\n"
                                ".reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n" +
                                instruction + ";\nret;\n}\n");
  const Diagnostic* said = std::get_if<Diagnostic>(&result);
  return said == nullptr ? "" : said->message;
}

constexpr const char* im2col_load =
    "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes";
constexpr const char* map4 = "[%rd1, {%r1, %r2, %r3, %r4}]";

TEST(Im2colForms, WhatAssemblesIsTaken) {
  const std::string forms[] = {
      std::string(im2col_load) + " [%r5], " + map4 + ", [%r6], {%h1, %h2}",
      std::string(im2col_load) + " [%r5], [%rd1, {0, -1, %r3, 7}], [%r6], {0, 256}",
      std::string(im2col_load) + ".multicast::cluster [%r5], " + map4 + ", [%r6], {%h1, %h2}, %h3",
      std::string(im2col_load) + ".multicast::cluster.L2::cache_hint [%r5], " + map4 +
          ", [%r6], {%h1, %h2}, %h3, %rd2",
      "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [%r5], [%rd1, {%r1, "
      "%r2, "
      "%r3}], [%r6], {%h1}",
      "cp.async.bulk.tensor.4d.im2col.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1, "
      "{%r1, "
      "%r2, %r3, %r4}], [%r6], {%h1, %h2}",
      std::string("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group ") + map4 + ", [%r5]",
      std::string("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col ") + map4 + ", {%h1, %h2}",
      std::string("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col.L2::cache_hint ") + map4 +
          ", {%h1, %h2}, %rd2"};
  for (const std::string& form : forms) EXPECT_EQ(refusal(form), "") << form;
}

TEST(Im2colForms, WhatDoesNotAssembleIsRefused) {
  const std::string forms[] = {
      // offsets: absent, too few, too many, of 32 bits
      std::string(im2col_load) + " [%r5], " + map4 + ", [%r6]",
      std::string(im2col_load) + " [%r5], " + map4 + ", [%r6], {%h1}",
      std::string(im2col_load) + " [%r5], " + map4 + ", [%r6], {%h1, %h2, %h3}",
      std::string(im2col_load) + " [%r5], " + map4 + ", [%r6], {%r1, %r2}",
      // the mask before the offsets
      std::string(im2col_load) + ".multicast::cluster [%r5], " + map4 + ", [%r6], %h3, {%h1, %h2}",
      // rank 2, two modes, the mode of the other direction, offsets of a store
      "cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r5], [%rd1, "
      "{%r1, "
      "%r2}], [%r6], {}",
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.im2col.mbarrier::complete_tx::bytes [%r5], [%rd1, "
      "{%r1, %r2, %r3, %r4}], [%r6], {%h1, %h2}",
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col_no_offs.mbarrier::complete_tx::bytes [%r5], "
      "[%rd1, "
      "{%r1, %r2, %r3, %r4}], [%r6]",
      std::string("cp.async.bulk.tensor.4d.global.shared::cta.im2col.bulk_group ") + map4 +
          ", [%r5], {%h1, %h2}",
      std::string("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group ") + map4 +
          ", [%r5], {%h1, %h2}",
      std::string("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col ") + map4};
  for (const std::string& form : forms) EXPECT_NE(refusal(form), "") << form;
}

TEST(Im2colForms, ReductionsAreTakenWithoutOffsets) {
  const std::string reduce = "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.";
  EXPECT_EQ(refusal(reduce + "im2col_no_offs.bulk_group " + map4 + ", [%r5]"), "");
  EXPECT_EQ(refusal(reduce + "im2col_no_offs.bulk_group.L2::cache_hint " + map4 + ", [%r5], %rd2"), "");
  EXPECT_NE(refusal(reduce + "im2col.bulk_group " + map4 + ", [%r5], {%h1, %h2}"), "");
  EXPECT_NE(refusal(reduce + "im2col_no_offs.bulk_group " + map4 + ", [%r5], {%h1, %h2}"), "");
  EXPECT_NE(refusal("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile::scatter4.bulk_group [%rd1, "
                    "{%r1, %r2, %r3, %r4, %r5}], [%r5]",
                    Target::sm_100),
            "");
}

/// The same spelling on sm_100a, and refused by its word on sm_90a.
void expect_from_sm_100(const std::string& form) {
  EXPECT_EQ(refusal(form, Target::sm_100), "") << form;
  EXPECT_NE(refusal(form).find("sm_90a"), std::string::npos) << form << ": " << refusal(form);
}

TEST(Im2colForms, AlongWTwoOffsetsStandForEveryRank) {
  for (const std::string mode : {"im2col::w", "im2col::w::128"}) {
    for (const std::string space : {"shared::cluster", "shared::cta"}) {
      const std::string head =
          "cp.async.bulk.tensor.4d." + space + ".global." + mode + ".mbarrier::complete_tx::bytes";
      expect_from_sm_100(head + " [%r5], " + map4 + ", [%r6], {%h1, %h2}");
      EXPECT_NE(refusal(head + " [%r5], " + map4 + ", [%r6]", Target::sm_100), "");
      EXPECT_NE(refusal(head + " [%r5], " + map4 + ", [%r6], {%h1}", Target::sm_100), "");
    }
    const std::string five =
        "cp.async.bulk.tensor.5d.shared::cluster.global." + mode + ".mbarrier::complete_tx::bytes";
    expect_from_sm_100(five + " [%r5], [%rd1, {%r1, %r2, %r3, %r4, %r5}], [%r6], {%h1, %h2}");
    expect_from_sm_100(five +
                       ".multicast::cluster.cta_group::2 [%r5], [%rd1, {%r1, %r2, %r3, %r4, %r5}], "
                       "[%r6], {%h1, %h2}, %h3");
    EXPECT_NE(
        refusal(five + " [%r5], [%rd1, {%r1, %r2, %r3, %r4, %r5}], [%r6], {%h1, %h2, %h3}", Target::sm_100),
        "");
    expect_from_sm_100("cp.async.bulk.prefetch.tensor.4d.L2.global." + mode + " " + map4 + ", {%h1, %h2}");
    // No stores, no matrices.
    EXPECT_NE(
        refusal("cp.async.bulk.tensor.4d.global.shared::cta." + mode + ".bulk_group " + map4 + ", [%r5]",
                Target::sm_100),
        "");
    EXPECT_NE(refusal("cp.async.bulk.tensor.2d.shared::cta.global." + mode +
                          ".mbarrier::complete_tx::bytes [%r5], [%rd1, {%r1, %r2}], [%r6], {%h1, %h2}",
                      Target::sm_100),
              "");
  }
}

TEST(Im2colForms, FourRowsHaveFiveCoordinatesAndRankTwo) {
  const std::string map5 = "[%rd1, {%r1, %r2, %r3, %r4, 7}]";
  for (const std::string space : {"shared::cluster", "shared::cta"}) {
    const std::string head =
        "cp.async.bulk.tensor.2d." + space + ".global.tile::gather4.mbarrier::complete_tx::bytes";
    expect_from_sm_100(head + " [%r5], " + map5 + ", [%r6]");
    expect_from_sm_100(head + ".L2::cache_hint [%r5], " + map5 + ", [%r6], %rd2");
    EXPECT_NE(refusal(head + " [%r5], [%rd1, {%r1, %r2}], [%r6]", Target::sm_100), "");
    EXPECT_NE(refusal(head + " [%r5], " + map5 + ", [%r6], {%h1}", Target::sm_100), "");
  }
  expect_from_sm_100(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes"
      ".multicast::cluster.cta_group::1 [%r5], " +
      map5 + ", [%r6], %h3");
  expect_from_sm_100("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group " + map5 +
                     ", [%r5]");
  expect_from_sm_100("cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 " + map5);
  // Of another rank, in the other direction, with another mode.
  const std::string refused[] = {
      "cp.async.bulk.tensor.3d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r5], " + map5 +
          ", [%r6]",
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::scatter4.mbarrier::complete_tx::bytes [%r5], " +
          map5 + ", [%r6]",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::gather4.bulk_group " + map5 + ", [%r5]",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.tile::scatter4.bulk_group " + map5 + ", [%r5]",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group.cta_group::1 " + map5 +
          ", [%r5]"};
  for (const std::string& form : refused) EXPECT_NE(refusal(form, Target::sm_100), "") << form;
}

// Which forms of wgmma and mma.sync load, on which target, and what is said about the others (ptxas: what it
// accepts and rejects; block-scaled and single-bit forms are legal and named as not done).

struct Loaded {
  bool is_loaded;
  Diagnostic::Kind kind;
  std::string message;
};

std::string wgmma_registers(char prefix, int count) {
  std::string made = "{";
  for (int i = 0; i < count; ++i) made += (i ? ", %" : "%") + std::string(1, prefix) + std::to_string(i);
  return made + "}";
}

Loaded load_wgmma(const std::string& instruction, Target target = Target::sm_90) {
  const auto gpu = Gpu::create({target});
  const auto result = gpu->load(
      ".version 9.0\n.target " + std::string(target == Target::sm_90 ? "sm_90a" : "sm_100a") +
      "\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<9>, %d<128>, %a<8>;\n"
      ".reg .b64 %l<3>;\n.reg .f64 %f<9>;\n" +
      instruction + ";\nret;\n}\n");
  if (const auto* said = std::get_if<Diagnostic>(&result)) return {false, said->kind, said->message};
  return {true, {}, {}};
}

/// "m64n8k16.f32.f16.f16" with `count` registers of D, and what follows the descriptors.
std::string wgmma(const std::string& rest, int count, const std::string& modifiers,
                  bool a_in_registers = false) {
  return "wgmma.mma_async.sync.aligned." + rest + " " + wgmma_registers('d', count) + ", " +
         (a_in_registers ? "{%a0, %a1, %a2, %a3}" : "%l0") + ", %l1, %p0" + modifiers;
}

TEST(WgmmaForms, EveryLegalN) {
  for (int n = 8; n <= 256; n += 8) {
    const std::string shape = "m64n" + std::to_string(n);
    EXPECT_TRUE(load_wgmma(wgmma(shape + "k16.f32.f16.f16", n / 2, ", 1, 1, 0, 0")).is_loaded) << n;
    EXPECT_TRUE(load_wgmma(wgmma(shape + "k16.f16.f16.f16", n / 4, ", 1, -1, 1, 1")).is_loaded) << n;
    EXPECT_TRUE(load_wgmma(wgmma(shape + "k8.f32.tf32.tf32", n / 2, ", 1, 1")).is_loaded) << n;
    EXPECT_TRUE(load_wgmma(wgmma(shape + "k32.f16.e4m3.e5m2", n / 4, ", -1, -1", true)).is_loaded) << n;
    const bool is_integer_n = n <= 32 || n % 16 == 0;
    EXPECT_EQ(load_wgmma(wgmma(shape + "k32.s32.s8.u8", n / 2, "")).is_loaded, is_integer_n) << n;
    EXPECT_EQ(load_wgmma(wgmma(shape + "k32.s32.u8.u8.satfinite", n / 2, "", true)).is_loaded, is_integer_n)
        << n;
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
    const Loaded answer = load_wgmma(instruction);
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
    const Loaded answer = load_wgmma(instruction);
    EXPECT_FALSE(answer.is_loaded) << instruction;
    EXPECT_EQ(answer.kind, Diagnostic::Kind::syntax) << instruction << ": " << answer.message;
  }
  EXPECT_NE(load_wgmma(wgmma("m64n8k256.s32.b1.b1.and.popc", 4, ""))
                .message.find("does not support matrices of single bits"),
            std::string::npos);
  EXPECT_FALSE(load_wgmma(wgmma(f16, 4, ", 1, 1, 0, 0"), Target::sm_100).is_loaded)
      << "only sm_90a has wgmma";
}

TEST(WgmmaForms, SparseOnesHaveMetadataAndASelector) {
  const auto sparse = [](const std::string& rest, int count, const std::string& metadata,
                         const std::string& modifiers, const std::string& a = "%l0") {
    return load_wgmma("wgmma.mma_async.sp.sync.aligned." + rest + " " + wgmma_registers('d', count) + ", " +
                      a + ", %l1" + metadata + ", %p0" + modifiers);
  };
  for (const Loaded& answer : {
           sparse("m64n8k32.f32.f16.f16", 4, ", %r0, 0", ", 1, 1, 0, 0"),
           sparse("m64n8k32.f16.f16.f16", 2, ", %r0, 1", ", 1, -1, 1, 1"),
           sparse("m64n24k32.f32.bf16.bf16", 12, ", %r0, 1", ", 1, 1, 1", "{%a0, %a1, %a2, %a3}"),
           sparse("m64n256k16.f32.tf32.tf32", 128, ", %r0, 1", ", 1, 1"),
           sparse("m64n8k64.f16.e4m3.e5m2", 2, ", %r0, 0", ", 1, 1"),
           sparse("m64n8k64.s32.u8.s8.satfinite", 4, ", %r0, 0", "", "{%a0, %a1, %a2, %a3}"),
       })
    EXPECT_TRUE(answer.is_loaded) << answer.message;
  for (const Loaded& answer : {
           sparse("m64n8k16.f32.f16.f16", 4, ", %r0, 0", ", 1, 1, 0, 0"),
           sparse("m64n8k32.s32.s8.s8", 4, ", %r0, 0", ""),
       })
    EXPECT_EQ(answer.kind, Diagnostic::Kind::unknown_instruction) << answer.message;
  for (const Loaded& answer : {
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
    return load_wgmma("mma.sync.aligned." + rest + " " + wgmma_registers('d', d) + ", " +
                      wgmma_registers('a', a) + ", " + wgmma_registers('a', b) + ", " +
                      wgmma_registers('d', d));
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
    return load_wgmma(
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, "
        "{%a0, %a1, %a2, %a3}, {%d0, %d1, %d2, %d3}" +
        metadata);
  };
  EXPECT_TRUE(sparse(", %r0, 0").is_loaded) << sparse(", %r0, 0").message;
  EXPECT_FALSE(sparse("").is_loaded) << "without metadata";
}

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
