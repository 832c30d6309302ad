#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-15" || holds;
}

const Fault fault("encoder_box_range_unchecked", "The encoder takes box extents of 0 and above 256.", "V-15",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
