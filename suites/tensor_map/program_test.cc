// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "generators/tensor_map/program_cases.h"
#include "kernels/params/map_program.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/questions.h"
#include "suites/run/family.h"
#include "suites/run/property.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

using model::End;

constexpr const char* map_properties[] = {
    "tma.map.acquire",        "tma.map.memory",        "tma.map.program",        "tma.map.program.im2col",
    "tma.map.program.store",  "tma.map.replace",       "tma.map.replace.faults", "tma.map.rewrite",
    "tma.map.rewrite.im2col", "tma.map.rewrite.store", "tma.map.use.faults"};

template <typename Use>
void for_programs(uint64_t count, const Use& use) {
  for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_103})
    for (const char* name : map_properties)
      for (uint64_t index = 0; index < count; ++index) {
        Case c;
        find_property(name)->generate(11, name, index, arch, c);
        use(std::string(name), c, arch);
      }
}

// Of a map that no driver wrote the record has the words, whatever drivers write (TMA-AMB-28).
TEST(MapProgramCases, WordsOfARecordAreThoseOfNoRivalReading) {
  int with_im2col = 0;
  for_programs(60, [&](const std::string& name, const Case& any, spec::Arch arch) {
    const auto& c = any.as<MapProgramCase>();
    if (c.start != MapStart::im2col) return;
    ++with_im2col;
    const spec::Readings defaults(arch);
    for (size_t q = 0; q < spec::questions().size(); ++q)
      for (const spec::Reading& reading : spec::questions()[q].readings) {
        if (reading.letter == 0) continue;
        const spec::Readings rival =
            spec::with(defaults, static_cast<spec::QuestionIndex>(q), reading.letter);
        EXPECT_EQ(model::start_of(c, rival), model::start_of(c, defaults))
            << name << " " << spec::questions()[q].id << ":" << reading.letter;
      }
  });
  EXPECT_GT(with_im2col, 100);
}

TEST(MapProgramCases, CanBeRun) {
  std::set<uint32_t> copied_to;
  for_programs(200, [&](const std::string& name, const Case& any, spec::Arch) {
    const auto& c = any.as<MapProgramCase>();
    if (c.in_shared) copied_to.insert(c.place);
    ASSERT_EQ(what_is_wrong(c), "") << name << " " << model::to_json(c);
  });
  EXPECT_EQ(copied_to, (std::set<uint32_t>{0, 64, 128}));
}

TEST(MapProgramCases, EndAsTheirPropertyClaims) {
  Scratch scratch;
  std::map<std::string, std::map<End, int>> of_faults;
  for_programs(60, [&](const std::string& name, const Case& any, spec::Arch arch) {
    Expected e;
    map_program_family().predict(any, spec::Readings(arch), scratch, e);
    if (name.ends_with("faults"))
      ++of_faults[name][e.end];
    else
      EXPECT_EQ(e.end, End::done) << name << " " << model::to_json(any.as<MapProgramCase>());
  });
  EXPECT_EQ(of_faults.size(), 2u);
  for (auto& [name, ends] : of_faults) {
    EXPECT_EQ(ends[End::done], 10) << name << ": one of each dozen for each architecture";
    EXPECT_GE(ends[End::misaligned_address], 8) << name;
    EXPECT_EQ(ends[End::done] + ends[End::illegal_instruction] + ends[End::misaligned_address], 120) << name;
  }
}

TEST(MapProgramCases, BarriersAreArmedForMapsThatTheEncoderWouldRefuse) {
  // h200, I-04: channels have no effect on an interleaved column, however many bytes they would be.
  const MapProgramCase c = model::case_from_json<MapProgramCase>(nlohmann::json::parse(R"({
    "channels":16,"data_type":11,"element_stride":[1,1,1,1,1],"global_address":4520176,
    "global_dim":[18,3,17,5,0],"global_stride":[5168,304,15536,0],"interleave":1,"lower":[0,-47,0],
    "pixels":256,"rank":4,"start":"im2col","tile_offset":1280,"upper":[1,127,0],"window_bytes":17792,
    "step":[{"op":"box_dim","ordinal":0,"scope":0,"value":0},{"op":"use","ordinal":0,"scope":0,"value":0}],
    "use":[{"coord":[4,-14,6,2,0],"instruction":"im2col_load","rank":4}]})"));
  const spec::Readings readings(spec::Arch::sm_90);
  model::MapMachine machine(c, readings);
  spec::RuleSet rules;
  machine.step(rules);
  EXPECT_EQ(model::armed_bytes(c, c.use[0], machine.global(), readings), 256u * 16);
}

