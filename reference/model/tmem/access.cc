// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/access.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/layout/tmem.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

int registers_of(const TmemAccessCase& c) {
  return layout::tmem_shapes[c.shape].registers_per_count * static_cast<int>(c.count);
}

/// Index of the cell of a register's low half.
size_t cell_of(const TmemAccessCase& c, int thread, int r, const MmaBend& bend) {
  layout::TmemRegisterPlace place =
      layout::tmem_register_place(c.shape, thread % 32, r, c.packs ? 2 : 1, static_cast<int>(c.split));
  if (bend.cell != nullptr) place = bend.cell(c, thread, r, place);
  const auto lane = static_cast<size_t>(thread / 32 * 32 + static_cast<int>(c.lane) + place.lane);
  return lane * c.alloc_columns + c.column + static_cast<size_t>(place.column);
}

const MmaBend& mma_bend_of(const spec::Readings& readings) {
  static constexpr MmaBend none;
  return readings.bend() == nullptr ? none : readings.bend()->mma;
}

Tcgen05MmaPrediction with_rules(const TmemAccessCase& c, const spec::Readings& readings) {
  Tcgen05MmaPrediction prediction;
  prediction.rules.set(rule("TMEM-R10"));
  if (c.same_address) {
    // Three warps name lanes of the fourth.
    prediction.rules.set(rule("TMEM-R17"));
    if (readings.is({"TMEM-AMB-01", "illegal_address"})) prediction.end = End::illegal_address;
    if (readings.is({"TMEM-AMB-01", "illegal_instruction"})) prediction.end = End::illegal_instruction;
  }
  if (c.packs) prediction.rules.set(rule("TMEM-R11"));
  return prediction;
}

}  // namespace

Tcgen05MmaPrediction predict_tmem_store(const TmemAccessCase& c, const spec::Readings& readings,
                                        std::span<const uint32_t> registers, std::span<uint32_t> cells,
                                        std::span<uint32_t> defined) {
  Tcgen05MmaPrediction prediction = with_rules(c, readings);
  const MmaBend& bend = mma_bend_of(readings);
  if (bend.cells_are_open) prediction.end = End::undefined;
  const bool keeps_upper = c.packs && readings.is({"AMB-23", "unchanged"});
  const bool opens_upper = c.packs && readings.is({"AMB-23", "anything"});
  if (opens_upper) {
    std::fill(defined.begin(), defined.end(), ~0u);
    prediction.all_defined = false;
  }
  for (int thread = 0; thread < 128; ++thread)
    for (int r = 0; r < registers_of(c); ++r) {
      const uint32_t value =
          registers[static_cast<size_t>(thread) * tmem_output_registers + static_cast<size_t>(r)];
      const size_t at = cell_of(c, thread, r, bend);
      if (at + c.packs >= cells.size()) continue;  // only a bend leads there
      if (!c.packs) {
        cells[at] = value;
        continue;
      }
      uint32_t halves[] = {value & 0xffff, value >> 16};
      if (bend.unpack != nullptr) halves[0] = bend.unpack(value, 0), halves[1] = bend.unpack(value, 1);
      for (size_t half = 0; half < 2; ++half) {
        cells[at + half] = keeps_upper ? (cells[at + half] & 0xffff0000) | halves[half] : halves[half];
        if (opens_upper) defined[at + half] = 0xffff;
      }
    }
  return prediction;
}

Tcgen05MmaPrediction predict_tmem_load(const TmemAccessCase& c, const spec::Readings& readings,
                                       std::span<const uint32_t> cells, std::span<uint32_t> output) {
  const MmaBend& bend = mma_bend_of(readings);
  std::fill(output.begin(), output.end(), ~0u);
  for (int thread = 0; thread < 128; ++thread)
    for (int r = 0; r < registers_of(c); ++r) {
      const size_t at = cell_of(c, thread, r, bend);
      if (at + c.packs >= cells.size()) continue;  // only a bend leads there
      output[static_cast<size_t>(thread) * tmem_output_registers + static_cast<size_t>(r)] =
          !c.packs               ? cells[at]
          : bend.pack != nullptr ? bend.pack(cells[at], cells[at + 1])
                                 : (cells[at] & 0xffff) | cells[at + 1] << 16;
    }
  Tcgen05MmaPrediction prediction = with_rules(c, readings);
  if (bend.cells_are_open) prediction.end = End::undefined;
  return prediction;
}

