// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "reports/causes.h"
#include "reports/scratch_test.h"
#include "suites/failure/explain.h"
#include "suites/failure/failure.h"
#include "suites/failure/replay.h"
#include "suites/failure/rules_of_clause_test.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"

/// A run of all properties on a device with one fault ranks the rule that the fault breaks first. Figures of
/// all faults: ASSAY_RANKED=all, or a part I/N of them; ASSAY_RANKED_IN names a folder for the results files,
/// from which the ranking is made again without a run where they are there.
namespace assay::suites {
namespace {

/// Cases of each property, of cheap ones more, as in a run by budget.
constexpr uint64_t few = 12, many = 192;
constexpr uint64_t cheap_pace = 64;

/// All properties but those that ask the toolkit's ptxas, which no fault of a device reaches.
std::vector<const Property*> properties_at(bool are_cheap) {
  std::vector<const Property*> properties = select_properties({});
  std::erase_if(properties, [&](const Property* p) {
    return p->name.starts_with("assembler.ptxas.") ||
           (p->family().pace() >= cheap_pace && !p->is_sacrificial()) != are_cheap;
  });
  return properties;
}

/// Properties, with how many cases of each.
struct Part {
  std::vector<const Property*> properties;
  uint64_t cases;
};

/// The run as a user has it, without a second look at its failures: what is ranked does not depend on it.
report::Results run_parts(const std::string& spec, const std::filesystem::path& file,
                          const std::vector<Part>& parts) {
  const auto device = open_device(spec, limits_for(1));
  const std::unique_ptr<report::Recorder> recorder = report::Recorder::create(file, run_info({}));
  recorder->add_device(device_info(device->identity()));
  const std::string name = device->identity().spec;
  std::string readings;
  for (const Part& part : parts) {
    DeviceRunOptions options;
    options.cases = part.cases;
    DeviceRun run(*device, part.properties, options,
                  [&](const Property& property, const Outcome& outcome, uint64_t index) {
                    const CaseOrigin origin{spec, 1, index, {}, {}};
                    report::CaseRow row = to_row(property, outcome, origin);
                    row.replay = replay_line(replay_id(property, origin), {}, spec, outcome.around);
                    recorder->add_case(row);
                  });
    for (const auto& one : run.properties())
      recorder->plan(name, {std::string(one->property().name), {}, {}}, one->planned());
    run.readings().restore(readings);
    run.run();
    readings = run.readings().save();
    for (const auto& one : run.properties())
      recorder->set_state(name, std::string(one->property().name), one->state());
    if (&part == &parts.back()) record_findings(run, *recorder);
  }
  recorder->finish(1, "2026-01-01T00:00:00");
  return report::read_results(file);
}

report::Results run_whole(const std::string& spec, const std::filesystem::path& file) {
  return run_parts(spec, file, {{properties_at(true), many}, {properties_at(false), few}});
}

/// Where the first of these rules stands among all that are blamed, cause by cause; 0: nowhere.
size_t rank_of(const std::vector<report::Cause>& causes, const std::set<std::string>& truth) {
  std::set<std::string> before;
  for (const report::Cause& cause : causes)
    for (const report::Suspect& suspect : cause.suspects) {
      if (truth.contains(suspect.rule)) return before.size() + 1;
      before.insert(suspect.rule);
    }
  return 0;
}

/// Reached over all faults, of 100; beyond them are those whose rule the altered rules cannot tell from
/// another. A part of the faults may have more of these.
constexpr int least_first = 90, least_among_three = 98, less_of_a_part = 6;

struct Ranks {
  int faults = 0, first = 0, among_three = 0, wrong_alone = 0;
};

/// One line of the table, and what it counts for.
void rank_fault(const FaultRow& fault, const std::string& spec, const std::filesystem::path& folder,
                Ranks& ranks) {
  const std::set<std::string> truth = rules_of_clause(fault.clause);
  std::string file_name = fault.name + ".db";
  const std::filesystem::path file = folder / file_name;
  const report::Results results =
      std::filesystem::exists(file) ? report::read_results(file) : run_whole(spec, file);
  const std::vector<report::Cause> causes = report::causes_of(results);
  if (causes.empty()) {
    std::printf("%-44s %-10s not caught\n", fault.name.c_str(), fault.clause.c_str());
    return;
  }
  uint64_t failing = 0;
  for (const report::Cause& cause : causes) failing += cause.cases;
  const size_t rank = rank_of(causes, truth);
  const bool is_alone = causes.front().suspects.size() == 1 && report::causes_to_show(causes) == 1;
  ++ranks.faults;
  ranks.first += rank == 1;
  ranks.among_three += rank >= 1 && rank <= 3;
  ranks.wrong_alone += is_alone && rank != 1;
  std::printf("%-44s %-10s %2zu of %2zu  %5llu/%-5llu %s\n", fault.name.c_str(), fault.clause.c_str(), rank,
              causes.size(), static_cast<unsigned long long>(causes.front().cases),
              static_cast<unsigned long long>(failing), causes.front().words.substr(0, 110).c_str());
  std::fflush(stdout);
}

/// The first row of each fault that a run catches and whose clause is a rule.
std::vector<std::pair<FaultRow, std::string>> ranked_faults() {
  std::map<std::string, FaultRow> by_spec;
  for (const FaultRow& fault : emulator_faults()) by_spec[fault.spec] = fault;
  std::vector<std::pair<FaultRow, std::string>> faults;
  std::set<std::string> seen;
  for (const report::DetectionRow& row : expected_detections())
    if (row.detected == report::Detected::caught && by_spec.contains(row.spec) &&
        !rules_of_clause(row.clause).empty() && seen.insert(row.fault).second)
      faults.emplace_back(by_spec[row.spec], row.spec);
  return faults;
}

TEST(RankedCauses, TheBrokenRuleComesFirst) {
  const auto faults = ranked_faults();
  const char* const kept_in = std::getenv("ASSAY_RANKED_IN");
  const std::filesystem::path folder = kept_in != nullptr ? kept_in : report::scratch_path("ranked");
  std::filesystem::create_directories(folder);
  size_t part = 0, parts = faults.size() / 24;
  const std::string which = std::getenv("ASSAY_RANKED") != nullptr ? std::getenv("ASSAY_RANKED") : "";
  if (!which.empty() && std::sscanf(which.c_str(), "%zu/%zu", &part, &parts) != 2) part = 0, parts = 1;
  const char* const only = std::getenv("ASSAY_FAULTS");
  const std::clock_t start = std::clock();
  Ranks ranks;
  for (size_t i = part; i < faults.size(); i += parts)
    if ((only == nullptr || faults[i].first.name.find(only) != std::string::npos) &&
        (which != "kept" || std::filesystem::exists(folder / (faults[i].first.name + ".db"))))
      rank_fault(faults[i].first, faults[i].second, folder, ranks);
  std::printf("%d faults: first %d, among three %d, another alone %d; %.0f s\n", ranks.faults, ranks.first,
              ranks.among_three, ranks.wrong_alone,
              static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  if (only != nullptr) return;
  const int less = parts == 1 ? 0 : less_of_a_part;
  EXPECT_GE(ranks.first * 100, ranks.faults * (least_first - less));
  EXPECT_GE(ranks.among_three * 100, ranks.faults * (least_among_three - less));
  EXPECT_LE(ranks.wrong_alone * 100, ranks.faults);
}

/// Faults that people met without knowing them, and on whose pages the rule was hard to find.
TEST(RankedCauses, OfFaultsOfATrialTheRuleComesFirst) {
  const std::filesystem::path folder = report::scratch_path("trial");
  std::filesystem::create_directories(folder);
  for (const char* const name :
       {"adder_one_bit_less", "adder_rare_bit", "swizzle_64b_bit_dropped", "swizzle_phase_from_operand",
        "tcgen05_smem_swizzle_64b_as_32b", "traversal_count_floor", "tx_counts_gaps_of_128b"}) {
    Ranks ranks;
    for (const auto& [fault, spec] : ranked_faults())
      if (fault.name == name) rank_fault(fault, spec, folder, ranks);
    EXPECT_EQ(ranks.first, 1) << name;
  }
}

/// One that shows in few cases, none of them among the first.
TEST(RankedCauses, OfAFaultOfATrialThatShowsSeldomTheRuleIsAmongThree) {
  const report::Results results =
      run_parts("emulator:sm_90a,fault=barrier_arrival_lost", report::scratch_path("seldom.db"),
                {{{find_property("barrier.sequence")}, 512}});
  const size_t rank = rank_of(report::causes_of(results), {"MBAR-R02"});
  EXPECT_TRUE(rank >= 1 && rank <= 3) << rank;
}

/// With the line that a report prints, every case of a cause is replayed in the words of the report.
TEST(ReplaysOfCauses, SayWhatTheReportSays) {
  const std::string spec = "emulator:sm_90a,fault=traversal_count_floor";
  const report::Results results =
      run_parts(spec, report::scratch_path("replay.db"), {{{find_property("tma.tiled.load")}, 64}});
  const std::vector<report::Cause> causes = report::causes_of(results);
  ASSERT_EQ(causes.size(), 1u);
  int open = 0;
  for (const report::FailurePlace& at : causes[0].places)
    for (const report::CaseRow& row : group_at(results, at).examples) {
      const std::string id = row.property + "@1#" + std::to_string(row.index);
      EXPECT_TRUE(row.replay.ends_with(" --cause TILE-R04")) << row.replay;
      const std::string told = replay(id, spec, {.cause = "TILE-R04"}).text;
      EXPECT_NE(told.find("violates TILE-R04 (as if "), std::string::npos) << told;
      open += replay(id, spec, {}).text.find("one of TILE-R04") != std::string::npos;
    }
  EXPECT_GT(open, 0) << "a case alone leaves a choice";
}

}  // namespace
}  // namespace assay::suites
