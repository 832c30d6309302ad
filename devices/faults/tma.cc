// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"

/// Copies of tensors in general: places, layout and values, who is told of how many bytes, and what is
/// refused.
namespace assay::faults {
namespace {

using namespace emulator;

/// Which element of the tensor stands where in the box, and which lie outside.
const Fault places[] = {
    {"address_bit_20_dropped", "The tensor address loses bit 20.", "TILE-R01",
     "tma.im2col.load 3 on sm_90, mma.dense.f16 15", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       return honest_steps.source(shape, index) & ~(uint64_t{1} << 20);
     }},
    {"coordinate_16_bits", "Coordinates keep 16 bits.", "L-02", "tma.im2col.load 12", &Steps::coordinate,
     [](int, int32_t operand) -> int64_t { return static_cast<int16_t>(operand); }},
    {"coordinate_minus_one_is_zero", "A coordinate of -1 in dimension 2 counts as 0; every other is right.",
     "TILE-R02", "tma.im2col.load 10", &Steps::coordinate,
     [](int dimension, int32_t operand) -> int64_t {
       return honest_steps.coordinate(dimension, dimension == 2 && operand == -1 ? 0 : operand);
     }},
    {"coordinate_unsigned", "A negative coordinate is taken as a large positive one.", "L-01",
     "tma.im2col.load 10", &Steps::coordinate,
     [](int, int32_t operand) -> int64_t { return static_cast<uint32_t>(operand); }},
    {"edge_dim2_unchecked", "Dimension 2 has no upper bound.", "L-01", "tma.im2col.load 4", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return dimension == 2 ? index >= 0 : honest_steps.inside(shape, dimension, index);
     }},
    {"edge_dim3_off_by_one", "The last index of dimension 3 counts as outside.", "L-01", "tma.im2col.load 8",
     &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) &&
              !(dimension == 3 && index == static_cast<int64_t>(shape.dim[3]) - 1);
     }},
    {"edge_dim4_zero_outside", "Index 0 of dimension 4 counts as outside.", "L-01", "tma.im2col.load 3",
     &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) && !(dimension == 4 && index == 0);
     }},
    {"edge_last_index_of_dim1",
     "The last index of dimension 1 counts as outside when the extent is a power of two.", "TILE-R02",
     "tma.im2col.load 7 on sm_90, mma.dense.f16 6", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       const uint64_t extent = shape.dim[static_cast<size_t>(dimension)];
       if (dimension == 1 && (extent & (extent - 1)) == 0 && index + 1 == static_cast<int64_t>(extent))
         return false;
       return honest_steps.inside(shape, dimension, index);
     }},
    {"edge_lower_dim1_off_by_one", "Row -1 of dimension 1 counts as inside.", "L-01",
     "tma.im2col.load 15 on sm_90, tma.gather4.load 31", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) || (dimension == 1 && index == -1);
     }},
    {"edge_upper_dim0_off_by_one", "The first element past the end of dimension 0 counts as inside.", "L-01",
     "tma.im2col.load 10 on sm_90, pipeline.gemm 2", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return dimension == 0 ? index >= 0 && index <= static_cast<int64_t>(shape.dim[0])
                             : honest_steps.inside(shape, dimension, index);
     }},
    {"edge_upper_dim1_off_by_one", "The last row of dimension 1 counts as outside.", "L-01",
     "tma.im2col.load 2 on sm_90, mma.dense.f16 6", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) &&
              !(dimension == 1 && index == static_cast<int64_t>(shape.dim[1]) - 1);
     }},
    {"extent_16_bits", "Extents keep 16 bits where these are not all 0.", "L-01", "tma.tiled.load 23",
     &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       TiledShape wrong = shape;
       for (auto& extent : wrong.dim)
         if (extent % 0x10000 != 0) extent %= 0x10000;
       return honest_steps.inside(wrong, dimension, index);
     }},
    {"index_carry_into_bit_16_lost",
     "A start and the place in the box are summed without a carry into bit 16.", "L-01", "tma.tiled.load 63",
     &Steps::index,
     [](const TiledShape& shape, int dimension, int64_t start, uint32_t visit) -> int64_t {
       const int64_t index = honest_steps.index(shape, dimension, start, visit);
       return start < 0 ? index : (start & ~int64_t{0xffff}) | (index & 0xffff);
     }},
    {"offset_truncated_to_16_bits", "The offset in the tensor keeps 16 bits.", "L-01",
     "tma.im2col.load 1 on sm_90, pipeline.gemm 1", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       return shape.address + ((honest_steps.source(shape, index) - shape.address) & 0xffff);
     }},
    {"stride_of_next_dimension", "Dimensions 1 and 2 exchange their strides.", "L-01", "tma.im2col.load 1",
     &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       TiledShape wrong = shape;
       if (shape.rank > 2) std::swap(wrong.stride[1], wrong.stride[2]);
       return honest_steps.source(wrong, index);
     }},
    {"stride_truncated", "Strides keep 12 bits.", "TILE-R01", "tma.im2col.load 1", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       TiledShape wrong = shape;
       for (uint64_t& stride : wrong.stride) stride &= 0xfff;
       return honest_steps.source(wrong, index);
     }},
    {"traversal_count_floor", "A box of B elements at traversal stride E has floor(B/E) of them.", "L-05",
     "tma.map.acquire 4", &Steps::count,
     [](const TiledShape& shape, int dimension) -> uint32_t {
       const uint32_t n = shape.box[dimension] / shape.traversal[dimension],
                      right = honest_steps.count(shape, dimension);
       return dimension == 0 || n == 0 ? right : std::min(n, right);  // of an interleaved copy one slice
     }},
    {"traversal_dim0_honoured", "The traversal stride of dimension 0 acts without interleave.", "L-06",
     "tma.tiled.load 23", &Steps::index,
     [](const TiledShape& shape, int dimension, int64_t start, uint32_t visit) -> int64_t {
       return start + static_cast<int64_t>(visit) * shape.traversal[dimension];
     }},
    {"traversal_last_step_short", "The last step of a traversal stride of 3 or more is one element short.",
     "L-05", "tma.tiled.load 13", &Steps::index,
     [](const TiledShape& shape, int dimension, int64_t start, uint32_t visit) -> int64_t {
       const int64_t honest = honest_steps.index(shape, dimension, start, visit);
       const bool last = visit != 0 && visit + 1 == honest_steps.count(shape, dimension);
       return last && dimension != 0 && shape.traversal[dimension] >= 3 ? honest - 1 : honest;
     }},
    {"traversal_step_ignored", "Traversal strides count elements but do not step over any.", "L-05",
     "tma.tiled.load 13", &Steps::index,
     [](const TiledShape&, int, int64_t start, uint32_t visit) -> int64_t { return start + visit; }},
};

