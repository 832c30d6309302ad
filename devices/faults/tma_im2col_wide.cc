#include <algorithm>

#include "devices/emulator/fault.h"

/// im2col::w and im2col::w::128: the row of pixels, halos, wOffset; and reductions in im2col mode.
namespace assay::faults::tma_im2col_wide {
namespace {

using namespace emulator;

constexpr FaultNotes on_sm_100{.device = "sm_100a"};

int64_t offset_but_of(const TiledShape& shape, WideEnd end, uint16_t operand, WideEnd none) {
  return end == none ? 0 : honest_steps.wide_offset(shape, end, operand);
}

const Fault rows[] = {
    {"im2col_reduce_as_store", "At rank 5 a reduction in im2col mode stores.", "IM2C-R16", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode == TensorCopyMode::im2col && request.rank == 5) plan.reduction.reset();
     }},
    {"im2col_reduce_last_piece_twice", "A reduction in im2col mode takes its last piece twice.", "IM2C-R16",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode == TensorCopyMode::im2col && plan.reduction && !plan.pieces.empty())
         plan.pieces.push_back(plan.pieces.back());
     }},
    {"im2col_reduce_min_of_interleaved", "A minimum of interleaved pixels is a maximum.", "IM2C-R16",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const bool is_interleaved = (request.map[0x09] & std::byte{0x18}) != std::byte{0};
       if (request.mode == TensorCopyMode::im2col && plan.reduction && is_interleaved &&
           plan.reduction->op == ReduceOp::min)
         plan.reduction->op = ReduceOp::max;
     }},
    {"im2col_w_corner_8_bits", "Corners of a wide map of rank 4 keep 8 bits.", "IM2C-R03", &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 4 ? static_cast<int8_t>(corner) : corner;
     },
     on_sm_100},
    {"im2col_w_halo_8_bits", "wHalo keeps 8 bits.", "IM2W-R12", &Steps::halo,
     [](const TiledShape&, bool, uint16_t operand) -> uint32_t { return operand & 0xff; }, on_sm_100},
    {"im2col_w_halo_counted_twice", "The pixels of halos are counted twice.", "IM2W-R09",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) + q.halo_bytes;
     },
     on_sm_100},
    {"im2col_w_halo_ignored", "im2col::w brings no halo.", "IM2W-R03", &Steps::halo,
     [](const TiledShape& shape, bool is_128, uint16_t operand) -> uint32_t {
       return is_128 ? honest_steps.halo(shape, is_128, operand) : 0;
     },
     on_sm_100},
    {"im2col_w_halo_one_short_of_31", "A halo of 31 pixels ends one early.", "IM2W-R04", &Steps::halo,
     [](const TiledShape&, bool is_128, uint16_t operand) -> uint32_t {
       return is_128 && operand == 31 ? 30 : operand & 0x7ff;
     },
     on_sm_100},
    {"im2col_w_halo_skips", "In im2col::w::128 the next 32 pixels begin behind the halo.", "IM2W-R04",
     &Steps::halo_moves, [](const WideShape& wide) { return wide.is_128; }, on_sm_100},
    {"im2col_w_halo_uncounted", "The pixels of halos are not counted.", "IM2W-R09", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) - q.halo_bytes;
     },
     on_sm_100},
    {"im2col_w_image_stays", "At rank 5 the walk along W begins again in the same image.", "IM2W-R01",
     &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t image = position.image;
       honest_steps.wide_advance(wide, position);
       if (wide.base.rank == 5) position.image = image;
     },
     on_sm_100},
    {"im2col_w_left_start_snaps", "From a start left of the box the walk steps to the lower corner.",
     "IM2W-R06", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       honest_steps.wide_advance(wide, position);
       position.at = std::max(position.at, wide.lowest);
     },
     on_sm_100},
    {"im2col_w_map_unchecked", "An instruction along W takes any im2col map.", "IM2W-R11", &Steps::rule,
     [](std::string_view id, bool holds) { return id == "IM2W-R11" || holds; }, on_sm_100},
    {"im2col_w_offset_4_bits", "wOffset keeps 4 bits.", "IM2W-R05", &Steps::wide_offset,
     [](const TiledShape&, WideEnd, uint16_t operand) -> int64_t { return operand & 0xf; }, on_sm_100},
    {"im2col_w_offset_not_of_lower", "wOffset does not move the lower corner.", "IM2W-R05",
     &Steps::wide_offset,
     [](const TiledShape& shape, WideEnd end, uint16_t operand) {
       return offset_but_of(shape, end, operand, WideEnd::lower);
     },
     on_sm_100},
    {"im2col_w_offset_not_of_start", "wOffset does not move the start.", "IM2W-R05", &Steps::wide_offset,
     [](const TiledShape& shape, WideEnd end, uint16_t operand) {
       return offset_but_of(shape, end, operand, WideEnd::start);
     },
     on_sm_100},
    {"im2col_w_offset_not_of_upper", "wOffset does not move the upper corner.", "IM2W-R05",
     &Steps::wide_offset,
     [](const TiledShape& shape, WideEnd end, uint16_t operand) {
       return offset_but_of(shape, end, operand, WideEnd::upper);
     },
     on_sm_100},
    {"im2col_w_pixels_of_128_by_map", "im2col::w::128 brings no more pixels than the map has in a column.",
     "IM2W-R02", &Steps::wide_pixels,
     [](const WideShape& wide) -> uint32_t {
       return wide.is_128 ? std::clamp(wide.pixels / 32 * 32, 32u, 128u) : wide.pixels;
     },
     on_sm_100},
    {"im2col_w_row_of_last_halo", "The last group's halo lies one row late.", "IM2W-R04", &Steps::wide_row,
     [](const WideShape& wide, uint32_t group, uint32_t of_group, uint32_t pixel) -> uint32_t {
       const uint32_t row = honest_steps.wide_row(wide, group, of_group, pixel);
       return group == 3 && pixel >= of_group ? row + 1 : row;
     },
     on_sm_100},
    {"im2col_w_start_unchecked", "A start right of the box does not fault.", "IM2W-R07", &Steps::rule,
     [](std::string_view id, bool holds) { return id == "IM2W-R07" || holds; }, on_sm_100},
    {"im2col_w_step_carried", "What a step goes behind the upper corner it goes behind the lower one.",
     "IM2W-R08", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t before = position.image, at = position.at;
       honest_steps.wide_advance(wide, position);
       if (position.image == before) return;
       const int64_t behind = at + wide.base.traversal[1] - wide.highest - 1;
       position.at = std::min(wide.lowest + behind, wide.highest);
     },
     on_sm_100},
    {"im2col_w_step_of_height", "The traversal stride of H acts along W.", "IM2W-R08", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       honest_steps.wide_advance(wide, position);
       if (wide.base.rank < 4 || position.at == wide.lowest) return;
       position.at = std::min<int64_t>(position.at + wide.base.traversal[2] - 1, wide.highest);
     },
     on_sm_100},
    {"im2col_w_wrap_late", "The walk along W goes one position past the upper corner.", "IM2W-R01",
     &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t next = position.at + wide.base.traversal[1];
       if (next != wide.highest + 1) return honest_steps.wide_advance(wide, position);
       position.at = next;
     },
     on_sm_100},
    {"im2col_w_wrap_to_zero", "The walk along W begins again at 0 in place of a negative lower corner.",
     "IM2W-R01", &Steps::wide_advance,
     [](const WideShape& wide, WidePosition& position) {
       const int64_t image = position.image;
       honest_steps.wide_advance(wide, position);
       if (position.image != image && position.at < 0) position.at = std::min<int64_t>(0, wide.highest);
     },
     on_sm_100},
};

}  // namespace
}  // namespace assay::faults::tma_im2col_wide
