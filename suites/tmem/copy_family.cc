// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <optional>

#include "generators/tmem/copy_cases.h"
#include "kernels/forms/records.h"
#include "kernels/params/tmem_copy.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/spec/smem_desc.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/bytes.h"
#include "suites/run/family_of.h"
#include "suites/run/field_coverage.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/tmem/families.h"

namespace assay::suites {
namespace {

static_assert(are_rows<params::CopyShape, layout::tmem_copy_shapes>() &&
              layout::tmem_copy_formats[static_cast<size_t>(params::CopyFormat::b6x16_p32)].bits == 6 &&
              layout::tmem_copy_formats[static_cast<size_t>(params::CopyFormat::b4x16_p64)].bits == 4);

using params::TmemCopyRecord;

size_t cells_of_cta(const TmemCopyCase& c) {
  return size_t{model::tmem_lanes} * c.alloc_columns;
}

/// The words that the probe of the CTA of that rank fills memory with.
void fill(const OperandPattern& pattern, uint32_t rank, std::span<uint32_t> words) {
  OperandPattern of_rank = pattern;
  of_rank.seed += uint64_t{rank} << 32;
  pattern_words.range(of_rank, 0, words);
}

/// Valid until this thread asks again.
model::MmaWindows windows_of(const TmemCopyCase& c) {
  thread_local std::vector<uint32_t> windows[2];
  model::MmaWindows given;
  for (uint32_t rank = 0; rank < c.cta_group; ++rank) {
    windows[rank].resize(c.window_bytes / 4);
    fill(c.window_fill, rank, windows[rank]);
    given[rank] = std::as_bytes(std::span(windows[rank]));
  }
  return given;
}

params::TmemMoveCommand command_of(const TmemMove& m, uint32_t spelling) {
  params::TmemMoveCommand command{};
  command.is_shift = m.is_shift;
  command.shape = static_cast<params::CopyShape>(m.shape);
  command.format = static_cast<params::CopyFormat>(m.format);
  command.waits = m.waits;
  command.count = m.count;
  command.taddr = m.lane << 16 | m.column;
  command.source_step = m.source_step;
  command.column_step = m.column_step;
  command.opcode = forms::opcode_of(command, spelling);
  command.descriptor = m.is_shift ? 0 : descriptor_word(m);
  return command;
}

bool writes(const TmemMove& m, uint32_t column) {
  for (uint32_t n = 0; n < m.count; ++n)
    if (column - (m.column + n * m.column_step) < columns_of(m)) return true;
  return false;
}

class TmemCopy final : public PlainFamily<TmemCopyCase, TmemCopyRecord, suites::simpler> {
 public:
  std::string_view name() const override { return "tmem_copy"; }
  uint32_t output_bytes(const Case& any) const override {
    const TmemCopyCase& c = any.as<TmemCopyCase>();
    return static_cast<uint32_t>(c.cta_group * cells_of_cta(c) * 4);
  }
  uint32_t batch_key(const Case& any) const override { return any.as<TmemCopyCase>().cta_group; }

  void complete(const TmemCopyCase& c, const spec::Readings&, TmemCopyRecord& r) const override {
    for (uint32_t i = 0; i < c.move_count; ++i) r.moves[i] = command_of(c.moves[i], c.spelling);
  }

  uint64_t pace() const override { return 32; }
  std::span<const Descriptor> descriptors() const override { return tmem_copy_descriptors(); }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const TmemCopyCase& c = any.as<TmemCopyCase>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const std::span<std::byte> mask = scratch.take(scratch.mask, bytes.size());
    const auto words = [](std::span<std::byte> of) {
      return std::span(reinterpret_cast<uint32_t*>(of.data()), of.size() / 4);
    };
    for (uint32_t rank = 0; rank < c.cta_group; ++rank)
      fill(c.d_fill, rank, words(bytes).subspan(rank * cells_of_cta(c), cells_of_cta(c)));
    const model::Tcgen05MmaPrediction prediction =
        predict_tmem_copy(c, readings, windows_of(c), words(bytes), words(mask));
    e.end = prediction.end;
    e.may_crash = false;
    e.judges_bytes = prediction.end != model::End::illegal_instruction;
    e.bytes = bytes;
    e.mask = prediction.all_defined ? std::span<std::byte>{} : mask;
    e.rules = prediction.rules;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    return copy_fields(any.as<TmemCopyCase>());
  }
  std::string brief(const Case& any) const override { return copy_brief(any.as<TmemCopyCase>()); }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const TmemCopyCase& c = any.as<TmemCopyCase>();
    const auto column = static_cast<uint32_t>(byte / 4 % c.alloc_columns);
    for (uint32_t i = c.move_count; i-- > 0;)
      if (writes(c.moves[i], column)) return c.moves[i].is_shift ? "shifted" : "copied";
    return "beside";
  }
  std::span<const model::Bend> bends() const override { return tmem_copy_bends(); }

  std::string open_result(const Case& any, const Expected& e, const spec::Readings& readings,
                          const RecordEnd& end, std::span<const std::byte> output) const override {
    TmemCopyCase right = any.as<TmemCopyCase>();
    for (TmemMove& m : right.moves) m.source_flip = 0;
    return open_result_beside(*this, Case(right), "what it writes", e, readings, end, output);
  }

  OutputShape output_shape(const Case& any) const override {
    return {4, 4 * any.as<TmemCopyCase>().alloc_columns, 0, ""};
  }
  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    return diagnose_copy(any.as<TmemCopyCase>(), expected.bytes, observed, byte);
  }
  ElementPlace element_place(const Case& any, uint64_t byte) const override {
    const TmemCopyCase& c = any.as<TmemCopyCase>();
    const auto cell = static_cast<uint32_t>(byte / 4), lane = cell / c.alloc_columns;
    return {.cluster_rank = static_cast<int>(lane / model::tmem_lanes),
            .tmem_lane = static_cast<int>(lane % model::tmem_lanes),
            .tmem_column = static_cast<int>(cell % c.alloc_columns)};
  }

  Case from_json(const nlohmann::json& json) const override {
    const TmemCopyCase c = model::case_from_json<TmemCopyCase>(json);
    for (uint32_t i = 0; i < c.move_count; ++i)
      for (const spec::Arch arch : spec::all_archs)
        if (spec::has_tcgen05(arch) && c.moves[i].source_flip != 0 &&
            broken_copy_rules(c, spec::Readings(arch)).none())
          throw std::runtime_error(
              "the flipped bits give another legal descriptor; set its fields instead of flipping bits.");
    return c;
  }
};

}  // namespace

const Family& tmem_copy_family() {
  static const TmemCopy family;
  return family;
}

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