/// No encoder writes the maps that stores of six bits may have on sm_103a alone.
TEST(MapProgramCases, StoresOfSixBitsHaveHalfABoxOnSm103Alone) {
  const auto widths = [](spec::Arch arch) {
    std::set<uint64_t> found;
    MapProgramCase c;
    for (uint64_t index = 0; index < 600; ++index) {
      gen::make_map_rewrite_store({11, "half", index, arch}, c);
      uint64_t type = 0, width = 0;
      for (uint32_t i = 0; i < c.steps; ++i) {
        if (c.step[i].is(MapOp::elemtype)) type = c.step[i].value;
        if (c.step[i].is(MapOp::box_dim) && c.step[i].ordinal == 0) width = c.step[i].value % 256;
      }
      if (type == spec::data_types[spec::host_type::b6x16_p32].elemtype) found.insert(width);
    }
    return found;
  };
  EXPECT_EQ(widths(spec::Arch::sm_103), (std::set<uint64_t>{64, 128}));
  EXPECT_EQ(widths(spec::Arch::sm_100), (std::set<uint64_t>{128}));
}

TEST(MapProgramCases, EachWayToPublishIsMadeAndRecognised) {
  for (uint64_t index = 0; index < gen::publication_count; ++index) {
    MapProgramCase c;
    gen::make_map_acquire({0, "tma.map.acquire", index, spec::Arch::sm_90}, c);
    EXPECT_EQ(gen::publication_of(c), index) << model::to_json(c);
  }
}

TEST(MapProgramCases, ShrunkOnesCanBeRun) {
  for_programs(2, [](const std::string& name, const Case& any, spec::Arch) {
    int seen = 0;
    for (const MapProgramCase& one : gen::simpler(any.as<MapProgramCase>())) {
      EXPECT_EQ(what_is_wrong(one), "") << name;
      EXPECT_NE(one, any.as<MapProgramCase>()) << name;
      if (++seen == 60) break;
    }
    EXPECT_GT(seen, 0) << name;
  });
}

TEST(MapProgramCases, BadFilesAreRefusedInASentence) {
  const auto refusal = [](const char* text) -> std::string {
    try {
      model::case_from_json<MapProgramCase>(nlohmann::json::parse(text));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "taken";
  };
  const std::pair<const char*, const char*> wrong[] = {
      {"[]", "not a JSON object"},
      {"{}", "a program has 1 to 32 steps"},
      {R"({"step":[{"op":"box"}]})", "is \"box\"; expected one of"},
      {R"({"step":[{"op":"elemtype","value":16}],"start":"zeros"})", "the operand is 0 to 15"},
      {R"({"step":[{"op":"rank","ordinal":1}],"start":"zeros"})", "has an ordinal"},
      {R"({"step":[{"op":"box_dim","ordinal":5}],"start":"zeros"})", "an ordinal above 4"},
      {R"({"step":[{"op":"box_dim","value":4294967296}],"start":"zeros"})", "more than 32 bits"},
      {R"({"step":[{"op":"copy_fence"}],"start":"zeros"})", "not in shared memory"},
      {R"({"step":[{"op":"use"}],"start":"zeros"})", "one for each of its steps"},
      {R"({"step":[{"op":"use"}],"use":[{"rank":6}],"start":"zeros"})", "rank 1 to 5"},
      {R"({"step":[{"op":"use"}],"use":[{}],"start":"zeros","is_absolute":true})", "address is arbitrary"},
      {R"({"step":[{"op":"release"}],"is_absolute":true})", "an address of the arena"},
      {R"({"step":[{"op":"release"}],"memory":"const"})", "not in global memory"},
      {R"({"step":[{"op":"release","scope":4}]})", "a scope above 3"},
      {R"({"step":[{"op":"release"}],"place":16})", "expected 0, 64 or 128"},
      {R"({"step":[{"op":"release"}],"place":192})", "expected 0, 64 or 128"},
      {R"({"step":[{"op":"use"}],"use":[{}],"memory":"const","place":128})", "outside of global memory"},
      {R"({"step":[{"op":"release"}],"window_bytes":8})", "a multiple of 16"},
      {R"({"step":[{"op":"use"}],"use":[{"instruction":"move"}],"start":"zeros"})",
       "is \"move\"; expected one of"},
      {R"({"step":[{"op":"use"}],"use":[{"instruction":"store"}],"start":"zeros"})", "no slot to write to"},
      {R"({"step":[{"op":"use"}],"use":[{"instruction":"im2col_load","rank":2}],"start":"zeros"})",
       "im2col mode has rank 3 to 5"},
      {R"({"step":[{"op":"release"}],"slot_bytes":8})", "expected a multiple of 16 from 0 to"},
      {R"({"step":[{"op":"release"}],"slot_bytes":16,"slot_fill_offset":8})",
       "expected a multiple of 16 from 0 to"},
      {R"({"step":[{"op":"release"}],"slot_bytes":16,"start":"zeros","is_absolute":true})",
       "relative to the slot"},
      {R"({"step":[{"op":"release"}],"start":"im2col"})", "begins with violates V-"},
      {R"({"step":[{"op":"release"}],"steps":3})", "does not exist in a case of this kind"},
  };
  for (const auto& [text, words] : wrong)
    EXPECT_NE(refusal(text).find(words), std::string::npos) << refusal(text);
}

/// An object of zeros, by hand: a box of 257 is 1, one of 0 is 256; an extent of 0 is 2^32; a stride drops
/// its low bits and has its top ones elsewhere; 8 dimensions more are as many.
TEST(MapProgramModel, OperandsThatDoNotFit) {
  MapProgramCase c;
  c.start = MapStart::zeros;
  c.is_absolute = true;
  c.step = {MapStep{MapOp::box_dim, 0, 0, 257},
            MapStep{MapOp::box_dim, 1, 0, 0},
            MapStep{MapOp::global_dim, 2, 0, 0},
            MapStep{MapOp::global_stride, 1, 0, 0xf000000001f},
            MapStep{MapOp::element_stride, 3, 0, 9},
            MapStep{MapOp::rank, 0, 0, 12},
            MapStep{MapOp::elemtype, 0, 0, 11},
            MapStep{MapOp::elemtype, 0, 0, 0},
            MapStep{MapOp::global_stride, 4, 0, 0x5000abcd0}};
  c.steps = 9;
  const spec::Readings readings(spec::Arch::sm_90);
  model::MapMachine machine(c, readings);
  spec::RuleSet rules;
  while (!machine.is_over()) machine.step(rules);
  const auto word = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= std::to_integer<uint32_t>(machine.global()[at + i]) << (8 * i);
    return value;
  };
  EXPECT_EQ(word(0x34), 0u);                  // box 1, traversal stride 1
  EXPECT_EQ(word(0x38), 0xffu);               // box 256
  EXPECT_EQ(word(0x28), 0xffffffffu);         // 2^32
  EXPECT_EQ(word(0x10), 1u);                  // 16 bytes of it
  EXPECT_EQ(word(0x1c), 0x5000abcdu);         // written over by the fifth: bits 35:4, none above
  EXPECT_EQ(word(0x08), 4u << 4 | 1u << 16);  // rank 5; u8 with the flag that tf32 left
}

