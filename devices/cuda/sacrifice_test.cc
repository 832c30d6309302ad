// SPDX-License-Identifier: Apache-2.0
// Batches that are likely to end their process, on a device that takes the paths of a GPU: the emulator,
// loaded by its path as a plain CUDA driver.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <set>

#include "devices/cuda/test_device.h"
#include "kernels/params/encode_tiled.h"
#include "kernels/params/fixture.h"

namespace assay::cuda {
namespace {

using params::EncodeTiledRecord;
using params::Fixture;
using params::FixtureRecord;

class Sacrifice : public testing::Test {
 protected:
  Sacrifice() {
    setenv("ASSAY_CUDA_DRIVER", (std::string(ASSAY_BINARY_DIR) + "/libassay_emulator.so").c_str(), 1);
    setenv("ASSAY_EMULATOR", "sm_90a", 1);
    DeviceLimits limits;
    limits.case_time = std::chrono::milliseconds(1500);
    limits.batches = 8;
    limits.records_bytes = limits.output_bytes = 64 << 10;
    device = open_device("cuda:0", limits);
    first = workers().at(0);
  }
  ~Sacrifice() override {
    device.reset();
    EXPECT_TRUE(workers().empty());
    unsetenv("ASSAY_CUDA_DRIVER");
    unsetenv("ASSAY_EMULATOR");
  }

  template <typename Record>
  Batch& submit(std::string_view family, const std::vector<Record>& records) {
    Batch& batch = device->acquire();
    batch.family = family;
    batch.is_sacrifice = true;
    batch.count = static_cast<uint32_t>(records.size());
    std::memcpy(batch.records.data(), records.data(), records.size() * sizeof records[0]);
    device->submit(batch);
    return batch;
  }

