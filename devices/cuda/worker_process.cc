// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/worker_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "devices/cuda/wire.h"
#include "devices/device.h"

namespace assay::cuda {
namespace {

/// Opening a context takes seconds on a machine with many GPUs, or while a dead process's context is cleaned
/// up.
constexpr int open_milliseconds = 120'000;
/// A killed process stays until the GPU has let go of its context.
constexpr int reap_milliseconds = 60'000;
/// When nothing is waited for any more, it still may not write into memory that others use.
constexpr double late_reap_seconds = 3;

// Descriptors inside the worker.
constexpr int worker_socket = 200, worker_region = 201, worker_arena = 202;
/// So many files a process must be allowed to have open: those three, and what a driver and a run open.
constexpr rlim_t least_files = 256;

/// Up to its hard limit a process may raise its own.
void allow_open_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= least_files) return;
  const rlim_t allowed = limit.rlim_max;
  limit.rlim_cur = std::min(allowed, least_files);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || allowed < least_files)
    throw DeviceError("a process may have only " + std::to_string(allowed) +
                      " files open here; a device needs " + std::to_string(least_files) + " (ulimit -n)");
}

/// From now to a moment, but at most so many.
int milliseconds_to(double end_at, int most) {
  return static_cast<int>(std::clamp(1e3 * (end_at - monotonic_seconds()), 0.0, double(most)));
}

/// Nothing when the other side is gone or takes too long.
template <typename Message>
std::optional<Message> answer_of(int socket, double end_at, bool* was_late = nullptr) {
  pollfd ready{socket, POLLIN, 0};
  int polled;
  do polled = poll(&ready, 1, milliseconds_to(end_at, open_milliseconds));
  while (polled < 0 && errno == EINTR);
  if (was_late != nullptr) *was_late = polled == 0;
  return polled > 0 ? receive_message<Message>(socket) : std::nullopt;
}

}  // namespace

void WorkerProcess::start(const DeviceSpec& spec, const Region& region, uint32_t process, int threads,
                          ProcessKind kind, double end_at) {
  if (spare_pid_ > 0) {
    if (replicate(end_at)) return;
    end_spare();
  }
  if (!launch(spec, region, process, threads, kind, end_at)) return;
  spare_pid_ = std::exchange(pid_, -1);
  spare_socket_ = std::exchange(socket_, -1);
  if (replicate(end_at)) return;
  end_spare();
  const auto why = nlohmann::json::parse(region.identity(process), nullptr, false);
  throw DeviceError(
      "device '" + spec.text + "' cannot be opened: " +
      (why.is_string() ? why.get<std::string>() : "its process could not start a copy of itself"));
}

bool WorkerProcess::replicate(double end_at) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const bool sent = send_descriptor(spare_socket_, ends[1]);
  close(ends[1]);
  const auto answer = sent ? answer_of<Started>(spare_socket_, end_at) : std::nullopt;
  if (!answer || answer->pid <= 0) {
    close(ends[0]);
    return false;
  }
  pid_ = answer->pid;
  socket_ = ends[0];
  const auto report = answer_of<Report>(socket_, end_at);
  if (report && report->kind == Report::ready) {
    opened_at_ = report->end;
    return true;
  }
  kill_now(end_at);
  return false;
}

void WorkerProcess::end_spare() {
  if (spare_pid_ <= 0) return;
  close(std::exchange(spare_socket_, -1));  // which ends it
  const pid_t pid = std::exchange(spare_pid_, -1);
  int status = 0;
  if (reap(pid, 2000, &status)) return;
  ::kill(pid, SIGKILL);
  reap(pid, reap_milliseconds, &status);
}

