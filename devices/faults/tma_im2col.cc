#include <algorithm>
#include <utility>

#include "devices/emulator/fault.h"

/// im2col copies: the pixel box, the walk through it, the offsets.
namespace assay::faults::tma_im2col {
namespace {

using namespace emulator;

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

const Fault rows[] = {
    {"im2col_corner_8_bits", "Corners of rank 3 keep 8 bits.", "IM2C-R03", &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 3 ? static_cast<int8_t>(corner) : corner;
     }},
    {"im2col_corner_lower_of_depth_ignored", "The lower corner of D counts as 0.", "IM2C-R03", &Steps::corner,
     [](const TiledShape&, int axis, bool upper, int32_t corner) -> int32_t {
       return axis == 2 && !upper ? 0 : corner;
     }},
    {"im2col_corner_lowest_of_rank_4", "A corner of -128 at rank 4 counts as -127.", "IM2C-R03",
     &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 4 && corner == -128 ? -127 : corner;
     }},
    {"im2col_corner_upper_off_by_one", "The pixel box ends one row early in H.", "IM2C-R03", &Steps::corner,
     [](const TiledShape&, int axis, bool upper, int32_t corner) -> int32_t {
       return axis == 1 && upper ? corner - 1 : corner;
     }},
    {"im2col_corner_without_sign", "Corners of rank 5 are taken without their sign.", "IM2C-R03",
     &Steps::corner,
     [](const TiledShape& shape, int, bool, int32_t corner) -> int32_t {
       return shape.rank == 5 ? corner & 31 : corner;
     }},
    {"im2col_image_not_advanced", "At rank 5 the walk stays in its image.", "IM2C-R02", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       const int64_t image = position.image;
       honest_steps.advance(column, position);
       if (column.axes == 3) position.image = image;
     }},
    {"im2col_image_stride_of_channels", "Images are stepped over by the traversal stride of the channels.",
     "IM2C-R05", &Steps::advance,
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
     &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       return column.axes == 2 && axis == 1 ? 0 : honest_steps.im2col_offset(column, operand, axis);
     }},
    {"im2col_offset_of_rank_3_15_bits", "The offset of rank 3 keeps 15 bits.", "IM2C-R07",
     &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       const uint32_t offset = honest_steps.im2col_offset(column, operand, axis);
       return column.axes == 1 ? offset & 0x7fff : offset;
     }},
    {"im2col_offset_signed", "An offset of 128 and above counts as negative at rank 4.", "IM2C-R07",
     &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       const uint32_t offset = honest_steps.im2col_offset(column, operand, axis);
       return column.axes == 2 && offset >= 128 ? offset - 256 : offset;
     }},
    {"im2col_offset_uncut", "Offsets of rank 4 keep all their bits.", "IM2C-R07", &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       return column.axes == 2 ? operand[static_cast<size_t>(axis)]
                               : honest_steps.im2col_offset(column, operand, axis);
     }},
    {"im2col_offsets_exchanged", "Offsets of W and D change places at rank 5.", "IM2C-R06",
     &Steps::im2col_offset,
     [](const Im2colShape& column, const std::array<uint16_t, 3>& operand, int axis) -> uint32_t {
       const int other = column.axes == 3 && axis != 1 ? 2 - axis : axis;
       return honest_steps.im2col_offset(column, operand, other);
     }},
    {"im2col_pixels_9_bits", "The pixels of a column keep 9 bits.", "IM2C-R01", &Steps::column_pixels,
     [](const Im2colShape& column) -> uint32_t { return ((column.pixels - 1) & 0x1ff) + 1; }},
    {"im2col_pixels_one_less_of_1024", "A column of 1024 pixels ends one early.", "IM2C-R01",
     &Steps::column_pixels,
     [](const Im2colShape& column) -> uint32_t { return column.pixels == 1024 ? 1023 : column.pixels; }},
    {"im2col_start_unchecked", "A start outside of the pixel box does not fault.", "IM2C-R12", &Steps::rule,
     [](std::string_view id, bool holds) { return id == "M-06" || holds; }},
    {"im2col_step_of_depth_ignored", "The walk steps by 1 in D.", "IM2C-R04", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position,
           [&](int axis) -> int64_t { return axis == 2 && column.axes == 3 ? 1 : step_of(column, axis); },
           [&](int axis, int64_t at) { return is_behind(column, axis, at); });
     }},
    {"im2col_step_of_width_everywhere", "The traversal stride of W acts in H as well.", "IM2C-R04",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position,
           [&](int axis) -> int64_t { return step_of(column, axis == 1 && column.axes > 1 ? 0 : axis); },
           [&](int axis, int64_t at) { return is_behind(column, axis, at); });
     }},
    {"im2col_store_leaving_unchecked", "A store through a box that leaves the tensor does not fault.",
     "IM2C-R13", &Steps::rule, [](std::string_view id, bool holds) { return id == "S-06" || holds; }},
    {"im2col_walk_height_first", "The walk goes through H before W.", "IM2C-R02", &Steps::advance,
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
    {"im2col_wrap_early", "The walk leaves out the last position of H.", "IM2C-R02", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position, [&](int axis) { return step_of(column, axis); },
           [&](int axis, int64_t at) {
             const bool is_last = axis == 1 && at == column.highest[1] && column.lowest[1] != at;
             return is_last || is_behind(column, axis, at);
           });
     }},
    {"im2col_wrap_late", "The walk goes one position past the end of W.", "IM2C-R02", &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       walk(
           column, position, [&](int axis) { return step_of(column, axis); },
           [&](int axis, int64_t at) { return is_behind(column, axis, axis == 0 ? at - 1 : at); });
     }},
    {"im2col_wrap_to_zero", "The walk begins again at 0 in place of a negative lower corner.", "IM2C-R02",
     &Steps::advance,
     [](const Im2colShape& column, Im2colPosition& position) {
       const Im2colPosition before = position;
       honest_steps.advance(column, position);
       for (size_t axis = 0; axis < 3; ++axis)
         if (position.at[axis] < before.at[axis] && position.at[axis] < 0)
           position.at[axis] = std::min<int64_t>(0, column.highest[axis]);
     }},
};

}  // namespace
}  // namespace assay::faults::tma_im2col
