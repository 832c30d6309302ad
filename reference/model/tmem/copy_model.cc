// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "reference/layout/canonical.h"
#include "reference/layout/tmem.h"
#include "reference/model/bend.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::suites {
namespace {

using spec::rule;

constexpr uint32_t lanes = model::tmem_lanes;

/// One instruction of a program.
struct Issue {
  const TmemMove* move;
  uint32_t number;  ///< of the move's
  uint32_t column() const { return move->column + number * move->column_step; }
  bool is_4x256b() const { return !move->is_shift && move->shape == 1; }
};

/// Whether the documents order them though nothing is waited for: shifts come before copies of 4x256b.
bool is_pipelined(const Issue& first, const Issue& second) {
  return first.move->is_shift && second.is_4x256b();
}

/// Tensor memory while a program goes on.
class Program {
 public:
  Program(const TmemCopyCase& c, const spec::Readings& readings, const model::MmaWindows& windows,
          std::span<uint32_t> cells, std::span<uint32_t> defined)
      : c_(c), readings_(readings), windows_(windows), cells_(cells), defined_(defined) {
    if (readings.bend() != nullptr) bend_ = *readings.bend();
  }

  bool all_defined = true, leaves_window = false, is_open = false;

  void run() {
    std::vector<Issue> unwaited;
    for (uint32_t i = 0; i < c_.move_count; ++i)
      for (uint32_t n = 0; n < c_.moves[i].count; ++n) {
        unwaited.push_back({&c_.moves[i], n});
        if (!c_.moves[i].waits) continue;
        together(unwaited);
        unwaited.clear();
      }
    together(unwaited);
  }

 private:
  /// Instructions with no wait between them.
  void together(const std::vector<Issue>& issues) {
    const std::vector<uint32_t> before(issues.size() > 1 ? std::vector(cells_.begin(), cells_.end())
                                                         : std::vector<uint32_t>());
    if (bend_.tmem_copy.moves_overtake && issues.size() > 1) return backwards(issues);
    for (const Issue& one : issues) issue(one);
    if (issues.size() < 2 || !has_open_pair(issues)) return;
    const std::vector<uint32_t> in_order(cells_.begin(), cells_.end());
    std::copy(before.begin(), before.end(), cells_.begin());
    backwards(issues);
    const bool differs = !std::equal(in_order.begin(), in_order.end(), cells_.begin());
    if (differs && readings_.is({"AMB-38", "last_first"})) return;
    std::copy(in_order.begin(), in_order.end(), cells_.begin());
    if (!differs || !readings_.is({"AMB-38", "anything"})) return;
    is_open = true;
    for (const Issue& one : issues) leave_open(one);
  }

  static bool has_open_pair(const std::vector<Issue>& issues) {
    for (size_t i = 0; i < issues.size(); ++i)
      for (size_t j = i + 1; j < issues.size(); ++j)
        if (!is_pipelined(issues[i], issues[j])) return true;
    return false;
  }

  /// The last one first, but for those that a pipelined one comes after.
  void backwards(std::vector<Issue> issues) {
    while (!issues.empty()) {
      size_t next = issues.size() - 1;
      for (size_t i = 0; i < next;) {
        if (is_pipelined(issues[i], issues[next]))
          next = i, i = 0;
        else
          ++i;
      }
      issue(issues[next]);
      issues.erase(issues.begin() + static_cast<ptrdiff_t>(next));
    }
  }

  void issue(const Issue& one) {
    for (uint32_t cta = 0; cta < c_.cta_group; ++cta)
      if (one.move->is_shift)
        shift(one, cta);
      else
        copy(one, cta);
  }

  /// Null where only a bend leads out of the allocation.
  uint32_t* cell(uint32_t cta, int lane, uint32_t column, std::span<uint32_t> of) const {
    if (lane < 0 || lane >= static_cast<int>(lanes) || column >= c_.alloc_columns) return nullptr;
    return &of[(size_t{cta} * lanes + static_cast<uint32_t>(lane)) * c_.alloc_columns + column];
  }

