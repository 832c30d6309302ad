#include "devices/emulator/fault.h"
#include "devices/faults/kernel_edit.h"

/// Kernels: a wait, a fence or a commit left out.
namespace assay::faults {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"kernel_skips_accumulated_wait",
     "a kernel reads an accumulator before the accumulation has completed.",
     "SYNC-R01",
     [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.ld"); },
     {.device = "sm_100a,schedule=lazy"}},
    {"kernel_skips_commit", "a kernel does not commit its matrix instructions.", "SYNC-R01",
     [](std::string_view ptx) { return without(ptx, "tcgen05.commit"); }},
    {"kernel_skips_drained_wait",
     "a pipeline accumulates into tensor memory that is still being read.",
     "SYNC-R02",
     [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.mma", 1); },
     {.device = "sm_100a,schedule=eager"}},
    {"kernel_skips_empty_wait", "a pipeline loads over operands that are still being multiplied.", "MBAR-R11",
     [](std::string_view ptx) { return without_wait_before(ptx, "cp.async.bulk.tensor.2d.shared"); }},
    {"kernel_skips_full_wait",
     "a pipeline multiplies before its operands have arrived.",
     "MBAR-R11",
     [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.mma"); },
     {.device = "sm_100a,schedule=lazy"}},
    {"kernel_skips_proxy_fence",
     "a kernel does not make ordinary stores visible to the async proxy.",
     "(ptx, Async Proxy)",
     [](std::string_view ptx) { return without(ptx, "fence.proxy.async"); },
     {.device = "sm_100a,strict"}},
    {"kernel_skips_read_wait",
     "a pipeline overwrites a box that is still being stored.",
     "SYNC-R03",
     [](std::string_view ptx) { return without(ptx, "cp.async.bulk.wait_group.read"); },
     {.device = "sm_100a,schedule=lazy"}},
    {"kernel_skips_tcgen05_fence",
     "a kernel does not order tcgen05 instructions after a synchronisation of threads.",
     "(ptx, tcgen05.fence)",
     [](std::string_view ptx) { return without(ptx, "tcgen05.fence::after_thread_sync"); },
     {.device = "sm_100a,strict"}},
    {"kernel_skips_wait_ld",
     "a kernel uses registers before its loads from tensor memory have completed.",
     "(ptx, tcgen05.wait)",
     [](std::string_view ptx) { return without(ptx, "tcgen05.wait::ld"); },
     {.device = "sm_100a,strict"}},
    {"kernel_skips_wait_st",
     "a kernel goes on before its stores to tensor memory have completed.",
     "(ptx, tcgen05.wait)",
     [](std::string_view ptx) { return without(ptx, "tcgen05.wait::st"); },
     {.device = "sm_100a,strict"}},
};

}  // namespace
}  // namespace assay::faults
