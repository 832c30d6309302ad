#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "AMB-08" || holds;
}

const Fault fault("copy_start_unaligned", "A box may start at any byte of global memory.", "TMA-AMB-08",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
