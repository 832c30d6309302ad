#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_empty_wait",
                  "a pipeline loads over operands that are still being multiplied.",
                  "(ptx, mbarrier.try_wait)", [](std::string_view ptx) {
                    return without_wait_before(ptx, "cp.async.bulk.tensor.2d.shared");
                  });

}  // namespace
}  // namespace assay::faults
