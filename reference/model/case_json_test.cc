// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_json.h"

#include <gtest/gtest.h>
#include <array>
#include <nlohmann/json.hpp>

#include "reference/model/case_field.h"
#include "reference/model/case_fields.h"

namespace assay::model {
namespace {

using nlohmann::json;

TEST(CaseJson, CanonicalTextHasSortedKeysAndNoSpaceAndNoDefaults) {
  EncodeTiledCase call;
  EXPECT_EQ(canonical_text(to_json(call)), "{}");
  call.map.rank = 2, call.map.box_dim[1] = 8, call.before = 0;
  EXPECT_EQ(canonical_text(to_json(call)), R"({"before":0,"map":{"box_dim":[0,8,0,0,0],"rank":2}})");
}

TEST(CaseJson, AnAbsentMemberHasItsDefault) {
  EXPECT_EQ(case_from_json<TensorCopyCase>(json::object()), TensorCopyCase{});
  Tcgen05MmaCase expected;
  expected.mask.use_span = 7, expected.a.start = 32;
  EXPECT_EQ(case_from_json<Tcgen05MmaCase>(json::parse(R"({"mask":{"use_span":7},"a":{"start":32}})")),
            expected);
}

/// As cases were stored when every member was written: nothing of such a file is lost, and its id is that of
/// the same case today.
TEST(CaseJson, ACaseWithAllMembersIsTheSameCase) {
  const json whole = json::parse(
      R"({"before":205,"map":{"box_dim":[0,0,0,0,0],"data_type":0,"element_stride":[0,0,0,0,0],)"
      R"("global_address":0,)"
      R"("global_dim":[0,0,0,0,0],"global_stride":[0,0,0,0],"interleave":0,"l2_promotion":0,"oob_fill":0,)"
      R"("rank":3,)"
      R"("swizzle":0},"map_offset":0,"null_mask":0})");
  const EncodeTiledCase call = case_from_json<EncodeTiledCase>(whole);
  EXPECT_EQ(call.map.rank, 3u);
  EXPECT_EQ(canonical_text(to_json(call)), R"({"map":{"rank":3}})");
}

TEST(CaseJson, TheIdIsTheHashOfTheCanonicalText) {
  EXPECT_EQ(case_id(json::parse("[ 1 ]")), case_id(json::parse("[1]")));
  TensorCopyCase one;
  TensorCopyCase other = one;
  other.coord[4] = 1;
  EXPECT_EQ(case_id(to_json(one)).size(), 32u);
  EXPECT_NE(case_id(to_json(one)), case_id(to_json(other)));
}

std::string complaint(const json& from) {
  try {
    case_from_json<TensorCopyCase>(from);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(CaseJson, AMistakeIsNamed) {
  const json good = to_json(TensorCopyCase{});
  EXPECT_EQ(complaint(good), "no complaint");
  json bad = good;
  bad["colour"] = 1;
  EXPECT_EQ(complaint(bad), "field 'colour' of the case does not exist in a case of this kind.");
  bad = good;
  bad["map"]["box_dim"] = {1, 1, -1, 1, 1};
  EXPECT_EQ(complaint(bad), "field 'map.box_dim[2]' of the case is -1; expected 0 to 4294967295.");
  bad = good;
  bad["coord"] = {1ull << 31, 0, 0, 0, 0};
  EXPECT_EQ(complaint(bad),
            "field 'coord[0]' of the case is 2147483648; expected -2147483648 to 2147483647.");
  bad = good;
  bad["coord"] = {1, 2};
  EXPECT_EQ(complaint(bad), "field 'coord' of the case must be a list of 5 numbers.");
  bad = good;
  bad["window_bytes"] = 1.5;
  EXPECT_EQ(complaint(bad), "field 'window_bytes' of the case is 1.5; expected an integer.");
  bad = good;
  bad["direction"] = "sideways";
  EXPECT_EQ(complaint(bad), "field 'direction' of the case is \"sideways\"; expected one of load, store.");
  bad = good;
  bad["prefetch_first"] = 1;
  EXPECT_EQ(complaint(bad), "field 'prefetch_first' of the case is 1; expected true or false.");
  bad = good;
  bad["map"] = 7;
  EXPECT_EQ(complaint(bad), "field 'map' of the case is not an object.");
  EXPECT_EQ(complaint(json::array()), "the case is not a JSON object.");
}

// Kinds are numbers in files, as they were before they had a type: the last one is read, the next one is
// refused, and so is what an 8-bit number would make a kind of.
TEST(CaseJson, ANumberThatNamesNothingIsRefused) {
  Tcgen05MmaCase c;
  c.kind = spec::MmaKind::mxf4nvf4, c.collector = Collector::discard;
  const json good = to_json(c);
  EXPECT_EQ(good["kind"], 6);
  EXPECT_EQ(good["collector"], 4);
  EXPECT_EQ(case_from_json<Tcgen05MmaCase>(good), c);
  for (const auto& [field, value, most] : {std::tuple{"kind", json(7), "6"},
                                           {"kind", json(256), "6"},
                                           {"kind", json(-1), "6"},
                                           {"kind", json(1.5), "6"},
                                           {"kind", json("f16"), "6"},
                                           {"collector", json(5), "4"},
                                           {"collector", json(uint64_t{1} << 32), "4"}}) {
    json bad = good;
    bad[field] = value;
    std::string said;
    try {
      case_from_json<Tcgen05MmaCase>(bad);
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, "field '" + std::string(field) + "' of the case is " + value.dump() +
                        "; expected an integer from 0 to " + most + ".");
  }
}

}  // namespace
}  // namespace assay::model

namespace assay {

enum class Colour : uint8_t { red, green };
constexpr std::array<std::string_view, 2> spellings_of(Colour) {
  return {"red", "green"};
}
struct PartOfCase {
  uint32_t steps = 1;
  auto operator<=>(const PartOfCase&) const = default;
};
struct FieldCase {
  uint32_t bytes = 16, columns = 32, rank = 1;
  int32_t delta = 0;
  bool is_wide = false;
  Colour colour = Colour::red;
  std::array<uint32_t, 3> spans{1, 1, 1};
  PartOfCase part;
  auto operator<=>(const FieldCase&) const = default;
};
inline constexpr uint32_t some_columns[] = {32, 64, 128};

template <typename Part, typename Visit>
requires std::same_as<std::remove_const_t<Part>, PartOfCase>
void visit_fields(Part& p, const Visit& visit) {
  ASSAY_FIELD(visit, p, steps, .least = 1, .most = 4);
}
template <typename Case, typename Visit>
requires std::same_as<std::remove_const_t<Case>, FieldCase>
void visit_fields(Case& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, bytes, .unit = "bytes", .most = 64, .multiple = 16);
  ASSAY_FIELD(visit, c, colour);
  ASSAY_FIELD(visit, c, columns, .values = some_columns);
  ASSAY_FIELD(visit, c, delta, .least = -4, .most = 4);
  ASSAY_FIELD(visit, c, part);
  ASSAY_FIELD(visit, c, rank, .unit = "dimensions", .least = 1, .most = 5, .may_break = true);
  ASSAY_FIELD(visit, c, spans, .least = 1, .most = 256);
  ASSAY_FIELD_AS("wide", visit, c, is_wide);
}

}  // namespace assay

namespace assay::model::fields {
namespace {

FieldCase with(auto change) {
  FieldCase c;
  change(c);
  return c;
}

TEST(CaseField, SaysWhatIsWrongWithAMemberByItself) {
  EXPECT_EQ(wrong_field(FieldCase{}), "");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.bytes = 64, c.delta = -4, c.columns = 128; })), "");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.bytes = 24; })),
            "field 'bytes' of the case is 24; expected a multiple of 16 from 0 to 64.");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.bytes = 80; })),
            "field 'bytes' of the case is 80; expected a multiple of 16 from 0 to 64.");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.delta = -5; })),
            "field 'delta' of the case is -5; expected -4 to 4.");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.columns = 96; })),
            "field 'columns' of the case is 96; expected 32, 64 or 128.");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.spans[2] = 257; })),
            "field 'spans[2]' of the case is 257; expected 1 to 256.");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.part.steps = 0; })),
            "field 'part.steps' of the case is 0; expected 1 to 4.");
  EXPECT_EQ(wrong_field(with([](FieldCase& c) { c.rank = 9; })), "") << "a case may break that rule";
}

