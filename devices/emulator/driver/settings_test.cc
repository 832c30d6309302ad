// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

#include <gtest/gtest.h>

namespace assay::emulator {
namespace {

TEST(DriverSettings, EveryWordIsRead) {
  Settings settings;
  EXPECT_EQ(
      parse_settings(
          "sm_103a,schedule=random:77,strict,fault=tx_16_short,reading=TMA-AMB-11:B,reading=X-17:A,limit=9",
          settings),
      "");
  EXPECT_EQ(settings.target, Target::sm_103a);
  EXPECT_EQ(settings.completion, Completion::random);
  EXPECT_EQ(settings.seed, 77u);
  EXPECT_TRUE(settings.strict);
  EXPECT_EQ(settings.fault, "tx_16_short");
  ASSERT_EQ(settings.readings.size(), 2u);
  EXPECT_EQ(settings.readings[1], std::pair(std::string("X-17"), 'A'));
  EXPECT_EQ(settings.instruction_limit, 9u);
  EXPECT_EQ(parse_settings("", settings), "");
  EXPECT_EQ(settings.target, Target::sm_100a);
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
