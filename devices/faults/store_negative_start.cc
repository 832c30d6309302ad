#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "S-04" || holds;
}

const Fault fault("store_negative_start", "A store may start at a negative coordinate.", "S-04, TMA-AMB-19",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
