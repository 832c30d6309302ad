// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cstring>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/gpu.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

Mbarrier fresh(uint32_t count) {
  Mbarrier made;
  EXPECT_EQ(made.initialise(count), "");
  return made;
}

TEST(Mbarrier, FieldsLieWhereTheHeaderDrawsThem) {
  // By hand: phase 1, pending 5, transactions -2, expected 3.
  const uint64_t word = 1ull << 63 | (0x100000ull - 5) << 43 | 2ull << 21 | (0x100000ull - 3) << 1;
  const Mbarrier made = Mbarrier::decode(word);
  EXPECT_TRUE(made.phase);
  EXPECT_EQ(made.transactions, -2);
  EXPECT_EQ(made.expected, 3u);
  EXPECT_EQ(made.pending, 5u);
  EXPECT_EQ(made.encode(), word);
}

TEST(Mbarrier, EdgesSurviveTheWord) {
  for (const int32_t transactions : {0, 1, -1, Mbarrier::max_transactions, -Mbarrier::max_transactions,
                                     Mbarrier::max_pending_transactions})
    for (const uint32_t count : {1u, Mbarrier::max_count}) {
      Mbarrier made = fresh(count);
      made.transactions = transactions;
      const Mbarrier again = Mbarrier::decode(made.encode());
      EXPECT_EQ(again.transactions, transactions);
      EXPECT_EQ(again.pending, count);
      EXPECT_EQ(again.expected, count);
    }
}

TEST(Mbarrier, APhaseEndsWhenNothingIsPending) {
  Mbarrier barrier = fresh(2);
  EXPECT_EQ(barrier.expect(16), "");
  EXPECT_EQ(barrier.arrive(2, false), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.complete(15), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.complete(1), "");
  EXPECT_TRUE(barrier.phase);
  EXPECT_EQ(barrier.pending, 2u);
  EXPECT_EQ(barrier.arrive(1, true), "");
  EXPECT_EQ(barrier.arrive(1, false), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.pending, 1u) << "the thread that left is not expected again";
}

TEST(Mbarrier, BytesThatCameEarlyLetTheExpectationEndThePhase) {
  Mbarrier barrier = fresh(1);
  EXPECT_EQ(barrier.complete(64), "");
  EXPECT_EQ(barrier.arrive(1, false), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.expect(63), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.expect(1), "");
  EXPECT_TRUE(barrier.phase);
  EXPECT_EQ(barrier.pending, 1u);
}

TEST(Mbarrier, WhoeverLeavesLastEndsThePhaseAndNobodyTheNext) {
  Mbarrier barrier = fresh(2);
  EXPECT_EQ(barrier.arrive(2, true), "");
  EXPECT_TRUE(barrier.phase);
  EXPECT_EQ(barrier.pending, 0u);
  EXPECT_NE(barrier.arrive(1, false), "");
  EXPECT_EQ(barrier.expect(16), "");
  EXPECT_TRUE(barrier.phase);
}

TEST(Mbarrier, TokensTellThePendingCount) {
  Mbarrier barrier = fresh(300);
  EXPECT_EQ(Mbarrier::pending_in(barrier.token(false)), 300u);
  EXPECT_EQ(barrier.token(true), barrier.token(false) | 1);
  EXPECT_EQ(Mbarrier::pending_in(0), 1u << 20);
}

TEST(Mbarrier, MisuseIsSaidAndChangesNothing) {
  Mbarrier barrier = fresh(1);
  const uint64_t before = barrier.encode();
  EXPECT_NE(barrier.arrive(2, false), "");
  EXPECT_NE(barrier.expect(1 << 20), "");
  EXPECT_NE(barrier.complete(1 << 20), "");
  EXPECT_NE(barrier.initialise(0), "");
  EXPECT_NE(barrier.initialise(1 << 20), "");
  EXPECT_NE(barrier.arrive_expecting(1 << 20, false), "");
  EXPECT_EQ(barrier.arrive(0, false), "");
  EXPECT_EQ(barrier.encode(), before);
}

// mbarrier programs measured on an H200 (vectors_mbarrier.csv), step by step: each becomes
// PTX text whose kernel writes down what the steps answer.

struct Script {
  std::string id, outcome;
  std::vector<std::string> steps;
  std::vector<uint64_t> answers;
};

