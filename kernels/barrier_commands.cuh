#pragma once

#include "kernels/params/sequence.h"
#include "kernels/ptx.cuh"

/// The mbarrier commands of a program (kernels/params/sequence.h), one function for each spelling.
namespace assay::sequence_probe {

using params::BarrierCommand;
using params::SequenceCommand;

/// An arrival of the CTA that has the barrier, which answers a state, and one of another CTA, which does not.
#define ASSAY_ARRIVAL(NAME, INSTRUCTION)                                  \
  __device__ inline uint64_t NAME(uint32_t barrier, uint32_t amount) {    \
    uint64_t state;                                                       \
    asm volatile("mbarrier." INSTRUCTION ".shared::cta.b64 %0, [%1], %2;" \
                 : "=l"(state)                                            \
                 : "r"(barrier), "r"(amount)                              \
                 : "memory");                                             \
    return state;                                                         \
  }
#define ASSAY_REMOTE_ARRIVAL(NAME, INSTRUCTION)                                                              \
  __device__ inline void remote_##NAME(uint32_t barrier, uint32_t amount) {                                  \
    asm volatile("mbarrier." INSTRUCTION ".release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(barrier), \
                 "r"(amount)                                                                                 \
                 : "memory");                                                                                \
  }
ASSAY_ARRIVAL(arrive, "arrive")
ASSAY_ARRIVAL(arrive_drop, "arrive_drop")
ASSAY_ARRIVAL(arrive_expect_tx, "arrive.expect_tx")
ASSAY_ARRIVAL(arrive_drop_expect_tx, "arrive_drop.expect_tx")
ASSAY_ARRIVAL(arrive_no_complete, "arrive.noComplete")
ASSAY_ARRIVAL(arrive_drop_no_complete, "arrive_drop.noComplete")
ASSAY_REMOTE_ARRIVAL(arrive, "arrive")
ASSAY_REMOTE_ARRIVAL(arrive_drop, "arrive_drop")
ASSAY_REMOTE_ARRIVAL(arrive_expect_tx, "arrive.expect_tx")
ASSAY_REMOTE_ARRIVAL(arrive_drop_expect_tx, "arrive_drop.expect_tx")
#undef ASSAY_ARRIVAL
#undef ASSAY_REMOTE_ARRIVAL

__device__ inline void remote_expect_tx(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ inline void remote_complete_tx(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ inline void invalidate(uint32_t barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
__device__ inline uint64_t read_word(uint32_t barrier) {
  uint64_t word;
  asm volatile("ld.shared.b64 %0, [%1];" : "=l"(word) : "r"(barrier) : "memory");
  return word;
}
__device__ inline uint32_t pending_count(uint64_t state) {
  uint32_t count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}

/// A wait of one try: whether it says that the phase is over.
#define ASSAY_WAIT(NAME, INSTRUCTION, TYPE, CONSTRAINT)           \
  __device__ inline uint32_t NAME(uint32_t barrier, TYPE phase) { \
    uint32_t is_done;                                             \
    asm volatile(                                                 \
        "{\n.reg .pred done;\n"                                   \
        "mbarrier." INSTRUCTION                                   \
        ".shared::cta.b64 done, [%1], %2;\n"                      \
        "selp.u32 %0, 1, 0, done;\n}"                             \
        : "=r"(is_done)                                           \
        : "r"(barrier), CONSTRAINT(phase)                         \
        : "memory");                                              \
    return is_done;                                               \
  }
#define ASSAY_TIMED_WAIT(NAME, INSTRUCTION, TYPE, CONSTRAINT)                           \
  __device__ inline uint32_t NAME(uint32_t barrier, TYPE phase, uint32_t nanoseconds) { \
    uint32_t is_done;                                                                   \
    asm volatile(                                                                       \
        "{\n.reg .pred done;\n"                                                         \
        "mbarrier." INSTRUCTION                                                         \
        ".shared::cta.b64 done, [%1], %2, %3;\n"                                        \
        "selp.u32 %0, 1, 0, done;\n}"                                                   \
        : "=r"(is_done)                                                                 \
        : "r"(barrier), CONSTRAINT(phase), "r"(nanoseconds)                             \
        : "memory");                                                                    \
    return is_done;                                                                     \
  }
ASSAY_WAIT(test_parity, "test_wait.parity", uint32_t, "r")
ASSAY_WAIT(test_state, "test_wait", uint64_t, "l")
ASSAY_TIMED_WAIT(try_parity, "try_wait.parity", uint32_t, "r")
ASSAY_TIMED_WAIT(try_state, "try_wait", uint64_t, "l")
#undef ASSAY_WAIT
#undef ASSAY_TIMED_WAIT

struct Barriers {
  uint32_t objects;  ///< shared address of the first
  uint64_t states[params::sequence_targets];
  uint32_t is_there[params::sequence_targets];
};

/// What a command answers that answers nothing.
constexpr uint64_t no_answer = 2;

/// `is_alone`: by one lane; else by several at once, none of which keeps what it is answered. A function of
/// its own, so that it stands once in the program.
__device__ __noinline__ inline uint64_t execute(const SequenceCommand& c, Barriers& all, bool is_alone) {
  const uint32_t barrier = all.objects + 8 * c.target;
  uint64_t& kept = all.states[c.target];
  uint64_t state = no_answer;
  switch (static_cast<BarrierCommand>(c.op)) {
    case BarrierCommand::init:
      ptx::mbarrier_init(barrier, c.amount);
      all.is_there[c.target] = 1;
      return no_answer;
    case BarrierCommand::invalidate:
      invalidate(barrier);
      all.is_there[c.target] = 0;
      return no_answer;
    case BarrierCommand::read_word:
      invalidate(barrier);
      all.is_there[c.target] = 0;
      return read_word(barrier);
    case BarrierCommand::expect_tx:
      ptx::mbarrier_expect_tx(barrier, c.amount);
      return no_answer;
    case BarrierCommand::complete_tx:
      ptx::mbarrier_complete_tx(barrier, c.amount);
      return no_answer;
    case BarrierCommand::arrive:
      state = arrive(barrier, c.amount);
      break;
    case BarrierCommand::arrive_drop:
      state = arrive_drop(barrier, c.amount);
      break;
    case BarrierCommand::arrive_expect_tx:
      state = arrive_expect_tx(barrier, c.amount);
      break;
    case BarrierCommand::arrive_drop_expect_tx:
      state = arrive_drop_expect_tx(barrier, c.amount);
      break;
    case BarrierCommand::arrive_no_complete:
      state = arrive_no_complete(barrier, c.amount);
      break;
    case BarrierCommand::arrive_drop_no_complete:
      state = arrive_drop_no_complete(barrier, c.amount);
      break;
    case BarrierCommand::pending_count:
      return pending_count(kept);
    case BarrierCommand::test_parity:
      return test_parity(barrier, c.amount);
    case BarrierCommand::test_state:
      return test_state(barrier, kept);
    case BarrierCommand::try_parity:
      return try_parity(barrier, c.amount & 1, c.amount >> 1);
    case BarrierCommand::try_state:
      return try_state(barrier, kept, c.amount);
  }
  if (!is_alone) return no_answer;
  return kept = state;
}

/// By the other CTA, at the shared::cluster address of the barrier.
__device__ inline void execute_remote(const SequenceCommand& c, uint32_t barrier) {
  switch (static_cast<BarrierCommand>(c.op)) {
    case BarrierCommand::arrive:
      return remote_arrive(barrier, c.amount);
    case BarrierCommand::arrive_drop:
      return remote_arrive_drop(barrier, c.amount);
    case BarrierCommand::arrive_expect_tx:
      return remote_arrive_expect_tx(barrier, c.amount);
    case BarrierCommand::arrive_drop_expect_tx:
      return remote_arrive_drop_expect_tx(barrier, c.amount);
    case BarrierCommand::expect_tx:
      return remote_expect_tx(barrier, c.amount);
    case BarrierCommand::complete_tx:
      return remote_complete_tx(barrier, c.amount);
    default:
      return;
  }
}

__device__ inline void write_answer(uint32_t* output, uint32_t command, uint64_t answer) {
  output[2 * command] = static_cast<uint32_t>(answer);
  output[2 * command + 1] = static_cast<uint32_t>(answer >> 32);
}

}  // namespace assay::sequence_probe
