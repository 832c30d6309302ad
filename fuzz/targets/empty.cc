// SPDX-License-Identifier: Apache-2.0
// Does nothing with an input that is mutated as a descriptor is: what the engine, the mutator and the
// sanitizers cost by themselves.
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  ++assay::fuzz::counts().inputs;
  return 0;
}
