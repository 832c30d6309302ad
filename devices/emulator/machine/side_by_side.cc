// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/side_by_side.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "devices/emulator/alu/half.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/runner.h"

namespace assay::emulator {
namespace {

using Clock = std::chrono::steady_clock;

/// A launch that is over by then is not worth help, which takes a tenth of it to come.
constexpr auto worth_help = std::chrono::microseconds(100);
/// Rounds between looks at the clock.
constexpr uint32_t look_every = 4;
constexpr uint64_t none = std::numeric_limits<uint64_t>::max();

class SideBySide {
 public:
  SideBySide(Runner& first, uint32_t runners) : launch_(first.launch), first_(first), runners_(runners) {}
  std::optional<Diagnostic> run();

 private:
  struct Helper {
    std::unique_ptr<Runner> runner;
    std::exception_ptr failure;
  };

  void work(Runner& runner);
  std::optional<uint64_t> take(const Runner& runner);
  void call_helpers();
  void help(Helper& helper);
  void merge();
  void note_trap(uint64_t cluster, Diagnostic trap, std::string assertions);

  Launch& launch_;
  Runner& first_;
  const uint32_t runners_;
  const Clock::time_point begin_ = Clock::now();
  uint32_t rounds_ = 0;
  std::vector<Helper> helpers_;
  /// Clusters after this one need not run: it trapped.
  std::atomic<uint64_t> last_wanted_{none};
  std::mutex mutex_;  ///< of what follows
  std::optional<Diagnostic> trap_;
  std::string assertions_;  ///< that failed with it
  std::vector<std::unique_ptr<Cluster>> waiting_;
  std::vector<std::pair<const Runner*, uint64_t>> running_;
  /// Last: what it does ends before what it uses.
  std::optional<Helpers::Job> job_;
};

void SideBySide::note_trap(uint64_t cluster, Diagnostic trap, std::string assertions) {
  const std::lock_guard lock(mutex_);
  if (cluster >= last_wanted_) return;
  last_wanted_ = cluster;
  trap_ = std::move(trap);
  assertions_ = std::move(assertions);
}

std::optional<uint64_t> SideBySide::take(const Runner& runner) {
  const std::lock_guard lock(mutex_);
  std::erase_if(running_, [&](const auto& one) { return one.first == &runner; });
  if (last_wanted_ != none || !launch_.has_next()) return std::nullopt;
  if (!waiting_.empty()) {
    // Those that run may have to wait too: then no more may be resident than one thread would have.
    std::vector<uint64_t> resident;
    for (const auto& cluster : waiting_) resident.push_back(cluster->index);
    for (const auto& [other, index] : running_) resident.push_back(index);
    if (!launch_.has_room_for(launch_.next(), resident)) return std::nullopt;
  }
  const std::optional<uint64_t> taken = launch_.take_next();
  if (taken) running_.emplace_back(&runner, *taken);
  return taken;
}

void SideBySide::work(Runner& runner) {
  const bool is_first = &runner == &first_;
  while (const std::optional<uint64_t> index = take(runner)) {
    if (is_first && !job_) call_helpers();
    const auto is_wanted = [&] {
      if (is_first && !job_) call_helpers();
      return *index <= last_wanted_.load(std::memory_order_relaxed);
    };
    try {
      const Runner::Alone end = runner.run_alone(*index, is_wanted);
      if (end == Runner::Alone::stopped) return;
      if (end == Runner::Alone::waits) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(runner.give());
      }
    } catch (const Trap& trap) {
      note_trap(*index, runner.describe(trap), std::move(runner.failed_assertions));
      return;
    }
  }
}

void SideBySide::call_helpers() {
  if (++rounds_ % look_every != 0 || !launch_.has_next() || Clock::now() - begin_ < worth_help) return;
  const uint64_t left = launch_.clusters - launch_.next();
  const uint32_t most = static_cast<uint32_t>(std::min<uint64_t>(left, runners_ - 1));
  helpers_.resize(most);
  job_.emplace(Helpers::of_this_process(), most, [this](uint32_t number) { help(helpers_[number]); });
}

void SideBySide::help(Helper& helper) {
  const HostFloat host_float;
  try {
    helper.runner = std::make_unique<Runner>(launch_);
    work(*helper.runner);
  } catch (...) {
    helper.failure = std::current_exception();
    last_wanted_ = 0;
  }
}

void SideBySide::merge() {
  for (const Helper& helper : helpers_) {
    if (helper.failure) std::rethrow_exception(helper.failure);
    if (!helper.runner) continue;
    Runner& runner = *helper.runner;
    first_.instructions += runner.instructions;
    first_.prints.merge(std::move(runner.prints));
    auto& read = first_.first_uninitialised_read;
    const auto& other = runner.first_uninitialised_read;
    if (other && (!read || other->first < read->first)) read = other;
  }
  if (!trap_) return;
  launch_.forget_logs_after(last_wanted_);
  first_.failed_assertions = assertions_;
  first_.prints.forget_after(last_wanted_);
  auto& read = first_.first_uninitialised_read;
  if (read && read->first > last_wanted_) read.reset();
}

std::optional<Diagnostic> SideBySide::run() {
  try {
    work(first_);
  } catch (...) {
    last_wanted_ = 0;
    throw;
  }
  job_.reset();
  merge();
  if (trap_) return trap_;
  std::sort(waiting_.begin(), waiting_.end(),
            [](const auto& a, const auto& b) { return a->index < b->index; });
  for (auto& cluster : waiting_) first_.take(std::move(cluster));
  return first_.run_all();
}

}  // namespace

std::optional<Diagnostic> run_side_by_side(Runner& first, uint32_t runners) {
  return SideBySide(first, runners).run();
}

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
