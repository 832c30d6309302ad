// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/side_by_side.h"
#include "devices/emulator/insns/control.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/ptx/lower.h"
#include "devices/emulator/ptx/module.h"
#include "devices/emulator/ptx/parser.h"

namespace assay::emulator {
namespace {

constexpr uint32_t clusters = 300, cta_threads = 64;
constexpr size_t out_bytes = size_t{clusters} * cta_threads * 4;

/// A kernel k(out) with %r1 = %ctaid.x, %r2 = %tid.x, %rd1 = out, %rd2 = the thread's own word of it, and a
/// loop that takes its time and leaves a number of both in %r3.
std::string looping_kernel(const std::string& body) {
  return R"(.version 9.0
.target sm_100a
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 words[8] = {99, 116, 97, 32, 37, 117, 10, 0};
.visible .entry k(.param .u64 out)
{
.reg .pred %p<8>;
.reg .b32 %r<16>;
.reg .b64 %rd<16>;
.shared .align 8 .b8 own[64];
.local .align 8 .b8 arguments[8];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %tid.x;
mad.lo.u32 %r3, %r1, 64, %r2;
mul.wide.u32 %rd2, %r3, 4;
add.u64 %rd2, %rd1, %rd2;
mov.u32 %r4, 0;
MORE:
mad.lo.u32 %r3, %r3, 1664525, 1013904223;
shr.u32 %r5, %r3, 7;
xor.b32 %r3, %r3, %r5;
add.u32 %r4, %r4, 1;
setp.lt.u32 %p1, %r4, 400;
@%p1 bra MORE;
)" + body +
         "ret;\n}\n";
}
const std::string store = "st.global.u32 [%rd2], %r3;\n";

struct Result {
  std::string end;            ///< of the launch, in words
  std::string found;          ///< breaches and the timeline, in words; strict alone
  std::string printed, told;  ///< on stdout and stderr
  std::vector<uint32_t> out;
  uint64_t instructions = 0;
};

Settings lazy() {
  Settings settings;
  settings.completion = Completion::lazy;
  return settings;
}

std::string found_by(Gpu& gpu) {
  std::ostringstream words;
  for (const Breach& one : gpu.take_breaches())
    words << one.clause << " " << one.line << " " << one.thread << " " << one.count << " " << one.message
          << " " << one.other_line << " " << one.other_thread << "\n";
  uint64_t seen = 0;
  for (const BarrierEvent& one : gpu.take_timeline(seen))
    words << static_cast<int>(one.kind) << " " << one.time << " " << one.cta << " " << one.address << " "
          << one.warp << " " << one.amount << "\n";
  words << seen;
  return words.str();
}

Result run(const std::string& body, uint32_t workers, uint32_t grid = clusters, Settings settings = lazy()) {
  settings.workers = workers;
  const auto gpu = Gpu::create(settings);
  auto loaded = gpu->load(looping_kernel(body));
  Result result;
  if (const auto* wrong = std::get_if<Diagnostic>(&loaded)) {
    result.end = "not loaded: " + wrong->message;
    return result;
  }
  uint64_t out = gpu->memory().allocate(out_bytes);
  std::memset(reinterpret_cast<void*>(out), 0, out_bytes);
  std::vector<std::byte> params(8);
  std::memcpy(params.data(), &out, 8);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const auto end = gpu->launch(
      {std::get<0>(loaded)->find_kernel("k"), {grid, 1, 1}, {cta_threads, 1, 1}, {0, 0, 0}, 0, params});
  result.printed = testing::internal::GetCapturedStdout();
  result.told = testing::internal::GetCapturedStderr();
  result.found = found_by(*gpu);
  if (end) {
    std::ostringstream words;
    words << static_cast<int>(end->kind) << " " << end->line << " " << end->thread << " " << end->message;
    // Addresses differ from one memory to the next.
    result.end = words.str().substr(0, words.str().find(" address 0x"));
  }
  result.out.resize(out_bytes / 4);
  std::memcpy(result.out.data(), reinterpret_cast<void*>(out), out_bytes);
  result.instructions = gpu->instructions_executed();
  return result;
}

bool is_independent(const std::string& body) {
  const std::string text = looping_kernel(body);
  const ptx::ModuleSyntax syntax = ptx::parse(text, false);
  Memory memory;
  const ptx::Variables variables(syntax, memory);
  return has_independent_clusters(
      ptx::lower_kernel(syntax, syntax.functions.back(), variables.addresses(), Target::sm_100));
}

TEST(SideBySide, LeavesWhatOneThreadLeaves) {
  ASSERT_TRUE(is_independent(store));
  const Result alone = run(store, 1);
  ASSERT_EQ(alone.end, "");
  EXPECT_NE(alone.out.back(), 0u);
  for (const uint32_t workers : {2u, 4u, 7u, 0u}) {
    const Result several = run(store, workers);
    EXPECT_EQ(several.end, "");
    EXPECT_EQ(several.out, alone.out) << workers;
    EXPECT_EQ(several.instructions, alone.instructions) << workers;
  }
}

/// Each CTA has an mbarrier and a race of its own; another race is met both ways round, from CTA 41 on.
const std::string races =
    store +
    "mov.u32 %r6, own;\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 mbarrier.init.shared.b64 [%r6], 64;\nbar.sync 0;\n"
    "mbarrier.arrive.shared.b64 _, [%r6];\nTRY:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r6], 0;\n"
    "@!%p2 bra TRY;\nst.shared.u32 [%r6+16], %r2;\n"
    "setp.lt.u32 %p2, %r1, 41;\n@%p2 bra END;\nand.b32 %r7, %r1, 1;\nshr.u32 %r8, %r2, 5;\n"
    "setp.eq.u32 %p3, %r7, %r8;\n@%p3 st.shared.u32 [%r6+32], %r2;\n@!%p3 ld.shared.u32 %r9, [%r6+32];\n"
    "END:\n";

TEST(SideBySide, StrictFindsTheSameOnAnyNumberOfThreads) {
  ASSERT_TRUE(is_independent(races));
  for (const Completion completion : {Completion::lazy, Completion::random}) {
    Settings settings;
    settings.strict = true;
    settings.completion = completion;
    settings.seed = 3;
    const Result alone = run(races, 1, clusters, settings);
    EXPECT_EQ(alone.end, "");
    EXPECT_NE(alone.found.find("data-race"), std::string::npos) << alone.found;
    EXPECT_NE(alone.found.find("cta (41,0,0)"), std::string::npos) << alone.found;
    for (int i = 0; i < 5; ++i)
      for (const uint32_t workers : {2u, 4u, 7u}) {
        const Result several = run(races, workers, clusters, settings);
        EXPECT_EQ(several.found, alone.found) << workers;
        EXPECT_EQ(several.out, alone.out);
        EXPECT_EQ(several.instructions, alone.instructions);
      }
  }
}

TEST(SideBySide, StrictFindsTheSameRacesBetweenClusters) {
  Settings settings = lazy();
  settings.strict = true;
  const std::string body = store + "st.global.u32 [%rd1], %r1;\nld.global.u32 %r6, [%rd1+64];\n";
  ASSERT_TRUE(is_independent(body));
  const Result alone = run(body, 1, clusters, settings);
  EXPECT_NE(alone.found.find("cta (1,0,0) thread"), std::string::npos) << alone.found;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run(body, 4, clusters, settings).found, alone.found);
}

// What clusters behind a trap have found does not count.
TEST(SideBySide, StrictFindsNothingBehindATrap) {
  Settings settings = lazy();
  settings.strict = true;
  const std::string body = "setp.eq.u32 %p4, %r1, 45;\n@%p4 trap;\n" + races;
  const Result alone = run(body, 1, clusters, settings);
  EXPECT_NE(alone.end.find("cta (45,0,0)"), std::string::npos) << alone.end;
  for (int i = 0; i < 10; ++i) {
    const Result several = run(body, 4, clusters, settings);
    EXPECT_EQ(several.found, alone.found);
    EXPECT_EQ(several.end, alone.end);
  }
}

// The child of a process with helpers has none of them, and starts its own.
TEST(SideBySide, AForkedProcessHasHelpersOfItsOwn) {
  const Result before = run(store, 4);
  const pid_t child = fork();
  if (child == 0) _exit(run(store, 4).out == before.out ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(run(store, 4).out, before.out);
}

TEST(SideBySide, OfSeveralTrapsTheFirstInTheGridCounts) {
  const std::string body =
      store +
      "rem.u32 %r6, %r1, 50;\nsetp.eq.u32 %p2, %r6, 41;\n@%p2 st.global.u32 [%rd1+0x7fffff00], %r3;\n";
  ASSERT_TRUE(is_independent(body));
  const Result alone = run(body, 1);
  EXPECT_NE(alone.end.find("cta (41,0,0) thread 0"), std::string::npos) << alone.end;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run(body, 4).end, alone.end);
}

TEST(SideBySide, UninitialisedReadsAreToldOfTheFirstCluster) {
  const std::string body =
      "mov.u32 %r7, own;\nrem.u32 %r6, %r1, 50;\nsetp.ge.u32 %p2, %r6, 41;\n"
      "@%p2 ld.shared.u32 %r3, [%r7];\n" +
      store + "setp.eq.u32 %p3, %r1, 220;\n@%p3 trap;\n";
  const Result alone = run(body, 1);
  EXPECT_NE(alone.end.find("cta (220,0,0)"), std::string::npos) << alone.end;
  EXPECT_NE(alone.end.find("cta (41,0,0)"), std::string::npos) << alone.end;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run(body, 4).end, alone.end);
}

