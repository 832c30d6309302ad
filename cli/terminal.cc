// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/text.h"

namespace assay::cli {

bool shows_colour(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return isatty(descriptor) == 1;
}

namespace {

std::string clock_words(double seconds) {
  char text[32];
  const long whole = static_cast<long>(seconds + 0.5);
  if (whole < 60)
    std::snprintf(text, sizeof text, "%lds", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof text, "%ldm%02lds", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ldh%02ldm", whole / 3600, whole % 3600 / 60);
  return text;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

constexpr std::chrono::seconds plain_interval{5};

}  // namespace

std::string live_words(const suites::Progress& progress, int columns) {
  std::string words = progress.property.empty() ? progress.device : progress.property;
  if (progress.stage != "running" && !progress.stage.empty()) words += "  " + progress.stage;
  words += "  " + report::grouped(progress.cases, ",") +
           (progress.planned ? " of " + report::grouped(progress.planned, ",") : "") + " cases  " +
           report::grouped(static_cast<uint64_t>(progress.cases_per_second + 0.5), ",") + "/s";
  if (progress.failures != 0) words += "  " + report::grouped(progress.failures, ",") + " FAILED";
  if (progress.seconds_left >= 0) words += "  " + clock_words(progress.seconds_left) + " left";
  if (static_cast<int>(words.size()) > columns) words.resize(static_cast<size_t>(columns));
  return words;
}

void LiveLine::show(const suites::Progress& progress) {
  if (terminal_) {
    std::fprintf(stderr, "\r%s\x1b[K", live_words(progress, terminal_columns() - 1).c_str());
    drawn_ = true;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < plain_interval) return;
  last_ = now;
  std::fprintf(stderr, "%s\n", live_words(progress, 160).c_str());
}

void LiveLine::clear() {
  if (drawn_) std::fprintf(stderr, "\r\x1b[K");
  drawn_ = false;
}

void print_json(const nlohmann::json& document) {
  std::cout << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

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
