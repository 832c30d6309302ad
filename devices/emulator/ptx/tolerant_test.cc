// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/lower.h"

#include <gtest/gtest.h>

namespace assay::emulator::ptx {
namespace {

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