TEST(SideBySide, PrintsInTheOrderOfTheGrid) {
  const std::string body =
      "setp.ne.u32 %p2, %r2, 0;\n@%p2 bra END;\nmov.u64 %rd3, words;\nst.local.u32 [arguments], %r1;\n"
      "mov.u64 %rd4, arguments;\ncvta.local.u64 %rd4, %rd4;\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 "
      "r;\n"
      "st.param.b64 [a], %rd3;\nst.param.b64 [b], %rd4;\ncall.uni (r), vprintf, (a, b);\n}\nEND:\n";
  ASSERT_TRUE(is_independent(body));
  const Result alone = run(body, 1);
  EXPECT_EQ(alone.end, "");
  EXPECT_EQ(alone.printed.substr(0, 12), "cta 0\ncta 1\n");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(body, 4).printed, alone.printed);
}

TEST(SideBySide, OnlyTheAssertionThatEndsTheLaunchIsTold) {
  const std::string body =
      "rem.u32 %r6, %r1, 50;\nsetp.ne.u32 %p2, %r6, 41;\n@%p2 bra END;\nmov.u64 %rd3, words;\n{\n"
      ".param .b64 a;\n.param .b64 b;\n.param .b32 c;\n.param .b64 d;\n.param .b64 e;\nst.param.b64 [a], "
      "%rd3;\n"
      "st.param.b64 [b], %rd3;\nst.param.b32 [c], 7;\nst.param.b64 [d], %rd3;\nst.param.b64 [e], 1;\n"
      "call.uni __assertfail, (a, b, c, d, e);\n}\nEND:\n";
  ASSERT_TRUE(is_independent(body));
  const Result alone = run(body, 1);
  EXPECT_NE(alone.told.find("block: [41,0,0]"), std::string::npos) << alone.end << alone.told;
  for (int i = 0; i < 10; ++i) {
    const Result several = run(body, 4);
    EXPECT_EQ(several.told, alone.told);
    EXPECT_EQ(several.end, alone.end);
  }
}

