// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/copy.h"

#include <algorithm>

#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_copy/rows.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

using spec::ReduceOp;
using spec::ReduceType;
using spec::Reduction;
using spec::rule;

bool is_logical(ReduceOp op) {
  return op == ReduceOp::bit_and || op == ReduceOp::bit_or || op == ReduceOp::bit_xor;
}

/// Calls visit(byte of global memory, element of the box) for every element that is reduced, in box order.
template <typename Visit>
void for_tile_elements(const TiledShape& shape, const Transfer& transfer, uint32_t element_bytes,
                       std::span<const std::byte> window, const Visit& visit) {
  const uint32_t unit = shape.unit_global;
  uint32_t end = shape.end[0] * unit;
  if (shape.first[0] * unit >= end) return;
  if (transfer.clips_pieces)
    end = std::min((end + spec::store_clip_bytes - 1) / spec::store_clip_bytes * spec::store_clip_bytes,
                   shape.count[0] * unit);
  alignas(64) std::byte row[max_row_bytes];
  with_way(shape, transfer, shape.inner, [&](const auto& way) {
    for_runs(shape, transfer, [&](const RowRun& run) {
      if (!run.inside) return;
      for (uint32_t r = 0; r < run.rows; ++r) {
        way.fetch(row, window.data(), run.shared + r * shape.pitch, shape.inner);
        const uint64_t to = run.global + r * run.advance;
        for (uint32_t at = shape.first[0] * unit; at < end; at += element_bytes) {
          const uint64_t apart = at / unit * unit * static_cast<uint64_t>(shape.step[0] - 1);
          visit(to + at + apart, load_element(row + at, element_bytes));
        }
      }
    });
  });
}

/// Calls visit(byte of global memory, element of the column) for every element that is reduced, pixel by
/// pixel.
template <typename Visit>
void for_column_elements(const TensorCopyCase& copy, const spec::Readings& readings,
                         std::span<const std::byte> window, uint32_t bytes, spec::RuleSet& rules,
                         const Visit& visit) {
  const ColumnShape shape = column_of(copy, readings);
  const uint32_t begin = shape.first_unit * shape.unit_global, end = stored_end(copy, shape, readings, rules);
  const SwizzlePattern pattern = pattern_of_column(copy, readings);
  const uint32_t piece = pattern.flips ? 8 : 16;
  std::array<std::byte, 256 * 8> row;
  const PixelRuns pixels(copy, shape, readings);
  if (pixels.inside() != shape.pixels) rules.set(spec::rule("TILE-R28"));
  for (const RowRun& run : pixels.runs())
    for (uint32_t p = 0; run.inside && p < run.rows; ++p) {
      const uint32_t from = run.shared + p * shape.pitch;
      for (uint32_t at = 0; at < shape.inner; at += piece)
        std::copy_n(&window[pattern.place(from + at)], piece, &row[at]);
      const uint64_t to = run.global + p * run.advance;
      for (uint32_t at = begin; at < end; at += bytes) visit(to + at, load_element(&row[at], bytes));
    }
}

/// The same of all lanes of a copy in any mode.
template <typename Visit>
void for_elements(const TensorCopyCase& copy, const Reduction& what, const spec::Readings& readings,
                  std::span<const std::byte> window, const Visit& visit) {
  const uint32_t bytes = spec::bytes_of(what.type);
  spec::RuleSet unused;
  for (uint32_t lane = 0; lane < copy.lanes; ++lane) {
    const TensorCopyCase one = of_lane(copy, lane);
    if (is_column(copy)) {
      for_column_elements(one, readings, window, bytes, unused, visit);
      continue;
    }
    const TiledShape shape = shape_of(one, readings);
    for_tile_elements(shape, store_transfer(one, shape, readings, unused), bytes, window, visit);
  }
}

/// Whether an element is reduced more than once, or lies outside of the slot.
bool any_met_twice(const TensorCopyCase& copy, const Reduction& what, const spec::Readings& readings,
                   std::span<const std::byte> window, uint64_t slot_bytes) {
  thread_local std::vector<uint8_t> met;
  met.assign(slot_bytes, 0);
  bool twice = false;
  for_elements(copy, what, readings, window,
               [&](uint64_t at, uint64_t) { twice |= at >= met.size() || met[at]++ != 0; });
  return twice;
}

}  // namespace

std::optional<Reduction> tensor_reduction(TensorReduction reduction, uint32_t data_type) {
  const spec::DataType* type = spec::find_data_type(data_type);
  if (reduction == TensorReduction::none || type == nullptr) return std::nullopt;
  std::string_view name = type->name;
  if (name == "tf32") name = "f32";
  if (name == "tf32.ftz") name = "f32.ftz";
  const auto row = std::find_if(spec::reduce_types.begin(), spec::reduce_types.end(),
                                [&](const spec::ReduceTypeRow& r) { return r.name == name; });
  if (row == spec::reduce_types.end()) return std::nullopt;
  const auto of = static_cast<ReduceType>(row - spec::reduce_types.begin());
  const auto op = static_cast<ReduceOp>(static_cast<uint32_t>(reduction) - 1);
  const bool is_float = type->is_float, is_half = of == ReduceType::f16 || of == ReduceType::bf16;
  bool exists = false;
  if (op == ReduceOp::add)
    exists = of != ReduceType::s64;
  else if (op == ReduceOp::inc || op == ReduceOp::dec)
    exists = of == ReduceType::u32;
  else if (is_logical(op))
    exists = !is_float && of != ReduceType::s64;
  else
    exists = !is_float || is_half;
  if (!exists) return std::nullopt;
  return Reduction{op, of};
}

