#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-09" || holds;
}

const Fault fault("encoder_dim_range_unchecked", "The encoder takes extents of 0 and above 2^32.", "V-09",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
