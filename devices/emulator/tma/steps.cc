// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tma/steps.h"

#include "devices/emulator/async/async.h"

namespace assay::emulator {
namespace {

/// Chunks of a 128-byte line change places by bits 9:7 of the absolute address (H200: W-01).
uint32_t swizzle(const SwizzleQuery& q) {
  const uint32_t a = q.address;
  switch (q.kind) {
    case SwizzleKind::none:
      return a;
    case SwizzleKind::span_32:
    case SwizzleKind::span_96:
      return a ^ (a >> 3 & 0x10);
    case SwizzleKind::span_64:
      return a ^ (a >> 3 & 0x30);
    case SwizzleKind::span_128:
      return a ^ (a >> 3 & 0x70);
    case SwizzleKind::span_128_atom_32:
      return a ^ (a >> 2 & 0x60);
    case SwizzleKind::span_128_atom_32_flip_8: {
      const uint32_t line = q.flips_even_lines ? ~a : a;
      return a ^ (a >> 2 & 0x60) ^ (line >> 4 & 0x08);
    }
    case SwizzleKind::span_128_atom_64:
      return a ^ (a >> 1 & 0x40);
  }
  return a;
}

/// NaN fill is 0x7FF7 in every 16 bits, whatever the type (H200: F-01, F-02).
uint64_t fill(const TiledShape& shape) {
  if (!shape.nan_fill) return 0;
  const uint32_t code = shape.type_code;
  const bool f64 = code == type_codes::f64;
  const bool half = code == type_codes::f16 || code == type_codes::bf16;
  if (shape.readings.is({"TMA-AMB-05", "mantissa_ones"}))
    return half ? 0x7fff7fff7fff7fffu : f64 ? 0x7fffffffffffffffu : 0x7fffffff7fffffffu;
  if (shape.readings.is({"TMA-AMB-05", "quiet_nan"}))
    return code == type_codes::f16    ? 0x7e007e007e007e00u
           : code == type_codes::bf16 ? 0x7fc07fc07fc07fc0u
           : f64                      ? 0x7ff8000000000000u
                                      : 0x7fc000007fc00000u;
  return 0x7ff77ff77ff77ff7u;
}

int64_t coordinate(int, int32_t operand) {
  return operand;
}

/// ceil(B/E). Dimension 0 has no traversal stride unless it counts slices, and then the dimension before the
/// last holds the channel slices, of which a box has one (H200: L-05, L-06, I-01).
uint32_t count(const TiledShape& shape, int d) {
  if (d == 0 && !shape.interleaved()) return shape.box[0];
  if (shape.interleaved() && d == shape.rank - 2 && !shape.readings.is({"TMA-AMB-12", "walks_slices"}))
    return 1;
  return (shape.box[d] + shape.traversal[d] - 1) / shape.traversal[d];
}

int64_t index(const TiledShape& shape, int d, int64_t start, uint32_t visit) {
  if (d == 0 && !shape.interleaved()) return start + visit;
  return start + static_cast<int64_t>(visit) * shape.traversal[d];
}

bool inside(const TiledShape& shape, int d, int64_t index) {
  return index >= 0 && index < static_cast<int64_t>(shape.dim[d]);
}

uint64_t source(const TiledShape& shape, const std::array<int64_t, 5>& index) {
  uint64_t at =
      shape.address + static_cast<uint64_t>(index[0] * static_cast<int64_t>(shape.element_bits) / 8);
  for (int d = 1; d < shape.rank; ++d) at += static_cast<uint64_t>(index[d]) * shape.stride[d];
  return at;
}

/// Of a line, that swizzle together. Rows may be further apart (AMB-11).
uint32_t swizzled_bytes(const TiledShape& shape) {
  return shape.swizzle == SwizzleKind::span_96 ? 96 : shape.span;
}

/// Rows narrower than the span leave a gap (H200: W-02).
uint32_t row_pitch(const TiledShape& shape, uint32_t row_bytes) {
  if (shape.readings.is({"TMA-AMB-04", "rows_dense"}) && row_bytes < swizzled_bytes(shape)) return row_bytes;
  return row_bytes > shape.span ? row_bytes : shape.span;
}

uint32_t cell_pitch(const TiledShape& shape) {
  return shape.cell_shared_bytes;
}

/// A 16-byte piece of a row is stored in full if its first byte lies in the tensor (H200: S-01).
uint32_t stored_bytes(const TiledShape& shape, uint32_t in_bounds_bytes) {
  if (shape.readings.is({"X-17", "by_element"})) return in_bounds_bytes;
  return in_bounds_bytes == 0 ? 0 : shape.cell_global_bytes;
}

bool stores_row(bool inside) {
  return inside;
}

/// The whole box counts, without gaps, wherever it lies (H200: L-04, W-02). Other readings: of a box that
/// leaves the tensor the part in bounds (AMB-18), of rows narrower than the swizzle span the gaps behind them
/// (AMB-04), of packed types the padding (AMB-33).
uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  const bool counts_padding = shape.readings.is({"TMA-AMB-33", "padded_bytes"});
  if (shape.readings.is({"TMA-AMB-18", "bytes_in_bounds"}) && q.in_bounds_bytes != q.box_bytes)
    return counts_padding ? static_cast<uint32_t>(uint64_t{q.in_bounds_bytes} * q.padded_bytes / q.box_bytes)
                          : q.in_bounds_bytes;
  const bool is_narrow =
      uint64_t{q.padded_bytes} * shape.span < uint64_t{q.image_bytes} * swizzled_bytes(shape);
  if (shape.readings.is({"TMA-AMB-04", "span_bytes_counted"}) && is_narrow) return q.image_bytes;
  if (counts_padding) return q.padded_bytes;
  return q.box_bytes;
}

int32_t corner(const TiledShape&, int, bool, int32_t corner) {
  return corner;
}

/// As the instruction packs them in 16 bits: rank 4 cuts each, rank 5 sums them up and drops bit 15 (H200:
/// M-05).
uint32_t im2col_offset(const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) {
  const auto k = static_cast<size_t>(axis);
  if (column.axes == 1) return operand[0];
  if (column.axes == 2) return operand[k] & 0xff;
  if (column.base.readings.is({"TMA-AMB-23", "cut_to_5_bits"})) return operand[k] & 0x1f;
  const auto packed = static_cast<uint16_t>(operand[0] + (operand[1] << 5) + (operand[2] << 10));
  return packed >> (5 * k) & 0x1f;
}

/// W first; an axis that leaves the box begins again at its lower corner and moves the next one, and behind
/// the last one the images (H200: M-01 to M-03).
void advance(const Im2colShape& column, Im2colPosition& position) {
  const TiledShape& shape = column.base;
  for (int k = 0; k < column.axes; ++k) {
    const auto axis = static_cast<size_t>(k);
    int64_t& at = position.at[axis];
    at += shape.traversal[static_cast<size_t>(shape.interleaved() ? k : k + 1)];
    if (at <= column.highest[axis]) return;
    const int64_t width = column.highest[axis] - column.lowest[axis] + 1;
    at = shape.readings.is({"TMA-AMB-02", "carries_the_rest"})
             ? column.lowest[axis] + (at - column.lowest[axis]) % width
             : column.lowest[axis];
  }
  position.image += shape.readings.is({"TMA-AMB-03", "steps_over_images"})
                        ? static_cast<int64_t>(shape.traversal[static_cast<size_t>(shape.rank - 1)])
                        : 1;
}

uint32_t column_pixels(const Im2colShape& column) {
  return column.pixels;
}

/// The instruction has 11 bits for wHalo and 5 for wOffset (ptxas, operands of im2col::w).
uint32_t halo(const TiledShape&, bool, uint16_t operand) {
  return operand & 0x7ff;
}
int64_t wide_offset(const TiledShape&, WideEnd, uint16_t operand) {
  return operand & 0x1f;
}
uint32_t wide_pixels(const WideShape& wide) {
  return wide.is_128 ? 128 : wide.pixels;
}
/// Along W alone, from the upper corner to the lower one of the next image (PTX ISA 9.0, 5.5.5).
void wide_advance(const WideShape& wide, WidePosition& position) {
  position.at += wide.base.traversal[1];
  if (position.at <= wide.highest) return;
  position.at = wide.lowest;
  position.is_over |= wide.base.readings.is({"TMA-AMB-14", "nowhere"});
  position.image += wide.base.readings.is({"TMA-AMB-42", "images_too"})
                        ? static_cast<int64_t>(wide.base.traversal[static_cast<size_t>(wide.base.rank - 1)])
                        : 1;
}
uint32_t wide_row(const WideShape& wide, uint32_t group, uint32_t group_pixels, uint32_t pixel) {
  if (!wide.base.readings.is({"TMA-AMB-13", "behind_all_pixels"}))
    return group * (group_pixels + wide.halo) + pixel;
  if (pixel < group_pixels) return group * group_pixels + pixel;
  return wide_pixels(wide) + (pixel - group_pixels) * (wide_pixels(wide) / group_pixels) + group;
}
bool halo_moves(const WideShape&) {
  return false;
}

/// One column and four rows (PTX ISA 9.0, cp.async.bulk.tensor, tile::gather4).
int64_t picked(const TiledShape& shape, const std::array<int32_t, 5>& operands, uint32_t row, int dimension) {
  if (shape.readings.is({"TMA-AMB-21", "last_one"})) return operands[dimension == 0 ? row : 4];
  return operands[dimension == 0 ? 0 : 1 + row];
}
uint32_t picked_row(uint32_t row) {
  return row;
}

/// Round to nearest even at bit 13; subnormals are numbers like others, every NaN becomes one (H200: F-06).
uint32_t convert(const WordConversion& conversion, uint32_t word) {
  const uint32_t magnitude = word & 0x7fffffffu;
  if (conversion.flushes_subnormals && magnitude < 0x00800000u) word &= 0x80000000u;
  if (!conversion.to_tf32 || conversion.rounding == Tf32Rounding::none) return word;
  if (conversion.rounding == Tf32Rounding::truncated) return word & ~0x1fffu;
  if (magnitude > 0x7f800000u) return 0x7fffe000u;
  if (magnitude == 0x7f800000u) return word;
  const uint32_t up = conversion.rounding == Tf32Rounding::nearest_away ? 0x1000u : 0xfffu + (word >> 13 & 1);
  return (word + up) & ~0x1fffu;
}

/// Element k, bits 5:0 of byte k, goes to bits 6k+5:6k of the group (PTX ISA 9.0, 5.5.1.1).
void pack_6bit(const std::byte* shared, std::byte* global) {
  for (int quad = 0; quad < 4; ++quad) {
    uint32_t bits = 0;
    for (int k = 0; k < 4; ++k) bits |= (std::to_integer<uint32_t>(shared[4 * quad + k]) & 0x3f) << (6 * k);
    for (int b = 0; b < 3; ++b) global[3 * quad + b] = static_cast<std::byte>(bits >> (8 * b));
  }
}

void finish(TensorCopyPlan&, const TensorCopyRequest&) {}

/// The operand counts 16 bytes in 16 bits, the rest of it is not looked at (H200: BC-01).
uint32_t bulk_bytes(uint32_t size) {
  return size & 0xffff0;
}
uint32_t bulk_signal(const BulkQuery& query) {
  return query.moved;
}
/// The offset of the barrier's address counts, not its CTA (H200: BC-08).
uint32_t bulk_signalled(uint32_t destination, uint32_t) {
  return destination;
}
uint64_t reduce(const ReductionQuery& query) {
  return reduced(query.reduction, query.old, query.operand);
}

/// Bit r of the mask is cluster rank r (H200: K-01).
uint32_t ranks(uint32_t mask, uint32_t) {
  return mask;
}

uint32_t load_rank(uint32_t named, uint32_t, bool) {
  return named;
}

/// Of the pair the CTA that has the parity of the barrier's (PTX ISA 9.0, cp.async.bulk.tensor, cta_group).
uint32_t pair_owner(uint32_t rank, uint32_t named) {
  return (rank & ~1u) | (named & 1);
}

bool rule(std::string_view, bool holds) {
  return holds;
}

uint64_t encoded(const spec::Field&, uint64_t value) {
  return value;
}

bool accepts(const EncodeTiledArguments&) {
  return true;
}
bool accepts_im2col(const EncodeIm2colArguments&) {
  return true;
}
void map_written(TensorMapBytes&, const EncodeTiledArguments&) {}
void im2col_map_written(TensorMapBytes&, const EncodeIm2colArguments&) {}
void address_replaced(TensorMapBytes&, const TensorMapBytes&) {}
void map_refused(TensorMapBytes&, const TensorMapBytes&) {}
uint64_t replacement(const MapReplacement& what) {
  return what.value;
}
void map_replaced(TensorMapBytes&, const TensorMapBytes&, const MapReplacement&) {}
void map_copied(TensorMapBytes&, const TensorMapBytes&) {}
/// The address alone counts, not the 128 bytes from it on (H200: PX-02, PX-03).
bool acquires(uint64_t acquired, uint64_t map, bool) {
  return acquired == map;
}
void map_fetched(TensorMapBytes&, uint64_t, TensorCopyKind) {}
void barrier(const BarrierChange&, Mbarrier&, uint64_t&) {}
void bytes_arrived(const Mbarrier&, Mbarrier&) {}
bool barrier_waited(bool is_complete, bool) {
  return is_complete;
}
uint32_t barrier_rank(uint32_t named, uint32_t, bool) {
  return named;
}
bool arrives_without_copies(bool) {
  return true;
}
void cancelled(Cancellation&) {}
int coordinates_of(TensorCopyMode, int lane, int) {
  return lane;
}
int map_of(int lane, int) {
  return lane;
}
uint64_t groups_left(uint64_t pending) {
  return pending;
}
bool group_done(const AsyncGroup& group, bool is_read) {
  return group.is_done(is_read);
}
bool reduces_late(bool) {
  return false;
}

}  // namespace

