// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "generators/tmem/copy_cases.h"
#include "reference/layout/tmem.h"
#include "reference/model/bend.h"
#include "reference/model/case_json.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "suites/run/property.h"
#include "suites/tmem/families.h"

namespace assay::suites {
namespace {

constexpr const char* names[] = {"tmem.cp",       "tmem.cp.decompress", "tmem.cp.one_field_wrong",
                                 "tmem.cp.order", "tmem.shift",         "tmem.shift.refill"};

/// Calls visit(property name, case) for the first cases of each property.
template <typename Visit>
void for_copies(uint64_t count, const Visit& visit, spec::Arch arch = spec::Arch::sm_100) {
  for (const char* name : names) {
    const Property* property = find_property(name);
    ASSERT_NE(property, nullptr) << name;
    Case any;
    for (uint64_t i = 0; i < count; ++i) {
      property->generate(5, name, i, arch, any);
      visit(std::string(name), any);
    }
  }
}

TEST(TmemCopyCases, TheProbesCanRunThem) {
  for (const spec::Arch arch : {spec::Arch::sm_100, spec::Arch::sm_103})
    for_copies(
        200,
        [](const std::string& name, const Case& any) {
          const auto& c = any.as<TmemCopyCase>();
          EXPECT_EQ(what_is_wrong(c), "") << name << model::to_json(c);
        },
        arch);
}

TEST(TmemCopyCases, TheFirstHaveAllForms) {
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> forms;
  std::set<uint32_t> swizzles;
  for (uint64_t i = 0; i < 64; ++i) {
    TmemCopyCase c;
    make_tmem_cp({1, "tmem.cp", i, spec::Arch::sm_100}, c);
    forms.emplace(c.moves[0].shape, c.moves[0].format, c.cta_group);
    swizzles.insert(c.moves[0].source.swizzle);
  }
  EXPECT_EQ(forms.size(), 36u);
  EXPECT_EQ(swizzles.size(), 4u);
}

// Rules of how fields go together, each broken with no other.
TEST(TmemCopyCases, BreakRulesOfCombinationsAlone) {
  for (const spec::Arch arch : {spec::Arch::sm_100, spec::Arch::sm_103}) {
    std::map<std::string_view, int> alone;
    for (uint64_t i = 0; i < 3000; ++i) {
      TmemCopyCase c;
      make_tmem_cp_broken({1, "tmem.cp.one_field_wrong", i, arch}, c);
      const spec::RuleSet broken = broken_copy_rules(c, spec::Readings(arch));
      if (broken.count() == 1) ++alone[spec::rules()[broken._Find_first()].id];
    }
    EXPECT_GE(alone["SMEM-R06"], 150);
    EXPECT_GE(alone[arch == spec::Arch::sm_103 ? "SMEM-R05" : "SMEM-R04"], 150);
  }
}

/// What a prediction changes lies in the columns of its moves.
TEST(TmemCopyModel, TouchesNothingBeside) {
  const spec::Readings readings(spec::Arch::sm_100);
  Scratch scratch, nothing;
  for_copies(60, [&](const std::string& name, const Case& any) {
    const auto& c = any.as<TmemCopyCase>();
    if (broken_copy_rules(c, readings).any()) return;
    Expected after, before;
    tmem_copy_family().predict(any, readings, scratch, after);
    TmemCopyCase still = c;
    still.move_count = 1;
    still.moves = {};
    still.moves[0].is_shift = true;  // of columns that all hold the same afterwards are looked at below
    tmem_copy_family().predict(still, readings, nothing, before);
    for (size_t i = 0; i < after.bytes.size(); ++i) {
      if (after.bytes[i] == before.bytes[i] || i / 4 % c.alloc_columns < 8) continue;
      ASSERT_NE(tmem_copy_family().place(any, i, 0xff), "beside") << name << " byte " << i;
    }
  });
}

/// One row by hand: 32x128b without swizzle, row 9 lies 16 bytes behind the second group of 8.
TEST(TmemCopyModel, ARowOfThirtyTwoGoesToFourLanes) {
  TmemCopyCase c;
  c.moves[0].shape = 5;
  c.moves[0].source.stride_offset = 128;
  c.window_bytes = 512;
  ASSERT_EQ(what_is_wrong(c), "");
  EXPECT_EQ(descriptor_word(c.moves[0]), 0x0000400800000000u);
  std::vector<uint32_t> window(128), cells(128 * 32, 7), defined(cells.size());
  for (uint32_t i = 0; i < window.size(); ++i) window[i] = 1000 + i;
  const auto end = predict_tmem_copy(c, spec::Readings(spec::Arch::sm_100),
                                     {std::as_bytes(std::span(window)), {}}, cells, defined);
  EXPECT_EQ(end.end, model::End::done);
  for (const size_t lane : {9, 41, 73, 105})
    for (size_t word = 0; word < 4; ++word) EXPECT_EQ(cells[lane * 32 + word], 1000 + 36 + word);
  EXPECT_EQ(cells[9 * 32 + 4], 7u);
}

TEST(TmemCopyModel, FortyShiftsLeaveTheLastLaneEverywhere) {
  TmemCopyCase c;
  c.moves[0].is_shift = true;
  c.moves[0].count = 31;
  std::vector<uint32_t> cells(128 * 32), defined(cells.size());
  for (uint32_t i = 0; i < cells.size(); ++i) cells[i] = i;
  predict_tmem_copy(c, spec::Readings(spec::Arch::sm_100), {}, cells, defined);
  for (uint32_t lane = 0; lane < 128; ++lane) {
    EXPECT_EQ(cells[lane * 32 + 7], (lane / 32 * 32 + 31) * 32 + 7);
    EXPECT_EQ(cells[lane * 32 + 8], lane * 32 + 8);
  }
}

/// A bend that changes no case explains none.
TEST(TmemCopyModel, EveryBendChangesSomeCase) {
  Scratch right, bent;
  for (const model::Bend& bend : tmem_copy_bends()) {
    // Without leading offsets of rows of more than 32 bytes.
    if (spec::rules()[bend.rule].id == std::string_view("SMEM-R19")) continue;
    if (bend.rule == spec::rule("SMEM-R14") || bend.rule == spec::rule("SMEM-R15")) continue;
    // Windows end long before an address or an offset would need the highest bit of its field.
    if (bend.words.starts_with("the highest bit of")) continue;
    bool changes = false;
    for_copies(120, [&](const std::string&, const Case& any) {
      if (changes) return;
      Expected a, b;
      const spec::Readings honest(spec::Arch::sm_100);
      spec::Readings readings(spec::Arch::sm_100);
      readings.bend_by(&bend);
      tmem_copy_family().predict(any, honest, right, a);
      if (a.end != model::End::done) return;
      tmem_copy_family().predict(any, readings, bent, b);
      changes = b.end != a.end || !std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
    });
    EXPECT_TRUE(changes) << bend.words;
  }
}

TEST(TmemCopyCases, AFileThatNoProbeCanRunIsRefusedInOneSentence) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"cta_group":3})", "field 'cta_group' of the case is 3; expected 1 or 2."},
      {R"({"odd_cta_issues":true})", "only a pair has an odd CTA."},
      {R"({"first":{"shape":6}})", "field 'first.shape' of the case is 6; expected 0 to 5."},
      {R"({"first":{"lane":4}})",
       "field 'lane' of the case is 4; a copy starts at lane 0, one of 4x256b at 0 to 31."},
      {R"({"first":{"column":25,"is_shift":true}})",
       "field 'column' of the case is 25; the allocation ends before the last column."},
      {R"({"first":{"is_shift":true,"shape":2}})", "a shift has neither a source nor a shape."},
      {R"({"first":{"source":{"start":128}}})",
       "field 'window_bytes' of the case is 128; a copy would read beyond it."},
      {R"({"second":{"count":2},"window_bytes":8192})", "a move behind the last one is not as by default."},
  };
  for (const auto& [json, sentence] : rows) try {
      tmem_copy_family().from_json(nlohmann::json::parse(json));
      ADD_FAILURE() << json;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace assay::suites