  template <typename Visit>
  void each_cell(const Issue& one, const Visit& visit) const {
    const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[one.move->shape];
    for (int row = 0; row < shape.rows; ++row) {
      const std::vector<int> places = layout::tmem_copy_lanes(shape_of_lanes(one), row);
      for (int copy = 0; copy < shape.copies; ++copy)
        for (int word = 0; word < shape.words; ++word) {
          int lane = places[static_cast<size_t>(copy)];
          if (bend_.tmem_copy.lane != nullptr) lane = bend_.tmem_copy.lane(one.move->shape, row, copy, lane);
          visit(row, static_cast<int>(one.move->lane) + lane, word);
        }
    }
  }

  /// Under a rival the warps of a pair receive the halves.
  uint32_t shape_of_lanes(const Issue& one) const {
    const uint32_t shape = one.move->shape;
    const bool has_halves = shape == layout::copy_of_02_13 || shape == layout::copy_of_01_23;
    if (!has_halves || !readings_.is({"AMB-25", "half_for_a_warp"})) return shape;
    return shape == layout::copy_of_02_13 ? layout::copy_of_01_23 : layout::copy_of_02_13;
  }

  uint32_t source_cta(uint32_t shape, uint32_t cta) const {
    if (c_.cta_group == 1) return 0;
    uint32_t from = readings_.is({"AMB-27", "memory_of_issuer"}) ? (c_.odd_cta_issues ? 1u : 0u) : cta;
    if (bend_.tmem_copy.source_cta != nullptr)
      from = static_cast<uint32_t>(bend_.tmem_copy.source_cta(shape, static_cast<int>(from)));
    return from;
  }

  layout::SmemReadings smem_readings(const TmemMove& m) const {
    layout::SmemReadings chosen;
    if (m.source.swizzle != 0 && m.source.base_offset != 0) {
      if (readings_.is({"AMB-05", "exclusive_or"}))
        chosen.base_offset = layout::SmemReadings::BaseOffset::exclusive_or;
      if (readings_.is({"AMB-05", "added"})) chosen.base_offset = layout::SmemReadings::BaseOffset::added;
    }
    if (bend_.mma.smem != nullptr) bend_.mma.smem(chosen);
    return chosen;
  }

  /// The byte that an element becomes.
  uint32_t element(int bits, uint32_t code) const {
    const uint32_t right = bits == 4 && !readings_.is({"AMB-47", "bits_3_to_0"}) ? code << 2 : code;
    return bend_.tmem_copy.element == nullptr ? right : bend_.tmem_copy.element(bits, code, right);
  }

  /// The words of a matrix as they arrive, row after row.
  std::vector<uint32_t> words_of(const Issue& one, uint32_t cta) {
    const TmemMove& m = *one.move;
    const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[m.shape];
    spec::SmemMatrix matrix = model::matrix_of(m.source);
    matrix.start += one.number * m.source_step * 16;
    if (bend_.mma.matrix != nullptr) bend_.mma.matrix(matrix, false);
    int bits = layout::tmem_copy_formats[m.format].bits;
    if (bits != 0 && bend_.tmem_copy.decompresses != nullptr && !bend_.tmem_copy.decompresses(bits)) bits = 0;
    const layout::SmemOperand operand{bits == 0 ? 32 : bits,
                                      bits == 0   ? layout::Packing::plain
                                      : bits == 4 ? layout::Packing::padded_4_bit
                                                  : layout::Packing::padded_6_bit,
                                      false};
    const int per_word = bits == 0 ? 1 : 4;
    const layout::SmemReadings readings = smem_readings(m);
    const std::span<const std::byte> window = windows_[source_cta(m.shape, cta)];
    std::vector<uint32_t> codes(static_cast<size_t>(shape.rows * shape.words * per_word));
    if (readings_.bend() != nullptr && !lies_in(window, matrix, shape, readings)) {
      leaves_window = true;
      return std::vector<uint32_t>(static_cast<size_t>(shape.rows * shape.words));
    }
    model::gather_shared(matrix, operand, readings, window, 0, shape.rows, shape.words * per_word, codes);
    if (bits == 0) return codes;
    std::vector<uint32_t> words(codes.size() / 4);
    for (size_t i = 0; i < codes.size(); ++i) words[i / 4] |= element(bits, codes[i]) << i % 4 * 8;
    return words;
  }

