// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/model/end.h"
#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What the reference allows, apart from the bytes.
struct TiledPrediction {
  End end = End::done;
  uint32_t transaction_bytes = 0;  ///< per receiving CTA, load
  int64_t armed = 0;               ///< bytes that each receiver's barrier is armed with, load
  bool all_defined = true;         ///< false: `defined` holds a mask
  spec::RuleSet rules;             ///< rules this case exercises
};

/// The bytes a case is about, before it runs.
struct TiledFootprint {
  uint32_t shared_bytes = 0;  ///< extent of the tile in shared memory from the operand on, gaps included
  uint64_t global_begin =
      0;  ///< byte range, relative to the case's tensor memory, that in-bounds elements of the
  uint64_t global_end = 0;  ///< box touch (stores: whole 16-byte pieces); begin == end if none
};
/// Legal cases only.
TiledFootprint footprint(const TiledCase&, const spec::Readings&);

/// Predicts a load. `arena` is the tensor memory; `window` (window_bytes) holds what shared memory held
/// before and receives what it must hold after, for every CTA that receives. `defined` (same size, or empty
/// when not wanted) gets 0xff where the byte is defined, 0 where not; it is written only when the result is
/// not all_defined.
TiledPrediction predict_load(const TiledCase&, const spec::Readings&, std::span<const std::byte> arena,
                             std::span<std::byte> window, std::span<std::byte> defined);

/// The same where shared memory held `before`, as many bytes as the window, which holds nothing yet: what the
/// load writes over is not copied.
TiledPrediction predict_load(const TiledCase&, const spec::Readings&, std::span<const std::byte> arena,
                             std::span<const std::byte> before, std::span<std::byte> window,
                             std::span<std::byte> defined);

/// Predicts a store. `window`: shared memory, read only. `slot` holds what global memory held before and
/// receives what it must hold after.
TiledPrediction predict_store(const TiledCase&, const spec::Readings&, std::span<const std::byte> window,
                              std::span<std::byte> slot, std::span<std::byte> defined);

/// Whether the CTA of that rank in the cluster gets the data and the signal of a load.
bool receives(const TiledCase&, uint32_t rank);
/// The same of all ranks, a bit each, as the bend of the readings has it.
uint32_t receivers(const TiledCase&, const spec::Readings&);

/// What an encoder call must give.
struct EncodePrediction {
  bool accepted = false;
  bool may_crash = false;                ///< the call may end the process (rank far out of range)
  bool map_untouched = false;            ///< rejected calls: output must be as before (V-50)
  bool map_emptied = false;              ///< rejected calls: bits that no field has must be 0 (V-50)
  std::array<std::byte, 128> map{};      ///< accepted, or only the replaced address is refused: the bytes
  std::array<std::byte, 128> defined{};  ///< mask of judged bits of `map`
  spec::RuleSet rules;                   ///< rules exercised: those broken, or all on accept
};
EncodePrediction predict_encode(const EncodeTiledCase&, const spec::Readings&);

}  // namespace assay::model
