// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tma/laying.h"

#include <algorithm>
#include <string>

#include "devices/emulator/hardware.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {
namespace {

using Kind = Diagnostic::Kind;

/// A copy starts on a multiple of this in global memory.
int64_t start_unit_bits(const TensorCopyRequest& request, const TiledShape& shape) {
  const bool padded = shape.cell_global_bytes < 16;
  if (padded) {
    const bool half_box = facts_of(request.target).relaxes_b6_stores && shape.packs_6bit;
    return (half_box ? 64 : 128) * static_cast<int64_t>(shape.element_bits);
  }
  const bool any_byte = shape.element_bits == 4 ? shape.readings.is({"TMA-AMB-34", "even_ones"})
                                                : shape.readings.is({"TMA-AMB-08", "copied"});
  return any_byte ? 8 : 128;
}

}  // namespace

void Pieces::add(uint64_t source, uint32_t target, uint32_t from, uint32_t to, bool is_fill) {
  // The flip exchanges the halves of a 16-byte chunk; nothing exchanges smaller parts.
  const uint32_t atom = shape_.swizzle == SwizzleKind::span_128_atom_32_flip_8 ? 8 : 16;
  while (from < to) {
    const uint32_t at = target + from;
    const uint32_t bytes = std::min(to - from, atom - at % atom);
    const uint32_t place = steps_.swizzle(
        {shape_.swizzle, at, request_.shared_address, shape_.readings.is({"TMA-AMB-10", "bit_7_clear"})});
    const uint64_t global = is_fill ? 0 : source + from;
    TensorCopyPiece* last = plan_.pieces.empty() ? nullptr : &plan_.pieces.back();
    if (last != nullptr && !plan_.packs_6bit && last->is_fill == is_fill &&
        last->shared_address + last->bytes == place &&
        (is_fill || last->global_address + last->bytes == global))
      last->bytes += bytes;
    else
      plan_.pieces.push_back({global, place, bytes, is_fill});
    from += bytes;
  }
}

void Pieces::add_loaded(uint64_t source, uint32_t target, uint32_t from, uint32_t to) {
  add(source, target, 0, from, true);
  add(source, target, from, to, false);
  add(source, target, to, shape_.cell_global_bytes, true);
}

void Pieces::add_stored(uint64_t source, uint32_t target, uint32_t from, uint32_t to) {
  const uint32_t stored = steps_.stored_bytes(shape_, to - from);
  if (stored == 0) return;
  if (from == 0)
    add(source, target, 0, plan_.packs_6bit ? 16 : stored, false);
  else
    add(source, target, from, to, false);
}

void set_fault(TensorCopyPlan& plan, std::string_view id, Kind kind, const std::string& message) {
  plan.fault = TensorCopyFault{kind, "tensor copy: " + message + " (" + std::string(id) + ")"};
}

bool check_alignment(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                     TensorCopyPlan& plan) {
  const bool shared = request.kind != TensorCopyKind::prefetch;
  const bool narrow =
      shape.swizzle == SwizzleKind::none && shape.readings.is({"TMA-AMB-16", "aligned_to_16"});
  if (shared && !steps.rule("W-05", request.shared_address % (narrow ? 16 : 128) == 0)) {
    set_fault(plan, "W-05", Kind::misaligned_address, "the shared address is not a multiple of 128");
    return false;
  }
  const int64_t start_bits = int64_t{request.coord[0]} * shape.element_bits;
  const int64_t unit_bits = start_unit_bits(request, shape);
  if (!shape.interleaved() && !steps.rule("AMB-08", start_bits % unit_bits == 0)) {
    set_fault(plan, "AMB-08", Kind::illegal_instruction,
              "coordinate 0 is " + std::to_string(request.coord[0]) +
                  ": the box does not start on a multiple of " + std::to_string(unit_bits / 8) + " bytes");
    return false;
  }
  return true;
}

