#include <utility>

#include "devices/emulator/fault.h"
#include "devices/faults/kernel_edit.h"

/// Matrix instructions of warps and warpgroups beside their adder.
namespace assay::faults::wgmma {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"mma_rows_exchanged", "In the accumulators of a warp rows 0 to 7 and 8 to 15 have changed places.",
     "h200: wgmma, registers of D", &TensorSteps::fragment_row,
     [](uint32_t row) -> uint32_t { return row ^ 8; }},
    {"wgmma_base_offset_ignored", "The base offset of a wgmma descriptor is not looked at.", "SMEM-R17",
     &TensorSteps::descriptor, [](WgmmaDescriptor& descriptor) { descriptor.base_offset = 0; }},
    {"wgmma_behind_another_overwrites",
     "A wgmma whose D another one is still writing does not add to it.",
     "(ptx, wgmma.mma_async)",
     [](std::string_view ptx) { return replaced(ptx, "setp.ge.u32 always,", "setp.lt.u32 always,"); },
     {.device = "sm_90a", .alone = true}},
    {"wgmma_negate_ignored", "wgmma does not negate A.", "ADD-R18", &TensorSteps::wgmma,
     [](WgmmaForm& form) { form.negate_a = false; }},
    {"wgmma_phase_from_start",
     "The swizzle pattern of wgmma begins at the start address, not at a multiple of the pattern.",
     "SMEM-R16", &TensorSteps::descriptor,
     [](WgmmaDescriptor& descriptor) {
       descriptor.base_offset = (descriptor.base_offset + descriptor.start / 128) % 8;
     }},
    {"wgmma_scale_d_ignored", "wgmma adds to the accumulator even where scale-d is false.", "ADD-R17",
     &TensorSteps::wgmma, [](WgmmaForm& form) { form.ignores_scale_d = true; }},
    {"wgmma_sp_wide_32B_goes_on",
     "With the 32B swizzle the second 32 bytes of a row of B of wgmma.sp follow the first, whatever the "
     "leading offset.",
     "SMEM-R19", &TensorSteps::wgmma, [](WgmmaForm& form) { form.wide_32B_goes_on = form.is_sparse; }},
    {"wgmma_strides_exchanged", "wgmma takes the leading for the stride offset and the other way round.",
     "SMEM-R12", &TensorSteps::descriptor,
     [](WgmmaDescriptor& descriptor) { std::swap(descriptor.leading, descriptor.stride); }},
    {"wgmma_transpose_ignored", "wgmma reads B as if it were K-major.", "SMEM-R14", &TensorSteps::wgmma,
     [](WgmmaForm& form) { form.transpose_b = false; }},
};

}  // namespace
}  // namespace assay::faults::wgmma