/// A map of 16 bytes that is moved in a slot of 512, a store and an addition through it.
MapProgramCase store_and_add(uint64_t address) {
  MapProgramCase c;
  c.map.rank = 1;
  c.map.data_type = 2;  // u32
  c.map.global_dim.fill(4);
  c.map.box_dim.fill(4);
  c.map.element_stride.fill(1);
  c.tile_offset = 128;
  c.window_bytes = 512;
  c.slot_bytes = 512;
  c.step = {MapStep{MapOp::global_address, 0, 0, address}, MapStep{MapOp::acquire}, MapStep{MapOp::use},
            MapStep{MapOp::use}};
  c.steps = 4;
  c.use[0] = {{}, 1, MapInstruction::store, {}};
  c.use[1] = {{}, 1, MapInstruction::add, {}};
  c.uses = 2;
  return c;
}

TEST(MapProgramCases, AStoreOutsideOfItsSlotIsRefused) {
  EXPECT_NO_THROW(model::case_from_json<MapProgramCase>(model::to_json(store_and_add(496))));
  EXPECT_THROW(model::case_from_json<MapProgramCase>(model::to_json(store_and_add(512))), std::runtime_error);
}

/// By hand: the store goes where the address says, the addition adds to what the slot then holds.
TEST(MapProgramModel, StoresAndAdditionsOfOneSlot) {
  const MapProgramCase c = store_and_add(256);
  ASSERT_EQ(what_is_wrong(c), "");
  const spec::Readings readings(spec::Arch::sm_90);
  std::vector<std::byte> output(model::output_bytes_of(c)), defined(output.size());
  ASSERT_EQ(model::predict_map_program(c, readings, arena(), output, defined).end, End::done);
  for (uint32_t i = 0; i < c.slot_bytes; i += 4) {
    uint32_t held, stored, left;
    std::memcpy(&held, &arena()[i], 4);
    std::memcpy(&left, &output[model::slot_at(c) + i], 4);
    const bool is_met = i >= 256 && i < 272;
    if (is_met) std::memcpy(&stored, &arena()[128 + i - 256], 4);
    EXPECT_EQ(left, is_met ? 2 * stored : held) << i;
  }
}

