#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "W-05" || holds;
}

const Fault fault("copy_shared_unaligned", "The shared-memory operand may have any alignment.", "W-05",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
