#include "devices/emulator/fault.h"

/// Tensor copies: the image of a box in shared memory.
namespace assay::faults::tma_layout {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"interleave_second_channel_slice",
     "An interleaved box whose extent along the channel slices is above 1 takes two of them.", "I-01",
     &Steps::count,
     [](const TiledShape& shape, int dimension) -> uint32_t {
       if (shape.interleaved() && dimension == shape.rank - 2) return shape.box[dimension] == 1 ? 1 : 2;
       return honest_steps.count(shape, dimension);
     }},
    {"interleave_slices_dense", "Slices of an interleaved box follow each other without their own pitch.",
     "I-01", &Steps::cell_pitch,
     [](const TiledShape& shape) -> uint32_t {
       const uint32_t pitch = honest_steps.cell_pitch(shape);
       return shape.slice_bytes == 32 ? pitch / 2 : pitch;
     }},
    {"interleave_traversal_dim0_ignored",
     "The traversal stride of dimension 0 does not act in interleaved maps.", "I-02", &Steps::count,
     [](const TiledShape& shape, int dimension) -> uint32_t {
       return dimension == 0 ? shape.box[0] : honest_steps.count(shape, dimension);
     }},
    {"row_pitch_64b_dense", "Rows narrower than the span lie close together with 64B swizzle.", "W-02",
     &Steps::row_pitch,
     [](const TiledShape& shape, uint32_t row_bytes) -> uint32_t {
       return shape.span == 64 ? row_bytes : honest_steps.row_pitch(shape, row_bytes);
     }},
    {"swizzle_128b_bit_dropped", "128B swizzle uses two line bits of three.", "W-01", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128 ? q.address ^ (q.address >> 3 & 0x30) : honest_steps.swizzle(q);
     }},
    {"swizzle_32b_dropped", "32B swizzle moves nothing.", "W-01", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_32 ? q.address : honest_steps.swizzle(q);
     }},
    {"swizzle_64b_bit_dropped", "64B swizzle uses one line bit of two.", "W-01", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_64 ? q.address ^ (q.address >> 3 & 0x10) : honest_steps.swizzle(q);
     }},
    {"swizzle_96b_as_64b",
     "96B swizzle uses a second line bit, as 64B does.",
     "TILE-R13",
     &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_96 ? q.address ^ (q.address >> 3 & 0x30) : honest_steps.swizzle(q);
     },
     {.device = "sm_103a"}},
    {"swizzle_atom_32b_as_16b",
     "128B swizzle with 32-byte atoms moves 16-byte atoms.",
     "TILE-R10",
     &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128_atom_32 ? q.address ^ (q.address >> 3 & 0x30)
                                                      : honest_steps.swizzle(q);
     },
     {.device = "sm_100a"}},
    {"swizzle_atom_64b_dropped",
     "128B swizzle with 64-byte atoms moves nothing.",
     "TILE-R12",
     &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128_atom_64 ? q.address : honest_steps.swizzle(q);
     },
     {.device = "sm_100a"}},
    {"swizzle_flip_8b_forgotten",
     "128B swizzle with 32-byte atoms and 8-byte flip does not flip.",
     "TILE-R11",
     &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128_atom_32_flip_8 ? q.address ^ (q.address >> 2 & 0x60)
                                                             : honest_steps.swizzle(q);
     },
     {.device = "sm_100a"}},
    {"swizzle_phase_from_operand",
     "The swizzle pattern starts at the shared-memory operand, not at a multiple of the pattern.", "W-01",
     &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.operand + honest_steps.swizzle({q.kind, q.address - q.operand, 0, q.flips_even_lines});
     }},
};

}  // namespace
}  // namespace assay::faults::tma_layout
