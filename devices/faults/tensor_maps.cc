// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

/// Tensor maps that kernels rewrite.
namespace assay::faults {
namespace {

using namespace emulator;
using Field = MapReplacement::Field;
namespace bits = spec::tensor_map;

bool is_im2col(const TensorMapBytes& map) {
  return spec::get_raw(map, bits::mode) != 0;
}
bool is_on_odd_64(uint64_t address) {
  return address % 128 != 0;
}
/// The value that is written for one field's operand.
template <Field field, typename Change>
uint64_t value(const MapReplacement& what, Change change) {
  return what.field == field ? change(what.value) : what.value;
}
void copy_bytes(TensorMapBytes& to, const TensorMapBytes& from, size_t begin, size_t end) {
  std::copy(from.begin() + static_cast<ptrdiff_t>(begin), from.begin() + static_cast<ptrdiff_t>(end),
            to.begin() + static_cast<ptrdiff_t>(begin));
}

/// What is written, and what copies find of it.
const Fault rewritten[] = {
    {"map_acquire_by_line",
     "An acquire makes a multiprocessor forget a map on a multiple of 128 bytes alone.", "REPL-R18",
     "tma.map.acquire 8", &Steps::acquires,
     [](uint64_t acquired, uint64_t map, bool) { return acquired == map && map % 128 == 0; }},
    {"map_acquire_lost", "An acquire of a map does nothing.", "REPL-R18", "tma.map.acquire 5",
     &Steps::acquires, [](uint64_t, uint64_t, bool) { return false; }},
    {"map_acquire_of_last_alone",
     "An acquire makes a multiprocessor forget the map at its address only if no other was fetched since.",
     "REPL-R18", "tma.map.acquire 21", &Steps::acquires,
     [](uint64_t acquired, uint64_t map, bool is_last) { return acquired == map && is_last; }},
    {"map_copy_60_bytes", "tensormap.cp_fenceproxy leaves bytes 60 and on as they were.", "REPL-R17",
     "tma.map.acquire 8", &Steps::map_copied,
     [](TensorMapBytes& map, const TensorMapBytes& before) { copy_bytes(map, before, 60, 128); }},
    {"map_copy_64_bytes", "tensormap.cp_fenceproxy copies the first 64 bytes alone.", "REPL-R17",
     "tma.map.acquire 8 on sm_90, tma.map.program.im2col 2", &Steps::map_copied,
     [](TensorMapBytes& map, const TensorMapBytes& before) { copy_bytes(map, before, 64, 128); }},
    {"map_copy_lost", "tensormap.cp_fenceproxy copies nothing.", "REPL-R17", "tma.map.acquire 8",
     &Steps::map_copied, [](TensorMapBytes& map, const TensorMapBytes& before) { map = before; }},
    {"map_replace_by_first_warp_alone",
     "tensormap.replace by a thread of another warp than the first does nothing.", "REPL-R01",
     "tma.map.program 9", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.thread >= 32) map = before;
     }},
    {"map_on_odd_64_loses_second_box",
     "In a map at an odd multiple of 64 bytes the box extents of dimensions 1 to 4 are treated as 1.",
     "REPL-R21", "tma.map.acquire 4", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t address, TensorCopyKind) {
       if (is_on_odd_64(address) && !is_im2col(map))
         for (int i = 1; i < 5; ++i) spec::put_raw(map, bits::box_dim[static_cast<size_t>(i)], 0);
     }},
    {"replace_address_low_half", "tensormap.replace.global_address keeps the upper half of the address.",
     "REPL-R01", "tma.map.acquire 11", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::address) copy_bytes(map, before, 4, 8);
     }},
    {"replace_address_of_57_bits", "tensormap.replace.global_address drops bits 63:57.", "REPL-R01",
     "tma.map.replace 4", &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::address>(what, [](uint64_t v) { return v & ((uint64_t{1} << 57) - 1); });
     }},
    {"replace_atomicity_keeps_bit_21",
     "tensormap.replace.swizzle_atomicity leaves the highest bit of its field.", "REPL-R12",
     "tma.map.replace 8", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::atomicity)
         spec::put_raw(map, bits::swizzle_atomicity,
                       what.value | (spec::get_raw(before, bits::swizzle_atomicity) & 4));
     },
     on_sm_100},
    {"replace_box_dimension_4_lost", "tensormap.replace.box_dim of dimension 4 does nothing.", "REPL-R03",
     "tma.map.program 45", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::box && what.ordinal == 4) map = before;
     }},
    {"replace_box_saturates", "tensormap.replace.box_dim takes more than 256 for 256.", "REPL-R03",
     "tma.map.program 11", &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::box>(what, [](uint64_t v) { return std::min<uint64_t>(v, 256); });
     }},
    {"replace_box_zero_is_one", "tensormap.replace.box_dim takes 0 for 1.", "REPL-R03",
     "tma.map.replace 29 on sm_90, tma.map.program.im2col 34", &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::box>(what, [](uint64_t v) { return std::max<uint64_t>(v, 1); });
     }},
    {"replace_clears_book_keeping", "tensormap.replace clears what the driver keeps at 0x40 and 0x48.",
     "REPL-R14", "tma.map.acquire 1 on sm_90, tma.map.program.im2col 1", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&, const MapReplacement&) {
       std::fill(map.begin() + 0x40, map.end(), std::byte{0});
     }},
    {"replace_dim_of_31_bits", "tensormap.replace.global_dim drops bit 31.", "REPL-R04", "tma.map.replace 4",
     &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::dim>(what, [](uint64_t v) { return v & 0x7fffffff; });
     }},
    {"replace_dim_unbiased_in_dimension_3",
     "tensormap.replace.global_dim of dimension 3 writes the operand without the 1 less.", "REPL-R04",
     "tma.map.program 33", &Steps::replacement,
     [](const MapReplacement& what) {
       return what.field == Field::dim && what.ordinal == 3 ? what.value + 1 : what.value;
     }},
    {"replace_dim_zero_is_one", "tensormap.replace.global_dim takes 0 for 1.", "REPL-R04",
     "tma.map.replace 85", &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::dim>(what, [](uint64_t v) { return std::max<uint64_t>(v, 1); });
     }},
    {"replace_fifth_stride_short", "Ordinal 4 of tensormap.replace.global_stride leaves bits 19:16 out.",
     "REPL-R15", "tma.map.replace 18", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&, const MapReplacement& what) {
       if (what.field == Field::stride && what.ordinal == 4)
         map[0x1e] = (map[0x1e] & std::byte{0xf0}) | static_cast<std::byte>(what.value >> 20 & 0xf);
     }},
    {"replace_fill_sets_tf32", "tensormap.replace.fill_mode 1 sets the tf32 flag.", "REPL-R14",
     "tma.map.program 25", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&, const MapReplacement& what) {
       if (what.field == Field::fill && what.value == 1) spec::put_raw(map, bits::tf32, 1);
     }},
    {"replace_interleave_of_one_bit", "tensormap.replace.interleave_layout writes the lower of its two bits.",
     "REPL-R09", "tma.map.replace 10", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::interleave)
         spec::put_raw(map, bits::interleave,
                       (what.value & 1) | (spec::get_raw(before, bits::interleave) & 2));
     }},
    {"replace_rank_saturates", "tensormap.replace.rank takes operands above 7 for 7.", "REPL-R02",
     "tma.map.replace 4", &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::rank>(what, [](uint64_t v) { return std::min<uint64_t>(v, 7); });
     }},
    {"replace_stride_ordinals_exchanged", "Ordinals 1 and 2 of tensormap.replace.global_stride are swapped.",
     "REPL-R05", "tma.map.program 6", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field != Field::stride || (what.ordinal != 1 && what.ordinal != 2)) return;
       map = before;
       spec::put(map, bits::global_stride[3 - what.ordinal], what.value);
     }},
    {"replace_stride_rounds_up", "tensormap.replace.global_stride rounds up to a multiple of 16.", "REPL-R05",
     "tma.map.program 3", &Steps::replacement,
     [](const MapReplacement& what) {
       const bool is_it = what.field == Field::stride && what.ordinal < 4;
       return is_it ? what.value / 16 * 16 + (what.value % 16 != 0 ? 16 : 0) : what.value;
     }},
    {"replace_stride_top_lost",
     "tensormap.replace.global_stride leaves bits 39:36 of dimension 4 as they were.", "REPL-R05",
     "tma.map.replace 18", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::stride && what.ordinal == 3)
         map[0x1d] = (map[0x1d] & std::byte{0x0f}) | (before[0x1d] & std::byte{0xf0});
     }},
    {"replace_swizzle_96B_keeps_width", "tensormap.replace.swizzle_mode 4 leaves the width as it was.",
     "REPL-R11", "tma.map.replace 39", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::swizzle && what.value == 4)
         spec::put_raw(map, bits::swizzle_width, spec::get_raw(before, bits::swizzle_width));
     },
     with_96B_swizzle},
    {"replace_swizzle_clears_atomicity", "tensormap.replace.swizzle_mode clears the atomicity.", "REPL-R10",
     "tma.map.replace 4 on sm_90, tma.map.program 45", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&, const MapReplacement& what) {
       if (what.field == Field::swizzle) spec::put_raw(map, bits::swizzle_atomicity, 0);
     }},
    {"replace_traversal_in_shared_lost",
     "tensormap.replace.element_stride of a map in shared memory does nothing.", "REPL-R16",
     "tma.map.program 5", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::traversal && what.is_shared) map = before;
     }},
    {"replace_traversal_saturates", "tensormap.replace.element_stride takes more than 8 for 8.", "REPL-R06",
     "tma.map.program 19", &Steps::replacement,
     [](const MapReplacement& what) {
       return value<Field::traversal>(what, [](uint64_t v) { return std::min<uint64_t>(v, 8); });
     }},
    {"replace_type_flag_cleared_by_wide_types",
     "tensormap.replace.elemtype of a type of 64 bits clears the tf32 flag.", "REPL-R08",
     "tma.map.replace 18", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&, const MapReplacement& what) {
       if (what.field == Field::type && (what.value == 4 || what.value == 5 || what.value == 9))
         spec::put_raw(map, bits::tf32, 0);
     }},
    {"replace_type_flag_not_set", "tensormap.replace.elemtype tf32.ftz does not set the tf32 flag.",
     "REPL-R07", "tma.map.program 46", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::type && what.value == 12)
         spec::put_raw(map, bits::tf32, spec::get_raw(before, bits::tf32));
     }},
    {"replace_type_numbered_as_the_driver_does",
     "tensormap.replace.elemtype takes f64, bf16 and f32.ftz by the numbers that the driver gives them.",
     "REPL-R07", "tma.map.replace 3 on sm_90, tma.map.program 32 on sm_100, tma.map.program.im2col 49",
     &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&, const MapReplacement& what) {
       if (what.field == Field::type && what.value >= 8 && what.value <= 10)
         spec::put_raw(map, bits::type, spec::data_types[what.value].code);
     }},
    {"rare_replacement_lost", "One replacement of an extent in 2,000 does nothing.", "REPL-R04",
     "tma.map.replace 99", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       uint64_t hash = (what.value + what.ordinal) * 0x9e3779b97f4a7c15;
       hash ^= hash >> 29;
       if (what.field == Field::dim && hash * 0xbf58476d1ce4e5b9 >> 32 < (uint64_t{1} << 32) / 2000)
         map = before;
     },
     rarely},
};

