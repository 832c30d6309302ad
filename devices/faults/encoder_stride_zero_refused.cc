#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool accepts(const EncodeTiledArguments& args) {
  for (uint32_t i = 0; i + 1 < args.rank; ++i)
    if (args.stride[i] == 0) return false;
  return true;
}

const Fault fault("encoder_stride_zero_refused", "The encoder refuses a stride of 0, which the rule allows.",
                  "V-12", [](Steps& steps) { steps.accepts = accepts; });

}  // namespace
}  // namespace assay::faults
