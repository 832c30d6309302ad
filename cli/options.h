// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/device.h"
#include "reference/spec/arch.h"

namespace assay::cli {

/// The architecture that the value of an option names: "sm_100", "sm_100a". Throws UsageError.
spec::Arch arch_option(const std::string& option, const std::string& value);

/// All of them.
std::vector<std::string_view> arch_names();

/// The devices that --device means: those of resolve_devices() for each of its words, each device once.
/// Throws DeviceSpecError, also for a fault, an open question or a reading that does not exist, with those
/// that are near.
std::vector<std::string> devices_named(const std::vector<std::string>& selections);

/// "unknown fault 'swizle_32b'; did you mean 'swizzle_32b_dropped'?"
std::string unknown_fault(std::span<const FaultRow>, std::string_view name);

/// "500ms", "60s", "10m", "2h". Throws UsageError that names the option.
std::chrono::milliseconds duration(const std::string& text, const std::string& option);

/// "06:30" (local time, the next one), or "2026-11-22T06:30[:00][Z]" (local, or UTC with Z). Throws
/// UsageError.
std::chrono::system_clock::time_point moment(const std::string& text, const std::string& option,
                                             std::chrono::system_clock::time_point now);

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
