#include <gtest/gtest.h>

#include <functional>

#include "devices/device.h"
#include "reports/verdict.h"
#include "suites/replay.h"

/// What a failure says of its cause, on devices that are wrong in one known way.
namespace assay::suites {
namespace {

/// The first failing case of a property whose row says `wanted`, else of the last failure.
report::CaseRow failure(const std::string& property, const std::string& device, uint64_t most,
                        const std::function<bool(const report::CaseRow&)>& wanted) {
  const std::unique_ptr<Device> opened = open_device("emulator:" + device, {});
  report::CaseRow last;
  for (uint64_t index = 0; index < most; ++index) {
    ReplayResult result = replay(property + "@7#" + std::to_string(index), *opened);
    if (!report::fails(result.verdict)) continue;
    last = std::move(result.row);
    if (wanted(last)) break;
  }
  return last;
}

bool has(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

TEST(Diagnosis, OfNeverWrittenMemorySaysWhatSiliconWouldHaveShown) {
  const report::CaseRow row =
      failure("pipeline.gemm", "sm_100a,schedule=lazy,fault=multicast_skips_highest", 40,
              [](const report::CaseRow& r) { return has(r.detail, "uninitialised_read"); });
  EXPECT_TRUE(has(row.detail, "never written")) << row.detail;
  EXPECT_TRUE(has(row.detail,
                  "silicon does not end here: it goes on with whatever was left in that memory, so the case "
                  "fails by its bytes, or passes where they happen to be the right ones"))
      << row.detail;
}

TEST(Diagnosis, OfAProgramOfBarriersNamesTheStepAndWhatItShouldSay) {
  const report::CaseRow row =
      failure("barrier.sequence", "sm_100a,fault=barrier_arrival_lost", 400,
              [](const report::CaseRow& r) { return has(r.message, "phase should be complete"); });
  EXPECT_TRUE(has(row.message, "steps: step ")) << row.message;
  EXPECT_TRUE(has(row.message, "_wait")) << row.message;
  EXPECT_TRUE(has(row.message, "phase should be complete, device says it is not")) << row.message;
  EXPECT_FALSE(has(row.message, "0x")) << row.message;
  EXPECT_TRUE(has(row.detail, " before step ")) << row.detail;
  EXPECT_TRUE(has(row.detail, " missing, ")) << row.detail;
}

TEST(Diagnosis, OfAProgramOfBarriersTellsTooEarlyPhasesAndStates) {
  const report::CaseRow early =
      failure("barrier.sequence", "sm_90a,fault=barrier_completes_with_bytes_pending", 400,
              [](const report::CaseRow& r) { return has(r.message, "phase should not be complete"); });
  EXPECT_TRUE(has(early.message, "phase should not be complete, device says it is")) << early.message;
  const report::CaseRow state =
      failure("barrier.sequence", "sm_90a,fault=barrier_token_is_of_after", 400,
              [](const report::CaseRow& r) { return has(r.message, "the state should be"); });
  EXPECT_TRUE(has(state.message, " missing; device answers ")) << state.message;
  const report::CaseRow count =
      failure("barrier.sequence", "sm_100a,fault=barrier_token_is_of_after", 400,
              [](const report::CaseRow& r) { return has(r.message, "pending, device counts"); });
  EXPECT_TRUE(has(count.message, "the state should have ")) << count.message;
}

TEST(Diagnosis, OfAProgramOfTensorMemoryNamesTheLoadAndWhoWroteWhatItLoads) {
  const report::CaseRow row =
      failure("tmem.sequence", "sm_100a,fault=adder_half_of_k_lost", 400,
              [](const report::CaseRow& r) { return has(r.detail, "written last by step"); });
  EXPECT_TRUE(has(row.message, "other values than the allocation holds, in ")) << row.message;
  EXPECT_TRUE(has(row.detail, "written last by step ")) << row.detail;
}

}  // namespace
}  // namespace assay::suites
