#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "reports/detection.h"
#include "reports/whole_file.h"
#include "suites/detection.h"
#include "suites/late_tests_test.h"

/// docs/detection.md says which property catches each fault of devices/faults, and after how many cases: here
/// it is held to be true.
namespace assay::suites {
namespace {

using report::Detected;
using report::DetectionRow;

const std::vector<DetectionRow>& table() {
  static const std::vector<DetectionRow> rows =
      report::parse_detection(report::read_whole_file(std::string(ASSAY_SOURCE_DIR) + "/docs/detection.md"));
  return rows;
}

const FaultRow& fault_named(std::string_view name) {
  static const std::vector<FaultRow> faults = emulator_faults();
  const auto at =
      std::find_if(faults.begin(), faults.end(), [&](const FaultRow& row) { return row.name == name; });
  if (at == faults.end()) throw std::runtime_error("no fault is named " + std::string(name));
  return *at;
}

/// The same outcome, by the same property where `property_too`, within four times the cases of the table.
void expect_as_in_table(const DetectionRow& seen, const DetectionRow& row) {
  EXPECT_EQ(seen.detected, row.detected) << row.fault << ": " << seen.how;
  EXPECT_EQ(seen.property, row.property) << row.fault;
  EXPECT_LE(seen.cases, 4 * row.cases) << row.fault;
}

DetectionOptions quick() {
  DetectionOptions options;
  options.budget = std::chrono::seconds(100);
  options.rare_factor = 2;
  options.shrink = false;
  return options;
}

class FaultTest : public testing::Test {
 public:
  explicit FaultTest(const DetectionRow& row) : row_(row) {}

  /// Only the property of the table is asked, which is quick.
  void TestBody() override {
    DetectionOptions options = quick();
    options.properties = {row_.property};
    expect_as_in_table(detect(fault_named(row_.fault), options), row_);
  }

 private:
  const DetectionRow& row_;
};

/// Days since 1970, or what ASSAY_SAMPLE says: a sample of another day can be had again.
uint64_t sample_number() {
  const char* given = std::getenv("ASSAY_SAMPLE");
  return given != nullptr ? std::strtoull(given, nullptr, 10)
                          : static_cast<uint64_t>(std::time(nullptr)) / 86400;
}

}  // namespace

void register_fault_tests() {
  for (const DetectionRow& row : table())
    if (row.detected == Detected::caught || row.detected == Detected::adopted)
      testing::RegisterTest("Fault", row.fault.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&row]() -> FaultTest* { return new FaultTest(row); });
}

TEST(Detection, EveryFaultHasARowAndEveryRowAFault) {
  std::vector<std::string> rows, faults;
  for (const DetectionRow& row : table()) rows.push_back(row.fault);
  for (const FaultRow& fault : emulator_faults()) faults.push_back(fault.name);
  EXPECT_EQ(rows, faults) << "make the table again: assay faults --markdown docs/detection.md";
  EXPECT_GE(faults.size(), 80u);
  for (const DetectionRow& row : table()) {
    EXPECT_EQ(row.spec, fault_named(row.fault).spec) << row.fault;
    EXPECT_EQ(row.detected == Detected::unobservable, !fault_named(row.fault).unobservable.empty())
        << row.fault;
  }
}

TEST(Detection, NothingInTheTableSurvives) {
  EXPECT_TRUE(report::is_whole(table()));
}

/// Three faults met by all properties, as `assay faults` has them; others every day.
TEST(Detection, ARotatingSampleIsAsTheTableSays) {
  std::vector<const DetectionRow*> eligible;
  for (const DetectionRow& row : table())
    if (!row.rare && row.cases != 0) eligible.push_back(&row);
  ASSERT_GT(eligible.size(), 10u);
  const uint64_t number = sample_number();
  for (uint64_t i = 0; i < 3; ++i) {
    // 7919 is prime to the size of any table of ours: every fault has its day.
    const DetectionRow& row = *eligible[(3 * number + i) * 7919 % eligible.size()];
    std::printf("sample %llu: %s\n", static_cast<unsigned long long>(number), row.fault.c_str());
    expect_as_in_table(detect(fault_named(row.fault), quick()), row);
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
