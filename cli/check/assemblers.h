// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/check/ptx_launch.h"
#include "devices/cuda/device_spec.h"

namespace assay::cli::check {

/// What one assembler makes of a PTX file.
struct Assembled {
  std::string path;     ///< as it was given
  std::string version;  ///< "13.0.88", or empty where the program does not say
  bool has_started = false, assembles = false;
  std::string says;                    ///< why it refuses the file, or could not be started: the first line
  uint64_t bytes = 0;                  ///< of the cubin
  std::vector<std::string> resources;  ///< "24 registers, 8 bytes spilled", one a kernel
};

/// The target that a PTX text names, "sm_100a", or empty.
std::string target_of(const std::string& ptx);

/// Runs an assembler that takes ptxas's options on a file; `cubin` is written where it assembles.
Assembled assemble(const std::string& assembler, const std::string& file, const std::string& target,
                   const std::string& cubin);

/// Its path, with its version where that is known.
std::string name_of(const Assembled&);

/// What the emulator says of the same file: the first of the refusals, or nothing.
struct EmulatorVerdict {
  std::string device;
  bool takes = true;
  std::string says;
};

/// A line for each and one sentence at the end.
std::string compared(const std::string& file, const std::vector<Assembled>& all,
                     const EmulatorVerdict& emulator);

/// 0: all take the file; 1: some do and some do not; 2: none does, or an assembler cannot be started.
int exit_code(const std::vector<Assembled>& all, const EmulatorVerdict& emulator);

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
