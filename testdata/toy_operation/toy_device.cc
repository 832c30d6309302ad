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

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<ToyRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool) {
  if (opened.capability >= 90) return std::nullopt;
  return but_has(opened, "requires compute capability 9.0");
}

void run(OpenedDevice& device, Job& job) {
  run_alike<ToyRecord>(device, job, /*reads_arena=*/false, forms::launch_of);
}

const Family family{"toy", sizeof(ToyRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