/// One of some values is another one, in dimension 1 and up.
template <int32_t from, int32_t to>
int64_t exchanged(int dimension, int32_t operand) {
  return dimension > 0 && operand == from ? to : operand;
}

/// The ends of ranges: coordinates about 16 bits, negative starts of stores dimension by dimension.
const Fault extremes[] = {
    {"coordinate_32767_negative", "The coordinate 32,767 of dimensions 1 and up counts as -32,769.", "L-02",
     "tma.tiled.load 215", &Steps::coordinate, exchanged<0x7fff, -0x8001>},
    {"coordinate_32768_negative", "The coordinate 32,768 of dimensions 1 and up counts as -32,768.", "L-02",
     "tma.tiled.load 1191", &Steps::coordinate, exchanged<0x8000, -0x8000>},
    {"coordinate_65535_negative", "The coordinate 65,535 of dimensions 1 and up counts as -1.", "L-02",
     "tma.tiled.load 199", &Steps::coordinate, exchanged<0xffff, -1>},
    {"coordinate_65536_zero", "The coordinate 65,536 of dimensions 1 and up counts as 0.", "L-02",
     "tma.tiled.load 1471", &Steps::coordinate, exchanged<0x10000, 0>},
    {"store_negative_dim0_taken", "A store may start below zero in dimension 0.", "S-04",
     "tma.tiled.store.faults 25", &Steps::rule, unchecked<"S-04.0">},
    {"store_negative_dim1_taken", "A store may start below zero in dimension 1.", "S-04",
     "tma.tiled.store.faults 20", &Steps::rule, unchecked<"S-04.1">},
    {"store_negative_dim2_taken", "A store may start below zero in dimension 2.", "S-04",
     "tma.tiled.store.faults 16", &Steps::rule, unchecked<"S-04.2">},
    {"store_negative_dim3_taken", "A store may start below zero in dimension 3.", "S-04",
     "tma.tiled.store.faults 65", &Steps::rule, unchecked<"S-04.3">},
    {"store_negative_dim4_taken", "A store may start below zero in dimension 4.", "S-04",
     "tma.tiled.store.faults 45", &Steps::rule, unchecked<"S-04.4">},
};

