// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/cudart/abi.h"

namespace assay::cudart {

/// The driver's entry points, by the names that its library exports. Nothing else of the driver is used.
struct DriverTable {
#define ASSAY_MEMBER(name, ...) driver::Result (*name)(__VA_ARGS__);
  ASSAY_DRIVER_ENTRIES(ASSAY_MEMBER)
#undef ASSAY_MEMBER
};

/// The driver that this process has as libcuda.so.1, opened once. Null, after one sentence on stderr, if
/// there is none or if it lacks an entry point.
const DriverTable* driver_table();

}  // namespace assay::cudart
