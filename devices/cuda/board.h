#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "devices/cuda/busy_time.h"
#include "devices/cuda/region.h"
#include "devices/device.h"

namespace assay::cuda {

/// A Batch and where its memory is.
struct Buffer : Batch {
  enum class State { free, held, submitted, finished };
  uint32_t index = 0;
  Region::BatchMemory memory{};
  std::vector<RecordEnd> end_storage;
  State state = State::free;
};

/// What a Device and its lanes share; everything under the mutex.
struct Board {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Buffer*> queue;  ///< submitted, taken by no lane yet
  bool stopping = false;
  bool opened = false;
  std::string lost;      ///< why the device is lost, or empty
  std::string identity;  ///< JSON, once opened
  DeviceCounters counters;
  BusyTime busy;
  std::map<std::tuple<std::string, std::string, std::string>, uint64_t>
      breaches;  ///< (clause, kernel, where)

  void finish(Buffer& buffer);        ///< ends are there: whoever waits goes on
  void lose(const std::string& why);  ///< every queued batch is not run
};

/// Every record that has no end yet gets this one.
inline constexpr RecordEnd not_run_end{Ended::not_run, 0, ~0u, 0};

}  // namespace assay::cuda
