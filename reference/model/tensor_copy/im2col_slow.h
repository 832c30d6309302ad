// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/model/tensor_copy/im2col_case.h"
#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/spec/question.h"

namespace assay::model {

/// im2col copies by their definition, a pixel after the other and a byte after the other, with the bend of
/// the readings, if any. Cases whose copy runs by the rules, or would but for the bend. What the bend leads
/// outside of memory moves nothing.
void slow_load(const Im2colCase&, const spec::Readings&, std::span<const std::byte> arena,
               std::span<std::byte> window, std::span<std::byte> defined);
void slow_store(const Im2colCase&, const spec::Readings&, std::span<const std::byte> window,
                std::span<std::byte> slot, std::span<std::byte> defined);
/// What a load signals to each receiving barrier.
uint32_t slow_transaction_bytes(const Im2colCase&, const spec::Readings&);

/// What bends of tiled copies look at: channels are dimension 0 of a box.
TiledCase as_tiled(const Im2colCase&);

}  // namespace assay::model
