#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-04" ? false : holds;
}

const Fault fault("encoder_interleave_rank_strict", "The encoder refuses every interleaved map.", "V-04",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
