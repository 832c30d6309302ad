// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "devices/cuda/board.h"
#include "devices/cuda/device_spec.h"
#include "devices/cuda/region.h"
#include "devices/cuda/wire.h"

namespace assay::cuda {

/// The child process that owns a device, seen from its parent.
class WorkerProcess {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  WorkerProcess() = default;
  ~WorkerProcess() { end(); }
  WorkerProcess(const WorkerProcess&) = delete;

  /// Starts it and waits until the device is open. Throws DeviceError: it was not opened, and why.
  /// `process`: which of the region's identity texts is its own. `end_at`: monotonic_seconds() by which
  /// nobody waits for it any more.
  void start(const DeviceSpec&, const Region&, uint32_t process, int threads,
             ProcessKind = ProcessKind::ordinary, double end_at = never);
  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  int socket() const { return socket_; }
  /// When its device was open: monotonic_seconds().
  double opened_at() const { return opened_at_; }
  bool send(const Order&) const;
  /// Kills and reaps it. Returns waitpid's status: how it had died, if it had. Throws DeviceError when it
  /// does not end, in a minute or soon after `end_at`.
  int kill_now(double end_at = never);
  /// Asks it to end, and kills it when it does not.
  void end();

 private:
  /// A process of the program with a device of its own; whether it stands by (Worker::stand_by).
  bool launch(const DeviceSpec&, const Region&, uint32_t process, int threads, ProcessKind, double end_at);
  /// Lets the process that stands by start one. False: it is gone.
  bool replicate(double end_at);
  void end_spare();

  pid_t pid_ = -1, spare_pid_ = -1;
  int socket_ = -1, spare_socket_ = -1;
  double opened_at_ = 0;
};

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
