#include <algorithm>

#include "devices/emulator/fault.h"
#include "reference/spec/im2col_map_bits.h"
#include "reference/spec/tensor_map.h"

/// What stores, reductions and copies in im2col mode make of tensor maps that kernels rewrite.
namespace assay::faults::map_use {
namespace {

using namespace emulator;
using Field = MapReplacement::Field;
namespace bits = spec::tensor_map;

bool is_im2col(const TensorMapBytes& map) {
  return spec::get_raw(map, bits::mode) != 0;
}
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

const Fault rows[] = {
    {"im2col_bytes_by_book_keeping",
     "An im2col load signals the bytes that the driver counted at 0x40 when it wrote the map.", "REPL-R03",
     &Steps::finish,
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
     &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t, TensorCopyKind) {
       if (is_im2col(map)) swizzle_by_period(map);
     }},
    {"map_on_odd_64_loses_upper_corner",
     "Of an im2col map on an odd multiple of 64 bytes the upper corner of the pixel box is taken for 0.",
     "REPL-R21", &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t address, TensorCopyKind) {
       if (address % 128 != 0 && is_im2col(map)) map[0x3a] = map[0x3b] = std::byte{0};
     }},
    {"replace_box_lost_in_im2col_maps",
     "tensormap.replace.box_dim of dimensions 1 to 4 does nothing to an im2col map.", "REPL-R03",
     &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::box && what.ordinal > 0 && is_im2col(before)) map = before;
     }},
    {"replace_traversal_clears_channels",
     "tensormap.replace.element_stride makes the channels of an im2col map 1.", "REPL-R14",
     &Steps::map_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before, const MapReplacement& what) {
       if (what.field == Field::traversal && is_im2col(before)) spec::put(map, bits::channels, 1);
     }},
    {"map_book_keeping_of_box_checked",
     "A copy faults where the size that the driver noted at 0x40 is no multiple of 16.", "REPL-R22",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (spec::get(request.map, bits::box_bytes) % 16 != 0)
         plan.fault =
             TensorCopyFault{Diagnostic::Kind::illegal_instruction, "a copy looks at the book-keeping"};
     }},
    {"map_last_word_is_read",
     "A copy through a map whose last four bytes are not 0 faults.",
     "REPL-R23",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       if (std::any_of(request.map.end() - 4, request.map.end(),
                       [](std::byte byte) { return byte != std::byte{0}; }))
         plan.fault = TensorCopyFault{Diagnostic::Kind::illegal_instruction, "a copy looks at the last word"};
     },
     {.alone = true}},
    {"map_word_at_0x60_swizzles",
     "A copy through a map whose bit 0 of byte 0x60 is set does not swizzle.",
     "REPL-R23",
     &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t, TensorCopyKind) {
       if ((map[0x60] & std::byte{1}) != std::byte{0}) spec::put_raw(map, bits::swizzle_width, 0);
     },
     {.alone = true}},
    {"store_checks_fill",
     "A store faults on a fill of NaN that its integer type does not have, as a load does.", "REPL-R22",
     &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const spec::DataType* const type = type_of(request.map, false);
       fault_unless(plan, request,
                    spec::get_raw(request.map, bits::fill) == 0 || type == nullptr || type->is_float);
     }},
    {"store_checks_tf32", "A store faults on a tf32 flag that its type does not have, as a load does.",
     "REPL-R22", &Steps::finish,
     [](TensorCopyPlan& plan, const TensorCopyRequest& request) {
       const bool flag = spec::get_raw(request.map, bits::tf32) != 0;
       fault_unless(plan, request, !flag || type_of(request.map, true) != nullptr);
     }},
    {"store_on_odd_64_loses_traversal",
     "A store takes the traversal strides of a map on an odd multiple of 64 bytes for 1.", "REPL-R21",
     &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t address, TensorCopyKind kind) {
       if (address % 128 != 0 && kind == TensorCopyKind::store)
         for (const spec::Field& field : bits::element_stride) spec::put_raw(map, field, 0);
     }},
    {"store_swizzle_by_book_keeping",
     "A store takes the swizzle from the period that the driver noted at 0x48.", "REPL-R10",
     &Steps::map_fetched,
     [](TensorMapBytes& map, uint64_t, TensorCopyKind kind) {
       if (kind == TensorCopyKind::store && !is_im2col(map)) swizzle_by_period(map);
     }},
};

}  // namespace
}  // namespace assay::faults::map_use
