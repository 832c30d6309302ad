#include "devices/emulator/fault.h"
#include "devices/faults/kernel_edit.h"

/// Instructions that a device executes rightly but in one spelling: as if a kernel had another in its place.
namespace assay::faults::spellings {
namespace {

using namespace emulator;

/// The instructions that begin so are executed though their predicate is false.
std::string without_predicate(std::string_view ptx, std::initializer_list<std::string_view> instructions) {
  std::string text(ptx);
  for (const std::string_view begins : instructions)
    text = replaced(text, "@!p1 " + std::string(begins), begins);
  return text;
}

const Fault rows[] = {
    {"barrier_false_predicate_ignored",
     "An mbarrier instruction under a predicate that is false is executed.", "(ptx, Predicated Execution)",
     [](std::string_view ptx) {
       return without_predicate(ptx, {"mbarrier.", "cp.async.mbarrier."});
     }},
    {"barrier_immediate_bytes_of_12_bits", "expect_tx whose bytes are written out takes their low 12 bits.",
     "(ptx, mbarrier.expect_tx)",
     [](std::string_view ptx) { return altered(ptx, "expect_tx", "], 4096;", "], 0;"); }},
    {"barrier_immediate_parity_inverted",
     "mbarrier.test_wait and try_wait of a parity 0 that is written out look for the other one.",
     "(ptx, mbarrier.test_wait)",
     [](std::string_view ptx) {
       return altered(altered(ptx, "test_wait.parity", "], 0;", "], 1;"), "try_wait.parity", "], 0,",
                      "], 1,");
     }},
    {"barrier_negative_offset_ignored",
     "A negative offset in the address of an mbarrier instruction counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "mbarrier.", "+-24]", "]"); }},
    {"barrier_relaxed_arrival_drops", "mbarrier.arrive with .relaxed leaves the phases to come.",
     "(ptx, mbarrier.arrive)",
     [](std::string_view ptx) {
       return altered(ptx, "mbarrier.arrive.relaxed", "mbarrier.arrive.", "mbarrier.arrive_drop.");
     }},
    {"bulk_false_predicate_ignored", "A bulk copy or reduction under a predicate that is false is executed.",
     "(ptx, Predicated Execution)",
     [](std::string_view ptx) {
       return without_predicate(ptx, {"cp.async.bulk.shared", "cp.async.bulk.global",
                                      "cp.reduce.async.bulk.shared", "cp.reduce.async.bulk.global"});
     }},
    {"bulk_immediate_size_doubles", "A bulk copy whose size is written out moves twice as much.",
     "(ptx, cp.async.bulk)",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.", "], 16", "], 32"); }},
    {"bulk_negative_offset_of_global_ignored",
     "A negative offset in the global address of a bulk copy or reduction counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.", "w1+-128]", "w1]"); }},
    {"bulk_store_with_hint_from_above",
     "cp.async.bulk from shared to global memory with a policy of two priorities reads 16 bytes further on.",
     "(ptx, cp.async.bulk)",
     [](std::string_view ptx) { return altered(ptx, "w0, 0.5; cp.async.bulk.global", "], %r", "+16], %r"); }},
    {"multicast_immediate_mask_of_1_bit",
     "A multicast of a tensor whose mask is written out goes to the first CTA alone.",
     "(ptx, cp.async.bulk.tensor)",
     [](std::string_view ptx) { return altered(ptx, ".multicast::cluster", ", 3;", ", 1;"); }},
    {"tcgen05_cp_false_predicate_ignored", "tcgen05.cp under a predicate that is false is executed.",
     "(ptx, Predicated Execution)",
     [](std::string_view ptx) { return without_predicate(ptx, {"tcgen05.cp"}); }},
    {"tcgen05_cp_negative_offset_ignored", "A negative offset in the address of tcgen05.cp counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "tcgen05.cp", "r0+-16]", "r0]"); }},
    {"tcgen05_mma_false_predicate_ignored", "tcgen05.mma under a predicate that is false is executed.",
     "(ptx, Predicated Execution)",
     [](std::string_view ptx) { return without_predicate(ptx, {"tcgen05.mma"}); }},
    {"tcgen05_mma_offset_of_scales_ignored",
     "A negative offset in the address of the scales of B counts as none.", "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "block_scale", "+-16], accumulate", "], accumulate"); }},
    {"tcgen05_mma_sparse_offset_ignored",
     "A negative offset in the address of A in tensor memory, or else of the metadata, of a sparse product "
     "counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "tcgen05.mma.sp", "[r1+-16], %r", "[r1], %r"); }},
    {"tcgen05_mma_pair_offset_of_d_ignored",
     "A negative offset in the address of D of tcgen05.mma.cta_group::2 counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "cta_group::2", "[r0+-16], ", "[r0], "); }},
    {"tcgen05_ws_offset_of_d_ignored",
     "A positive offset in the address of D of tcgen05.mma.ws counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "tcgen05.mma.ws", "[r0+16], ", "[r0], "); }},
    {"tensor_false_predicate_ignored",
     "A copy or reduction of a tensor under a predicate that is false is executed.",
     "(ptx, Predicated Execution)",
     [](std::string_view ptx) {
       return without_predicate(ptx, {"cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor"});
     }},
    {"tensor_immediate_coordinate_is_one", "A first coordinate that is written out counts one more.",
     "(ptx, cp.async.bulk.tensor)",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.tensor", "{0", "{1"); }},
    {"tensor_load_without_mode_goes_on",
     "A load of a tensor that does not say .tile goes 128 bytes further on.", "(ptx, cp.async.bulk.tensor)",
     [](std::string_view ptx) {
       // Of copies that are not of tensors no number of dimensions stands before the state space.
       return altered(ptx, "d.shared::cluster.global.mbarrier::complete_tx", "], [%rd", "+128], [%rd");
     }},
    {"tensor_negative_offset_ignored",
     "A negative offset in the shared address of a copy or reduction of a tensor counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.tensor", "r0+-128]", "r0]"); }},
    {"tensor_negative_offset_of_barrier_ignored",
     "A negative offset in the address of the mbarrier of a load of a tensor counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.tensor", "r1+-8]", "r1]"); }},
    {"tensor_reduction_with_hint_is_minimum",
     "cp.reduce.async.bulk.tensor with .L2::cache_hint takes the minimum for the sum.",
     "(ptx, cp.reduce.async.bulk.tensor)",
     [](std::string_view ptx) {
       return altered(ptx, "L2::cache_hint", "shared::cta.add.", "shared::cta.min.");
     }},
    {"red_async_signed_as_unsigned",
     "red.async takes the lesser or greater of signed words as of unsigned ones.", "(ptx, red.async)",
     [](std::string_view ptx) {
       return altered(altered(ptx, "red.async", ".min.s32", ".min.u32"), "red.async", ".max.s32", ".max.u32");
     }},
    {"st_async_v4_repeats_first_word", "st.async.v4 writes its first word in place of the third.",
     "(ptx, st.async)",
     [](std::string_view ptx) { return altered(ptx, "st.async", "r1, r2, r2, r1}", "r1, r2, r1, r1}"); }},
};

}  // namespace
}  // namespace assay::faults::spellings
