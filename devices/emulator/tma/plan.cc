// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>

#include "devices/emulator/tma/laying.h"

namespace assay::emulator {
namespace {

using Kind = Diagnostic::Kind;

/// Visits of a dimension that lie in the tensor: [begin, end). They are always neighbours.
struct Visits {
  uint32_t count = 1, begin = 0, end = 1;
  bool contains(uint32_t visit) const { return visit >= begin && visit < end; }
  uint64_t inside() const { return end - begin; }
};

/// Lays one copy out, row by row of its box.
class Planner {
 public:
  Planner(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps, TensorCopyPlan& plan)
      : request_(request), shape_(shape), steps_(steps), plan_(plan), pieces_(request, shape, steps, plan) {}

  void plan() {
    if (!check_alignment(request_, shape_, steps_, plan_) ||
        !check_store_start(request_, shape_, steps_, plan_))
      return;
    if (request_.kind == TensorCopyKind::prefetch) return;
    visit_dimensions();
    const uint64_t rows = uint64_t{visits_[1].count} * visits_[2].count * visits_[3].count * visits_[4].count;
    const uint32_t cells = visits_[0].count / shape_.cell_elements;
    const uint32_t cell_pitch = steps_.cell_pitch(shape_);
    pitch_ = shape_.interleaved() ? cells * cell_pitch : steps_.row_pitch(shape_, cells * cell_pitch);
    if (rows * pitch_ > most_copied_bytes) {
      set_fault(plan_, "box", Kind::illegal_address,
                "the box needs " + std::to_string(rows * pitch_) + " bytes of shared memory");
      return;
    }
    if (request_.kind == TensorCopyKind::load) count_transaction(rows);
    lay_rows();
  }

 private:
  void visit_dimensions() {
    for (int d = 0; d < shape_.rank; ++d) {
      Visits& v = visits_[d];
      start_[d] = steps_.coordinate(d, request_.coord[d]);
      v.count = steps_.count(shape_, d);
      v.begin = 0;
      while (v.begin < v.count && !inside(d, v.begin)) ++v.begin;
      v.end = v.begin;
      while (v.end < v.count && inside(d, v.end)) ++v.end;
    }
  }
  bool inside(int d, uint32_t visit) const {
    return steps_.inside(shape_, d, steps_.index(shape_, d, start_[d], visit));
  }

  void count_transaction(uint64_t rows) {
    const uint64_t row_bytes = uint64_t{visits_[0].count} * shape_.element_bits / 8;
    uint64_t in_bounds = visits_[0].inside() * shape_.element_bits / 8;
    for (int d = 1; d < shape_.rank; ++d) in_bounds *= visits_[d].inside();
    const uint64_t cells = visits_[0].count / shape_.cell_elements;
    plan_.transaction_bytes = steps_.transaction_bytes(
        shape_, {static_cast<uint32_t>(rows * row_bytes), static_cast<uint32_t>(in_bounds),
                 static_cast<uint32_t>(rows * pitch_),
                 static_cast<uint32_t>(rows * cells * shape_.cell_shared_bytes)});
  }

  void lay_rows() {
    std::array<int64_t, 5> index{};
    index[0] = start_[0];
    uint32_t row = request_.shared_address;
    std::array<uint32_t, 5> visit{};
    for (visit[4] = 0; visit[4] < visits_[4].count; ++visit[4])
      for (visit[3] = 0; visit[3] < visits_[3].count; ++visit[3])
        for (visit[2] = 0; visit[2] < visits_[2].count; ++visit[2])
          for (visit[1] = 0; visit[1] < visits_[1].count; ++visit[1], row += pitch_) {
            bool in_tensor = true;
            for (int d = 1; d < shape_.rank; ++d) {
              index[d] = steps_.index(shape_, d, start_[d], visit[d]);
              in_tensor = in_tensor && visits_[d].contains(visit[d]);
            }
            if (request_.kind == TensorCopyKind::load)
              load_row(index, row, in_tensor);
            else if (steps_.stores_row(in_tensor))
              store_row(index, row);
          }
  }

  /// First and last element of a cell that lie in the tensor, as payload bytes [first, second).
  std::pair<uint32_t, uint32_t> clip(uint32_t first_element) const {
    const Visits& v = visits_[0];
    const uint32_t begin = std::clamp(v.begin, first_element, first_element + shape_.cell_elements);
    const uint32_t end = std::clamp(v.end, begin, first_element + shape_.cell_elements);
    return {(begin - first_element) * shape_.element_bits / 8,
            (end - first_element) * shape_.element_bits / 8};
  }

