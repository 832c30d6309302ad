// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/im2col_case.h"
#include "reference/model/tensor_copy/im2col_column.h"
#include "reference/model/tensor_copy/tiled.h"
#include "reference/model/tensor_copy/tiled_reduce.h"

namespace assay::model {

/// How a copy whose map is legal ends before any byte moves.
End end_of_issue(const Im2colCase&, const spec::Readings&, spec::RuleSet& rules);

/// As those of tiled copies (model/tiled.h).
TiledFootprint footprint(const Im2colCase&, const spec::Readings&);
TiledPrediction predict_load(const Im2colCase&, const spec::Readings&, std::span<const std::byte> arena,
                             std::span<std::byte> window, std::span<std::byte> defined);
TiledPrediction predict_store(const Im2colCase&, const spec::Readings&, std::span<const std::byte> window,
                              std::span<std::byte> slot, std::span<std::byte> defined);
/// The rest of predict_store() of a reduction that ends well and stays inside the slot.
void predict_reduction(const Im2colCase&, const spec::Readings&, std::span<const std::byte> window,
                       std::span<std::byte> slot, std::span<std::byte> defined, TiledPrediction&);
/// Elements of a reduction that several pixels meet and whose order matters, with what each may hold
/// afterwards; of a case that ends well.
std::vector<OpenSum> open_sums(const Im2colCase&, const spec::Readings&, std::span<const std::byte> window,
                               std::span<const std::byte> slot);
/// Ranks of the cluster that get data and signal of a load, a bit each.
uint32_t receivers(const Im2colCase&);
/// The same as the bend of the readings has it.
uint32_t receivers(const Im2colCase&, const spec::Readings&);

}  // namespace assay::model
