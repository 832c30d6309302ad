// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

#include <gtest/gtest.h>

namespace assay::emulator {
namespace {

/// The table that rules and forms are read from and the emulator's own were written apart. A cell that is
/// altered in either is found here; a new column does not compile until it is compared too.
TEST(Targets, BothTablesSayTheSameOfEveryArchitecture) {
  struct Golden {
    std::string_view target;
    uint32_t shared_bytes;
    int capability;
    bool is_measured, is_encoder_known;
  };
  const Golden golden[] = {{"sm_90a", 232448, 90, true, true},
                           {"sm_100a", 232448, 100, false, true},
                           {"sm_103a", 232448, 103, false, true},
                           {"sm_120a", 101376, 120, false, false}};
  ASSERT_EQ(std::size(golden), spec::architectures.size());
  for (const Target arch : spec::all_archs) {
    const auto& [target, shared_bytes, is_measured, is_encoder_known, has_wgmma, has_tcgen05, has_tcgen05_i8,
                 has_k96, has_absolute_leading, has_ld_red, has_swizzle_96B, halves_b6_stores,
                 has_mma_kinds] = spec::row_of(arch);
    const auto& [warpgroups, tensor_memory, bytes, products_96, absolute, reduces, swizzle_96B, relaxed,
                 kinds] = facts_of(arch);
    const Golden& known = golden[static_cast<size_t>(arch)];
    EXPECT_EQ(target, known.target);
    EXPECT_EQ(shared_bytes, known.shared_bytes) << target;
    EXPECT_EQ(spec::capability(arch), known.capability) << target;
    EXPECT_EQ(is_measured, known.is_measured) << target;
    EXPECT_EQ(is_encoder_known, known.is_encoder_known) << target;
    EXPECT_EQ(has_wgmma, warpgroups) << target;
    EXPECT_EQ(has_tcgen05, tensor_memory) << target;
    EXPECT_EQ(has_tcgen05_i8, bytes) << target;
    EXPECT_EQ(has_k96, products_96) << target;
    EXPECT_EQ(has_absolute_leading, absolute) << target;
    EXPECT_EQ(has_ld_red, reduces) << target;
    EXPECT_EQ(has_swizzle_96B, swizzle_96B) << target;
    EXPECT_EQ(halves_b6_stores, relaxed) << target;
    EXPECT_EQ(has_mma_kinds, kinds) << target;
  }
}

TEST(DriverSettings, EveryWordIsRead) {
  Settings settings;
  EXPECT_EQ(
      parse_settings(
          "sm_103a,schedule=random:77,strict,fault=tx_16_short,reading=TMA-AMB-11:B,reading=X-17:A,limit=9",
          settings),
      "");
  EXPECT_EQ(settings.target, Target::sm_103);
  EXPECT_EQ(settings.completion, Completion::random);
  EXPECT_EQ(settings.seed, 77u);
  EXPECT_TRUE(settings.strict);
  EXPECT_EQ(settings.fault, "tx_16_short");
  ASSERT_EQ(settings.readings.size(), 2u);
  EXPECT_EQ(settings.readings[1], std::pair(std::string("X-17"), 'A'));
  EXPECT_EQ(settings.instruction_limit, 9u);
  EXPECT_EQ(parse_settings("", settings), "");
  EXPECT_EQ(settings.target, Target::sm_100);
  EXPECT_FALSE(settings.moves_tensor_memory);
  EXPECT_EQ(settings.workers, 0u);
  EXPECT_EQ(parse_settings("schedule=lazy,tmem_base=random,workers=3", settings), "");
  EXPECT_EQ(settings.completion, Completion::lazy);
  EXPECT_EQ(settings.workers, 3u);
  EXPECT_TRUE(settings.moves_tensor_memory);
}

TEST(DriverSettings, AWrongWordIsNamedWithWhatWouldBeRight) {
  const std::pair<const char*, const char*> wrong[] = {{"sm_80", "sm_90a"},
                                                       {"schedule=sometimes", "eager, lazy"},
                                                       {"schedule=random:x", "random:SEED"},
                                                       {"tmem_base=high", "lowest, random"},
                                                       {"fault=gravity", "tx_16_short"},
                                                       {"reading=TMA-AMB-11", "ID:LETTER"},
                                                       {"reading=TMA-AMB-11:Z", "AB"},
                                                       {"reading=TMA-AMB-99:A", "TMA-AMB-11"},
                                                       {"limit=ten", "number"},
                                                       {"limit=", "number"},
                                                       {"workers=1025", "0 to 1024"},
                                                       {"workers=all", "0 to 1024"}};
  for (const auto& [text, hint] : wrong) {
    Settings settings;
    const std::string sentence = parse_settings(text, settings);
    EXPECT_NE(sentence.find(hint), std::string::npos) << text << ": " << sentence;
  }
}

}  // namespace
}  // namespace assay::emulator
