// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

class Launch;
class Runner;

/// Runs the launch on at most `runners` host threads, `first` on this one; further ones (Helpers) come
/// when there is enough to do for them. What runs, what it leaves and what is said of it are those
/// of one thread: of several clusters that trap, the first in the grid counts, and clusters that wait for
/// others all the same (by plain accesses that race) go on together on this thread.
std::optional<Diagnostic> run_side_by_side(Runner& first, uint32_t runners);

/// Threads that help with launches. They start when first asked for and stay until the process ends; a
/// process that was forked starts its own.
class Helpers {
 public:
  static Helpers& of_this_process();

  /// Work for up to `most` helpers, from here to the end of the object, which waits for those that have
  /// begun: a helper that the host's kernel has not let run by then is not waited for.
  class Job {
   public:
    /// `work` is called with numbers from 0 up, each once, and must not throw.
    Job(Helpers& helpers, uint32_t most, std::function<void(uint32_t)> work);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

   private:
    friend class Helpers;
    Helpers& helpers_;
    const uint32_t most_;
    const std::function<void(uint32_t)> work_;
    uint32_t begun_ = 0, ended_ = 0;
  };

 private:
  explicit Helpers(pid_t process) : process_(process) {}
  void start_thread();
  [[noreturn]] void serve();

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable has_job_, has_ended_;
  std::list<Job*> jobs_;  ///< that take more helpers
  uint32_t threads_ = 0;
};

/// Host threads that the process may use.
uint32_t usable_cores();

}  // namespace assay::emulator
