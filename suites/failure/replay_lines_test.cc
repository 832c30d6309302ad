// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include "suites/failure/replay.h"
#include "suites/run/case_file.h"
#include "suites/run/scripted_run_test.h"

/// The line that a run prints shows the failure again, on the same device, in a process that ran nothing
/// else.
namespace assay::suites {
namespace {

/// A device that goes wrong where an earlier case of the same launch makes it.
std::unique_ptr<ScriptedDevice> spoilt_by_neighbours(
    std::function<bool(const TensorCopyCase& before, const TensorCopyCase& now)> spoils) {
  auto before = std::make_shared<std::vector<TensorCopyCase>>();
  auto device = std::make_unique<ScriptedDevice>([=](const Case& any, RecordEnd& end, auto output) {
    const auto& c = any.as<TensorCopyCase>();
    const bool wrong = std::any_of(before->begin(), before->end(),
                                   [&](const TensorCopyCase& earlier) { return spoils(earlier, c); });
    if (wrong && end.ended == Ended::done) output[c.tile_offset] ^= std::byte{1};
    before->push_back(c);
  });
  device->before_launch = [before] { before->clear(); };
  return device;
}

bool needs_another(const TensorCopyCase& before, const TensorCopyCase& now) {
  return before.map.swizzle == 2 && now.map.swizzle == 3 && now.map.rank == 3;
}
bool needs_its_like(const TensorCopyCase& before, const TensorCopyCase& now) {
  return before.map.swizzle == 2 && now.map.swizzle == 2 && before.map.rank == 2 && now.map.rank == 2;
}

/// How many cases a launch has goes by how busy the machine is: so many cases are run that launches of two
/// that belong together come whatever the pace is.
constexpr uint64_t many_cases = 8000;

struct Line {
  std::string id;
  ReplayOptions options;
};

/// What a shell would make of it.
Line parsed(const std::string& text) {
  std::istringstream words(text);
  Line line;
  std::string word;
  words >> word >> word >> line.id;
  line.id = line.id.substr(1, line.id.size() - 2);
  while (words >> word) {
    std::string value;
    words >> value;
    if (word == "--readings") line.options.readings = value;
    if (word == "--batch") line.options.batch = value;
    if (word == "--copies") line.options.copies = std::stoull(value);
  }
  return line;
}

const report::CaseRow& first_row(const Ran& ran) {
  return ran.results.devices.at(0).properties.at(0).failures.at(0).examples.at(0);
}

TEST(ReplayLines, OfACaseThatNeedsAnotherNameTheFewestNeighbours) {
  const Ran ran =
      run_scripted("needs_another", spoilt_by_neighbours(needs_another), {"tma.tiled.load"}, many_cases);
  ASSERT_EQ(ran.result.exit_code, 1);
  const Line line = parsed(first_row(ran).replay);
  ASSERT_NE(line.options.batch, "") << first_row(ran).replay;
  EXPECT_EQ(line.options.copies, 0u);
  const auto again = [&](const ReplayOptions& options) {
    return replay(line.id, *spoilt_by_neighbours(needs_another), options).verdict;
  };
  EXPECT_EQ(again(line.options), Verdict::violates);
  EXPECT_EQ(again({}), Verdict::conforms) << "it needs none";
  const Neighbours batch = parse_batch(line.options.batch);
  ASSERT_GT(batch.count, 1u);
  ReplayOptions fewer;
  if (batch.count > 2) {
    fewer.batch = batch_text({0, 0, batch.first + batch.step, batch.count - 1, batch.step});
    EXPECT_EQ(again(fewer), Verdict::conforms) << "the first of the neighbours does not matter";
  }
  EXPECT_EQ(parse_replay_id(line.id)->index, batch.first + (batch.count - 1) * batch.step);
  const std::string file = ran.result.database.parent_path() / "cases" / (first_row(ran).case_id + ".json");
  EXPECT_EQ(replay(file, *spoilt_by_neighbours(needs_another)).verdict, Verdict::violates);
}

TEST(ReplayLines, OfACaseThatFailsBesideItsLikeSayHowManyCopies) {
  const Ran ran =
      run_scripted("needs_its_like", spoilt_by_neighbours(needs_its_like), {"tma.tiled.load"}, many_cases);
  ASSERT_EQ(ran.result.exit_code, 1);
  const Line line = parsed(first_row(ran).replay);
  EXPECT_EQ(line.options.batch, "");
  EXPECT_GT(line.options.copies, 1u) << first_row(ran).replay;
  EXPECT_EQ(replay(line.id, *spoilt_by_neighbours(needs_its_like), line.options).verdict, Verdict::violates);
  EXPECT_EQ(replay(line.id, *spoilt_by_neighbours(needs_its_like)).verdict, Verdict::conforms);
  const std::string file = ran.result.database.parent_path() / "cases" / (first_row(ran).case_id + ".json");
  EXPECT_EQ(replay(file, *spoilt_by_neighbours(needs_its_like)).verdict, Verdict::violates);
}

TEST(ReplayLines, OfACaseThatFailsAloneHaveNothingMore) {
  const Ran ran =
      run_scripted("alone", std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.load"}, 200);
  const Line line = parsed(first_row(ran).replay);
  EXPECT_EQ(line.options.batch + line.options.readings, "");
  EXPECT_EQ(line.options.copies, 0u);
  ScriptedDevice fresh(lie_about_64B);
  EXPECT_EQ(replay(line.id, fresh).verdict, Verdict::violates);
}

/// A device of another reading than the default of a question of tiled loads.
constexpr const char* question = "TMA-AMB-10";

void follow_rival(ScriptedDevice& device) {
  device.readings().choose(*spec::find_question(question), 'B');
}

std::unique_ptr<ScriptedDevice> of_rival(ScriptedDevice::Script script = {}) {
  auto device = std::make_unique<ScriptedDevice>(std::move(script), spec::Arch::sm_100);
  follow_rival(*device);
  return device;
}

TEST(ReplayLines, OfACaseThatDecidesTooLittleAreByTheDefaults) {
  Ran ran;
  for (uint64_t cases = 5; ran.result.exit_code == 0 && cases <= 400; cases += 5)
    ran = run_scripted("undecided " + std::to_string(cases), of_rival(), {"tma.tiled.load"}, cases);
  ASSERT_EQ(ran.result.exit_code, 1) << "no number of cases leaves the question undecided";
  ASSERT_GT(ran.count(Verdict::undecided), 0u);
  for (const report::CaseRow& row : ran.rows()) {
    const Line line = parsed(row.replay);
    EXPECT_EQ(replay(line.id, *of_rival(), line.options).exit_code, 1) << row.replay;
    const std::string file = ran.result.database.parent_path() / "cases" / (row.case_id + ".json");
    EXPECT_EQ(replay(file, *of_rival()).exit_code, 1) << file;
  }
}

TEST(ReplayLines, JudgeByTheReadingsOfTheRun) {
  const auto lies = [](const Case& any, RecordEnd& end, std::span<std::byte> output) {
    const auto& c = any.as<TensorCopyCase>();
    if (end.ended == Ended::done) output[c.tile_offset] ^= std::byte{8};
  };
  const Ran honest = run_scripted("rival", of_rival(), {"tma.tiled.load"}, 4000);
  ASSERT_EQ(honest.result.exit_code, 0) << report::summary_text(honest.result.database, false);
  // A case that the default reading does not explain is one that the run's own does.
  size_t tried = 0;
  for (uint64_t index = 0; index < 4000 && tried == 0; ++index) {
    const std::string id = "tma.tiled.load@11#" + std::to_string(index);
    if (replay(id, *of_rival()).verdict == Verdict::conforms) continue;
    ++tried;
    EXPECT_EQ(replay(id, *of_rival()).verdict, Verdict::violates) << "a case alone adopts nothing";
    EXPECT_EQ(replay(id, *of_rival(), {.readings = std::string(question) + ":B"}).verdict,
              Verdict::adopted_reading);
    EXPECT_EQ(replay(id, *of_rival(lies), {.readings = std::string(question) + ":B"}).verdict,
              Verdict::violates);
  }
  EXPECT_EQ(tried, 1u) << "no case tells the readings apart";
}

TEST(ReplayLines, WhatIsWrongInThemIsSaid) {
  const auto said = [](const ReplayOptions& options) -> std::string {
    ScriptedDevice device;
    try {
      replay("tma.tiled.load@1#3", device, options);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(said({.readings = "TMA-AMB-99:A"}), "--readings: unknown question 'TMA-AMB-99'");
  EXPECT_TRUE(said({.readings = "TMA-AMB-10:Z"})
                  .starts_with("--readings: unknown reading 'TMA-AMB-10:Z'; expected one of TMA-AMB-10:"));
  EXPECT_TRUE(said({.readings = "TMA-AMB-10"})
                  .starts_with("--readings: unknown reading 'TMA-AMB-10'; expected one of TMA-AMB-10:"));
  for (const char* text : {"4", "4-", "9-4", "0-7/0", "0-7/2", "0-7x", "-3", "0-7/"})
    EXPECT_EQ(said({.batch = text}),
              "--batch: '" + std::string(text) + "' is not a range of indexes such as 64-127 or 3-59/8");
  EXPECT_EQ(said({.batch = "4-9"}), "--batch: the case 3 is not one of the indexes 4-9");
  EXPECT_EQ(said({.batch = "1-9/4"}), "--batch: the case 3 is not one of the indexes 1-9/4");
  EXPECT_EQ(said({.batch = "0-99999999"}),
            "--batch: '0-99999999' has 100000000 cases; a batch holds at most 65536");
  EXPECT_EQ(said({.copies = 5000}), "--copies: 5000 is out of range; expected 1 to 4096");
  EXPECT_EQ(said({.batch = "0-7"}), "");
  EXPECT_EQ(said({.batch = "3-19/8"}), "");
}

TEST(CaseFile, KeepsWhatTheCaseNeedsAroundIt) {
  const Property& property = *find_property("tma.tiled.load");
  Case c;
  property.generate(11, property.name, 5, spec::Arch::sm_90, c);
  const std::string file = report::scratch_path("around.json");
  const Surroundings around{parse_readings("TMA-AMB-10:B"), {11, 5, 1, 3, 4}, 7};
  write_case_file(file, property, c, around, {});
  const CaseFile read = read_case_file(file);
  EXPECT_EQ(read.around.readings, around.readings);
  EXPECT_EQ(read.around.copies, 7u);
  EXPECT_EQ(options_text(read.around), " --readings TMA-AMB-10:B --batch 1-9/4 --copies 7");
  EXPECT_EQ(read.around.batch.seed, 11u);
  EXPECT_EQ(read.around.batch.index, 5u);

  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const auto problem = [&](const std::string& from, const std::string& to) -> std::string {
    std::string changed = text.str();
    changed.replace(changed.find(from), from.size(), to);
    try {
      parse_case(changed, "f.json");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(problem("\"copies\": 7", "\"copies\": -7"), "f.json: \"copies\" must be a number from 0 on");
  EXPECT_EQ(problem("\"copies\": 7", "\"copies\": 0"),
            "f.json: --copies: 0 is out of range; expected 1 to 4096");
  EXPECT_EQ(problem("\"index\": 5", "\"index\": 6"),
            "f.json: --batch: the case 6 is not one of the indexes 1-9/4");
  EXPECT_EQ(problem("TMA-AMB-10:B", "TMA-AMB-98:B"), "f.json: --readings: unknown question 'TMA-AMB-98'");
}

}  // namespace
}  // namespace assay::suites
