// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace assay::cuda {

/// The program that answers to `device-worker`: ASSAY_PROGRAM, else this one if it is `assay`, else `assay`
/// beside it. Throws DeviceError, also inside a worker.
std::string worker_program();

/// Starts worker_program() with `device-worker` and the arguments. Each pair of descriptors is (here, number
/// there). Throws DeviceError.
pid_t start_worker(const std::vector<std::string>& arguments,
                   const std::vector<std::pair<int, int>>& descriptors);

/// Waits for the process to end, up to the time. Returns false when it did not; `status` is waitpid's.
bool reap(pid_t, int milliseconds, int* status);

}  // namespace assay::cuda
