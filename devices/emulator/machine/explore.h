// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "devices/emulator/machine/schedule.h"

namespace assay::emulator {

/// All orders of a launch that can differ, one after another: a depth-first search without states, which runs
/// the launch from its beginning each time. Orders that differ in steps that do not touch the same thing are
/// one (dynamic partial-order reduction; Flanagan and Godefroid 2005, with source sets and sleep sets of
/// Abdulla, Aronis, Jonsson and Sagonas 2014). Plain accesses are no touches: where their order could matter
/// they race, which the clocks find in whichever order.
class Explorer final : public Schedule {
 public:
  using Clock = std::chrono::steady_clock;
  /// Steps of a launch that is looked at; orders of a longer one are not followed further.
  static constexpr size_t most_steps = 20'000;

  explicit Explorer(Clock::time_point deadline) : deadline_(deadline) {}

  Choice choose(const std::vector<Choice>& ready) override;
  void taken(Step step) override;

  /// The run is over, by itself or Abandoned. Whether there is another one to make.
  bool next();
  /// Whether the run was of an order that another run stands for.
  bool is_redundant() const { return is_redundant_; }
  bool is_out_of_time() const { return is_out_of_time_; }
  bool is_too_long() const { return is_too_long_; }
  /// As Replay::parse() takes it.
  std::string text() const { return Replay::text(others_); }

 private:
  using Bits = std::vector<uint64_t>;
  using Known = std::map<Choice, std::vector<race::Touch>>;
  /// A step of the run, and what is known of the state before it.
  struct Frame {
    Choice chosen;
    std::vector<Choice> ready;
    std::vector<Choice> wanted;  ///< to be chosen here, one run each
    Known done, sleeping;        ///< runs that were made; choices that other runs have made in their place
    Step step;
    Bits before;  ///< steps that come before this one in every order of the same effect
  };
  static bool has(const Bits& bits, size_t i) { return i / 64 < bits.size() && (bits[i / 64] >> i % 64 & 1); }
  static void set(Bits& bits, size_t i);
  static void join(Bits& bits, const Bits& other);
  [[noreturn]] void abandon();
  /// Whether the run goes on as it comes: the first one, which is looked at no further.
  bool is_left_alone() const { return is_first_run_ && (is_out_of_time_ || is_too_long_); }
  void give_up(bool& why);
  void look(size_t at, std::map<Choice, size_t>& last_of);
  /// Finds what to try in other orders, too.
  Bits find_before(size_t at, const std::map<Choice, size_t>& last_of);
  void want_reversed(size_t first, size_t second, race::Relation how, const Bits& before);

  const Clock::time_point deadline_;
  std::vector<Frame> frames_;
  size_t forced_ = 0;  ///< steps that are chosen already
  size_t at_ = 0;      ///< steps of the run so far
  Replay::Others others_;
  Choice first_{};  ///< of what could go on
  bool is_first_run_ = true;
  bool is_redundant_ = false, is_out_of_time_ = false, is_too_long_ = false;
};

}  // namespace assay::emulator
