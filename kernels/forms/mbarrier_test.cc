// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "kernels/forms/async_bytes.h"
#include "kernels/forms/records.h"
#include "kernels/forms/spelled_test.h"

namespace assay::forms {
namespace {

TEST(MbarrierForms, EverySpellingOfAnArrivalMeansTheSame) {
  const Forms& all = forms("mbarrier");
  const auto spellings = [&](params::SequenceCommand command, bool generic) {
    std::set<std::string> texts;
    for (uint32_t spelling = 0; spelling < 64; ++spelling)
      texts.insert(spelled(all, opcode_of(command, generic, spelling)));
    return texts;
  };
  constexpr auto arrive = static_cast<uint8_t>(params::BarrierCommand::arrive);
  const std::set<std::string> own = spellings({arrive, 0, 0, 1}, false);
  // Five orders, each with four addresses, under a predicate and without a count; and a count written out.
  EXPECT_EQ(own.size(), 31u);
  EXPECT_TRUE(own.contains("mbarrier.arrive.shared::cta.b64 answer, [bar], 1;"));
  EXPECT_TRUE(own.contains("mbarrier.arrive.shared::cta.b64 answer, [bar], amount;"));
  EXPECT_TRUE(own.contains("mbarrier.arrive.relaxed.cluster.shared.b64 answer, [bar], amount;"));
  EXPECT_TRUE(own.contains(
      "add.s32 r0, bar, 24; mbarrier.arrive.release.cta.shared::cta.b64 answer, [r0+-24], amount;"));
  EXPECT_TRUE(own.contains("mbarrier.arrive.shared::cta.b64 answer, [bar];"));
  // Without a count it is one.
  for (const std::string& text : spellings({arrive, 0, 0, 2}, false))
    EXPECT_NE(text.find("amount"), text.npos) << text;
  for (const std::string& text : spellings({arrive, 0, 1, 1}, false))
    EXPECT_NE(text.find(".shared::cluster.b64 _, ["), text.npos) << text;
  for (const std::string& text : spellings({arrive, 0, 1, 1}, true))
    EXPECT_NE(text.find("arrive"), text.npos) << text;
  constexpr auto expect = static_cast<uint8_t>(params::BarrierCommand::expect_tx);
  EXPECT_TRUE(
      spellings({expect, 0, 1, 4096}, false).contains("mbarrier.expect_tx.shared::cluster.b64 [bar], 4096;"));
  EXPECT_FALSE(
      spellings({expect, 0, 1, 4097}, false).contains("mbarrier.expect_tx.shared::cluster.b64 [bar], 4096;"));
  // The parity of a try lies below its time limit.
  constexpr auto tries = static_cast<uint8_t>(params::BarrierCommand::try_parity);
  EXPECT_TRUE(
      spellings({tries, 0, 0, 2 * 1000 + 1}, false)
          .contains(
              "mbarrier.try_wait.parity.shared::cta.b64 p0, [bar], 1, limit; selp.b64 answer, 1, 0, p0;"));
  constexpr auto wait = static_cast<uint8_t>(params::BarrierCommand::try_state);
  EXPECT_TRUE(
      spellings({wait, 0, 0, 0}, true)
          .contains("cvt.u64.u32 w0, bar; cvta.shared::cluster.u64 w0, w0; setp.ne.u32 p1, bar, 0; @!p1 "
                    "mbarrier.try_wait.acquire.cta.b64 p0, [w0], kept, limit; @p1 "
                    "mbarrier.try_wait.acquire.cta.b64 p0, [w0], kept, limit; selp.b64 answer, 1, 0, "
                    "p0;"));
}

// By the kind in bits 8 to 15 of the amount; stores with .weak and without.
TEST(MbarrierForms, BytesThatArriveAreSpelledByTheirKind) {
  const Forms& all = forms("mbarrier");
  constexpr auto arrive = static_cast<uint8_t>(params::BarrierCommand::bytes_arrive);
  const auto spellings = [&](uint32_t bytes, AsyncKind kind, bool generic) {
    std::set<std::string> texts;
    for (uint32_t spelling = 0; spelling < 64; ++spelling)
      if (const uint32_t opcode =
              opcode_of({arrive, 0, 0, bytes | static_cast<uint32_t>(kind) << 8}, generic, spelling);
          opcode != Forms::none)
        texts.insert(spelled(all, opcode));
    return texts;
  };
  const std::string words = "mov.b64 {r1, r2}, kept; mov.b64 w2, {r2, r1}; ";
  const auto stores = spellings(16, AsyncKind::store_4_4_4_4, false);
  for (const char* weak : {"", ".weak"})
    EXPECT_TRUE(stores.contains(words + "st.async" + weak +
                                ".shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [parity], "
                                "{r1, r2, r2, r1}, [bar];"))
        << *stores.begin();
  EXPECT_TRUE(
      spellings(4, AsyncKind::min_s32, true)
          .contains("cvt.u64.u32 w0, bar; cvta.shared::cluster.u64 w0, w0; cvt.u64.u32 w1, parity; "
                    "cvta.shared::cluster.u64 w1, w1; " +
                    words +
                    "red.async.relaxed.cluster.mbarrier::complete_tx::bytes.min.s32 [w1], r1, [w0];"));
  EXPECT_TRUE(
      spellings(32, AsyncKind::bulk_copy, false)
          .contains("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [parity], "
                    "[limit], amount, [bar];"));
  EXPECT_TRUE(spellings(32, AsyncKind::bulk_copy, true).empty());
}

}  // namespace
}  // namespace assay::forms
