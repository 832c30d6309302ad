// SPDX-License-Identifier: Apache-2.0
// A hang, a trap, a stray write and a killed process cost one record its end, on the device of
// ASSAY_TEST_DEVICE.
#include "devices/cuda/sandbox.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "devices/cuda/test_device.h"
#include "kernels/params/fixture.h"

namespace assay::cuda {
namespace {

using params::Fixture;
using params::FixtureRecord;

DeviceLimits short_limits() {
  DeviceLimits limits;
  limits.case_time = std::chrono::milliseconds(1500);
  limits.batches = 3;
  return limits;
}

/// As workers(), once there is one: after a kill the driver may hold the dead process for seconds before the
/// next one starts.
std::vector<pid_t> workers_when_there() {
  for (int tries = 0; tries < 6000; ++tries) {
    std::vector<pid_t> found = workers();
    if (!found.empty()) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

std::vector<FixtureRecord> innocents(uint32_t count, Fixture fixture) {
  std::vector<FixtureRecord> records;
  for (uint32_t i = 0; i < count; ++i) records.push_back({fixture, 0, 1000 + i, 0});
  return records;
}

void expect_value(const Ran& ran, uint32_t record) {
  ASSERT_EQ(ran.ends[record].ended, Ended::done) << record << " code " << ran.ends[record].code;
  for (int word = 0; word < 4; ++word) {
    uint32_t value;
    std::memcpy(&value, ran.output.data() + 16 * record + 4 * word, 4);
    ASSERT_EQ(value, 1000 + record);
  }
}

void expect_one_guilty(Fixture fixture, Ended ended, int32_t code) {
  const auto device = open_device(test_device_spec(), short_limits());
  std::vector<FixtureRecord> records = innocents(200, fixture);
  records[123].guilty = 1;
  const Ran ran = run_batch(*device, "fixture", records);
  for (uint32_t i = 0; i < 200; ++i) {
    if (i == 123) continue;
    expect_value(ran, i);
  }
  EXPECT_EQ(ran.ends[123].ended, ended);
  if (code) {
    EXPECT_EQ(ran.ends[123].code, code);
  }
  EXPECT_FALSE(ran.notes.empty());
  EXPECT_GE(device->counters().worker_starts,
            3u);  // the first, one after the batch, one after the record alone
  EXPECT_GE(device->counters().bisections, 2u);
  // The device goes on.
  expect_value(run_batch(*device, "fixture", innocents(10, fixture)), 9);
}

TEST(Sandbox, AHangCostsOneRecord) {
  expect_one_guilty(Fixture::hang, Ended::hung, 0);
}
TEST(Sandbox, ATrapCostsOneRecord) {
  expect_one_guilty(Fixture::trap, Ended::faulted, 0);
}
TEST(Sandbox, AStrayWriteCostsOneRecord) {
  expect_one_guilty(Fixture::write_out_of_bounds, Ended::faulted, 700);
}

TEST(Sandbox, SeveralGuiltyInSeveralBatches) {
  const auto device = open_device(test_device_spec(), short_limits());
  std::vector<Batch*> batches;
  for (int b = 0; b < 3; ++b) {
    Batch& batch = device->acquire();
    std::vector<FixtureRecord> records = innocents(64, Fixture::trap);
    if (b != 1) records[7].guilty = records[60].guilty = 1;
    batch.family = "fixture";
    batch.count = 64;
    std::memcpy(batch.records.data(), records.data(), records.size() * sizeof records[0]);
    device->submit(batch);
    batches.push_back(&batch);
  }
  for (int b = 0; b < 3; ++b) {
    device->wait(*batches[b]);
    for (uint32_t i = 0; i < 64; ++i) {
      const bool guilty = b != 1 && (i == 7 || i == 60);
      EXPECT_EQ(batches[b]->ends[i].ended, guilty ? Ended::faulted : Ended::done) << b << " " << i;
    }
    device->release(*batches[b]);
  }
}

TEST(Sandbox, AnInnocentRecordBesideAGuiltyBatchIsNotBlamed) {
  // On a GPU both are in flight at once, and the innocent one is under way when the context dies.
  const auto device = open_device(test_device_spec(), short_limits());
  std::vector<Batch*> batches;
  for (const bool guilty : {true, false}) {
    Batch& batch = device->acquire();
    const FixtureRecord record{Fixture::trap, guilty, 1000, 0};
    batch.family = "fixture";
    batch.count = 1;
    std::memcpy(batch.records.data(), &record, sizeof record);
    batches.push_back(&batch);
  }
  for (Batch* batch : batches) device->submit(*batch);
  for (Batch* batch : batches) device->wait(*batch);
  EXPECT_EQ(batches[0]->ends[0].ended, Ended::faulted);
  EXPECT_EQ(batches[1]->ends[0].ended, Ended::done);
}

TEST(Sandbox, OneGuiltyRecordBesideManyBusyBatchesIsNoResetOfTheDevice) {
  // On a GPU the others are under way as well when its context dies, and end well in a fresh one.
  const size_t most = 6;
  DeviceLimits limits = short_limits();
  limits.batches = most;
  const auto device = open_device(test_device_spec(), limits);
  std::vector<Batch*> batches;
  for (size_t b = 0; b < most; ++b) {
    Batch& batch = device->acquire();
    std::vector<FixtureRecord> records = innocents(2000, Fixture::trap);
    records[1000].guilty = b == most - 1;
    batch.family = "fixture";
    batch.count = static_cast<uint32_t>(records.size());
    std::memcpy(batch.records.data(), records.data(), records.size() * sizeof records[0]);
    batches.push_back(&batch);
  }
  for (Batch* batch : batches) device->submit(*batch);
  for (size_t b = 0; b < most; ++b) {
    device->wait(*batches[b]);
    for (uint32_t i = 0; i < batches[b]->count; ++i)
      ASSERT_EQ(batches[b]->ends[i].ended, b == most - 1 && i == 1000 ? Ended::faulted : Ended::done);
    device->release(*batches[b]);
  }
}

TEST(Sandbox, AKilledWorkerLosesNothing) {
  const auto device = open_device(test_device_spec(), short_limits());
  std::vector<params::TiledCopyRecord> records;
  for (uint32_t i = 0; i < 2000; ++i) {
    params::TiledCopyRecord r = byte_copy(params::CopyOp::load, {256, 64}, {32, 4}, {0, 0});
    r.output_offset = i * 4096;
    r.map.global_address = 4096 * i;
    records.push_back(with_opcode(r));
  }
  for (const int delay_ms : {0, 1, 20}) {
    Batch& batch = device->acquire();
    batch.family = "tma_tiled_copy";
    batch.count = 2000;
    std::memcpy(batch.records.data(), records.data(), records.size() * sizeof records[0]);
    device->submit(batch);
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    const std::vector<pid_t> before = workers_when_there();
    EXPECT_FALSE(before.empty());
    for (const pid_t pid : before) kill(pid, SIGKILL);
    device->wait(batch);
    for (uint32_t i = 0; i < 2000; ++i) {
      ASSERT_EQ(batch.ends[i].ended, Ended::done) << i;
      ASSERT_EQ(batch.output[i * 4096], arena_byte(4096 * i)) << i;
    }
    device->release(batch);
  }
  // Also when it was idle, and the next batch has one record that could be blamed.
  for (int i = 0; i < 10; ++i) {
    for (const pid_t pid : workers()) kill(pid, SIGKILL);
    expect_value(run_batch(*device, "fixture", innocents(1, Fixture::trap)), 0);
  }
}

// An emulated device has a process that stands by, of which those that run cases are copies.
TEST(Sandbox, AReplacedWorkerIsACopyOfTheProcessThatStandsBy) {
  if (!parse_device_spec(test_device_spec()).emulator) GTEST_SKIP() << "declined: a GPU's process is no copy";
  DeviceLimits limits = short_limits();
  limits.batches = 1;
  const auto device = open_device(test_device_spec(), limits);
  std::vector<pid_t> both = workers();
  ASSERT_EQ(both.size(), 2u);
  std::sort(both.begin(), both.end());
  const pid_t stands_by = both[0];
  for (int i = 0; i < 3; ++i) {
    kill(both[1], SIGKILL);
    expect_value(run_batch(*device, "fixture", innocents(1, Fixture::trap)), 0);
    std::vector<pid_t> now = workers();
    std::sort(now.begin(), now.end());
    ASSERT_EQ(now.size(), 2u);
    EXPECT_EQ(now[0], stands_by);
    EXPECT_NE(now[1], both[1]);
    both = now;
  }
  // Without it another one is opened.
  for (const pid_t pid : both) kill(pid, SIGKILL);
  expect_value(run_batch(*device, "fixture", innocents(1, Fixture::trap)), 0);
  const std::vector<pid_t> after = workers();
  EXPECT_EQ(after.size(), 2u);
  EXPECT_EQ(std::count(after.begin(), after.end(), stands_by), 0);
}

TEST(Sandbox, NoProcessIsLeftBehind) {
  open_device(test_device_spec(), short_limits()).reset();
  EXPECT_TRUE(workers().empty());
}

TEST(Sandbox, WhatCannotBeOpenedSaysWhyInOneSentence) {
  for (const char* spec : {"cuda:97", "emulator:fault=no_such_fault"}) try {
      open_device(spec, short_limits());
      ADD_FAILURE() << spec << " opened";
    } catch (const DeviceError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(spec == std::string("cuda:97") ? "cuda:97" : "fault=no_such_fault"),
                std::string::npos)
          << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      EXPECT_EQ(text.find("died of signal"), std::string::npos) << text;
    }
  EXPECT_TRUE(workers().empty());
}

TEST(Sandbox, ALostDeviceLeavesRecordsNotRunAndNothingHangs) {
  const auto device = open_device("emulator", short_limits());
  Batch& waiting = device->acquire();
  const char* const before = std::getenv("ASSAY_EMULATOR_LIBRARY");
  const std::string kept = before ? before : "";
  setenv("ASSAY_EMULATOR_LIBRARY", "/nonexistent/libassay_emulator.so", 1);
  for (const pid_t pid : workers()) kill(pid, SIGKILL);
  const Ran ran = run_batch(*device, "fixture", innocents(20, Fixture::trap));
  for (const RecordEnd& end : ran.ends) EXPECT_EQ(end.ended, Ended::not_run);
  ASSERT_FALSE(ran.notes.empty());
  EXPECT_NE(ran.notes.back().find("/nonexistent/libassay_emulator.so"), std::string::npos)
      << ran.notes.back();
  EXPECT_THROW(device->acquire(), DeviceError);
  waiting.family = "fixture";
  waiting.count = 1;
  device->submit(waiting);
  device->wait(waiting);
  EXPECT_EQ(waiting.ends[0].ended, Ended::not_run);
  if (before)
    setenv("ASSAY_EMULATOR_LIBRARY", kept.c_str(), 1);
  else
    unsetenv("ASSAY_EMULATOR_LIBRARY");
}

TEST(Sandbox, DoctorGivesAReasonForWhatIsAbsent) {
  const std::vector<DeviceProbe> rows = probe_devices();
  ASSERT_GE(rows.size(), 2u);
  for (const DeviceProbe& row : rows) EXPECT_FALSE(row.detail.empty()) << row.spec;
  EXPECT_EQ(rows.back().spec, "emulator");
  EXPECT_TRUE(rows.back().available) << rows.back().detail;
}

}  // namespace
}  // namespace assay::cuda
