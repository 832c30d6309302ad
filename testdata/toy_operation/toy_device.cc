// SPDX-License-Identifier: Apache-2.0
// The device side of the operation.
#include "devices/cuda/families/probe_launch.h"
#include "testdata/toy_operation/toy_launch.h"

namespace assay::cuda {
namespace {

using params::ToyRecord;

const char* wrong(const ToyRecord& r, const ToyRecord&, const BatchView&) {
  if (r.arrivals < 2 || r.arrivals > params::toy_most_arrivals)
    return "a barrier expects 2 to 1048575 arrivals";
  if (r.output_bytes != params::toy_output_bytes) return "output_bytes must be 16";
  return nullptr;
}

const RegisterFamily toy(family_of<ToyRecord, wrong>("toy", declines_before_9_0,
                                                     run_alike<ToyRecord, false, forms::launch_of>));

}  // namespace
}  // namespace assay::cuda
