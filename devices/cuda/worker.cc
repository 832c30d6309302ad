// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "devices/cuda/board.h"
#include "devices/cuda/emulator_notes.h"
#include "devices/cuda/facts.h"
#include "devices/cuda/families/family.h"
#include "devices/cuda/images.h"
#include "devices/cuda/opened_device.h"
#include "devices/cuda/wire.h"

namespace assay::cuda {
namespace {

using nlohmann::json;

/// Lines of a batch's text; of them, of the barriers of one kernel.
constexpr size_t most_notes = 64, most_barriers = 32;

void write_text(char* target, const json& text) {
  const std::string dumped = text.dump(-1, ' ', false, json::error_handler_t::replace);
  const size_t bytes = std::min(dumped.size(), Region::text_bytes - 1);
  std::memcpy(target, dumped.data(), bytes);
  target[bytes] = 0;
}

class Worker {
 public:
  /// `identity_text`: null for a process that is to be open soon, and asked nothing about the device.
  Worker(const DeviceSpec& spec, const Region& region, char* identity_text)
      : region_(region), device_(spec, region_) {
    if (identity_text == nullptr) return;
    json identity = to_json(identify(device_, spec));
    json declined = json::object();
    for (const Family* family : all_families())
      if (const auto why = declines(*family)) declined[std::string(family->name)] = *why;
    identity["declines"] = std::move(declined);
    write_text(identity_text, identity);
    load_kernels();
  }

  std::optional<std::string> declines(const Family& family) {
    if (auto why = family.declines(device_, device_.emulator)) return why;
    int version = 0;
    if (family.module == nullptr || device_.emulator || device_.driver.driver_version(&version) != 0)
      return {};
    return driver_lacks(family.module, device_.capability, version);
  }

  /// Runs what the parent orders, until it says quit or is gone. No threads: on this one.
  void listen(int socket, int threads) {
    socket_ = socket;
    for (int i = 0; i < threads; ++i) std::thread([this] { serve(); }).detach();
    report(Report{Report::ready, 0, 0, 0, 0, monotonic_seconds()});
    while (const auto order = receive_message<Order>(socket_)) {
      if (order->kind == Order::quit) return;
      if (threads == 0) {
        run(order->batch);
        continue;
      }
      const std::lock_guard lock(mutex_);
      orders_.push_back(*order);
      changed_.notify_one();
    }
  }

  /// Instead: for each socket that the parent sends a process that listens to it, until the parent is gone. A
  /// process that a fault has ended is so replaced without opening the device and assembling its kernels
  /// again.
  void stand_by(int parent, int threads) {
    socket_ = parent;
    report(Report{Report::ready, 0, 1, 0, 0, 0});
    for (int socket; (socket = receive_descriptor(parent)) >= 0; close(socket)) {
      device_.load_used_files();
      // Its parent is this one's, which waits for it; none of its pages is shared.
      const auto pid = static_cast<int32_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
      if (pid == 0) {
        close(parent);
        if (threads == 0 && !can_call()) return;
        listen(socket, threads);
        return;
      }
      const Started answer{pid};
      if (!send_message(parent, &answer, sizeof answer)) return;
    }
  }

 private:
  /// Whether the driver takes a legal call of this process, which it may know to be a copy.
  bool can_call() {
    TensorMap map;
    const uint64_t dim = 64, stride = 64;
    const uint32_t box = 64, step = 1;
    const Driver& d = device_.driver;
    try {
      device_.enter();
      return d.encode_tiled(&map, 0, 1, nullptr, &dim, &stride, &box, &step, 0, 0, 0, 0) == 0;
    } catch (const DriverFailure&) {
      return false;
    }
  }

  /// Before the first batch, whose time is limited. What cannot be loaded fails again, and is told, when it
  /// is needed.
  void load_kernels() {
    for (const char* kernel : {"tensor_load", "tensor_store", "tensor_load_cluster"}) try {
        device_.function("tensor_copy", kernel);
      } catch (const std::exception&) {
      }
  }

  void report(const Report& message) { send_message(socket_, &message, sizeof message); }

