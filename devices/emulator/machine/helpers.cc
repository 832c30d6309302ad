// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/helpers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>

namespace assay::emulator {
namespace {

std::atomic<Helpers*> of_process{nullptr};

/// Signals of the process are for the threads that the program knows.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }

 private:
  sigset_t saved_;
};

/// Whoever closes the library finds its threads in it: it stays.
void keep_library() {
  Dl_info found;
  if (dladdr(reinterpret_cast<void*>(&keep_library), &found) != 0 && found.dli_fname != nullptr)
    dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace

Helpers& Helpers::of_this_process() {
  const pid_t process = getpid();
  Helpers* found = of_process.load();
  while (found == nullptr || found->process_ != process) {
    // Never destroyed: its threads wait in it while the process ends. Nor are those of the parent of a forked
    // process, in which a lock may be held for ever.
    auto* const made = new Helpers(process);
    if (of_process.compare_exchange_strong(found, made)) {
      keep_library();
      return *made;
    }
    delete made;
  }
  return *found;
}

void Helpers::start_thread() {
  try {
    const SignalsBlocked blocked;
    std::thread([this] { serve(); }).detach();
    ++threads_;
  } catch (const std::system_error&) {
    // Those that there are do.
  }
}

void Helpers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_job_.wait(lock, [this] { return !jobs_.empty(); });
    Job& job = *jobs_.front();
    const uint32_t number = job.begun_++;
    if (job.begun_ == job.most_) jobs_.pop_front();
    lock.unlock();
    job.work_(number);
    lock.lock();
    ++job.ended_;
    has_ended_.notify_all();
  }
}

Helpers::Job::Job(Helpers& helpers, uint32_t most, std::function<void(uint32_t)> work)
    : helpers_(helpers), most_(most), work_(std::move(work)) {
  const std::lock_guard lock(helpers_.mutex_);
  if (most_ == 0) return;
  while (helpers_.threads_ < most_) {
    const uint32_t before = helpers_.threads_;
    helpers_.start_thread();
    if (helpers_.threads_ == before) break;
  }
  helpers_.jobs_.push_back(this);
  helpers_.has_job_.notify_all();
}

Helpers::Job::~Job() {
  std::unique_lock lock(helpers_.mutex_);
  helpers_.jobs_.remove(this);
  helpers_.has_ended_.wait(lock, [this] { return ended_ == begun_; });
}

uint32_t usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0)
    return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&cores)));
}

}  // namespace assay::emulator