  static bool lies_in(std::span<const std::byte> window, const spec::SmemMatrix& matrix,
                      const layout::TmemCopyShapeRow& shape, const layout::SmemReadings& readings) {
    const layout::SmemOperand operand{32, layout::Packing::plain, false};
    for (int row = 0; row < shape.rows; ++row)
      for (int word = 0; word < shape.words; word += 4)
        if (layout::smem_place(matrix, operand, static_cast<uint32_t>(row), static_cast<uint32_t>(word),
                               readings)
                    .byte +
                16 >
            window.size())
          return false;
    return true;
  }

  void copy(const Issue& one, uint32_t cta) {
    const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[one.move->shape];
    const std::vector<uint32_t> words = words_of(one, cta);
    const int bits = layout::tmem_copy_formats[one.move->format].bits;
    const bool leaves_over = bits != 0 && readings_.is({"AMB-48", "anything"});
    uint32_t first = one.column();
    if (bend_.tmem_copy.column != nullptr) first = bend_.tmem_copy.column(one.move->shape, first);
    each_cell(one, [&](int row, int lane, int word) {
      const uint32_t column = first + static_cast<uint32_t>(word);
      uint32_t* const to = cell(cta, lane, column, cells_);
      if (to == nullptr) return;
      if (bend_.tmem_copy.row != nullptr) row = bend_.tmem_copy.row(one.move->shape, row);
      if (bend_.tmem_copy.word != nullptr) word = bend_.tmem_copy.word(one.move->shape, word);
      *to = words[static_cast<size_t>(row * shape.words + word)];
      if (leaves_over) define(cta, lane, column, element(bits, (1u << bits) - 1) * 0x01010101u);
    });
  }

  void define(uint32_t cta, int lane, uint32_t column, uint32_t bits) {
    if (all_defined) std::fill(defined_.begin(), defined_.end(), ~0u);
    all_defined = false;
    *cell(cta, lane, column, defined_) = bits;
  }

  void shift(const Issue& one, uint32_t cta) {
    constexpr int rows = layout::shifted_rows;
    int columns = layout::shifted_columns;
    if (bend_.tmem_copy.shifted_columns != nullptr) columns = bend_.tmem_copy.shifted_columns(columns);
    const bool is_one = readings_.is({"AMB-06", "addressed_lanes"});
    for (int partition = 0; partition < static_cast<int>(lanes) / rows; ++partition) {
      if (is_one && partition != static_cast<int>(one.move->lane) / rows) continue;
      if (bend_.tmem_copy.shifts != nullptr && !bend_.tmem_copy.shifts(partition)) continue;
      for (int i = 0; i < columns; ++i) {
        uint32_t old[rows];
        uint32_t* column[rows];
        for (int row = 0; row < rows; ++row) {
          column[row] = cell(cta, partition * rows + row, one.column() + static_cast<uint32_t>(i), cells_);
          if (column[row] == nullptr) return;
          old[row] = *column[row];
        }
        for (int row = 0; row < rows; ++row) {
          int from = std::min(row + 1, rows - 1);
          if (bend_.tmem_copy.shifted != nullptr) from = bend_.tmem_copy.shifted(row, from);
          *column[row] = old[from];
        }
      }
    }
  }

  /// Whatever order of the instructions, what they write is known to nobody.
  void leave_open(const Issue& one) {
    for (uint32_t cta = 0; cta < c_.cta_group; ++cta)
      for (uint32_t i = 0; i < columns_of(*one.move); ++i) {
        if (one.move->is_shift)
          for (int lane = 0; lane < static_cast<int>(lanes); ++lane) define(cta, lane, one.column() + i, 0);
        else
          each_cell(one, [&](int, int lane, int word) {
            if (static_cast<uint32_t>(word) == i) define(cta, lane, one.column() + i, 0);
          });
      }
  }

