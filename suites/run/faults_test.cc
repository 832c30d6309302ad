// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/detection.h"
#include "suites/failure/explain.h"
#include "suites/run/late_tests_test.h"

/// Each fault of devices/faults says which property catches it, and after how many cases: here it is held to
/// be true.
namespace assay::suites {
namespace {

using report::Detected;
using report::DetectionRow;

const std::vector<DetectionRow>& table() {
  static const std::vector<DetectionRow> rows = expected_detections();
  return rows;
}

const std::vector<FaultRow>& faults() {
  static const std::vector<FaultRow> rows = emulator_faults();
  return rows;
}
/// On its first device.
const FaultRow& fault_named(std::string_view name) {
  const auto at =
      std::find_if(faults().begin(), faults().end(), [&](const FaultRow& row) { return row.name == name; });
  if (at == faults().end()) throw std::runtime_error("no fault is named " + std::string(name));
  return *at;
}
const FaultRow& fault_of(const DetectionRow& row) {
  const auto at = std::find_if(faults().begin(), faults().end(),
                               [&](const FaultRow& fault) { return fault.spec == row.spec; });
  if (at == faults().end()) throw std::runtime_error("no fault is met on " + row.spec);
  return *at;
}

DetectionOptions quick() {
  DetectionOptions options;
  options.budget = std::chrono::seconds(180);
  options.rare_factor = 2;
  options.shrink = false;
  return options;
}

/// Which of the architectures of fault `index` a sample meets: over as many samples as it has, each of them,
/// and in one sample not all faults the same.
size_t architecture_of_sample(uint64_t number, size_t index, size_t architectures) {
  return (number + index) % architectures;
}

/// A fault on one of its architectures, another one in each of the first samples.
class FaultTest : public testing::Test {
 public:
  FaultTest(const std::vector<const DetectionRow*>& rows, size_t index) : rows_(rows), index_(index) {}

  /// Only the property of the table is asked, which is quick.
  void TestBody() override {
    const DetectionRow& row = *rows_[architecture_of_sample(sample_number(), index_, rows_.size())];
    std::printf("sample %llu: %s\n", static_cast<unsigned long long>(sample_number()), row.spec.c_str());
    DetectionOptions options = quick();
    options.properties = {row.property};
    // The cases up to the one of the table; where it is another by now, as many as it takes.
    options.most_cases = row.cases;
    DetectionRow seen = detect(fault_of(row), options);
    if (seen.detected != row.detected) {
      options.most_cases = 0;
      seen = detect(fault_of(row), options);
    }
    EXPECT_EQ(seen.detected, row.detected) << row.spec << ": " << seen.how;
    EXPECT_LE(seen.cases, 4 * row.cases) << row.spec;
  }

