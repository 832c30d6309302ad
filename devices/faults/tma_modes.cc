// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"

/// Copies of tensors in modes other than tile: rows that are gathered, columns of pixels, rows of pixels.
namespace assay::faults {
namespace {

using namespace emulator;

using Operands = std::array<int32_t, 5>;

bool is_gather(const TransactionQuery& q) {
  return q.mode == TensorCopyMode::gather4;
}

/// tile::gather4 and tile::scatter4: which rows, where they go, what is counted; and whom .cta_group signals.
const Fault gather[] = {
    {"cta_group_2_ignored", ".cta_group::2 signals the CTA of the destination.", "CTAG-R02",
     "tma.gather4.load.cta_group 2", &Steps::pair_owner,
     [](uint32_t rank, uint32_t) -> uint32_t { return rank; }, on_sm_100},
    {"cta_group_2_inverted", ".cta_group::2 signals the CTA of the other parity.", "CTAG-R02",
     "tma.gather4.load.cta_group 1", &Steps::pair_owner,
     [](uint32_t rank, uint32_t named) -> uint32_t { return (rank & ~1u) | (~named & 1); }, on_sm_100},
    {"cta_group_2_signals_even", ".cta_group::2 signals the even CTA of a pair, whatever the mbarrier.",
     "CTAG-R02", "tma.gather4.load.cta_group 11", &Steps::pair_owner,
     [](uint32_t rank, uint32_t) -> uint32_t { return rank & ~1u; }, on_sm_100},
    {"cta_group_2_signals_named", ".cta_group::2 signals the named mbarrier for every destination.",
     "CTAG-R02", "tma.gather4.load.cta_group 2", &Steps::pair_owner,
     [](uint32_t, uint32_t named) -> uint32_t { return named; }, on_sm_100},
    {"gather4_lanes_share_coordinates", "Several lanes that gather rows at once all get those of the first.",
     "GATH-R01", "tma.gather4.load 21", &Steps::coordinates_of,
     [](TensorCopyMode mode, int lane, int first) -> int {
       return mode == TensorCopyMode::gather4 ? first : lane;
     },
     on_sm_100},
    {"scatter4_lanes_share_coordinates",
     "Several lanes that scatter rows at once all get those of the first.", "GATH-R06",
     "tma.scatter4.store 13", &Steps::coordinates_of,
     [](TensorCopyMode mode, int lane, int first) -> int {
       return mode == TensorCopyMode::scatter4 ? first : lane;
     },
     on_sm_100},
    {"gather4_column_of_last_row", "The last of the four rows begins at column 0.", "GATH-R01",
     "tma.gather4.load 1", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       return row == 3 && dimension == 0 ? 0 : honest_steps.picked(shape, at, row, dimension);
     },
     on_sm_100},
    {"gather4_counts_one_row", "One row is counted.", "GATH-R04", "tma.gather4.load 1",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       const uint32_t right = honest_steps.transaction_bytes(shape, q);
       return is_gather(q) ? right / 4 : right;
     },
     on_sm_100},
    {"gather4_counts_rows_inside", "Only the elements of the four rows that lie in the tensor are counted.",
     "GATH-R04", "tma.gather4.load 2", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return is_gather(q) && q.in_bounds_bytes < q.box_bytes / 2 ? q.in_bounds_bytes
                                                                  : honest_steps.transaction_bytes(shape, q);
     },
     on_sm_100},
    {"gather4_negative_row_wraps", "A negative row is counted from the end of the tensor.", "GATH-R03",
     "tma.gather4.load 9", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const int64_t start = honest_steps.picked(shape, at, row, dimension);
       return dimension == 1 && start < 0 ? start + static_cast<int64_t>(shape.dim[1]) : start;
     },
     on_sm_100},
    {"gather4_repeated_row_filled", "A row that repeats the one before it is filled.", "GATH-R01",
     "tma.gather4.load 18", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const bool repeats = row > 0 && dimension == 1 && at[1 + row] == at[row];
       return repeats ? INT32_MAX : honest_steps.picked(shape, at, row, dimension);
     },
     on_sm_100},
    {"gather4_row_16_bits", "Row indexes keep 16 bits.", "GATH-R01", "tma.gather4.load 13", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const int64_t start = honest_steps.picked(shape, at, row, dimension);
       return dimension == 1 ? static_cast<int16_t>(start) : start;
     },
     on_sm_100},
    {"gather4_row_2_of_64bit", "Row 2 of 64-bit types with 64B swizzle is row 1 again.", "GATH-R01",
     "tma.gather4.load 37", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const bool hit = shape.element_bits == 64 && shape.swizzle == SwizzleKind::span_64 && row == 2;
       return honest_steps.picked(shape, at, hit ? 1 : row, dimension);
     },
     on_sm_100},
    {"gather4_rows_reversed", "The rows lie in shared memory last first.", "GATH-R02", "tma.gather4.load 1",
     &Steps::picked_row, [](uint32_t row) -> uint32_t { return 3 - row; }, on_sm_100},
    {"gather4_rows_sorted", "The rows lie in shared memory in the order of their indexes.", "GATH-R02",
     "tma.gather4.load 1", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       Operands sorted = at;
       std::sort(sorted.begin() + 1, sorted.end());
       return honest_steps.picked(shape, sorted, row, dimension);
     },
     on_sm_100},
    {"gather4_rows_successive", "The last row is that behind the third.", "GATH-R01", "tma.gather4.load 1",
     &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       if (row != 3 || dimension == 0) return honest_steps.picked(shape, at, row, dimension);
       return honest_steps.picked(shape, at, 2, 1) + 1;
     },
     on_sm_100},
    {"scatter4_equal_rows_both_lost", "Where two rows have the same index neither is written.", "GATH-R07",
     "tma.scatter4.store 2", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode != TensorCopyMode::scatter4) return;
       const auto pieces = plan.pieces;
       std::erase_if(plan.pieces, [&](const TensorCopyPiece& piece) {
         return std::count_if(pieces.begin(), pieces.end(), [&](const TensorCopyPiece& other) {
                  return other.global_address == piece.global_address;
                }) > 1;
       });
     },
     on_sm_100},
    {"scatter4_equal_rows_exchanged",
     "Where rows have the same index the last one's bytes come from the row "
     "before it in shared memory, a piece further on.",
     "GATH-R07", "tma.scatter4.store 2", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode != TensorCopyMode::scatter4 || plan.pieces.empty()) return;
       const TensorCopyPiece& first = plan.pieces.front();
       TensorCopyPiece& last = plan.pieces.back();
       if (request.coord[1] == request.coord[4] && last.shared_address >= first.shared_address + 16)
         last.shared_address -= 16;
     },
     on_sm_100},
    {"scatter4_last_piece_lost", "The last piece of a scatter4 is not written.", "GATH-R06",
     "tma.scatter4.store 1", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode == TensorCopyMode::scatter4 && !plan.pieces.empty()) plan.pieces.pop_back();
     },
     on_sm_100},
};