constinit const Steps honest_steps{
    .swizzle = swizzle,
    .fill = fill,
    .coordinate = coordinate,
    .count = count,
    .index = index,
    .inside = inside,
    .source = source,
    .row_pitch = row_pitch,
    .cell_pitch = cell_pitch,
    .stored_bytes = stored_bytes,
    .stores_row = stores_row,
    .transaction_bytes = transaction_bytes,
    .corner = corner,
    .im2col_offset = im2col_offset,
    .advance = advance,
    .column_pixels = column_pixels,
    .halo = halo,
    .wide_offset = wide_offset,
    .wide_pixels = wide_pixels,
    .wide_advance = wide_advance,
    .wide_row = wide_row,
    .halo_moves = halo_moves,
    .picked = picked,
    .picked_row = picked_row,
    .coordinates_of = coordinates_of,
    .map_of = map_of,
    .acquired_map_of = map_of,
    .convert = convert,
    .pack_6bit = pack_6bit,
    .finish = finish,
    .bulk_bytes = bulk_bytes,
    .bulk_signal = bulk_signal,
    .bulk_signalled = bulk_signalled,
    .reduce = reduce,
    .data_ranks = ranks,
    .signal_ranks = ranks,
    .load_rank = load_rank,
    .signals_before_data = false,
    .groups_left = groups_left,
    .group_done = group_done,
    .keeps_open_group = true,
    .awaits_tensor_reads = true,
    .reduces_late = reduces_late,
    .reads_targets_early = false,
    .pair_owner = pair_owner,
    .rule = rule,
    .encoded = encoded,
    .accepts = accepts,
    .accepts_im2col = accepts_im2col,
    .map_written = map_written,
    .im2col_map_written = im2col_map_written,
    .address_replaced = address_replaced,
    .map_refused = map_refused,
    .replacement = replacement,
    .map_replaced = map_replaced,
    .map_copied = map_copied,
    .acquires = acquires,
    .map_fetched = map_fetched,
    .barrier = barrier,
    .barrier_waited = barrier_waited,
    .bytes_arrived = bytes_arrived,
    .barrier_rank = barrier_rank,
    .arrives_without_copies = arrives_without_copies,
    .cancelled = cancelled,
    .answers_each_lane = true,
};

Tf32Rounding tf32_rounding(const DeviceReadings& readings) {
  if (readings.is({"TMA-AMB-07", "nearest_away"})) return Tf32Rounding::nearest_away;
  if (readings.is({"TMA-AMB-07", "truncated"})) return Tf32Rounding::truncated;
  if (readings.is({"TMA-AMB-07", "not_converted"})) return Tf32Rounding::none;
  return Tf32Rounding::nearest_even;
}

}  // namespace assay::emulator
