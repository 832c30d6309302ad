// SPDX-License-Identifier: Apache-2.0
#include "suites/run/verify.h"

#include <gtest/gtest.h>

#include "reports/html/sections.h"
#include "reports/sqlite.h"
#include "reports/text.h"
#include "suites/run/scripted_run_test.h"

/// `assay verify` believes nothing of a results file but its raw data.
namespace assay::suites {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// A run with conforming, violating, timed-out and crashed cases, of the operations that a scripted device
/// plays.
std::filesystem::path mixed_run(const std::string& name) {
  const Ran ran = run_scripted(
      name,
      std::make_unique<ScriptedDevice>([](const Case& any, RecordEnd& end, std::span<std::byte> output) {
        lie_about_64B(any, end, output);
        const auto* c = any.get_if<TensorCopyCase>();
        if (c != nullptr && c->map.rank == 5 && c->map.swizzle == 1) end = {Ended::timed_out, 0, 0};
      }),
      {"tma.tiled.load", "tma.tiled.store"}, 300);
  EXPECT_GT(ran.count(Verdict::violates), 20u);
  return ran.result.database;
}

TEST(Verify, AnHonestFileIsConfirmed) {
  const auto database = mixed_run("verify_honest");
  const Verification found = verify_results(database, 4);
  EXPECT_EQ(joined(found.wrong), "");
  EXPECT_EQ(found.properties, 2u);
  EXPECT_GT(found.rows, 10u);
}

TEST(Verify, ConformingRangesArePredictedAgain) {
  for (const auto& share : {std::pair{1, 1}, {2, 3}}) {
    const Ran ran = run_scripted(
        "verify_ranges", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 300,
        [&](RunOptions& options) { options.shard = share.first, options.shards = share.second; });
    const Verification found = verify_results(ran.result.database);
    EXPECT_EQ(joined(found.wrong), "");
    EXPECT_EQ(found.ranges, 1u);
    EXPECT_EQ(found.cases, 300u / static_cast<unsigned>(share.second));
    // All cores take part: what one thread predicts is a piece of a range.
    EXPECT_EQ(found.pieces, share.second == 1 ? 2u : 1u);
  }
}

TEST(Verify, EachWayToTamperIsNamed) {
  struct Tampering {
    const char *sql, *says;
  };
  const Tampering ways[] = {
      {"UPDATE verdict_counts SET count=count+1 WHERE verdict='conforms'", "cases were issued"},
      {"UPDATE totals SET issued=issued+1", "cases were issued"},
      {"UPDATE verdict_counts SET verdict='waived' WHERE verdict='violates'", "the failure signatures hold"},
      {"DELETE FROM failure_kinds", "the failure signatures hold"},
      {"UPDATE failure_kinds SET count=count-1", "the failure signatures hold"},
      {"UPDATE ranges SET conforming=conforming+1", "the ranges hold"},
      {"UPDATE ranges SET fingerprint='1'", "do not add up"},
      {"UPDATE cases SET observed=expected", "the case conforms"},
      {"UPDATE cases SET expected=observed", "the reference expects other bytes"},
      {"UPDATE cases SET defined=zeroblob(length(defined))", "defines other bits"},
      {"UPDATE cases SET expected_end='hung'", "the reference expects 'done'"},
      {"UPDATE cases SET verdict='crashed'", "the verdict is crashed, but it ended as"},
      {"UPDATE cases SET observed_end=expected_end,observed=x'',expected=x'',defined=x''",
       "the row records nothing"},
      {"UPDATE cases SET case_index=case_index+1", "makes another case"},
      {"UPDATE run SET seed='12'", "makes another case"},
      {"UPDATE cases SET case_id='0'", "its id is not that of its data"},
      {"UPDATE cases SET case_json=replace(case_json,'\"rank\":','\"rank\" :')",
       "its id is not that of its data"},
      {"UPDATE cases SET property=3-property", "case of another property"},
      {"UPDATE cases SET bytes_offset=1000000000", "lie outside the output"},
      {"DELETE FROM cases", "is in the file"},
      {"UPDATE devices SET architecture='sm_12'", "no rules are known"},
  };
  const auto whole = mixed_run("verify_tampered");
  for (const Tampering& way : ways) {
    const auto database = whole.parent_path() / "tampered.db";
    std::filesystem::copy_file(whole, database, std::filesystem::copy_options::overwrite_existing);
    report::Database(database, SQLITE_OPEN_READWRITE).execute(way.sql);
    const std::string wrong = joined(verify_results(database).wrong);
    EXPECT_NE(wrong.find(way.says), std::string::npos) << way.sql << "\n" << wrong;
  }
}

TEST(Verify, AFingerprintThatNoPredictionGivesIsNamed) {
  const Ran ran = run_scripted("verify_bits", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 300);
  // Both sums agree with each other, and with nothing that was ever computed.
  report::Database(ran.result.database, SQLITE_OPEN_READWRITE)
      .execute("UPDATE ranges SET fingerprint='16'; UPDATE totals SET fingerprint='0000000000000010'");
  const std::string wrong = joined(verify_results(ran.result.database).wrong);
  EXPECT_NE(wrong.find("their fingerprint is not that of the predicted bytes"), std::string::npos) << wrong;
}

TEST(Verify, TheReportIsTheSameWheneverItIsMade) {
  const auto database = mixed_run("verify_report");
  EXPECT_EQ(report::read_whole_file(database.parent_path() / "report.html"), report::html_text(database));
}

}  // namespace
}  // namespace assay::suites
