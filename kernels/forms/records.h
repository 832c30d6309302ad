#pragma once

#include "kernels/forms/expand.h"
#include "kernels/params/mma_sync.h"
#include "kernels/params/mma_sync_f64.h"
#include "kernels/params/mma_sync_kind.h"
#include "kernels/params/sequence.h"
#include "kernels/params/tcgen05.h"
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

const Forms& forms_of(const params::TmemAccessRecord& record);
uint32_t opcode_of(const params::TmemAccessRecord& record);

const Forms& forms_of(const params::TmemLdRedRecord& record);
uint32_t opcode_of(const params::TmemLdRedRecord& record);

/// Of each move; 0 of a shift, which has one form.
const Forms& forms_of(const params::TmemCopyRecord& record);
uint32_t opcode_of(const params::TmemMoveCommand& move);

const Forms& forms_of(const params::WgmmaRecord& record);
uint32_t opcode_of(const params::WgmmaRecord& record);

const Forms& forms_of(const params::MmaSyncRecord& record);
uint32_t opcode_of(const params::MmaSyncRecord& record);

const Forms& forms_of(const params::MmaSyncF64Record& record);
uint32_t opcode_of(const params::MmaSyncF64Record& record);

const Forms& forms_of(const params::MmaSyncKindRecord& record);
uint32_t opcode_of(const params::MmaSyncKindRecord& record);

/// The copies of a record.
Needed needed_forms(const params::TmemCopyRecord& record);
Needed needed_forms(const params::SequenceRecord& record);
/// The instruction of a record, for expand_source().
template <typename Record>
Needed needed_forms(const Record& record) {
  return {{forms_of(record).family().name, {record.opcode}}};
}

}  // namespace assay::forms