bool WorkerProcess::launch(const DeviceSpec& spec, const Region& region, uint32_t process, int threads,
                           ProcessKind kind, double end_at) {
  allow_open_files();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw DeviceError(std::string("cannot talk to the device's process: ") + std::strerror(errno));
  std::memset(region.identity(process), 0, Region::text_bytes);
  try {
    pid_ = start_worker(
        {"--device", spec.text, "--socket", std::to_string(worker_socket), "--region",
         std::to_string(worker_region), "--arena", std::to_string(worker_arena), "--threads",
         std::to_string(threads), "--process", std::to_string(process), "--kind",
         std::to_string(static_cast<int>(kind))},
        {{ends[1], worker_socket}, {region.fd(), worker_region}, {region.arena_fd(), worker_arena}});
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  socket_ = ends[0];
  bool was_late = false;
  const auto report = answer_of<Report>(socket_, end_at, &was_late);
  if (report && report->kind == Report::ready) {
    opened_at_ = report->end;
    return report->code != 0;
  }
  const int status = kill_now(end_at);
  if (report && report->kind == Report::failed) {
    const auto why = nlohmann::json::parse(region.identity(process), nullptr, false);
    throw DeviceError("device '" + spec.text + "' cannot be opened: " +
                      (why.is_string() ? why.get<std::string>() : "the device's process did not say why"));
  }
  throw DeviceError("device '" + spec.text + "' cannot be opened: " +
                    (was_late ? "its process did not answer in time"
                     : WIFSIGNALED(status)
                         ? "its process died of signal " + std::to_string(WTERMSIG(status))
                         : "its process exited with code " + std::to_string(WEXITSTATUS(status))));
}

bool WorkerProcess::send(const Order& order) const {
  return send_message(socket_, &order, sizeof order);
}

int WorkerProcess::kill_now(double end_at) {
  if (pid_ <= 0) return 0;
  int status = 0;
  // A process that is already dead keeps its own status.
  ::kill(pid_, SIGKILL);
  const bool ended = reap(pid_, milliseconds_to(end_at + late_reap_seconds, reap_milliseconds), &status);
  close(socket_);
  socket_ = -1;
  const pid_t pid = pid_;
  pid_ = -1;
  if (!ended)
    throw DeviceError(
        "the process " + std::to_string(pid) +
        " that owns the device does not exit: it is stuck in the driver, and the device is lost");
  return status;
}

void WorkerProcess::end() {
  end_spare();
  if (pid_ <= 0) return;
  send({Order::quit, 0});
  int status = 0;
  if (reap(pid_, 2000, &status)) {
    close(socket_);
    pid_ = socket_ = -1;
    return;
  }
  try {
    kill_now();
  } catch (const DeviceError&) {
    // Nothing is left to do for a process that the driver holds; it has no way to write to us any more.
  }
}

}  // namespace assay::cuda

extern char** environ;

namespace assay::cuda {

std::string worker_program() {
  if (std::getenv("ASSAY_DEVICE_WORKER"))
    throw DeviceError("the process of a device cannot open devices itself");
  if (const char* named = std::getenv("ASSAY_PROGRAM")) return named;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (self.filename() == "assay") return self.string();
  const std::filesystem::path beside = self.parent_path() / "assay";
  if (std::filesystem::exists(beside, error)) return beside.string();
  throw DeviceError("cannot start the process of a device: there is no program 'assay' beside " +
                    self.string() + ", and ASSAY_PROGRAM does not name one");
}

pid_t start_worker(const std::vector<std::string>& arguments,
                   const std::vector<std::pair<int, int>>& descriptors) {
  const std::string program = worker_program();
  std::vector<char*> argv{const_cast<char*>(program.c_str()), const_cast<char*>("device-worker")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const auto& [here, there] : descriptors) posix_spawn_file_actions_adddup2(&actions, here, there);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) throw DeviceError("cannot start " + program + ": " + std::strerror(error));
  return pid;
}

bool reap(pid_t pid, int milliseconds, int* status) {
  const double until = monotonic_seconds() + 1e-3 * milliseconds;
  for (;;) {
    const pid_t got = waitpid(pid, status, WNOHANG);
    if (got == pid || (got < 0 && errno != EINTR)) return true;
    if (monotonic_seconds() > until) return false;
    usleep(500);
  }
}

}  // namespace assay::cuda
