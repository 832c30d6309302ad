#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-04" || holds;
}

const Fault fault("encoder_interleave_rank_unchecked", "The encoder takes interleaved maps of rank 1 and 2.",
                  "V-04", [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
