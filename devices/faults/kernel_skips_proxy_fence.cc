#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_proxy_fence",
                  "a kernel does not make ordinary stores visible to the async proxy.", "(ptx, Async Proxy)",
                  [](std::string_view ptx) { return without(ptx, "fence.proxy.async"); },
                  {.device = "sm_100a,strict"});

}  // namespace
}  // namespace assay::faults
