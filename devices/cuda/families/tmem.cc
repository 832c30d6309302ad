// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"
#include "kernels/forms/ways.h"
#include "kernels/params/tcgen05.h"
#include "kernels/params/tmem_copy.h"
#include "kernels/params/tmem_ld_red.h"

namespace assay::cuda {

void TensorMemoryGroups::add(uint32_t record, uint32_t columns, const forms::KernelLaunch& launch) {
  ProbeGroup& group = groups_[{launch.kernel, columns, launch.threads}];
  // CTAs of an SM share its 512 columns. Shared memory in the same proportion keeps those away that would
  // only wait for columns.
  if (group.records.empty() && !device_.emulator)
    group.dynamic_shared_bytes =
        static_cast<uint32_t>(device_.max_dynamic_shared - 2048) / 512 * columns / 16 * 16;
  add_record(device_, group, record, launch);
}

std::vector<ProbeGroup> TensorMemoryGroups::take() {
  std::vector<ProbeGroup> groups;
  for (auto& [key, group] : groups_) groups.push_back(std::move(group));
  groups_.clear();
  return groups;
}

namespace {

using params::TmemAccessRecord;
using params::TmemShape;

/// Registers of a thread at count 1 (ptx, tcgen05.ld: .num).
constexpr uint32_t registers_of(TmemShape shape) {
  return shape == TmemShape::s16x128b ? 2 : shape == TmemShape::s16x256b ? 4 : 1;
}

const char* wrong_tmem_access_form(const TmemAccessRecord& r) {
  if (r.is_store > 1 || r.packs > 1) return "is_store and packs must be 0 or 1";
  if (r.shape > TmemShape::s16x32bx2) return "shape must be 0 to 4";
  if (r.count == 0 || (r.count & (r.count - 1)) || r.count * registers_of(r.shape) > params::tmem_registers)
    return "count must be a power of two that takes at most 128 registers";
  if (r.shape == TmemShape::s16x32bx2) {
    const auto& splits = params::tmem_splits;
    if (std::find(std::begin(splits), std::end(splits), r.split) == std::end(splits))
      return "split must be 0 or a power of two up to 256";
  } else if (r.split != 0) {
    return "only 16x32bx2 takes a split";
  }
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the instruction";
  return nullptr;
}

const char* wrong_tmem_access(const TmemAccessRecord& r, const TmemAccessRecord&, const BatchView&) {
  if (const char* form = wrong_tmem_access_form(r)) return form;
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.one_address > 4) return "one_address must be 0 to 4";
  if (r.warps != 4 && r.warps != params::most_access_warps) return "warps must be 4 or 8";
  const uint32_t words = r.is_store ? r.alloc_columns : params::tmem_registers;
  if (r.output_bytes != 128 * words * 4)
    return "output_bytes must be 128 * 4 * (alloc_columns of a store, 128 of a load)";
  return nullptr;
}

const RegisterFamily tmem_access(family_of<TmemAccessRecord, wrong_tmem_access>(
    "tmem_access", declines_tcgen05, run_with_allocations<TmemAccessRecord>));

using params::TmemCopyRecord;

const char* wrong_move(const params::TmemMoveCommand& move) {
  if (move.is_shift > 1 || move.waits > 1) return "is_shift and waits must be 0 or 1";
  if (static_cast<uint32_t>(move.shape) >= params::copy_shapes) return "shape must be 0 to 5";
  if (static_cast<uint32_t>(move.format) >= params::copy_formats) return "format must be 0 to 2";
  if (move.count < 1 || move.count > 64) return "count must be 1 to 64";
  bool is_of_form = false;
  for (uint32_t spelling = 0; spelling < forms::tensor_way_count; ++spelling)
    is_of_form |= move.opcode == forms::opcode_of(move, spelling);
  if (!is_of_form) return "opcode must be that of the shape and the format";
  return nullptr;
}

const char* wrong_tmem_copy(const TmemCopyRecord& r, const TmemCopyRecord& first, const BatchView&) {
  if (r.cta_group != 1 && r.cta_group != 2) return "cta_group must be 1 or 2";
  if (r.cta_group != first.cta_group) return "cta_group must be the same in a batch";
  if (r.odd_cta_issues >= r.cta_group) return "only a pair has an odd CTA";
  if (r.move_count < 1 || r.move_count > params::most_moves) return "move_count must be 1 to 3";
  for (uint32_t i = 0; i < r.move_count; ++i)
    if (const char* what = wrong_move(r.moves[i])) return what;
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.window_bytes % 16 || r.window_bytes > params::max_operand_window_bytes)
    return "window_bytes must be a multiple of 16 up to 225 KiB";
  if (r.output_bytes != r.cta_group * 128u * r.alloc_columns * 4)
    return "output_bytes must be cta_group * 128 * alloc_columns * 4";
  return nullptr;
}

const RegisterFamily tmem_copy(family_of<TmemCopyRecord, wrong_tmem_copy>(
    "tmem_copy", declines_tcgen05, run_with_allocations<TmemCopyRecord>));

using params::TmemLdRedRecord;

const char* wrong_tmem_ld_red(const TmemLdRedRecord& r, const TmemLdRedRecord&, const BatchView&) {
  if (r.is_split > 1) return "is_split must be 0 or 1";
  if (r.count < 2 || r.count > 128 || (r.count & (r.count - 1)) != 0)
    return "count must be a power of two from 2 to 128";
  if (r.operation >= params::tmem_red_operations) return "operation must be 0 to 11";
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.output_bytes != 128 * params::tmem_red_words * 4) return "output_bytes must be 128 * 132 * 4";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of shape, count and operation";
  return nullptr;
}

const RegisterFamily tmem_ld_red(family_of<TmemLdRedRecord, wrong_tmem_ld_red>(
    "tmem_ld_red", declines_where_absent<&spec::Architecture::has_ld_red>,
    run_with_allocations<TmemLdRedRecord>));

}  // namespace
}  // namespace assay::cuda
