// SPDX-License-Identifier: Apache-2.0
#include "reports/places.h"

#include <gtest/gtest.h>

#include "reports/results.h"
#include "reports/words.h"

namespace assay::report {
namespace {

constexpr const char* lane = "tensor-memory lane";
constexpr const char* address = "shared-memory address";

TEST(Places, TextAndBack) {
  std::vector<PlaceCount> places{{"cluster rank", 1, 64, 4}};
  for (uint32_t n = 0; n < 32; ++n) places.push_back({lane, n, 2, n == 5 ? 2u : 0u});
  for (uint32_t n = 0; n < 128; n += 16) places.push_back({address, n, 16, n >= 64 ? 1u : 0u});
  const std::string text = places_text(places);
  EXPECT_EQ(text,
            "cluster rank:1=4/64;tensor-memory lane:0-4=0/2,5=2/2,6-31=0/2;"
            "shared-memory address:0-48=0/16,64-112=1/16");
  EXPECT_EQ(places_text(parse_places(text)), text);
  EXPECT_EQ(parse_places(text).size(), places.size());
  EXPECT_EQ(wrong_places(places), "cluster rank 1; tensor-memory lane 5; shared-memory address 64-112");
}

TEST(Places, WhatIsMalformedIsLeftOut) {
  for (const char* text : {"", ";", ":", "lane:1=1/1", "cluster rank:", "cluster rank:1",
                           "cluster rank:1=", "x", "cluster rank:2-1=0/1", "cluster rank:1=1/1x",
                           "cluster rank:0-99999999999=1/1", "cluster rank:-1=1/1"})
    EXPECT_TRUE(parse_places(text).empty()) << text;
  EXPECT_EQ(parse_places("cluster rank:1=1/2,rubbish,3=0/2;more:1=1/1").size(), 2u);
}

TEST(Places, LongListsAreCut) {
  std::vector<PlaceCount> places;
  for (uint32_t n = 0; n < 100; n += 2) places.push_back({lane, n, 1, 1});
  EXPECT_NE(wrong_places(places, 3).find("0, 2, 4 and 47 more"), std::string::npos)
      << wrong_places(places, 3);
}

DeviceResult failing(const std::vector<PlaceCount>& places) {
  DeviceResult device;
  device.is_silicon = true;
  device.properties.resize(1);
  device.properties[0].wrong_places = places;
  return device;
}

std::string sentence(const std::vector<PlaceCount>& places) {
  const std::vector<std::string> sentences = where_it_fails(failing(places));
  return sentences.size() == 1 ? sentences[0] : std::to_string(sentences.size()) + " sentences";
}

TEST(Places, OnePlaceEverywhereOrNeither) {
  std::vector<PlaceCount> one, everywhere, neither;
  for (uint32_t n = 0; n < 128; ++n) {
    one.push_back({lane, n, 100, n == 37 ? 60u : 0u});
    everywhere.push_back({lane, n, 100, 10});
    neither.push_back({lane, n, 100, n < 40 ? 10u : 0u});
  }
  EXPECT_EQ(
      sentence(one),
      "tensor-memory lane 37: 60 of 60 wrong elements, with 0.8% of all elements; one place: suspect the "
      "silicon");
  EXPECT_EQ(sentence(everywhere), "every tensor-memory lane affected (128)");
  everywhere[5].wrong = 0;
  EXPECT_EQ(sentence(everywhere), "nearly every tensor-memory lane: 127 of 128 affected");
  EXPECT_EQ(sentence(neither), "not tied to one tensor-memory lane: 40 of 128 affected");
  EXPECT_EQ(sentence({{"cluster rank", 0, 100, 0}, {"cluster rank", 1, 100, 50}}),
            "cluster rank 1: 50 of 50 wrong elements, with 50.0% of all elements; one place of few");
  // One cell wrong once says nothing, nor does the only place that was looked at.
  EXPECT_TRUE(where_it_fails(failing({{lane, 0, 10, 1}, {lane, 1, 10, 0}})).empty());
  EXPECT_TRUE(where_it_fails(failing({{"cluster rank", 0, 100, 50}})).empty());
}

std::string on_multiprocessors(const std::vector<PlaceRow>& places, bool is_silicon = true) {
  DeviceResult device;
  device.is_silicon = is_silicon;
  device.properties.resize(1);
  device.properties[0].places = places;
  const std::vector<std::string> sentences = where_it_fails(device);
  return sentences.size() == 1 ? sentences[0] : std::to_string(sentences.size()) + " sentences";
}

TEST(Places, OfMultiprocessorsSayWhatWasSeenAndGuessOnlyWhereOneStandsOut) {
  std::vector<PlaceRow> all, some, one;
  for (uint32_t sm = 0; sm < 8; ++sm) {
    all.push_back({sm, 100, 10});
    some.push_back({sm, 100, sm < 4 ? 1u : 0u});
    one.push_back({sm, 100, sm == 3 ? 20u : 0u});
  }
  EXPECT_EQ(on_multiprocessors(all),
            "80 failing CTAs ran on 8 of 8 SMs, evenly: every SM that ran cases saw failures");
  EXPECT_EQ(on_multiprocessors(some),
            "4 failing CTAs ran on 4 of 8 SMs, on none more often than chance explains");
  EXPECT_EQ(on_multiprocessors(one),
            "20 of 20 failing CTAs ran on SM 3, as did 12.5% of all CTAs; one place: suspect the silicon");
  EXPECT_EQ(on_multiprocessors(one, /*is_silicon=*/false), "0 sentences")
      << "an emulator has threads of its host for multiprocessors";
}

}  // namespace
}  // namespace assay::report
