#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-27" || holds;
}

const Fault fault("encoder_nan_fill_unchecked", "The encoder takes NaN fill for integer types.", "V-27",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