bool check_store_start(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                       TensorCopyPlan& plan) {
  const bool clips_below = shape.readings.is({"TMA-AMB-19", "clipped"});
  if (request.kind != TensorCopyKind::store) return true;
  constexpr std::string_view of_dimension[] = {"S-04.0", "S-04.1", "S-04.2", "S-04.3", "S-04.4"};
  for (int d = 0; d < shape.rank; ++d)
    if (!steps.rule(of_dimension[d], request.coord[d] >= 0 || clips_below)) {
      set_fault(plan, "S-04", Kind::illegal_instruction,
                "a store starts at coordinate " + std::to_string(request.coord[d]) + " of dimension " +
                    std::to_string(d));
      return false;
    }
  return true;
}

namespace {

using enum TensorCopyMode;
using enum ModeOffsets;

constexpr TensorMode mode_rows[] = {
    // word             mode          ranks loads  stores sm_100 sm_120 coordinates, offsets
    {"tile", tile, 1, 5, true, true, false, false, 0, none, plan_tiled_copy},
    {"im2col", im2col, 3, 5, true, false, false, false, 0, of_spatial_dimensions, plan_im2col_copy},
    {"im2col_no_offs", im2col, 3, 5, false, true, false, false, 0, none, plan_im2col_copy},
    {"im2col::w", im2col_w, 3, 5, true, false, true, true, 0, of_halo, plan_wide_copy},
    {"im2col::w::128", im2col_w_128, 3, 5, true, false, true, false, 0, of_halo, plan_wide_copy},
    {"tile::gather4", gather4, 2, 2, true, false, true, true, 5, none, plan_row_copy},
    {"tile::scatter4", scatter4, 2, 2, false, true, true, false, 5, none, plan_row_copy},
};

}  // namespace

std::span<const TensorMode> tensor_modes() {
  return mode_rows;
}

const TensorMode& tensor_mode(TensorCopyMode mode) {
  return *std::ranges::find(mode_rows, mode, &TensorMode::mode);
}

// cp.async.bulk.tensor in modes im2col::w and im2col::w::128: a row of pixels and its halos, from the bits of
// a map of the wide encoder (PTX ISA 9.0, 5.5.5).

namespace {

namespace map = spec::tensor_map;
using Kind = Diagnostic::Kind;

class WidePlanner {
 public:
  WidePlanner(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
              TensorCopyPlan& plan)
      : request_(request), steps_(steps), plan_(plan), wide_{shape}, pieces_(request, shape, steps, plan) {}

  void plan() {
    read();
    if (!check_alignment(request_, shape(), steps_, plan_) || !check_start()) return;
    if (request_.kind == TensorCopyKind::prefetch) return;
    clip_channels();
    const uint32_t pixels = steps_.wide_pixels(wide_);
    group_ = wide_.is_128 ? 32 : pixels;
    const uint32_t groups = pixels / group_, rows = pixels + groups * wide_.halo;
    const uint32_t cells = shape().box[0] / shape().cell_elements;
    pitch_ = steps_.row_pitch(shape(), cells * steps_.cell_pitch(shape()));
    if (uint64_t{rows} * pitch_ > most_copied_bytes) {
      set_fault(plan_, "column", Kind::illegal_address,
                "the column needs " + std::to_string(uint64_t{rows} * pitch_) + " bytes of shared memory");
      return;
    }
    const uint64_t in_bounds = lay_groups(groups);
    const uint64_t row_bytes = uint64_t{shape().box[0]} * shape().element_bits / 8;
    plan_.transaction_bytes = steps_.transaction_bytes(
        shape(), {static_cast<uint32_t>(rows * row_bytes), static_cast<uint32_t>(in_bounds), rows * pitch_,
                  rows * cells * shape().cell_shared_bytes, request_.mode,
                  static_cast<uint32_t>(groups * wide_.halo * row_bytes)});
  }

 private:
  const TiledShape& shape() const { return wide_.base; }