std::vector<std::string> split_at(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(at, from), text.size());
    if (to != from) parts.push_back(text.substr(from, to - from));
    from = to + at.size();
  }
  return parts;
}

std::vector<Script> scripts(const std::string& file = "vectors_mbarrier.csv") {
  std::vector<Script> made;
  for (const Fields& row : vector_rows(file)) {
    Script script{row.at("id"), row.at("outcome"), split_at(row.at("steps"), " ; "), {}};
    for (const std::string& word : split_at(row.at("results"), " "))
      script.answers.push_back(std::stoull(word, nullptr, 16));
    made.push_back(script);
  }
  return made;
}

/// PTX of a step, its answer in %rd2 (none: 0 as it was).
std::string ptx_of(const std::string& step) {
  static const std::regex form(R"(([A-Za-z_.]+?)(?:\((.*)\))?(?:->t(\d))?)");
  std::smatch match;
  if (!std::regex_match(step, match, form)) throw std::runtime_error("no step: " + step);
  std::string verb = match[1];
  const std::string amount = match[2], token = "%token" + match[3].str();
  const bool is_remote = verb.rfind("remote", 0) == 0;
  if (is_remote) verb = verb.substr(7);
  const std::string place = is_remote ? "[%peer]" : "[bar]";
  const std::string space = is_remote ? ".shared::cluster" : ".shared::cta";
  const std::string answered = "selp.u32 %r2, 1, 0, %done;\ncvt.u64.u32 %rd2, %r2;\n";
  if (verb == "init") return "mbarrier.init.shared::cta.b64 [bar], " + amount + ";\n";
  if (verb == "inval") return "mbarrier.inval.shared::cta.b64 [bar];\n";
  if (verb == "state") return "mbarrier.inval.shared::cta.b64 [bar];\nld.shared.b64 %rd2, [bar];\n";
  if (verb == "expect_tx" || verb == "complete_tx")
    return "mbarrier." + verb + space + ".b64 [bar], " + amount + ";\n";
  if (verb == "test_wait.parity")
    return "mbarrier.test_wait.parity.shared::cta.b64 %done, [bar], " + amount + ";\n" + answered;
  if (verb == "test_wait")
    return "mbarrier.test_wait.shared::cta.b64 %done, [bar], %token" + amount.substr(1) + ";\n" + answered;
  if (verb == "pending_count")
    return "mbarrier.pending_count.b64 %r2, %token" + amount.substr(1) + ";\ncvt.u64.u32 %rd2, %r2;\n";
  if (verb == "cp.async.mbarrier.arrive") return "cp.async.mbarrier.arrive.shared::cta.b64 [bar];\n";
  if (verb == "generic_load") return "ld.shared.b64 %rd2, [bar];\n";
  if (verb == "generic_atom_read") return "atom.shared.add.u64 %rd2, [bar], 0;\n";
  if (verb == "generic_exch") return "atom.shared.exch.b64 %rd2, [bar], " + amount + ";\n";
  if (verb == "generic_store")
    return "mov.b64 %rd3, " + amount + ";\nst" + space + ".b64 " + place + ", %rd3;\n";
  if (verb.rfind("arrive", 0) == 0) {
    const size_t count = verb.find(".count");
    if (count != std::string::npos) verb.erase(count);
    std::string text = "mbarrier." + verb + space + ".b64 " + (is_remote ? "_" : token) + ", " + place;
    if (!amount.empty()) text += ", " + amount;
    text += ";\n";
    return is_remote ? text : text + "mov.b64 %rd2, " + token + ";\n";
  }
  throw std::runtime_error("no step: " + step);
}

/// A kernel of the steps; `out` gets 8 bytes of each.
std::string mbarrier_kernel(const std::string& name, const std::vector<std::string>& steps) {
  std::ostringstream text;
  text << ".visible .entry " << name << "(.param .u64 out)\n{\n.shared .align 8 .b8 bar[8];\n"
       << ".reg .pred %done;\n.reg .b32 %r<4>, %peer;\n.reg .b64 %rd<5>, %token<8>;\n"
       << "ld.param.u64 %rd1, [out];\nmov.u32 %r1, bar;\nmapa.shared::cluster.u32 %peer, %r1, 0;\n"
       << "mov.b64 %rd3, 0;\nst.shared.b64 [bar], %rd3;\n";
  for (int token = 0; token < 8; ++token) text << "mov.b64 %token" << token << ", 0;\n";
  for (size_t i = 0; i < steps.size(); ++i)
    text << "mov.b64 %rd2, 0;\n" << ptx_of(steps[i]) << "st.global.b64 [%rd1+" << 8 * i << "], %rd2;\n";
  text << "ret;\n}\n";
  return text.str();
}

