#pragma once

#include "kernels/params/sequence.h"
#include "kernels/ptx.cuh"

/// The mbarrier commands of a program (kernels/params/sequence.h), one function for each spelling.
namespace assay::sequence_probe {

using params::BarrierCommand;
using params::SequenceCommand;

/// The spellings of one way to name a barrier: an address of the shared window, or a generic one, of which
/// instructions say no state space (PTX ISA, Generic Addressing). An arrival of the CTA that has the barrier
/// answers a state, one of another CTA does not; a wait of one try says whether the phase is over.
#define ASSAY_ARRIVAL(NAME, INSTRUCTION, SPACE, ADDRESS, CONSTRAINT)  \
  __device__ inline uint64_t NAME(ADDRESS barrier, uint32_t amount) { \
    uint64_t state;                                                   \
    asm volatile("mbarrier." INSTRUCTION SPACE ".b64 %0, [%1], %2;"   \
                 : "=l"(state)                                        \
                 : CONSTRAINT(barrier), "r"(amount)                   \
                 : "memory");                                         \
    return state;                                                     \
  }
#define ASSAY_CHANGE(NAME, INSTRUCTION, ADDRESS, CONSTRAINT)                                          \
  __device__ inline void NAME(ADDRESS barrier, uint32_t amount) {                                     \
    asm volatile("mbarrier." INSTRUCTION " [%0], %1;" ::CONSTRAINT(barrier), "r"(amount) : "memory"); \
  }
#define ASSAY_REMOTE_ARRIVAL(NAME, INSTRUCTION, SPACE, ADDRESS, CONSTRAINT)                                  \
  __device__ inline void remote_##NAME(ADDRESS barrier, uint32_t amount) {                                   \
    asm volatile("mbarrier." INSTRUCTION ".release.cluster" SPACE ".b64 _, [%0], %1;" ::CONSTRAINT(barrier), \
                 "r"(amount)                                                                                 \
                 : "memory");                                                                                \
  }
#define ASSAY_WAIT(NAME, INSTRUCTION, TYPE, OF_TYPE, SPACE, ADDRESS, CONSTRAINT) \
  __device__ inline uint32_t NAME(ADDRESS barrier, TYPE phase) {                 \
    uint32_t is_done;                                                            \
    asm volatile(                                                                \
        "{\n.reg .pred done;\n"                                                  \
        "mbarrier." INSTRUCTION SPACE                                            \
        ".b64 done, [%1], %2;\n"                                                 \
        "selp.u32 %0, 1, 0, done;\n}"                                            \
        : "=r"(is_done)                                                          \
        : CONSTRAINT(barrier), OF_TYPE(phase)                                    \
        : "memory");                                                             \
    return is_done;                                                              \
  }
#define ASSAY_TIMED_WAIT(NAME, INSTRUCTION, TYPE, OF_TYPE, SPACE, ADDRESS, CONSTRAINT) \
  __device__ inline uint32_t NAME(ADDRESS barrier, TYPE phase, uint32_t nanoseconds) { \
    uint32_t is_done;                                                                  \
    asm volatile(                                                                      \
        "{\n.reg .pred done;\n"                                                        \
        "mbarrier." INSTRUCTION SPACE                                                  \
        ".b64 done, [%1], %2, %3;\n"                                                   \
        "selp.u32 %0, 1, 0, done;\n}"                                                  \
        : "=r"(is_done)                                                                \
        : CONSTRAINT(barrier), OF_TYPE(phase), "r"(nanoseconds)                        \
        : "memory");                                                                   \
    return is_done;                                                                    \
  }
#define ASSAY_OF_COPIES(NAME, INSTRUCTION, ADDRESS, CONSTRAINT)                                   \
  __device__ inline void NAME(ADDRESS barrier) {                                                  \
    asm volatile("cp.async.mbarrier." INSTRUCTION ".b64 [%0];" ::CONSTRAINT(barrier) : "memory"); \
  }
