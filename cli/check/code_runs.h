// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/check/ptx_launch.h"
#include "devices/cuda/device_spec.h"

namespace assay::cli::check {

/// Who made machine code of a PTX file, or interprets it, and what its run left.
struct CodeRun {
  std::string name;
  std::string end;  ///< why it did not end well, a sentence; empty: it did
  std::vector<ArgumentMemory> memory;
};

/// Whether some argument of the launch is memory that a kernel can write.
bool has_memory(const PtxLaunch&);

/// Runs a launch of `code`, PTX or a cubin, on a device in a process of its own. `settings`: words for
/// ASSAY_EMULATOR, of an emulator.
CodeRun run_code(const std::string& name, const cuda::DeviceSpec& device, const std::string& settings,
                 const std::string& code, const PtxLaunch& launch);

/// Whether all runs ended well and left the same bytes.
bool agree(const std::vector<CodeRun>&);

/// A line for each that differs from what most of them left (of as many, from the first), and one sentence at
/// the end.
std::string runs_compared(const std::string& file, const std::vector<CodeRun>&);

}  // namespace assay::cli::check
