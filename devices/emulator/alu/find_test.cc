// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <set>

#include "devices/emulator/alu/evaluate.h"

namespace assay::emulator::alu {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct Closure {
  std::set<std::string> legal;
  std::map<std::string, std::set<std::string>> modifiers;  ///< by base
  std::set<std::string> types;
};

std::string spell(const std::string& base, const std::string& modifiers, const std::string& types) {
  return base + (modifiers == "-" ? "" : "." + modifiers) + "." + types;
}

const Closure& closure() {
  static const Closure read = [] {
    Closure made;
    std::ifstream file(ASSAY_SOURCE_DIR "/devices/emulator/alu/legal_forms.txt");
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      const size_t first = line.find('|'), second = line.find('|', first + 1);
      const std::string base = words_of(line.substr(0, first)).at(0);
      for (const std::string& types : words_of(line.substr(first + 1, second - first - 1)))
        for (const std::string& modifiers : words_of(line.substr(second + 1))) {
          made.legal.insert(spell(base, modifiers, types));
          made.modifiers[base].insert(modifiers);
          made.types.insert(types);
        }
    }
    return made;
  }();
  return read;
}

TEST(find_lane_form, knows_every_legal_form) {
  ASSERT_GT(closure().legal.size(), 5000u);
  for (const std::string& text : closure().legal) {
    const auto form = find_lane_form(opcode_of(text));
    ASSERT_TRUE(form.has_value()) << text;
    EXPECT_NE(form->op, nullptr) << text;
    EXPECT_GE(form->sources, 1) << text;
  }
}

// Every modifier word of a base with every type of the whole table: what is not legal finds nothing.
TEST(find_lane_form, knows_no_other_combination) {
  size_t illegal = 0;
  for (const auto& [base, modifiers] : closure().modifiers)
    for (const std::string& modifier : modifiers)
      for (const std::string& types : closure().types) {
        const std::string text = spell(base, modifier, types);
        if (closure().legal.contains(text)) continue;
        ++illegal;
        EXPECT_FALSE(find_lane_form(opcode_of(text)).has_value()) << text;
      }
  EXPECT_GT(illegal, 50000u);
}

TEST(find_lane_form, refuses_illegal_qualifiers) {
  for (const char* text : {"add.sat.u32",
                           "mul.wide.s64",
                           "add.rn.s32",
                           "add",
                           "add.s32.s32",
                           "add.rn.rz.f32",
                           "add.ftz.ftz.f32",
                           "add.bogus.f32",
                           "add.f32x2.sat",
                           "fma.f32",
                           "fma.relu.f32",
                           "div.f64",
                           "sqrt.f32",
                           "ex2.f32",
                           "min.ftz.bf16",
                           "min.xorsign.f32",
                           "setp.f32",
                           "setp.lt.b32",
                           "setp.lo.s32",
                           "setp.equ.s32",
                           "setp.lt.gt.s32",
                           "set.eq.f64.f64",
                           "shf.l.b32",
                           "shf.l.r.wrap.b32",
                           "lop3.xor.b32",
                           "bfe.b32",
                           "selp.pred",
                           "mov.f16",
                           "cvt.f32.s32",
                           "cvt.rn.s32.f32",
                           "cvt.f32.f64",
                           "cvt.rn.f64.f32",
                           "cvt.ftz.f64.f16",
                           "cvt.sat.u32.u8",
                           "cvt.rn.e4m3x2.f32",
                           "cvt.rz.satfinite.e4m3x2.f32",
                           "cvt.rn.satfinite.e2m3x2.f16x2",
                           "cvt.rna.relu.tf32.f32",
                           "cvt.pack.u8.s32.b32",
                           "cvt.pack.sat.u8.s32",
                           "tanh.f32",
                           "dp4a.s32",
                           "mad.lo.sat.s32",
                           "bogus.s32",
                           "ld.global.u32"})
    EXPECT_FALSE(find_lane_form(opcode_of(text)).has_value()) << text;
}

// ptx: qualifiers are a set; only the order of the types means something.
TEST(find_lane_form, does_not_mind_the_order_of_modifiers) {
  EXPECT_EQ(find_lane_form(opcode_of("add.ftz.rn.f32"))->op, find_lane_form(opcode_of("add.rn.ftz.f32"))->op);
  EXPECT_EQ(find_lane_form(opcode_of("prmt.f4e.b32"))->op, find_lane_form(opcode_of("prmt.b32.f4e"))->op);
  EXPECT_NE(find_lane_form(opcode_of("cvt.u16.u32"))->op, find_lane_form(opcode_of("cvt.u32.u16"))->op);
}

