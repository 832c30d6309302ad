// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/model/barrier/sequence_case.h"
#include "reference/model/pipeline/gemm.h"

/// Instructions that write shared memory asynchronously and complete that many bytes of an mbarrier's phase
/// (ptx, cp.async.bulk; st.async; red.async).
namespace assay::model {

/// What such an instruction does to the words there.
enum class AsyncOp : uint32_t {
  bulk_copy,  ///< of words that grow by the value's high word
  store_b32,
  store_b64,
  store_v2_b32,
  store_v4_b32,  ///< the value's low, high, high and low word
  store_v2_b64,  ///< the value, and its words the other way round
  inc_u32,
  dec_u32,
  min_u32,
  min_s32,
  max_u32,
  max_s32,
  add_32,
  add_u64,
  and_b32,
  or_b32,
  xor_b32,
};
inline constexpr uint32_t async_ops = 17, async_words = 16;

/// What SequenceStep::amount says of bytes_arrive.
struct AsyncWrite {
  uint32_t bytes = 16;
  AsyncOp op = AsyncOp::bulk_copy;
  uint32_t seed = 0;  ///< of the value and of where it goes, below 65536
  /// Index of the first word that is written: of bits 2 and 3 of the seed.
  uint32_t first_word() const { return seed & 12; }
  uint32_t amount() const { return bytes | static_cast<uint32_t>(op) << 8 | seed << 16; }
};
/// Nothing where there is no such write: of bulk copies any multiple of 16 bytes that fits behind the first
/// word.
std::optional<AsyncWrite> async_write(uint32_t amount);
/// Of a write but a bulk copy.
uint32_t bytes_of(AsyncOp);
/// As PTX has it, without what is behind the name.
std::string_view name_of(AsyncOp);

/// All words after the write (none of 0 bytes), told as one number: each times a power of 31, the last
/// times 1.
uint32_t digest_after(const AsyncWrite&);

/// What an mbarrier object counts.
struct BarrierState {
  uint64_t phase = 0;               ///< number of the incomplete one
  uint32_t count = 0, missing = 0;  ///< arrivals that each phase expects, and that this one still lacks
  int64_t bytes = 0;                ///< below 0: came before they were expected
};

/// An operation on a barrier, and what it found.
struct BarrierEvent {
  BarrierOp op = BarrierOp::init;
  uint32_t amount = 0;
  bool is_remote = false;   ///< of another CTA
  bool is_generic = false;  ///< at a generic address
  BarrierState before;      ///< of init: what lay there when it was invalidated
  bool has_copies = true;   ///< of an arrival at the end of copies: some are under way
  bool arrives() const {
    return op == BarrierOp::arrive || op == BarrierOp::arrive_no_complete || expects_and_arrives() || drops();
  }
  bool expects_and_arrives() const {
    return op == BarrierOp::arrive_expect_tx || op == BarrierOp::arrive_drop_expect_tx;
  }
  bool expects() const { return op == BarrierOp::expect_tx || expects_and_arrives(); }
  bool drops() const {
    return op == BarrierOp::arrive_drop || op == BarrierOp::arrive_drop_no_complete ||
           op == BarrierOp::arrive_drop_expect_tx;
  }
  bool is_no_complete() const {
    return op == BarrierOp::arrive_no_complete || op == BarrierOp::arrive_drop_no_complete;
  }
  bool is_of_copies() const { return assay::is_of_copies(op); }
  /// Arrivals that the operation counts.
  uint32_t arrivals() const { return !arrives() ? 0 : expects_and_arrives() ? 1 : amount; }
};

/// What a bend may change about programs of several instructions. Null or false: as the rules say.
struct ProgramBend {
  /// What an operation leaves; gets what the rules say.
  void (*barrier)(const BarrierEvent&, BarrierState& after) = nullptr;
  /// What a test or a try of a phase answers.
  bool (*answer)(const SequenceStep&, bool right) = nullptr;
  /// The write that is done in place of one whose bytes arrive; of 0 bytes: none.
  AsyncWrite (*written)(const AsyncWrite&) = nullptr;
  /// Lanes whose arrivals are lost where lanes name several barriers.
  bool (*loses_arrival)(uint32_t lane) = nullptr;
  /// An arrival answers the state after it.
  bool state_is_after = false;
  /// Programs of which nothing is known then.
  bool (*loses)(const SequenceCase&) = nullptr;
  /// Of the eight loads of a replacement the last so many, which tcgen05.wait::ld does not wait for: they
  /// give what is stored.
  uint32_t late_loads = 0;
  /// Products of which D may hold anything.
  bool (*spoils)(const GemmCase&) = nullptr;
  /// Matrix instructions: the case never ends.
  bool never_ends = false;
};

/// An mbarrier object as PTX tells it: phases are numbered, each has arrivals that are still missing and
/// bytes that are still to come, and is over when both are none, whichever operation brings that about (ptx,
/// mbarrier: phase completion; h200, MB-03). Where PTX stops, as Hopper goes on.
///
/// Operations answer false where the launch fails (H200: MB-05 to MB-09); the object is of no use then.
class Mbarrier {
 public:
  static constexpr uint32_t most_arrivals = (1u << 20) - 1;  ///< ptx, mbarrier.init
  static constexpr int64_t most_bytes = (1 << 20) - 1;       ///< ptx, tx-count operations; either sign
  /// Bit of the word above the bytes, which is 0 in each barrier on Hopper (h200, MB-01).
  static constexpr uint64_t guard_bit = uint64_t{1} << 42;

  /// Nothing where init fails.
  static std::optional<Mbarrier> initialised(uint32_t count);
  /// What an operation finds where no barrier was initialised, or after inval (h200, MB-02, MB-11).
  static Mbarrier found(uint64_t word);

  /// What it counts; and a barrier that counts so, of an altered rule.
  BarrierState state() const { return {phase_, count_, missing_, bytes_}; }
  static Mbarrier of(const BarrierState&);

  bool arrive(uint32_t count, bool drops);
  bool expect(uint32_t bytes);
  bool complete(uint32_t bytes);
  bool arrive_expecting(uint32_t bytes, bool drops);

  uint64_t phase() const { return phase_; }  ///< number of the incomplete one, from 0 on
  uint32_t count() const { return count_; }  ///< arrivals that the next phase waits for
  uint32_t missing() const { return missing_; }
  int64_t bytes() const { return bytes_; }  ///< below 0: came before they were expected
  bool is_over(uint64_t parity) const { return (phase_ & 1) != (parity & 1); }
  /// Made of a word that no barrier has: every operation on it, tests too, ends the launch; an init makes a
  /// barrier of it, and an inval gives the word back (h200, MB-15).
  bool is_damaged() const { return (beside_ & guard_bit) != 0; }

  /// The 64 bits as memory has them after inval, on Hopper (h200, MB-01).
  uint64_t word() const;
  /// What an arrival that is next answers, on Hopper (h200, MB-04).
  uint64_t token(bool no_complete) const;

 private:
  void settle();
  uint64_t phase_ = 0;
  uint32_t count_ = 0, missing_ = 0;
  int64_t bytes_ = 0;
  uint64_t beside_ = 0;  ///< bits that no barrier has set, of a word that was found
};

/// mbarrier.pending_count of a token, on Hopper (h200, MB-04).
uint32_t pending_count_of(uint64_t token);

}  // namespace assay::model
