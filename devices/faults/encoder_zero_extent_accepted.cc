#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-19" || holds;
}

const Fault fault("encoder_zero_extent_accepted", "The encoder takes a traversal stride of 0 in dimension 0.",
                  "V-19", [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
