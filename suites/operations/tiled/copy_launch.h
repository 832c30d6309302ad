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
  // Under another reading the bytes of some lanes may be as many as were counted for all.
  if (c.transaction_delta < 0 || c.lanes > 1) r.flags |= params::copy_settles;
  if (c.in_a_row) r.flags |= params::copy_in_a_row;
}

/// Sets the opcodes of a record whose other members are set.
template <typename Args>
void set_opcodes(params::TensorCopyRecord<Args>& r) {
  r.opcode = forms::opcode_of(r);
  r.prefetch_opcode = forms::prefetch_opcode_of(forms::form_of(r));
}

}  // namespace assay::suites