/// Copies that several lanes of a warp issue at once.
const Fault lanes[] = {
    {"tensor_lanes_acquire_first_map",
     "When several lanes acquire maps at once, only that of the first is fetched again.", "REPL-R18",
     "tma.map.acquire 19", &Steps::acquired_map_of, [](int, int first) -> int { return first; },
     on_lazy_sm_90},
    {"tensor_lanes_share_map", "Several lanes that copy at once all use the map of the first.", "TILE-R01",
     "tma.im2col.load 3 on sm_90, tma.gather4.load 41", &Steps::map_of,
     [](int, int first) -> int { return first; }},
};

/// The image of a box in shared memory.
const Fault layout[] = {
    {"interleave_second_channel_slice",
     "An interleaved box whose extent along the channel slices is above 1 takes two of them.", "I-01",
     "tma.map.acquire 64 as TMA-AMB-12:C", &Steps::count,
     [](const TiledShape& shape, int dimension) -> uint32_t {
       if (shape.interleaved() && dimension == shape.rank - 2) return shape.box[dimension] == 1 ? 1 : 2;
       return honest_steps.count(shape, dimension);
     }},
    {"interleave_slices_dense", "Slices of an interleaved box follow each other without their own pitch.",
     "I-01", "tma.im2col.load 5", &Steps::cell_pitch,
     [](const TiledShape& shape) -> uint32_t {
       const uint32_t pitch = honest_steps.cell_pitch(shape);
       return shape.slice_bytes == 32 ? pitch / 2 : pitch;
     }},
    {"interleave_traversal_dim0_ignored",
     "The traversal stride of dimension 0 does not act in interleaved maps.", "I-02", "tma.tiled.load 11",
     &Steps::count,
     [](const TiledShape& shape, int dimension) -> uint32_t {
       return dimension == 0 ? shape.box[0] : honest_steps.count(shape, dimension);
     }},
    {"row_pitch_64b_dense", "Rows narrower than the span lie close together with 64B swizzle.", "W-02",
     "tma.im2col.load 12", &Steps::row_pitch,
     [](const TiledShape& shape, uint32_t row_bytes) -> uint32_t {
       return shape.span == 64 ? row_bytes : honest_steps.row_pitch(shape, row_bytes);
     }},
    {"swizzle_128b_bit_dropped", "128B swizzle uses two line bits of three.", "W-01",
     "tma.im2col.load 19 on sm_90, mma.dense.f16 13", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128 ? q.address ^ (q.address >> 3 & 0x30) : honest_steps.swizzle(q);
     }},
    {"swizzle_32b_dropped", "32B swizzle moves nothing.", "W-01",
     "tma.im2col.load 7 on sm_90, mma.dense.f16 6", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_32 ? q.address : honest_steps.swizzle(q);
     }},
    {"swizzle_64b_bit_dropped", "64B swizzle uses one line bit of two.", "W-01",
     "tma.im2col.load 2 on sm_90, mma.dense.f16 1 on sm_100, mma.dense.ashift 5", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_64 ? q.address ^ (q.address >> 3 & 0x10) : honest_steps.swizzle(q);
     }},
    {"swizzle_96b_as_64b", "96B swizzle uses a second line bit, as 64B does.", "TILE-R13",
     "tma.tiled.load 57", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_96 ? q.address ^ (q.address >> 3 & 0x30) : honest_steps.swizzle(q);
     },
     with_96B_swizzle},
    {"swizzle_atom_32b_as_16b", "128B swizzle with 32-byte atoms moves 16-byte atoms.", "TILE-R10",
     "tma.im2col.load 120", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128_atom_32 ? q.address ^ (q.address >> 3 & 0x30)
                                                      : honest_steps.swizzle(q);
     },
     on_sm_100},
    {"swizzle_atom_64b_dropped", "128B swizzle with 64-byte atoms moves nothing.", "TILE-R12",
     "tma.im2col.load 11", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128_atom_64 ? q.address : honest_steps.swizzle(q);
     },
     on_sm_100},
    {"swizzle_flip_8b_forgotten", "128B swizzle with 32-byte atoms and 8-byte flip does not flip.",
     "TILE-R11", "tma.im2col.load 70", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.kind == SwizzleKind::span_128_atom_32_flip_8 ? q.address ^ (q.address >> 2 & 0x60)
                                                             : honest_steps.swizzle(q);
     },
     on_sm_100},
    {"swizzle_phase_from_operand",
     "The swizzle pattern starts at the shared-memory operand, not at a multiple of the pattern.", "W-01",
     "tma.im2col.load 3", &Steps::swizzle,
     [](const SwizzleQuery& q) -> uint32_t {
       return q.operand + honest_steps.swizzle({q.kind, q.address - q.operand, 0, q.flips_even_lines});
     }},
};