void reduce_rows(const TiledShape& shape, const Transfer& transfer, const Reduction& what,
                 std::span<const std::byte> window, std::span<std::byte> global) {
  const uint32_t bytes = spec::bytes_of(what.type);
  for_tile_elements(shape, transfer, bytes, window, [&](uint64_t at, uint64_t operand) {
    store_element(&global[at], reduced(what, load_element(&global[at], bytes), operand), bytes);
  });
}

std::vector<OpenSum> open_reductions(const TensorCopyCase& copy, const spec::Readings& readings,
                                     std::span<const std::byte> window, std::span<const std::byte> slot) {
  const auto what = tensor_reduction(copy.reduction, copy.map.data_type);
  if (!what || !is_order_dependent(*what)) return {};
  if (!any_met_twice(copy, *what, readings, window, slot.size())) return {};
  std::map<uint64_t, std::vector<uint64_t>> operands;
  for_elements(copy, *what, readings, window,
               [&](uint64_t at, uint64_t operand) { operands[at].push_back(operand); });
  return open_sums(operands, *what, slot);
}

std::vector<OpenSum> open_sums(const std::map<uint64_t, std::vector<uint64_t>>& operands,
                               const Reduction& what, std::span<const std::byte> global) {
  std::vector<OpenSum> open;
  if (!is_order_dependent(what)) return open;
  const uint32_t bytes = spec::bytes_of(what.type);
  for (const auto& [at, met] : operands) {
    if (met.size() < 2) continue;
    std::vector<uint64_t> list = met;
    const uint64_t old = load_element(&global[at], bytes);
    std::vector<uint64_t> allowed;
    if (list.size() <= most_orders_of) {
      allowed = reduced_in_any_order(what, old, list);
    } else {
      for (int turn = 0; turn < 2; ++turn) {
        uint64_t value = old;
        for (const uint64_t operand : list) value = reduced(what, value, operand);
        allowed.push_back(value);
        std::reverse(list.begin(), list.end());
      }
      std::sort(allowed.begin(), allowed.end());
      allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
    }
    if (allowed.size() > 1) open.push_back({at, std::move(allowed)});
  }
  return open;
}

void leave_open(const std::vector<OpenSum>& open, uint32_t bytes, std::span<std::byte> defined,
                bool& all_defined) {
  if (open.empty()) return;
  if (all_defined) std::fill(defined.begin(), defined.end(), std::byte{0xff});
  all_defined = false;
  for (const OpenSum& element : open)
    if (!defined.empty()) std::fill_n(&defined[element.at], bytes, std::byte{0});
}

void name_reduction_rules(const Reduction& what, spec::RuleSet& rules) {
  switch (what.type) {
    case ReduceType::f16:
    case ReduceType::bf16:
      if (what.op != ReduceOp::add) {
        rules.set(rule("BULK-R17"));
        return;
      }
      break;
    case ReduceType::f32:
    case ReduceType::f64:
      break;
    case ReduceType::f32_ftz:
      rules.set(rule("TILE-R57")).set(rule("BULK-R16"));
      return;
    default:
      rules.set(rule("BULK-R13"));
      return;
  }
  rules.set(rule("BULK-R14")).set(rule("BULK-R16"));
}

void predict_column_reduction(const TensorCopyCase& copy, const spec::Readings& readings,
                              std::span<const std::byte> window, std::span<std::byte> slot,
                              std::span<std::byte> defined, CopyPrediction& prediction) {
  const spec::Reduction what = *tensor_reduction(copy.reduction, copy.map.data_type);
  const uint32_t bytes = spec::bytes_of(what.type);
  spec::RuleSet& rules = prediction.rules;
  rules.set(spec::rule("IM2C-R16")).set(spec::rule("TILE-R51")).set(spec::rule("TILE-R56"));
  name_reduction_rules(what, rules);
  if (type_of(copy).tf32) rules.set(spec::rule("TILE-R57"));
  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_store(copy, readings, window, slot, defined);
    return;
  }
  // Where strides let pixels lie on each other, elements meet more than one operand.
  bool twice = false;
  std::fill(defined.begin(), defined.end(), std::byte{0});
  if (!defined.empty())
    for_column_elements(copy, readings, window, bytes, rules, [&](uint64_t at, uint64_t) {
      twice |= defined[at] != std::byte{0};
      defined[at] = std::byte{1};
    });
  std::vector<OpenSum> open;
  if (twice) open = open_reductions(copy, readings, window, slot);
  for_column_elements(copy, readings, window, bytes, rules, [&](uint64_t at, uint64_t operand) {
    store_element(&slot[at], reduced(what, load_element(&slot[at], bytes), operand), bytes);
  });
  if (twice) rules.set(spec::rule("TILE-R58"));
  prediction.all_defined = true;
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  leave_open(open, bytes, defined, prediction.all_defined);
}

}  // namespace assay::model
