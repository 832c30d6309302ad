#pragma once

#include "kernels/params/sequence.h"
#include "kernels/ptx.cuh"

/// The mbarrier commands of a program (kernels/params/sequence.h).
namespace assay::sequence_probe {

using params::BarrierCommand;
using params::SequenceCommand;

/// What a command answers that answers nothing.
constexpr uint64_t no_answer = 2;

/// One of the forms of kernels/forms/mbarrier.cc, which takes of the operands what it has. A function of its
/// own, so that they stand once in the program.
__device__ __noinline__ uint64_t mbarrier(uint32_t opcode, uint32_t barrier, uint32_t amount, uint32_t parity,
                                          uint32_t limit, uint64_t kept) {
  uint64_t answer = no_answer;
  asm volatile("trap; // assay.forms mbarrier, %1, %0, %2, %3, %4, %5, %6;"
               : "+l"(answer)
               : "r"(opcode), "r"(barrier), "r"(amount), "r"(parity), "r"(limit), "l"(kept)
               : "memory");
  return answer;
}

struct Barriers {
  uint32_t objects;  ///< shared address of the first
  uint64_t states[params::sequence_targets];
  uint32_t is_there[params::sequence_targets];
  uint64_t copied[8];  ///< what copies wrote whose end is an arrival
};

__device__ inline bool is_arrival(BarrierCommand command) {
  return params::is_of_several(command) && command != BarrierCommand::expect_tx &&
         command != BarrierCommand::complete_tx;
}

/// One, two, four or eight copies of the command itself, or none, the arrival at their end, and arrivals of
/// the thread that with it are as many as the phase lacks: whether the phase ends and the copies are there
/// then. With copies_arrive the arrival at the end of copies first adds itself, so those of the thread are
/// all that the phase lacks. A function of its own, so that it stands once in the program.
__device__ __noinline__ uint32_t arrive_behind_copy(const SequenceCommand& c, uint32_t opcode, uint32_t idle,
                                                    Barriers& all, uint32_t barrier) {
  constexpr uint32_t most_tries = 64;
  const bool adds = static_cast<BarrierCommand>(c.op) == BarrierCommand::copies_arrive;
  const uint32_t parity = ptx::mbarrier_test_wait_parity(barrier, 0);
  const uint32_t copies = idle == params::copies_absent ? 0 : 1u << c.amount % 4;
#pragma unroll 1
  for (uint32_t i = 0; i < copies; ++i) ptx::cp_async_8(ptx::shared_address(&all.copied[i]), &c);
  if (idle == params::copies_complete) ptx::cp_async_wait_all();
  if (adds) mbarrier(opcode, barrier, 0, 0, 0, 0);
  const uint32_t own = adds ? c.amount : c.amount - 1;
  if (own != 0) ptx::mbarrier_arrive(barrier, own);
  if (!adds) mbarrier(opcode, barrier, 0, 0, 0, 0);
  uint32_t is_over = 0;
#pragma unroll 1
  for (uint32_t tries = 0; tries < most_tries && !is_over; ++tries)
    is_over = ptx::mbarrier_try_wait_parity(barrier, parity);
  uint32_t are_there = is_over;
#pragma unroll 1
  for (uint32_t i = 0; i < copies; ++i) are_there &= all.copied[i] == *reinterpret_cast<const uint64_t*>(&c);
  return are_there;
}

/// A function of its own, so that it stands once in the program.
__device__ __noinline__ uint32_t pass_phases(uint32_t amount, uint32_t opcode, uint32_t barrier) {
  const uint32_t phases = amount % 256, first = ptx::mbarrier_test_wait_parity(barrier, 0);
#pragma unroll 1
  for (uint32_t i = 0; i < phases; ++i) mbarrier(opcode, barrier, params::phase_arrivals(amount), 0, 0, 0);
  return ptx::mbarrier_test_wait_parity(barrier, (first + phases - 1) & 1);
}

/// By the CTA that has the barriers. `idle`: params::IdleCopies. `is_alone`: by one lane; else by several at
/// once, none of which keeps what it is answered.
__device__ inline uint64_t execute(const SequenceCommand& c, uint32_t opcode, uint32_t idle, Barriers& all,
                                   bool is_alone) {
  const auto command = static_cast<BarrierCommand>(c.op);
  const uint32_t barrier = all.objects + 8 * c.target;
  uint64_t& kept = all.states[c.target];
  if (command == BarrierCommand::copies_arrive || command == BarrierCommand::copies_arrive_noinc)
    return arrive_behind_copy(c, opcode, idle, all, barrier);
  if (command == BarrierCommand::pass_phases) return pass_phases(c.amount, opcode, barrier);
  if (command == BarrierCommand::init) all.is_there[c.target] = 1;
  if (command == BarrierCommand::invalidate || command == BarrierCommand::read_word)
    all.is_there[c.target] = 0;
  const uint32_t limit = command == BarrierCommand::try_parity ? c.amount >> 1 : c.amount;
  const uint64_t answer = mbarrier(opcode, barrier, c.amount, c.amount & 1, limit, kept);
  if (!is_arrival(command)) return answer;
  if (!is_alone) return no_answer;
  return kept = answer;
}

/// Barriers that no command names, beside those of another CTA.
__device__ inline void begin_bystanders(uint32_t objects) {
#pragma unroll 1
  for (uint32_t b = 0; b < params::sequence_targets; ++b)
    ptx::mbarrier_init(objects + 8 * b, params::bystander_arrivals);
}
/// Two bits each: whether the phase is complete with one arrival missing, and with none.
__device__ inline uint32_t end_bystanders(uint32_t objects) {
  uint32_t word = 0;
#pragma unroll 1
  for (uint32_t b = 0; b < params::sequence_targets; ++b) {
    const uint32_t barrier = objects + 8 * b;
#pragma unroll 1
    for (uint32_t time = 0; time < 2; ++time) {
      ptx::mbarrier_arrive(barrier, time == 0 ? params::bystander_arrivals - 1 : 1);
      word |= ptx::mbarrier_test_wait_parity(barrier, 0) << (2 * b + time);
    }
    ptx::mbarrier_inval(barrier);
  }
  return word;
}

__device__ inline void write_answer(uint32_t* output, uint32_t command, uint64_t answer) {
  output[2 * command] = static_cast<uint32_t>(answer);
  output[2 * command + 1] = static_cast<uint32_t>(answer >> 32);
}

}  // namespace assay::sequence_probe