#define ASSAY_SPELLINGS(CTA, SHARED, CLUSTER, ADDRESS, CONSTRAINT)                                    \
  ASSAY_CHANGE(init, "init" CTA ".b64", ADDRESS, CONSTRAINT)                                          \
  ASSAY_CHANGE(expect_tx, "expect_tx.relaxed.cta" CTA ".b64", ADDRESS, CONSTRAINT)                    \
  ASSAY_CHANGE(complete_tx, "complete_tx.relaxed.cta" CTA ".b64", ADDRESS, CONSTRAINT)                \
  ASSAY_CHANGE(remote_expect_tx, "expect_tx.relaxed.cluster" CLUSTER ".b64", ADDRESS, CONSTRAINT)     \
  ASSAY_CHANGE(remote_complete_tx, "complete_tx.relaxed.cluster" CLUSTER ".b64", ADDRESS, CONSTRAINT) \
  ASSAY_ARRIVAL(arrive, "arrive", CTA, ADDRESS, CONSTRAINT)                                           \
  ASSAY_ARRIVAL(arrive_drop, "arrive_drop", CTA, ADDRESS, CONSTRAINT)                                 \
  ASSAY_ARRIVAL(arrive_expect_tx, "arrive.expect_tx", CTA, ADDRESS, CONSTRAINT)                       \
  ASSAY_ARRIVAL(arrive_drop_expect_tx, "arrive_drop.expect_tx", CTA, ADDRESS, CONSTRAINT)             \
  ASSAY_ARRIVAL(arrive_no_complete, "arrive.noComplete", CTA, ADDRESS, CONSTRAINT)                    \
  ASSAY_ARRIVAL(arrive_drop_no_complete, "arrive_drop.noComplete", CTA, ADDRESS, CONSTRAINT)          \
  ASSAY_REMOTE_ARRIVAL(arrive, "arrive", CLUSTER, ADDRESS, CONSTRAINT)                                \
  ASSAY_REMOTE_ARRIVAL(arrive_drop, "arrive_drop", CLUSTER, ADDRESS, CONSTRAINT)                      \
  ASSAY_REMOTE_ARRIVAL(arrive_expect_tx, "arrive.expect_tx", CLUSTER, ADDRESS, CONSTRAINT)            \
  ASSAY_REMOTE_ARRIVAL(arrive_drop_expect_tx, "arrive_drop.expect_tx", CLUSTER, ADDRESS, CONSTRAINT)  \
  ASSAY_WAIT(test_parity, "test_wait.parity", uint32_t, "r", CTA, ADDRESS, CONSTRAINT)                \
  ASSAY_WAIT(test_state, "test_wait", uint64_t, "l", CTA, ADDRESS, CONSTRAINT)                        \
  ASSAY_TIMED_WAIT(try_parity, "try_wait.parity", uint32_t, "r", CTA, ADDRESS, CONSTRAINT)            \
  ASSAY_TIMED_WAIT(try_state, "try_wait", uint64_t, "l", CTA, ADDRESS, CONSTRAINT)                    \
  ASSAY_OF_COPIES(copies_arrive, "arrive" SHARED, ADDRESS, CONSTRAINT)                                \
  ASSAY_OF_COPIES(copies_arrive_noinc, "arrive.noinc" SHARED, ADDRESS, CONSTRAINT)                    \
  __device__ inline void invalidate(ADDRESS barrier) {                                                \
    asm volatile("mbarrier.inval" CTA ".b64 [%0];" ::CONSTRAINT(barrier) : "memory");                 \
  }                                                                                                   \
  __device__ inline uint64_t read_word(ADDRESS barrier) {                                             \
    uint64_t word;                                                                                    \
    asm volatile("ld" SHARED ".b64 %0, [%1];" : "=l"(word) : CONSTRAINT(barrier) : "memory");         \
    return word;                                                                                      \
  }
ASSAY_SPELLINGS(".shared::cta", ".shared", ".shared::cluster", uint32_t, "r")
ASSAY_SPELLINGS("", "", "", uint64_t, "l")
#undef ASSAY_SPELLINGS
#undef ASSAY_OF_COPIES
#undef ASSAY_TIMED_WAIT
#undef ASSAY_WAIT
#undef ASSAY_REMOTE_ARRIVAL
#undef ASSAY_CHANGE
#undef ASSAY_ARRIVAL

__device__ inline uint32_t pending_count(uint64_t state) {
  uint32_t count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}

/// An address of the shared window, of this CTA or of another of the cluster, as it is or as a generic one.
template <typename Address>
__device__ inline Address named(uint32_t address) {
  if constexpr (sizeof(Address) == sizeof address)
    return address;
  else
    return ptx::generic_address(address);
}

struct Barriers {
  uint32_t objects;  ///< shared address of the first
  uint64_t states[params::sequence_targets];
  uint32_t is_there[params::sequence_targets];
  uint64_t copied;  ///< what a copy wrote whose end is an arrival
};

/// What a command answers that answers nothing.
constexpr uint64_t no_answer = 2;

/// A copy of the command itself, the arrival at its end, and arrivals of the thread that with it are as many
/// as the phase lacks: whether the phase ends and the copy is there then. `adds`: the arrival at the end of
/// copies first adds itself, so those of the thread are all that the phase lacks.
template <typename Address>
__device__ inline uint32_t arrive_behind_copy(const SequenceCommand& c, Barriers& all, Address barrier,
                                              bool adds) {
  constexpr uint32_t most_tries = 64, nanoseconds = 20000;
  const uint32_t parity = test_parity(barrier, 0);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(ptx::shared_address(&all.copied)),
               "l"(__cvta_generic_to_global(&c))
               : "memory");
  if (adds) copies_arrive(barrier);
  const uint32_t own = adds ? c.amount : c.amount - 1;
  if (own != 0) arrive(barrier, own);
  if (!adds) copies_arrive_noinc(barrier);
  uint32_t is_over = 0;
#pragma unroll 1
  for (uint32_t tries = 0; tries < most_tries && !is_over; ++tries)
    is_over = try_parity(barrier, parity, nanoseconds);
  return is_over && all.copied == *reinterpret_cast<const uint64_t*>(&c);
}

/// `is_alone`: by one lane; else by several at once, none of which keeps what it is answered. A function of
/// its own, so that it stands once in the program.
template <typename Address>
__device__ __noinline__ uint64_t execute(const SequenceCommand& c, Barriers& all, bool is_alone) {
  const auto barrier = named<Address>(all.objects + 8 * c.target);
  uint64_t& kept = all.states[c.target];
  uint64_t state = no_answer;
  switch (static_cast<BarrierCommand>(c.op)) {
    case BarrierCommand::init:
      init(barrier, c.amount);
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
      expect_tx(barrier, c.amount);
      return no_answer;
    case BarrierCommand::complete_tx:
      complete_tx(barrier, c.amount);
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
    case BarrierCommand::copies_arrive:
    case BarrierCommand::copies_arrive_noinc:
      return arrive_behind_copy(c, all, barrier,
                                static_cast<BarrierCommand>(c.op) == BarrierCommand::copies_arrive);
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

/// By the other CTA, at the shared::cluster address of the barrier, or its generic one.
template <typename Address>
__device__ inline void execute_remote(const SequenceCommand& c, uint32_t address) {
  const auto barrier = named<Address>(address);
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
