#include "devices/emulator/fault.h"

/// mma.sync with block scaling: which byte of which thread a scale is.
namespace assay::faults::mma_sync_kind {
namespace {

using namespace emulator;

FragmentScale with(FragmentScaleRequest request, void (*change)(FragmentScaleRequest&)) {
  change(request);
  return fragment_scale(request);
}

const Fault rows[] = {
    {"mma_kind_byte_id_a_ignored",
     "The scales of A begin in byte 0, whatever byte-id-a says.",
     "KIND-R05",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.byte_id = x.is_a ? 0 : x.byte_id; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_byte_id_b_ignored",
     "The scales of B begin in byte 0, whatever byte-id-b says.",
     "KIND-R05",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.byte_id = x.is_a ? x.byte_id : 0; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_last_block_takes_first_scale",
     "The last block of K takes the scale of the first.",
     "KIND-R06",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.block = x.block == 3 ? 0 : x.block; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_rows_exchange_scales",
     "Rows g and g + 8 of A take each other's scales.",
     "KIND-R03",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.line ^= x.is_a ? 8 : 0; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_scales_of_b_by_pair",
     "thread-id-b picks a pair of threads, as thread-id-a does: odd ones are their neighbours.",
     "KIND-R04",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.thread_id &= x.is_a ? 3u : 2u; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_thread_id_a_ignored",
     "The scales of A are those of the first pair of threads, whatever thread-id-a says.",
     "KIND-R03",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.thread_id = x.is_a ? 0 : x.thread_id; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_thread_id_b_ignored",
     "The scales of B are those of the first thread of a quad, whatever thread-id-b says.",
     "KIND-R04",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.thread_id = x.is_a ? x.thread_id : 0; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_row_15_takes_scale_of_14",
     "Row 15 of A takes the scales of row 14; every other is right.",
     "KIND-R03",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.line = x.is_a && x.line == 15 ? 14 : x.line; });
     },
     {.device = "sm_120a"}},
    {"mma_kind_adds_like_hopper",
     "Sums of 8-bit floats keep 13 bits, as those of wgmma.",
     "ADD-R05",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adder == Adder::mma_kind && !product.adds_groups) rules.kept_bits = 13;
     },
     {.device = "sm_120a"}},
    {"mma_kind_scales_of_b_a_byte_off",
     "Every scale of B counts as the one before it in the word.",
     "KIND-R06",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       FragmentScale right = fragment_scale(r);
       if (!r.is_a) right.byte = (right.byte + 3) % 4;
       return right;
     },
     {.device = "sm_120a"}},
};

}  // namespace
}  // namespace assay::faults::mma_sync_kind
