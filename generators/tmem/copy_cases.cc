// SPDX-License-Identifier: Apache-2.0
#include "generators/tmem/copy_cases.h"

#include <algorithm>
#include <bit>

#include "reference/layout/tmem.h"
#include "reference/spec/smem_desc.h"

namespace assay::suites {
namespace {

using gen::CaseId;
using gen::Random;

constexpr uint32_t of_4x256b = 1;

void begin(const CaseId& id, TmemCopyCase& c) {
  c = {};
  c.cta_group = id.index / 16 % 2 == 0 ? 1 : 2;
}

/// What remains once the moves stand: the allocation, the window, what they hold.
void finish(Random& random, TmemCopyCase& c) {
  c.odd_cta_issues = c.cta_group == 2 && random.one_in(2);
  c.issuer_thread = gen::issuing_thread(random);
  c.spelling = gen::drawn_spelling(random);
  c.window_fill.seed = random.next() >> 16;
  c.d_fill.seed = random.next() >> 16;
  uint32_t end = 16;
  for (uint32_t i = 0; i < c.move_count; ++i)
    if (!c.moves[i].is_shift) end = std::max(end, source_end(c.moves[i]));
  c.window_bytes = end;
}

/// Columns for moves that begin at the same one: anywhere in the smallest allocation that has room, or in one
/// that is wider.
void place_columns(Random& random, uint32_t columns, TmemCopyCase& c) {
  c.alloc_columns = std::max(32u, std::bit_ceil(columns));
  // Rarely all of tensor memory: each of its cells is compared.
  const uint32_t doublings = random.one_in(16) ? 4 : random.below(2);
  c.alloc_columns = std::min(512u, c.alloc_columns << doublings);
  const uint32_t slack = c.alloc_columns - columns;
  const uint32_t first = random.one_in(8) ? slack : random.below(slack + 1);
  for (uint32_t i = 0; i < c.move_count; ++i) c.moves[i].column += first;
}

void take_form(const CaseId& id, Random& random, TmemMove& m) {
  const uint32_t form =
      id.index < 64
          ? static_cast<uint32_t>(id.index) % (layout::tmem_copy_shape_count * layout::tmem_copy_format_count)
          : random.below(layout::tmem_copy_shape_count * layout::tmem_copy_format_count);
  m.shape = form / layout::tmem_copy_format_count;
  m.format = form % layout::tmem_copy_format_count;
  if (m.shape == of_4x256b) m.lane = random.one_in(2) ? 0 : random.one_in(2) ? 31 : random.below(32);
}

/// Some instructions one behind the other, each with the next part of the matrix for the next columns.
void repeat(Random& random, TmemMove& m) {
  if (!random.one_in(4)) return;
  m.count = random.between(2, 4);
  m.column_step = columns_of(m) + (random.one_in(2) ? 0 : random.below(4));
  m.source_step = random.one_in(2) ? columns_of(m) / 4 : random.below(64);
}

uint32_t span_of(const TmemMove& m) {
  return (m.count - 1) * m.column_step + columns_of(m);
}

}  // namespace

void make_tmem_cp(const CaseId& id, TmemCopyCase& c) {
  Random random = id.random();
  do {
    begin(id, c);
    TmemMove& m = c.moves[0];
    take_form(id, random, m);
    repeat(random, m);
    place_source(random, m);
    place_columns(random, span_of(m), c);
    finish(random, c);
  } while (!what_is_wrong(c).empty());
}

void make_tmem_cp_decompress(const CaseId& id, TmemCopyCase& c) {
  make_tmem_cp(id, c);
  Random random(gen::case_stream(id.seed ^ 1, id.property, id.index));
  c.moves[0].format = 1 + static_cast<uint32_t>(id.index % 2);
  // Every other case of few different codes, edges among them: a decompression of one code that is wrong.
  if (random.one_in(2)) return;
  constexpr uint32_t edges[] = {0x00000000, 0xffffffff, 0x88888888, 0x77777777, 0x20820820, 0xdf7df7df};
  c.window_fill.special_bits = 32;
  c.window_fill.special_rate = 128;
  for (uint32_t& one : c.window_fill.special) one = edges[random.below(std::size(edges))];
}

namespace {

/// Fields that are legal alone and do not go together: a base offset without swizzle, or an absolute leading
/// address, on sm_103 without the swizzle that it needs.
void take_combination(const CaseId& id, Random& random, TmemCopyCase& c) {
  TmemMove& m = c.moves[0];
  m.source = {};
  m.source.stride_offset = 1024;
  m.count = 1, m.source_step = m.column_step = 0;
  constexpr uint32_t without_it[] = {0, 4, 6};
  const uint64_t right = descriptor_word(m);
  if (id.index / 8 % 2 == 0) {
    m.source_flip = right ^ spec::with_raw(right, spec::smem::base_offset, 1 + random.below(7));
  } else if (spec::row_of(id.arch).has_absolute_leading) {
    m.source.swizzle = without_it[random.below(3)];
    m.source_flip = right ^ spec::with_raw(right, spec::smem::leading_mode, 1);
  } else {
    m.source.swizzle = 2;
    m.source.leading_is_absolute = true;
  }
  c.window_bytes = std::max(c.window_bytes, source_end(m));
}

}  // namespace

void make_tmem_cp_broken(const CaseId& id, TmemCopyCase& c) {
  make_tmem_cp(id, c);
  Random random(gen::case_stream(id.seed ^ 1, id.property, id.index));
  TmemMove& m = c.moves[0];
  // Nothing wrong: a device that refuses everything must not look like one that refuses what is wrong.
  if (id.index % 8 == 1) return;
  if (id.index % 8 == 3) {
    // Whether this is wrong is an open question. Its lines are those of 128B swizzle.
    m.source = {};
    m.source.swizzle = 1;
    m.source.stride_offset = 1024;
    m.count = 1, m.source_step = m.column_step = 0;
    c.window_bytes = std::max(c.window_bytes, source_end(m));
    return;
  }
  if (id.index % 8 == 5) {  // a shift from a lane that no 32 start at
    m = {};
    m.is_shift = true;
    m.lane = random.below(4) * 32 + 1 + random.below(31);
    m.column = std::min(c.alloc_columns - 8, random.below(c.alloc_columns));
    return;
  }
  if (id.index % 8 == 7) {
    take_combination(id, random, c);
    return;
  }
  const auto wrong = spec::one_field_wrong(spec::smem_desc, descriptor_word(m));
  m.source_flip = wrong[random.below(static_cast<uint32_t>(wrong.size()))].word ^ descriptor_word(m);
}

void make_tmem_shift(const CaseId& id, TmemCopyCase& c) {
  Random random = id.random();
  begin(id, c);
  TmemMove& m = c.moves[0];
  m.is_shift = true;
  m.lane = static_cast<uint32_t>(id.index % 4) * 32;
  m.count = random.one_in(2) ? 1 : random.between(2, 40);
  if (m.count > 1 && m.count <= 8 && random.one_in(2)) m.column_step = random.below(13);
  place_columns(random, span_of(m), c);
  finish(random, c);
}

void make_tmem_shift_refill(const CaseId& id, TmemCopyCase& c) {
  Random random = id.random();
  do {
    begin(id, c);
    c.move_count = 2;
    c.moves[0].is_shift = true;
    c.moves[0].waits = false;
    TmemMove& m = c.moves[1];
    m.shape = of_4x256b;
    m.lane = random.one_in(4) ? random.below(32) : 31;
    m.column = random.one_in(2) ? 0 : random.below(8);
    m.format = random.one_in(2) ? 0 : random.below(layout::tmem_copy_format_count);
    place_source(random, m);
    place_columns(random, m.column + 8, c);
    finish(random, c);
  } while (!what_is_wrong(c).empty());
}

void make_tmem_cp_order(const CaseId& id, TmemCopyCase& c) {
  Random random = id.random();
  do {
    begin(id, c);
    c.move_count = random.between(2, 3);
    uint32_t columns = 0;
    for (uint32_t i = 0; i < c.move_count; ++i) {
      TmemMove& m = c.moves[i];
      m.waits = false;
      // A copy first, so that what follows has something to overtake.
      m.is_shift = i > 0 && random.one_in(3);
      if (!m.is_shift) {
        m.shape = random.one_in(4) ? random.below(layout::tmem_copy_shape_count) : 0;
        place_source(random, m);
      }
      m.column = i == 0 ? 0 : random.below(4);
      columns = std::max(columns, m.column + columns_of(m));
    }
    place_columns(random, columns, c);
    finish(random, c);
  } while (!what_is_wrong(c).empty());
}

namespace {

constexpr uint32_t unit = 16, field = 0x4000 * unit;

/// Bytes that a matrix may stretch over. What lies before its end is filled at a price: few are large.
uint32_t room(gen::Random& random) {
  return random.one_in(32) ? 220u << 10 : static_cast<uint32_t>(random.log_uniform(4 << 10, 48 << 10));
}

/// A live stride: that of rows which lie side by side, one that lays blocks on each other, or any.
uint32_t stride(gen::Random& random, uint32_t dense, uint32_t most) {
  most = std::min(most, field - unit);
  switch (random.below(4)) {
    case 0:
      return std::min(dense, most / unit * unit);
    case 1:
      return std::min(random.below(9) * unit, most / unit * unit);
    default:
      return random.below(most / unit + 1) * unit;
  }
}

}  // namespace

LiveStrides live_strides(const TmemMove& m) {
  const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[m.shape];
  return {m.source.swizzle == 0 && shape.words > 4, shape.rows > 8};
}

void place_source(gen::Random& random, TmemMove& m) {
  const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[m.shape];
  const auto groups = static_cast<uint32_t>(shape.rows + 7) / 8;
  m.source = {};
  m.source.swizzle = spec::smem_swizzles[random.below(4)].tcgen05_code;  // not in 32-byte atoms
  const uint32_t width = spec::find_smem_swizzle(uint64_t{m.source.swizzle})->width;
  const uint32_t all = room(random), fixed = 8 * width + (m.count - 1) * m.source_step * unit + 128;
  uint32_t left = all > fixed ? all - fixed : 0;
  const LiveStrides live = live_strides(m);
  const auto any = [&] { return random.one_in(2) ? 0 : random.below(0x4000) * unit; };
  m.source.leading_offset = live.leading ? stride(random, 8 * width, left / 2) : any();
  if (live.leading) left -= m.source.leading_offset;
  m.source.stride_offset = live.stride ? stride(random, 8 * width, left / groups) : any();
  if (live.stride) left -= m.source.stride_offset * (groups - 1);
  m.source.start = random.one_in(4) ? 0 : random.below(std::min(left, all / 2) / unit + 1) * unit;
  if (m.source.swizzle != 0 && random.one_in(2)) m.source.base_offset = random.below(8);
}

}  // namespace assay::suites
