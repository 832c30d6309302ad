// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "reference/spec/rule.h"
#include "reports/results.h"
#include "reports/sample_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"

namespace assay::report {
namespace {

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

CaseRow full_case() {
  CaseRow row;
  row.property = "tma.tiled.load", row.device = "cuda:0", row.index = ~uint64_t{0},
  row.verdict = Verdict::flaky;
  row.signature = "s", row.case_id = "id", row.case_json = "{}", row.message = "m\nmore", row.detail = "d";
  row.replay = "assay replay x", row.rules = {"R2", "R1"}, row.fields = {{"b", "2"}, {"a", "1"}};
  row.expected_end = "done", row.observed_end = "timed out";
  row.expected = {0, 1, 255}, row.observed = {0, 2, 255}, row.defined = {255, 255, 0};
  row.bytes_offset = 1ull << 40, row.differing_bytes = 7, row.shrunk_from = "big";
  return row;
}

void expect_same(const CaseRow& got, const CaseRow& want) {
  EXPECT_EQ(got.property, want.property);
  EXPECT_EQ(got.device, want.device);
  EXPECT_EQ(got.index, want.index);
  EXPECT_EQ(got.verdict, want.verdict);
  EXPECT_EQ(got.signature, want.signature);
  EXPECT_EQ(got.case_id, want.case_id);
  EXPECT_EQ(got.case_json, want.case_json);
  EXPECT_EQ(got.message, want.message);
  EXPECT_EQ(got.detail, want.detail);
  EXPECT_EQ(got.replay, want.replay);
  EXPECT_EQ(got.rules, want.rules);
  EXPECT_EQ(got.fields, want.fields);
  EXPECT_EQ(got.expected_end, want.expected_end);
  EXPECT_EQ(got.observed_end, want.observed_end);
  EXPECT_EQ(got.expected, want.expected);
  EXPECT_EQ(got.observed, want.observed);
  EXPECT_EQ(got.defined, want.defined);
  EXPECT_EQ(got.bytes_offset, want.bytes_offset);
  EXPECT_EQ(got.differing_bytes, want.differing_bytes);
  EXPECT_EQ(got.shrunk_from, want.shrunk_from);
}

void expect_same(const RunInfo& got, const RunInfo& want) {
  EXPECT_EQ(got.run_id, want.run_id);
  EXPECT_EQ(got.started_utc, want.started_utc);
  EXPECT_EQ(got.command_line, want.command_line);
  EXPECT_EQ(got.version, want.version);
  EXPECT_EQ(got.commit, want.commit);
  EXPECT_EQ(got.host, want.host);
  EXPECT_EQ(got.seed, want.seed);
  EXPECT_EQ(got.environment, want.environment);
}

TEST(Recorder, EverythingComesBack) {
  const Scratch scratch;
  RunInfo run = sample_run();
  run.seed = ~uint64_t{0};
  const auto recorder = Recorder::create(scratch / "results.db", run);
  const DeviceInfo device{"cuda:0",      "silicon sm_90", "sm_90",
                          "NVIDIA H200", "GPU-1",         {{"z", "1"}, {"a", "2"}}};
  recorder->add_device(device);
  recorder->plan("cuda:0", {"tma.tiled.load", "claim", {"R2", "R1"}}, 12);
  PropertyTotals totals;
  totals.planned = 12, totals.issued = 11, totals.counts = {{Verdict::conforms, 9}, {Verdict::flaky, 2}};
  totals.seconds = 1.5, totals.device_busy_seconds = 0.25, totals.host_busy_seconds = 3.5,
  totals.tile_bytes = 1ull << 45;
  totals.fingerprint = "f", totals.reason = "r", totals.complete = true;
  recorder->set_totals("cuda:0", "tma.tiled.load", {});
  recorder->set_totals("cuda:0", "tma.tiled.load", totals);
  recorder->add_case(full_case());
  recorder->set_readings("cuda:0", {{"old", "", "", "", "", "", 0, ""}});
  recorder->set_readings("cuda:0", {{"Q", "w", "B", "bw", "A", "rival adopted", 3, "id"}});
  recorder->set_coverage("cuda:0", "tma.tiled.load", {{"d", "c", 5, false}});
  recorder->set_coverage("cuda:0", "tma.tiled.load", {{"d", "c", 5, true}, {"d", "c2", 0, true}});
  recorder->set_coverage("cuda:0", "tma.tiled.load", {{"d", "c", 6, true}, {"d", "c2", 0, false}});
  recorder->set_rules("cuda:0", "tma.tiled.load", {{"R1", "w", "c", 4, 1, "Q"}});
  recorder->add_finding("cuda:0", "kind", "words");
  recorder->add_finding("cuda:0", "kind", "words");
  recorder->add_finding("", "kind", "of the run");
  recorder->finish(1, "2026-11-21T02:14:31");

  const Results results = read_results(scratch / "results.db");
  expect_same(results.run, run);
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.finished_utc, "2026-11-21T02:14:31");
  EXPECT_EQ(results.recorded_exit, 1);
  ASSERT_EQ(results.devices.size(), 1u);
  const DeviceResult& d = results.devices[0];
  size_t applicable = 0;
  for (const spec::Rule& rule : spec::rules())
    applicable += rule.applies[static_cast<size_t>(spec::Arch::sm_90)];
  ASSERT_EQ(d.rule_book.size(), applicable);
  EXPECT_GT(applicable, 20u);
  EXPECT_FALSE(d.rule_book[0].cite.empty());
  EXPECT_EQ(d.info.facts, device.facts);
  EXPECT_EQ(d.info.uuid, "GPU-1");
  EXPECT_TRUE(d.is_silicon);
  const PropertyResult& p = d.properties.at(0);
  EXPECT_EQ(p.info.rules, (std::vector<std::string>{"R2", "R1"}));
  EXPECT_EQ(p.planned, 12u);
  EXPECT_EQ(p.totals.counts, totals.counts);
  EXPECT_EQ(p.totals.seconds, 1.5);
  EXPECT_EQ(p.totals.device_busy_seconds, 0.25);
  EXPECT_EQ(p.totals.host_busy_seconds, 3.5);
  EXPECT_EQ(p.totals.tile_bytes, 1ull << 45);
  EXPECT_EQ(p.totals.fingerprint + p.totals.reason, "fr");
  EXPECT_EQ(p.counts[static_cast<size_t>(Verdict::incomplete)], 1u);
  ASSERT_EQ(p.failures.size(), 1u);
  const CaseRow want = full_case(), &got = p.failures[0].examples.at(0);
  expect_same(got, want);
  ASSERT_EQ(d.readings.size(), 1u);
  EXPECT_EQ(d.readings[0].chosen_words + std::to_string(d.readings[0].deciding_cases), "bw3");
  ASSERT_EQ(p.coverage.size(), 2u);
  EXPECT_EQ(p.coverage[0].count, 6u);
  EXPECT_FALSE(p.coverage[1].reachable);
  ASSERT_EQ(p.rules.size(), 1u);
  EXPECT_EQ(p.rules[0].question, "Q");
  EXPECT_EQ(p.rules[0].violated, 0u);  // nothing explains the case
  EXPECT_EQ(p.rules[0].implicated, 1u);
  ASSERT_EQ(results.findings.size(), 2u);
  EXPECT_EQ(results.findings[0].times, 2u);
  EXPECT_EQ(results.findings[1].device, "");
}

TEST(Recorder, AFinishedRunIsOneFileReadableInAReadOnlyFolder) {
  const Scratch scratch;
  fill_sample(scratch / "results.db");
  EXPECT_FALSE(std::filesystem::exists(scratch / "results.db-wal"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "results.db-shm"));
  Database db(scratch / "results.db", SQLITE_OPEN_READONLY);
  EXPECT_EQ(db.word("PRAGMA journal_mode"), "delete");
  EXPECT_EQ(db.word("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.number("PRAGMA user_version"), 3);
}

/// A resumed run leaves the log's mode for a moment, by a journal that the next to open the file must undo.
TEST(Recorder, AFileWhoseWriterWasKilledWithAJournalIsRead) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "results.db";
  fill_sample(file);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Database db(file, SQLITE_OPEN_READWRITE);
    db.execute("BEGIN IMMEDIATE; UPDATE run SET host='half'");
    sqlite3_db_cacheflush(db.handle());
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_TRUE(std::filesystem::exists(file.string() + "-journal"));
  EXPECT_EQ(read_results(file).run.host, sample_run().host);
  EXPECT_FALSE(std::filesystem::exists(file.string() + "-journal"));
}

TEST(Recorder, ALaterRowSaysWhatCameOfACase) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.tiled.load", "claim", {}}, 10);
  CaseRow row = full_case();
  row.shrunk_from.clear(), row.verdict = Verdict::violates, row.index = 5;
  recorder->add_case(row);
  row.case_id = "another", row.index = 6;
  recorder->add_case(row);
  row = full_case(), row.shrunk_from.clear(), row.index = 5, row.verdict = Verdict::flaky;
  recorder->add_case(row);
  row.shrunk_from = "id", row.case_id = "smaller", row.verdict = Verdict::violates;
  recorder->add_case(row);
  PropertyTotals totals;
  totals.planned = totals.issued = 10, totals.complete = true;
  totals.counts = {{Verdict::conforms, 8}, {Verdict::violates, 1}, {Verdict::flaky, 1}};
  recorder->set_totals("cuda:0", "tma.tiled.load", totals);
  const PropertyResult property = read_results(scratch / "results.db").devices.at(0).properties.at(0);
  EXPECT_EQ(property.counts[static_cast<size_t>(Verdict::violates)], 1u);
  EXPECT_EQ(property.counts[static_cast<size_t>(Verdict::flaky)], 1u);
  EXPECT_EQ(property.counts[static_cast<size_t>(Verdict::incomplete)], 0u);
  ASSERT_EQ(property.failures.size(), 2u);
  EXPECT_EQ(property.failures[0].rows, 1u);
  EXPECT_EQ(property.failures[0].examples.at(0).case_id, "smaller");
  EXPECT_EQ(property.failures[0].examples.at(1).case_id, "another");
}

TEST(Recorder, ThinsOutRepetitionsButKeepsEveryWayToFail) {
  const Scratch scratch;
  fill_sample(scratch / "results.db", {.failures = 300});
  const Results results = read_results(scratch / "results.db", {2, 3});
  const PropertyResult& store = results.devices.at(0).properties.at(1);
  ASSERT_EQ(store.failures.size(), 3u);
  for (const FailureGroup& group : store.failures) {
    EXPECT_EQ(group.rows, 100u);
    EXPECT_GE(group.examples.size(), 1u);
    EXPECT_LE(group.examples.size(), 2u);
  }
  EXPECT_NE(store.failures[0].examples[0].shrunk_from, "") << "the shrunk case comes first";
}

TEST(Recorder, EveryMistakeIsOneSentence) {
  const Scratch scratch;
  EXPECT_NE(error_of([&] { Recorder::create(scratch / "no/such/folder.db", {}); }).find("no/such/folder.db"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_results(scratch / "absent.db"); }).find("there is no results file"),
            std::string::npos);

