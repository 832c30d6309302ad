// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/records.h"
#include "kernels/forms/ways.h"

namespace assay::forms {
namespace {

TensorCopyForm form_of(const params::MapUse& use) {
  using params::MapInstruction;
  const bool loads =
      use.instruction == MapInstruction::load || use.instruction == MapInstruction::im2col_load;
  return {
      loads ? params::CopyOp::load : params::CopyOp::store,
      use.instruction >= MapInstruction::im2col_load ? params::CopyMode::im2col : params::CopyMode::tile,
      use.rank,
      0,
      false,
      use.instruction == MapInstruction::add ? 1u + static_cast<uint32_t>(params::TensorReduceOp::add) : 0u};
}

Way way_of(const TensorCopyForm& form) {
  constexpr Way always[] = {Way::plain,      Way::below,      Way::above,
                            Way::predicated, Way::evict_last, Way::half_of_accesses};
  // Without the word .tile another mode would be another copy.
  const bool is_tile = form.mode == params::CopyMode::tile;
  const size_t which = form.spelling % (std::size(always) + is_tile + form.may_be_immediate);
  if (which < std::size(always)) return always[which];
  return is_tile && which == std::size(always) ? Way::unnamed_mode : Way::immediate;
}
Way way_of_prefetch(const TensorCopyForm& form) {
  constexpr Way ways[] = {Way::plain, Way::evict_last, Way::half_of_accesses, Way::unnamed_mode};
  return ways[form.spelling % (form.mode == params::CopyMode::tile ? 4 : 3)];
}

}  // namespace

const Forms& forms_of(const TensorCopyForm& form) {
  static const Forms &load = forms("cp.async.bulk.tensor.load"),
                     &cluster = forms("cp.async.bulk.tensor.load.cluster"),
                     &store = forms("cp.async.bulk.tensor.store");
  return form.op == params::CopyOp::store ? store : form.is_in_cluster ? cluster : load;
}
uint32_t opcode_of(const TensorCopyForm& form) {
  const uint32_t mode = static_cast<uint32_t>(form.mode);
  // Reductions have no hint by a flag.
  const Way way =
      form.flags & params::copy_cache_hint && form.reduction == 0 ? Way::evict_first : way_of(form);
  const uint32_t group =
      (form.flags & params::copy_cta_group_1 ? 1 : 0) | (form.flags & params::copy_cta_group_2 ? 2 : 0);
  const uint32_t qualifier = form.op == params::CopyOp::store ? form.reduction
                             : form.is_in_cluster ? (form.flags & params::copy_unicast ? 0 : 4) + group
                             : form.flags & params::copy_destination_cta ? 1
                                                                         : 0;
  return forms_of(form).opcode({mode, form.rank, qualifier, static_cast<uint32_t>(way)});
}
uint32_t prefetch_opcode_of(const TensorCopyForm& form) {
  static const Forms& all = forms("cp.async.bulk.prefetch.tensor");
  if (!(form.flags & params::copy_prefetch_first)) return Forms::none;
  return all.opcode(
      {static_cast<uint32_t>(form.mode), form.rank, static_cast<uint32_t>(way_of_prefetch(form))});
}
Needed needed_forms(const TensorCopyForm& form) {
  Needed needed = {{forms_of(form).family().name, {opcode_of(form)}}};
  if (form.flags & params::copy_prefetch_first)
    needed["cp.async.bulk.prefetch.tensor"] = {prefetch_opcode_of(form)};
  if (form.flags & params::copy_replace_swizzle_96B) needed["tensormap.replace.swizzle_96b"] = {0};
  return needed;
}

uint32_t commit_opcode(bool is_multicast, bool is_generic) {
  static const Forms& all = forms("tcgen05.commit");
  return all.opcode({is_multicast ? 1u : 0u, is_generic ? 1u : 0u});
}

const Forms& forms_of(const params::MapUse& use) {
  return forms_of(form_of(use));
}
uint32_t opcode_of(const params::MapUse& use) {
  return opcode_of(form_of(use));
}
Needed needed_forms(const params::MapProgramRecord& r) {
  using enum params::MapCommand;
  Needed needed;
  for (uint32_t i = 0; i < r.steps && i < params::most_map_steps; ++i) {
    const params::MapStep& step = r.step[i];
    if (step.command < plain_address)
      needed[r.flags & params::map_in_shared ? "tensormap.replace.shared" : "tensormap.replace.global"]
          .insert(step.opcode);
    if (step.command == release) needed["fence.proxy.tensormap.release"].insert(step.scope);
    if (step.command == acquire) needed["fence.proxy.tensormap.acquire"].insert(step.scope);
    if (step.command == copy_fence) needed["tensormap.cp_fenceproxy"].insert(step.scope);
  }
  for (uint32_t i = 0; i < r.uses && i < params::most_map_uses; ++i)
    needed[forms_of(r.use[i]).family().name].insert(r.use[i].opcode);
  return needed;
}

}  // namespace assay::forms
