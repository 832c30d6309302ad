// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"
#include "suites/tensor_copy/refusal_test.h"

namespace assay::suites {
namespace {

nlohmann::json generated(const char* property) {
  const Property& made = *find_property(property);
  Case c;
  made.generate(1, made.name, 300, spec::Arch::sm_100, c);
  return made.family().to_json(c);
}

TEST(GatherCopy, WhatNoInstructionCanBeIsRefusedInASentence) {
  nlohmann::json sound = generated("tma.gather4.load.cta_group");
  sound.erase("unicast");
  EXPECT_EQ(refusal(gather_copy_family(), sound), "");
  const std::tuple<const char*, nlohmann::json, const char*> changes[] = {
      {"/cta_group", 3, "expected 0, 1 or 2"},
      {"/cluster_size", 1, "at least 2 CTAs"},
      {"/cluster_size", 3, "expected 1, 2, 4, 8 or 16"},
      {"/cluster_size", 16, "not a power of two up to 8"},
      {"/cta_mask", 65535, "names CTAs of a cluster"},
      {"/instruction_rank", 3, "have rank 2"},
      {"/reduction", "add", "not reduced"},
      {"/map/swizzle", 0x96, "96B"},
      {"/tile_offset", 1 << 20, "expected 0 to 221183"},
      {"/rows", 4, "does not exist in a case of this kind"},
      {"/transaction_delta", 1 << 20, "would arm the barrier"}};
  for (const auto& [where, value, words] : changes) {
    nlohmann::json changed = sound;
    changed[nlohmann::json::json_pointer(where)] = value;
    const std::string why = refusal(gather_copy_family(), changed);
    EXPECT_NE(why.find(words), std::string::npos) << where << ": " << why;
  }
  nlohmann::json alone = sound;
  alone["cta_group"] = 1;
  alone["peer_barrier"] = true;
  EXPECT_NE(refusal(gather_copy_family(), alone).find("cta_group::2"), std::string::npos);
}

TEST(WideCopy, EachOperationTakesItsOwnCases) {
  const nlohmann::json plain = generated("tma.im2col.load"), wide = generated("tma.im2col_w.load");
  EXPECT_EQ(refusal(im2col_copy_family(), plain), "");
  EXPECT_EQ(refusal(im2col_wide_copy_family(), wide), "");
  EXPECT_NE(refusal(im2col_wide_copy_family(), plain).find("tma.im2col.load"), std::string::npos);
  EXPECT_NE(refusal(im2col_copy_family(), wide).find("map.wide"), std::string::npos);
  nlohmann::json changed = wide;
  changed["direction"] = "store";
  EXPECT_NE(refusal(im2col_wide_copy_family(), changed).find("are loads"), std::string::npos);
  changed = wide;
  changed["mode"] = "im2col::h";
  EXPECT_NE(refusal(im2col_wide_copy_family(), changed).find("im2col::w::128"), std::string::npos);
  changed = plain;
  changed["reduction"] = "add";
  EXPECT_NE(refusal(im2col_copy_family(), changed).find("belongs to a store"), std::string::npos);
}

}  // namespace
}  // namespace assay::suites