TEST(SideBySide, DeadlocksAreToldAsThoseOfOneThread) {
  // In two CTAs one warp waits for what the other does not do.
  const std::string body = store +
                           "rem.u32 %r6, %r1, 200;\nsetp.eq.u32 %p2, %r6, 57;\nsetp.lt.u32 %p3, %r2, 32;\n"
                           "and.pred %p2, %p2, %p3;\n@%p2 bar.sync 1, 64;\n";
  ASSERT_TRUE(is_independent(body));
  const Result alone = run(body, 1);
  EXPECT_NE(alone.end.find("cta (57,0,0)"), std::string::npos) << alone.end;
  EXPECT_NE(alone.end.find("cta (257,0,0)"), std::string::npos) << alone.end;
  const Result several = run(body, 4);
  EXPECT_EQ(several.end, alone.end);
  EXPECT_EQ(several.out, alone.out);
}

TEST(SideBySide, ADeadlockOfAllHoldsAsManyAsOneThreadDoes) {
  const std::string body =
      "setp.lt.u32 %p3, %r2, 32;\n@%p3 bar.sync 1, 64;\n.shared .align 8 .b8 large[120000];\n"
      "mov.u32 %r7, large;\nst.shared.u32 [%r7], %r2;\n" +
      store;
  const Result alone = run(body, 1);
  EXPECT_NE(alone.end.find("cta (1,0,0)"), std::string::npos) << alone.end;
  EXPECT_EQ(alone.end.find("cta (299,0,0)"), std::string::npos) << alone.end;
  EXPECT_EQ(run(body, 4).end, alone.end);
}