  std::ofstream(scratch / "text.db") << std::string(5000, 'x');
  EXPECT_NE(error_of([&] { read_results(scratch / "text.db"); }).find("not a results file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { Recorder::create(scratch / "text.db", {}); }).find("left as it is"),
            std::string::npos);
  EXPECT_EQ(read_whole_file(scratch / "text.db"), std::string(5000, 'x'));

  Database(scratch / "other.db", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE).execute("CREATE TABLE t(a)");
  EXPECT_NE(error_of([&] { exit_code(scratch / "other.db"); }).find("not a results file"), std::string::npos);
  EXPECT_NE(error_of([&] { Recorder::create(scratch / "other.db", {}); }).find("left as it is"),
            std::string::npos);

  fill_sample(scratch / "results.db");
  Database(scratch / "results.db", SQLITE_OPEN_READWRITE).execute("PRAGMA user_version=7");
  EXPECT_NE(error_of([&] { summary_text(scratch / "results.db", false); }).find("has version 7"),
            std::string::npos);

  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  EXPECT_NE(error_of([&] { recorder->add_finding("cuda:9", "k", "w"); }).find("cuda:9"), std::string::npos);
  EXPECT_NE(error_of([&] { recorder->set_totals("cuda:9", "p", {}); }).find("was not planned"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { Recorder::create(scratch / "results.db", {}); }).find("being written by another run"),
      std::string::npos);
}

TEST(Recorder, DamageIsReportedNotCrashedOn) {
  const Scratch scratch;
  fill_sample(scratch / "whole.db");
  const std::string whole = read_whole_file(scratch / "whole.db");
  int refused = 0;
  for (size_t i = 1; i < 60; ++i) {
    std::string damaged = whole;
    if (i % 3 == 0)
      damaged.resize(whole.size() * i / 60);
    else
      for (size_t at = whole.size() * (i - 1) / 60; at < whole.size() * i / 60; ++at) damaged[at] ^= 0x5a;
    write_whole_file(scratch / "damaged.db", damaged);
    const std::string error = error_of([&] { read_results(scratch / "damaged.db"); });
    if (error.empty()) continue;
    ++refused;
    EXPECT_NE(error.find("damaged.db"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_GT(refused, 20);
}

/// Writes cases until it is killed; acknowledges each durable call with a byte.
[[noreturn]] void write_for_ever(const std::filesystem::path& file, int acknowledge) {
  const auto recorder = Recorder::create(file, sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  for (const char* name : {"tma.tiled.load", "by.budget", "never.started"})
    recorder->plan("cuda:0", {name, "claim", {}}, name == std::string_view("by.budget") ? 0 : 1'000'000);
  CaseRow row = full_case();
  PropertyTotals totals;
  for (uint64_t i = 0;; ++i) {
    row.index = i, row.shrunk_from.clear(), row.verdict = Verdict::violates;
    recorder->add_case(row);
    totals.issued = i + 1, totals.counts = {{Verdict::conforms, i + 1}};
    recorder->set_totals("cuda:0", "by.budget", totals);
    if (write(acknowledge, "x", 1) != 1) _exit(1);
  }
}

TEST(Recorder, AKilledRunLeavesAReportableFile) {
  const Scratch scratch;
  const std::filesystem::path db = scratch / "results.db";
  for (int round = 0; round < 8; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      try {
        write_for_ever(db, ends[1]);
      } catch (...) {
        _exit(1);
      }
    }
    close(ends[1]);
    uint64_t durable = 0;
    char byte;
    while (durable < 3u + 5u * round && ::read(ends[0], &byte, 1) == 1) ++durable;
    usleep(700 * round);  // dies at another point of a call each time
    ASSERT_EQ(kill(child, SIGKILL), 0);
    while (::read(ends[0], &byte, 1) == 1) ++durable;
    close(ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    const Results results = read_results(db);
    EXPECT_FALSE(results.finished);
    ASSERT_EQ(results.devices.size(), 1u);
    const auto& properties = results.devices[0].properties;
    ASSERT_EQ(properties.size(), 3u);
    EXPECT_EQ(properties[0].verdict, Verdict::violates);
    EXPECT_GE(properties[0].counts[static_cast<size_t>(Verdict::violates)], durable);
    EXPECT_EQ(properties[0].counts[static_cast<size_t>(Verdict::violates)] +
                  properties[0].counts[static_cast<size_t>(Verdict::incomplete)],
              1'000'000u);
    EXPECT_EQ(properties[1].verdict, Verdict::incomplete) << "conforming so far is not conforming";
    EXPECT_GE(properties[1].counts[static_cast<size_t>(Verdict::conforms)], durable);
    EXPECT_EQ(properties[2].verdict, Verdict::incomplete);
    EXPECT_EQ(properties[2].counts[static_cast<size_t>(Verdict::incomplete)], 1'000'000u);
    EXPECT_EQ(exit_code(db), 1);
    write_junit(db, scratch / "junit.xml");
    write_html(db, scratch / "report.html");
    EXPECT_NE(read_whole_file(scratch / "junit.xml").find("type=\"Incomplete\""), std::string::npos);
    EXPECT_NE(read_whole_file(scratch / "report.html").find("the run did not finish"), std::string::npos);
    EXPECT_NE(summary_text(db, false).find("the run did not finish"), std::string::npos);
  }
}

TEST(Recorder, AFileThatIsThereIsWholeWheneverItsWriterDies) {
  for (int round = 0; round < 20; ++round) {
    const Scratch scratch;
    const auto file = scratch / "results.db";
    const pid_t writer = fork();
    if (writer == 0) {
      const auto recorder = Recorder::create(file, sample_run());
      pause();
      _exit(0);
    }
    std::error_code absent;
    for (int status; std::filesystem::file_size(file, absent) == 0 || absent;)
      ASSERT_EQ(waitpid(writer, &status, WNOHANG), 0) << "the writer ended without a file";
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    EXPECT_EQ(error_of([&] { EXPECT_EQ(read_left_behind(file).run.run_id, sample_run().run_id); }), "");
    EXPECT_EQ(error_of([&] { Recorder::resume(file); }), "");
  }
}

TEST(Recorder, AnExitCodeThatIsNotKnownYetIsNotSaid) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->finish(-1, "2026-11-22T02:00:00");
  const Results between = read_results(scratch / "results.db");
  EXPECT_TRUE(between.finished);
  EXPECT_FALSE(between.recorded_exit);
  recorder->finish(0, "2026-11-22T02:00:00");
  EXPECT_EQ(read_results(scratch / "results.db").recorded_exit, 0);
}

/// A property has tens of thousands of cells, most of one dimension whose name is longer than theirs.
TEST(Recorder, KeepsTheNameOfADimensionOnce) {
  const Scratch scratch;
  const std::string dimension(200, 'd');
  std::vector<CoverageCell> cells;
  for (int i = 0; i < 5000; ++i) cells.push_back({dimension, "cell " + std::to_string(i), 0, true});
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.tiled.load", "claim", {}}, 12);
  recorder->set_coverage("cuda:0", "tma.tiled.load", cells);
  recorder->finish(0, "2026-11-21T02:14:31");
  EXPECT_LT(std::filesystem::file_size(scratch / "results.db"), 500'000u);
  const Results results = read_results(scratch / "results.db");
  const auto& read = results.devices.at(0).properties.at(0).coverage;
  ASSERT_EQ(read.size(), cells.size());
  EXPECT_EQ(read[4999].cell, "cell 4999");
  EXPECT_EQ(read[4999].dimension, dimension);
}

}  // namespace
}  // namespace assay::report