/// Fill and conversion.
const Fault values[] = {
    {"fill_nan_canonical", "NaN fill is the canonical NaN 0x7FFF.", "F-02", "tma.im2col.load 11",
     &Steps::fill,
     [](const TiledShape& shape) -> uint64_t {
       return shape.nan_fill ? 0x7fff7fff7fff7fffu : honest_steps.fill(shape);
     }},
    {"fill_nan_zero_for_f64", "NaN fill of an f64 map is zero.", "F-02", "tma.im2col.load 11", &Steps::fill,
     [](const TiledShape& shape) -> uint64_t { return shape.type_code == 9 ? 0 : honest_steps.fill(shape); }},
    {"fill_one_type_only", "NaN fill of bf16 has the pattern of f16.", "F-02",
     "tma.im2col.load 4 on sm_90, tma.gather4.load 43", &Steps::fill,
     [](const TiledShape& shape) -> uint64_t {
       const uint64_t right = honest_steps.fill(shape);
       return shape.nan_fill && shape.type_code == 10 ? 0x7e007e007e007e00 : right;
     }},
    {"fill_zero_leaves_ones", "Zero fill of a one-byte type is 0xFF.", "F-01", "tma.im2col.load 45",
     &Steps::fill,
     [](const TiledShape& shape) -> uint64_t {
       return shape.type_code == 0 ? ~uint64_t{0} : honest_steps.fill(shape);
     }},
    {"tf32_flushes_subnormals", "A load through a tf32 map flushes subnormals.", "F-06", "tma.im2col.load 20",
     &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       return (word & 0x7f800000u) == 0 ? word & 0x80000000u : honest_steps.convert(conversion, word);
     }},
    {"tf32_keeps_nan", "A load through a tf32 map keeps NaN payloads.", "F-06", "tma.im2col.load 22",
     &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       return (word & 0x7fffffffu) > 0x7f800000u ? word : honest_steps.convert(conversion, word);
     }},
    {"tf32_ties_to_odd", "A load through a tf32 map rounds ties to odd.", "F-06", "tma.im2col.load 22",
     &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       const uint32_t honest = honest_steps.convert(conversion, word);
       const bool tie = (word & 0x1fffu) == 0x1000u && (word & 0x7f800000u) != 0x7f800000u;
       return conversion.to_tf32 && tie ? (word & ~0x1fffu) | 0x2000u : honest;
     }},
    {"tf32_truncates_negative", "A load through a tf32 map truncates negative numbers.", "F-06",
     "tma.im2col.load 15", &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       return conversion.to_tf32 && word > 0x80000000u && word < 0xff800000u
                  ? word & ~0x1fffu
                  : honest_steps.convert(conversion, word);
     }},
};

