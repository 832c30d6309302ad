#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool accepts(const EncodeTiledArguments& args) {
  return args.rank < 5 || args.traversal[4] != 8;
}

const Fault fault("encoder_traversal_8_refused",
                  "The encoder refuses a traversal stride of 8 in dimension 4, which the rule allows.",
                  "V-18", [](Steps& steps) { steps.accepts = accepts; });

}  // namespace
}  // namespace assay::faults
