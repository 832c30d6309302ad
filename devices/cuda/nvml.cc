// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/nvml.h"

#include <chrono>

namespace assay::cuda {
namespace {

constexpr int nvml_sm_clock = 1, nvml_memory_clock = 2, gpu_temperature = 0, uncorrected_errors = 1,
              since_driver_load = 0;

/// nvmlProcessInfo_t of version 3.
struct NvmlProcess {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

/// NVML API reference, nvmlClocksEventReasons.
struct ThrottleReason {
  uint64_t bit;
  const char* words;
};
constexpr ThrottleReason throttle_reasons[] = {
    {0x2, "clocks set by an application"},
    {0x4, "SW power cap"},
    {0x8, "HW slowdown"},
    {0x10, "sync boost"},
    {0x20, "SW thermal slowdown"},
    {0x40, "HW thermal slowdown"},
    {0x80, "HW power brake"},
    {0x100, "clocks of a display"},
};

}  // namespace

Nvml::Nvml(const std::string& uuid) {
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    absent_ = "libnvidia-ml.so.1 is not installed";
    return;
  }
  auto* const init = find<int()>("nvmlInit_v2");
  auto* const by_uuid = find<int(const char*, Handle*)>("nvmlDeviceGetHandleByUUID");
  if (init == nullptr || by_uuid == nullptr || init() != 0) {
    library_ = nullptr;
    absent_ = "libnvidia-ml.so.1 cannot be initialised";
  } else if (by_uuid(uuid.c_str(), &gpu_) != 0) {
    gpu_ = nullptr;
    absent_ = "knows no GPU " + uuid;
  }
}

std::optional<std::vector<uint32_t>> Nvml::processes() const {
  NvmlProcess list[256];
  unsigned count = 256;
  if (!ask("nvmlDeviceGetComputeRunningProcesses_v3", &count, list)) return std::nullopt;
  std::vector<uint32_t> pids;
  for (unsigned i = 0; i < count; ++i) pids.push_back(list[i].pid);
  return pids;
}

bool Nvml::is_partitioned() const {
  unsigned now = 0, later = 0;
  return ask("nvmlDeviceGetMigMode", &now, &later) && now != 0;
}

Telemetry::Telemetry(const std::string& uuid) : nvml_(uuid) {
  if (!nvml_.absent().empty()) return;
  thread_ = std::thread([this] {
    const auto start = std::chrono::steady_clock::now();
    const auto take = [&] {
      TelemetrySample now = sample();
      now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const std::lock_guard lock(mutex_);
      samples_.push_back(now);
    };
    constexpr std::chrono::milliseconds period{100};
    take();
    for (auto next = start + period; !stops_; next += period) {
      std::this_thread::sleep_until(next);
      take();
    }
    take();
  });
}

TelemetrySample Telemetry::latest() {
  const std::lock_guard lock(mutex_);
  return samples_.empty() ? TelemetrySample{} : samples_.back();
}

Telemetry::~Telemetry() {
  stop();
}

const std::vector<TelemetrySample>& Telemetry::stop() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
  return samples_;
}

TelemetrySample Telemetry::sample() const {
  TelemetrySample now;
  unsigned value = 0;
  unsigned long long wide = 0;
  if (nvml_.ask("nvmlDeviceGetPowerUsage", &value)) now.milliwatts = value;
  if (nvml_.ask("nvmlDeviceGetClockInfo", nvml_sm_clock, &value)) now.sm_mhz = value;
  if (nvml_.ask("nvmlDeviceGetClockInfo", nvml_memory_clock, &value)) now.memory_mhz = value;
  if (nvml_.ask("nvmlDeviceGetTemperature", gpu_temperature, &value)) now.celsius = value;
  if (nvml_.ask("nvmlDeviceGetTotalEnergyConsumption", &wide)) now.millijoules = wide;
  if (nvml_.ask("nvmlDeviceGetCurrentClocksThrottleReasons", &wide)) now.throttle = wide;
  if (nvml_.ask("nvmlDeviceGetTotalEccErrors", uncorrected_errors, since_driver_load, &wide))
    now.uncorrected = wide;
  return now;
}

std::string throttle_words(uint64_t reasons) {
  std::string words;
  for (const ThrottleReason& reason : throttle_reasons)
    if ((reasons & reason.bit) != 0) words += (words.empty() ? "" : ", ") + std::string(reason.words);
  return words;
}

}  // namespace assay::cuda
