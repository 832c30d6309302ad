#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-05" || holds;
}

const Fault fault("encoder_address_alignment_unchecked",
                  "The encoder takes addresses that are no multiple of 16.", "V-05",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
