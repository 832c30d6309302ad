// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "reference/spec/arch.h"
#include "reference/spec/rules.h"
#include "reports/detection.h"
#include "suites/failure/rules_of_clause_test.h"
#include "suites/run/case_file.h"
#include "suites/run/device_run.h"
#include "suites/run/field_coverage.h"

/// Every fault of devices/faults is met by the property that its row names for it; the rule that
/// explains what came of it is the one that the fault's row says is broken.
namespace assay::suites {
namespace {

using report::Blame;
using report::Detected;
using report::DetectionRow;

/// Enough that a failure signature is seen in several cases.
uint64_t cases_of(const Property& property) {
  const std::string_view family = property.family().name();
  if (family == "encode_tiled") return 10000;
  return family == "tma_tiled_copy" || family == "map_program" ? 256 : 64;
}

/// Whether some altered rule of the property's family is one of those. A pipeline or a product also fails
/// where TMA brings it wrong operands, but its own rules are others.
bool can_name(const Property& property, const std::set<std::string>& rules) {
  const auto bends = property.family().bends();
  return std::any_of(bends.begin(), bends.end(), [&](const model::Bend& bend) {
    return rules.contains(std::string(spec::rules()[bend.rule].id));
  });
}

/// Counted once for all faults.
const std::vector<std::string>& exercised_by(const Property& property) {
  static std::map<const Property*, std::vector<std::string>> known;
  const auto [at, is_new] = known.try_emplace(&property);
  if (is_new) at->second = rules_exercised_by(property, most_counted);
  return at->second;
}

/// Whose family can name one of the rules: `first`, where its family can, then by name those whose cases
/// exercise one of them.
std::vector<const Property*> properties_of(const std::set<std::string>& rules, std::string_view first) {
  std::vector<const Property*> found;
  for (const Property* property : all_properties()) {
    const std::vector<std::string>& exercised = exercised_by(*property);
    const bool is_exercised = std::any_of(exercised.begin(), exercised.end(),
                                          [&](const std::string& rule) { return rules.contains(rule); });
    if ((is_exercised || property->name == first) && can_name(*property, rules))
      found.insert(property->name == first ? found.begin() : found.end(), property);
  }
  return found;
}

struct Shares {
  int faults = 0, first = 0, among_three = 0, among_more = 0, unexplained = 0, wrong = 0, not_among = 0;
};

struct Seen {
  std::map<std::string, Blame> blames;  ///< by signature
  std::map<std::string, uint64_t> counts;
};

spec::Arch arch_of(const std::string& spec) {
  return *spec::parse_arch(spec.substr(spec.find(':') + 1, spec.find(',') - spec.find(':') - 1));
}

/// Block-scaled products look at nine open questions each: every failing one would be held against 512
/// combinations of their readings, which takes ten times as long as all else here. Those run as on a device
/// whose readings an earlier run has decided; ReadingsInDoubtHideNoRule has one as a first run sees them.
bool has_known_readings(const Property& property) {
  return property.name.starts_with("mma.scaled.");
}

Seen run_fault(const std::string& spec, const Property& property, uint64_t cases,
               bool are_readings_known = true) {
  DeviceLimits limits;
  limits.batches = 2;
  const auto device = open_device(spec, limits);
  DeviceRunOptions options;
  options.cases = cases;
  options.piece = 64;
  DeviceRun run(*device, {&property}, options, {});
  if (are_readings_known && has_known_readings(property)) run.readings().freeze();
  run.run();
  Seen seen;
  for (const auto& one : run.properties())
    for (const report::FailureKindRow& kind : one->kinds())
      if (kind.verdict == report::Verdict::violates) {
        seen.blames[kind.signature] = kind.blame;
        seen.counts[kind.signature] = kind.count;
      }
  return seen;
}

/// Parts of the whole, for ctest to run beside each other: the faults whose property begins with one of
/// these.
struct Area {
  const char* name;
  int least_faults;
  int most_missed;  ///< of the faults, those whose rule is not among the first three that are named
  std::vector<std::string_view> beginnings;
  /// Properties of other areas that can name the rule are not asked: products exercise the rules on commits
  /// too, and would take minutes to show no failure.
  bool asks_no_others = false;
  int least_first = 80;  ///< of 100 faults, those whose rule is named first
  int most_wrong = 0;    ///< faults of which another rule is named as the one

