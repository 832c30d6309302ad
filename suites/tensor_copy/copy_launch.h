// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/forms/records.h"

namespace assay::suites {

/// Who issues, by lanes or in a row, and by which map.
template <typename Args, typename Copy>
void set_lanes(const Copy& c, params::TensorCopyRecord<Args>& r) {
  r.issuer_thread = c.issuer_thread;
  r.more_lanes = c.lanes - 1;
  std::copy(c.lane_step.begin(), c.lane_step.end(), r.lane_step);
  r.lane_pitch = c.lane_pitch;
  r.other_lanes = c.other_map_lanes;
  r.other_address = c.other_map_address;
  if (c.in_a_row) r.flags |= params::copy_in_a_row;
}

/// Sets whom each destination of a load in a cluster signals, and whether late bytes are waited for.
template <typename Args>
void set_signals(uint32_t signals, bool is_armed_with_less, params::TensorCopyRecord<Args>& r) {
  constexpr uint32_t of_two_destinations = 0xaaaaaaaa;
  r.signals = signals;
  // Under another reading the bytes of one lane or destination may be as many as were counted for all.
  if (is_armed_with_less || r.more_lanes != 0 || (signals & of_two_destinations) != 0)
    r.flags |= params::copy_settles;
}

/// Sets the opcodes of a record whose other members are set.
template <typename Args>
void set_opcodes(params::TensorCopyRecord<Args>& r) {
  r.opcode = forms::opcode_of(r);
  r.prefetch_opcode = forms::prefetch_opcode_of(forms::form_of(r));
}

}  // namespace assay::suites
