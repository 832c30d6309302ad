// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay::emulator::race {

/// What a step of a launch did to something that threads synchronise by.
struct Touch {
  enum class Kind : uint8_t {
    arrive,  ///< at a barrier; several in one phase may come in any order
    await,   ///< the phase before the present one has ended
    fail,    ///< a test that found the present phase not to have ended
    finish,  ///< an operation of a group; several may come in any order
    read,    ///< of a flag
    write,   ///< of a flag; of a barrier: mbarrier.init, inval
  };
  uint64_t object;
  Kind kind;
  uint32_t phase = 0;      ///< how many had ended before
  bool completes = false;  ///< of arrive: the phase ended with it
  bool may_fail = false;   ///< of await: a test that might have come before the phase ended
  bool operator==(const Touch&) const = default;
};

/// How two steps of different threads stand to each other, the first of which came first.
enum class Relation : uint8_t {
  none,        ///< either order has the same effect
  reversible,  ///< the other order may have another effect
  fails,       ///< if the second comes first, its test fails
  ordered,     ///< the second could not have come first: it begins with a wait for the first
};
Relation relation(const Touch& first, const Touch& second);
Relation relation(const std::vector<Touch>& first, const std::vector<Touch>& second);
/// Whether a step that was taken from here elsewhere would do the same after the other.
bool may_change(const std::vector<Touch>& waiting, const std::vector<Touch>& taken);
/// It comes after that one now: an arrival may be the one that ends the phase.
void come_after(std::vector<Touch>& waiting, const std::vector<Touch>& taken);

/// The touches of a step, while it is taken.
class Touches {
 public:
  enum class Object : uint8_t { mbarrier, cta_barrier, cluster_barrier, flag, end_of_cta, group, columns };
  static uint64_t object(Object kind, uint64_t cluster, uint64_t number) {
    return cluster << 44 | static_cast<uint64_t>(kind) << 40 | number;
  }
  void add(uint64_t object, Touch::Kind kind, bool may_fail = false);
  /// The phase ends, with the last arrival at it.
  void complete(uint64_t object);
  bool is_empty() const { return list_.empty(); }
  std::vector<Touch> take() { return std::exchange(list_, {}); }

 private:
  std::vector<Touch> list_;
  std::unordered_map<uint64_t, uint32_t> phases_;  ///< that have ended
};

}  // namespace assay::emulator::race