  bool holds(std::string_view property) const {
    return std::ranges::any_of(beginnings, [&](std::string_view it) { return property.starts_with(it); });
  }
};
/// For the names of tests, which are the same in every build.
void PrintTo(const Area& area, std::ostream* to) {
  *to << area.name;
}

// Two of barriers show by what an earlier case of the batch left in place: nothing in the case itself
// explains them.
const Area areas[] = {
    {"block_scaling", 40, 2, {"mma.scaled."}},
    {"im2col_and_gather", 106, 5, {"tma.im2col", "tma.gather4", "tma.scatter4"}},
    {"tiles_maps_and_bulk", 88, 3, {"tma.tiled", "tma.map", "bulk."}},
    {"encoder_and_barriers", 79, 3, {"driver.", "assembler.", "barrier."}},
    {"products", 64, 2, {"mma.dense.", "mma.ws.", "mma.sparse.", "mma.descriptor"}},
    {"warps_and_pipelines", 58, 3, {"mma_sync.", "wgmma.", "pipeline.", "screen."}},
    // That warps from 4 on have the lanes of the first is told as a rule on cells, of which anything is
    // expected.
    {"tensor_memory", 55, 6, {"tmem."}, true, 75, 1},
};

// Of all faults together the rule is among three in 95 of 100, and each is of one area.
TEST(ExplanationsOfAllFaults, MissTheRuleSeldom) {
  int faults = 0, missed = 0;
  for (const Area& area : areas) faults += area.least_faults, missed += area.most_missed;
  EXPECT_LE(missed * 20, faults);
  for (const Property* property : all_properties())
    EXPECT_EQ(std::ranges::count_if(areas, [&](const Area& area) { return area.holds(property->name); }), 1)
        << property->name;
}

/// Adds what was blamed for a fault of this clause, in the order of the ranking, and prints it unless it is
/// the clause alone.
void count_blame(const Blame& blame, const std::set<std::string>& truth, const std::string& fault,
                 const std::string& clause, const std::string& signature, Shares& shares) {
  ++shares.faults;
  const auto place = std::find_if(blame.suspects.begin(), blame.suspects.end(),
                                  [&](const auto& s) { return truth.contains(s.rule); }) -
                     blame.suspects.begin();
  const bool is_among = place < std::ssize(blame.suspects);
  const bool is_wrong = blame.culprit() != nullptr && !is_among;
  shares.first += is_among && place == 0;
  shares.among_three += is_among && place < 3;
  shares.among_more += is_among && place >= 3;
  shares.unexplained += blame.suspects.empty();
  shares.not_among += !blame.suspects.empty() && !is_among;
  shares.wrong += is_wrong;
  if (blame.culprit() == nullptr || is_wrong)
    std::printf("%s %-40s %-12s %-60s %s\n",
                is_wrong   ? "!!"
                : is_among ? " ."
                           : " ?",
                fault.c_str(), clause.c_str(), signature.c_str(), words(blame, {}).c_str());
}

class Explanations : public testing::TestWithParam<Area> {};

TEST_P(Explanations, TheBrokenRuleIsNamed) {
  const auto rows = expected_detections();
  std::map<std::string, FaultRow> faults;
  for (const FaultRow& fault : emulator_faults()) faults[fault.spec] = fault;
  const char* only = std::getenv("ASSAY_FAULTS");
  std::set<std::string> done;
  std::map<std::string, std::string> area_of;
  std::map<std::string, std::string> unseen;  ///< faults, and a property that meets them
  Shares shares;
  const std::clock_t start = std::clock();
  for (const DetectionRow& row : rows) {
    if (row.detected != Detected::caught || !faults.contains(row.spec) || row.rare) continue;
    // A fault is of the area that its first row is of.
    const std::string_view place = area_of.emplace(row.fault, row.property).first->second;
    if (!GetParam().holds(place)) continue;
    if (only != nullptr && row.fault.find(only) == std::string::npos) continue;
    const std::set<std::string> truth = rules_of_clause(faults[row.spec].clause);
    if (truth.empty()) {
      if (done.insert(row.fault).second)
        std::printf("    %-40s clause %s is not a rule\n", row.fault.c_str(),
                    faults[row.spec].clause.c_str());
      continue;
    }
    if (done.contains(row.fault)) continue;
    Seen seen;
    for (const Property* property : properties_of(truth, row.property)) {
      if (property->declines && property->declines(arch_of(row.spec))) continue;
      if (GetParam().asks_no_others && !GetParam().holds(property->name)) continue;
      const uint64_t as_caught = property->name == row.property ? 3 * row.cases : 0;
      seen = run_fault(row.spec, *property, std::max<uint64_t>(cases_of(*property), as_caught));
      if (!seen.counts.empty()) break;
    }
    if (seen.counts.empty()) {
      unseen.emplace(row.fault, row.property);
      continue;
    }
    done.insert(row.fault);
    // The failure signature that most cases take speaks for the fault.
    std::string signature;
    uint64_t most = 0;
    for (const auto& [name, count] : seen.counts)
      if (count > most) signature = name, most = count;
    const Blame blame = seen.blames.at(signature);
    count_blame(blame, truth, row.fault, faults[row.spec].clause, signature, shares);
  }
  for (const auto& [fault, property] : unseen)
    if (!done.contains(fault))
      std::printf("    %-40s is met by %s, and by no property that can name its clause\n", fault.c_str(),
                  property.c_str());
  std::printf(
      "%d faults whose clause is a rule: first %d, among three %d, among more %d, unexplained %d, "
      "others %d, wrong as fact %d; %.0f s\n",
      shares.faults, shares.first, shares.among_three, shares.among_more, shares.unexplained,
      shares.not_among, shares.wrong, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  if (only != nullptr) return;
  EXPECT_GE(shares.faults, GetParam().least_faults);
  EXPECT_LE(shares.wrong, GetParam().most_wrong);
  EXPECT_GE(shares.first * 100, shares.faults * GetParam().least_first);
  EXPECT_LE(shares.faults - shares.among_three, GetParam().most_missed);
}

INSTANTIATE_TEST_SUITE_P(Explained, Explanations, testing::ValuesIn(areas),
                         [](const auto& part) { return std::string(part.param.name); });

/// A first run decides its readings by the cases that fail too, and may follow a rival that none of the
/// device's faults is about: the rule is found under the defaults.
TEST(ExplanationsOfFirstRuns, ReadingsInDoubtHideNoRule) {
  const Property& property = *find_property("mma.scaled.mxf8f6f4");
  const Seen seen = run_fault("emulator:sm_100a,fault=scaled_mxf8_cut_early", property, 32, false);
  ASSERT_FALSE(seen.blames.empty());
  for (const auto& [signature, blame] : seen.blames)
    EXPECT_TRUE(std::any_of(blame.suspects.begin(), blame.suspects.end(),
                            [](const auto& suspect) { return suspect.rule == "ADD-R22"; }))
        << signature << ": " << words(blame, {});
}

/// Rules whose part in a copy, a map or a product is played elsewhere: in the barrier, the kernel, the
/// encoder. The rule gives all that came out.
TEST(ExplanationsOfCases, NameRulesThatOtherPartsOfTheMachineBreak) {
  struct Row {
    const char *fault, *property, *rule;
    uint64_t cases;
  };
  for (const Row& row : {Row{"barrier_expect_of_none_ignored", "bulk.copy.odd_sizes", "MBAR-R04", 64},
                         Row{"barrier_expect_tx_truncated", "tma.tiled.load", "MBAR-R04", 192},
                         Row{"kernel_skips_read_wait", "tma.tiled.store", "SYNC-R03", 32},
                         Row{"mma_sp_kind_e2m1_in_bytes_in_pairs", "mma_sync.sparse.f8f6f4", "KIND-R08", 24},
                         Row{"encoder_dim_4_without_bias", "driver.tensor_map.encode_tiled", "MAP-R09", 128},
                         Row{"im2col_w_pixels_of_128_by_map", "tma.im2col_w.load", "IM2W-R02", 32},
                         Row{"store_half_box_of_6bit_refused", "tma.map.rewrite.store", "TILE-R52", 96},
                         Row{"driver_refuses_kernels_of_ld_red_max", "tmem.ld.red", "ASM-R01", 24}}) {
    const Property& property = *find_property(row.property);
    const auto faults = emulator_faults();
    const auto fault = std::ranges::find_if(faults, [&](const FaultRow& it) {
      return it.name == row.fault && !(property.declines && property.declines(arch_of(it.spec)));
    });
    ASSERT_NE(fault, faults.end()) << row.fault;
    const Seen seen = run_fault(fault->spec, property, row.cases);
    ASSERT_FALSE(seen.blames.empty()) << row.fault;
    for (const auto& [signature, blame] : seen.blames)
      EXPECT_TRUE(std::ranges::any_of(blame.suspects, [&](const auto& it) { return it.rule == row.rule; }))
          << row.fault << ": " << signature << ": " << words(blame, {});
  }
}

TEST(ExplanationsOfCases, AnHonestCaseHasNone) {
  const Property* property = find_property("tma.tiled.load");
  ASSERT_NE(property, nullptr);
  EXPECT_TRUE(run_fault("emulator:sm_90a", *property, 64).blames.empty());
}

/// Of a single case, as a replay has it.
TEST(ExplanationsOfCases, OfOneCaseTheWordsSayWhatTheDeviceDid) {
  const Property* property = find_property("tma.tiled.load");
  const auto device = open_device("emulator:sm_90a,fault=swizzle_32b_dropped", DeviceLimits{});
  ReadingSet readings(spec::Arch::sm_90);
  CaseRunner runner(*device, readings, spec::Arch::sm_90);
  runner.explain();
  std::vector<Case> cases(64);
  for (size_t i = 0; i < cases.size(); ++i)
    property->generate(1, property->name, i, spec::Arch::sm_90, cases[i]);
  int explained = 0, alone = 0;
  for (const Outcome& outcome : runner.run(*property, cases)) {
    if (outcome.verdict != report::Verdict::violates) continue;
    const std::string why = words(outcome.blame, {});
    EXPECT_NE(why.find("TILE-R07 (as if 32B swizzle moved nothing)"), std::string::npos) << why;
    alone += why.starts_with("violates TILE-R07");
    ++explained;
  }
  EXPECT_GT(explained, 0);
  EXPECT_GT(alone, 0);
}

}  // namespace
}  // namespace assay::suites