bool fits_rig(const TmemAccessCase& c) {
  if (c.shape >= layout::tmem_shapes.size() || !std::has_single_bit(c.count)) return false;
  const layout::TmemShapeRow& row = layout::tmem_shapes[c.shape];
  if (static_cast<int>(c.count) > row.most_count) return false;
  if (c.warps != 4 && c.warps != 8) return false;
  if (c.named_warp > 3 || (c.named_warp != 0 && !c.same_address)) return false;
  if (c.lane != 0 && (row.lanes != 16 || c.lane != 16)) return false;
  if (!std::has_single_bit(c.alloc_columns) || c.alloc_columns < 32 || c.alloc_columns > 512) return false;
  const bool has_split = c.shape == 4;
  // The probe has these immediates.
  if (c.split > 256 || (c.split & (c.split - 1)) != 0 || (!has_split && c.split != 0)) return false;
  const uint32_t spread = c.packs ? 2 : 1;
  if (c.is_store && has_split && c.split < c.count * spread) return false;
  const auto columns = static_cast<uint32_t>(layout::tmem_access_columns(
      c.shape, static_cast<int>(c.count), static_cast<int>(spread), static_cast<int>(c.split)));
  return c.column < c.alloc_columns && columns <= c.alloc_columns && c.column + columns <= c.alloc_columns;
}

}  // namespace assay::model

namespace assay {

uint32_t columns_of(const TmemLdRedCase& c) {
  return c.is_split ? 2 * c.count : c.count;
}

std::string instruction_words(const TmemLdRedCase& c) {
  return std::string("tcgen05.ld.red") + (c.is_split ? ".16x32bx2" : ".32x32b") + ".x" +
         std::to_string(c.count) + std::string(register_reductions[c.operation].name);
}

std::string what_is_wrong(const TmemLdRedCase& c) {
  const auto field = [](const char* name, uint32_t value, const char* why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  if (c.lane != 0 && !c.is_split) return field("lane", c.lane, "it is 0, or 16 of the split shape");
  if (c.column >= c.alloc_columns || c.column + columns_of(c) > c.alloc_columns)
    return field("column", c.column, "the allocation ends before the last column");
  return {};
}

}  // namespace assay

namespace assay::model {

ASSAY_CASE_JSON(TmemLdRedCase);

}  // namespace assay::model

namespace assay::suites {
namespace {

using spec::rule;

constexpr uint32_t threads = 128, most_registers = 128, canonical_nan = 0x7fffffff;

/// What a thread's registers are reduced to, in the numbers that they stand for.
class Reduction {
 public:
  Reduction(const RegisterReduction& what, const spec::Readings& readings)
      : type_(what.type),
        is_max_(what.is_max),
        is_of_magnitudes_(what.is_of_magnitudes),
        keeps_nan_(what.keeps_nan),
        readings_(readings) {
    if (readings.bend() != nullptr) bend_ = readings.bend()->register_reduction;
    if (bend_.operation != nullptr) bend_.operation(is_max_, is_of_magnitudes_, keeps_nan_);
  }

  uint32_t of(std::span<const uint32_t> registers) const {
    const auto count = static_cast<uint32_t>(registers.size());
    const uint32_t first = bend_.first == nullptr ? 0 : bend_.first(count);
    const uint32_t last = bend_.last == nullptr ? count : bend_.last(count);
    registers = registers.subspan(first, last - first);
    const uint32_t right = type_ == RegisterReduction::Type::f32   ? of_floats(registers)
                           : type_ == RegisterReduction::Type::s32 ? of_integers<int32_t>(registers)
                                                                   : of_integers<uint32_t>(registers);
    return bend_.result == nullptr ? right : bend_.result(right);
  }

