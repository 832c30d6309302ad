// SPDX-License-Identifier: Apache-2.0
#include "cli/stop_signal.h"

#include <csignal>

namespace assay::cli {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void ask_to_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

StopSignal::StopSignal() {
  stop_requested = false;
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  // Under nohup it is ignored, and stays so.
  if (std::signal(SIGHUP, ask_to_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

const std::atomic<bool>& StopSignal::requested() const {
  return stop_requested;
}

}  // namespace assay::cli
