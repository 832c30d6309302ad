// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/tiled.h"

namespace assay::model {

/// Of the copies of all lanes, one after the other: no two of them touch the same bytes. `predict(lane,
/// mask)` is that of one copy, which says what is defined in the mask that it gets. `waits`: a barrier waits
/// for them.
template <typename Predict>
TiledPrediction predict_lanes(uint32_t lanes, bool waits, std::span<std::byte> defined, Predict predict) {
  TiledPrediction all;
  std::vector<std::byte> mask(defined.size());
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const TiledPrediction one = predict(lane, std::span<std::byte>(mask));
    const bool is_of_count = one.end == End::never_completes || one.end == End::early_surplus;
    if (all.end == End::done && !(is_of_count && one.armed != one.transaction_bytes)) all.end = one.end;
    all.transaction_bytes += one.transaction_bytes;
    all.armed += one.armed;
    all.rules |= one.rules;
    if (one.all_defined) continue;
    all.all_defined = false;
    for (size_t i = 0; i < mask.size(); ++i) defined[i] &= mask[i];
  }
  // One barrier counts the bytes of all: what one signals beyond its share makes up for what another lacks.
  if (all.end == End::done && waits && all.armed != all.transaction_bytes)
    all.end = all.armed > all.transaction_bytes ? End::never_completes : End::early_surplus;
  return all;
}

}  // namespace assay::model
