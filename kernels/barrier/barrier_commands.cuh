// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/sequence.h"
#include "kernels/ptx.cuh"

/// The mbarrier commands of a program (kernels/params/sequence.h).
namespace assay::probe {

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
  /// What instructions write whose bytes arrive, and what bulk copies of them read.
  alignas(16) uint32_t written[params::async_words], source[params::async_words];
};

__device__ inline bool is_arrival(BarrierCommand command) {
  return params::is_of_several(command) && command != BarrierCommand::expect_tx &&
         command != BarrierCommand::complete_tx;
}

/// Whether the phase ends in time.
__device__ __noinline__ uint32_t await_phase(uint32_t barrier, uint32_t parity) {
  constexpr uint32_t most_tries = 64;
  uint32_t is_over = 0;
#pragma unroll 1
  for (uint32_t tries = 0; tries < most_tries && !is_over; ++tries)
    is_over = ptx::mbarrier_try_wait_parity(barrier, parity);
  return is_over;
}

/// One, two, four or eight copies of the command itself, or none, the arrival at their end, and arrivals of
/// the thread that with it are as many as the phase lacks: whether the phase ends and the copies are there
/// then. With copies_arrive the arrival at the end of copies first adds itself, so those of the thread are
/// all that the phase lacks. A function of its own, so that it stands once in the program.
__device__ __noinline__ uint32_t arrive_behind_copy(const SequenceCommand& c, uint32_t opcode, uint32_t idle,
                                                    Barriers& all, uint32_t barrier) {
  const bool adds = static_cast<BarrierCommand>(c.op) == BarrierCommand::copies_arrive;
  const uint32_t parity = ptx::mbarrier_test_wait_parity(barrier, 0);
  const uint32_t copies = idle == params::copies_absent ? 0 : 1u << c.amount % 4;
#pragma unroll 1
  for (uint32_t i = 0; i < copies; ++i) ptx::cp_async_8(ptx::shared_address(&all.copied[i]), &c);
  if (idle == params::copies_complete) ptx::cp_async_wait_all();
  const uint32_t own = adds ? c.amount : c.amount - 1;
#pragma unroll 1
  for (uint32_t turn = 0; turn < 2; ++turn) {
    if (turn == (adds ? 0 : 1))
      mbarrier(opcode, barrier, 0, 0, 0, 0);
    else if (own != 0)
      ptx::mbarrier_arrive(barrier, own);
  }
  uint32_t are_there = await_phase(barrier, parity);
#pragma unroll 1
  for (uint32_t i = 0; i < copies; ++i) are_there &= all.copied[i] == *reinterpret_cast<const uint64_t*>(&c);
  return are_there;
}

/// What CTAs of the cluster did comes before what they do next.
__device__ inline void order_cluster() {
  __syncwarp();
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

/// Who takes part in bytes_arrive.
enum Role : uint32_t {
  executes = 1,
  waits = 2,    ///< has the barriers
  is_afar = 4,  ///< these are two CTAs: all threads of the cluster call
};

/// bytes_arrive; `barrier` lies so in CTA `home`. A function of its own, so that it stands once in the
/// program.
__device__ __noinline__ uint64_t let_bytes_arrive(uint32_t amount, uint32_t opcode, Barriers& all,
                                                  uint32_t barrier, uint32_t home, uint32_t roles) {
  const uint64_t value = params::async_value(amount);
#pragma unroll 1
  for (uint32_t i = 0; i < params::async_words; ++i) {
    all.source[i] = static_cast<uint32_t>(value) + i * static_cast<uint32_t>(value >> 32);
    all.written[i] = params::async_word(i);
  }
  ptx::fence_proxy_async_shared_cta();
  // Another CTA may have ended the phase before.
  if (roles & is_afar) order_cluster();
  const uint32_t parity = roles & waits ? ptx::mbarrier_test_wait_parity(barrier, 0) : 0;
  if (roles & is_afar) order_cluster();
  if (roles & executes)
    mbarrier(opcode, ptx::mapa_shared_cluster(barrier, home), params::async_bytes(amount),
             ptx::mapa_shared_cluster(ptx::shared_address(all.written + params::async_offset(amount)), home),
             ptx::shared_address(all.source), value);
  uint64_t answer = 0;
  if (roles & waits && await_phase(barrier, parity)) {
    uint32_t digest = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < params::async_words; ++i) digest = digest * 31 + all.written[i];
    answer = uint64_t{1} << 32 | digest;
  }
  if (roles & is_afar) order_cluster();
  return answer;
}

/// The barrier of command i that this lane names.
__device__ inline uint32_t target_of(const params::SequenceRecord& r, uint32_t i) {
  return r.commands[i].target ^ (threadIdx.x & static_cast<uint32_t>(r.apart >> 2 * i) & 3);
}

/// `is_home`: by the CTA that has the barriers. Of arrivals by several lanes nobody keeps what it is
/// answered. A function of its own, so that it stands once in the program.
__device__ __noinline__ uint64_t execute(const params::SequenceRecord& r, uint32_t i, Barriers& all,
                                         bool is_home) {
  const SequenceCommand& c = r.commands[i];
  const auto command = static_cast<BarrierCommand>(c.op);
  const uint32_t target = target_of(r, i), opcode = r.opcode[i], own = all.objects + 8 * target;
  const uint32_t barrier = is_home ? own : ptx::mapa_shared_cluster(own, r.issuer);
  if (command == BarrierCommand::bytes_arrive)
    return let_bytes_arrive(c.amount, opcode, all, barrier, r.issuer, executes | waits);
  if (command == BarrierCommand::copies_arrive || command == BarrierCommand::copies_arrive_noinc)
    return arrive_behind_copy(c, opcode, static_cast<uint32_t>(r.idle_copies >> 2 * i) & 3, all, barrier);
  if (command == BarrierCommand::init) all.is_there[target] = 1;
  if (command == BarrierCommand::invalidate || command == BarrierCommand::read_word) all.is_there[target] = 0;
  const bool passes = command == BarrierCommand::pass_phases;
  const uint32_t limit = command == BarrierCommand::try_parity ? c.amount >> 1 : c.amount,
                 amount = passes ? params::phase_arrivals(c.amount) : c.amount,
                 times = passes ? c.amount % 256 : 1,
                 first = passes ? ptx::mbarrier_test_wait_parity(barrier, 0) : 0;
  uint64_t answer = no_answer;
#pragma unroll 1
  for (uint32_t time = 0; time < times; ++time)
    answer = mbarrier(opcode, barrier, amount, c.amount & 1, limit, all.states[target]);
  if (passes) return ptx::mbarrier_test_wait_parity(barrier, (first + times - 1) & 1);
  if (!is_arrival(command) || !is_home) return answer;
  if (r.lanes[i] != 1) return no_answer;
  return all.states[target] = answer;
}

/// What lies in place of barrier 0, of which the commands take it for one.
__device__ inline void find_word(const params::SequenceRecord& r, Barriers& all) {
  ptx::st_shared_u64(all.objects, r.found_word);
  all.is_there[0] = 1;
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

}  // namespace assay::probe
