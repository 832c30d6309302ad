// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/layout/tmem_copy.h"
#include "reference/model/case_field.h"
#include "reference/model/mma/operand_fields.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/model/tmem/copy_case.h"

/// The members of programs of tcgen05.cp and tcgen05.shift.
namespace assay {

inline constexpr uint32_t most_copied_window = 225 * 1024;

template <typename Move, typename Visit>
requires std::same_as<std::remove_const_t<Move>, TmemMove>
void visit_fields(Move& m, const Visit& visit) {
  ASSAY_FIELD(visit, m, column, .most = 511);
  ASSAY_FIELD(visit, m, column_step, .most = 511);
  ASSAY_FIELD(visit, m, count, .least = 1, .most = 64);
  ASSAY_FIELD(visit, m, format, .most = layout::tmem_copy_formats.size() - 1);
  ASSAY_FIELD(visit, m, is_shift);
  ASSAY_FIELD(visit, m, lane, .most = 127);
  ASSAY_FIELD(visit, m, shape, .most = layout::tmem_copy_shapes.size() - 1);
  ASSAY_FIELD(visit, m, source);
  ASSAY_FIELD(visit, m, source_flip, .shows = as_hex);
  ASSAY_FIELD(visit, m, source_step, .most = (1u << 14) - 1);
  ASSAY_FIELD(visit, m, waits);
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TmemCopyCase>
void visit_fields(Copy& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, alloc_columns, .unit = "columns", .values = powers_from_32, .told = always,
              .called = "allocation");
  ASSAY_FIELD(visit, c, cta_group, .values = cta_groups, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_fill);
  ASSAY_FIELD_AS("first", visit, c, moves[0]);
  ASSAY_FIELD(visit, c, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, c, move_count, .least = 1, .most = TmemCopyCase::most_moves, .told = elsewhere);
  ASSAY_FIELD(visit, c, odd_cta_issues, .told = elsewhere);
  ASSAY_FIELD_AS("second", visit, c, moves[1]);
  ASSAY_FIELD(visit, c, spelling, .most = most_spellings - 1);
  ASSAY_FIELD_AS("third", visit, c, moves[2]);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = most_copied_window, .multiple = 16,
              .told = always, .called = "window");
  ASSAY_FIELD(visit, c, window_fill);
}

}  // namespace assay
