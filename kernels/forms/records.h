// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/forms/expand.h"
#include "kernels/params/bulk_copy.h"
#include "kernels/params/gemm.h"
#include "kernels/params/map_program.h"
#include "kernels/params/mma_sync.h"
#include "kernels/params/mma_sync_f64.h"
#include "kernels/params/mma_sync_kind.h"
#include "kernels/params/screen.h"
#include "kernels/params/sequence.h"
#include "kernels/params/tcgen05.h"
#include "kernels/params/tensor_copy.h"
#include "kernels/params/tmem_copy.h"
#include "kernels/params/tmem_ld_red.h"
#include "kernels/params/wgmma.h"

/// The opcode of the instruction that a record describes by its other members; Forms::none where the probes
/// have no such instruction.
namespace assay::forms {

const Forms& forms_of(const params::Tcgen05MmaRecord& record);
uint32_t opcode_of(const params::Tcgen05MmaRecord& record);
/// Of the instruction that fills the collector which the record's reads.
uint32_t filling_opcode_of(const params::Tcgen05MmaRecord& record);

const Forms& forms_of(const params::GemmRecord& record);
uint32_t opcode_of(const params::GemmRecord& record);

const Forms& forms_of(const params::TmemAccessRecord& record);
uint32_t opcode_of(const params::TmemAccessRecord& record);

const Forms& forms_of(const params::TmemLdRedRecord& record);
uint32_t opcode_of(const params::TmemLdRedRecord& record);

/// Of each move; 0 of a shift, which has one form.
const Forms& forms_of(const params::TmemCopyRecord& record);
uint32_t opcode_of(const params::TmemMoveCommand& move, uint32_t spelling = 0);

const Forms& forms_of(const params::WgmmaRecord& record);
uint32_t opcode_of(const params::WgmmaRecord& record);

const Forms& forms_of(const params::MmaSyncRecord& record);
uint32_t opcode_of(const params::MmaSyncRecord& record);

const Forms& forms_of(const params::MmaSyncF64Record& record);
uint32_t opcode_of(const params::MmaSyncF64Record& record);

/// What tells the instructions of tensor copies apart.
struct TensorCopyForm {
  params::CopyOp op;
  params::CopyMode mode;
  uint32_t rank;
  uint32_t flags;                 ///< params::CopyFlags
  bool is_in_cluster;             ///< a load of the probes that run in clusters
  uint32_t reduction;             ///< of a store: 0, or 1 + params::TensorReduceOp
  uint32_t spelling = 0;          ///< any number; 0: with no more words than it needs
  bool may_be_immediate = false;  ///< the operands are those that an immediate can stand for, by Way
};
const Forms& forms_of(const TensorCopyForm& form);
uint32_t opcode_of(const TensorCopyForm& form);
template <typename Args>
TensorCopyForm form_of(const params::TensorCopyRecord<Args>& r) {
  const bool is_multicast = r.cluster_size > 1 && !(r.flags & params::copy_unicast);
  return {r.op,
          r.mode,
          r.instruction_rank,
          r.flags,
          r.cluster_size > 1,
          r.reduction,
          r.spelling,
          is_multicast ? r.cta_mask == 3 : r.coord[0] == 0 && (r.more_lanes == 0 || r.lane_step[0] == 0)};
}
template <typename Args>
const Forms& forms_of(const params::TensorCopyRecord<Args>& record) {
  return forms_of(form_of(record));
}
template <typename Args>
uint32_t opcode_of(const params::TensorCopyRecord<Args>& record) {
  return opcode_of(form_of(record));
}
/// Of the prefetch of the same box; Forms::none where the record has none.
uint32_t prefetch_opcode_of(const TensorCopyForm& form);

const Forms& forms_of(const params::BulkCopyRecord& record);
uint32_t opcode_of(const params::BulkCopyRecord& record);

/// 0 of a step that replaces nothing. The rows of maps in global and in shared memory are the same.
uint32_t opcode_of(const params::MapStep& step);
const Forms& forms_of(const params::MapUse& use);
uint32_t opcode_of(const params::MapUse& use);
const Forms& forms_of(const params::MmaSyncKindRecord& record);
uint32_t opcode_of(const params::MmaSyncKindRecord& record);

/// With the copies of scales and the instruction that fills the collector.
Needed needed_forms(const params::Tcgen05MmaRecord& record);
/// The copies of a record.
Needed needed_forms(const params::TmemCopyRecord& record);
Needed needed_forms(const params::MapProgramRecord& record);
/// With its wait.
Needed needed_forms(const params::BulkCopyRecord& record);
/// With the prefetch, and what the probe does to a map.
Needed needed_forms(const TensorCopyForm& form);
/// Of a command of barriers: one of the spellings that mean the same, by any number. `generic`: it names its
/// barrier by a generic address.
uint32_t opcode_of(const params::SequenceCommand& command, bool generic, uint32_t spelling);
uint32_t commit_opcode(bool is_multicast, bool is_generic);
template <typename Args>
Needed needed_forms(const params::TensorCopyRecord<Args>& record) {
  return needed_forms(form_of(record));
}
Needed needed_forms(const params::SequenceRecord& record);
inline Needed needed_forms(const params::ScreenRecord& record) {
  return {{"screen.chain", {record.kind}}};
}
inline Needed needed_forms(const params::ScreenBothRecord& record) {
  return needed_forms(record.chains);
}
/// Has no choice of form.
inline Needed needed_forms(const params::ScreenTilesRecord&) {
  return {};
}
/// The instruction of a record, for expand_source().
template <typename Record>
Needed needed_forms(const Record& record) {
  return {{forms_of(record).family().name, {record.opcode}}};
}

}  // namespace assay::forms
