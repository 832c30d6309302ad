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

/// The newest PTX version, 94 for 9.4, in which an assembler takes the plainest module of a target; 0: it
/// knows none from 8.0 on. Throws as run_ptxas does.
uint8_t newest_ptx(const std::string& ptxas, forms::Targets target);

/// Why one of these cannot be asked anything: there is none, or it cannot be run. Nothing: all can.
std::optional<std::string> ptxas_declines(const std::vector<std::string>& all, forms::Targets target);

/// What an assembler says of a spelling. Not asked: it does not know the target in the version that the
/// spelling's module declares.
enum class Taken : uint8_t { refused, taken, not_asked };

/// One word for what all say: 1 where all that were asked take a spelling, 0 where none does, otherwise
/// params::assemblers_disagree + 256 * a bit for each that takes it, the first the lowest; where none could
/// be asked params::not_assembled.
uint32_t combined(const std::vector<Taken>& said);

/// What an assembler says of each spelling. Many are one module; the lines that ptxas names tell which are
/// refused, the rest is tried again without them, and where it names none the module is halved. Throws as
/// run_ptxas does.
std::vector<Taken> assembled_by(const std::string& ptxas, forms::Targets target,
                                std::span<const AskedSpelling> spellings);

}  // namespace assay::cuda
