// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "devices/device.h"

namespace assay::cli {

/// CTest's resource spec (JSON, version 1.0): each available GPU as a resource of type "gpus" with one slot,
/// so that no two tests share one; its id is the number in cuda:N. Throws std::runtime_error with one
/// sentence when there is no GPU: CTest would then fail every test that asks for one.
std::string ctest_resources(std::span<const DeviceProbe>);

}  // namespace assay::cli
