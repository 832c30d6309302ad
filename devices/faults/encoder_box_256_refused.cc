#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool accepts(const EncodeTiledArguments& args) {
  for (uint32_t i = 0; i < args.rank; ++i)
    if (args.box[i] == 256) return false;
  return true;
}

const Fault fault("encoder_box_256_refused",
                  "The encoder refuses a box extent of 256, which the rule allows.", "V-15",
                  [](Steps& steps) { steps.accepts = accepts; });

}  // namespace
}  // namespace assay::faults
