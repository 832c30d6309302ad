// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/records.h"

#include "kernels/forms/ways.h"
#include "kernels/params/tmem_forms.h"
#include "reference/spec/mma_kinds.h"

namespace assay::forms {
namespace {

uint32_t mma_opcode(const params::Tcgen05MmaRecord& r, params::Collector how) {
  const Forms& forms = forms_of(r);
  const uint32_t kind = static_cast<uint32_t>(r.kind), collector = static_cast<uint32_t>(how);
  const bool is_kept = how != params::Collector::none;
  const uint32_t a = r.flags & params::mma_a_in_tmem ? 1 : 0,
                 is_sparse = r.flags & params::mma_sparse ? 1 : 0;
  const bool is_plain = is_kept || (r.flags & params::mma_scale_input_d);
  const uint32_t way = is_plain ? 0 : params::way_of(r.flags);
  if (spec::is_scaled(r.kind))
    return forms.opcode({kind * 64 + r.scale_vector, a, collector, is_sparse, way});
  if (r.flags & params::mma_ws)
    return forms.opcode({kind, a, r.flags & params::mma_zero_column_mask ? 1u : 0u,
                         is_kept ? r.collector_buffer * 4 + collector : 0, is_sparse, way});
  return forms.opcode({kind, a, r.flags & params::mma_disable_output_lane ? 1u : 0u, collector,
                       r.flags & params::mma_scale_input_d ? r.scale_input_d + 1u : 0u,
                       r.flags & params::mma_shift_a ? 1u : 0u, is_sparse, way});
}

}  // namespace

const Forms& forms_of(const params::Tcgen05MmaRecord& r) {
  static const Forms &one = forms("tcgen05.mma"), &pair = forms("tcgen05.mma.pair"),
                     &ws = forms("tcgen05.mma.ws"), &scaled = forms("tcgen05.mma.block_scale"),
                     &scaled_pair = forms("tcgen05.mma.block_scale.pair");
  if (spec::is_scaled(r.kind)) return r.cta_group == 2 ? scaled_pair : scaled;
  return r.flags & params::mma_ws ? ws : r.cta_group == 2 ? pair : one;
}
uint32_t opcode_of(const params::Tcgen05MmaRecord& r) {
  return mma_opcode(r, r.collector);
}
uint32_t filling_opcode_of(const params::Tcgen05MmaRecord& r) {
  return mma_opcode(r, params::Collector::fill);
}

Needed needed_forms(const params::Tcgen05MmaRecord& r) {
  std::set<uint32_t> opcodes{r.opcode};
  if (r.flags & params::mma_collector_filled) opcodes.insert(r.filling_opcode);
  Needed needed{{forms_of(r).family().name, opcodes}};
  const auto copies = [&](params::CopyShape shape) {
    needed[r.cta_group == 2 ? "tcgen05.cp.pair" : "tcgen05.cp"].insert(
        params::plain_copy_opcode(static_cast<uint32_t>(shape)));
  };
  if (spec::is_scaled(r.kind) && r.a_scales.source < r.window_bytes) {
    copies(params::CopyShape::s32x128b_warpx4);
    if (r.flags & params::mma_scale_halves) copies(params::CopyShape::s64x128b_warpx2_01_23);
  }
  if (r.flags & params::mma_metadata_copied) copies(params::CopyShape::s128x128b);
  return needed;
}

const Forms& forms_of(const params::GemmRecord& r) {
  static const Forms &one = forms("pipeline.mma"), &pair = forms("pipeline.mma.pair");
  return r.cta_group == 2 ? pair : one;
}
uint32_t opcode_of(const params::GemmRecord& r) {
  const params::GemmForm& form = params::gemm_form(r.type);
  return forms_of(r).opcode(
      {static_cast<uint32_t>(form.kind) * 64 + form.scale_vector, form.is_sparse ? 1u : 0u});
}

const Forms& forms_of(const params::TmemAccessRecord& r) {
  static const Forms &ld = forms("tcgen05.ld"), &st = forms("tcgen05.st");
  return r.is_store ? st : ld;
}
uint32_t opcode_of(const params::TmemAccessRecord& r) {
  return forms_of(r).opcode({static_cast<uint32_t>(r.shape), r.count, r.packs, r.split});
}

const Forms& forms_of(const params::TmemLdRedRecord&) {
  static const Forms& all = forms("tcgen05.ld.red");
  return all;
}
uint32_t opcode_of(const params::TmemLdRedRecord& r) {
  return forms_of(r).opcode({r.is_split, r.count, r.operation});
}

const Forms& forms_of(const params::TmemCopyRecord& r) {
  static const Forms &one = forms("tcgen05.cp"), &pair = forms("tcgen05.cp.pair");
  return r.cta_group == 2 ? pair : one;
}
uint32_t opcode_of(const params::TmemMoveCommand& move, uint32_t spelling) {
  static const Forms& copies = forms("tcgen05.cp");
  if (move.is_shift) return 0;
  return copies.opcode(
      {spelling % tensor_way_count, static_cast<uint32_t>(move.shape), static_cast<uint32_t>(move.format)});
}
Needed needed_forms(const params::TmemCopyRecord& r) {
  std::set<uint32_t> opcodes;
  for (uint32_t i = 0; i < r.move_count && i < params::most_moves; ++i)
    if (!r.moves[i].is_shift) opcodes.insert(r.moves[i].opcode);
  return {{forms_of(r).family().name, opcodes}};
}

Needed needed_forms(const params::SequenceRecord& r) {
  using params::TmemCommand;
  Needed needed;
  if (!r.is_tmem) {
    for (uint32_t i = 0; i < r.count && i < params::most_commands; ++i)
      needed["mbarrier"].insert(r.opcode[i]);
    return needed;
  }
  for (uint32_t i = 0; i < r.count && i < params::most_commands; ++i) {
    const auto command = static_cast<TmemCommand>(r.commands[i].op);
    if (command == TmemCommand::copy)
      needed["tcgen05.cp"].insert(params::plain_copy_opcode(r.commands[i].amount % params::copy_shapes));
    const uint32_t form = params::tmem_form(command, r.commands[i].amount);
    const bool is_by_columns = r.commands[i].amount == params::load_by_columns;
    if (command == TmemCommand::load)
      needed[is_by_columns ? "tcgen05.ld.columns" : "tcgen05.ld.cells"].insert(form);
    if (command == TmemCommand::load_wait_store) needed["tcgen05.ld.columns.wait_st"].insert(form);
    if (command == TmemCommand::replace) needed["tcgen05.ld.columns.st"].insert(form);
    if (command == TmemCommand::store) needed["tcgen05.st.cells"].insert(form);
    if (command == TmemCommand::multiply) needed["tcgen05.mma.cells"].insert(form);
    if (command == TmemCommand::shift) needed["tcgen05.shift.cells"].insert(form);
  }
  return needed;
}

const Forms& forms_of(const params::WgmmaRecord&) {
  static const Forms& all = forms("wgmma");
  return all;
}
uint32_t opcode_of(const params::WgmmaRecord& r) {
  return forms_of(r).opcode({static_cast<uint32_t>(params::wgmma_form_types(r.form)),
                             params::wgmma_form_n(r.form), params::wgmma_form_modifiers(r.form),
                             params::wgmma_form_sparsity(r.form), params::wgmma_form_groups(r.form)});
}

const Forms& forms_of(const params::MmaSyncRecord&) {
  static const Forms& all = forms("mma.sync");
  return all;
}
uint32_t opcode_of(const params::MmaSyncRecord& r) {
  return forms_of(r).opcode({static_cast<uint32_t>(params::mma_sync_form_types(r.form)),
                             params::mma_sync_form_m(r.form) << 8 | params::mma_sync_form_k(r.form),
                             params::mma_sync_form_sparsity(r.form)});
}

const Forms& forms_of(const params::MmaSyncF64Record&) {
  static const Forms& all = forms("mma.sync.f64");
  return all;
}
uint32_t opcode_of(const params::MmaSyncF64Record& r) {
  return r.m > 0xff || r.k > 0xff ? Forms::none : forms_of(r).opcode({r.m << 8 | r.k});
}

const Forms& forms_of(const params::MmaSyncKindRecord& r) {
  static const Forms &plain = forms("mma.sync.kind"), &scaled = forms("mma.sync.block_scale");
  return params::is_scaled(r.kind) ? scaled : plain;
}
uint32_t opcode_of(const params::MmaSyncKindRecord& r) {
  const auto a = static_cast<uint32_t>(r.a), b = static_cast<uint32_t>(r.b);
  if (!params::is_scaled(r.kind)) return forms_of(r).opcode({r.is_sparse, r.d_is_f16, a, b});
  if (r.scale_vector > 4 || r.d_is_f16 != 0) return Forms::none;
  return forms_of(r).opcode({r.is_sparse, static_cast<uint32_t>(r.kind) * 8 + r.scale_vector, a, b});
}

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
