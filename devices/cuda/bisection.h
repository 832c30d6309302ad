// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// Finds the records of a batch that end the device's process, one blamed a fault. It only decides which
/// records run together next; running them and telling how it went is the caller's part.
///
/// A group that faults is taken apart: records that the notes name (suspects) run alone, the others together;
/// without usable notes the group is halved. A record that faults alone is guilty.
class Bisection {
 public:
  explicit Bisection(uint32_t records);
  /// Each record for itself, where most are guilty.
  static Bisection of_each(std::span<const uint32_t> records);
  /// The records to run together next, or nothing when every record has its end.
  std::optional<std::vector<uint32_t>> next();
  void ended_well();
  /// The last group's process was ended from outside: it runs again as it is.
  void again();
  /// The last group ended the process. Returns the guilty record when it is found.
  std::optional<uint32_t> faulted(const std::vector<uint32_t>& suspects);
  /// Faults of a group that no record of it repeated alone.
  uint32_t unrepeated() const;

 private:
  struct Group {
    std::vector<uint32_t> records;
    uint32_t fault = none;  ///< the fault that this group is a part of
  };
  static constexpr uint32_t none = ~0u;
  void split(uint32_t parent, std::vector<Group> parts);

  std::deque<Group> todo_;
  Group current_;
  std::vector<uint32_t> blamed_of_fault_;  ///< by fault: records blamed for it so far
  std::vector<uint32_t> parent_of_fault_;
};

}  // namespace assay::cuda
