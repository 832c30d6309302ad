// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "devices/cuda/busy_time.h"
#include "devices/cuda/region.h"
#include "devices/device.h"

namespace assay::cuda {

/// What a process is for.
enum class ProcessKind {
  ordinary,   ///< several batches in flight
  sacrifice,  ///< one record at a time, which is likely to end it: opened fast, replaced often
  calls,      ///< the same for records that are calls of the driver alone: a fork of one with a context
};

/// A Batch and where its memory is.
struct Buffer : Batch {
  enum class State { free, held, submitted, finished };
  uint32_t index = 0;
  Region::BatchMemory memory{};
  std::vector<RecordEnd> end_storage;
  State state = State::free;
  /// Records that are still to run; of a batch that was handed from one kind of process to another not all.
  std::vector<uint32_t> open;
};

/// What a Device and its lanes share; everything under the mutex.
struct Board {
  std::mutex mutex;
  std::condition_variable changed;
  /// Submitted, taken by no lane yet; by the kind of process that is to run them.
  std::map<ProcessKind, std::deque<Buffer*>> queues;
  bool stopping = false;
  /// Device::end_by, of monotonic_seconds(); read without the mutex.
  std::atomic<double> end_at{std::numeric_limits<double>::infinity()};
  /// Processes that open the device now; read without the mutex. A GPU opens one at a time, and its work
  /// waits.
  std::atomic<int> opening{0};
  bool opened = false;
  double alive_at = 0;   ///< when a process opened the device last, or ran a record to its end
  std::string lost;      ///< why the device is lost, or empty
  std::string identity;  ///< JSON, once opened
  DeviceCounters counters;
  BusyTime busy;
  std::map<std::tuple<std::string, std::string, std::string>, uint64_t>
      breaches;  ///< (clause, kernel, where)

  std::function<void(ProcessKind)> wake;  ///< lanes of the kind: there is a batch to take

  void submit(Buffer&, ProcessKind);
  void finish(Buffer& buffer);        ///< ends are there: whoever waits goes on
  void lose(const std::string& why);  ///< every queued batch is not run
};

/// Every record that has no end yet gets this one.
inline constexpr RecordEnd not_run_end{Ended::not_run, 0, ~0u, 0};

}  // namespace assay::cuda
