// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/near_names.h"

#include <gtest/gtest.h>

namespace assay::spec {
namespace {

constexpr std::string_view names[] = {"tma.tiled.load", "tma.tiled.load.faults", "tma.tiled.store",
                                      "mma.dense.f16", "V-23"};

TEST(NearNames, SlipsOfTheFingerFindTheName) {
  for (const char* typed : {"tma.tiled.laod", "tma.tield.load", "tma.tiled.loa", "TMA.tiled.load"})
    EXPECT_EQ(near_names(typed, names).at(0), "tma.tiled.load") << typed;
  EXPECT_EQ(near_names("V-32", names), std::vector<std::string_view>{"V-23"});
}

TEST(NearNames, APartOfANameFindsThoseThatHaveIt) {
  EXPECT_EQ(did_you_mean("load", names), "; did you mean 'tma.tiled.load' or 'tma.tiled.load.faults'?");
}

TEST(NearNames, WhatIsFarFromAllFindsNothing) {
  EXPECT_EQ(did_you_mean("frobnicate", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
}

}  // namespace
}  // namespace assay::spec