/// Old and new map of a copy, as fences have it.
TEST(MapProgramModel, AnAcquireOfTheVeryAddressAlone) {
  const spec::Readings readings(spec::Arch::sm_90);
  const auto found_after = [&](std::vector<MapStep> steps) {
    MapProgramCase c;
    gen::make_map_memory({1, "", 64, spec::Arch::sm_90}, c);
    c.memory = MapMemory::global;
    c.steps = 0;
    c.step[c.steps++] = {MapOp::use};
    for (const MapStep& step : steps) c.step[c.steps++] = step;
    model::MapMachine machine(c, readings);
    spec::RuleSet rules;
    while (!machine.is_over()) machine.step(rules);
    return machine.may_be_found().size();
  };
  const MapStep change{MapOp::global_address, 0, 0, 4096};
  EXPECT_EQ(found_after({}), 1u);
  EXPECT_EQ(found_after({change}), 2u);
  EXPECT_EQ(found_after({change, {MapOp::release}}), 2u);
  EXPECT_EQ(found_after({change, {MapOp::acquire, 1}}), 2u);
  EXPECT_EQ(found_after({change, {MapOp::acquire, 2}}), 2u);
  EXPECT_EQ(found_after({change, {MapOp::acquire}}), 1u);
  EXPECT_EQ(found_after({{MapOp::acquire}, change}), 1u) << "no copy has found the old map since";
}

TEST(MapProgramModel, AWholeWarpAcquiresTheMapByTheLaneThatActs) {
  std::set<uint64_t> steps;
  bool acts_behind = false;
  for (uint64_t index = 0; index < 400; ++index) {
    MapProgramCase c;
    gen::make_map_acquire({3, "tma.map.acquire", index, spec::Arch::sm_90}, c);
    for (uint32_t i = 0; i < c.steps; ++i) {
      if (!c.step[i].is(MapOp::acquire)) continue;
      steps.insert(c.step[i].value);
      acts_behind |= c.step[i].value != 0 && c.issuer_thread % 32 != 0;
    }
    EXPECT_EQ(what_is_wrong(c), "") << index;
  }
  EXPECT_EQ(steps, (std::set<uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(acts_behind) << "or the first lane would do for all";
  MapProgramCase c;
  gen::make_map_acquire({3, "tma.map.acquire", 3, spec::Arch::sm_90}, c);
  const auto acquire =
      std::find_if(c.step.begin(), c.step.end(), [](const MapStep& s) { return s.is(MapOp::acquire); });
  ASSERT_NE(acquire, c.step.end());
  acquire->value = 4;
  EXPECT_NE(step_words(c, static_cast<uint32_t>(acquire - c.step.begin())).find("256 bytes apart"),
            std::string::npos);
  acquire->ordinal = 1;
  EXPECT_NE(what_is_wrong(c).find("acquires the map itself"), std::string::npos);
  acquire->ordinal = 0, acquire->value = 17;
  EXPECT_NE(what_is_wrong(c).find("more than 1024 bytes apart"), std::string::npos);
}

/// The other of two maps that a load may find is allowed, a third one not.
TEST(MapProgramModel, ALoadWithAChoiceTakesOneOfTwoMaps) {
  const spec::Readings readings(spec::Arch::sm_90);
  Scratch scratch;
  int choices = 0;
  for (uint64_t index = 0; index < 40; ++index) {
    MapProgramCase c;
    gen::make_map_acquire({0, "tma.map.acquire", index, spec::Arch::sm_90}, c);
    Expected e;
    map_program_family().predict(Case(c), readings, scratch, e);
    std::vector<std::byte> output(e.bytes.begin(), e.bytes.end());
    EXPECT_TRUE(map_program_family().same(Case(c), readings, e, output));
    model::MapMachine machine(c, readings);
    spec::RuleSet rules;
    while (!(c.step[machine.at()].is(MapOp::use) && machine.at() > 0)) machine.step(rules);
    const auto allowed = model::allowed_windows(machine, c, 1, readings, arena());
    if (allowed.size() < 2 || allowed[0].bytes == allowed[1].bytes) continue;
    ++choices;
    const size_t window = params::map_area_bytes + 128 * c.steps + c.window_bytes;
    std::copy(allowed[1].bytes.begin(), allowed[1].bytes.end(),
              output.begin() + static_cast<ptrdiff_t>(window));
    EXPECT_TRUE(map_program_family().same(Case(c), readings, e, output));
    EXPECT_FALSE(map_program_family().remark(Case(c), readings, e, {}, output).empty());
    for (size_t i = 0; i < c.window_bytes; ++i)
      if (allowed[0].bytes[i] != allowed[1].bytes[i]) {
        output[window + i] = ~(allowed[0].bytes[i] & allowed[1].bytes[i]);
        break;
      }
    EXPECT_FALSE(map_program_family().same(Case(c), readings, e, output));
  }
  EXPECT_GT(choices, 5);
}

}  // namespace
}  // namespace assay::suites
