#pragma once

#include "generators/tiled_cases.h"

/// Properties about faults break one rule in each case. Where all that a rule can give is a fault, a device
/// that faults at every launch would pass them as long as no other code is due; so every sixteenth case, one
/// of the first three among them, breaks none and has to end well.
namespace assay::gen {

inline bool is_control(const CaseId& id) {
  return id.index % 16 == 2;
}

}  // namespace assay::gen