  const TmemCopyCase& c_;
  const spec::Readings& readings_;
  const model::MmaWindows& windows_;
  const std::span<uint32_t> cells_, defined_;
  model::Bend bend_;
};

/// `rows`, in groups of 8.
void mark_source(const MatrixInShared& matrix, int rows, spec::RuleSet& rules) {
  const bool swizzled = matrix.swizzle != 0;
  rules.set(rule("SMEM-R11")).set(swizzled ? rule("SMEM-R13") : rule("SMEM-R12"));
  if (swizzled) rules.set(rule("SMEM-R16"));
  if (swizzled && matrix.base_offset != 0) rules.set(rule("SMEM-R17"));
  if ((swizzled && matrix.leading_offset != 0) || (rows <= 8 && matrix.stride_offset != 0))
    rules.set(rule("SMEM-R18"));
}

spec::RuleSet exercised(const TmemCopyCase& c) {
  constexpr spec::RuleIndex of_shape[] = {rule("TCP-R01"), rule("TCP-R02"), rule("TCP-R01"),
                                          rule("TCP-R03"), rule("TCP-R04"), rule("TCP-R05")};
  spec::RuleSet rules;
  uint32_t instructions = 0;
  for (uint32_t i = 0; i < c.move_count; ++i) {
    const TmemMove& m = c.moves[i];
    instructions += m.count;
    if (m.is_shift) {
      rules.set(rule("TCP-R11"));
      if (i + 1 < c.move_count && !m.waits && !c.moves[i + 1].is_shift && c.moves[i + 1].shape == 1)
        rules.set(rule("TCP-R10"));
      continue;
    }
    rules.set(of_shape[m.shape]);
    if (m.format != 0) rules.set(m.format == 1 ? rule("TCP-R06") : rule("TCP-R07"));
    if (c.cta_group == 2) rules.set(rule("TCP-R08"));
    mark_source(m.source, layout::tmem_copy_shapes[m.shape].rows, rules);
  }
  if (instructions > 1 && c.moves[0].waits) rules.set(rule("TCP-R09"));
  return rules;
}

/// An instruction that breaks a rule may write anything into its columns.
void leave_columns_open(const TmemCopyCase& c, std::span<uint32_t> defined) {
  std::fill(defined.begin(), defined.end(), ~0u);
  for (uint32_t i = 0; i < c.move_count; ++i) {
    const TmemMove& m = c.moves[i];
    const uint32_t end = m.column + (m.count - 1) * m.column_step + columns_of(m);
    for (size_t lane = 0; lane < size_t{c.cta_group} * lanes; ++lane)
      std::fill(defined.begin() + static_cast<ptrdiff_t>(lane * c.alloc_columns + m.column),
                defined.begin() + static_cast<ptrdiff_t>(lane * c.alloc_columns + end), 0u);
  }
}

bool has_k_major_32_byte_atoms(const TmemMove& m) {
  return !m.is_shift && m.source_flip == 0 && m.source.swizzle == spec::smem_swizzle::by_128B_atom32B;
}

}  // namespace

spec::RuleSet broken_copy_rules(const TmemCopyCase& c, const spec::Readings& readings) {
  spec::RuleSet broken;
  for (uint32_t i = 0; i < c.move_count; ++i) {
    const TmemMove& m = c.moves[i];
    if (m.is_shift) {
      if (m.lane % layout::shifted_rows != 0) broken.set(rule("TCP-R12"));
      continue;
    }
    for (const spec::RuleBroken& one :
         spec::smem_desc_violations(descriptor_word(m), {readings.arch(), std::nullopt, false}))
      if (one.rule->id != "SMEM-R10" || !has_k_major_32_byte_atoms(m) || !readings.is({"AMB-08", "allowed"}))
        broken.set(*spec::find_rule(one.rule->id));
  }
  return broken;
}

model::Tcgen05MmaPrediction predict_tmem_copy(const TmemCopyCase& c, const spec::Readings& readings,
                                              const model::MmaWindows& windows, std::span<uint32_t> cells,
                                              std::span<uint32_t> defined) {
  model::Tcgen05MmaPrediction prediction;
  prediction.rules = broken_copy_rules(c, readings);
  if (prediction.rules.any()) {
    spec::RuleSet of_atoms;
    of_atoms.set(rule("SMEM-R10"));
    // Whether this is refused is asked of tcgen05.mma too.
    const bool refused = prediction.rules == of_atoms && has_k_major_32_byte_atoms(c.moves[0]) &&
                         readings.is({"AMB-08", "refused"});
    prediction.end = refused ? model::End::illegal_instruction : model::End::undefined;
    prediction.all_defined = false;
    leave_columns_open(c, defined);
    return prediction;
  }
  prediction.rules = exercised(c);
  Program program(c, readings, windows, cells, defined);
  program.run();
  prediction.all_defined = program.all_defined;
  if (program.leaves_window || program.is_open) prediction.end = model::End::undefined;
  return prediction;
}

}  // namespace assay::suites

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
