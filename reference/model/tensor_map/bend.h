// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// What a bend changes about a call of the encoder.
struct EncodeBend {
  /// Whether the call is refused though no rule forbids it: the rule is stricter than written.
  bool (*refuses)(const EncodeTiledCase&) = nullptr;
  bool (*refuses_im2col)(const Im2colMapArgs&) = nullptr;
  /// The field of that name (spec/tensor_map_bits.h), "corners": both corners, may hold anything; empty:
  /// none.
  std::string_view open_field = {};
  /// The one of that number of the fields of that name; -1: all.
  int field_index = -1;
  /// What is added to the code of that field in place of leaving it open.
  int added = 0;
  /// A refused call leaves the map as it was, whatever it is refused for.
  bool keeps_refused_map = false;
  /// What a refused call leaves of the map is not known.
  bool opens_refused_map = false;
  /// A replaced address: all that is beside it may hold anything.
  bool opens_beside_replaced = false;

  bool changes(const spec::Field& field) const {
    return (field.name == open_field || (open_field == "corners" && field.name.ends_with("_corner"))) &&
           (field_index < 0 || field.index == field_index);
  }
};

/// Changes the field of the map, or leaves it open in `defined`, if the bend is about it.
void bend_field(const EncodeBend&, const spec::Field&, spec::TensorMapBytes& map,
                spec::TensorMapBytes& defined);

/// Of the bend of these readings.
bool keeps_refused_map(const spec::Readings&);
bool opens_refused_map(const spec::Readings&);

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
