#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-23" || holds;
}

const Fault fault("encoder_swizzle_span_unchecked", "The encoder takes boxes wider than the swizzle span.",
                  "V-23", [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