constexpr std::string_view header = ".version 9.0\n.target sm_90a\n.address_size 64\n";

struct Ended {
  std::optional<Diagnostic> wrong;
  std::vector<uint64_t> answers;
};

Ended run_mbarrier(Gpu& gpu, Module& module, const std::string& name, size_t steps) {
  Kernel* const found = module.find_kernel(name);
  const uint64_t out = gpu.memory().allocate(8 * steps);
  std::vector<std::byte> params(8);
  std::memcpy(params.data(), &out, 8);
  Ended ended{gpu.launch({found, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, params}), std::vector<uint64_t>(steps)};
  std::memcpy(ended.answers.data(), reinterpret_cast<const void*>(out), 8 * steps);
  gpu.memory().release(out);
  return ended;
}

void check_mbarrier(const Script& script) {
  SCOPED_TRACE(script.id);
  // The word is read after inval, and PTX has no barrier from there on: one kernel without these steps, and
  // one up to each of them.
  std::vector<std::string> plain;
  std::vector<size_t> plain_at, states;
  std::string text(header);
  for (size_t i = 0; i < script.steps.size(); ++i) {
    if (script.steps[i] != "state") {
      plain.push_back(script.steps[i]);
      plain_at.push_back(i);
      continue;
    }
    std::vector<std::string> until = plain;
    until.push_back("state");
    text += mbarrier_kernel("state" + std::to_string(i), until);
    states.push_back(i);
  }
  text += mbarrier_kernel("plain", plain);
  Settings settings;
  settings.target = Target::sm_90;
  const auto gpu = Gpu::create(settings);
  auto loaded = gpu->load(text);
  ASSERT_FALSE(std::holds_alternative<Diagnostic>(loaded))
      << std::get<Diagnostic>(loaded).message << " at line " << std::get<Diagnostic>(loaded).line << "\n"
      << text;
  Module& module = *std::get<std::unique_ptr<Module>>(loaded);
  const Ended whole = run_mbarrier(*gpu, module, "plain", plain.size());
  if (script.outcome == "LF") {
    ASSERT_TRUE(whole.wrong);
    EXPECT_EQ(whole.wrong->kind, Diagnostic::Kind::launch_failed);
    return;
  }
  ASSERT_FALSE(whole.wrong) << whole.wrong->message;
  ASSERT_EQ(script.answers.size(), script.steps.size());
  for (size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(whole.answers[i], script.answers[plain_at[i]]) << "step " << plain_at[i] << ", " << plain[i];
  for (const size_t at : states) {
    size_t before = 0;
    while (before < plain_at.size() && plain_at[before] < at) ++before;
    const Ended ended = run_mbarrier(*gpu, module, "state" + std::to_string(at), before + 1);
    ASSERT_FALSE(ended.wrong) << ended.wrong->message;
    EXPECT_EQ(ended.answers[before], script.answers[at]) << "the state word at step " << at;
  }
}

TEST(MbarrierVectors, EveryStepAnswersAsOnHopper) {
  // An arrival that failed at the barrier of another CTA did not end the launch there; here it does.
  constexpr const char* fails_elsewhere = "MB0199";
  const std::vector<Script> all = scripts();
  for (const Script& script : all)
    if (script.id != fails_elsewhere) check_mbarrier(script);
  EXPECT_EQ(all.size(), 207u);
}

TEST(MbarrierVectors, WordsThatNoInitWroteAreTakenAsOnHopper) {
  const std::vector<Script> all = scripts("vectors_mbarrier_words.csv");
  for (const Script& script : all) check_mbarrier(script);
  EXPECT_EQ(all.size(), 711u);
}

}  // namespace
}  // namespace assay::emulator