/// The width of the swizzle whose period the driver noted at 0x48; as it is where that says nothing.
void swizzle_by_period(TensorMapBytes& map) {
  for (const spec::Swizzle& swizzle : spec::swizzles)
    if (swizzle.atomicity_code == 0 && !swizzle.is_96B &&
        swizzle.period_bytes == spec::get(map, bits::swizzle_period))
      spec::put_raw(map, bits::swizzle_width, swizzle.width_code);
}
/// As the check that loads make of the element type.
void fault_unless(TensorCopyPlan& plan, const TensorCopyRequest& request, bool holds) {
  if (request.kind == TensorCopyKind::store && !plan.fault && !holds)
    plan.fault =
        TensorCopyFault{Diagnostic::Kind::illegal_instruction, "a store looks at what loads look at"};
}
const spec::DataType* type_of(const TensorMapBytes& map, bool tf32) {
  return spec::find_data_type_by_code(static_cast<uint32_t>(spec::get_raw(map, bits::type)), tf32);
}

/// What stores, reductions and copies in im2col mode make of them.
const Fault used[] = {
    {"im2col_bytes_by_book_keeping",
     "An im2col load signals the bytes that the driver counted at 0x40 when it wrote the map.", "REPL-R03",
     "tma.map.program.im2col 14", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const auto counted = static_cast<uint32_t>(spec::get(request.map, bits::box_bytes));
       const spec::DataType* const type = type_of(request.map, false);
       // The driver counts otherwise in interleaved maps, and where it knows less than the hardware.
       if (request.kind == TensorCopyKind::load && request.mode == TensorCopyMode::im2col && counted != 0 &&
           spec::get_raw(request.map, bits::interleave) == 0 && type != nullptr && !type->is_packed())
         plan.transaction_bytes = counted;
     }},
    {"im2col_swizzle_by_book_keeping",
     "A copy in im2col mode takes the swizzle from the period that the driver noted at 0x48.", "REPL-R10",
     "tma.map.program.im2col 22 on sm_90, tma.im2col.load 11", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t, TensorCopyKind) {
       if (is_im2col(map)) swizzle_by_period(map);
     }},
    {"map_on_odd_64_loses_upper_corner",
     "In an im2col map at an odd multiple of 64 bytes the upper corner of the pixel box is treated as 0.",
     "REPL-R21", "tma.map.program.im2col 8", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t address, TensorCopyKind) {
       if (is_on_odd_64(address) && is_im2col(map)) map[0x3a] = map[0x3b] = std::byte{0};
     }},
    {"replace_box_lost_in_im2col_maps",
     "tensormap.replace.box_dim of dimensions 1 to 4 does nothing to an im2col map.", "REPL-R03",
     "tma.map.program.im2col 10", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::box && what.ordinal > 0 && is_im2col(before)) map = before;
     }},
    {"replace_traversal_clears_channels",
     "tensormap.replace.element_stride makes the channels of an im2col map 1.", "REPL-R14",
     "tma.map.program.im2col 2", &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::traversal && is_im2col(before)) spec::put(map, bits::channels, 1);
     }},
    {"map_book_keeping_of_box_checked",
     "A copy faults where the size that the driver noted at 0x40 is no multiple of 16.", "REPL-R23",
     "tma.map.acquire 28", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (spec::get(request.map, bits::box_bytes) % 16 != 0)
         plan.fault =
             TensorCopyFault{Diagnostic::Kind::illegal_instruction, "a copy looks at the book-keeping"};
     }},
    {"map_last_word_is_read", "A copy through a map whose last four bytes are not 0 faults.", "REPL-R23",
     "tma.map.program 40", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (std::any_of(request.map.end() - 4, request.map.end(),
                       [](std::byte byte) { return byte != std::byte{0}; }))
         plan.fault = TensorCopyFault{Diagnostic::Kind::illegal_instruction, "a copy looks at the last word"};
     },
     alone},
    {"map_word_at_0x60_swizzles", "A copy through a map whose bit 0 of byte 0x60 is set does not swizzle.",
     "REPL-R23", "tma.map.program 138", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t, TensorCopyKind) {
       if ((map[0x60] & std::byte{1}) != std::byte{0}) spec::put_raw(map, bits::swizzle_width, 0);
     },
     alone},
    {"store_checks_fill",
     "A store faults on a fill of NaN that its integer type does not have, as a load does.", "REPL-R22",
     "tma.map.program.im2col 6", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const spec::DataType* const type = type_of(request.map, false);
       fault_unless(plan, request,
                    spec::get_raw(request.map, bits::fill) == 0 || type == nullptr || type->is_float);
     }},
    {"store_checks_tf32", "A store faults on a tf32 flag that its type does not have, as a load does.",
     "REPL-R22", "tma.map.program.store 326", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const bool flag = spec::get_raw(request.map, bits::tf32) != 0;
       fault_unless(plan, request, !flag || type_of(request.map, true) != nullptr);
     }},
    {"store_half_box_of_6bit_refused", "A store of b6p2x16 faults on a box of 64.", "TILE-R52",
     "tma.map.rewrite.store 6", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const spec::DataType* const type = type_of(request.map, false);
       fault_unless(plan, request,
                    spec::get(request.map, bits::box_dim[0]) != 64 || type == nullptr ||
                        type->host != spec::host_type::b6x16_p32);
     },
     with_relaxed_stores},
    {"store_on_odd_64_loses_traversal",
     "A store takes the traversal strides of a map on an odd multiple of 64 bytes for 1.", "REPL-R21",
     "tma.map.program.store 56", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t address, TensorCopyKind kind) {
       if (is_on_odd_64(address) && kind == TensorCopyKind::store)
         for (const spec::Field& field : bits::element_stride) spec::put_raw(map, field, 0);
     }},
    {"store_swizzle_by_book_keeping",
     "A store takes the swizzle from the period that the driver noted at 0x48.", "REPL-R10",
     "tma.map.program.store 42", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t, TensorCopyKind kind) {
       if (kind == TensorCopyKind::store && !is_im2col(map)) swizzle_by_period(map);
     }},
};

}  // namespace
}  // namespace assay::faults
