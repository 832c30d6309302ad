// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/spec/question.h"

namespace assay::model {

/// The tiled copy one byte at a time, straight from its definition, sharing nothing with the fast model but
/// the tables: what judges the fast model. Legal cases only, everything inside the spans. `defined` has the
/// size of what is written and gets 0xff or 0 for every byte.
void slow_load(const TiledCase&, const spec::Readings&, std::span<const std::byte> arena,
               std::span<std::byte> window, std::span<std::byte> defined);
void slow_store(const TiledCase&, const spec::Readings&, std::span<const std::byte> window,
                std::span<std::byte> slot, std::span<std::byte> defined);

/// Of a reduction of several lanes: leaves open what more than one of them reduces, since any of them may
/// come last. `defined` as slow_store has it of each.
TiledCase lane_of(const TiledCase&, uint32_t lane, const spec::Readings&);
void open_what_lanes_share(const TiledCase&, const spec::Readings&, std::span<std::byte> defined);

/// Bytes signalled, counted one element at a time.
uint64_t slow_transaction_bytes(const TiledCase&, const spec::Readings&);

}  // namespace assay::model