/// The walk with other steps and other ends of its axes.
template <typename StepOf, typename IsLast>
void walk(const Im2colShape& column, Im2colPosition& position, StepOf step, IsLast leaves) {
  for (int k = 0; k < column.axes; ++k) {
    const auto axis = static_cast<size_t>(k);
    position.at[axis] += step(k);
    if (!leaves(k, position.at[axis])) return;
    position.at[axis] = column.lowest[axis];
  }
  position.image += step(column.axes);
}
/// Of a spatial axis, and of the images behind the last one.
int64_t step_of(const Im2colShape& column, int axis) {
  const TiledShape& shape = column.base;
  const int dimension = axis == column.axes ? shape.rank - 1 : shape.interleaved() ? axis : axis + 1;
  return shape.traversal[static_cast<size_t>(dimension)];
}
bool is_behind(const Im2colShape& column, int axis, int64_t at) {
  return at > column.highest[static_cast<size_t>(axis)];
}

/// im2col copies: the pixel box, the walk through it, the offsets.
const Fault tma_modes_im2col[] = {
    {"im2col_corner_8_bits", "Corners of rank 3 keep 8 bits.", "IM2C-R03", "tma.im2col.load 12",
     &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 3 ? static_cast<int8_t>(corner) : corner;
     }},
    {"im2col_corner_lower_of_depth_ignored", "The lower corner of D counts as 0.", "IM2C-R03",
     "tma.im2col.load 16", &Steps::corner,
     [](const TiledShape&, int axis, bool upper, int32_t corner) -> int32_t {
       return axis == 2 && !upper ? 0 : corner;
     }},
    {"im2col_corner_lowest_of_rank_4", "A corner of -128 at rank 4 counts as -127.", "IM2C-R03",
     "tma.im2col.load 89", &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 4 && corner == -128 ? -127 : corner;
     }},
    {"im2col_corner_upper_off_by_one", "The pixel box ends one row early in H.", "IM2C-R03",
     "tma.im2col.load 7", &Steps::corner,
     [](const TiledShape&, int axis, bool upper, int32_t corner) -> int32_t {
       return axis == 1 && upper ? corner - 1 : corner;
     }},
    {"im2col_corner_without_sign", "Corners of rank 5 are taken without their sign.", "IM2C-R03",
     "tma.im2col.load 3", &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 5 ? corner & 31 : corner;
     }},
    {"im2col_image_not_advanced", "At rank 5 the walk stays in its image.", "IM2C-R02", "tma.im2col.load 37",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       const int64_t image = position.image;
       honest_steps.advance(column, position);
       if (column.axes == 3) position.image = image;
     }},
    {"im2col_image_stride_of_channels", "Images are stepped over by the traversal stride of the channels.",
     "IM2C-R05", "tma.im2col.load 7", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       const auto channels = static_cast<size_t>(column.base.interleaved() ? column.base.rank - 2 : 0);
       walk(
           column, position,
           [&](int axis) -> int64_t {
             return axis == column.axes ? column.base.traversal[channels] : step_of(column, axis);
           },
           [&](int axis, int64_t at) { return is_behind(column, axis, at); });
     }},
    {"im2col_offset_height_ignored", "The offset of H is not added at rank 4.", "IM2C-R06",
     "tma.im2col.load 15", &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       return column.axes == 2 && axis == 1 ? 0 : honest_steps.im2col_offset(column, operand, axis);
     }},
    {"im2col_offset_of_rank_3_15_bits", "The offset of rank 3 keeps 15 bits.", "IM2C-R07",
     "tma.im2col.load 334 on sm_90, tma.im2col.load.non_portable_cluster 184", &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       const uint32_t offset = honest_steps.im2col_offset(column, operand, axis);
       return column.axes == 1 ? offset & 0x7fff : offset;
     }},
    {"im2col_offset_signed", "An offset of 128 and above counts as negative at rank 4.", "IM2C-R07",
     "tma.im2col.load 195", &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       const uint32_t offset = honest_steps.im2col_offset(column, operand, axis);
       return column.axes == 2 && offset >= 128 ? offset - 256 : offset;
     }},
    {"im2col_offset_uncut", "Offsets of rank 4 keep all their bits.", "IM2C-R07",
     "tma.im2col.load.multicast 99 on sm_90, tma.im2col.load 1060", &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       return column.axes == 2 ? operand[static_cast<size_t>(axis)]
                               : honest_steps.im2col_offset(column, operand, axis);
     }},
    {"im2col_offsets_exchanged", "Offsets of W and D are swapped at rank 5.", "IM2C-R06", "tma.im2col.load 9",
     &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       const int other = column.axes == 3 && axis != 1 ? 2 - axis : axis;
       return honest_steps.im2col_offset(column, operand, other);
     }},
    {"im2col_pixels_9_bits", "The pixels of a column keep 9 bits.", "IM2C-R01",
     "tma.im2col.load 135 on sm_90, tma.im2col.store 67", &Steps::column_pixels,
     [](const Im2colShape& column) -> uint32_t { return ((column.pixels - 1) & 0x1ff) + 1; }},
    {"im2col_pixels_one_less_of_1024", "A column of 1024 pixels ends one early.", "IM2C-R01",
     "tma.im2col.load 135", &Steps::column_pixels,
     [](const Im2colShape& column) -> uint32_t { return column.pixels == 1024 ? 1023 : column.pixels; }},
    {"im2col_start_unchecked", "A start outside of the pixel box does not fault.", "IM2C-R12",
     "tma.im2col.load.faults 2", &Steps::rule, unchecked<"M-06">},
    {"im2col_step_of_depth_ignored", "The walk steps by 1 in D.", "IM2C-R04", "tma.im2col.load 16",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position,
           [&](int axis) -> int64_t { return axis == 2 && column.axes == 3 ? 1 : step_of(column, axis); },
           [&](int axis, int64_t at) { return is_behind(column, axis, at); });
     }},
    {"im2col_step_of_width_everywhere", "The traversal stride of W acts in H as well.", "IM2C-R04",
     "tma.im2col.load 2", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position,
           [&](int axis) -> int64_t { return step_of(column, axis == 1 && column.axes > 1 ? 0 : axis); },
           [&](int axis, int64_t at) { return is_behind(column, axis, at); });
     }},
    {"im2col_store_leaving_unchecked", "A store through a box that leaves the tensor does not fault.",
     "IM2C-R13", "tma.im2col.store.faults 3", &Steps::rule, unchecked<"S-06">},
    {"im2col_walk_height_first", "The walk goes through H before W.", "IM2C-R02", "tma.im2col.load 9",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       if (column.axes == 1) return honest_steps.advance(column, position);
       for (const size_t axis : {size_t{1}, size_t{0}, size_t{2}}) {
         if (static_cast<int>(axis) >= column.axes) continue;
         position.at[axis] += step_of(column, static_cast<int>(axis));
         if (!is_behind(column, static_cast<int>(axis), position.at[axis])) return;
         position.at[axis] = column.lowest[axis];
       }
       position.image += step_of(column, column.axes);
     }},
    {"im2col_wrap_early", "The walk leaves out the last position of H.", "IM2C-R02", "tma.im2col.load 15",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position, [&](int axis) { return step_of(column, axis); },
           [&](int axis, int64_t at) {
             const bool is_last = axis == 1 && at == column.highest[1] && column.lowest[1] != at;
             return is_last || is_behind(column, axis, at);
           });
     }},
    {"im2col_wrap_late", "The walk goes one position past the end of W.", "IM2C-R02", "tma.im2col.load 1",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position, [&](int axis) { return step_of(column, axis); },
           [&](int axis, int64_t at) { return is_behind(column, axis, axis == 0 ? at - 1 : at); });
     }},
    {"im2col_wrap_to_zero", "The walk begins again at 0 in place of a negative lower corner.", "IM2C-R02",
     "tma.im2col.load 3", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       const Im2colPosition before = position;
       honest_steps.advance(column, position);
       for (size_t axis = 0; axis < 3; ++axis)
         if (position.at[axis] < before.at[axis] && position.at[axis] < 0)
           position.at[axis] = std::min<int64_t>(0, column.highest[axis]);
     }},
};

