// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/tma/reduction.h"

namespace assay::emulator {

enum class BulkDirection : uint8_t { global_to_shared, shared_to_cluster, shared_to_global, prefetch };

/// cp.async.bulk, cp.async.bulk.prefetch or cp.reduce.async.bulk, decoded.
struct BulkForm {
  BulkDirection direction = BulkDirection::prefetch;
  std::optional<Reduction> reduction;
  // operand numbers, -1: absent
  int destination = -1, source = -1, size = -1, barrier = -1, cta_mask = -1, byte_mask = -1;
};

/// Of an instruction whose data is a BulkForm.
uint32_t execute_bulk(Step& step);

}  // namespace assay::emulator
