// SPDX-License-Identifier: Apache-2.0
#include "suites/tmem/copy_words.h"

#include <cstring>
#include <optional>

#include "reference/layout/tmem_copy.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/copy_fields.h"
#include "reference/spec/smem_desc.h"
#include "suites/run/bytes.h"
#include "suites/run/told.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

std::string source_words(const TmemMove& m) {
  const spec::SmemSwizzle* swizzle = spec::find_smem_swizzle(uint64_t{m.source.swizzle});
  std::string text = "swizzle " + std::string(swizzle->name) + ", start " + std::to_string(m.source.start) +
                     ", leading " + std::to_string(m.source.leading_offset) + ", stride " +
                     std::to_string(m.source.stride_offset) + ", base offset " +
                     std::to_string(m.source.base_offset);
  if (m.source_flip != 0) text += ", word " + hex_words(descriptor_word(m));
  return text;
}

std::string address_words(const TmemMove& m) {
  return "lane " + std::to_string(m.lane) + ", column " + std::to_string(m.column);
}

std::string count_words(const TmemMove& m) {
  std::string text = std::to_string(m.count) + " times";
  if (m.column_step != 0) text += ", " + std::to_string(m.column_step) + " columns further on each time";
  if (m.source_step != 0) text += ", " + std::to_string(16 * m.source_step) + " bytes further on each time";
  return text;
}

std::string cell_words(const TmemCopyCase& c, size_t cell) {
  const size_t lane = cell / c.alloc_columns;
  std::string text = "lane " + std::to_string(lane % model::tmem_lanes) + ", column " +
                     std::to_string(cell % c.alloc_columns);
  if (c.cta_group == 2) text += " of CTA " + std::to_string(lane / model::tmem_lanes);
  return text;
}

/// The only cell that should hold the word, or nothing.
std::optional<size_t> home_of(uint32_t word, std::span<const uint8_t> expected) {
  std::optional<size_t> found;
  for (size_t i = 0; i < expected.size() / 4; ++i) {
    if (word_at(expected, i) != word) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

std::string move_words(const TmemCopyCase& c, const TmemMove& m) {
  const std::string group = ".cta_group::" + std::to_string(c.cta_group);
  if (m.is_shift) return "tcgen05.shift" + group + ".down";
  return "tcgen05.cp" + group + "." + std::string(layout::tmem_copy_shapes[m.shape].name) +
         std::string(layout::tmem_copy_formats[m.format].name);
}

std::vector<std::pair<std::string, std::string>> copy_fields(const TmemCopyCase& c) {
  std::vector<std::pair<std::string, std::string>> list;
  for (uint32_t i = 0; i < c.move_count; ++i) {
    const TmemMove& m = c.moves[i];
    list.emplace_back(c.move_count == 1 ? "instruction" : "instruction " + std::to_string(i + 1),
                      move_words(c, m));
    list.emplace_back("address", address_words(m));
    if (!m.is_shift) list.emplace_back("matrix", source_words(m));
    if (m.count > 1) list.emplace_back("repeated", count_words(m));
    if (!m.waits && i + 1 < c.move_count) list.emplace_back("wait", "none before the next");
  }
  tell(c, list);
  if (c.cta_group == 2) list.emplace_back("issued by", c.odd_cta_issues ? "the odd CTA" : "the even CTA");
  return list;
}

std::string copy_brief(const TmemCopyCase& c) {
  std::string text = " " + move_words(c, c.moves[0]);
  for (uint32_t i = 1; i < c.move_count; ++i) text += ", " + move_words(c, c.moves[i]);
  return text;
}

Diagnosis diagnose_copy(const TmemCopyCase& c, std::span<const uint8_t> expected,
                        std::span<const uint8_t> observed, uint64_t byte) {
  const auto cell = static_cast<size_t>(byte / 4);
  const uint32_t right = word_at(expected, cell), wrong = word_at(observed, cell);
  Diagnosis made;
  made.first = cell_words(c, cell) + " is " + hex_words(wrong) + ", expected " + hex_words(right);
  if (const std::optional<size_t> home = home_of(wrong, expected))
    made.lines.push_back("that is the word of " + cell_words(c, *home));
  if (const std::optional<size_t> went = home_of(right, observed))
    made.lines.push_back("the word that belongs there stands in " + cell_words(c, *went));
  return made;
}

}  // namespace assay::suites
