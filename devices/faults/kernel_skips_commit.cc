#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_commit", "a kernel does not commit its matrix instructions.",
                  "(ptx, tcgen05.commit)",
                  [](std::string_view ptx) { return without(ptx, "tcgen05.commit"); });

}  // namespace
}  // namespace assay::faults
