// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>

#include "generators/tensor_copy/tiled_cases.h"
#include "kernels/params/arena.h"
#include "kernels/params/tensor_copy.h"
#include "reference/model/tensor_copy/case.h"
#include "suites/run/family.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

/// Why the family does not take the case; empty: it does.
std::string refusal(const Family& family, const nlohmann::json& json) {
  try {
    (void)family.from_json(json);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

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

/// A load of a pair by .cta_group::2, by way of the mbarrier of CTA 1.
TensorCopyCase of_pair() {
  TensorCopyCase c;
  c.map.data_type = 0;
  c.map.rank = c.instruction_rank = 1;
  c.map.global_dim[0] = c.map.box_dim[0] = 64;
  c.map.element_stride[0] = 1;
  c.window_bytes = 256;
  c.cluster_size = 2;
  c.cta_mask = 3;
  c.cta_group = 2;
  c.peer_barrier = true;
  return c;
}

params::TiledCopyRecord record_of(const TensorCopyCase& c) {
  params::TiledCopyRecord record;
  tiled_cta_group_family().write_record(Case(c), 0, spec::Readings(spec::Arch::sm_100),
                                        reinterpret_cast<std::byte*>(&record));
  return record;
}

TEST(TiledCtaGroup, TheRecordSaysWhomEachDestinationSignals) {
  TensorCopyCase c = of_pair();
  EXPECT_EQ(record_of(c).signals, 2u << 2) << "CTA 1 for both";
  EXPECT_EQ(record_of(c).expect_tx, 64u);
  c.peer_barrier = false;
  EXPECT_EQ(record_of(c).signals, 2u) << "CTA 0 for both";
  EXPECT_TRUE(record_of(c).flags & params::copy_settles)
      << "that of one may be as much as was counted for two";
  c.cta_group = 1;
  EXPECT_FALSE(record_of(c).flags & params::copy_settles);
  EXPECT_EQ(record_of(c).signals, 1u | 1u << 2);
  // To CTA 1 alone, by its own mbarrier and by that of its peer, whoever issues.
  c.cta_group = 2, c.unicast = true, c.cta_mask = 2;
  EXPECT_EQ(record_of(c).signals, 1u << 2);
  c.peer_barrier = true;
  EXPECT_EQ(record_of(c).signals, 1u);
  EXPECT_EQ(record_of(c).flags,
            uint32_t{params::copy_cta_group_2 | params::copy_peer_barrier | params::copy_unicast});
}

// A name that no boolean of the case has would leave its flag out of every record.
TEST(TensorCopyRecords, EachNamedFlagIsABooleanOfTheCase) {
  const auto flags_with = [](const char* name) {
    TensorCopyCase c = of_pair();
    visit_fields(c, [&](const model::fields::Field& field, auto& value) {
      if constexpr (std::is_same_v<decltype(value), bool&>) value = field.name == name;
    });
    return record_of(c).flags;
  };
  const uint32_t none = flags_with("");
  for (const auto& names : {std::span<const params::NamedFlag>(params::copy_qualifiers),
                            std::span<const params::NamedFlag>(params::copy_manners)})
    for (const params::NamedFlag& row : names) EXPECT_EQ(flags_with(row.field), none | row.flag) << row.field;
}

TEST(TiledCtaGroup, CasesHaveEveryGroupAndKindOfDestination) {
  std::set<std::tuple<uint32_t, bool, bool>> seen;
  for (uint64_t index = 0; index < 192; ++index) {
    TensorCopyCase c;
    gen::make_tiled_load_cta_group({7, "pair", index, spec::Arch::sm_103}, c);
    EXPECT_EQ(refusal(tiled_cta_group_family(), tiled_cta_group_family().to_json(Case(c))), "") << index;
    EXPECT_TRUE(!c.unicast || std::has_single_bit(c.cta_mask));
    EXPECT_LE(uint64_t{c.window_bytes}, params::max_window_bytes);
    seen.emplace(c.cta_group, c.peer_barrier, c.unicast);
  }
  EXPECT_EQ(seen.size(), 6u) << "group 1 has no peer's mbarrier";
}

TEST(TiledCtaGroup, WhatNoInstructionCanBeIsRefusedInASentence) {
  const Family& family = tiled_cta_group_family();
  const nlohmann::json sound = family.to_json(Case(of_pair()));
  EXPECT_EQ(refusal(family, sound), "");
  const std::tuple<const char*, nlohmann::json, const char*> changes[] = {
      {"cta_group", 0, "not 1 or 2"},
      {"cta_group", 1, "belongs to .cta_group::2"},
      {"cluster_size", 1, "at least 2 CTAs"},
      {"direction", "store", "for loads"},
      {"unicast", true, "a mask of one CTA"},
      {"cache_hint", true, "no other qualifiers"},
      {"cta_mask", 4, "names CTAs of a cluster"},
      {"transaction_delta", 1 << 19, "bytes a destination"}};
  for (const auto& [field, value, words] : changes) {
    nlohmann::json changed = sound;
    changed[field] = value;
    const std::string why = refusal(family, changed);
    EXPECT_NE(why.find(words), std::string::npos) << field << ": " << why;
  }
  EXPECT_NE(refusal(tiled_copy_family(), sound).find("tma.tiled.load.cta_group"), std::string::npos);
}

/// The plain form of PTX names another CTA by the addresses of destination and mbarrier.
TEST(TiledMulticast, SomeLoadsGoToOneCtaWithoutAMask) {
  uint32_t to_one = 0, to_another = 0;
  for (uint64_t index = 0; index < 192; ++index) {
    TensorCopyCase c;
    gen::make_tiled_load_multicast({7, "one", index, spec::Arch::sm_90}, c);
    EXPECT_EQ(refusal(tiled_copy_family(), tiled_copy_family().to_json(Case(c))), "") << index;
    if (!c.unicast) continue;
    ++to_one;
    to_another += c.cta_mask != 1u << c.issuer_rank;
    params::TiledCopyRecord record;
    tiled_copy_family().write_record(Case(c), 0, spec::Readings(spec::Arch::sm_90),
                                     reinterpret_cast<std::byte*>(&record));
    EXPECT_TRUE(record.flags & params::copy_unicast);
    EXPECT_EQ(record.signals, 1u << (2 * std::countr_zero(c.cta_mask)));
  }
  EXPECT_GT(to_one, 10u);
  EXPECT_GT(to_another, 5u);
  TensorCopyCase c = of_pair();
  c.cta_group = 0, c.peer_barrier = false, c.unicast = true;
  EXPECT_NE(refusal(tiled_copy_family(), tiled_copy_family().to_json(Case(c))).find("mask of one CTA"),
            std::string::npos);
}

TEST(GatherCtaGroup, ALoadToOneCtaHasAGroupOfItsOwn) {
  const Property& made = *find_property("tma.gather4.load.cta_group");
  std::set<bool> seen;
  for (uint64_t index = 0; index < 32; ++index) {
    Case c;
    made.generate(1, made.name, index, spec::Arch::sm_100, c);
    nlohmann::json json = gather_copy_family().to_json(c);
    EXPECT_EQ(refusal(gather_copy_family(), json), "") << index;
    seen.insert(json.value("unicast", false));
    json["unicast"] = true;
    json["cta_mask"] = 3;
    EXPECT_NE(refusal(gather_copy_family(), json).find("a mask of one CTA"), std::string::npos);
  }
  EXPECT_EQ(seen.size(), 2u);
}

}  // namespace
}  // namespace assay::suites
