// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/expand.h"

#include <gtest/gtest.h>

#include "kernels/forms/families.h"

namespace assay::forms {
namespace {

constexpr Choice sizes[] = {{".b32", 32, every_target, 83}, {".b64", 64, target_of(spec::Arch::sm_103), 87}};
constexpr Choice hints[] = {{"", 0}, {", $policy", 1}};
constexpr Axis axes[] = {{"size", sizes}, {"hint", hints}};
constexpr Family toy{.name = "toy",
                     .operands = "to policy:l",
                     .before = ".reg .b32 v<2>;",
                     .text = "toy<size> [$to], <list><hint>;",
                     .after = "done;",
                     .axes = axes,
                     .exists = [](Picks p) { return p[0]->value == 64 || p[1]->value == 0; },
                     .slot = [](std::string_view name, Picks) { return "{" + std::string(name) + "}"; }};

TEST(Forms, AreWhatExistsOfAllCombinationsTheLastAxisFastest) {
  const Forms forms(toy);
  ASSERT_EQ(forms.size(), 3u);
  EXPECT_EQ(forms.opcode({32, 0}), 0u);
  EXPECT_EQ(forms.opcode({64, 0}), 1u);
  EXPECT_EQ(forms.opcode({64, 1}), 2u);
  EXPECT_EQ(forms.opcode({32, 1}), Forms::none);
  EXPECT_EQ(forms.opcode({16, 0}), Forms::none);
  EXPECT_THROW(forms.opcode({32}), std::invalid_argument);
  const std::string_view operands[] = {"%rd1", "%rd2"};
  EXPECT_EQ(forms.spell(2, operands), "toy.b64 [%rd1], {list}, %rd2;");
  EXPECT_EQ(forms.spell_before(operands), ".reg .b32 v<2>;");
  EXPECT_EQ(forms.targets(0), every_target);
  EXPECT_EQ(forms.targets(2), target_of(spec::Arch::sm_103));
}

TEST(Forms, ATextThatNamesWhatIsNotThereIsRefused) {
  const std::vector<std::string_view> names{"to", "policy"};
  Family wrong = toy;
  wrong.text = "toy $from;";
  EXPECT_THROW(Forms(wrong).spell(0, names), std::invalid_argument);
  wrong = toy;
  wrong.slot = nullptr;
  EXPECT_THROW(Forms(wrong).spell(0, names), std::invalid_argument);
  wrong.text = "toy <size";
  EXPECT_THROW(Forms(wrong).spell(0, names), std::invalid_argument);
  for (const char* operands : {"to:x policy", "to: policy", ":l", "to:ll policy"}) {
    wrong = toy;
    wrong.operands = operands;
    EXPECT_THROW(Forms{wrong}, std::invalid_argument) << operands;
  }
}

TEST(Expand, AnOpcodePicksAmongTheFormsOfTheTarget) {
  const Forms all[] = {Forms(toy)};
  const std::string text =
      "\n.version 9.0\n.target sm_90a\n\ttrap; // assay.forms toy, %r1, %rd2, "
      "%rd3;\nret;\n";
  EXPECT_EQ(expand_ptx(text, target_of(spec::Arch::sm_103), 80, all),
            "\n.version 8.8\n.target sm_103a\n\t{\n.reg .b32 v<2>;\n.reg .pred forms_outside;\n"
            "setp.ge.u32 forms_outside, %r1, 3;\n@forms_outside bra forms_none;\n"
            "forms_list: .branchtargets form_0, form_1, form_2;\nbrx.idx %r1, forms_list;\n"
            "form_0: toy.b32 [%rd2], {list}; bra forms_end;\n"
            "form_1: toy.b64 [%rd2], {list}; bra forms_end;\n"
            "form_2: toy.b64 [%rd2], {list}, %rd3; bra forms_end;\n"
            "forms_none: trap;\nforms_end:\ndone;\n}\nret;\n");
  const std::string on_hopper = expand_ptx(text, target_of(spec::Arch::sm_90), 80, all);
  EXPECT_NE(on_hopper.find(".branchtargets form_0, forms_none, forms_none;"), std::string::npos) << on_hopper;
  EXPECT_EQ(on_hopper.find("toy.b64"), std::string::npos) << on_hopper;
  // The least that has the target, its forms and what stands outside of them.
  EXPECT_EQ(on_hopper.find("\n.version 8.3\n"), 0u) << on_hopper;
  EXPECT_EQ(expand_ptx(text, target_of(spec::Arch::sm_90), 86, all).find("\n.version 8.6\n"), 0u);
}

TEST(Expand, WrongStatementsAreNamedByTheirLine) {
  const auto message = [](const std::string& statement) -> std::string {
    try {
      expand_ptx("\n.version 9.0\n.target sm_90a\n" + statement, target_of(spec::Arch::sm_90), 80);
    } catch (const std::invalid_argument& wrong) {
      return wrong.what();
    }
    return "none";
  };
  EXPECT_EQ(message("trap; // assay.forms toy, %r1;\n"), "line 4: there is no family of forms 'toy'");
  EXPECT_EQ(message("\ntrap; // assay.forms tcgen05.st, %r1, %r2;\n"),
            "line 5: the forms of tcgen05.st take an opcode and 2 operands: source address");
  EXPECT_EQ(message("trap; // assay.forms tcgen05.st, %r1, %r2, %r3"),
            "line 4: the statement does not end in ';'");
  EXPECT_THROW(expand_ptx("ret;\n", target_of(spec::Arch::sm_90), 80), std::invalid_argument);
}

TEST(Expand, ASourceHoldsTheNeededFormsAlone) {
  const std::string text =
      "asm(\"trap; // assay.forms mma.sync.f64, %4, %0, %1, %2, %3, %5, %6, %7, %8, %9, \"\n"
      "    \"%10, %11, %12, %13, %14, %15, %16;\" ::);\n";
  const uint32_t small = forms("mma.sync.f64").opcode({8 << 8 | 4});
  EXPECT_EQ(expand_source(text, {{"mma.sync.f64", {small}}}),
            "asm(\"{\\n\"\n      \"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%5}, {%13}, "
            "{%0, %1};\\n\"\n      \"}\" ::);\n");
  EXPECT_NE(expand_source(text, {}).find("trap;"), std::string::npos);
  const std::string lines =
      expand_source("asm(\"trap; // assay.forms tcgen05.st, %0, %1, %2;\");", {{"tcgen05.st", {0}}});
  EXPECT_NE(lines.find("\".reg .b32 v<128>;\\n\"\n"), std::string::npos) << lines;
  const std::string two = expand_source(text, {{"mma.sync.f64", {0, 1}}});
  EXPECT_NE(two.find("m8n8k4"), std::string::npos) << two;
  EXPECT_NE(two.find("m16n8k4"), std::string::npos) << two;
  EXPECT_NE(two.find("setp.ne.u32 forms_outside, %4, 1;"), std::string::npos) << two;
}

}  // namespace
}  // namespace assay::forms
