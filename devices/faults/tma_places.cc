#include <algorithm>
#include <utility>

#include "devices/emulator/fault.h"

/// Tensor copies: which element of the tensor stands where in the box, and which lie outside.
namespace assay::faults::tma_places {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"address_bit_20_dropped", "The tensor address loses bit 20.", "TILE-R01", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       return honest_steps.source(shape, index) & ~(uint64_t{1} << 20);
     }},
    {"coordinate_16_bits", "Coordinates keep 16 bits.", "L-02", &Steps::coordinate,
     [](int, int32_t operand) -> int64_t { return static_cast<int16_t>(operand); }},
    {"coordinate_minus_one_is_zero", "A coordinate of -1 in dimension 2 counts as 0; every other is right.",
     "TILE-R02", &Steps::coordinate,
     [](int dimension, int32_t operand) -> int64_t {
       return honest_steps.coordinate(dimension, dimension == 2 && operand == -1 ? 0 : operand);
     }},
    {"coordinate_unsigned", "A negative coordinate is taken as a large positive one.", "L-01",
     &Steps::coordinate, [](int, int32_t operand) -> int64_t { return static_cast<uint32_t>(operand); }},
    {"edge_dim2_unchecked", "Dimension 2 has no upper bound.", "L-01", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return dimension == 2 ? index >= 0 : honest_steps.inside(shape, dimension, index);
     }},
    {"edge_dim3_off_by_one", "The last index of dimension 3 counts as outside.", "L-01", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) &&
              !(dimension == 3 && index == static_cast<int64_t>(shape.dim[3]) - 1);
     }},
    {"edge_dim4_zero_outside", "Index 0 of dimension 4 counts as outside.", "L-01", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) && !(dimension == 4 && index == 0);
     }},
    {"edge_last_index_of_dim1",
     "The last index of dimension 1 counts as outside when the extent is a power of two.", "TILE-R02",
     &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       const uint64_t extent = shape.dim[static_cast<size_t>(dimension)];
       if (dimension == 1 && (extent & (extent - 1)) == 0 && index + 1 == static_cast<int64_t>(extent))
         return false;
       return honest_steps.inside(shape, dimension, index);
     }},
    {"edge_lower_dim1_off_by_one", "Row -1 of dimension 1 counts as inside.", "L-01", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) || (dimension == 1 && index == -1);
     }},
    {"edge_upper_dim0_off_by_one", "The first element past the end of dimension 0 counts as inside.", "L-01",
     &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return dimension == 0 ? index >= 0 && index <= static_cast<int64_t>(shape.dim[0])
                             : honest_steps.inside(shape, dimension, index);
     }},
    {"edge_upper_dim1_off_by_one", "The last row of dimension 1 counts as outside.", "L-01", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       return honest_steps.inside(shape, dimension, index) &&
              !(dimension == 1 && index == static_cast<int64_t>(shape.dim[1]) - 1);
     }},
    {"extent_16_bits", "Extents keep 16 bits where these are not all 0.", "L-01", &Steps::inside,
     [](const TiledShape& shape, int dimension, int64_t index) {
       TiledShape wrong = shape;
       for (auto& extent : wrong.dim)
         if (extent % 0x10000 != 0) extent %= 0x10000;
       return honest_steps.inside(wrong, dimension, index);
     }},
    {"index_carry_into_bit_16_lost",
     "A start and the place in the box are summed without a carry into bit 16.", "L-01", &Steps::index,
     [](const TiledShape& shape, int dimension, int64_t start, uint32_t visit) -> int64_t {
       const int64_t index = honest_steps.index(shape, dimension, start, visit);
       return start < 0 ? index : (start & ~int64_t{0xffff}) | (index & 0xffff);
     }},
    {"offset_truncated_to_16_bits", "The offset in the tensor keeps 16 bits.", "L-01", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       return shape.address + ((honest_steps.source(shape, index) - shape.address) & 0xffff);
     }},
    {"stride_of_next_dimension", "Dimensions 1 and 2 exchange their strides.", "L-01", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       TiledShape wrong = shape;
       if (shape.rank > 2) std::swap(wrong.stride[1], wrong.stride[2]);
       return honest_steps.source(wrong, index);
     }},
    {"stride_truncated", "Strides keep 12 bits.", "TILE-R01", &Steps::source,
     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {
       TiledShape wrong = shape;
       for (uint64_t& stride : wrong.stride) stride &= 0xfff;
       return honest_steps.source(wrong, index);
     }},
    {"traversal_count_floor", "A box of B elements at traversal stride E has floor(B/E) of them.", "L-05",
     &Steps::count,
     [](const TiledShape& shape, int dimension) -> uint32_t {
       const uint32_t n = shape.box[dimension] / shape.traversal[dimension],
                      right = honest_steps.count(shape, dimension);
       return dimension == 0 || n == 0 ? right : std::min(n, right);  // of an interleaved copy one slice
     }},
    {"traversal_dim0_honoured", "The traversal stride of dimension 0 acts without interleave.", "L-06",
     &Steps::index,
     [](const TiledShape& shape, int dimension, int64_t start, uint32_t visit) -> int64_t {
       return start + static_cast<int64_t>(visit) * shape.traversal[dimension];
     }},
    {"traversal_last_step_short", "The last step of a traversal stride of 3 or more is one element short.",
     "L-05", &Steps::index,
     [](const TiledShape& shape, int dimension, int64_t start, uint32_t visit) -> int64_t {
       const int64_t honest = honest_steps.index(shape, dimension, start, visit);
       const bool last = visit != 0 && visit + 1 == honest_steps.count(shape, dimension);
       return last && dimension != 0 && shape.traversal[dimension] >= 3 ? honest - 1 : honest;
     }},
    {"traversal_step_ignored", "Traversal strides count elements but do not step over any.", "L-05",
     &Steps::index,
     [](const TiledShape&, int, int64_t start, uint32_t visit) -> int64_t { return start + visit; }},
};

}  // namespace
}  // namespace assay::faults::tma_places