  std::unique_ptr<Device> device;
  pid_t first;  ///< the process for ordinary batches
};

FixtureRecord fixture(bool guilty, uint32_t value = 0) {
  return {Fixture::write_out_of_bounds, guilty, value, 0};
}

void expect_faulted(const RecordEnd& end) {
  EXPECT_EQ(end.ended, Ended::faulted);
  EXPECT_EQ(end.code, 700);
}

bool has(const std::vector<pid_t>& processes, pid_t one) {
  return std::count(processes.begin(), processes.end(), one) != 0;
}

TEST_F(Sacrifice, EachRecordHasItsEndAndOnlyFaultsCostAProcess) {
  const uint64_t before = device->counters().worker_starts;
  Batch& batch = submit<FixtureRecord>(
      "fixture", {fixture(false, 1), fixture(false, 2), fixture(true), fixture(true), fixture(false, 3)});
  device->wait(batch);
  for (const uint32_t i : {0u, 1u, 4u}) {
    EXPECT_EQ(batch.ends[i].ended, Ended::done) << i;
    uint32_t value;
    std::memcpy(&value, batch.output.data() + 16 * i, sizeof value);
    EXPECT_EQ(value, i == 4 ? 3 : i + 1);
  }
  expect_faulted(batch.ends[2]);
  expect_faulted(batch.ends[3]);
  // One for the first three, of which the third shows only in a fresh one that it is to blame; one for each
  // that is; one for the last.
  EXPECT_EQ(device->counters().worker_starts - before, 4u);
  EXPECT_EQ(device->counters().bisections, 0u);
  EXPECT_TRUE(has(workers(), first)) << "ordinary batches lost their process";
  device->release(batch);
}

TEST_F(Sacrifice, BatchesGoSideBySideEachInItsOwnProcess) {
  std::vector<Batch*> batches;
  for (int b = 0; b < 8; ++b)
    batches.push_back(&submit<FixtureRecord>("fixture", {fixture(b % 2 == 0), fixture(true)}));
  for (int b = 0; b < 8; ++b) {
    device->wait(*batches[b]);
    if (b % 2 == 0)
      expect_faulted(batches[b]->ends[0]);
    else
      EXPECT_EQ(batches[b]->ends[0].ended, Ended::done);
    expect_faulted(batches[b]->ends[1]);
  }
  EXPECT_GT(workers().size(), 2u);
  for (Batch* batch : batches) device->release(*batch);
}

TEST_F(Sacrifice, AProcessThatDiesWhileItStandsByCostsNoRecordItsEnd) {
  for (const int signal : {SIGKILL, SIGSEGV, SIGTERM}) {
    SCOPED_TRACE(signal);
    Batch& opens = submit<FixtureRecord>("fixture", {fixture(true)});
    device->wait(opens);
    device->release(opens);
    const std::vector<pid_t> standing_by = workers();
    EXPECT_GE(standing_by.size(), 2u) << "none was opened ahead";
    for (const pid_t pid : standing_by) kill(pid, signal);
    std::vector<Batch*> batches;
    for (int b = 0; b < 6; ++b)
      batches.push_back(&submit<FixtureRecord>("fixture", {fixture(false, 7), fixture(b % 2 != 0)}));
    for (int b = 0; b < 6; ++b) {
      device->wait(*batches[b]);
      EXPECT_EQ(batches[b]->ends[0].ended, Ended::done) << b;
      if (b % 2 != 0)
        expect_faulted(batches[b]->ends[1]);
      else
        EXPECT_EQ(batches[b]->ends[1].ended, Ended::done) << b;
      device->release(*batches[b]);
    }
  }
}

EncodeTiledRecord call(uint32_t rank, uint32_t null_mask = 0) {
  EncodeTiledRecord record{};
  record.args.rank = rank;
  record.args.global_dim[0] = 64;
  record.args.box_dim[0] = 64;
  record.args.element_stride[0] = 1;
  record.null_mask = null_mask;
  record.before = 0x5a;
  return record;
}

TEST_F(Sacrifice, CallsOfTheDriverTakeForks) {
  std::set<pid_t> forks;
  for (int i = 0; i < 3; ++i) {
    Batch& batch = submit<EncodeTiledRecord>("encode_tiled", {call(1), call(7), call(1)});
    device->wait(batch);
    EXPECT_EQ(batch.ends[0].ended, Ended::done);
    EXPECT_EQ(batch.ends[1].ended, Ended::rejected);
    EXPECT_EQ(batch.ends[1].code, 1);
    EXPECT_EQ(batch.ends[2].ended, Ended::done);
    device->release(batch);
    for (const pid_t pid : workers())
      if (pid != first) forks.insert(pid), kill(pid, i == 0 ? SIGSEGV : SIGKILL);
  }
  EXPECT_GE(forks.size(), 4u) << "twice the process that is forked, and its fork";
  EXPECT_EQ(device->counters().launches, 0u);
}

TEST_F(Sacrifice, WhatHasNoEndWhenTimeIsUpIsCutOff) {
  device->end_by(std::chrono::steady_clock::now());
  Batch& late = submit<FixtureRecord>("fixture", {fixture(true), fixture(false)});
  device->wait(late);
  EXPECT_EQ(late.ends[0].ended, Ended::cut_off);
  EXPECT_EQ(late.ends[1].ended, Ended::cut_off);
  device->release(late);
  device->end_by(std::nullopt);
  const auto before = std::chrono::steady_clock::now();
  Batch& hangs = submit<FixtureRecord>("fixture", {{Fixture::hang, 1, 0, 0}, {Fixture::hang, 1, 0, 0}});
  device->end_by(before + std::chrono::milliseconds(2500));
  device->wait(hangs);
  EXPECT_NE(hangs.ends[1].ended, Ended::done);
  EXPECT_NE(hangs.ends[1].ended, Ended::not_run);
  device->release(hangs);
  device->end_by(std::nullopt);
  Batch& goes_on = submit<FixtureRecord>("fixture", {fixture(true)});
  device->wait(goes_on);
  expect_faulted(goes_on.ends[0]);
  device->release(goes_on);
}

}  // namespace
}  // namespace assay::cuda
