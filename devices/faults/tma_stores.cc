#include "devices/emulator/fault.h"

/// Tensor copies: what a store writes, and which copies are refused.
namespace assay::faults::tma_stores {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"copy_rank_unchecked", "The rank of the instruction need not be that of the map.", "TILE-R24",
     &Steps::rule, [](std::string_view id, bool holds) { return id == "rank" || holds; }},
    {"copy_shared_unaligned", "The shared-memory operand may have any alignment.", "W-05", &Steps::rule,
     [](std::string_view id, bool holds) { return id == "W-05" || holds; }},
    {"packed_6bit_order",
     "Stored 6-bit elements are packed with the first one highest.",
     "TILE-R48",
     &Steps::pack_6bit,
     [](const std::byte* shared, std::byte* global) {
       std::byte reversed[16];
       for (int group = 0; group < 16; ++group) reversed[group] = shared[(group & ~3) + 3 - (group & 3)];
       honest_steps.pack_6bit(reversed, global);
     },
     {.device = "sm_100a"}},
    {"packed_padding_dropped",
     "Padded 4- and 6-bit groups lie close together in shared memory.",
     "PTX 5.5.1.1",
     &Steps::cell_pitch,
     [](const TiledShape& shape) -> uint32_t {
       return shape.cell_global_bytes < 16 ? shape.cell_global_bytes : honest_steps.cell_pitch(shape);
     },
     {.device = "sm_100a"}},
    {"store_clips_words", "A store of 4-byte elements clips dimension 0 per element.", "S-01",
     &Steps::stored_bytes,
     [](const TiledShape& shape, uint32_t in_bounds_bytes) -> uint32_t {
       return shape.element_bits == 32 ? in_bounds_bytes : honest_steps.stored_bytes(shape, in_bounds_bytes);
     }},
    {"store_drops_straddling_piece", "A store skips the 16-byte piece that straddles the end of dimension 0.",
     "S-01", &Steps::stored_bytes,
     [](const TiledShape& shape, uint32_t in_bounds_bytes) -> uint32_t {
       return in_bounds_bytes < shape.cell_global_bytes ? 0 : in_bounds_bytes;
     }},
    {"store_ignores_dim0_clip", "A store writes whole rows, whatever dimension 0 holds.", "TILE-R27",
     &Steps::stored_bytes,
     [](const TiledShape& shape, uint32_t) -> uint32_t { return shape.cell_global_bytes; }},
    {"store_ignores_row_clip", "A store writes rows outside of dimensions 1 and up.", "S-03",
     &Steps::stores_row, [](bool) { return true; }},
};

}  // namespace
}  // namespace assay::faults::tma_stores
