// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/sequence.h"

#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/arena.h"
#include "kernels/params/tmem_copy.h"
#include "kernels/params/tmem_forms.h"

namespace assay::cuda {
namespace {

using params::SequenceRecord;

const char* wrong_sequence(const SequenceRecord& r, const SequenceRecord& first, const BatchView& batch) {
  if (r.is_tmem > 1 || r.is_tmem != first.is_tmem) return "is_tmem must be 0 or 1, the same in a batch";
  if ((r.cluster_size != 1 && r.cluster_size != 2 && r.cluster_size != 4 && r.cluster_size != 8) ||
      r.cluster_size != first.cluster_size || (r.cluster_size != 1 && r.is_tmem))
    return "cluster_size must be 1, or 2, 4 or 8 for barriers, the same in a batch";
  if (r.issuer >= (r.is_tmem ? params::probe_threads : r.cluster_size))
    return "issuer must be a thread of four warps, or a rank of the cluster";
  if (r.warps < 4 || r.warps > params::most_sequence_warps || r.warps % 4 != 0 || r.warps != first.warps ||
      (r.warps != 4 && !r.is_tmem))
    return "warps must be 4, or 8, 12 or 16 of tensor memory, the same in a batch";
  if (r.is_tmem && batch.is_before_sm_100()) return "sm_90 has no tensor memory";
  if (r.count == 0 || r.count > params::most_commands) return "count must be 1 to 24";
  for (uint32_t k = 0; k < r.count; ++k) {
    const params::SequenceCommand& c = r.commands[k];
    if (!r.is_tmem && c.column >= r.cluster_size) return "a command's CTA must be in the cluster";
    if (r.lanes[k] != 1 &&
        (r.is_tmem || r.lanes[k] == 0 || !params::is_of_several(static_cast<params::BarrierCommand>(c.op))))
      return "invalid lane mask for this command";
    if (!r.is_tmem && static_cast<params::BarrierCommand>(c.op) == params::BarrierCommand::bytes_arrive &&
        (r.cluster_size == 1 ||
         4 * params::async_offset(c.amount) + params::async_bytes(c.amount) > 4 * params::async_words))
      return "an asynchronous write requires a cluster and must stay within its words";
    const auto command = static_cast<params::TmemCommand>(c.op);
    if (r.is_tmem && params::tmem_form(command, c.amount) >= params::tmem_forms(command))
      return "invalid form for this command";
    if ((r.generic >> k & 1) != 0 &&
        !(r.is_tmem ? params::has_address(command)
                    : params::has_address(static_cast<params::BarrierCommand>(c.op))))
      return "this command cannot have a generic address";
    if (r.is_tmem &&
        ((command == params::TmemCommand::exchange && c.column >= params::tmem_targets) ||
         ((command == params::TmemCommand::deallocate || command == params::TmemCommand::allocate) &&
          c.column >= 4)))
      return "invalid warp or allocation for this command";
    if (r.is_tmem && (command == params::TmemCommand::commit || command == params::TmemCommand::wait) &&
        c.column >= params::tmem_barriers)
      return "invalid commit barrier for this command";
    if (r.is_tmem && command == params::TmemCommand::copy && c.amount >= 4 * params::copy_shapes)
      return "invalid matrix for this copy";
    if (r.commands[k].op >= (r.is_tmem ? params::tmem_commands : params::barrier_commands) ||
        r.commands[k].target >= (r.is_tmem ? params::tmem_targets : params::sequence_targets))
      return "invalid op or target for this command";
  }
  for (uint32_t k = 0; k < params::most_commands; ++k) {
    if ((r.apart >> 2 * k & 3) != 0 && (r.is_tmem || k >= r.count || r.lanes[k] == 1))
      return "apart must be 0 for a command without several lanes";
    const uint32_t idle = r.idle_copies >> 2 * k & 3;
    if (idle == 0) continue;
    const auto command = static_cast<params::BarrierCommand>(r.commands[k].op);
    if (r.is_tmem || k >= r.count || idle > params::copies_complete ||
        (command != params::BarrierCommand::copies_arrive &&
         command != params::BarrierCommand::copies_arrive_noinc))
      return "invalid idle_copies for this command";
  }
  if (r.apart >> 2 * params::most_commands) return "apart must be 0 past the last command";
  if (r.idle_copies >> 2 * params::most_commands) return "idle_copies must be 0 past the last command";
  if (r.has_bystanders > 1 || (r.has_bystanders && r.cluster_size == 1))
    return "has_bystanders must be 0, or 1 in a cluster";
  if (r.generic >> r.count) return "generic must be 0 past the last command";
  if (r.place % 8 || r.place > params::max_window_bytes || (r.is_tmem && r.place != 0))
    return "barriers must lie on a multiple of 8 within 216 KiB";
  if (r.output_bytes != 4 * (r.is_tmem ? params::tmem_output_words : params::barrier_output_words))
    return "output_bytes must be those of the machine";
  return nullptr;
}

std::optional<std::string> declines_sequence(const OpenedDriver& opened, bool) {
  return declines_unknown(opened);
}

const RegisterFamily sequence(family_of<SequenceRecord, wrong_sequence>("sequence", declines_sequence,
                                                                        run_alike<SequenceRecord>));

}  // namespace
}  // namespace assay::cuda
