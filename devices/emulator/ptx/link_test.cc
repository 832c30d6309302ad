// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/module.h"

#include <gtest/gtest.h>
#include <array>

#include "devices/emulator/gpu.h"
#include "devices/emulator/ptx/lower.h"
#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {
namespace {

std::string text(const std::string& body, const std::string& target = "sm_80",
                 const std::string& version = "8.0") {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + body;
}

std::string why(const std::vector<LinkInput>& inputs) {
  try {
    link(inputs);
    return {};
  } catch (const SyntaxError& error) {
    return error.message;
  }
}

const std::string uses =
    ".file 1 \"first.cu\"\n.extern .func helper(.param .b64 p);\n.extern .global .u32 number;\n"
    ".extern .shared .align 16 .b8 dynamic[];\n.global .u32 own = 1, other[2];\n.weak .func twice() { ret; "
    "}\n"
    ".visible .entry k(.param .u64 p)\n{\n\t.loc 1 2 3\n\t.reg .b64 %rd<3>;\n\tmov.u64 %rd1, own;\n\tmov.u64 "
    "%rd2, "
    "dynamic;\n\tret;\n}\n";
const std::string defines =
    ".file 1 \"second.cu\"\n.extern .shared .align 16 .b8 dynamic[];\n.global .u32 own = 2;\n"
    ".visible .global .u32 number = 7;\n.weak .func twice() { ret; }\n"
    ".visible .func helper(.param .b64 p)\n{\n\t.loc 1 5 6\n\t.reg .b64 %rd<3>;\n\tmov.u64 %rd1, "
    "own;\n\tret;\n}\n";

TEST(LinkedPtx, IsOneModuleInWhichEachNameIsDefinedOnce) {
  const std::string linked = link({{"a", text(uses)}, {"b", text(defines, "sm_80", "8.3")}});
  EXPECT_EQ(linked.find(".version 8.3\n.target sm_80\n"), 0u) << linked;
  EXPECT_EQ(linked.find(".extern .global .u32 number"), linked.npos) << "the other text defines it";
  EXPECT_NE(linked.find("own$0"), linked.npos);
  EXPECT_NE(linked.find("own$1"), linked.npos);
  EXPECT_EQ(linked.find(".weak"), linked.rfind(".weak")) << "the first counts";
  EXPECT_EQ(linked.find(".extern .shared"), linked.rfind(".extern .shared"));
  EXPECT_NE(linked.find("first.cu\""), linked.npos);
  EXPECT_EQ(linked.find("second.cu"), linked.npos) << "numbers of files would be others";
  EXPECT_NE(linked.find(".loc 1 2 3"), linked.npos);
  EXPECT_EQ(linked.find("5 6"), linked.npos);
  const auto gpu = Gpu::create({});
  const auto loaded = gpu->load(linked);
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<Module>>(loaded))
      << std::get<Diagnostic>(loaded).message << "\n"
      << linked;
}

TEST(LinkedPtx, IsForTheLaterTarget) {
  for (const auto& [first, second, both] : {std::array{"sm_80", "sm_90a", "sm_90a"},
                                            {"sm_100", "sm_52", "sm_100"},
                                            {"sm_90", "sm_90a", "sm_90a"}})
    EXPECT_NE(link({{"a", text(uses, first)}, {"b", text(defines, second)}})
                  .find("\n.target " + std::string(both) + "\n"),
              std::string::npos)
        << first << ' ' << second;
}

TEST(LinkedPtx, SaysWhatDoesNotGoTogether) {
  EXPECT_EQ(why({}), "nothing was given to the linker");
  EXPECT_EQ(why({{"a", text(defines)}, {"b", text(defines)}}), "'number' is defined in a and in b");
  EXPECT_EQ(why({{"a", text(uses, "sm_90a")}, {"b", text(defines, "sm_100")}}),
            "a is for sm_90a and b for sm_100");
  EXPECT_EQ(why({{"a", "no PTX"}}).find("a: "), 0u);
  EXPECT_EQ(why({{"a", ".target sm_80\n"}}), "a: the text has no .version directive");
}

const char* const inlined = R"(.version 9.0
.target sm_100a
.address_size 64
.visible .entry first()
{
	.loc	1 10 3
	bar.sync 	0;
.loc	2 40 5, function_name $L__info_string0, inlined_at 1 12 7
.loc	3 99 1, function_name $L__info_string1, inlined_at 2 40 5
	add.u32 	%r1,   %r2, 3;
	.loc	1 14 1
	ret;
}
.visible .entry second()
{
	ret;
}
.file	1 "/src/kernel.cu"
.file	2 "/src/tile.h"
.file	3 "/lib/cute/arch/copy.h"
)";

TEST(PtxPlaces, AreTheInnermostLineThatIsNoWrapperOfALibrary) {
  const SourcePlace plain = find_place(inlined, 7);
  EXPECT_EQ(plain.text, "bar.sync 0;");
  EXPECT_EQ(plain.file, "/src/kernel.cu");
  EXPECT_EQ(plain.source_line, 10u);
  EXPECT_EQ(plain.inlined_file, "");
  const SourcePlace deep = find_place(inlined, 10);
  EXPECT_EQ(deep.text, "add.u32 %r1, %r2, 3;");
  EXPECT_EQ(deep.file, "/src/tile.h");
  EXPECT_EQ(deep.source_line, 40u);
  EXPECT_EQ(deep.inlined_file, "/lib/cute/arch/copy.h");
  EXPECT_EQ(deep.inlined_line, 99u);
  using Calls = std::vector<std::pair<std::string, uint32_t>>;
  EXPECT_EQ(deep.called_from, (Calls{{"/src/kernel.cu", 12}}));
  EXPECT_EQ(plain.called_from, Calls{});
  EXPECT_EQ(find_place(inlined, 12).source_line, 14u);
}

TEST(PtxPlaces, OfAKernelWithoutLocAreItsTextAlone) {
  const SourcePlace place = find_place(inlined, 16);
  EXPECT_EQ(place.text, "ret;");
  EXPECT_EQ(place.file, "") << "not what was said of the kernel before";
  EXPECT_EQ(find_place(inlined, 0).text, "");
  EXPECT_EQ(find_place(inlined, 1000).text, "");
  EXPECT_EQ(find_place("", 3).text, "");
}

}  // namespace
}  // namespace assay::emulator::ptx
