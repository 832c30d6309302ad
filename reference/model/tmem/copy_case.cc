// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/copy_case.h"

#include <algorithm>
#include <bit>

#include "reference/layout/canonical.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/mma/mma.h"

namespace assay {

using nlohmann::json;

namespace {

std::string field(const std::string& name, uint64_t value, const std::string& why) {
  return "field '" + name + "' of the case is " + std::to_string(value) + "; " + why + ".";
}

std::string wrong_source(const TmemCopyCase& c, const TmemMove& m) {
  if (m.source.leading_is_absolute && m.source.leading_offset + 128 > c.window_bytes)
    return field("source", m.source.leading_offset, "the absolute offset leads out of the window");
  if (source_end(m) > c.window_bytes)
    return field("window_bytes", c.window_bytes, "a copy would read beyond it");
  return {};
}

std::string wrong_move(const TmemCopyCase& c, const TmemMove& m) {
  if (m.column >= c.alloc_columns || m.column_step >= c.alloc_columns ||
      m.column + (m.count - 1) * m.column_step + columns_of(m) > c.alloc_columns)
    return field("column", m.column, "the allocation ends before the last column");
  if (m.is_shift) {
    if (m.source != MatrixInShared{} || m.source_flip != 0 || m.source_step != 0 || m.shape != 0 ||
        m.format != 0)
      return "a shift has neither a source nor a shape.";
    return {};
  }
  // Further up a row would have no lane to go to.
  if (m.lane != 0 && (m.shape != 1 || m.lane > 31))
    return field("lane", m.lane, "a copy starts at lane 0, one of 4x256b at 0 to 31");
  return wrong_source(c, m);
}

}  // namespace

uint32_t columns_of(const TmemMove& m) {
  return static_cast<uint32_t>(m.is_shift ? layout::shifted_columns
                                          : layout::tmem_copy_shapes[m.shape].words);
}

uint32_t source_end(const TmemMove& m) {
  const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[m.shape];
  const layout::SmemOperand words{32, layout::Packing::plain, false};
  spec::SmemMatrix matrix = model::matrix_of(m.source);
  matrix.start += (m.count - 1) * m.source_step * 16;
  if (matrix.start >= most_copied_window) return ~0u;
  uint32_t last = 0;
  // Nothing lies further out than the last row of some group, in one of its units of 16 bytes.
  for (int row = 0; row < shape.rows; ++row)
    for (int word = 0; word < shape.words; word += 4)
      last = std::max(
          last, layout::linear_cell(matrix, words, static_cast<uint32_t>(row), static_cast<uint32_t>(word)));
  return (last | 127) + 1;
}

uint64_t descriptor_word(const TmemMove& m) {
  return spec::encode_smem_desc(model::matrix_of(m.source)) ^ m.source_flip;
}

std::string what_is_wrong(const TmemCopyCase& c) {
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  if (c.odd_cta_issues && c.cta_group != 2) return "only a pair has an odd CTA.";
  for (uint32_t i = 0; i < TmemCopyCase::most_moves; ++i) {
    if (i >= c.move_count && c.moves[i] != TmemMove{})
      return "a move behind the last one is not as by default.";
    if (i >= c.move_count) continue;
    if (const std::string wrong = wrong_move(c, c.moves[i]); !wrong.empty()) return wrong;
  }
  return {};
}

std::string what_is_wrong(const CommitCase& c) {
  const auto field = [](const char* name, uint32_t value, const char* why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  if (c.issuer_rank >= c.cluster_size) return field("issuer_rank", c.issuer_rank, "there is no such CTA");
  if (c.cta_mask == 0 || (c.cta_mask >> c.cluster_size) != 0)
    return field("cta_mask", c.cta_mask, "it names CTAs of the cluster, one at least");
  if (!c.multicast && !std::has_single_bit(c.cta_mask))
    return field("cta_mask", c.cta_mask, "without a multicast it is one bit");
  if (c.barrier_offset != 0 && c.barrier_offset < commit_window_bytes)
    return field("barrier_offset", c.barrier_offset, "the mbarriers lie behind the window");
  return {};
}

}  // namespace assay

namespace assay::model {

ASSAY_CASE_JSON(TmemCopyCase);
ASSAY_CASE_JSON(CommitCase);

}  // namespace assay::model