  template <typename F>
  void for_cells(std::array<int64_t, 5>& index, uint32_t row, F f) {
    const uint32_t pitch = steps_.cell_pitch(shape_);
    const uint64_t row_source = steps_.source(shape_, index);
    for (uint32_t element = 0; element < visits_[0].count; element += shape_.cell_elements, row += pitch) {
      uint64_t source = row_source + uint64_t{element} * shape_.element_bits / 8;
      if (shape_.interleaved()) {  // slices may be far apart
        index[0] = steps_.index(shape_, 0, start_[0], element);
        source = steps_.source(shape_, index);
        index[0] = start_[0];
      } else if (const int64_t moved = steps_.index(shape_, 0, start_[0], element) - start_[0];
                 moved != element) {
        source = row_source + static_cast<uint64_t>(moved) * shape_.element_bits / 8;
      }
      f(source, row, element);
    }
  }

  void load_row(std::array<int64_t, 5>& index, uint32_t row, bool in_tensor) {
    for_cells(index, row, [&](uint64_t source, uint32_t target, uint32_t element) {
      const uint32_t bytes = shape_.cell_global_bytes;
      auto [begin, end] = in_tensor ? clip(element) : std::pair<uint32_t, uint32_t>{bytes, bytes};
      pieces_.add_loaded(source, target, begin, end);
    });
  }

  void store_row(std::array<int64_t, 5>& index, uint32_t row) {
    for_cells(index, row, [&](uint64_t source, uint32_t target, uint32_t element) {
      const auto [begin, end] = clip(element);
      pieces_.add_stored(source, target, begin, end);
    });
  }

  const TensorCopyRequest& request_;
  const TiledShape& shape_;
  const Steps& steps_;
  TensorCopyPlan& plan_;
  Pieces pieces_;
  std::array<Visits, 5> visits_{};
  std::array<int64_t, 5> start_{};
  uint32_t pitch_ = 0;
};

}  // namespace

void plan_tiled_copy(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                     TensorCopyPlan& plan) {
  Planner(request, shape, steps, plan).plan();
}

TensorCopyPlan plan_tensor_copy(const TensorCopyRequest& request, const Settings& settings) {
  const Steps& steps = steps_for(settings);
  TensorCopyPlan plan;
  plan.kind = request.kind;
  const auto read = read_tensor_map(request, steps, DeviceReadings(settings));
  if (const auto* fault = std::get_if<TensorCopyFault>(&read)) {
    plan.fault = *fault;
    return plan;
  }
  const TiledShape& shape = std::get<TiledShape>(read);
  const bool load = request.kind == TensorCopyKind::load;
  plan.conversion.to_tf32 = shape.is_tf32 && (load || shape.readings.is({"TMA-AMB-32", "converts"}));
  plan.conversion.flushes_subnormals =
      load && shape.flushes_subnormals && shape.readings.is({"TMA-AMB-06", "flushes"});
  plan.conversion.rounding = tf32_rounding(shape.readings);
  plan.packs_6bit = shape.packs_6bit;
  plan.swizzle = shape.swizzle;
  plan.reduction = shape.reduction;
  if (plan.reduction) plan.conversion = {};  // it adds and compares what is there (H200: R-04)
  const uint64_t fill = steps.fill(shape);
  std::memcpy(plan.fill.data(), &fill, sizeof fill);
  plan.base_address = shape.address;
  tensor_mode(request.mode).plan(request, shape, steps, plan);
  if (!plan.fault) steps.finish(plan, request);
  return plan;
}

// cp.async.bulk.tensor in modes tile::gather4 and tile::scatter4: four rows of a tensor of rank 2, from the
// bits of a tiled map (PTX ISA 9.0, 5.5.3.4).

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
        pieces_.add_loaded(from, target, is_row ? first : shape_.cell_global_bytes,
                           is_row ? last : shape_.cell_global_bytes);
      else
        pieces_.add_stored(from, target, first, last);
      target += steps_.cell_pitch(shape_);
    }
    return is_row ? uint64_t{end - begin} * shape_.element_bits / 8 : 0;
  }

  uint32_t bits(uint32_t elements) const { return elements * shape_.element_bits / 8; }

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
