// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <cmath>
#include <functional>

#include "devices/emulator/alu/evaluate.h"
#include "devices/emulator/alu/half.h"

namespace assay::emulator::alu {
namespace {

// How two operands stand to each other, and the relations as sets of that: l below, e equal, g above, u
// unordered.
struct Relation {
  const char* name;
  const char* holds_for;
};
constexpr Relation relations[] = {
    {"eq", "e"},    {"ne", "lg"},   {"lt", "l"},   {"le", "le"},   {"gt", "g"},   {"ge", "ge"},
    {"equ", "eu"},  {"neu", "lgu"}, {"ltu", "lu"}, {"leu", "leu"}, {"gtu", "gu"}, {"geu", "geu"},
    {"num", "leg"}, {"nan", "u"},   {"lo", "l"},   {"ls", "le"},   {"hi", "g"},   {"hs", "ge"}};

template <class T>
char standing(T a, T b) {
  if (std::isnan(static_cast<double>(a)) || std::isnan(static_cast<double>(b))) return 'u';
  return a < b ? 'l' : a > b ? 'g' : 'e';
}
float flush(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}
float as_float(uint64_t b) {
  return std::bit_cast<float>(static_cast<uint32_t>(b));
}

struct Operand {
  const char* type;  ///< with .ftz before it, where it is there
  std::function<char(uint64_t, uint64_t)> stands;
};
const Operand operands[] = {
    {"b16", [](uint64_t a, uint64_t b) { return standing(uint16_t(a), uint16_t(b)); }},
    {"b64", [](uint64_t a, uint64_t b) { return a == b ? 'e' : 'l'; }},
    {"u16", [](uint64_t a, uint64_t b) { return standing(uint16_t(a), uint16_t(b)); }},
    {"u32", [](uint64_t a, uint64_t b) { return standing(uint32_t(a), uint32_t(b)); }},
    {"u64", [](uint64_t a, uint64_t b) { return a < b   ? 'l'
                                                : a > b ? 'g'
                                                        : 'e'; }},
    {"s16", [](uint64_t a, uint64_t b) { return standing(int16_t(a), int16_t(b)); }},
    {"s32", [](uint64_t a, uint64_t b) { return standing(int32_t(a), int32_t(b)); }},
    {"s64", [](uint64_t a, uint64_t b) { return int64_t(a) < int64_t(b) ? 'l'
                                                : a == b                ? 'e'
                                                                        : 'g'; }},
    {"f32", [](uint64_t a, uint64_t b) { return standing(as_float(a), as_float(b)); }},
    {"ftz.f32", [](uint64_t a, uint64_t b) { return standing(flush(as_float(a)), flush(as_float(b))); }},
    {"f64",
     [](uint64_t a, uint64_t b) { return standing(std::bit_cast<double>(a), std::bit_cast<double>(b)); }},
    {"f16",
     [](uint64_t a, uint64_t b) { return standing(f16_to_float(uint16_t(a)), f16_to_float(uint16_t(b))); }},
    {"bf16", [](uint64_t a, uint64_t b) { return standing(as_float(a << 16), as_float(b << 16)); }},
};

rc::Gen<uint64_t> compare_bits() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<uint64_t>(), rc::gen::arbitrary<uint64_t>(),
      rc::gen::element<uint64_t>(0, 1, 0x80000000, 0x80000001, 0x7fc00000, 0x7f800000, 0x8000, 0x7e00, 0x7fff,
                                 0x7ff8000000000000, 0x8000000000000000, ~uint64_t{0}));
}

bool joined(const std::string& how, bool t, bool c) {
  if (how == ".and") return t && c;
  if (how == ".or") return t || c;
  if (how == ".xor") return t != c;
  return t;
}

TEST(compare, setp_and_set_follow_the_relation_and_the_boolean_operation) {
  size_t forms = 0;
  for (const Operand& operand : operands)
    for (const Relation& relation : relations)
      for (const char* join : {"", ".and", ".or", ".xor"}) {
        const std::string middle = std::string(relation.name) + join, type = operand.type;
        const std::string setp = "setp." + middle + "." + type;
        if (!find_lane_form(opcode_of(setp))) continue;  // find_test.cc says which relations a type has
        ++forms;
        const bool two_predicates = find_lane_form(opcode_of(setp))->second_destination;
        const size_t dot = type.find('.');
        const std::string flush = dot == std::string::npos ? "" : type.substr(0, dot + 1);
        const std::string source = dot == std::string::npos ? type : type.substr(dot + 1);
        EXPECT_TRUE(rc::check(setp, [&] {
          const uint64_t a = *compare_bits(), b = *rc::gen::oneOf(compare_bits(), rc::gen::just(a));
          const bool c = *rc::gen::arbitrary<bool>();
          const bool t = std::string(relation.holds_for).find(operand.stands(a, b)) != std::string::npos;
          std::vector<uint64_t> sources{a, b};
          if (*join != 0) sources.push_back(c);
          const Results p = evaluate_both(setp, sources);
          RC_ASSERT(p.d == joined(join, t, c));
          if (two_predicates) RC_ASSERT(p.d2 == joined(join, !t, c));
          RC_ASSERT(evaluate("set." + middle + "." + flush + "u32." + source, sources) ==
                    (joined(join, t, c) ? 0xffffffffu : 0));
        })) << setp;
      }
  EXPECT_EQ(forms, 4u * (2 * 2 + 3 * 10 + 3 * 6 + 5 * 14));
}

