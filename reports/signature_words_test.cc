// SPDX-License-Identifier: Apache-2.0
#include "reports/signature_words.h"

#include <gtest/gtest.h>

namespace assay::report {
namespace {

TEST(SignatureWords, AreSentencesForPeople) {
  const std::pair<const char*, const char*> rows[] = {
      {"tma.tiled.load|done|done|outside the tile", "tma.tiled.load: wrong output, outside the tile"},
      {"tma.tiled.load|done|never completes",
       "tma.tiled.load: expected to complete, barrier never completed"},
      {"tma.tiled.load|done|done|tile|flaky", "tma.tiled.load: wrong output, tile, not every time"},
      {"tma.tiled.store.faults|illegal instruction (715)|done",
       "tma.tiled.store.faults: expected illegal instruction (715), completed"},
      {"driver.x|rejected (1)|done|V-01+V-02+V-23",
       "driver.x: expected the call to be rejected, completed (breaks V-01, V-02 and V-23)"},
      {"driver.x|rejected (1)|rejected (1)|V-01|field box",
       "driver.x: wrong output of rejected (1) (breaks V-01), field box"},
      {"mma.dense.f16|undecided|AMB-04", "mma.dense.f16: cases do not agree on AMB-04"},
      {"mma.dense.f16|rig|no memory", "mma.dense.f16: not run, no memory"},
      {"driver.x|crashed (signal 11)", "driver.x: crashed (signal 11)"},
      {"tma.tiled.load|done|done|tile: not seen in 30 cases, 0.2 expected",
       "tma.tiled.load: wrong output, tile: not seen in 30 cases, 0.2 expected"},
      {"of another form", "of another form"},
      {"", ""},
      {"|", ": "},
  };
  for (const auto& [signature, words] : rows) EXPECT_EQ(signature_words(signature), words);
}

}  // namespace
}  // namespace assay::report
