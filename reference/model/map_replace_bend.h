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
  /// Whether an acquire, of the map's address or `off` bytes from it, at a scope (0 cta to 3 sys), is none.
  bool (*misses_acquire)(uint32_t off, uint32_t scope) = nullptr;
  /// The bits that a copy acts by.
  void (*used)(spec::TensorMapBytes&) = nullptr;
};

}  // namespace assay::model
