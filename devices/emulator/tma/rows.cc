// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor in modes tile::gather4 and tile::scatter4: four rows of a tensor of rank 2, from the
// bits of a tiled map (PTX ISA 9.0, 5.5.3.4).
#include <algorithm>
#include <string>

#include "devices/emulator/tma/laying.h"

namespace assay::emulator {
namespace {

constexpr uint32_t row_count = 4;

class RowPlanner {
 public:
  RowPlanner(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
             TensorCopyPlan& plan)
      : request_(request), shape_(shape), steps_(steps), plan_(plan), pieces_(request, shape, steps, plan) {}

  void plan() {
    for (uint32_t row = 0; row < row_count; ++row)
      if (!check(row)) return;
    if (request_.kind == TensorCopyKind::prefetch) return;
    elements_ = steps_.count(shape_, 0);
    const uint32_t cells = elements_ / shape_.cell_elements;
    pitch_ = steps_.row_pitch(shape_, cells * steps_.cell_pitch(shape_));
    uint64_t in_bounds = 0;
    for (uint32_t row = 0; row < row_count; ++row) in_bounds += lay(row);
    if (request_.kind != TensorCopyKind::load) return;
    const uint64_t payload = uint64_t{row_count} * elements_ * shape_.element_bits / 8;
    plan_.transaction_bytes = steps_.transaction_bytes(
        shape_, {static_cast<uint32_t>(payload), static_cast<uint32_t>(in_bounds), row_count * pitch_,
                 row_count * cells * shape_.cell_shared_bytes, request_.mode});
  }

 private:
  int64_t start(uint32_t row, int dimension) const {
    return steps_.picked(shape_, request_.coord, row, dimension);
  }

  bool check(uint32_t row) {
    TensorCopyRequest one = request_;
    one.coord = {static_cast<int32_t>(start(row, 0)), static_cast<int32_t>(start(row, 1))};
    return check_alignment(one, shape_, steps_, plan_) && check_store_start(one, shape_, steps_, plan_);
  }

  /// Puts the pieces of a row into the plan. Bytes of it that lie in the tensor.
  uint64_t lay(uint32_t row) {
    const int64_t column = start(row, 0), index = start(row, 1);
    const bool is_row = steps_.inside(shape_, 1, index);
    uint32_t begin = 0, end = 0;
    while (begin < elements_ && !steps_.inside(shape_, 0, column + begin)) ++begin;
    for (end = begin; end < elements_ && steps_.inside(shape_, 0, column + end);) ++end;
    const bool load = request_.kind == TensorCopyKind::load;
    if (!load && !steps_.stores_row(is_row)) return 0;
    const uint64_t source = steps_.source(shape_, {column, index});
    uint32_t target = request_.shared_address + steps_.picked_row(row) * pitch_;
    for (uint32_t element = 0; element < elements_; element += shape_.cell_elements) {
      const uint64_t from = source + uint64_t{element} * shape_.element_bits / 8;
      const uint32_t after = element + shape_.cell_elements;
      const uint32_t first = bits(std::clamp(begin, element, after) - element),
                     last = bits(std::clamp(end, std::clamp(begin, element, after), after) - element);
      if (load)
        load_cell(from, target, is_row ? first : shape_.cell_global_bytes,
                  is_row ? last : shape_.cell_global_bytes);
      else
        store_cell(from, target, first, last);
      target += steps_.cell_pitch(shape_);
    }
    return is_row ? uint64_t{end - begin} * shape_.element_bits / 8 : 0;
  }

  uint32_t bits(uint32_t elements) const { return elements * shape_.element_bits / 8; }

  void load_cell(uint64_t source, uint32_t target, uint32_t begin, uint32_t end) {
    pieces_.add(source, target, 0, begin, true);
    pieces_.add(source, target, begin, end, false);
    pieces_.add(source, target, end, shape_.cell_global_bytes, true);
  }
  void store_cell(uint64_t source, uint32_t target, uint32_t begin, uint32_t end) {
    const uint32_t stored = steps_.stored_bytes(shape_, end - begin);
    if (stored == 0) return;
    if (begin == 0)
      pieces_.add(source, target, 0, plan_.packs_6bit ? 16 : stored, false);
    else
      pieces_.add(source, target, begin, end, false);
  }

  const TensorCopyRequest& request_;
  const TiledShape& shape_;
  const Steps& steps_;
  TensorCopyPlan& plan_;
  Pieces pieces_;
  uint32_t elements_ = 0, pitch_ = 0;
};

}  // namespace

void plan_row_copy(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                   TensorCopyPlan& plan) {
  RowPlanner(request, shape, steps, plan).plan();
}

}  // namespace assay::emulator
