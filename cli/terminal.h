// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "suites/run/conductor.h"

namespace assay::cli {

/// Whether what goes to the descriptor may have colours: it is a terminal that shows them, and NO_COLOR
/// (https://no-color.org) is not set.
bool shows_colour(int descriptor);

/// Progress on standard error: one line that rewrites itself on a terminal, a plain line every few seconds in
/// a pipe.
class LiveLine {
 public:
  explicit LiveLine(bool terminal) : terminal_(terminal) {}
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;
  /// Called from a thread of the conductor, one call at a time.
  void show(const suites::Progress&);
  /// Takes the line off a terminal.
  void clear();

 private:
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

/// The words of the line, at most `columns` wide.
std::string live_words(const suites::Progress&, int columns);

/// Prints a document as one line on standard output: all that a command with --json prints there.
void print_json(const nlohmann::json&);

/// While it lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (the terminal is gone) asks the run to end
/// with a report; a second one kills.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  const std::atomic<bool>& requested() const;
};

}  // namespace assay::cli
