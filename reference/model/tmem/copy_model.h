// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/mma/mma.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/spec/question.h"

namespace assay::suites {

/// Predicts the whole allocation of each CTA, as model::predict_mma does: cell (lane, column) of CTA v at
/// (v * 128 + lane) * alloc_columns + column, what was there before; receives what must be there after.
/// `defined` (same size) gets the bits that are defined; it is written only when not all are. Every place
/// that a descriptor leads to must lie in the windows.
model::Tcgen05MmaPrediction predict_tmem_copy(const TmemCopyCase&, const spec::Readings&,
                                              const model::MmaWindows& windows, std::span<uint32_t> cells,
                                              std::span<uint32_t> defined);

/// Rules that its words and addresses break, by these readings.
spec::RuleSet broken_copy_rules(const TmemCopyCase&, const spec::Readings&);

/// Copies and shifts altered, each in one way.
std::span<const model::Bend> tmem_copy_bends();

}  // namespace assay::suites
