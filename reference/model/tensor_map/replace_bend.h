// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

struct MapReplacement;

/// What a bend changes about tensor maps that kernels rewrite. Null and false: as the rules say.
struct MapReplaceBend {
  /// The object after a replacement; gets what the rules make of it.
  void (*replaced)(const MapReplacement&, const spec::TensorMapBytes& before,
                   spec::TensorMapBytes&) = nullptr;
  /// What tensormap.cp_fenceproxy leaves; gets the source.
  void (*copied)(const spec::TensorMapBytes& before, spec::TensorMapBytes&) = nullptr;
  /// Whether an acquire, of the map's address or `off` bytes from it, at a scope (0 cta to 3 sys), is none;
  /// `is_first`: by the first of the lanes that execute it.
  bool (*misses_acquire)(uint32_t off, uint32_t scope, bool is_first) = nullptr;
  /// A copy behind no acquire acts by the map as an earlier one found it, where the rules allow either.
  bool finds_as_it_was = false;
  /// Whether copies find something else of a map, by the bytes from a multiple of 128 on and by where it lies
  /// (0 global memory, 1 parameters, 2 constant memory).
  bool (*misreads)(uint32_t place, uint32_t memory) = nullptr;
  /// The same, by what the map holds.
  bool (*misreads_bits)(const spec::TensorMapBytes&) = nullptr;
};

}  // namespace assay::model
