#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/model/im2col_case.h"
#include "reference/model/im2col_column.h"
#include "reference/model/tiled.h"

namespace assay::model {

/// How a copy whose map is legal ends before any byte moves.
End end_of_issue(const Im2colCase&, const spec::Readings&, spec::RuleSet& rules);

/// As those of tiled copies (model/tiled.h).
TiledFootprint footprint(const Im2colCase&, const spec::Readings&);
TiledPrediction predict_load(const Im2colCase&, const spec::Readings&, std::span<const std::byte> arena,
                             std::span<std::byte> window, std::span<std::byte> defined);
TiledPrediction predict_store(const Im2colCase&, const spec::Readings&, std::span<const std::byte> window,
                              std::span<std::byte> slot, std::span<std::byte> defined);
/// Ranks of the cluster that get data and signal of a load, a bit each.
uint32_t receivers(const Im2colCase&);
/// The same as the bend of the readings has it.
uint32_t receivers(const Im2colCase&, const spec::Readings&);

}  // namespace assay::model
