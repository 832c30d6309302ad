// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/spec/instr_desc.h"

namespace assay::spec {

/// Fields of an instruction descriptor whose place depends on the kind, and what they say. For the files of
/// instr_desc.h.
inline bool has_k_size(MmaKind kind) {
  return kind == MmaKind::mxf4 || kind == MmaKind::mxf4nvf4;
}
inline const Field& b_type_of(MmaKind kind) {
  return has_k_size(kind) ? idesc::mxf4_b_type : idesc::b_type;
}
inline const Field& m_of(MmaKind kind) {
  return row_of(kind).is_mx ? idesc::mx_m : idesc::m;
}
/// The format that a code of the field means in this kind; null when it means none.
const Format* format_of(MmaKind kind, const Field& field, uint64_t raw);
inline const Format* a_format(uint64_t word, MmaKind kind) {
  return format_of(kind, idesc::a_type, get_raw(word, idesc::a_type));
}
inline const Format* b_format(uint64_t word, MmaKind kind) {
  return format_of(kind, b_type_of(kind), get_raw(word, b_type_of(kind)));
}
inline bool is_sparse(uint64_t word) {
  return get_raw(word, idesc::sparse) != 0;
}
inline bool is_k96(uint64_t word, MmaKind kind) {
  return has_k_size(kind) && get_raw(word, idesc::k_size) != 0;
}
inline int m_value(uint64_t word, MmaKind kind) {
  return static_cast<int>(get(word, m_of(kind)));
}
inline int n_value(uint64_t word) {
  return static_cast<int>(get(word, idesc::n));
}

}  // namespace assay::spec
