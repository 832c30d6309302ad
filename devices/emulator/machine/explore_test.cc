// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/explore.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/ptx_pairs.h"

namespace assay::emulator {
namespace {

struct OrdersFound {
  Exploration orders;
  std::string end;                                      ///< of the first order, or empty,
  uint32_t end_line = 0;                                ///< and where it stands
  std::set<std::pair<std::string, std::string>> found;  ///< clauses, each with the order that showed it first
};

constexpr std::string_view explored = "explore:100";

/// The body of a kernel of testdata/ptx/*.pairs.
OrdersFound explore_body(
    const std::string& body, uint32_t block, const std::string& schedule = std::string(explored),
    uint32_t grid = 1, void (*change)(Settings&) = [](Settings&) {}) {
  Settings settings;
  settings.target = Target::sm_90;
  settings.completion = Completion::lazy;
  settings.is_stepwise = settings.strict = true;
  if (schedule == explored) settings.explore_seconds = 100;
  if (schedule.starts_with("order:1:"))
    settings.replayed_launch = 1, settings.replayed_order = schedule.substr(8);
  change(settings);
  const auto gpu = Gpu::create(settings);
  auto loaded =
      gpu->load(".version 8.8\n.target sm_90a\n" + std::string(text::pair_prologue) + body + "\nret;\n}\n");
  OrdersFound made;
  if (const auto* wrong = std::get_if<Diagnostic>(&loaded)) {
    made.end = "line " + std::to_string(wrong->line) + ": " + wrong->message;
    return made;
  }
  std::vector<std::byte> params(192);
  for (const size_t at : {0, 8}) {
    const uint64_t buffer = gpu->memory().allocate(4096);
    std::memset(reinterpret_cast<void*>(buffer), 0, 4096);
    std::memcpy(params.data() + at, &buffer, sizeof buffer);
  }
  const auto end = gpu->launch(
      {std::get<0>(loaded)->find_kernel("pair"), {grid, 1, 1}, {block, 1, 1}, {0, 0, 0}, 0, params});
  if (end) made.end = end->message, made.end_line = end->line;
  if (const auto all = gpu->take_exploration()) made.orders = *all;
  for (const Breach& one : gpu->take_breaches()) made.found.emplace(one.clause, one.schedule);
  return made;
}

/// By one thread of each warp.
const std::string leaders = "and.b32 %r10, %r1, 31; setp.eq.u32 %p6, %r10, 0; shr.u32 %r11, %r1, 5;\n";

uint64_t orders_of(const std::string& body, uint32_t warps, uint32_t grid = 1) {
  const OrdersFound all = explore_body(leaders + body, warps * 32, std::string(explored), grid);
  EXPECT_EQ(all.end, "");
  EXPECT_EQ(all.orders.why_not_all, "");
  EXPECT_TRUE(all.found.empty()) << all.found.begin()->first << " " << all.found.begin()->second;
  return all.orders.orders;
}

TEST(Explore, OrdersOfWhatDoesNotMeetAreOne) {
  EXPECT_EQ(orders_of("@%p6 st.shared.u32 [%r3], 1;", 4), 1u);
  EXPECT_EQ(orders_of("mul.lo.u32 %r12, %r11, 4; mov.u32 %r13, x; add.u32 %r12, %r12, %r13;\n"
                      "@%p6 st.shared.u32 [%r12], 0; @%p6 atom.shared.add.u32 %r14, [%r12], 1;",
                      4),
            1u);
  EXPECT_EQ(orders_of("bar.sync 1; bar.sync 1; bar.sync 2;", 4), 1u);
}

TEST(Explore, WarpsThatChangeOneWordHaveAllOrders) {
  const std::string change = "@%p6 atom.shared.exch.b32 %r12, [flag], %r11;\n";
  EXPECT_EQ(orders_of(change, 2), 2u);
  EXPECT_EQ(orders_of(change, 3), 6u);
  EXPECT_EQ(orders_of(change, 4), 24u);
  // Two changes each: the orders of two of one and two of the other.
  EXPECT_EQ(orders_of(change + change, 2), 6u);
  // A barrier keeps the two rounds apart.
  EXPECT_EQ(orders_of(change + "bar.sync 1;\n" + change, 2), 4u);
  EXPECT_EQ(orders_of("@%p6 ld.relaxed.cta.shared.u32 %r12, [flag];", 4), 1u);
}

TEST(Explore, ClustersThatMeetInGlobalMemoryHaveAllOrders) {
  EXPECT_EQ(orders_of("@%p6 atom.relaxed.gpu.global.exch.b32 %r12, [%rd2], %r2;", 1, 3), 6u);
}

TEST(Explore, ArrivalsOfAPhaseAreOneOrder) {
  const std::string wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p7, [x], 0; @!%p7 bra W;\n";
  EXPECT_EQ(orders_of("@%p1 mbarrier.init.shared::cta.b64 [x], 4; bar.sync 1;\n"
                      "@%p6 mbarrier.arrive.shared::cta.b64 _, [x];\n" +
                          wait,
                      4),
            1u);
}

TEST(Explore, ALockIsTakenInEveryOrder) {
  // Whoever comes second tries before the first has given it back, or does not.
  EXPECT_EQ(orders_of("@!%p6 bra END;\nTAKE: atom.acquire.cta.shared.cas.b32 %r12, [flag], 0, 1;\n"
                      "setp.ne.u32 %p7, %r12, 0; @%p7 bra TAKE;\n"
                      "ld.shared.u32 %r13, [x]; add.u32 %r13, %r13, 1; st.shared.u32 [x], %r13;\n"
                      "st.release.cta.shared.u32 [flag], 0;\nEND:",
                      2),
            4u);
}

/// The finding is of another order than the first, and comes again when that is replayed.
void expect_replayed(const std::string& body, uint32_t block, const std::string& clause) {
  const OrdersFound all = explore_body(leaders + body, block);
  ASSERT_EQ(all.end, "");
  EXPECT_EQ(all.orders.why_not_all, "");
  ASSERT_EQ(all.found.size(), 1u);
  const auto& [found, order] = *all.found.begin();
  EXPECT_EQ(found, clause);
  ASSERT_TRUE(order.starts_with("order:1:")) << order;
  EXPECT_TRUE(explore_body(leaders + body, block, "order:1:first").found.empty());
  const OrdersFound again = explore_body(leaders + body, block, order);
  ASSERT_EQ(again.found.size(), 1u) << order;
  EXPECT_EQ(again.found.begin()->first, clause);
}

TEST(Explore, ARaceOfOneOrderIsFoundAndReplayed) {
  // Warp 0 writes in any case, warp 1, which comes first by default, only where it comes second.
  expect_replayed(
      "@!%p6 bra END;\natom.relaxed.cta.shared.add.u32 %r12, [flag], 1;\n"
      "setp.ne.u32 %p7, %r12, 0;\nsetp.eq.or.u32 %p7, %r11, 0, %p7;\n@%p7 st.shared.u32 [x], %r11;\nEND:",
      64, "data-race");
}

TEST(Explore, AWaitThatMayFailIsMadeToFail) {
  // The second warp tries once and reads.
  expect_replayed(
      "setp.eq.u32 %p7, %r11, 0;\n@!%p6 bra END;\n"
      "@%p7 st.shared.u32 [x], 1;\n@%p7 mbarrier.arrive.shared::cta.b64 _, [bar];\n@%p7 bra END;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 %p8, [bar], 0;\nld.shared.u32 %r13, [x];\nEND:",
      64, "data-race");
}

TEST(Explore, AHangOfOneOrderIsFoundAndReplayed) {
  // Each warp takes a lock, and then the one that the other has.
  const auto take = [](const std::string& label, const std::string& lock) {
    return label + ": atom.acquire.cta.shared.cas.b32 %r12, [" + lock +
           "], 0, 1;\nsetp.ne.u32 %p7, %r12, 0;\n@%p7 bra " + label + ";\n";
  };
  const std::string give =
      "st.release.cta.shared.u32 [flag], 0;\nst.release.cta.shared.u32 [word], 0;\nbra END;\n";
  const std::string body =
      "@%p1 st.shared.u32 [word], 0; bar.sync 1;\n@!%p6 bra END;\nsetp.eq.u32 %p8, %r11, 0;\n@%p8 bra A;\n" +
      take("C", "word") + take("D", "flag") + give + take("A", "flag") + take("B", "word") + give + "END:";
  const OrdersFound all = explore_body(leaders + body, 64);
  EXPECT_EQ(all.end + all.orders.why_not_all, "");
  ASSERT_EQ(all.orders.failures.size(), 1u);
  EXPECT_EQ(all.orders.failures[0].kind, Diagnostic::Kind::deadlock);
  const std::string order = all.orders.failures[0].schedule;
  EXPECT_EQ(explore_body(leaders + body, 64, "order:1:first").end, "");
  EXPECT_EQ(explore_body(leaders + body, 64, order).end, all.orders.failures[0].message) << order;
}

TEST(Explore, AWarpThatFallsBehindByTwoPhasesHangsInItsReplayToo) {
  // Nobody waits for the warps, which all wait for two copies of the first one, twice.
  const std::string body =
      "mov.u32 %r12, 0;\nLOOP:\n@!%p1 bra W;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x], [%rd1], 16, [bar];\n"
      "W: mbarrier.try_wait.parity.shared::cta.b64 %p7, [bar], %r12;\n@!%p7 bra W;\n@!%p1 bra V;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [other], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x+16], [%rd1], 16, [other];\n"
      "V: mbarrier.try_wait.parity.shared::cta.b64 %p7, [other], %r12;\n@!%p7 bra V;\n"
      "add.u32 %r12, %r12, 1; setp.lt.u32 %p8, %r12, 2; @%p8 bra LOOP;\nbar.sync 1;\n";
  const OrdersFound all = explore_body(body, 128);
  EXPECT_EQ(all.end + all.orders.why_not_all, "");
  ASSERT_FALSE(all.orders.failures.empty());
  for (const Diagnostic& one : all.orders.failures)
    EXPECT_EQ(explore_body(body, 128, one.schedule).end_line, one.line) << one.schedule;
}

TEST(Explore, EndsAfterAsManyOrdersAsAreAskedFor) {
  const OrdersFound some =
      explore_body(leaders + "@%p6 atom.shared.exch.b32 %r12, [flag], %r11;", 128, std::string(explored), 1,
                   [](Settings& settings) { settings.explore_orders = 5; });
  EXPECT_EQ(some.orders.orders, 5u);
  EXPECT_EQ(some.orders.why_not_all, "no more orders were asked for");
}

TEST(Explore, EndsWithTheFirstFindingThatIsNotKnown) {
  // Whoever comes second stores, beside what warp 0 stores in any case.
  const std::string body = leaders +
                           "@!%p6 bra END;\natom.relaxed.cta.shared.add.u32 %r12, [flag], 1;\n"
                           "setp.ne.u32 %p7, %r12, 0;\nsetp.eq.or.u32 %p7, %r11, 0, %p7;\n"
                           "@%p7 st.shared.u32 [x], %r11;\nEND:";
  const OrdersFound all = explore_body(body, 96);
  ASSERT_EQ(all.found.size(), 1u);
  EXPECT_EQ(all.orders.why_not_all, "");
  const OrdersFound first =
      explore_body(body, 96, std::string(explored), 1, [](Settings& settings) { settings.known.emplace(); });
  EXPECT_EQ(first.orders.why_not_all, "something was found");
  EXPECT_EQ(first.found, all.found);
  EXPECT_LT(first.orders.orders, all.orders.orders);
  const OrdersFound known = explore_body(body, 96, std::string(explored), 1, [](Settings& settings) {
    settings.known.emplace();
    for (uint32_t line = 1; line < 100; ++line) settings.known->emplace("data-race", line);
  });
  EXPECT_EQ(known.orders.why_not_all, "");
  EXPECT_EQ(known.orders.orders, all.orders.orders);
}

TEST(Explore, OtherBytesOfOneOrderAreFound) {
  const OrdersFound all =
      explore_body(leaders +
                       "@%p6 atom.shared.exch.b32 %r12, [flag], 7;\n"
                       "@%p6 mad.wide.u32 %rd4, %r11, 4, %rd1; @%p6 st.global.u32 [%rd4], %r12;",
                   64);
  EXPECT_EQ(all.orders.orders, 2u);
  EXPECT_EQ(all.orders.others, 1u);
  EXPECT_EQ(all.orders.other_bytes, "byte 0 of allocation 1");
  EXPECT_EQ(all.orders.other_schedule.substr(0, 8), "order:1:");
}

TEST(Explore, OrdersAreReadAsTheyAreWritten) {
  for (const std::string text : {"first", "3w1", "3w1.17a2.20w0f", "3c1w1.4c12a200"}) {
    ASSERT_TRUE(Replay::parse(text)) << text;
  }
  for (const std::string text : {"", "w1", "3", "3w", "3w1.", "3w1.2w1", "3x1", "3w1,4w1"})
    EXPECT_FALSE(Replay::parse(text)) << text;
}

}  // namespace
}  // namespace assay::emulator