/// What a store writes, and which copies are refused.
const Fault stores[] = {
    {"copy_rank_unchecked", "The rank of the instruction need not be that of the map.", "TILE-R24",
     "tma.im2col.reduce.faults 6 on sm_90, tma.gather4.load.faults 4", &Steps::rule, unchecked<"rank">},
    {"copy_shared_unaligned", "The shared-memory operand may have any alignment.", "W-05",
     "tma.im2col.load.faults 5", &Steps::rule, unchecked<"W-05">},
    {"packed_6bit_order", "Stored 6-bit elements are packed with the first one highest.", "TILE-R48",
     "tma.tiled.store 20", &Steps::pack_6bit,
     [](const std::byte* shared, std::byte* global) {
       std::byte reversed[16];
       for (int group = 0; group < 16; ++group) reversed[group] = shared[(group & ~3) + 3 - (group & 3)];
       honest_steps.pack_6bit(reversed, global);
     },
     on_sm_100},
    {"packed_padding_dropped", "Padded 4- and 6-bit groups lie close together in shared memory.",
     "PTX 5.5.1.1", "tma.im2col.load 26", &Steps::cell_pitch,
     [](const TiledShape& shape) -> uint32_t {
       return shape.cell_global_bytes < 16 ? shape.cell_global_bytes : honest_steps.cell_pitch(shape);
     },
     on_sm_100},
    {"store_clips_words", "A store of 4-byte elements clips dimension 0 per element.", "S-01",
     "tma.tiled.reduce 23 on sm_90, tma.im2col.store 158", &Steps::stored_bytes,
     [](const TiledShape& shape, uint32_t in_bounds_bytes) -> uint32_t {
       return shape.element_bits == 32 ? in_bounds_bytes : honest_steps.stored_bytes(shape, in_bounds_bytes);
     }},
    {"store_drops_straddling_piece", "A store skips the 16-byte piece that straddles the end of dimension 0.",
     "S-01", "tma.im2col.store 196 on sm_90, pipeline.gemm 3", &Steps::stored_bytes,
     [](const TiledShape& shape, uint32_t in_bounds_bytes) -> uint32_t {
       return in_bounds_bytes < shape.cell_global_bytes ? 0 : in_bounds_bytes;
     }},
    {"store_ignores_dim0_clip", "A store writes whole rows, whatever dimension 0 holds.", "TILE-R27",
     "tma.im2col.store 13 on sm_90, pipeline.gemm 4", &Steps::stored_bytes,
     [](const TiledShape& shape, uint32_t) -> uint32_t { return shape.cell_global_bytes; }},
    {"store_ignores_row_clip", "A store writes rows outside of dimensions 1 and up.", "S-03",
     "tma.im2col.store 4 on sm_90, pipeline.gemm 2", &Steps::stores_row, [](bool) { return true; }},
};

/// Who receives data, who is signalled, and with how many bytes.
const Fault completion[] = {
    {"load_to_peer_stays", "A tensor load to another CTA of the cluster goes to the CTA that issues it.",
     "TILE-R38", "tma.im2col.load.multicast 14 on sm_90, tma.gather4.load.cta_group 8", &Steps::load_rank,
     [](uint32_t named, uint32_t issuer, bool is_tensor) { return is_tensor ? issuer : named; }},
    {"multicast_issuer_always",
     "The CTA that issues a multicast gets the data though the mask leaves it out.", "K-01",
     "bulk.copy.global_to_shared 21", &Steps::data_ranks,
     [](uint32_t mask, uint32_t issuer) -> uint32_t { return mask | 1u << issuer; }},
    {"multicast_reaches_neighbour",
     "Multicast reaches the rank after the highest of the mask too, if that is even.", "K-01",
     "tma.tiled.load.multicast 28", &Steps::data_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t {
       const uint32_t next = (mask << 1) & ~mask;
       return mask | (next & 0x55);
     }},
    {"multicast_signals_issuer_only", "Multicast signals only the barrier of the issuing CTA.", "K-01",
     "bulk.copy.global_to_shared 9", &Steps::signal_ranks,
     [](uint32_t mask, uint32_t issuer) -> uint32_t { return mask & (1u << issuer); }},
    {"multicast_data_of_8_bits", "Multicast gives no data to CTAs from rank 8 on.", "K-01",
     "bulk.copy.non_portable_cluster 1", &Steps::data_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t { return mask & 0xff; }},
    {"multicast_signals_of_8_bits", "Multicast signals no CTA from rank 8 on.", "K-01",
     "bulk.copy.non_portable_cluster 1", &Steps::signal_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t { return mask & 0xff; }},
    {"multicast_skips_highest", "Multicast leaves out the highest rank of the mask.", "K-01",
     "bulk.copy.global_to_shared 9", &Steps::data_ranks,
     [](uint32_t mask, uint32_t) -> uint32_t {
       uint32_t kept = 0;
       for (uint32_t rest = mask; (rest & (rest - 1)) != 0; rest &= rest - 1) kept |= rest & -rest;
       return kept;
     }},
    {"prefetch_dropped",
     "A prefetch of a tensor fetches nothing.",
     "K-06",
     "",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.kind == TensorCopyKind::prefetch) plan.pieces.clear();
     },
     {.unobservable = "A prefetch brings lines into L2 and changes no memory that a program can read; "
                      "whether it was done shows in time alone, which no property measures."}},
    {"signal_before_data", "The barrier is signalled before the data has arrived.",
     "PTX, async proxy: complete_tx", "bulk.copy.global_to_shared 1", &Steps::signals_before_data, true,
     on_lazy_sm_90},
    {"tx_16_long", "Sixteen bytes too many are counted.", "L-04",
     "tma.im2col.load 1 on sm_90, mma.dense.f16 1", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) + 16;
     }},
    {"tx_16_short", "Sixteen bytes too few are counted.", "L-04",
     "tma.im2col.load 1 on sm_90, mma.dense.ashift 13", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return honest_steps.transaction_bytes(shape, q) - 16;
     }},
    {"tx_box_of_256_short", "The transaction count is 16 short when a box extent is 256.", "TILE-R19",
     "tma.im2col.load 1 on sm_90, mma.dense.f16 15", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& query) -> uint32_t {
       const uint32_t right = honest_steps.transaction_bytes(shape, query);
       for (const uint32_t extent : shape.box)
         if (extent == 256) return right - 16;
       return right;
     }},
    {"tx_counts_gaps_of_128b", "The gaps between narrow rows are counted with 128B swizzle.", "W-02",
     "tma.im2col.load 8", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return shape.span == 128 ? q.image_bytes : honest_steps.transaction_bytes(shape, q);
     }},
    {"tx_counts_padding_of_4bit", "The padding of b4x16_p64 is counted.", "TMA-AMB-33", "tma.im2col.load 26",
     &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return shape.type_code == 12 ? q.padded_bytes : honest_steps.transaction_bytes(shape, q);
     },
     on_sm_100},
    {"tx_none_when_outside", "A box wholly outside the tensor is not counted.", "L-04",
     "tma.im2col.load 5 on sm_90, pipeline.gemm 4", &Steps::transaction_bytes,
     [](const TiledShape& shape, const TransactionQuery& q) -> uint32_t {
       return q.in_bounds_bytes == 0 ? 0 : honest_steps.transaction_bytes(shape, q);
     }},
};