 private:
  const std::vector<const DetectionRow*>& rows_;
  const size_t index_;
};

/// The rows of each fault that must be seen, in the order of the table.
const std::vector<std::vector<const DetectionRow*>>& rows_of_faults() {
  static const auto grouped = [] {
    std::vector<std::vector<const DetectionRow*>> all;
    for (const DetectionRow& row : table()) {
      if (row.detected != Detected::caught && row.detected != Detected::adopted) continue;
      if (all.empty() || all.back().front()->fault != row.fault) all.emplace_back();
      all.back().push_back(&row);
    }
    return all;
  }();
  return grouped;
}

}  // namespace

/// Every twelfth fault, of each mechanism some, in the suite that everyday runs have; all others in one that
/// takes its time (cmake/rooms.cmake).
void register_fault_tests() {
  for (size_t i = 0; i < rows_of_faults().size(); ++i) {
    const auto& rows = rows_of_faults()[i];
    testing::RegisterTest(i % 12 == 0 && !rows.front()->rare ? "Fault" : "FaultLong",
                          rows.front()->fault.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [&rows, i]() -> FaultTest* { return new FaultTest(rows, i); });
  }
}

TEST(Detection, EveryFaultNamesAPropertyUnlessItIsUnobservable) {
  EXPECT_GE(table().size(), 400u);
  for (const DetectionRow& row : table())
    EXPECT_EQ(row.property.empty(), row.detected == Detected::unobservable) << row.spec;
}

/// Each architecture has faults of every mechanism that it has, not of one machine's alone.
TEST(Detection, FaultsAreMetWhereTheirMechanismIs) {
  std::map<std::string, std::set<std::string>> by_fault;
  std::map<std::string, int> adders;
  for (const FaultRow& fault : faults()) {
    const std::string architecture = fault.spec.substr(9, fault.spec.find(',') - 9);
    by_fault[fault.name].insert(architecture);
    adders[architecture] += fault.name.starts_with("adder_");
  }
  const auto with = [](spec::Mechanism mechanism) {
    std::set<std::string> targets;
    for (const spec::Architecture& row : spec::architectures)
      if (row.*mechanism) targets.emplace(row.target);
    return targets;
  };
  using spec::Architecture;
  std::set<std::string> of_both_lines = with(&Architecture::has_tcgen05);
  of_both_lines.merge(with(&Architecture::has_wgmma));
  EXPECT_EQ(by_fault["tx_16_long"], of_both_lines);
  EXPECT_EQ(by_fault["adder_one_bit_less"], of_both_lines);
  EXPECT_EQ(by_fault["wgmma_negate_ignored"], with(&Architecture::has_wgmma));
  EXPECT_EQ(by_fault["tcgen05_commit_early"], with(&Architecture::has_tcgen05));
  EXPECT_EQ(by_fault["tcgen05_saturate_ignored"], with(&Architecture::has_tcgen05_i8));
  EXPECT_EQ(by_fault["tcgen05_ld_red_abs_ignored"], with(&Architecture::has_ld_red));
  EXPECT_EQ(by_fault["swizzle_96b_as_64b"], with(&Architecture::has_swizzle_96B));
  EXPECT_GE(adders["sm_100a"], 20);
  EXPECT_GE(adders["sm_103a"], 20);
}

/// After as many samples as there are architectures every fault was met on each of its own.
TEST(Detection, AsManySamplesAsArchitecturesMeetEveryPair) {
  for (size_t i = 0; i < rows_of_faults().size(); ++i) {
    std::set<std::string> met;
    for (uint64_t sample = 0; sample < spec::arch_count; ++sample) {
      const size_t size = rows_of_faults()[i].size();
      met.insert(rows_of_faults()[i][architecture_of_sample(sample, i, size)]->spec);
    }
    EXPECT_EQ(met.size(), rows_of_faults()[i].size()) << rows_of_faults()[i].front()->fault;
  }
}

TEST(Detection, TheSampleIsTheSameEveryDay) {
  if (std::getenv("ASSAY_SAMPLE") != nullptr) GTEST_SKIP() << "ASSAY_SAMPLE names another";
  EXPECT_EQ(sample_number(), 0u);
}

/// Three faults met by all properties, as `assay faults` has them; others in another sample. Another property
/// than the row's may be the first.
TEST(DetectionLong, ASampleIsCaughtByAllProperties) {
  std::vector<const DetectionRow*> eligible;
  for (const DetectionRow& row : table())
    if (!row.rare && row.cases != 0) eligible.push_back(&row);
  ASSERT_GT(eligible.size(), 10u);
  const uint64_t number = sample_number();
  for (uint64_t i = 0; i < 3; ++i) {
    // 7919 is prime to the size of any table of ours: every fault has its sample.
    const DetectionRow& row = *eligible[(3 * number + i) * 7919 % eligible.size()];
    std::printf("sample %llu: %s\n", static_cast<unsigned long long>(number), row.spec.c_str());
    const DetectionRow seen = detect(fault_of(row), quick());
    EXPECT_EQ(seen.detected, row.detected) << row.spec << ": " << seen.how;
  }
}

TEST(Detection, AnHonestDeviceIsNotCaught) {
  FaultRow honest;
  honest.name = "none";
  honest.spec = "emulator:sm_90a";
  honest.unobservable = "It is right.";
  DetectionOptions options = quick();
  options.budget = std::chrono::seconds(6);
  options.properties = {"tma.tiled.load", "wgmma.f16", "driver"};
  const DetectionRow row = detect(honest, options);
  EXPECT_EQ(row.detected, Detected::unobservable) << row.property << ": " << row.how;
  EXPECT_GT(row.all_cases, 100u);
  // The claim is checked, not believed: a fault that is seen refutes it.
  FaultRow wrong = fault_named("tx_16_long");
  wrong.unobservable = "Nobody counts.";
  EXPECT_EQ(detect(wrong, options).detected, Detected::refuted);
}

/// Operands of tcgen05.mma come by TMA too.
TEST(Detection, ProductsMeetTheFaultsOfTmaAsWell) {
  for (const char* name : {"swizzle_128b_bit_dropped", "swizzle_64b_bit_dropped"}) {
    FaultRow fault = fault_named(name);
    fault.spec = std::string("emulator:sm_100a,fault=") + name;
    DetectionOptions options = quick();
    options.properties = {"mma.dense.layout"};
    const DetectionRow row = detect(fault, options);
    EXPECT_EQ(row.detected, Detected::caught) << name;
    EXPECT_LE(row.cases, 400u) << name;
  }
}

TEST(Detection, TheSameSeedFindsTheSameCase) {
  const DetectionRow first = detect(fault_named("edge_upper_dim1_off_by_one"), quick());
  const DetectionRow second = detect(fault_named("edge_upper_dim1_off_by_one"), quick());
  EXPECT_EQ(first.property, second.property);
  EXPECT_EQ(first.cases, second.cases);
  EXPECT_EQ(first.all_cases, second.all_cases);
}

}  // namespace assay::suites
