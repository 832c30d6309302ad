// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/question.h"

/// What a mode of tensor copies has of its own, and what modes share.
namespace assay::model {

/// The copy of one lane, as copy.h has it.
struct CopyMethods {
  CopyFootprint (*footprint)(const TensorCopyCase&, const spec::Readings&);
  End (*end_of_issue)(const TensorCopyCase&, const spec::Readings&, spec::RuleSet& rules);
  uint32_t (*transaction_bytes)(const TensorCopyCase&, const spec::Readings&);
  CopyPrediction (*load)(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> arena,
                         std::span<const std::byte> before, std::span<std::byte> window,
                         std::span<std::byte> defined);
  CopyPrediction (*store)(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> window,
                          std::span<std::byte> slot, std::span<std::byte> defined);
  std::vector<OpenSum> (*open_sums)(const TensorCopyCase&, const spec::Readings&,
                                    std::span<const std::byte> window, std::span<const std::byte> slot);
  /// Whether stores by several lanes may write the same bytes.
  bool (*lanes_meet)(const TensorCopyCase&, const spec::Readings&);
};
extern const CopyMethods tile_methods, gather_methods, column_methods;
/// Of the mode of the case.
const CopyMethods& methods_of(const TensorCopyCase&);

/// has_legal_map() of a copy in mode tile.
bool has_legal_tile_map(const TensorCopyCase&, const spec::Readings&);
/// CopyMethods::end_of_issue of the modes.
End end_of_tile_issue(const TensorCopyCase&, const spec::Readings&, spec::RuleSet& rules);
End end_of_column_issue(const TensorCopyCase&, const spec::Readings&, spec::RuleSet& rules);
/// CopyMethods::open_sums of the modes that reduce.
std::vector<OpenSum> open_reductions(const TensorCopyCase&, const spec::Readings&,
                                     std::span<const std::byte> window, std::span<const std::byte> slot);
/// The rest of a store's prediction for a reduction in mode im2col that ends well and stays inside the slot.
void predict_column_reduction(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> window,
                              std::span<std::byte> slot, std::span<std::byte> defined, CopyPrediction&);

/// The copy of one of its lanes, by the bend of the readings.
TensorCopyCase lane_of(const TensorCopyCase&, uint32_t lane, const spec::Readings&);

/// Leaves every byte open where the end is undefined.
void undefine(CopyPrediction&, std::span<std::byte> defined);

/// The rules of loads that do not look at the mode.
void note_qualifiers(const TensorCopyCase&, spec::RuleSet& rules);

/// What the barriers of a load count and are armed with, and the end that comes of it. `by_rules`:
/// transaction_bytes(); `signalled`: the same with the bend of the readings.
void count_bytes(const TensorCopyCase&, const spec::Readings&, uint32_t by_rules, uint32_t signalled,
                 CopyPrediction&);

/// What a tiled load or store of a legal map does with the bytes of its box. `rules` gets those that decide
/// it.
Transfer load_transfer(const TensorCopyCase&, const TiledShape&, const spec::Readings&, spec::RuleSet& rules);
Transfer store_transfer(const TensorCopyCase&, const TiledShape&, const spec::Readings&,
                        spec::RuleSet& rules);

/// Of `defined`, which holds how often each byte was written: those written twice may hold either value.
/// Whether there are any.
bool open_written_twice(std::span<std::byte> defined);

/// What bends of tiled copies look at in a copy by an im2col map: channels are dimension 0 of a box.
TensorCopyCase as_tiled(const TensorCopyCase&);

/// Row `number` of a gather4 or scatter4 as a tiled copy of one row. Its place in shared memory is that of
/// row 0.
TensorCopyCase row_of(const TensorCopyCase&, uint32_t number, const spec::Readings&);

}  // namespace assay::model