/// True for one copy in 10,000, chosen by its map, its coordinates and its shared-memory operand: a fault
/// that needs many cases to be met.
bool is_rare(const TensorCopyRequest& request) {
  uint64_t hash = request.shared_address;
  for (const int32_t coord : request.coord) hash = (hash ^ static_cast<uint32_t>(coord)) * 0x9e3779b97f4a7c15;
  for (size_t i = 8; i < request.map.size(); ++i)
    hash = (hash ^ static_cast<uint64_t>(request.map[i])) * 0x9e3779b97f4a7c15;
  return (hash ^ hash >> 32) % 10000 == 0;
}

/// Copies that are wrong for few cases.
const Fault rare[] = {
    {"rare_bytes_from_neighbour",
     "One copy in 10,000 takes its first piece from the next 16 bytes of shared memory.", "L-01",
     "tma.im2col.load.multicast 43891 on sm_90, tma.gather4.load.multicast 596", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (is_rare(request) && !plan.pieces.empty()) plan.pieces.front().shared_address ^= 16;
     },
     rarely},
    {"rare_on_one_multiprocessor", "Copies that multiprocessor 3 asks for lose the second of their pieces.",
     "L-01", "tma.im2col.load.multicast 2 on sm_90, tma.gather4.load.multicast 134", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.sm == 3 && plan.pieces.size() > 1) plan.pieces.erase(plan.pieces.begin() + 1);
     },
     rarely},
    {"rare_piece_filled", "One piece of 16 bytes in 10,000 arrives as fill.", "L-01",
     "tma.im2col.load.multicast 1196 on sm_90, pipeline.gemm 1", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.kind != TensorCopyKind::load) return;
       for (TensorCopyPiece& piece : plan.pieces) {
         // From where in the tensor and to where: never from the address of the allocation, which differs.
         uint64_t hash =
             (piece.global_address - plan.base_address) * 0x9e3779b97f4a7c15 + piece.shared_address;
         hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
         if (!piece.is_fill && (hash ^ hash >> 32) % 10000 == 0) piece.is_fill = true;
       }
     },
     rarely},
    {"rare_piece_lost", "One copy in 10,000 does not move its last piece.", "L-01",
     "tma.im2col.load.multicast 43891 on sm_90, tma.gather4.load.multicast 596", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (is_rare(request) && !plan.pieces.empty()) plan.pieces.pop_back();
     },
     rarely},
    {"rare_store_of_one_value",
     "A store writes nothing for the pieces of a copy to coordinate 0 of dimension 4.", "L-01",
     "tma.im2col.store 49", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (request.kind == TensorCopyKind::store && request.rank == 5 && request.coord[4] == 0 &&
           plan.pieces.size() == 1)
         plan.pieces.clear();
     },
     rarely},
};

}  // namespace
}  // namespace assay::faults
