#include "suites/operations/tmem_copy/copy_case.h"

#include <algorithm>
#include <bit>

#include "reference/layout/canonical.h"
#include "reference/layout/tmem_copy.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "reference/model/operand_fields.h"
#include "reference/model/spelling.h"
#include "reference/model/tcgen05_mma_form.h"

namespace assay {

using nlohmann::json;

// Beside the types, where the templates of case_fields.h find them.
template <typename Move, typename Visit>
requires std::same_as<std::remove_const_t<Move>, TmemMove>
void visit_fields(Move& m, const Visit& visit) {
  visit("column", m.column);
  visit("column_step", m.column_step);
  visit("count", m.count);
  visit("format", m.format);
  visit("is_shift", m.is_shift);
  visit("lane", m.lane);
  visit("shape", m.shape);
  visit("source", m.source);
  visit("source_flip", m.source_flip);
  visit("source_step", m.source_step);
  visit("waits", m.waits);
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TmemCopyCase>
void visit_fields(Copy& c, const Visit& visit) {
  visit("alloc_columns", c.alloc_columns);
  visit("cta_group", c.cta_group);
  visit("d_fill", c.d_fill);
  visit("first", c.moves[0]);
  visit("issuer_thread", c.issuer_thread);
  visit("move_count", c.move_count);
  visit("odd_cta_issues", c.odd_cta_issues);
  visit("second", c.moves[1]);
  visit("spelling", c.spelling);
  visit("third", c.moves[2]);
  visit("window_bytes", c.window_bytes);
  visit("window_fill", c.window_fill);
}

namespace {

constexpr uint32_t largest_window = 225 * 1024;

std::string field(const std::string& name, uint64_t value, const std::string& why) {
  return "field '" + name + "' of the case is " + std::to_string(value) + "; " + why + ".";
}

std::string wrong_source(const TmemCopyCase& c, const TmemMove& m) {
  for (const uint32_t bytes : {m.source.start, m.source.leading_offset, m.source.stride_offset})
    if (bytes % 16 != 0 || bytes >= 1u << 18)
      return field("source", bytes, "offsets are multiples of 16 below 262144");
  if (m.source.base_offset > 7 || spec::find_smem_swizzle(uint64_t{m.source.swizzle}) == nullptr)
    return field("source", m.source.swizzle, "its base offset is below 8 and its swizzle 0, 1, 2, 4 or 6");
  if (m.source.leading_is_absolute && m.source.leading_offset + 128 > c.window_bytes)
    return field("source", m.source.leading_offset, "the absolute offset leads out of the window");
  if (m.source_step >= 1u << 14 || source_end(m) > c.window_bytes)
    return field("window_bytes", c.window_bytes, "a copy would read beyond it");
  return {};
}

std::string wrong_move(const TmemCopyCase& c, const TmemMove& m) {
  if (m.count < 1 || m.count > 64) return field("count", m.count, "it is 1 to 64");
  if (m.lane > 127) return field("lane", m.lane, "there are 128");
  if (m.shape >= layout::tmem_copy_shapes.size()) return field("shape", m.shape, "there are six");
  if (m.format >= layout::tmem_copy_formats.size()) return field("format", m.format, "there are three");
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
  if (matrix.start >= largest_window) return ~0u;
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
  if (c.cta_group != 1 && c.cta_group != 2) return field("cta_group", c.cta_group, "it is 1 or 2");
  if (c.issuer_thread > 127) return field("issuer_thread", c.issuer_thread, "a CTA has 128 threads");
  if (c.spelling >= most_spellings) return field("spelling", c.spelling, "it is below 64");
  if (c.odd_cta_issues && c.cta_group != 2) return "only a pair has an odd CTA.";
  if (c.move_count < 1 || c.move_count > TmemCopyCase::most_moves)
    return field("move_count", c.move_count, "it is 1 to 3");
  if (!std::has_single_bit(c.alloc_columns) || c.alloc_columns < 32 || c.alloc_columns > 512)
    return field("alloc_columns", c.alloc_columns, "it is 32, 64, 128, 256 or 512");
  if (c.window_bytes % 16 != 0 || c.window_bytes > largest_window)
    return field("window_bytes", c.window_bytes,
                 "it is a multiple of 16 up to " + std::to_string(largest_window));
  for (uint32_t i = 0; i < TmemCopyCase::most_moves; ++i) {
    if (i >= c.move_count && c.moves[i] != TmemMove{})
      return "a move behind the last one is not as by default.";
    if (i >= c.move_count) continue;
    if (const std::string wrong = wrong_move(c, c.moves[i]); !wrong.empty()) return wrong;
  }
  return {};
}

json to_json(const TmemCopyCase& c) {
  return model::fields::written(c);
}

TmemCopyCase tmem_copy_case_from_json(const json& from) {
  const auto c = model::fields::read_case<TmemCopyCase>(from);
  if (const std::string wrong = what_is_wrong(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}

nlohmann::json tmem_copy_case_schema() {
  return model::fields::schema_of(TmemCopyCase());
}

}  // namespace assay
