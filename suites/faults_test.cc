#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "suites/conductor.h"
#include "suites/device_run.h"
#include "suites/late_tests_test.h"

/// Every fault of devices/faults, one at a time below the seam: the property named here must see it.
namespace assay::suites {
namespace {

struct Catch {
  std::string_view fault;     ///< name, or the beginning of names ending in '*'
  std::string_view property;  ///< glob
  std::string_view device;    ///< target and settings
  uint64_t cases;             ///< of each property, at most; the run stops at the first failure
  std::string_view adopts;    ///< the fault is a listed reading: it is adopted and named instead of violating
};

// First row that matches. The first ten do what a listed reading of an open question says, so the run must
// find that reading and name it. A fault that no row matches fails its test: say here who catches it.
constexpr Catch catches[] = {
    {"rare_*", "tma.tiled.load", "sm_90a", 120000},
    {"encoder_*", "driver", "sm_90a", 4000},
    {"copy_*", "tma.tiled.*.faults", "sm_90a", 40},
    {"store_*", "tma.tiled.store", "sm_90a", 4000},
    {"multicast_*", "tma.tiled.load.multicast", "sm_90a", 2000},
    {"packed_6bit_order", "tma.tiled.store", "sm_100a", 8000},
    {"packed_*", "tma.tiled.load", "sm_100a", 8000},
    {"swizzle_96b*", "tma.tiled.load", "sm_103a", 8000},
    {"swizzle_atom*", "tma.tiled.load", "sm_100a", 8000},
    {"swizzle_flip*", "tma.tiled.load", "sm_100a", 8000},
    {"tx_counts_padding*", "tma.tiled.load", "sm_100a", 8000},
    {"signal_before_data", "tma.tiled.load", "sm_90a,schedule=lazy", 4000},
    {"*", "tma.tiled.load", "sm_90a", 8000},
};

bool matches_row(std::string_view row, std::string_view fault) {
  return row.ends_with('*') ? fault.starts_with(row.substr(0, row.size() - 1)) : row == fault;
}

/// Names in the files that register them: the list cannot fall behind.
std::vector<std::string> fault_names() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ASSAY_SOURCE_DIR) + "/devices/faults")) {
    if (entry.path().extension() != ".cc") continue;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    const std::string all = text.str();
    constexpr std::string_view mark = "const Fault fault(\"";
    if (const size_t at = all.find(mark); at != std::string::npos)
      names.push_back(all.substr(at + mark.size(), all.find('"', at + mark.size()) - at - mark.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

class FaultTest : public testing::Test {
 public:
  explicit FaultTest(std::string fault) : fault_(std::move(fault)) {}

  void TestBody() override {
    for (const Catch& row : catches) {
      if (!matches_row(row.fault, fault_)) continue;
      check(row);
      return;
    }
    FAIL() << "no row of this file says which property catches " << fault_;
  }

 private:
  void check(const Catch& row) {
    const std::string spec = "emulator:" + std::string(row.device) + ",fault=" + fault_;
    const std::unique_ptr<Device> device = open_device(spec, limits_for(1));
    std::atomic<bool> stop{false};
    DeviceRunOptions options;
    options.cases = row.cases;
    options.seed = 1;
    options.stop = &stop;
    std::string first;
    const std::vector<std::string> globs{std::string(row.property)};
    DeviceRun run(*device, select_properties(globs), options,
                  [&](const Property& property, const Outcome& outcome, uint64_t index) {
                    if (first.empty()) first = to_row(property, outcome, {spec, 1, index, {}, {}}).message;
                    stop = true;
                  });
    run.run();
    std::string adopted;
    for (const report::ReadingRow& reading : run.readings().rows())
      if (reading.status == "rival adopted") adopted += reading.question + ":" + reading.chosen_letter + " ";
    RecordProperty("judged", std::to_string(run.judged()));
    RecordProperty("first", first);
    EXPECT_FALSE(first.empty()) << run.judged() << " cases of " << row.property
                                << " saw nothing; adopted: " << adopted;
  }

  const std::string fault_;
};

}  // namespace

void register_fault_tests() {
  for (const std::string& fault : fault_names())
    testing::RegisterTest("Fault", fault.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [fault]() -> FaultTest* { return new FaultTest(fault); });
}

TEST(Faults, EveryRowHereIsAboutOne) {
  const std::vector<std::string> names = fault_names();
  EXPECT_GT(names.size(), 40u);
  for (const Catch& row : catches)
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& n) {
      return matches_row(row.fault, n);
    })) << row.fault;
}

}  // namespace assay::suites
