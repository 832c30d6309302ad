// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/race/touches.h"

namespace assay::emulator {

/// What can take the next step of a launch: a warp, or an asynchronous operation. The step of a warp ends
/// before the next instruction at which threads may synchronise, that of an operation when it has read, or
/// written.
struct Choice {
  uint32_t cluster = 0;
  bool is_operation = false;
  bool ends_wait_early = false;  ///< a try_wait at which the warp stands returns false
  uint64_t number = 0;           ///< of the warp in its cluster, of the operation in the order of their issue
  auto operator<=>(const Choice&) const = default;
  bool is_same(const Choice& other) const {
    return cluster == other.cluster && is_operation == other.is_operation && number == other.number;
  }
};

/// Who decides what comes next in a launch.
class Schedule {
 public:
  struct Step {
    Choice choice;
    bool is_nothing = false;  ///< it waits, or looked in vain and stands where it stood
    std::vector<race::Touch> touches;
    std::vector<Choice> issued;  ///< by it,
    std::vector<Choice> after;   ///< and of an operation those that it waited for
  };
  virtual ~Schedule() = default;
  /// One of what can go on, of which the first is the one that does unless there is a reason.
  virtual Choice choose(const std::vector<Choice>& ready) = 0;
  /// The choice was taken. Both may throw Abandoned.
  virtual void taken(Step step) = 0;
  struct Abandoned {};

  Pauses pauses;  ///< of the kernel; filled by the first run
};

/// A launch in which some steps are others than the first of what can go on. In text the steps that differ,
/// by rising number: "3w1.17a2.20w0f", step 3 is of warp 1, 17 of operation 2, in step 20 warp 0's wait ends
/// early; of another cluster than the first "3c1w1".
class Replay final : public Schedule {
 public:
  /// Nothing where the text is none.
  static std::optional<Replay> parse(std::string_view text);
  Choice choose(const std::vector<Choice>& ready) override;
  void taken(Step step) override { at_ += step.is_nothing ? 0 : 1; }

  using Others = std::vector<std::pair<uint64_t, Choice>>;
  static std::string text(const Others& others);

 private:
  Others others_;
  uint64_t at_ = 0;
};

}  // namespace assay::emulator
