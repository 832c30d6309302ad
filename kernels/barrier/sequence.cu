// SPDX-License-Identifier: Apache-2.0
#include "kernels/barrier/barrier_commands.cuh"
#include "kernels/params/sequence.h"
#include "kernels/probe.cuh"

/// Command streams: one record is a program of mbarrier operations by one warp, or by one of each of several
/// CTAs; each by its first lane, or by several lanes at once.
namespace assay {
namespace probe {

using params::SequenceRecord;

/// The word of a rank that has bystanders.
__device__ uint32_t* bystander_word(uint32_t* output, uint32_t rank) {
  return output + 2 * params::most_commands + params::sequence_targets + rank;
}

/// What comes after the commands: the phases of the barriers that are left, which end with it. `told`: ranks
/// below it but the issuer write a word themselves.
__device__ void write_rest(const SequenceRecord& r, uint32_t* output, Barriers& all, uint32_t told) {
#pragma unroll 1
  for (uint32_t i = r.count; i < params::most_commands; ++i) write_answer(output, i, ~uint64_t{0});
  output += 2 * params::most_commands;
#pragma unroll 1
  for (uint32_t b = 0; b < params::sequence_targets; ++b) {
    const uint32_t barrier = all.objects + 8 * b;
    output[b] = all.is_there[b] ? ptx::mbarrier_test_wait_parity(barrier, 0) |
                                      ptx::mbarrier_test_wait_parity(barrier, 1) << 1
                                : ~0u;
    if (all.is_there[b]) ptx::mbarrier_inval(barrier);
    all.is_there[b] = 0;
  }
#pragma unroll 1
  for (uint32_t i = params::sequence_targets; i < params::barrier_output_words - 2 * params::most_commands;
       ++i) {
    const uint32_t rank = i - params::sequence_targets;
    if (rank >= told || rank == r.issuer) output[i] = ~0u;
  }
}

__device__ uint32_t* output_of(const BatchArgs& args, const SequenceRecord& r) {
  return reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
}
__device__ const SequenceRecord& record_of(const BatchArgs& args, uint32_t index) {
  return static_cast<const SequenceRecord*>(args.records)[index];
}

}  // namespace probe

/// CTAs of one warp, each alone or in a cluster: the barriers lie in one of these, where commands of column 0
/// are executed; one of a rank that is higher by n, around the end, executes those of column n.
extern "C" __global__ void __launch_bounds__(32)
    barrier_sequence(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ Barriers barriers;
  __shared__ uint32_t next;
  const uint32_t rank = ptx::cluster_ctarank(), ranks = ptx::cluster_nctarank();
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / ranks;
  const bool leads = threadIdx.x == 0;
  if (leads)
    for (uint32_t b = 0; b < params::sequence_targets; ++b) barriers.is_there[b] = 0;
  order_cluster();  // no CTA may write into another before that one has started
#pragma unroll 1
  for (;;) {
    if (leads && rank == 0) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
#pragma unroll 1
      for (uint32_t to = 0; to < ranks; ++to)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&next), to), index);
    }
    order_cluster();
    const uint32_t current = next;
    if (current == ~0u) return;
    const SequenceRecord& r = record_of(args, current);
    if (leads) barriers.objects = window_address() + r.place;
    __syncwarp();
    if (leads && r.is_found && rank == r.issuer) find_word(r, barriers);
    uint32_t* const output = output_of(args, r);
    const uint32_t home = r.issuer;
    uint32_t last = home;
    const bool has_bystanders = leads && r.has_bystanders && rank != home;
    if (has_bystanders) begin_bystanders(barriers.objects);
#pragma unroll 1
    for (uint32_t i = 0; i < r.count; ++i) {
      const SequenceCommand& c = r.commands[i];
      const auto command = static_cast<BarrierCommand>(c.op);
      const uint32_t executor = (home + c.column) % ranks;
      const uint32_t lanes = r.lanes[i];
      __syncwarp();
      if (command == BarrierCommand::bytes_arrive && executor != home) {
        const uint32_t roles = !leads ? 0 : rank == executor ? executes : rank == home ? waits : 0;
        const uint64_t answer = let_bytes_arrive(c.amount, r.opcode[i], barriers,
                                                 barriers.objects + 8 * c.target, home, roles | is_afar);
        if (roles == waits) write_answer(output, i, answer);
        continue;
      }
      if (executor != last) order_cluster();
      last = executor;
      if (rank != executor || (lanes >> threadIdx.x & 1) == 0) continue;
      write_answer(output, i, execute(r, i, barriers, rank == home));
      if (command == BarrierCommand::init) ptx::fence_mbarrier_init();
    }
    order_cluster();
    if (has_bystanders) *bystander_word(output, rank) = end_bystanders(barriers.objects);
    if (leads && rank == home) {
      write_rest(r, output, barriers, r.has_bystanders ? ranks : 0);
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
    order_cluster();  // the first CTA writes the next note
  }
}

}  // namespace assay
