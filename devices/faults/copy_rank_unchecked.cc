#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "rank" || holds;
}

const Fault fault("copy_rank_unchecked", "The rank of the instruction need not be that of the map.",
                  "tensor map 0x08", [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
