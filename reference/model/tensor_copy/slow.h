// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"

namespace assay::model {

/// Tiled and im2col copies by one lane, one byte at a time, straight from their definition, with the bend of
/// the readings, if any; of tiles it shares nothing with the fast model but the tables, which it judges.
/// Cases whose copy runs by the rules, or would but for the bend; what the bend leads outside of memory moves
/// nothing. `defined` has the size of what is written and gets 0xff or 0 for every byte.
void slow_load(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> arena,
               std::span<std::byte> window, std::span<std::byte> defined);
void slow_store(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> window,
                std::span<std::byte> slot, std::span<std::byte> defined);
/// Bytes signalled to each receiving barrier.
uint64_t slow_transaction_bytes(const TensorCopyCase&, const spec::Readings&);

/// The same of copies by an im2col map.
void slow_column_load(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> arena,
                      std::span<std::byte> window, std::span<std::byte> defined);
void slow_column_store(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> window,
                       std::span<std::byte> slot, std::span<std::byte> defined);
uint64_t slow_column_transaction_bytes(const TensorCopyCase&, const spec::Readings&);

/// Of a tiled reduction of several lanes: leaves open what more than one of them reduces, since any of them
/// may come last. `defined` as slow_store has it of each.
void open_what_lanes_share(const TensorCopyCase&, const spec::Readings&, std::span<std::byte> defined);

}  // namespace assay::model
