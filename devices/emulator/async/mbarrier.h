// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::emulator {

/// The 64-bit object behind an mbarrier (ptx, Size and alignment of mbarrier object; Contents of the mbarrier
/// object). PTX leaves its bits open; these are the ones of Hopper (H200: MB-01), each count as its negative:
///
///   63     62 .. 43   42  41 .. 21    20 .. 1     0
///   phase  -pending   0   -tx count   -expected   layout
struct Mbarrier {
  static constexpr uint32_t max_count = (1u << 20) - 1;  ///< (ptx, mbarrier.init)
  static constexpr uint32_t max_count_of_v1 = (1u << 9) - 1;
  /// Of one operation, and of what has come before it is expected (ptx, Tracking asynchronous operations).
  static constexpr int32_t max_transactions = (1 << 20) - 1;
  /// What is expected may add up to one more (H200: MB-06).
  static constexpr int32_t max_pending_transactions = 1 << 20;

  bool phase = false;
  uint32_t expected = 0, pending = 0;
  int32_t transactions = 0;
  /// Bit 42, which is set only in a word that no mbarrier.init made. With it every operation fails but init
  /// and inval (H200: MB-15).
  bool has_guard = false;
  /// Bit 0: .layout::v1 (PTX ISA 9.4, Layouts of the mbarrier object; the bit: an H200 with a cubin of ptxas
  /// 13.5). It has a payload report, of which no instruction here makes anything but zero: the conditional
  /// phase goes with the primary one.
  bool is_v1 = false;
  uint32_t ended = 0;  ///< phases since it was initialised; no part of the object

  static Mbarrier decode(uint64_t word);
  uint64_t encode() const;
  /// What an arrival at this object answers: the upper half of the word, and in the lower half whether it was
  /// .noComplete (H200: MB-04).
  uint64_t token(bool no_complete) const { return (encode() >> 32 << 32) | (no_complete ? 1 : 0); }
  /// mbarrier.pending_count of a token (H200: MB-04; 2^20 where none was pending).
  static uint32_t pending_in(uint64_t token);

  /// What is wrong with any use of it, or nothing.
  std::string_view wrong_to_use() const {
    return has_guard ? "bit 42 of the word is set, which is clear in every mbarrier" : std::string_view();
  }
  /// Each returns what is wrong, or nothing; the object is unchanged then. The phase ends with whichever of
  /// them brings both counts to zero (H200: MB-03).
  std::string_view initialise(uint32_t count, bool is_v1 = false);
  std::string_view expect(uint64_t bytes);
  std::string_view complete(uint64_t bytes);
  /// An arrival of none does nothing but end a phase that waits for nothing (H200: MB-07, MB-15).
  std::string_view arrive(uint64_t count, bool drop);
  /// One arrival that first expects bytes.
  std::string_view arrive_expecting(uint64_t bytes, bool drop);

 private:
  void finish_phase();
};

/// What lies at an address where an mbarrier is or was. As long as it lives, its state is not in memory:
/// ordinary loads see what was there before, ordinary stores do not reach it (H200: MB-02).
struct MbarrierObject {
  Mbarrier state;
  bool is_live = false;    ///< initialised and not invalidated since, or used all the same
  bool was_ended = false;  ///< invalidated, and not initialised since

  /// Of the phase in progress: what was expected and what has come, and the lines of the PTX of the last.
  struct Bytes {
    bool phase = false;
    uint32_t line = 0, expected = 0, delivered = 0, delivered_line = 0;
    uint32_t added = 0;       ///< arrivals of cp.async.mbarrier.arrive without .noinc,
    uint32_t added_line = 0;  ///< and the line of the last of them
  };
  Bytes& bytes_of_phase() {
    if (bytes_.phase != state.phase) bytes_ = {state.phase};
    return bytes_;
  }
  Bytes bytes() const { return bytes_.phase == state.phase ? bytes_ : Bytes{}; }

  Bytes bytes_{};          ///< by the functions above
  uint32_t init_line = 0;  ///< of its mbarrier.init, in the PTX
};

}  // namespace assay::emulator
