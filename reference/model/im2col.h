#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/model/im2col_case.h"
#include "reference/model/im2col_walk.h"
#include "reference/model/tiled.h"

namespace assay::model {

/// Where the pixels of a column lie in both memories. Channels come in units: elements, groups of packed
/// elements, or the one slice of an interleaved map.
struct ColumnShape {
  uint32_t pixels = 0;
  uint32_t units = 0;                         ///< of a pixel
  uint32_t first_unit = 0, end_unit = 0;      ///< those that lie in the tensor; equal if none does
  uint32_t unit_global = 0, unit_shared = 0;  ///< bytes, padding included
  uint32_t inner = 0, pitch = 0;              ///< shared bytes of a pixel, and from one to the next
  uint64_t shared_bytes = 0;                  ///< extent from the operand on, gaps included
  int64_t first_channel = 0;                  ///< global byte of unit 0 relative to the pixel
  bool is_padded = false;                     ///< unit_shared has undefined bytes behind unit_global
};
/// `copy` has a legal map.
ColumnShape column_of(const Im2colCase& copy, const spec::Readings&);

/// True when the pixel lies in the tensor; `byte` is then where it begins, relative to the map's address.
bool is_in_tensor(const Im2colCase&, const Pixel&, unsigned __int128& byte);

/// How a copy whose map is legal ends before any byte moves.
End end_of_issue(const Im2colCase&, const spec::Readings&, spec::RuleSet& rules);

/// Bytes that a load signals to each receiving barrier.
uint32_t transaction_bytes(const Im2colCase&, const ColumnShape&, const spec::Readings&);

/// As those of tiled copies (model/tiled.h).
TiledFootprint footprint(const Im2colCase&, const spec::Readings&);
TiledPrediction predict_load(const Im2colCase&, const spec::Readings&, std::span<const std::byte> arena,
                             std::span<std::byte> window, std::span<std::byte> defined);
TiledPrediction predict_store(const Im2colCase&, const spec::Readings&, std::span<const std::byte> window,
                              std::span<std::byte> slot, std::span<std::byte> defined);
/// Ranks of the cluster that get data and signal of a load, a bit each.
uint32_t receivers(const Im2colCase&);

}  // namespace assay::model
