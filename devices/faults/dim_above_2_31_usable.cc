#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "L-03" || holds;
}

const Fault fault("dim_above_2_31_usable",
                  "Tensors with more than 2^31 elements along a dimension can be used.", "L-03",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
