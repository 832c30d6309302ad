// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "devices/cuda/device_spec.h"
#include "devices/cuda/driver_api.h"
#include "devices/cuda/images.h"
#include "devices/cuda/region.h"
#include "kernels/params/batch.h"

namespace assay::cuda {

/// The path of the driver's shared library for a spec: libcuda.so.1 or what ASSAY_CUDA_DRIVER names; for an
/// emulator libassay_emulator.so from ASSAY_EMULATOR_LIBRARY or beside this program.
std::string driver_library(const DeviceSpec&);

/// Opens the driver and the device's primary context, as far as identity needs it. Throws std::runtime_error
/// with one sentence. Sets ASSAY_EMULATOR for an emulator.
struct OpenedDriver {
  explicit OpenedDriver(const DeviceSpec&);
  int attribute(int which) const;
  /// Whether the driver is the emulator, under whatever name it was loaded.
  bool is_emulated() const;
  Driver driver;
  Ordinal device = 0;
  int capability = 0;  ///< 90 for 9.0
  int sm_count = 0;
  /// CTAs of the largest cluster that the device has room for, each with all shared memory that a CTA may
  /// have; known once the device is opened.
  uint32_t largest_cluster = params::portable_cluster;
};

/// Device memory, stream and events of one batch.
struct Slot {
  Stream stream = nullptr;
  Event base = nullptr, start = nullptr, end = nullptr;
  double base_at = -1e9;  ///< when `base` was reached, seconds of CLOCK_MONOTONIC
  DeviceAddress records = 0, maps = 0, ends = 0, lists = 0, queues = 0, output = 0, notes = 0;
};

/// The device, as the process that owns it sees it.
class OpenedDevice : public OpenedDriver {
 public:
  OpenedDevice(const DeviceSpec&, const Region&);
  /// A kernel of an embedded program, loaded on first use, its shared memory limit raised. Thread-safe. The
  /// machine code comes first; a driver that does not take it assembles the PTX.
  Function function(const char* file, const char* kernel);
  /// Address of a variable of a kernel file in global or constant memory.
  DeviceAddress variable(const char* file, const char* name);
  /// Dynamic shared memory that a CTA of a function() may have: of so many bytes as many as there are. A
  /// window that ends where shared memory does needs no room to be aligned, since the kernel's own lies
  /// before it.
  uint32_t dynamic_shared(Function function, uint32_t bytes);
  Slot& slot(uint32_t batch);  ///< for one thread at a time for one batch
  /// Makes the context current for the calling thread.
  void enter() const;
  /// Writes the whole arena.
  void write_arena();
  /// Loads the kernel files that processes forked from this one have used. What cannot be loaded fails again,
  /// and is told, when it is needed.
  void load_used_files();

  /// Named as an emulator: several processes, few CTAs a launch. A driver that turns out to be one
  /// (is_emulated) under the name of a GPU takes every path of silicon, those that take it seconds less
  /// often.
  const bool emulator, turned_out_emulated;
  const Region& region;
  DeviceAddress arena = 0;
  int max_dynamic_shared = 0;

 private:
  ModuleHandle load(const char* file);
  /// Whether there is room for one of so many.
  bool places_cluster(uint32_t ctas);
  Context context_ = nullptr;
  std::mutex mutex_;
  std::map<std::string, ModuleHandle, std::less<>> modules_;
  UsedFiles used_files_;
  std::map<std::pair<std::string, std::string>, Function> functions_;
  std::map<Function, int> static_shared_;
  std::vector<Slot> slots_;
};

}  // namespace assay::cuda
