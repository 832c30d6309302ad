// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/readings.h"

namespace assay::emulator {

/// Whether instructions that write the shared memory of a cluster asynchronously, from registers or from
/// shared memory, fault: the kernel was not launched as clusters (H200: BULK-AMB-03). Clusters of one CTA
/// will do.
inline bool lacks_clusters(const Step& step) {
  return !step.cluster.launch.has_clusters &&
         DeviceReadings(step.cluster.settings()).is({"BULK-AMB-03", "faults"});
}

}  // namespace assay::emulator
