// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/gather_case.h"
#include "reference/model/tensor_copy/tiled.h"
#include "reference/model/tensor_copy/tiled_reduce.h"

namespace assay::model {

/// Row `number` of a gather4 or scatter4 as a tiled copy of one row. Its place in shared memory is that of
/// row 0.
TiledCase row_of(const GatherCase&, uint32_t number, const spec::Readings&);

/// How a copy whose map is legal ends before any byte moves.
End end_of_issue(const GatherCase&, const spec::Readings&, spec::RuleSet& rules);

/// Bytes that a load signals for each destination.
uint32_t transaction_bytes(const GatherCase&, const spec::Readings&);

/// As those of tiled copies (model/tiled.h). Of a store that writes a byte from several rows, `defined` says
/// which bytes do not depend on their order.
TiledFootprint footprint(const GatherCase&, const spec::Readings&);
TiledPrediction predict_load(const GatherCase&, const spec::Readings&, std::span<const std::byte> arena,
                             std::span<std::byte> window, std::span<std::byte> defined);
TiledPrediction predict_store(const GatherCase&, const spec::Readings&, std::span<const std::byte> window,
                              std::span<std::byte> slot, std::span<std::byte> defined);

/// Elements of a slot that several rows of a scatter4 write, and what each may hold afterwards: that of one
/// of them. `slot`: what it holds before.
std::vector<OpenSum> open_elements(const GatherCase&, const spec::Readings&,
                                   std::span<const std::byte> window, std::span<const std::byte> slot);
/// Bytes of such an element: of types with less, one byte.
uint32_t open_element_bytes(const GatherCase&);

/// Ranks of the cluster that get the data of a load, a bit each.
uint32_t receivers(const GatherCase&);

}  // namespace assay::model
