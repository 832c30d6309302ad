#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool accepts(const EncodeTiledArguments& args) {
  return args.interleave != 1 || args.swizzle != 3;
}

const Fault fault("encoder_swizzled_interleave_refused",
                  "The encoder refuses the 128-byte swizzle with a 16-byte interleave.", "V-24",
                  [](Steps& steps) { steps.accepts = accepts; });

}  // namespace
}  // namespace assay::faults