 private:
  template <typename Integer>
  uint32_t of_integers(std::span<const uint32_t> registers) const {
    auto best = static_cast<Integer>(registers[0]);
    for (const uint32_t word : registers) {
      const auto value = static_cast<Integer>(word);
      best = is_max_ ? std::max(best, value) : std::min(best, value);
    }
    return static_cast<uint32_t>(best);
  }

  /// -0 is less than +0.
  static bool is_less(float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

  uint32_t of_floats(std::span<const uint32_t> registers) const {
    std::vector<float> numbers;
    for (const uint32_t word : registers) {
      const auto value = std::bit_cast<float>(word);
      if (!std::isnan(value)) numbers.push_back(is_of_magnitudes_ ? std::fabs(value) : value);
    }
    if (numbers.empty()) return canonical_nan;
    const bool has_nan = numbers.size() < registers.size();
    if (has_nan && (keeps_nan_ || readings_.is({"AMB-49", "gives_nan"}))) return canonical_nan;
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end(), is_less);
    return std::bit_cast<uint32_t>(is_max_ ? *greatest : *least);
  }

  const RegisterReduction::Type type_;
  bool is_max_, is_of_magnitudes_, keeps_nan_;
  const spec::Readings& readings_;
  model::RegisterReductionBend bend_;
};

// clang-format off
constexpr model::Bend reduce_bends[] = {
    {.rule = rule("TMEM-R13"), .words = "the last register were left out",
     .register_reduction = {.last = [](uint32_t count) { return count - 1; }}},
    {.rule = rule("TMEM-R13"), .words = "the first register were left out",
     .register_reduction = {.first = [](uint32_t) { return 1u; }}},
    {.rule = rule("TMEM-R13"), .words = "the first register alone were looked at",
     .register_reduction = {.last = [](uint32_t) { return 1u; }}},
    {.rule = rule("TMEM-R13"), .words = "the first 64 registers alone were looked at",
     .register_reduction = {.last = [](uint32_t count) { return std::min(64u, count); }}},
    {.rule = rule("TMEM-R13"), .words = "min and max were swapped",
     .register_reduction = {.operation = [](bool& is_max, bool&, bool&) { is_max = !is_max; }}},
    {.rule = rule("TMEM-R13"), .words = ".abs were ignored",
     .register_reduction = {.operation = [](bool&, bool& magnitudes, bool&) { magnitudes = false; }}},
    {.rule = rule("TMEM-R13"), .words = ".NaN were ignored",
     .register_reduction = {.operation = [](bool&, bool&, bool& keeps) { keeps = false; }}},
    {.rule = rule("TMEM-R13"), .words = "the result kept no sign of zero",
     .register_reduction = {.result = [](uint32_t right) { return right == 0x80000000 ? 0 : right; }}},
};
// clang-format on

}  // namespace

model::Tcgen05MmaPrediction predict_tmem_ld_red(const TmemLdRedCase& c, const spec::Readings& readings,
                                                std::span<const uint32_t> cells, std::span<uint32_t> output) {
  std::fill(output.begin(), output.end(), ~0u);
  const Reduction reduction(register_reductions[c.operation], readings);
  const uint32_t shape = c.is_split ? 4 : 3;  // of layout::tmem_shapes
  for (uint32_t thread = 0; thread < threads; ++thread) {
    const std::span<uint32_t> words = output.subspan(size_t{thread} * reduced_words, reduced_words);
    for (uint32_t r = 0; r < c.count; ++r) {
      const layout::TmemRegisterPlace place =
          layout::tmem_register_place(shape, static_cast<int>(thread % 32), static_cast<int>(r), 1,
                                      c.is_split ? static_cast<int>(c.count) : 0);
      const uint32_t lane = thread / 32 * 32 + c.lane + static_cast<uint32_t>(place.lane);
      words[r] = cells[size_t{lane} * c.alloc_columns + c.column + static_cast<uint32_t>(place.column)];
    }
    words[most_registers] = reduction.of(words.first(c.count));
  }
  model::Tcgen05MmaPrediction prediction;
  prediction.rules.set(rule("TMEM-R10")).set(rule("TMEM-R13"));
  return prediction;
}

std::span<const model::Bend> register_reduction_bends() {
  return reduce_bends;
}

}  // namespace assay::suites