  void read() {
    const auto corner = [&](bool upper) {
      const uint64_t raw = spec::get_raw(request_.map, map::corner_at(3, 0, upper));
      return int64_t{steps_.corner(shape(), 0, upper, map::signed_corner(raw, 3))};
    };
    const auto moved = [&](WideEnd end) { return steps_.wide_offset(shape(), end, request_.offset[1]); };
    wide_.is_128 = request_.mode == TensorCopyMode::im2col_w_128;
    wide_.pixels = static_cast<uint32_t>(spec::get(request_.map, map::pixels));
    wide_.halo = steps_.halo(shape(), wide_.is_128, request_.offset[0]);
    wide_.lowest = corner(false) + moved(WideEnd::lower);
    wide_.highest = static_cast<int64_t>(shape().dim[1]) - 1 + corner(true) + moved(WideEnd::upper);
    start_ = steps_.coordinate(1, request_.coord[1]) + moved(WideEnd::start);
  }

  bool check_start() {
    if (steps_.rule("IM2W-R07", start_ <= wide_.highest)) return true;
    set_fault(plan_, "IM2W-R07", Kind::illegal_instruction,
              "the walk starts at W " + std::to_string(start_) + ", right of the box, which ends at " +
                  std::to_string(wide_.highest));
    return false;
  }

  void clip_channels() {
    const int64_t first = steps_.coordinate(0, request_.coord[0]);
    const uint32_t channels = shape().box[0];
    while (begin_ < channels && !steps_.inside(shape(), 0, first + begin_)) ++begin_;
    for (end_ = begin_; end_ < channels && steps_.inside(shape(), 0, first + end_);) ++end_;
  }

  uint64_t lay_groups(uint32_t groups) {
    WidePosition position{
        start_, steps_.coordinate(shape().rank - 1, request_.coord[static_cast<size_t>(shape().rank - 1)])};
    uint64_t in_bounds = 0;
    for (uint32_t group = 0; group < groups; ++group) {
      WidePosition resumed = position;
      for (uint32_t pixel = 0; pixel < group_ + wide_.halo; ++pixel) {
        if (pixel == group_) resumed = position;
        in_bounds += lay(position, steps_.wide_row(wide_, group, group_, pixel));
        steps_.wide_advance(wide_, position);
      }
      if (wide_.halo != 0 && !steps_.halo_moves(wide_)) position = resumed;
    }
    return in_bounds;
  }

  /// Puts the pieces of a pixel into the plan. Bytes of it that lie in the tensor.
  uint64_t lay(const WidePosition& position, uint32_t row) {
    std::array<int64_t, 5> index{};
    index[0] = steps_.coordinate(0, request_.coord[0]);
    index[1] = position.at;
    for (int d = 2; d < shape().rank - 1; ++d)
      index[static_cast<size_t>(d)] = steps_.coordinate(d, request_.coord[static_cast<size_t>(d)]);
    index[static_cast<size_t>(shape().rank - 1)] = position.image;
    bool inside = !position.is_over;
    for (int d = 1; d < shape().rank; ++d)
      inside = inside && steps_.inside(shape(), d, index[static_cast<size_t>(d)]);
    const uint64_t source = steps_.source(shape(), index);
    uint32_t target = request_.shared_address + row * pitch_;
    const uint32_t cell = shape().cell_elements, bytes = shape().cell_global_bytes;
    for (uint32_t channel = 0; channel < shape().box[0]; channel += cell) {
      const uint32_t first = std::clamp(begin_, channel, channel + cell),
                     last = std::clamp(end_, first, channel + cell);
      const uint32_t from = inside ? (first - channel) * shape().element_bits / 8 : bytes,
                     to = inside ? (last - channel) * shape().element_bits / 8 : bytes;
      const uint64_t at = source + uint64_t{channel} * shape().element_bits / 8;
      pieces_.add_loaded(at, target, from, to);
      target += steps_.cell_pitch(shape());
    }
    return inside ? uint64_t{end_ - begin_} * shape().element_bits / 8 : 0;
  }

  const TensorCopyRequest& request_;
  const Steps& steps_;
  TensorCopyPlan& plan_;
  WideShape wide_;
  Pieces pieces_;
  int64_t start_ = 0;
  uint32_t begin_ = 0, end_ = 0;  ///< channels of a pixel that lie in the tensor
  uint32_t group_ = 0, pitch_ = 0;
};

}  // namespace

void plan_wide_copy(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                    TensorCopyPlan& plan) {
  WidePlanner(request, shape, steps, plan).plan();
}

}  // namespace assay::emulator
