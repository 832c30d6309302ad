// SPDX-License-Identifier: Apache-2.0
// Which spellings of tensor copies in im2col mode, along W and of four rows the front end takes (ptxas 13.0).
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "devices/emulator/gpu.h"

namespace assay::emulator::im2col_forms_test {
namespace {

/// Why the instruction is refused; empty: it is not.
std::string refusal(const std::string& instruction, Target target = Target::sm_90a) {
  Settings settings;
  settings.target = target;
  const auto gpu = Gpu::create(settings);
  const std::string name = target == Target::sm_90a ? "sm_90a" : "sm_100a";
  const auto result = gpu->load(".version 8.6\n.target " + name +
                                "\n.address_size 64\n.visible .entry k()\n{\n.reg .b16 %h<4>;\n"
                                ".reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n" +
                                instruction + ";\nret;\n}\n");
  const Diagnostic* said = std::get_if<Diagnostic>(&result);
  return said == nullptr ? "" : said->message;
}

constexpr const char* load =
    "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes";
constexpr const char* map4 = "[%rd1, {%r1, %r2, %r3, %r4}]";

TEST(Im2colForms, WhatAssemblesIsTaken) {
  const std::string forms[] = {
      std::string(load) + " [%r5], " + map4 + ", [%r6], {%h1, %h2}",
      std::string(load) + " [%r5], [%rd1, {0, -1, %r3, 7}], [%r6], {0, 256}",
      std::string(load) + ".multicast::cluster [%r5], " + map4 + ", [%r6], {%h1, %h2}, %h3",
      std::string(load) + ".multicast::cluster.L2::cache_hint [%r5], " + map4 +
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
      std::string(load) + " [%r5], " + map4 + ", [%r6]",
      std::string(load) + " [%r5], " + map4 + ", [%r6], {%h1}",
      std::string(load) + " [%r5], " + map4 + ", [%r6], {%h1, %h2, %h3}",
      std::string(load) + " [%r5], " + map4 + ", [%r6], {%r1, %r2}",
      // the mask before the offsets
      std::string(load) + ".multicast::cluster [%r5], " + map4 + ", [%r6], %h3, {%h1, %h2}",
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
                    Target::sm_100a),
            "");
}

/// The same spelling on sm_100a, and refused by its word on sm_90a.
void expect_from_sm_100(const std::string& form) {
  EXPECT_EQ(refusal(form, Target::sm_100a), "") << form;
  EXPECT_NE(refusal(form).find("sm_90a"), std::string::npos) << form << ": " << refusal(form);
}

TEST(Im2colForms, AlongWTwoOffsetsStandForEveryRank) {
  for (const std::string mode : {"im2col::w", "im2col::w::128"}) {
    for (const std::string space : {"shared::cluster", "shared::cta"}) {
      const std::string head =
          "cp.async.bulk.tensor.4d." + space + ".global." + mode + ".mbarrier::complete_tx::bytes";
      expect_from_sm_100(head + " [%r5], " + map4 + ", [%r6], {%h1, %h2}");
      EXPECT_NE(refusal(head + " [%r5], " + map4 + ", [%r6]", Target::sm_100a), "");
      EXPECT_NE(refusal(head + " [%r5], " + map4 + ", [%r6], {%h1}", Target::sm_100a), "");
    }
    const std::string five =
        "cp.async.bulk.tensor.5d.shared::cluster.global." + mode + ".mbarrier::complete_tx::bytes";
    expect_from_sm_100(five + " [%r5], [%rd1, {%r1, %r2, %r3, %r4, %r5}], [%r6], {%h1, %h2}");
    expect_from_sm_100(five +
                       ".multicast::cluster.cta_group::2 [%r5], [%rd1, {%r1, %r2, %r3, %r4, %r5}], "
                       "[%r6], {%h1, %h2}, %h3");
    EXPECT_NE(
        refusal(five + " [%r5], [%rd1, {%r1, %r2, %r3, %r4, %r5}], [%r6], {%h1, %h2, %h3}", Target::sm_100a),
        "");
    expect_from_sm_100("cp.async.bulk.prefetch.tensor.4d.L2.global." + mode + " " + map4 + ", {%h1, %h2}");
    // No stores, no matrices.
    EXPECT_NE(
        refusal("cp.async.bulk.tensor.4d.global.shared::cta." + mode + ".bulk_group " + map4 + ", [%r5]",
                Target::sm_100a),
        "");
    EXPECT_NE(refusal("cp.async.bulk.tensor.2d.shared::cta.global." + mode +
                          ".mbarrier::complete_tx::bytes [%r5], [%rd1, {%r1, %r2}], [%r6], {%h1, %h2}",
                      Target::sm_100a),
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
    EXPECT_NE(refusal(head + " [%r5], [%rd1, {%r1, %r2}], [%r6]", Target::sm_100a), "");
    EXPECT_NE(refusal(head + " [%r5], " + map5 + ", [%r6], {%h1}", Target::sm_100a), "");
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
  for (const std::string& form : refused) EXPECT_NE(refusal(form, Target::sm_100a), "") << form;
}

}  // namespace
}  // namespace assay::emulator::im2col_forms_test
