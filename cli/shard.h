// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace assay::cli {

/// Of `count` shards the `index`-th, from 1 on.
struct Shard {
  int index = 1, count = 1;
};

/// "2/8", or "auto": index and count from the variables of a Slurm job array (SLURM_ARRAY_TASK_ID, _MIN,
/// _MAX, _STEP) or of an indexed Kubernetes job (JOB_COMPLETION_INDEX; the number of completions is not among
/// its variables, so "auto/8" says it). Throws UsageError with one sentence. `variable` reads one,
/// null where it is not set.
Shard parse_shard(const std::string& text, const std::function<const char*(const char*)>& variable);

}  // namespace assay::cli
