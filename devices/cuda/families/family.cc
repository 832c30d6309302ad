// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/family.h"

#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/fixture.h"

namespace assay::cuda {
namespace {

std::vector<const Family*>& families() {
  static std::vector<const Family*> registered;
  return registered;
}

}  // namespace

bool is_output_slot(const BatchView& batch, uint64_t offset, uint64_t bytes) {
  return offset % 256 == 0 && offset <= batch.output_bytes && bytes <= batch.output_bytes - offset;
}

std::string but_has(const OpenedDriver& opened, const std::string& what) {
  return what + " (device: " + std::to_string(opened.capability / 10) + "." +
         std::to_string(opened.capability % 10) + ")";
}

std::optional<std::string> declines_without(const OpenedDriver& opened, spec::Mechanism mechanism) {
  if (spec::has(spec::find_arch(opened.capability), mechanism)) return std::nullopt;
  return but_has(opened, spec::requires_capability(mechanism));
}

std::optional<std::string> declines_unknown(const OpenedDriver& opened) {
  if (spec::find_arch(opened.capability)) return std::nullopt;
  return but_has(opened, "requires compute capability " + spec::listed(spec::capability_text));
}

std::optional<std::string> declines_before_9_0(const OpenedDriver& opened, bool) {
  if (opened.capability >= 90) return std::nullopt;
  return but_has(opened, "requires compute capability 9.0");
}

RegisterFamily::RegisterFamily(const Family& family) : family_(family) {
  families().push_back(&family_);
}

const Family* find_family(std::string_view name) {
  for (const Family* family : families())
    if (family->name == name) return family;
  return nullptr;
}

std::vector<const Family*> all_families() {
  return families();
}

std::optional<std::string> declines_largest_cluster(const OpenedDriver& opened) {
  if (opened.largest_cluster >= params::largest_cluster) return std::nullopt;
  return "the device has no room for a cluster of " + std::to_string(params::largest_cluster) +
         " CTAs with all shared memory that a CTA may have";
}

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

const RegisterFamily fixture({"fixture", sizeof(FixtureRecord), check_fixture_batch, declines_fixture,
                              run_fixture});

}  // namespace
}  // namespace assay::cuda
