// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/forms/form.h"

namespace assay::cuda {

/// The assemblers of the CUDA Toolkit: what ASSAY_PTXAS names ("a,b"), else the first ptxas in PATH, in
/// CUDA_HOME or CUDA_PATH, or in /usr/local/cuda. Empty: there is none.
std::vector<std::string> find_ptxas();

/// One spelling: a table of kernels/forms/assembler and a number in it.
struct AskedSpelling {
  uint32_t table, number;
};

/// What ptxas said when it was run: its exit code, and all that it wrote.
struct PtxasAnswer {
  int exit_code = 0;
  std::string text;
};
/// Throws std::runtime_error with one sentence where it cannot be run or was killed.
PtxasAnswer run_ptxas(const std::string& ptxas, forms::Targets target, const std::string& module);

/// Why one of these cannot be asked about a target: it refuses the plainest module. Nothing: all can.
std::optional<std::string> ptxas_declines(const std::vector<std::string>& all, forms::Targets target);

/// One word for what all say: 1 where all take a spelling, 0 where none does, otherwise 2 + 256 * a bit for
/// each that takes it, the first the lowest.
uint32_t combined(const std::vector<bool>& takes);

/// Whether each spelling assembles, 1 or 0. Many are one module; the lines that ptxas names tell which are
/// refused, the rest is tried again without them, and where it names none the module is halved. Throws as
/// run_ptxas does.
std::vector<uint8_t> assembled_by(const std::string& ptxas, forms::Targets target,
                                  std::span<const AskedSpelling> spellings);

}  // namespace assay::cuda
