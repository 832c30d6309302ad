#include <algorithm>

#include "devices/emulator/fault.h"

/// tile::gather4 and tile::scatter4: which rows, where they go, what is counted; and whom .cta_group signals.
namespace assay::faults::tma_gather {
namespace {

using namespace emulator;

constexpr FaultNotes on_sm_100{.device = "sm_100a"};
using Operands = std::array<int32_t, 5>;

bool is_gather(const TransactionQuery& q) {
  return q.mode == TensorCopyMode::gather4;
}

const Fault rows[] = {
    {"cta_group_2_ignored", ".cta_group::2 signals the CTA of the destination.", "CTAG-R02",
     &Steps::pair_owner, [](uint32_t rank, uint32_t) -> uint32_t { return rank; }, on_sm_100},
    {"cta_group_2_inverted", ".cta_group::2 signals the CTA of the other parity.", "CTAG-R02",
     &Steps::pair_owner,
     [](uint32_t rank, uint32_t named) -> uint32_t { return (rank & ~1u) | (~named & 1); }, on_sm_100},
    {"cta_group_2_signals_even", ".cta_group::2 signals the even CTA of a pair, whatever the mbarrier.",
     "CTAG-R02", &Steps::pair_owner, [](uint32_t rank, uint32_t) -> uint32_t { return rank & ~1u; },
     on_sm_100},
    {"cta_group_2_signals_named", ".cta_group::2 signals the named mbarrier for every destination.",
     "CTAG-R02", &Steps::pair_owner, [](uint32_t, uint32_t named) -> uint32_t { return named; }, on_sm_100},
    {"gather4_lanes_share_coordinates", "Several lanes that gather rows at once all get those of the first.",
     "GATH-R01", &Steps::coordinates_of,
     [](TensorCopyMode mode, int lane, int first) -> int {
       return mode == TensorCopyMode::gather4 ? first : lane;
     },
     on_sm_100},
    {"scatter4_lanes_share_coordinates",
     "Several lanes that scatter rows at once all get those of the first.", "GATH-R06",
     &Steps::coordinates_of,
     [](TensorCopyMode mode, int lane, int first) -> int {
       return mode == TensorCopyMode::scatter4 ? first : lane;
     },
     on_sm_100},
    {"gather4_column_of_last_row", "The last of the four rows begins at column 0.", "GATH-R01",
     &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       return row == 3 && dimension == 0 ? 0 : honest_steps.picked(shape, at, row, dimension);
     },
     on_sm_100},
    {"gather4_counts_one_row", "One row is counted.", "GATH-R04", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       const uint32_t right = honest_steps.transaction_bytes(shape, q);
       return is_gather(q) ? right / 4 : right;
     },
     on_sm_100},
    {"gather4_counts_rows_inside", "Of four rows what lies in the tensor is counted.", "GATH-R04",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return is_gather(q) && q.in_bounds_bytes < q.box_bytes / 2 ? q.in_bounds_bytes
                                                                  : honest_steps.transaction_bytes(shape, q);
     },
     on_sm_100},
    {"gather4_negative_row_wraps", "A negative row is counted from the end of the tensor.", "GATH-R03",
     &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const int64_t start = honest_steps.picked(shape, at, row, dimension);
       return dimension == 1 && start < 0 ? start + static_cast<int64_t>(shape.dim[1]) : start;
     },
     on_sm_100},
    {"gather4_repeated_row_filled", "A row that repeats the one before it is filled.", "GATH-R01",
     &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const bool repeats = row > 0 && dimension == 1 && at[1 + row] == at[row];
       return repeats ? INT32_MAX : honest_steps.picked(shape, at, row, dimension);
     },
     on_sm_100},
    {"gather4_row_16_bits", "Row indexes keep 16 bits.", "GATH-R01", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const int64_t start = honest_steps.picked(shape, at, row, dimension);
       return dimension == 1 ? static_cast<int16_t>(start) : start;
     },
     on_sm_100},
    {"gather4_row_2_of_64bit", "Row 2 of 64-bit types with 64B swizzle is row 1 again.", "GATH-R01",
     &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       const bool hit = shape.element_bits == 64 && shape.swizzle == SwizzleKind::span_64 && row == 2;
       return honest_steps.picked(shape, at, hit ? 1 : row, dimension);
     },
     on_sm_100},
    {"gather4_rows_reversed", "The rows lie in shared memory last first.", "GATH-R02", &Steps::picked_row,
     [](uint32_t row) -> uint32_t { return 3 - row; }, on_sm_100},
    {"gather4_rows_sorted", "The rows lie in shared memory in the order of their indexes.", "GATH-R02",
     &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       Operands sorted = at;
       std::sort(sorted.begin() + 1, sorted.end());
       return honest_steps.picked(shape, sorted, row, dimension);
     },
     on_sm_100},
    {"gather4_rows_successive", "The last row is that behind the third.", "GATH-R01", &Steps::picked,
     [](const TiledShape& shape, const Operands& at, uint32_t row, int dimension) -> int64_t {
       if (row != 3 || dimension == 0) return honest_steps.picked(shape, at, row, dimension);
       return honest_steps.picked(shape, at, 2, 1) + 1;
     },
     on_sm_100},
    {"scatter4_equal_rows_both_lost", "Where two rows have the same index neither is written.", "GATH-R07",
     &Steps::finish,
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
     "GATH-R07", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode != TensorCopyMode::scatter4 || plan.pieces.empty()) return;
       const TensorCopyPiece& first = plan.pieces.front();
       TensorCopyPiece& last = plan.pieces.back();
       if (request.coord[1] == request.coord[4] && last.shared_address >= first.shared_address + 16)
         last.shared_address -= 16;
     },
     on_sm_100},
    {"scatter4_last_piece_lost", "The last piece of a scatter4 is not written.", "GATH-R06", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.mode == TensorCopyMode::scatter4 && !plan.pieces.empty()) plan.pieces.pop_back();
     },
     on_sm_100},
};

}  // namespace
}  // namespace assay::faults::tma_gather
