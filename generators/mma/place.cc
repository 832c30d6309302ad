// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/make.h"

#include <algorithm>
#include <bit>

#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/model/rig.h"
#include "reference/model/tmem/scale_copy.h"

namespace assay::gen {
namespace {

/// What an operand needs of a layout.
struct Need {
  uint32_t rows;  ///< of A, or columns of B, shift included
  uint32_t bits;  ///< of an element as stored
  bool mn_major;
  uint32_t k, steps;
};

constexpr uint32_t round_up(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

uint32_t legal_swizzle(Random& random, const Need& need) {
  if (need.mn_major && need.bits == 32) return spec::smem_swizzle::by_128B_atom32B;
  return spec::smem_swizzle::of_16_bytes[random.below(4)];
}

/// A distance of at least `least` bytes: exactly that, or with a gap, now and then one that needs the high
/// bits of its field.
uint32_t distance(Random& random, Placing placing, uint32_t least) {
  if (placing == Placing::dense || random.one_in(2)) return least;
  if (random.one_in(8)) return least + 16 * static_cast<uint32_t>(random.log_uniform(64, 2048));
  return least + 16 * random.between(1, 12);
}

/// Strides of a matrix whose blocks do not overlap, and the step to the next K of one instruction.
uint32_t lay_out(Random& random, Placing placing, const Need& need, MatrixInShared& matrix) {
  const spec::SmemSwizzle& swizzle = *spec::find_smem_swizzle(matrix.swizzle);
  const uint32_t width = swizzle.width, k_bytes = need.k * need.bits / 8;
  const bool outer_is_k = random.one_in(2);
  if (!need.mn_major && matrix.swizzle == 0) {  // 8 rows of 16 bytes are a block
    const uint32_t groups = round_up(need.rows, 8) / 8, columns = need.steps * k_bytes / 16;
    uint32_t& inner = outer_is_k ? matrix.stride_offset : matrix.leading_offset;
    uint32_t& outer = outer_is_k ? matrix.leading_offset : matrix.stride_offset;
    inner = distance(random, placing, 128);
    outer = distance(random, placing, inner * (outer_is_k ? groups : columns));
    return k_bytes / 16 * matrix.leading_offset / 16;
  }
  const uint32_t all_rows = round_up(need.rows, 8) / 8;
  if (matrix.leading_is_absolute) {
    matrix.stride_offset = distance(random, placing, 8 * width);
    matrix.leading_offset = round_up(matrix.start + matrix.stride_offset * all_rows, 1024);
    if (placing == Placing::random && random.one_in(2)) matrix.leading_offset += 16 * random.below(40);
    return k_bytes / 16;
  }
  if (!need.mn_major && width == 32 && k_bytes > 32) {  // the rest of a row is at the leading offset
    matrix.stride_offset = distance(random, placing, 8 * width);
    matrix.leading_offset = distance(random, placing, matrix.stride_offset * all_rows);
    return distance(random, placing, 2 * matrix.leading_offset) / 16;
  }
  if (!need.mn_major) {
    matrix.stride_offset = distance(random, placing, 8 * width);
    // Not looked at: what libraries write, or anything.
    constexpr uint32_t usual[] = {16, 0, 128, 0x3fff0};
    matrix.leading_offset = placing == Placing::dense ? 16 : usual[random.below(4)];
    const bool in_row = need.steps * k_bytes <= width || random.one_in(4);
    if (in_row) return k_bytes / 16;
    return distance(random, placing, matrix.stride_offset * (round_up(need.rows, 8) / 8)) / 16;
  }
  const uint32_t lines = swizzle.lines, block = lines * width;
  const uint32_t blocks = round_up(need.rows * need.bits / 8, width) / width,
                 groups = need.steps * need.k / lines;
  uint32_t& along_mn = matrix.swizzle == 0 ? matrix.stride_offset : matrix.leading_offset;
  uint32_t& along_k = matrix.swizzle == 0 ? matrix.leading_offset : matrix.stride_offset;
  uint32_t& inner = outer_is_k ? along_mn : along_k;
  uint32_t& outer = outer_is_k ? along_k : along_mn;
  inner = distance(random, placing, block);
  outer = distance(random, placing, inner * (outer_is_k ? blocks : groups));
  return need.k / lines * along_k / 16;
}

constexpr uint32_t any_swizzle = ~0u;

/// Where the operand that lies first may end, so that the other has room behind it, and that one.
constexpr uint32_t last_end[] = {112u << 10, rig::max_operand_window_bytes};

/// Now and then as far on in shared memory as there is room, near more often than far: what lies before is
/// filled at its price.
void move_on(Random& random, uint32_t end, bool is_last, MatrixInShared& matrix) {
  if (end >= last_end[is_last] || !random.one_in(12)) return;
  const uint32_t most = (last_end[is_last] - end) / 16;
  matrix.start +=
      16 * static_cast<uint32_t>(random.one_in(4) ? 1 + random.below(most) : random.log_uniform(1, most));
}

/// Now and then the buffer in which rows go on lies as far on as there is room.
void move_second_buffer(Random& random, uint32_t end, bool is_last, MatrixInShared& matrix) {
  if (end >= last_end[is_last] || !random.one_in(6)) return;
  matrix.leading_offset += 16 * (1 + random.below((last_end[is_last] - end) / 16));
}

/// Now and then a stride takes what room there is: where it is walked once it needs its highest bits.
void stretch(Random& random, Tcgen05MmaCase& c, int operand, bool is_last) {
  const uint32_t end = model::shared_end(c, operand);
  if (c.steps != 1 || end >= last_end[is_last] || !random.one_in(8)) return;
  MatrixInShared& matrix = operand == 0 ? c.a : c.b;
  uint32_t& stride = random.one_in(2) ? matrix.leading_offset : matrix.stride_offset;
  const uint32_t kept = stride, room = (last_end[is_last] - end) / 16;
  stride = std::min(kept + 16 * (room - random.below(room / 4 + 1)), 0x3fffu * 16);
  if (model::shared_end(c, operand) > last_end[is_last]) stride = kept;
}

/// Now and then blocks lie over each other, all of them in one place more often than others: a stride of 0 is
/// no other than the rest. By a stream of its own, so that what is drawn behind stays as it was.
void overlap(Random random, MatrixInShared& matrix) {
  if (!random.one_in(8)) return;
  uint32_t& stride = random.one_in(4) ? matrix.leading_offset : matrix.stride_offset;
  stride = random.one_in(2) ? 0 : 16 * random.below(stride / 16 + 1);
}

/// From `begin` on, with the swizzle that is wanted if it may have it; returns the end. Random placements
/// that take too much room are made dense.
uint32_t place_one(Random& random, Placing placing, uint32_t begin, int operand, bool is_last,
                   Tcgen05MmaCase& c, uint32_t wanted_swizzle) {
  const bool is_a = operand == 0;
  const uint32_t shift = !is_a && c.has_mask ? c.mask.column_shift : 0;
  const Need need{(is_a ? c.m : c.n) / c.cta_group + shift,
                  static_cast<uint32_t>(model::stored_bits(c, is_a)), is_a ? c.transpose_a : c.transpose_b,
                  static_cast<uint32_t>(model::stored_k(c, is_a)), c.steps};
  MatrixInShared& matrix = is_a ? c.a : c.b;
  uint32_t& step = is_a ? c.a_step : c.b_step;
  matrix = {};
  matrix.swizzle = legal_swizzle(random, need);
  if (c.k96 && random.one_in(2)) matrix.swizzle = 2;  // with which the leading address may be absolute
  if (wanted_swizzle != any_swizzle && matrix.swizzle != spec::smem_swizzle::by_128B_atom32B &&
      wanted_swizzle != spec::smem_swizzle::by_128B_atom32B)
    matrix.swizzle = wanted_swizzle;
  for (const Placing how : {placing, Placing::dense}) {
    matrix.start =
        how == Placing::dense ? round_up(begin, 1024) : round_up(begin, 16) + 16 * random.below(40);
    matrix.base_offset = 0;
    matrix.leading_is_absolute = c.k96 && matrix.swizzle == spec::smem_swizzle::by_128B && !random.one_in(4);
    if (matrix.leading_is_absolute) matrix.start = round_up(begin, 1024) + 16 * random.below(8);
    if (how == Placing::random && matrix.swizzle != 0 && !matrix.leading_is_absolute && random.one_in(2))
      matrix.base_offset = random.below(8);
    step = lay_out(random, how, need, matrix);
    const uint32_t end = model::shared_end(c, operand);
    if (end > begin + (100u << 10) && how != Placing::dense) continue;
    if (how == Placing::random && !c.by_tma) {
      if (matrix.leading_is_absolute) {
        move_second_buffer(random, end, is_last, matrix);
      } else {
        overlap(random, matrix);
        move_on(random, end, is_last, matrix);
        stretch(random, c, operand, is_last);
      }
    }
    return model::shared_end(c, operand);
  }
  return 0;
}

/// Behind D, which has so many columns.
void place_a_in_tensor_memory(Random& random, uint32_t d_columns, Tcgen05MmaCase& c) {
  const uint32_t a_columns = model::a_columns(c) * c.steps,
                 left = c.alloc_columns - c.d_column - d_columns - a_columns;
  c.a_column = c.d_column + d_columns + (random.one_in(2) ? 0 : random.below(left + 1));
  c.a_step = model::a_columns(c);
  c.tmem_split = c.a_column;
  c.a = {};
}

void place_accumulators(Random& random, Tcgen05MmaCase& c) {
  const layout::DLayoutRow& layout = *model::d_layout_of(c);
  const auto columns = static_cast<uint32_t>(layout::d_columns(layout, static_cast<int>(c.n)));
  const uint32_t a_columns = c.a_in_tmem ? model::a_columns(c) * c.steps : 0;
  c.alloc_columns = std::max(32u, std::bit_ceil(columns + a_columns));
  if (c.alloc_columns < 256 && random.one_in(4)) c.alloc_columns *= 2;
  const uint32_t slack = c.alloc_columns - columns - a_columns;
  // Any column is allowed; multiples of 8 are what libraries use.
  c.d_column = slack == 0 || random.one_in(2) ? 0
               : random.one_in(4)             ? random.below(slack + 1)
                                              : random.below(slack / 8 + 1) * 8;
  c.lane = layout.half_of_lanes && random.one_in(2) ? 16 : 0;
  c.tmem_split = c.alloc_columns;
  if (c.a_in_tmem) place_a_in_tensor_memory(random, columns, c);
  // Every sixth case has two accumulators pending at its commit, where tensor memory has room for them.
  const uint32_t end = std::max(c.d_column + columns, c.a_in_tmem ? c.a_column + a_columns : 0);
  if (!random.one_in(6) || end + columns > 512) return;
  const bool had_all = c.tmem_split == c.alloc_columns;
  c.alloc_columns = std::max(c.alloc_columns, std::bit_ceil(end + columns));
  if (had_all) c.tmem_split = c.alloc_columns;
  c.second_column = end + random.below(c.alloc_columns - end - columns + 1);
}

/// From `end` on; returns their end. They begin at an even column; four columns that selectors may name are
/// the four from a multiple of 4 on.
uint32_t place_metadata(Random& random, uint32_t end, Tcgen05MmaCase& c) {
  const uint32_t unit = c.metadata.selector >= 2 ? 4 : 2;
  c.metadata.column = round_up(end, unit) + (random.one_in(4) ? unit * random.below(4) : 0);
  return c.metadata.column + c.metadata.columns;
}

/// Metadata and scales behind everything else, A's scales before B's or after. Libraries begin scales at any
/// even column.
void place_behind(Random& random, Tcgen05MmaCase& c) {
  const layout::DLayoutRow& layout = *model::d_layout_of(c);
  const auto columns = static_cast<uint32_t>(layout::d_columns(layout, static_cast<int>(c.n)));
  const bool had_all = c.tmem_split == c.alloc_columns;
  for (const bool is_copied : {true, false}) {
    c.scales_copied = is_copied && c.scales_copied;
    c.scales_refilled = c.scales_copied && c.scales_refilled;
    c.metadata_copied = is_copied && c.metadata_copied;
    c.a_scales.columns = model::filled_scale_columns(c, true);
    c.b_scales.columns = model::filled_scale_columns(c, false);
    c.metadata.columns = c.sparse ? model::filled_metadata_columns(c) : 0;
    if (c.window_bytes + model::copied_bytes(c) <= rig::max_operand_window_bytes) break;
  }
  const uint32_t first_end = c.a_in_tmem ? c.a_column + model::a_columns(c) * c.steps : 0;
  uint32_t end = std::max(c.d_column + columns, first_end);
  const uint32_t needed = round_up(c.a_scales.columns, 4) + round_up(c.b_scales.columns, 4) + 16 +
                          (c.sparse ? c.metadata.columns + 16 : 0);
  if (c.second_column != 0 && round_up(c.second_column + columns, 4) + needed > 512) c.second_column = 0;
  if (c.second_column != 0) end = c.second_column + columns;
  if (round_up(end, 4) + needed > 512) {  // together from the first column on
    c.d_column = 0;
    c.a_column = c.a_in_tmem ? columns : 0;
    end = columns + (c.a_in_tmem ? model::a_columns(c) * c.steps : 0);
    c.tmem_split = c.a_in_tmem ? columns : c.tmem_split;
  }
  const bool metadata_last = c.sparse && random.one_in(2);
  if (c.sparse && !metadata_last) end = place_metadata(random, end, c);
  const bool b_first = random.one_in(2);
  for (ScalesInTensorMemory* scales :
       {b_first ? &c.b_scales : &c.a_scales, b_first ? &c.a_scales : &c.b_scales}) {
    if (!model::is_block_scaled(c)) break;
    scales->column = round_up(end, 4) + (random.one_in(4) ? 2 * random.below(3) : 0);
    end = scales->column + scales->columns;
  }
  if (metadata_last) end = place_metadata(random, end, c);
  c.alloc_columns = std::max(c.alloc_columns, std::bit_ceil(end));
  if (had_all) c.tmem_split = c.alloc_columns;
}

}  // namespace

void place_operands(Random& random, Placing placing, Tcgen05MmaCase& c) {
  c.by_tma = random.one_in(4);
  const uint32_t unit = c.by_tma ? 1024 : 16;
  // Now and then B lies first, so that A starts high as well.
  const int first = placing == Placing::random && !c.a_in_tmem && !c.by_tma && random.one_in(4) ? 1 : 0;
  uint32_t end = 0;
  if (!c.a_in_tmem) end = round_up(place_one(random, placing, 0, first, false, c, any_swizzle), unit);
  c.split = end;
  const uint32_t wanted = c.by_tma && !c.a_in_tmem ? c.a.swizzle : any_swizzle;
  c.window_bytes = round_up(place_one(random, placing, end, 1 - first, true, c, wanted), unit);
}

void place_in_tensor_memory(Random& random, Tcgen05MmaCase& c) {
  place_accumulators(random, c);
  if (c.sparse || model::is_block_scaled(c)) place_behind(random, c);
}

}  // namespace assay::gen