TEST(find_lane_form, counts_operands) {
  const auto operands = [](const char* text) {
    const auto form = find_lane_form(opcode_of(text));
    return std::tuple{form->sources, form->optional_sources, form->second_destination};
  };
  EXPECT_EQ(operands("mov.u32"), (std::tuple{1, 0, false}));
  EXPECT_EQ(operands("mad.lo.s32"), (std::tuple{3, 0, false}));
  EXPECT_EQ(operands("lop3.b32"), (std::tuple{4, 0, false}));
  EXPECT_EQ(operands("lop3.or.b32"), (std::tuple{5, 0, true}));
  EXPECT_EQ(operands("setp.lt.s32"), (std::tuple{2, 0, true}));
  EXPECT_EQ(operands("setp.lt.and.s32"), (std::tuple{3, 0, true}));
  EXPECT_EQ(operands("setp.lt.f16"), (std::tuple{2, 0, false}));
  EXPECT_EQ(operands("setp.lt.f16x2"), (std::tuple{2, 0, true}));
  EXPECT_EQ(operands("max.f32"), (std::tuple{2, 1, false}));
  EXPECT_EQ(operands("max.abs.f32"), (std::tuple{3, 0, false}));
  EXPECT_EQ(operands("max.xorsign.abs.f32"), (std::tuple{2, 0, false}));
  EXPECT_EQ(operands("cvt.rn.f16x2.f32"), (std::tuple{2, 0, false}));
  EXPECT_EQ(operands("cvt.rs.satfinite.e4m3x4.f32"), (std::tuple{5, 0, false}));
  EXPECT_EQ(operands("cvt.pack.sat.u8.s32.b32"), (std::tuple{3, 0, false}));
}

TEST(find_lane_form, marks_the_carry) {
  const auto carry = [](const char* text) {
    const auto form = find_lane_form(opcode_of(text));
    return std::pair{form->reads_carry, form->writes_carry};
  };
  EXPECT_EQ(carry("add.u32"), (std::pair{false, false}));
  EXPECT_EQ(carry("add.cc.u32"), (std::pair{false, true}));
  EXPECT_EQ(carry("addc.u32"), (std::pair{true, false}));
  EXPECT_EQ(carry("subc.cc.s64"), (std::pair{true, true}));
  EXPECT_EQ(carry("madc.hi.cc.u32"), (std::pair{true, true}));
}

// The vector loop over a whole warp and the loop over single lanes are two compilations of every form.
TEST(lane_forms, do_the_same_in_each_lane_as_in_all) {
  uint64_t state = 42;
  const auto next = [&state] {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  };
  constexpr uint64_t edges[] = {0,          1,          0x7f800000,         0xff800000,
                                0x7fffffff, 0x80000000, 0xffffffff,         0x3f800000,
                                0x00000001, 0x7ff77ff7, 0x7ff0000000000000, ~uint64_t{0}};
  std::array<Column, 6> columns;
  for (Column& column : columns)
    for (uint64_t& value : column) value = next() % 4 == 0 ? edges[next() % std::size(edges)] : next();
  Column table = column_of(0xca);  // lop3 takes an integer constant: the same in each lane
  for (const std::string& text : closure().legal) {
    const auto form = find_lane_form(opcode_of(text));
    ASSERT_TRUE(form.has_value()) << text;
    const bool second = form->second_destination || form->writes_carry;
    Column d, d2, each_d, each_d2;
    d2.fill(0);
    each_d2.fill(0);
    LaneArgs args;
    for (int i = 0; i < 5; ++i) args.s[i] = columns[i].data();
    if (text.starts_with("lop3")) args.s[3] = table.data();
    if (form->sources + form->reads_carry < 5) args.s[form->sources + form->reads_carry] = nullptr;
    args.d = d.data();
    args.d2 = second ? d2.data() : nullptr;
    args.mask = 0xffffffffu;
    form->op(args);
    args.d = each_d.data();
    args.d2 = second ? each_d2.data() : nullptr;
    for (int lane = 0; lane < warp_lanes; ++lane) {
      args.mask = 1u << lane;
      form->op(args);
    }
    EXPECT_EQ(d, each_d) << text;
    EXPECT_EQ(d2, each_d2) << text;
  }
}

}  // namespace
}  // namespace assay::emulator::alu
