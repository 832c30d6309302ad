// SPDX-License-Identifier: Apache-2.0
// Which spellings of tensor copies in im2col mode, along W and of four rows the front end takes (ptxas 13.0).

#include <gtest/gtest.h>
#include <string>
#include <variant>

#include "devices/emulator/gpu.h"

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

}  // namespace
}  // namespace assay::emulator
