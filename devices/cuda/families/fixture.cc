// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/fixture.h"

#include "devices/cuda/families/probe_launch.h"

namespace assay::cuda {
namespace {

using params::Fixture;
using params::FixtureRecord;

constexpr const char* kernels[] = {"fixture_hang", "fixture_trap", "fixture_write_out_of_bounds"};

std::optional<WrongBatch> check_fixture_batch(const BatchView& batch) {
  if (uint64_t{batch.count} * 16 > batch.output_bytes)
    return WrongBatch{"the batch's output must hold 16 bytes a record", {}};
  const auto* records = reinterpret_cast<const FixtureRecord*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i)
    if (records[i].fixture > Fixture::write_out_of_bounds) return WrongBatch{"no such fixture", i};
  return std::nullopt;
}

std::optional<std::string> declines_fixture(const OpenedDriver&, bool) {
  return std::nullopt;
}

std::pair<uint64_t, uint64_t> output_of(const Job&, uint32_t index) {
  return {16 * uint64_t{index}, 16};
}

void run_fixture(OpenedDevice& device, Job& job) {
  ProbePlan plan{sizeof(FixtureRecord), 0, false, {}, output_of};
  for (const char* kernel : kernels) plan.groups.push_back({device.function("fixtures", kernel), {}});
  for (const uint32_t index : job.group)
    plan.groups[static_cast<size_t>(job.record<FixtureRecord>(index).fixture)].records.push_back(index);
  run_probes(device, job, std::move(plan));
}

const Family fixture_family{"fixture", sizeof(FixtureRecord), check_fixture_batch, declines_fixture,
                            run_fixture};
const RegisterFamily fixture_registered(fixture_family);

}  // namespace
}  // namespace assay::cuda