std::string refusal(const char* text) {
  try {
    read_case<FieldCase>(json::parse(text));
    return "read";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(CaseField, TheSameIsRefusedWhereAFileSaysIt) {
  EXPECT_EQ(refusal(R"({"bytes":48,"rank":9,"wide":true,"spans":[1,2,256],"colour":"green"})"), "read");
  EXPECT_EQ(refusal(R"({"bytes":24})"),
            "field 'bytes' of the case is 24; expected a multiple of 16 from 0 to 64.");
  EXPECT_EQ(refusal(R"({"bytes":-16})"),
            "field 'bytes' of the case is -16; expected a multiple of 16 from 0 to 64.");
  EXPECT_EQ(refusal(R"({"columns":33})"), "field 'columns' of the case is 33; expected 32, 64 or 128.");
  EXPECT_EQ(refusal(R"({"spans":[1,0,1]})"), "field 'spans[1]' of the case is 0; expected 1 to 256.");
  EXPECT_EQ(refusal(R"({"part":{"steps":5}})"), "field 'part.steps' of the case is 5; expected 1 to 4.");
  EXPECT_EQ(refusal(R"({"rank":4294967296})"),
            "field 'rank' of the case is 4294967296; expected 0 to 4294967295.");
  EXPECT_EQ(refusal(R"({"is_wide":true})"),
            "field 'is_wide' of the case does not exist in a case of this kind.");
}

TEST(CaseField, SchemasHaveTheRangesOfTheRows) {
  const json made = schema_of(FieldCase())["properties"];
  EXPECT_EQ(made["bytes"], json::parse(R"({"type":"integer","minimum":0,"maximum":64,"multipleOf":16,
                                           "default":16,"description":"bytes"})"));
  EXPECT_EQ(made["columns"], json::parse(R"({"enum":[32,64,128],"default":32})"));
  EXPECT_EQ(made["delta"]["minimum"], -4);
  EXPECT_EQ(made["spans"]["items"], json::parse(R"({"type":"integer","minimum":1,"maximum":256})"));
  EXPECT_EQ(made["rank"], json::parse(R"({"type":"integer","minimum":0,"maximum":4294967295,"default":1,
                            "description":"dimensions; legal: 1 to 5"})"));
}

struct Record {
  uint8_t bytes, columns;
  int16_t delta;
  uint32_t is_wide;
  uint8_t colour;
  uint16_t spans[4];
  struct {
    uint16_t steps;
  } part;
  uint32_t something_else;
};

TEST(CaseField, RecordsGetTheMembersOfTheirNames) {
  FieldCase c{.bytes = 48, .columns = 128, .rank = 5, .delta = -3, .is_wide = true};
  c.colour = Colour::green, c.spans = {7, 8, 256}, c.part.steps = 3;
  Record r{};
  r.spans[3] = 77, r.something_else = 5;
  copy_members(c, r);
  EXPECT_EQ(r.bytes, 48);
  EXPECT_EQ(r.columns, 128);
  EXPECT_EQ(r.delta, -3);
  EXPECT_EQ(r.is_wide, 1u);
  EXPECT_EQ(r.colour, 1);
  EXPECT_EQ(r.spans[0], 7);
  EXPECT_EQ(r.spans[2], 256);
  EXPECT_EQ(r.spans[3], 77);
  EXPECT_EQ(r.part.steps, 3);
  EXPECT_EQ(r.something_else, 5u);
}

}  // namespace
}  // namespace assay::model::fields
