// Which spellings of tensor copies in im2col mode the front end takes (ptxas 13.0 for sm_90a).
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "devices/emulator/gpu.h"

namespace assay::emulator {
namespace {

/// Why the instruction is refused; empty: it is not.
std::string refusal(const std::string& instruction) {
  Settings settings;
  settings.target = Target::sm_90a;
  const auto gpu = Gpu::create(settings);
  const auto result = gpu->load(
      ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.reg .b16 %h<4>;\n"
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

}  // namespace
}  // namespace assay::emulator
