#pragma once

#include "devices/emulator/tma/engine.h"

namespace assay::faults {

/// True for one copy in 10,000, chosen by its map, its coordinates and its shared-memory operand: a fault
/// that needs many cases to be met.
inline bool is_rare(const emulator::TensorCopyRequest& request) {
  uint64_t hash = request.shared_address;
  for (const int32_t coord : request.coord) hash = (hash ^ static_cast<uint32_t>(coord)) * 0x9e3779b97f4a7c15;
  for (size_t i = 8; i < request.map.size(); ++i)
    hash = (hash ^ static_cast<uint64_t>(request.map[i])) * 0x9e3779b97f4a7c15;
  return (hash ^ hash >> 32) % 10000 == 0;
}

}  // namespace assay::faults
