// SPDX-License-Identifier: Apache-2.0
#include "suites/run/scripted_run_test.h"

/// A case that our own side cannot put to the device is our failure, of that case alone.
namespace assay::suites {
namespace {

using report::Verdict;

/// Refuses the sixth record of its first batches.
class RefusingDevice final : public ScriptedDevice {
 public:
  explicit RefusingDevice(int times) : left_(times) {}
  void submit(Batch& batch) override {
    if (batch.count > 5 && left_ > 0) {
      --left_;
      throw RefusedRecord(5, "family scripted: colour must be 1 to 24");
    }
    ScriptedDevice::submit(batch);
  }

 private:
  std::atomic<int> left_;
};

TEST(RefusedRecord, CostsOneCaseItsVerdictAndResumingTriesItAgain) {
  const auto one_thread = [](RunOptions& options) {
    options.threads = 1, options.version = "v", options.commit = "c";
  };
  const Ran ran =
      run_scripted("refusing", std::make_unique<RefusingDevice>(3), {"tma.tiled.load"}, 300, one_thread);
  EXPECT_EQ(ran.result.exit_code, 2);
  EXPECT_EQ(ran.count(Verdict::rig_broken), 3u);
  EXPECT_EQ(ran.count(Verdict::conforms), 297u);
  ASSERT_EQ(ran.rows().size(), 3u);
  for (const auto& row : ran.rows()) {
    EXPECT_EQ(row.verdict, Verdict::rig_broken);
    EXPECT_NE(row.message.find("colour must be 1 to 24"), std::string::npos) << row.message;
    EXPECT_NE(row.replay.find("tma.tiled.load@11#"), std::string::npos) << row.replay;
  }

  const RunOptions again = options_to_resume(ran.result.database.parent_path(), "v", "c");
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<ScriptedDevice>());
  const RunResult resumed = run_on(again, std::move(devices));
  EXPECT_EQ(resumed.exit_code, 0);
  const Ran whole =
      run_scripted("taking", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 300, one_thread);
  EXPECT_EQ(essence(resumed.database), essence(whole.result.database));
}

TEST(RefusedRecord, OfAllCasesEndsTheRunInsteadOfGoingOnForever) {
  const Ran ran =
      run_scripted("refusing_all", std::make_unique<RefusingDevice>(1 << 30), {"tma.tiled.load"}, 100000);
  EXPECT_EQ(ran.result.exit_code, 2);
  EXPECT_GT(ran.count(Verdict::incomplete), 0u);
  EXPECT_EQ(ran.results.devices[0].properties[0].verdict, Verdict::rig_broken);
}

}  // namespace
}  // namespace assay::suites
