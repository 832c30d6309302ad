// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/params/metadata_fill.h"
#include "kernels/params/mma_sync_f64.h"
#include "kernels/params/operand_fill.h"
#include "reference/model/warp_mma/warp_mma.h"

namespace assay::suites {

/// A pattern of a case as a record has it.
params::OperandFill operand_fill(const OperandPattern& pattern);

/// The words that the probes put into memory and registers.
extern const model::PatternWords pattern_words;

/// params::operand_word, double_element and metadata_word of many indexes, once per vector instruction set.
struct PatternKernels {
  std::string_view target;
  /// words[i] = word first + i.
  void (*range)(const params::OperandFill& fill, uint64_t first, std::span<uint32_t> words);
  /// words[4 * i + j] = word first[i] + j.
  void (*quads)(const params::OperandFill& fill, std::span<const uint32_t> first, uint32_t* words);
  /// elements[i] = element first + i.
  void (*doubles)(const params::DoubleFill& fill, uint64_t first, std::span<uint64_t> elements);
  /// words[t] = the metadata of lane t in the first column.
  void (*metadata)(const params::MetadataFill& fill, std::span<uint32_t> words);
};

/// Best instruction set first; the last one runs anywhere.
std::span<const PatternKernels> pattern_kernels_of_this_processor();

}  // namespace assay::suites
