// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/spellings.h"

#include <gtest/gtest.h>

#include <set>

#include "kernels/forms/expand.h"
#include "kernels/forms/families.h"

namespace assay::forms {
namespace {

uint32_t legal_in(std::string_view family, Targets target) {
  const Spellings& all = spellings(find_spelling_table(family).value());
  uint32_t count = 0;
  for (uint32_t i = 0; i < all.forms().size(); ++i) count += all.legality(i, target) == Legality::legal;
  return count;
}

TEST(Spellings, AreAsManyAsWereOnceCounted) {
  // Both tables of tcgen05.mma: 32,928 combinations, of which 880 are legal, without kind::i8 760.
  for (const char* family : {"asked.tcgen05.mma", "asked.tcgen05.mma.sp"}) {
    EXPECT_EQ(spellings(find_spelling_table(family).value()).forms().size(), 32928u / 2) << family;
    EXPECT_EQ(legal_in(family, target_of(spec::Arch::sm_100)), 440u) << family;
    EXPECT_EQ(legal_in(family, target_of(spec::Arch::sm_103)), 380u) << family;
    EXPECT_EQ(legal_in(family, target_of(spec::Arch::sm_90)), 0u) << family;
  }
  // 36 forms with an address that is a register, and as many with an offset.
  EXPECT_EQ(legal_in("asked.tcgen05.cp", target_of(spec::Arch::sm_100)), 72u);
  EXPECT_EQ(legal_in("asked.tcgen05.ld.red", target_of(spec::Arch::sm_100)), 0u);
  // 7 counts, min and max of u32, s32 and f32 with .abs and .NaN, two shapes.
  EXPECT_EQ(legal_in("asked.tcgen05.ld.red", target_of(spec::Arch::sm_103)), 7u * 2 * (2 * 2 + 2 * 4));
}

// Counted by hand from the documents' lists of types and shapes.
TEST(Spellings, OfSparseAAreAsManyAsTheDocumentsList) {
  // f16 2 shapes of 2 D, bf16 and tf32 2 each, fp8 4 pairs, 8- and 4-bit integers 2 shapes of 4 pairs with
  // and without saturation; two spellings.
  EXPECT_EQ(legal_in("asked.mma.sp", target_of(spec::Arch::sm_90)), 2u * (4 + 2 + 2 + 4 + 2 * 2 * 4 * 2));
  // Short rows: 4 of 4 types, 2 of 2; long ones: 2 of 4, 1 of 3.
  EXPECT_EQ(legal_in("asked.mma.sp.selectors", target_of(spec::Arch::sm_90)),
            2u * (4 * 4 + 2 * 2 + 4 * 2 + 3));
  // f16 2 D, bf16, tf32, fp8 4 pairs of 2 D, integers 4 pairs with and without saturation; 3 extents, A in
  // two places.
  EXPECT_EQ(legal_in("asked.wgmma.sp.types", target_of(spec::Arch::sm_90)), 6u * (2 + 1 + 1 + 8 + 8));
  // 32 multiples of 8, of integers 4 and 14 of 16; six types of floats, two of integers.
  EXPECT_EQ(legal_in("asked.wgmma.sp.extents", target_of(spec::Arch::sm_90)), 6u * 32 + 2 * (4 + 14));
  // Two selectors of four whole types, one of four; A in two places.
  EXPECT_EQ(legal_in("asked.wgmma.sp.selectors", target_of(spec::Arch::sm_90)), 2u * (4 * 2 + 4 * 1));
  for (const char* family : {"asked.wgmma.sp.types", "asked.wgmma.sp.extents", "asked.wgmma.sp.immediates",
                             "asked.wgmma.sp.selectors"})
    EXPECT_EQ(legal_in(family, target_of(spec::Arch::sm_100)), 0u) << family;
}

TEST(Spellings, OfSparseAWithKindsAreAsManyAsTheDocumentsList) {
  // 25 pairs of types into f32 and f16, and without a kind the four of 8-bit floats under two spellings.
  EXPECT_EQ(legal_in("asked.mma.sp.kind", target_of(spec::Arch::sm_120)), 2u * 25 + 2 * 4);
  EXPECT_EQ(legal_in("asked.mma.sp.kind", target_of(spec::Arch::sm_90)), 2u * 4);
  // mxf8f6f4 25 pairs with 1X said or not, mxf4 2X said or not, mxf4nvf4 2X and 4X.
  EXPECT_EQ(legal_in("asked.mma.sp.block_scale", target_of(spec::Arch::sm_120)), 2u * 25 + 2 + 2);
  EXPECT_EQ(legal_in("asked.mma.sp.kind.selectors", target_of(spec::Arch::sm_120)), 6u);
  // Byte-ids 4, 2 and 1 or a register, threads 2 and 4 or a register, two ways to write a word.
  EXPECT_EQ(legal_in("asked.mma.sp.kind.scales", target_of(spec::Arch::sm_120)),
            2u * 3 * 5 * (5 * 5 + 3 * 3 + 2 * 2));
  for (const char* family :
       {"asked.mma.sp.block_scale", "asked.mma.sp.kind.selectors", "asked.mma.sp.kind.scales"})
    EXPECT_EQ(legal_in(family, target_of(spec::Arch::sm_100)), 0u) << family;
}

// What the probes pick, but for its extent, which another table has.
TEST(Spellings, OfKernelsOfSparseAAreLegalInThoseTables) {
  std::set<std::string> legal;
  for (const char* family : {"asked.mma.sp", "asked.wgmma.sp.types"}) {
    const Spellings& asked = spellings(find_spelling_table(family).value());
    for (uint32_t i = 0; i < asked.forms().size(); ++i)
      if (asked.legality(i, target_of(spec::Arch::sm_90)) == Legality::legal)
        legal.insert(asked.instruction(i).substr(0, asked.instruction(i).find(' ')));
  }
  int sparse = 0;
  for (const char* family : {"mma.sync", "wgmma"}) {
    const Spellings& probes = spellings(find_spelling_table(family).value());
    for (uint32_t i = 0; i < probes.forms().size(); ++i) {
      std::string text = probes.instruction(i);
      const size_t from = text.find(family == std::string("wgmma") ? "wgmma.mma_async.sp" : "mma.sp");
      if (from == text.npos) continue;
      text = text.substr(from, text.find(' ', from) - from);
      if (const size_t n = text.find("m64n"); n != text.npos)
        text.replace(n + 4, text.find('k', n) - n - 4, "8");
      ++sparse;
      EXPECT_EQ(legal.count(text), 1u) << text;
    }
  }
  EXPECT_GT(sparse, 300);
}

TEST(Spellings, OfKernelsAreLegalInTheTablesOfInstructions) {
  // What the probes pick is what the tables of documents hold, spelled twice by different rows.
  const Spellings& probes = spellings(find_spelling_table("tcgen05.cp").value());
  const Spellings& asked = spellings(find_spelling_table("asked.tcgen05.cp").value());
  std::set<std::string> legal;
  const auto without_operands = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  for (uint32_t i = 0; i < asked.forms().size(); ++i)
    if (asked.legality(i, target_of(spec::Arch::sm_100)) == Legality::legal)
      legal.insert(without_operands(asked.instruction(i)));
  EXPECT_EQ(legal.size(), 36u);
  for (uint32_t i = 0; i < probes.forms().size(); ++i) {
    const std::string text = probes.instruction(i);
    EXPECT_EQ(legal.count(without_operands(text.substr(text.find("tcgen05.cp")))), 1u) << text;
  }
}

TEST(Spellings, AskedAreTakenOrOneChoiceAway) {
  const Spellings& all = spellings(find_spelling_table("asked.tcgen05.shift").value());
  std::set<std::string> illegal;
  for (const uint32_t i : all.asked(target_of(spec::Arch::sm_100)))
    if (all.legality(i, target_of(spec::Arch::sm_100)) == Legality::illegal)
      illegal.insert(all.instruction(i));
  EXPECT_EQ(illegal, (std::set<std::string>{
                         "tcgen05.shift.cta_group::1.down [l2];", "tcgen05.shift.cta_group::2.down [l2];",
                         "tcgen05.shift.cta_group::1 [r0];", "tcgen05.shift.cta_group::2 [r0];",
                         "tcgen05.shift.cta_group::1 [r0+16];", "tcgen05.shift.cta_group::2 [r0+16];",
                         "tcgen05.shift.down [r0];", "tcgen05.shift.down [r0+16];"}));
  // Where the target has nothing of it, what another one takes must be refused.
  EXPECT_EQ(all.asked(target_of(spec::Arch::sm_90)).size(), 4u);
}

TEST(Spellings, AreFoundByTheirChoices) {
  for (uint32_t table = 0; table < spelling_tables().size(); ++table) {
    const Spellings& all = spellings(table);
    for (uint32_t i = 0; i < all.forms().size(); i += 1 + all.forms().size() / 50)
      EXPECT_EQ(all.find(all.choices(i)), i) << all.table().family->name;
    EXPECT_EQ(all.find(std::vector<std::string>{"no", "such", "choices"}), std::nullopt);
  }
  EXPECT_EQ(find_spelling_table("no such family"), std::nullopt);
}

TEST(Spellings, StandInAKernelOfTheirOwn) {
  const Spellings& all = spellings(find_spelling_table("asked.tcgen05.wait").value());
  EXPECT_EQ(module_head(target_of(spec::Arch::sm_103)) + all.entry(0, "k"),
            ".version 9.0\n.target sm_103a\n.address_size 64\n.visible .entry "
            "k()\n{\n.reg .b32 r<160>;\n"
            ".reg .b64 l<8>;\n.reg .b16 h<8>;\n.reg .f64 d<16>;\n.reg .pred p<4>;\n{\n"
            "tcgen05.wait::ld.sync.aligned;\n}\nret;\n}\n");
}

}  // namespace
}  // namespace assay::forms
