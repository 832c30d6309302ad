// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace assay::cuda {

/// What the management library of the kernel-mode driver says of one GPU. Entry points and enumerators are
/// those of NVML's public reference; every call returns 0 for success.
class Nvml {
 public:
  using Handle = void*;

  /// uuid as cuDeviceGetUuid shows it: "GPU-...".
  explicit Nvml(const std::string& uuid);

  /// Why there is nothing to ask, or empty: the library is absent, or does not know the GPU.
  const std::string& absent() const { return absent_; }
  bool has_library() const { return library_ != nullptr; }

  /// Calls symbol(GPU, arguments...); false: the library has no such function, or it failed.
  template <typename... Arguments>
  bool ask(const char* symbol, Arguments... arguments) const {
    if (gpu_ == nullptr) return false;
    auto* const call = find<int(Handle, Arguments...)>(symbol);
    return call != nullptr && call(gpu_, arguments...) == 0;
  }
  template <typename Call>
  Call* find(const char* symbol) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Call*>(dlsym(library_, symbol));
  }

  /// Processes that compute on the GPU; nothing where they cannot be listed, as in many containers.
  std::optional<std::vector<uint32_t>> processes() const;
  /// Whether the GPU is cut into instances.
  bool is_partitioned() const;

 private:
  void* library_ = nullptr;
  Handle gpu_ = nullptr;
  std::string absent_;
};

/// A GPU at one moment. What NVML does not tell is 0.
struct TelemetrySample {
  double seconds = 0;  ///< since the first sample
  uint32_t milliwatts = 0, sm_mhz = 0, memory_mhz = 0, celsius = 0;
  uint64_t millijoules = 0;  ///< since the driver was loaded
  uint64_t throttle = 0;     ///< nvmlClocksThrottleReasons
  uint64_t uncorrected = 0;  ///< errors of memory that ECC did not correct, since the driver was loaded
};

/// Takes ten samples a second until it is stopped, in a thread of its own.
class Telemetry {
 public:
  explicit Telemetry(const std::string& uuid);
  ~Telemetry();
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  const std::string& absent() const { return nvml_.absent(); }
  /// The last sample so far.
  TelemetrySample latest();
  /// Ends the thread.
  const std::vector<TelemetrySample>& stop();

 private:
  TelemetrySample sample() const;

  const Nvml nvml_;
  std::mutex mutex_;  ///< of the samples, while the thread runs
  std::vector<TelemetrySample> samples_;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

/// "SW power cap, HW thermal slowdown", of the bits that any sample has, but for that of an idle GPU.
std::string throttle_words(uint64_t reasons);

}  // namespace assay::cuda
