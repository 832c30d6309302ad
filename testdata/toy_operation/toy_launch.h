// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/forms/launch.h"
#include "testdata/toy_operation/toy_record.h"

namespace assay::forms {

inline KernelLaunch launch_of(const params::ToyRecord&) {
  return {.module = "toy_operation", .kernel = "toy_arrivals"};
}

}  // namespace assay::forms
