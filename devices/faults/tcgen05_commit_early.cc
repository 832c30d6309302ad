#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

const Fault fault("tcgen05_commit_early", "tcgen05.commit does not wait for what it tracks.",
                  "tcgen05.commit", [](Tcgen05Steps& steps) { steps.commit_waits = false; },
                  {.device = "sm_100a,schedule=lazy"});

}  // namespace
}  // namespace assay::faults
