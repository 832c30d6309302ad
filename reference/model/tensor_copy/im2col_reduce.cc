// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_copy/pixel_runs.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_copy/tiled_reduce.h"
#include "reference/spec/rules.h"

/// Reductions in im2col mode: a store's walk and its bytes, each element of which meets an operation.
namespace assay::model {
namespace {

/// Calls visit(byte of global memory, element of the column) for every element that is reduced, pixel by
/// pixel.
template <typename Visit>
void for_elements(const TensorCopyCase& copy, const spec::Readings& readings,
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

}  // namespace

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
    for_elements(copy, readings, window, bytes, rules, [&](uint64_t at, uint64_t) {
      twice |= defined[at] != std::byte{0};
      defined[at] = std::byte{1};
    });
  std::vector<OpenSum> open;
  if (twice) open = open_column_sums(copy, readings, window, slot);
  for_elements(copy, readings, window, bytes, rules, [&](uint64_t at, uint64_t operand) {
    store_element(&slot[at], reduced(what, load_element(&slot[at], bytes), operand), bytes);
  });
  if (twice) rules.set(spec::rule("TILE-R58"));
  prediction.all_defined = true;
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  leave_open(open, bytes, defined, prediction.all_defined);
}

std::vector<OpenSum> open_column_sums(const TensorCopyCase& copy, const spec::Readings& readings,
                                      std::span<const std::byte> window, std::span<const std::byte> slot) {
  const auto what = tensor_reduction(copy.reduction, copy.map.data_type);
  if (!what || !is_order_dependent(*what)) return {};
  std::map<uint64_t, std::vector<uint64_t>> operands;
  spec::RuleSet unused;
  for (uint32_t lane = 0; lane < copy.lanes; ++lane)
    for_elements(of_lane(copy, lane), readings, window, spec::bytes_of(what->type), unused,
                 [&](uint64_t at, uint64_t operand) { operands[at].push_back(operand); });
  return open_sums(operands, *what, slot);
}

}  // namespace assay::model
