// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_field.h"

#include <gtest/gtest.h>

#include <array>

#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"

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

namespace model::fields {
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
}  // namespace model::fields
}  // namespace assay