  void serve() {
    device_.enter();
    for (;;) {
      Order order;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !orders_.empty(); });
        order = orders_.front();
        orders_.pop_front();
      }
      run(order.batch);
    }
  }

  void run(uint32_t batch) {
    const Region::BatchMemory memory = region_.batch(batch);
    Job job;
    job.batch = batch;
    job.memory = memory;
    job.group = {memory.group, memory.control->group_count};
    job.whole = memory.control->whole;
    Report outcome{Report::done, batch, 0, 0, 0, 0};
    const Family* const family = find_family(memory.control->family);
    const double start = monotonic_seconds();
    try {
      if (!family) throw std::runtime_error(std::string("no family '") + memory.control->family + "'");
      family->run(device_, job);
    } catch (const DriverFailure& failure) {
      outcome.kind = is_sticky(failure.result) ? Report::fault : Report::rig;
      outcome.code = failure.result;
      if (outcome.kind == Report::rig) job.notes.push_back(failure.what());
    } catch (const std::exception& failure) {
      outcome.kind = Report::rig;
      job.notes.push_back(failure.what());
    }
    outcome.launches = job.launches;
    // Calls and compilations without a launch keep the process, and with it the device, busy: a run that took
    // them for free would give them all its time.
    outcome.start = job.launches == 0 ? start : job.start;
    outcome.end = job.launches == 0 ? monotonic_seconds() : job.end;
    memory.control->text_bytes = 0;
    std::vector<json> breaches = take_lines(device_.driver.take_breaches);
    const std::vector<json> notes = take_lines(device_.driver.take_notes);
    // What a driver call refused is the record's own end and no news; what a kernel did is.
    for (const json& note : notes)
      if (outcome.kind != Report::done || note.value("kind", "") != "driver")
        job.notes.push_back(note_in_words(note));
    for (const json& note : notes)
      for (std::string& line : barriers_in_words(note, family ? family->names : nullptr, most_barriers))
        job.notes.push_back(std::move(line));
    if (!job.notes.empty() || !breaches.empty()) {
      // What would not fit the text area is repetition.
      if (job.notes.size() > most_notes) job.notes.resize(most_notes);
      for (std::string& note : job.notes) note.resize(std::min<size_t>(note.size(), 800));
      if (breaches.size() > 80) breaches.resize(80);
      write_text(memory.text, {{"notes", job.notes}, {"breaches", std::move(breaches)}});
      memory.control->text_bytes = static_cast<uint32_t>(std::strlen(memory.text));
    }
    report(outcome);
  }

  const Region& region_;
  int socket_ = -1;
  OpenedDevice device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
};

/// A fork has only the thread that forks.
bool has_one_thread() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

std::string option(int argc, char** argv, std::string_view name) {
  for (int i = 0; i + 1 < argc; ++i)
    if (argv[i] == name) return argv[i + 1];
  throw std::runtime_error("device-worker needs " + std::string(name));
}

int run_worker(int argc, char** argv) {
  const int socket = std::stoi(option(argc, argv, "--socket"));
  const Region region =
      Region::attach(std::stoi(option(argc, argv, "--region")), std::stoi(option(argc, argv, "--arena")));
  char* const identity = region.identity(static_cast<uint32_t>(std::stoi(option(argc, argv, "--process"))));
  try {
    const DeviceSpec spec = parse_device_spec(option(argc, argv, "--device"));
    const int threads = std::stoi(option(argc, argv, "--threads"));
    const auto kind = static_cast<ProcessKind>(std::stoi(option(argc, argv, "--kind")));
    // One queue to the GPU in place of many halves what a context costs (H200).
    if (kind != ProcessKind::ordinary) setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
    Worker worker(spec, region, kind == ProcessKind::ordinary ? identity : nullptr);
    // A process that has used a GPU cannot be forked and use it on, but a fork can call what is computed by
    // the driver alone; one that has our emulator can do all. Of another library in its place nothing is
    // known, and its device may be lost.
    if (kind == ProcessKind::calls)
      worker.stand_by(socket, 0);
    else if (spec.emulator && std::getenv("ASSAY_EMULATOR_LIBRARY") == nullptr && has_one_thread())
      worker.stand_by(socket, threads);
    else
      worker.listen(socket, threads);
    // Threads may still be inside the driver, and a hung GPU would hold its clean-up: leave without it.
    _exit(0);
  } catch (const std::exception& failure) {
    write_text(identity, failure.what());
    const Report failed{Report::failed, 0, 0, 0, 0, 0};
    send_message(socket, &failed, sizeof failed);
    _exit(1);
  }
}

}  // namespace
}  // namespace assay::cuda

namespace assay {

int device_worker_main(int argc, char** argv) {
  std::signal(SIGINT,
              SIG_IGN);  // Ctrl-C is for the parent, which ends this process when it has what it wants
  std::signal(SIGHUP, SIG_IGN);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  setenv("ASSAY_DEVICE_WORKER", "1", 1);
  try {
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]) == "--probe") return cuda::print_probe(argv[i + 1] ? argv[i + 1] : "");
    dup2(2, 1);  // a kernel's printf must not mix with the program's output
    return cuda::run_worker(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "device-worker: %s\n", failure.what());
    return 2;
  }
}

}  // namespace assay
