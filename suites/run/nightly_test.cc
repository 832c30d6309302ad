// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "reports/results_file.h"
#include "reports/text.h"
#include "reports/words.h"
#include "reports/written_reports.h"
#include "suites/run/scripted_run_test.h"

/// What a run does beyond judging: waivers, baselines, flaky failures, shards, resuming, deadlines.
namespace assay::suites {
namespace {

std::filesystem::path write_waiver(const std::string& name, const std::string& signature,
                                   const std::string& expires = "2099-12-31") {
  const auto file = report::scratch_path(name + ".toml");
  std::ofstream(file) << "[[waiver]]\nid = \"w1\"\ndevice = \"scripted\"\ndriver = \"*\"\n"
                         "property = \"tma.tiled.load\"\nsignature = \""
                      << signature
                      << "\"\nreason = \"known\"\nlink = \"https://bugs.example/1\"\nexpires = " << expires
                      << "\n";
  return file;
}

Ran run_liar(const std::string& name, const std::function<void(RunOptions&)>& change, uint64_t cases = 400) {
  return run_scripted(name, std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.load"}, cases,
                      change);
}

TEST(Waivers, CoverExactlyTheirSignature) {
  const Ran waived = run_liar("waived", [](RunOptions& options) {
    options.expect = write_waiver("right", "tma.tiled.load|done|done|tile");
  });
  EXPECT_EQ(waived.result.exit_code, 0) << report::summary_text(waived.result.database, false);
  EXPECT_GT(waived.count(Verdict::waived), 50u);
  EXPECT_EQ(waived.count(Verdict::violates), 0u);
  ASSERT_EQ(waived.results.devices[0].waivers.size(), 1u);
  EXPECT_EQ(waived.results.devices[0].waivers[0].state, "used");
  EXPECT_EQ(waived.results.devices[0].waivers[0].cases, waived.count(Verdict::waived));

  const Ran other = run_liar("other_signature", [](RunOptions& options) {
    options.expect = write_waiver("other", "tma.tiled.load|done|timed out*");
  });
  EXPECT_EQ(other.result.exit_code, 1);
  EXPECT_EQ(other.count(Verdict::waived), 0u);
  EXPECT_EQ(other.count(Verdict::violates), waived.count(Verdict::waived));
}

TEST(Waivers, ExpiredAndUnneededOnesFailTheRun) {
  const Ran expired = run_liar("expired", [](RunOptions& options) {
    options.expect = write_waiver("expired", "tma.tiled.load|done|done|tile", "2020-01-01");
  });
  EXPECT_EQ(expired.result.exit_code, 1);
  EXPECT_GT(expired.count(Verdict::violates), 50u);
  EXPECT_EQ(expired.results.devices[0].waivers.at(0).state, "expired");

  const Ran honest = run_scripted(
      "unneeded", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 100, [](RunOptions& options) {
        options.expect = write_waiver("unneeded", "tma.tiled.load|done|done|tile");
      });
  EXPECT_EQ(honest.result.exit_code, 1);
  EXPECT_EQ(honest.results.devices[0].properties[0].verdict, Verdict::unexpected_pass);
  EXPECT_EQ(honest.count(Verdict::conforms), 100u) << "the cases themselves keep their verdicts";
  EXPECT_NE(honest.results.devices[0].properties[0].reason.find("w1"), std::string::npos);

  // One for another device or property says nothing about this run.
  const Ran apart = run_scripted(
      "apart", std::make_unique<ScriptedDevice>(), {"tma.tiled.store"}, 100,
      [](RunOptions& options) { options.expect = write_waiver("apart", "tma.tiled.load|done|done|tile"); });
  EXPECT_EQ(apart.result.exit_code, 0);
}

TEST(Baseline, OnlyChangesAreLoud) {
  const Ran before = run_liar("before", {});
  EXPECT_EQ(before.result.exit_code, 1);
  const auto baseline = [&](RunOptions& options) { options.baseline = before.result.database; };
  const Ran same = run_liar("same", baseline);
  EXPECT_EQ(same.result.exit_code, 0) << report::summary_text(same.result.database, false);
  EXPECT_EQ(same.count(Verdict::waived), before.count(Verdict::violates));

  // A chain of nights: what the last one knew from the one before is still known.
  const Ran next = run_liar("next", [&](RunOptions& options) { options.baseline = same.result.database; });
  EXPECT_EQ(next.result.exit_code, 0);

  const Ran worse = run_scripted(
      "worse", std::make_unique<ScriptedDevice>([](const Case& any, RecordEnd& end, auto output) {
        lie_about_64B(any, end, output);
        const auto& c = any.as<TensorCopyCase>();
        if (c.map.rank == 4 && c.tile_offset >= 16 && end.ended == Ended::done) output[0] ^= std::byte{1};
      }),
      {"tma.tiled.load"}, 400, baseline);
  EXPECT_EQ(worse.result.exit_code, 1);
  EXPECT_GT(worse.count(Verdict::waived), 10u);
  EXPECT_GT(worse.count(Verdict::violates), 10u);
  for (const auto& row : worse.rows())
    if (row.verdict == Verdict::violates) {
      EXPECT_NE(row.signature.find("outside the tile"), std::string::npos) << row.signature;
    }

  // A signature is coarse: a second cause behind a known one shows by how often it fails.
  const auto finds_more = [](const Ran& ran) {
    return std::any_of(ran.results.findings.begin(), ran.results.findings.end(),
                       [](const auto& f) { return f.kind == "more often than in the baseline"; });
  };
  const Ran often = run_scripted(
      "often", std::make_unique<ScriptedDevice>([](const Case& any, RecordEnd& end, auto output) {
        const auto* c = any.get_if<TensorCopyCase>();
        if (c != nullptr && end.ended == Ended::done) output[c->tile_offset] ^= std::byte{0x40};
      }),
      {"tma.tiled.load"}, 400, baseline);
  EXPECT_EQ(often.count(Verdict::violates), 0u);
  EXPECT_TRUE(finds_more(often));
  EXPECT_FALSE(finds_more(same));

  const Ran fixed =
      run_scripted("fixed", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 400, baseline);
  EXPECT_EQ(fixed.result.exit_code, 0);
  bool gone = false;
  for (const auto& finding : fixed.results.findings) gone |= finding.kind == "gone since the baseline";
  EXPECT_TRUE(gone);
  EXPECT_NE(report::summary_text(fixed.result.database, false).find("0 new, 0 known"), std::string::npos);
}

/// Fails a share of the times that a case runs, whatever the case.
std::unique_ptr<ScriptedDevice> sometimes(int one_in) {
  auto draws = std::make_shared<std::atomic<uint64_t>>(0);
  return std::make_unique<ScriptedDevice>([=](const Case& any, RecordEnd& end, std::span<std::byte> output) {
    const auto& c = any.as<TensorCopyCase>();
    const uint64_t draw = ++*draws * 0x9e3779b97f4a7c15ull >> 33;
    if (end.ended == Ended::done && draw % static_cast<uint64_t>(one_in) == 0)
      output[c.tile_offset] ^= std::byte{0x20};
  });
}

TEST(Flaky, TheVerdictSaysKOfNAndWarnLetsItPass) {
  for (const bool warns : {false, true}) {
    const Ran ran = run_scripted("sometimes", sometimes(40), {"tma.tiled.load"}, 60,
                                 [&](RunOptions& options) { options.flaky_warns = warns; });
    ASSERT_GT(ran.count(Verdict::flaky), 0u);
    EXPECT_EQ(ran.count(Verdict::violates), 0u);
    EXPECT_EQ(ran.count(Verdict::flaky) + ran.count(Verdict::conforms), 60u);
    EXPECT_EQ(ran.result.exit_code, warns ? 0 : 1);
    const auto& group = ran.results.devices[0].properties[0].failures.at(0);
    EXPECT_GT(group.repeated, 10u);
    EXPECT_LT(group.failed, group.repeated);
    EXPECT_NE(group.examples.at(0).message.find("failed " + std::to_string(group.failed) + " of " +
                                                std::to_string(group.repeated)),
              std::string::npos)
        << group.examples.at(0).message;
  }
}

TEST(Flaky, AViolationThatRepeatsSaysHowOften) {
  const Ran ran = run_liar("steady", {});
  bool any = false;
  for (const auto& group : ran.results.devices[0].properties[0].failures)
    if (group.repeated > 1) {
      any = true;
      EXPECT_EQ(group.failed, group.repeated);
      EXPECT_EQ(group.repeated, 11u);
    }
  EXPECT_TRUE(any);
}

TEST(Places, OneMultiprocessorIsNamed) {
  auto draws = std::make_shared<std::atomic<uint32_t>>(0);
  const Ran ran = run_scripted(
      "one_place", std::make_unique<ScriptedDevice>([=](const Case& any, RecordEnd& end, auto output) {
        end.sm = ++*draws % 8;
        if (end.sm == 5 && end.ended == Ended::done)
          output[any.as<TensorCopyCase>().tile_offset] ^= std::byte{1};
      }),
      {"tma.tiled.load"}, 200);
  const auto on_silicon = [](const Ran& one) {
    report::DeviceResult device = one.results.devices.at(0);
    device.is_silicon = true;
    std::string text;
    for (const std::string& sentence : report::where_it_fails(device)) text += sentence + "\n";
    return text;
  };
  const std::string summary = on_silicon(ran);
  EXPECT_NE(summary.find("SM 5"), std::string::npos) << summary;
  EXPECT_NE(summary.find("one place"), std::string::npos) << summary;

  const Ran everywhere = run_scripted(
      "everywhere", std::make_unique<ScriptedDevice>([=](const Case& any, RecordEnd& end, auto output) {
        end.sm = ++*draws % 8;
        lie_about_64B(any, end, output);
      }),
      {"tma.tiled.load"}, 400);
  const std::string spread = on_silicon(everywhere);
  EXPECT_NE(spread.find("evenly: every SM"), std::string::npos) << spread;
}

TEST(Shards, MergedGiveTheWholeRun) {
  const auto run = [](const std::string& name, int shard, int shards) {
    return run_scripted(name, std::make_unique<ScriptedDevice>(lie_about_64B),
                        {"tma.tiled.load", "tma.tiled.store"}, 301,
                        [&](RunOptions& options) {
                          options.shard = shard, options.shards = shards;
                          options.most_shrunk = 0;
                        })
        .result.database;
  };
  const auto whole = run("whole", 1, 1);
  std::vector<std::filesystem::path> parts;
  for (int shard = 1; shard <= 3; ++shard) parts.push_back(run("shard" + std::to_string(shard), shard, 3));
  const auto merged = report::scratch_path("merged.db");
  report::merge_results(parts, merged);
  EXPECT_EQ(essence(merged), essence(whole));
  report::merge_results({parts[2], parts[0]}, merged);
  EXPECT_NE(essence(merged), essence(whole));
}

TEST(Shards, OneWithoutCasesIsNoFailure) {
  const Ran ran = run_scripted("no_case", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 2,
                               [](RunOptions& options) { options.shard = 5, options.shards = 8; });
  EXPECT_EQ(ran.result.exit_code, 0);
  EXPECT_EQ(ran.results.devices[0].properties[0].verdict, Verdict::declined);
}

TEST(Resume, AnInterruptedRunEndsWithTheSameCounts) {
  for (const int stop_after : {1, 330}) {
    std::atomic<bool> stop{false};
    auto seen = std::make_shared<std::atomic<int>>(0);
    const auto options_of = [&](RunOptions& options) {
      options.most_shrunk = 0;
      options.out = report::scratch_path("resume");
      options.version = "v", options.commit = "c";
    };
    const Ran cut = run_scripted(
        "resume", std::make_unique<ScriptedDevice>([&, seen](const Case& any, RecordEnd& end, auto output) {
          lie_about_64B(any, end, output);
          if (++*seen == stop_after) stop = true;
        }),
        {"tma.tiled.load", "tma.tiled.load.multicast"}, 300, [&](RunOptions& options) {
          options_of(options);
          options.stop = &stop;
        });
    EXPECT_GT(cut.count(Verdict::incomplete), 0u);
    EXPECT_EQ(cut.result.exit_code, 1) << "the failures outrank what is missing";
    RunOptions again = options_to_resume(cut.result.database.parent_path(), "v", "c");
    EXPECT_EQ(again.cases, 300u);
    EXPECT_EQ(again.seed, 11u);
    // It finished, with a report of what it had: its file says so, and resuming would have nothing to do.
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<ScriptedDevice>(lie_about_64B));
    const RunResult resumed = run_on(again, std::move(devices));
    const Ran whole = run_scripted("resume_whole", std::make_unique<ScriptedDevice>(lie_about_64B),
                                   {"tma.tiled.load", "tma.tiled.load.multicast"}, 300,
                                   [](RunOptions& options) { options.most_shrunk = 0; });
    EXPECT_EQ(essence(resumed.database), essence(whole.result.database)) << stop_after;
    EXPECT_EQ(report::read_results(resumed.database).run.generation, 1);
  }
}

TEST(Resume, OfARunThatIsOverWritesItsReportsAgain) {
  const Ran ran =
      run_scripted("over", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 5,
                   [](RunOptions& options) { options.junit_options.profile = report::JunitProfile::rich; });
  const std::filesystem::path out = ran.result.database.parent_path();
  const std::string junit = report::read_whole_file(out / "junit.xml");
  ASSERT_NE(junit.find("[[PROPERTY|"), std::string::npos);
  for (const report::WrittenReport& row : report::written_reports()) std::filesystem::remove(out / row.name);
  EXPECT_EQ(run(options_to_resume(out, "", "")).exit_code, 0);
  EXPECT_EQ(report::read_whole_file(out / "junit.xml"), junit);
  for (const report::WrittenReport& row : report::written_reports())
    EXPECT_TRUE(std::filesystem::exists(out / row.name)) << row.name;
}

TEST(Resume, OtherVersionsAndEmptyFoldersAreRefused) {
  const Ran ran = run_scripted("versions", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 5,
                               [](RunOptions& options) { options.version = "1", options.commit = "a"; });
  EXPECT_THROW(options_to_resume(ran.result.database.parent_path(), "1", "b"), std::runtime_error);
  EXPECT_THROW(options_to_resume(report::scratch_path("nothing"), "1", "a"), std::runtime_error);
  EXPECT_NO_THROW(options_to_resume(ran.result.database.parent_path(), "1", "a"));
}

/// A run in a process of its own whose files cannot grow beyond a size: what a full disk is to it. 0: it
/// ended as usual, 1: it said that it could not record, 2: anything else.
int run_with_little_room(const std::filesystem::path& out, uint64_t bytes) {
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    int code = 2;
    try {
      run_scripted("full_disk", std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.*"}, 600,
                   [&](RunOptions& options) { options.out = out; });
      code = 0;
    } catch (const std::exception& error) {
      const std::string words = error.what();
      if (words.find("results file") != std::string::npos || words.find("cannot") != std::string::npos ||
          words.find("could not be recorded") != std::string::npos)
        code = 1;
    }
    _exit(code);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Valid: each property's verdicts are as many as its planned cases. Whether there is any.
bool expect_valid(const std::filesystem::path& out) {
  report::Results results;
  try {
    results = report::read_results(out / "results.db");
  } catch (const std::runtime_error& error) {
    // Full before its first transaction.
    EXPECT_NE(std::string(error.what()).find("results file"), std::string::npos) << error.what();
    return false;
  }
  EXPECT_NE(results.exit_code, 0);
  bool has_cases = false;
  for (const auto& device : results.devices)
    for (const auto& property : device.properties) {
      const uint64_t sum = std::accumulate(property.counts.begin(), property.counts.end(), uint64_t{0});
      EXPECT_EQ(sum, property.planned) << property.info.name;
      has_cases |= sum != 0;
    }
  return has_cases;
}

TEST(FullDisk, TheRunSaysSoAndItsFileIsValid) {
  const auto whole = report::scratch_path("full_disk_whole");
  ASSERT_EQ(run_with_little_room(whole, uint64_t{1} << 30), 0);
  const uint64_t needed = std::filesystem::file_size(whole / "results.db");
  for (const uint64_t bytes : {uint64_t{100} << 10, needed / 3, needed / 2, needed - (64u << 10)}) {
    const auto out = report::scratch_path("full_disk_" + std::to_string(bytes));
    EXPECT_EQ(run_with_little_room(out, bytes), 1) << bytes;
    if (std::filesystem::exists(out / "results.db") && std::filesystem::file_size(out / "results.db") != 0)
      expect_valid(out);
  }
}

/// Runs in a process of its own, whose disk is full from the first lie of its device on: nothing of that
/// failure finds room. What the run ended with, line by line.
std::vector<std::string> told_on_full_disk(const std::vector<std::string>& properties, uint64_t cases,
                                           const std::function<void(RunOptions&)>& change) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGXFSZ, SIG_IGN);
    auto device = std::make_unique<ScriptedDevice>([](const Case& any, RecordEnd& end, auto output) {
      if (!lie_about_64B(any, end, output)) return;
      rlimit room{};
      getrlimit(RLIMIT_FSIZE, &room);
      room.rlim_cur = 0;
      setrlimit(RLIMIT_FSIZE, &room);
    });
    std::string told = "recorded\n";
    try {
      run_scripted("full_disk_child", std::move(device), properties, cases, change);
    } catch (const NotRecorded& error) {
      told = error.what() + std::string("\n");
      for (const std::string& line : error.seen) told += line + "\n";
    } catch (const std::exception& error) {
      told = error.what() + std::string(", and nothing of what failed\n");
    }
    _exit(write(ends[1], told.data(), told.size()) == static_cast<ssize_t>(told.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string told;
  char some[4096];
  for (ssize_t got; (got = read(ends[0], some, sizeof some)) > 0;)
    told.append(some, static_cast<size_t>(got));
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  std::vector<std::string> lines;
  std::stringstream text(told);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(FullDisk, AFailureWhoseOwnRowFindsNoRoomIsTold) {
  const auto out = report::scratch_path("full_disk_row");
  const std::vector<std::string> told = told_on_full_disk(
      {"tma.tiled.load"}, 200, [&](RunOptions& options) { options.out = out, options.threads = 1; });
  ASSERT_GE(told.size(), 4u) << testing::PrintToString(told);
  EXPECT_NE(told[0].find("assay run --resume " + out.string() + " goes on"), std::string::npos) << told[0];
  EXPECT_EQ(told[1], "failed  tma.tiled.load  on emulator:scripted");
  EXPECT_TRUE(told[3].starts_with("   replay: assay replay 'tma.tiled.load@11#")) << told[3];
  EXPECT_TRUE(expect_valid(out));
  EXPECT_TRUE(pugi::xml_document().load_file((out / "junit.xml").c_str()));
}

TEST(FullDisk, AFailingCaseFileIsToldAndRunAgainOnceThereIsRoom) {
  const Ran liar =
      run_scripted("lies", std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.load"}, 60);
  std::filesystem::path file;
  for (const auto& entry : std::filesystem::directory_iterator(liar.result.database.parent_path() / "cases"))
    if (entry.path().extension() == ".json") file = entry.path();
  const auto out = report::scratch_path("full_disk_file");
  const std::vector<std::string> told = told_on_full_disk(
      {"tma.tiled.load"}, 20, [&](RunOptions& options) { options.out = out, options.case_files = {file}; });
  ASSERT_EQ(told.size(), 4u) << testing::PrintToString(told);
  EXPECT_NE(told[0].find("assay run --resume " + out.string() + " goes on"), std::string::npos) << told[0];
  EXPECT_EQ(told[1], "failed  tma.tiled.load  on emulator:scripted");
  EXPECT_TRUE(told[3].starts_with("   replay: assay replay '" + file.string() + "'")) << told[3];

  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<ScriptedDevice>(lie_about_64B));
  const RunResult resumed = run_on(options_to_resume(out, "", ""), std::move(devices));
  EXPECT_EQ(resumed.exit_code, 1);
  const Ran again{resumed, report::read_results(resumed.database, {100, 100})};
  const std::vector<report::CaseRow> rows = again.rows();
  EXPECT_EQ(std::ranges::count(rows, true, &report::CaseRow::from_file), 1) << "the file was not run again";
}

/// A driver that never comes back: wait() blocks until the test is over.
class StuckDevice final : public ScriptedDevice {
 public:
  explicit StuckDevice(std::shared_ptr<std::atomic<bool>> stuck) : stuck_(std::move(stuck)) {}
  void wait(Batch& batch) override {
    if (++waits_ > 0)
      while (stuck_->load()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ScriptedDevice::wait(batch);
  }

 private:
  std::shared_ptr<std::atomic<bool>> stuck_;
  std::atomic<int> waits_{0};
};

TEST(Deadline, HoldsThoughTheDriverHangs) {
  const auto stuck = std::make_shared<std::atomic<bool>>(true);
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = run_scripted("stuck", std::make_unique<StuckDevice>(stuck), {"tma.tiled.load"}, 100000,
                               [](RunOptions& options) {
                                 options.budget = std::chrono::milliseconds(800);
                                 options.patience = std::chrono::milliseconds(200);
                                 options.shrink_time = std::chrono::seconds(0);
                               });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));  // the driver never ends
  EXPECT_TRUE(ran.result.abandoned);
  EXPECT_EQ(ran.result.exit_code, 3);
  EXPECT_EQ(ran.count(Verdict::conforms) + ran.count(Verdict::not_run), 100000u);
  EXPECT_GT(ran.count(Verdict::not_run), 90000u);
  *stuck = false;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // its threads end by themselves
}

TEST(Deadline, ARunIsOverByThen) {
  const auto deadline = std::chrono::system_clock::now() + std::chrono::seconds(5);
  const Ran ran = run_scripted("deadline", std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.*"},
                               0, [&](RunOptions& options) {
                                 options.cases.reset();
                                 options.deadline = deadline;
                               });
  EXPECT_LT(std::chrono::system_clock::now(), deadline + std::chrono::seconds(100));  // it has no other end
  EXPECT_GT(ran.count(Verdict::violates), 0u);
  // A host too busy to bring back what was issued gives it up, says so, and lets it end by itself.
  EXPECT_TRUE(ran.result.abandoned || ran.count(Verdict::not_run) == 0);
  if (ran.result.abandoned) std::this_thread::sleep_for(std::chrono::seconds(10));
}

}  // namespace
}  // namespace assay::suites
