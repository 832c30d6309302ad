#include <gtest/gtest.h>

#include <algorithm>

#include "reference/spec/questions.h"
#include "suites/conductor.h"
#include "suites/device_run.h"
#include "suites/late_tests_test.h"

/// Every rival reading of every open question, run on an emulator that behaves so: the run must report that
/// reading as adopted, and nothing as violated. A reading that cannot be told apart is a defect, unless its
/// question says why.
namespace assay::suites {
namespace {

/// Where a question shows: the first row whose id matches. Ids not listed show in loads.
struct Where {
  std::string_view question, property, target;
  uint64_t cases;
};
constexpr Where places[] = {
    {"TMA-AMB-08", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-16", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-19", "tma.tiled.store.faults", "sm_90a", 40},
    {"X-06", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-10", "tma.tiled.load", "sm_100a", 4000},
    {"TMA-AMB-12", "tma.tiled.load", "sm_90a", 300},  // most interleaved cases end by their time limit
    {"TMA-AMB-11", "tma.tiled.load", "sm_103a", 4000},
    {"TMA-AMB-15", "driver.tensor_map.encode_tiled", "sm_100a", 8000},
    {"TMA-AMB-33", "tma.tiled.load", "sm_100a", 4000},
    {"TMA-AMB-34", "tma.tiled.load.faults", "sm_100a", 60},
    {"TMA-AMB-32", "tma.tiled.store", "sm_90a", 4000},
    {"X-17", "tma.tiled.store", "sm_90a", 4000},
    {"TMA-AMB-09", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-17", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-20", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-28", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"AMB-01", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-02", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-03", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-04", "mma.ws.column_shift", "sm_100a", 200},
    {"AMB-05", "mma.dense.layout", "sm_100a", 120},
    {"AMB-06", "tmem.shift", "sm_100a", 120},
    {"AMB-07", "mma.dense.ashift", "sm_100a", 60},
    {"AMB-08", "mma.descriptor.one_field_wrong", "sm_100a", 60},
    {"AMB-09", "mma.scaled.pair", "sm_100a", 120},
    {"AMB-11", "mma.scaled.mxf4nvf4", "sm_100a", 40},
    {"AMB-12", "mma.scaled.k96", "sm_103a", 40},
    {"AMB-14", "mma.scaled.k96", "sm_103a", 40},
    {"AMB-16", "mma.scaled.pair", "sm_100a", 60},
    {"AMB-46", "mma.scaled.k96", "sm_103a", 200},
    {"AMB-51", "mma.scaled.k96", "sm_103a", 200},
    {"NUM-AMB-07", "mma.scaled.mxf4", "sm_100a", 200},
    {"NUM-AMB-11", "mma.scaled.mxf4nvf4", "sm_100a", 120},
    {"NUM-AMB-18", "mma.scaled.mxf4nvf4", "sm_100a", 300},
    {"NUM-AMB-19", "mma.scaled.k96", "sm_103a", 120},
    {"NUM-AMB-20", "mma.scaled.mxf8f6f4", "sm_100a", 120},
    {"AMB-21", "mma.dense.layout", "sm_100a", 120},
    {"AMB-22", "mma.dense.layout", "sm_100a", 120},
    {"AMB-23", "tmem.st", "sm_100a", 120},
    {"AMB-24", "mma.dense.f16", "sm_100a", 120},
    {"AMB-25", "tmem.cp", "sm_100a", 120},
    {"AMB-27", "tmem.cp", "sm_100a", 120},
    {"AMB-28", "mma.dense.output_lanes", "sm_100a", 200},
    {"AMB-30", "mma.dense.f8f6f4", "sm_100a", 120},
    {"AMB-32", "mma.dense.layout", "sm_100a", 240},
    {"AMB-38", "tmem.cp.order", "sm_100a", 120},
    {"AMB-47", "tmem.cp.decompress", "sm_100a", 120},
    {"TMEM-AMB-01", "tmem.lane_window", "sm_100a", 60},
    {"AMB-49", "tmem.ld.red", "sm_103a", 200},
    {"NUM-AMB-01", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-02", "mma.dense.f16", "sm_100a", 600},
    {"NUM-AMB-03", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-05", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-08", "mma.dense.f8f6f4", "sm_100a", 120},
    {"NUM-AMB-17", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-16", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"TMA-AMB-02", "tma.im2col.load", "sm_90a", 3000},
    {"TMA-AMB-03", "tma.im2col.load", "sm_90a", 3000},
    {"TMA-AMB-23", "tma.im2col.load", "sm_90a", 4000},
    {"TMA-AMB-13", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-14", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-42", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-43", "tma.im2col_w.load.faults", "sm_100a", 54},
    {"TMA-AMB-21", "tma.gather4.load", "sm_100a", 40},
    {"TMA-AMB-41", "tma.gather4.load.faults", "sm_100a", 45},
    {"X-07", "driver.tensor_map.encode_im2col", "sm_90a", 8000},
    {"X-12", "driver.tensor_map.encode_im2col_wide", "sm_90a", 8000},
    {"X-13", "driver.tensor_map.encode_im2col_wide", "sm_90a", 8000},
    {"BULK-AMB-01", "bulk.copy.odd_sizes", "sm_90a", 30},
    {"BULK-AMB-03", "bulk.copy.faults", "sm_90a", 200},
    {"BULK-AMB-02", "bulk.reduce.global", "sm_90a", 2000},
    {"TMA-AMB-22", "tma.map.memory", "sm_90a", 24},
    {"TMA-AMB-27", "tma.map.replace", "sm_90a", 400},
    {"REPL-AMB-01", "tma.map.replace", "sm_90a", 400},
    {"REPL-AMB-02", "tma.map.replace", "sm_90a", 400},
    {"X-", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"", "tma.tiled.load", "sm_90a", 4000},
};

/// "Anything may happen" is a reading that no device can show and none can contradict.
bool says_anything(const spec::Reading& reading) {
  return reading.words.starts_with("anything");
}

const Where& place_of(std::string_view question) {
  for (const Where& where : places)
    if (question == where.question ||
        (where.question.ends_with('-') && question.starts_with(where.question)) || where.question.empty())
      return where;
  return places[std::size(places) - 1];
}

class RivalTest : public testing::Test {
 public:
  RivalTest(const spec::Question& question, char letter) : question_(question), letter_(letter) {}

  void TestBody() override {
    const Where& where = place_of(question_.id);
    const spec::Arch arch = *spec::parse_arch(where.target);
    if (question_.default_for[static_cast<int>(arch)] == letter_)
      GTEST_SKIP() << "the default on " << where.target;
    const std::string spec =
        "emulator:" + std::string(where.target) + ",reading=" + std::string(question_.id) + ":" + letter_;
    const std::unique_ptr<Device> device = open_device(spec, limits_for(1));
    DeviceRunOptions options;
    options.cases = where.cases;
    std::string failures;
    DeviceRun run(*device, {find_property(where.property)}, options,
                  [&](const Property& property, const Outcome& outcome, uint64_t index) {
                    if (failures.size() < 2000)
                      failures += to_row(property, outcome, {spec, 1, index, {}, {}}).message + "\n";
                  });
    run.run();
    for (const report::ReadingRow& row : run.readings().rows())
      if (row.question == question_.id) {
        EXPECT_EQ(row.status, "rival adopted") << failures;
        EXPECT_EQ(row.chosen_letter, std::string(1, letter_)) << failures;
      } else {
        EXPECT_NE(row.status, "rival adopted") << row.question << ":" << row.chosen_letter;
      }
    EXPECT_EQ(failures, "");
  }

 private:
  const spec::Question& question_;
  const char letter_;
};

}  // namespace

void register_rival_tests() {
  for (const spec::Question& question : spec::questions()) {
    if (!question.is_decidable()) continue;
    for (int r = 0; r < question.reading_count(); ++r) {
      const char letter = question.readings[r].letter;
      if (says_anything(question.readings[r])) continue;
      if (letter == question.default_for[0] && letter == question.default_for[1] &&
          letter == question.default_for[2])
        continue;
      // In a GoogleTest filter '-' begins what is left out: a name with one would select nothing, and pass.
      std::string name = std::string(question.id) + "." + letter;
      std::replace(name.begin(), name.end(), '-', '_');
      testing::RegisterTest("Rival", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&question, letter]() -> RivalTest* { return new RivalTest(question, letter); });
    }
  }
}

TEST(Rivals, QuestionsThatNoCaseDecidesSayWhy) {
  for (const spec::Question& question : spec::questions())
    if (!question.is_decidable()) {
      EXPECT_GT(question.undecidable.size(), 20u) << question.id;
    }
}

}  // namespace assay::suites
