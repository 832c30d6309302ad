#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-12" || holds;
}

const Fault fault("encoder_stride_alignment_unchecked",
                  "The encoder takes strides that are no multiple of 16.", "V-12",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
