// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/emulator_notes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "devices/cuda/families/family.h"

namespace assay::cuda {
namespace {

using nlohmann::json;

json barrier(uint32_t cta, uint32_t address, uint32_t pending, int bytes, json waits = json::array()) {
  return {{"cta", cta},     {"address", address}, {"phase", 0},    {"pending", pending},
          {"expected", 2u}, {"bytes", bytes},     {"waits", waits}};
}
json wait_of(std::vector<uint32_t> threads) {
  return json::array({{{"phase", 0}, {"threads", threads}}});
}

TEST(EmulatorNotes, BarriersOfAKernelWithoutNamesAreToldByAddress) {
  const json note = {{"barriers", {barrier(0, 1024, 1, 0, wait_of({0, 1, 64})), barrier(0, 1032, 2, -16)}}};
  EXPECT_EQ(
      barriers_in_words(note, nullptr, 9),
      (std::vector<std::string>{
          "CTA 0 mbarrier 0x400: phase 0, 1 of 2 arrivals pending, 0 bytes pending; warps 0, 2 wait for "
          "phase 0",
          "CTA 0 mbarrier 0x408: phase 0, 2 of 2 arrivals pending, 16 bytes more than expected have "
          "arrived"}));
  EXPECT_TRUE(barriers_in_words({{"kind", "deadlock"}}, nullptr, 9).empty());
}

TEST(EmulatorNotes, BarriersInTheSameStateShareALine) {
  constexpr KernelNames names{
      [](uint32_t byte) { return byte < 16 ? "full[" + std::to_string(byte / 8) + "]" : std::string(); },
      [](uint32_t warp) { return std::string(warp == 0 ? "load warp" : "store warp"); }, nullptr};
  json list;
  for (const uint32_t cta : {0u, 1u, 3u}) {
    list.push_back(barrier(cta, 1024, 2, 0));
    list.push_back(barrier(cta, 1032, 2, 0));
    list.push_back(barrier(cta, 1040, 2, 64, wait_of({0, 40, 70})));
  }
  EXPECT_EQ(
      barriers_in_words({{"barriers", list}}, &names, 9),
      (std::vector<std::string>{
          "CTAs 0-1, 3 full[0] to full[1]: phase 0, 2 of 2 arrivals pending, 0 bytes pending",
          "CTAs 0-1, 3 mbarrier 0x410: phase 0, 2 of 2 arrivals pending, 64 bytes pending; the load warp "
          "waits for phase 0; the store warps 1-2 wait for phase 0"}));
  list.push_back(barrier(4, 1024, 1, 0));
  const std::vector<std::string> few = barriers_in_words({{"barriers", list}}, &names, 2);
  ASSERT_EQ(few.size(), 2u);
  EXPECT_EQ(few[1], "and 2 more lines of barriers");
}

TEST(EmulatorNotes, WhereThreadsOfADeadlockStandComesLast) {
  const json note = {
      {"kind", "deadlock"}, {"kernel", "k"}, {"line", 7}, {"thread", "cta 0"}, {"message", "stuck"}};
  EXPECT_EQ(note_in_words(note), "kernel k, PTX line 7: deadlock: stuck; cta 0");
}

}  // namespace
}  // namespace assay::cuda
