#pragma once

#include <algorithm>

#include "kernels/forms/records.h"
#include "suites/run/launch.h"

namespace assay::suites {

/// How a tensor copy of any mode is run by itself.
template <typename Args>
Launch tensor_copy_launch(const params::TensorCopyRecord<Args>& r) {
  const bool store = r.op == params::CopyOp::store;
  Launch launch{.file = "kernels/tensor_copy.cu",
                .kernel = store                ? "tensor_store"
                          : r.cluster_size > 1 ? "tensor_load_cluster"
                                               : "tensor_load",
                .cluster_size = r.cluster_size,
                .has_map = true,
                .map_in_output = store,
                .has_other_map = r.other_lanes != 0,
                .needed = forms::needed_forms(r)};
  launch.shared_bytes += params::shared_bytes_of(r);
  return launch;
}

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