int64_t offset_but_of(const TiledShape& shape, WideEnd end, uint16_t operand, WideEnd none) {
  return end == none ? 0 : honest_steps.wide_offset(shape, end, operand);
}

/// im2col::w and im2col::w::128: the row of pixels, halos, wOffset; and reductions in im2col mode.
const Fault wide[] = {
    {"im2col_reduce_as_store", "At rank 5 a reduction in im2col mode stores.", "IM2C-R16",
     "tma.im2col.reduce 10", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode == TensorCopyMode::im2col && request.rank == 5) plan.reduction.reset();
     }},
    {"im2col_reduce_last_piece_twice", "A reduction in im2col mode takes its last piece twice.", "IM2C-R16",
     "tma.im2col.reduce 2", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode == TensorCopyMode::im2col && plan.reduction && !plan.pieces.empty())
         plan.pieces.push_back(plan.pieces.back());
     }},
    {"im2col_reduce_min_of_interleaved", "A minimum of interleaved pixels is a maximum.", "IM2C-R16",
     "tma.im2col.reduce 11", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const bool is_interleaved = (request.map[0x09] & std::byte{0x18}) != std::byte{0};
       if (request.mode == TensorCopyMode::im2col && plan.reduction && is_interleaved &&
           plan.reduction->op == ReduceOp::min)
         plan.reduction->op = ReduceOp::max;
     }},
    {"im2col_w_corner_8_bits", "Corners of a wide map of rank 4 keep 8 bits.", "IM2C-R03",
     "tma.im2col_w.load 68", &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 4 ? static_cast<int8_t>(corner) : corner;
     },
     on_sm_100},
    {"im2col_w_halo_8_bits", "wHalo keeps 8 bits.", "IM2W-R12", "tma.im2col_w.load 2", &Steps::halo,
     [](const TiledShape&, bool, uint16_t operand) -> uint32_t { return operand & 0xff; }, on_sm_100},
    {"im2col_w_halo_counted_twice", "The pixels of halos are counted twice.", "IM2W-R09",
     "tma.im2col_w.load 5", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) + q.halo_bytes;
     },
     on_sm_100},
    {"im2col_w_halo_ignored", "im2col::w brings no halo.", "IM2W-R03", "tma.im2col_w.load 1", &Steps::halo,
     [](const TiledShape& shape, bool is_128, uint16_t operand) -> uint32_t {
       return is_128 ? honest_steps.halo(shape, is_128, operand) : 0;
     },
     on_sm_100},
    {"im2col_w_halo_one_short_of_31", "A halo of 31 pixels ends one early.", "IM2W-R04",
     "tma.im2col_w.load 12", &Steps::halo,
     [](const TiledShape&, bool is_128, uint16_t operand) -> uint32_t {
       return is_128 && operand == 31 ? 30 : operand & 0x7ff;
     },
     on_sm_100},
    {"im2col_w_halo_skips", "In im2col::w::128 the next 32 pixels begin behind the halo.", "IM2W-R04",
     "tma.im2col_w.load 7", &Steps::halo_moves, [](const WideShape& wide) { return wide.is_128; }, on_sm_100},
    {"im2col_w_halo_uncounted", "The pixels of halos are not counted.", "IM2W-R09", "tma.im2col_w.load 5",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) - q.halo_bytes;
     },
     on_sm_100},
    {"im2col_w_image_stays", "At rank 5 the walk along W begins again in the same image.", "IM2W-R01",
     "tma.im2col_w.load 4", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t image = position.image;
       honest_steps.wide_advance(wide, position);
       if (wide.base.rank == 5) position.image = image;
     },
     on_sm_100},
    {"im2col_w_left_start_snaps", "From a start left of the box the walk steps to the lower corner.",
     "IM2W-R06", "tma.im2col_w.load 3", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       honest_steps.wide_advance(wide, position);
       position.at = std::max(position.at, wide.lowest);
     },
     on_sm_100},
    {"im2col_w_map_unchecked", "An instruction along W takes any im2col map.", "IM2W-R11",
     "tma.im2col_w.load.faults 7", &Steps::rule, unchecked<"IM2W-R11">, on_sm_100},
    {"im2col_w_offset_4_bits", "wOffset keeps 4 bits.", "IM2W-R05", "tma.im2col_w.load 3",
     &Steps::wide_offset,
     [](const TiledShape&, WideEnd, uint16_t operand) -> int64_t { return operand & 0xf; }, on_sm_100},
    {"im2col_w_offset_not_of_lower", "wOffset does not move the lower corner.", "IM2W-R05",
     "tma.im2col_w.load 1", &Steps::wide_offset,
     [](const TiledShape& shape, WideEnd end, uint16_t operand) {
       return offset_but_of(shape, end, operand, WideEnd::lower);
     },
     on_sm_100},
    {"im2col_w_offset_not_of_start", "wOffset does not move the start.", "IM2W-R05", "tma.im2col_w.load 1",
     &Steps::wide_offset,
     [](const TiledShape& shape, WideEnd end, uint16_t operand) {
       return offset_but_of(shape, end, operand, WideEnd::start);
     },
     on_sm_100},
    {"im2col_w_offset_not_of_upper", "wOffset does not move the upper corner.", "IM2W-R05",
     "tma.im2col_w.load 1", &Steps::wide_offset,
     [](const TiledShape& shape, WideEnd end, uint16_t operand) {
       return offset_but_of(shape, end, operand, WideEnd::upper);
     },
     on_sm_100},
    {"im2col_w_pixels_of_128_by_map", "im2col::w::128 brings no more pixels than the map has in a column.",
     "IM2W-R02", "tma.im2col_w.load 7", &Steps::wide_pixels,
     [](const WideShape& wide) -> uint32_t {
       return wide.is_128 ? std::clamp(wide.pixels / 32 * 32, 32u, 128u) : wide.pixels;
     },
     on_sm_100},
    {"im2col_w_row_of_last_halo", "The last group's halo lies one row late.", "IM2W-R04",
     "tma.im2col_w.load 7", &Steps::wide_row,
     [](const WideShape& wide, uint32_t group, uint32_t of_group, uint32_t pixel) -> uint32_t {
       const uint32_t row = honest_steps.wide_row(wide, group, of_group, pixel);
       return group == 3 && pixel >= of_group ? row + 1 : row;
     },
     on_sm_100},
    {"im2col_w_start_unchecked", "A start right of the box does not fault.", "IM2W-R07",
     "tma.im2col_w.load.faults 8", &Steps::rule, unchecked<"IM2W-R07">, on_sm_100},
    {"im2col_w_step_carried", "A step past the upper corner continues as far past the lower one.", "IM2W-R08",
     "tma.im2col_w.load 2", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t before = position.image, at = position.at;
       honest_steps.wide_advance(wide, position);
       if (position.image == before) return;
       const int64_t behind = at + wide.base.traversal[1] - wide.highest - 1;
       position.at = std::min(wide.lowest + behind, wide.highest);
     },
     on_sm_100},
    {"im2col_w_step_of_height", "The traversal stride of H acts along W.", "IM2W-R08", "tma.im2col_w.load 28",
     &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       honest_steps.wide_advance(wide, position);
       if (wide.base.rank < 4 || position.at == wide.lowest) return;
       position.at = std::min<int64_t>(position.at + wide.base.traversal[2] - 1, wide.highest);
     },
     on_sm_100},
    {"im2col_w_wrap_late", "The walk along W goes one position past the upper corner.", "IM2W-R01",
     "tma.im2col_w.load 1", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t next = position.at + wide.base.traversal[1];
       if (next != wide.highest + 1) return honest_steps.wide_advance(wide, position);
       position.at = next;
     },
     on_sm_100},
    {"im2col_w_wrap_to_zero", "The walk along W begins again at 0 in place of a negative lower corner.",
     "IM2W-R01", "tma.im2col_w.load 10", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t image = position.image;
       honest_steps.wide_advance(wide, position);
       if (position.image != image && position.at < 0) position.at = std::min<int64_t>(0, wide.highest);
     },
     on_sm_100},
};

}  // namespace
}  // namespace assay::faults
