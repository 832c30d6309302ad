// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tma/laying.h"

#include <algorithm>

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

}  // namespace assay::emulator
