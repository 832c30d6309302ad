#pragma once

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

/// Sets the opcodes of a record whose other members are set.
template <typename Args>
void set_opcodes(params::TensorCopyRecord<Args>& r) {
  r.opcode = forms::opcode_of(r);
  r.prefetch_opcode = forms::prefetch_opcode_of(forms::form_of(r));
}

}  // namespace assay::suites
