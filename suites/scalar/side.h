// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "devices/cuda/opened_device.h"
#include "suites/scalar/program.h"

namespace assay::suites::scalar {

/// What a module left behind: for each kernel, slot s of thread t at s * threads + t.
using Results = std::vector<std::vector<uint64_t>>;

/// A driver that runs modules of scalar programs, in the process that makes it.
class Side {
 public:
  explicit Side(const cuda::DeviceSpec& spec);
  /// Throws DriverFailure: after a sticky one the process can do no more on this side.
  Results run(const gen::scalar::Module& module);
  int capability() const { return opened_.capability; }

 private:
  void reserve(cuda::DeviceAddress& memory, size_t& bytes, size_t wanted);

  cuda::OpenedDriver opened_;
  cuda::DeviceAddress inputs_ = 0, results_ = 0;
  size_t input_bytes_ = 0, result_bytes_ = 0;
};

}  // namespace assay::suites::scalar