// The flag lies behind the words of the CTAs that run; the first four CTAs wait for the last.
std::string flag_loop(const std::string& kind, const std::string& before_again) {
  return store + "setp.eq.u32 %p2, %r1, 250;\n@%p2 st" + kind +
         ".u32 [%rd1+70400], 1;\nsetp.gt.u32 %p2, %r1, 3;\n@%p2 bra END;\nAGAIN:\nld" + kind +
         ".u32 %r6, [%rd1+70400];\n" + before_again + "setp.ne.u32 %p3, %r6, 1;\n@%p3 bra AGAIN;\nEND:\n";
}

TEST(SideBySide, ProgramsWithFlagsBetweenClustersStillRun) {
  const std::string ordered = flag_loop(".volatile.global", "");
  EXPECT_FALSE(is_independent(ordered));
  EXPECT_EQ(run(ordered, 4, 251).end, "");
  // A race by plain accesses; the second loop is never in the same state.
  for (const std::string& body : {flag_loop(".global", ""), flag_loop(".global", "add.u32 %r7, %r7, 1;\n")}) {
    EXPECT_TRUE(is_independent(body));
    for (const uint32_t workers : {1u, 4u}) EXPECT_EQ(run(body, workers, 251).end, "") << workers;
  }
}

TEST(SideBySide, WhatReachesOtherClustersIsNotIndependent) {
  for (const char* apart :
       {"atom.shared.add.u32 %r6, [own], 1;", "red.cta.global.add.u32 [%rd2], 1;", "bar.sync 0;",
        "ld.volatile.shared.u32 %r6, [own];", "ld.relaxed.cluster.global.u32 %r6, [%rd2];",
        "fence.proxy.async;", "membar.cta;", "ld.global.nc.u32 %r6, [%rd2];", "fence.acq_rel.cluster;",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [own], 16;"})
    EXPECT_TRUE(is_independent(std::string(apart) + "\n")) << apart;
  for (const char* together :
       {"atom.global.add.u32 %r6, [%rd2], 1;", "atom.add.u32 %r6, [%rd2], 1;",
        "red.global.add.u32 [%rd2], 1;", "ld.relaxed.gpu.global.u32 %r6, [%rd2];",
        "ld.acquire.sys.global.u32 %r6, [%rd2];", "st.release.gpu.global.u32 [%rd2], 1;",
        "ld.volatile.u32 %r6, [%rd2];", "membar.gl;", "fence.acq_rel.gpu;", "fence.sc.sys;",
        "nanosleep.u32 100;", "mov.u64 %rd3, %clock64;", "mov.u32 %r6, %globaltimer_lo;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [own], 16;"})
    EXPECT_FALSE(is_independent(std::string(together) + "\n")) << together;
}

}  // namespace
}  // namespace assay::emulator
