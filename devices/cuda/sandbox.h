// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "devices/cuda/board.h"
#include "devices/cuda/device_spec.h"
#include "devices/cuda/lane.h"
#include "devices/device.h"

namespace assay::cuda {

/// A device owned by child processes: one for a GPU with several batches in flight, one a core for the
/// emulator.
class Sandbox final : public Device {
 public:
  /// Throws DeviceError when the device cannot be opened.
  Sandbox(const DeviceSpec&, const DeviceLimits&);
  ~Sandbox() override;
  const DeviceIdentity& identity() const override { return identity_; }
  std::optional<std::string> declines(std::string_view family) const override;
  double sacrifice_seconds(std::string_view family) const override;
  Batch& acquire() override;
  void submit(Batch&) override;
  void wait(Batch&) override;
  void release(Batch&) override;
  void end_by(std::optional<std::chrono::steady_clock::time_point>) override;
  DeviceCounters counters() const override;
  std::vector<StrictFinding> strict_findings() const override;

 private:
  const DeviceSpec spec_;
  const DeviceLimits limits_;
  const int processes_;
  Region region_;
  mutable Board board_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  DeviceIdentity identity_;
  std::map<std::string, std::string, std::less<>> declined_;  ///< by the device, by family
  mutable std::mutex asked_mutex_;
  mutable std::map<std::string, std::optional<std::string>, std::less<>> asked_;  ///< of hosts, by family
  void add_lanes(ProcessKind, int count, int depth);
  void wake(ProcessKind);
  std::mutex lanes_mutex_;
  uint32_t next_process_ = 0;
  bool is_closing_ = false;
  std::map<ProcessKind, std::vector<std::unique_ptr<Lane>>> lanes_;
};

}  // namespace assay::cuda