TEST(compare, set_writes_true_in_its_own_type) {
  const auto set = [](const char* types, uint64_t b) {
    return evaluate(std::string("set.lt.") + types, {1, b});
  };
  EXPECT_EQ(set("u32.s32", 2), 0xffffffffu);
  EXPECT_EQ(set("s32.s32", 2), 0xffffffffu);
  EXPECT_EQ(set("f32.s32", 2), 0x3f800000u);
  EXPECT_EQ(set("f16.s32", 2), 0x3c00u);
  EXPECT_EQ(set("bf16.s32", 2), 0x3f80u);
  EXPECT_EQ(set("u16.f16", 2), 0xffffu);
  EXPECT_EQ(set("s16.bf16", 2), 0xffffu);
  EXPECT_EQ(set("bf16.f16", 2), 0x3f80u);
  for (const char* types : {"u32.s32", "f32.s32", "f16.s32", "bf16.s32", "u16.f16"})
    EXPECT_EQ(set(types, 1), 0u);
}

TEST(compare, pairs_compare_each_half) {
  constexpr uint64_t a = 0x3c00'4000, b = 0x4000'3c00, nan = 0x7e00'3c00;
  EXPECT_EQ(evaluate_both("setp.lt.f16x2", {a, b}), (Results{0, 1})) << "p is the low half, q the high one";
  EXPECT_EQ(evaluate_both("setp.gt.and.f16x2", {a, b, 1}), (Results{1, 0}));
  EXPECT_EQ(evaluate_both("setp.gt.and.f16x2", {a, b, 0}), (Results{0, 0}));
  EXPECT_EQ(evaluate_both("setp.nan.f16x2", {nan, b}), (Results{0, 1}));
  EXPECT_EQ(evaluate_both("setp.eq.xor.bf16x2", {0x3f80'3f80, 0x3f80'0000, 1}), (Results{1, 0}));
  EXPECT_EQ(evaluate_both("setp.eq.ftz.f16x2", {0x0001'8001, 0x0000'0000}), (Results{1, 1}));
  EXPECT_EQ(evaluate_both("setp.eq.f16x2", {0x0001'8001, 0x0000'0000}), (Results{0, 0}));
  EXPECT_EQ(evaluate("set.lt.f16x2.f16x2", {a, b}), 0x3c00'0000u);
  EXPECT_EQ(evaluate("set.lt.u32.f16x2", {a, b}), 0xffff'0000u);
  EXPECT_EQ(evaluate("set.gt.or.bf16x2.bf16x2", {a, b, 0}), 0x0000'3f80u);
  EXPECT_EQ(evaluate("set.gt.or.s32.bf16x2", {a, b, 1}), 0xffff'ffffu);
}

TEST(compare, setp_may_drop_its_first_predicate) {
  Column a = column_of(1), b = column_of(2), q = column_of(7);
  LaneArgs args;
  args.d2 = q.data();
  args.s[0] = a.data();
  args.s[1] = b.data();
  args.mask = 0xffff;
  find_lane_form(opcode_of("setp.lt.s32"))->op(args);
  EXPECT_EQ(q[0], 0u);
  EXPECT_EQ(q[15], 0u);
  EXPECT_EQ(q[16], 7u);
}

TEST(compare, testp) {
  struct Row {
    uint64_t single, twice;
    const char* is;
  };
  const Row rows[] = {{0x7f800000, 0x7ff0000000000000, "infinite number"},
                      {0xff800000, 0xfff0000000000000, "infinite number"},
                      {0x7fc00000, 0x7ff8000000000000, "notanumber"},
                      {0x7f800001, 0x7ff0000000000001, "notanumber"},
                      {0x00000001, 0x0000000000000001, "finite number subnormal"},
                      {0x807fffff, 0x800fffffffffffff, "finite number subnormal"},
                      {0x00800000, 0x0010000000000000, "finite number normal"},
                      {0x80000000, 0x8000000000000000, "finite number normal"},
                      {0x3f800000, 0x3ff0000000000000, "finite number normal"}};
  for (const char* test : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"})
    for (const Row& row : rows) {
      std::stringstream words(row.is);
      bool want = false;
      for (std::string word; words >> word;) want = want || word == test;
      EXPECT_EQ(evaluate(std::string("testp.") + test + ".f32", {row.single}), want) << test << " " << row.is;
      EXPECT_EQ(evaluate(std::string("testp.") + test + ".f64", {row.twice}), want) << test << " " << row.is;
    }
}

}  // namespace
}  // namespace assay::emulator::alu
