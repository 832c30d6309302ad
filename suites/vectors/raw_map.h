// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/arguments.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/tile_case.h"

namespace assay::vectors {

/// What an instruction does with a map.
enum class MapOperation { load, prefetch, store, reduce };

/// A map made bit by bit and the copy that was tried through it, as vector files of silicon have them.
struct RawRow {
  spec::TensorMapBytes bytes{};  ///< with what no hardware looks at cleared
  model::MapArguments arguments;
  spec::RuleSet broken;
  MapOperation operation = MapOperation::load;
  bool im2col = false;  ///< the instruction
  std::array<int32_t, 5> coord{};
  std::array<uint16_t, 3> offset{};
  uint32_t rank = 0, shared_offset = 0;
};

/// What the hardware lets through that the driver does not: any number of bytes, any interleaved box.
spec::Readings of_hardware();

/// The words 0x00 to 0x3c in hexadecimal. May throw RowError.
spec::TensorMapBytes bytes_of(const std::string& words);
/// Fills map, arguments and broken rules; `operation` is set.
void read_map(RawRow&, const std::string& words);
template <typename Array>
void read_list(Array& to, std::string_view key, const std::string& text) {
  if (text.empty()) return;
  std::vector<typename Array::value_type> values;
  for (const std::string& part : split(text, '|'))
    values.push_back(parse_number<typename Array::value_type>(key, part));
  assign(to, values, key);
}

TensorCopyCase tiled_case(const RawRow&);
TensorCopyCase im2col_case(const RawRow&);

/// "ok", or which faults the rules call for: "ILL", "MIS", "ILL/MIS", "ADR".
std::string predicted_outcome(const RawRow&);
/// Of two rules that are broken one has its fault.
bool is_outcome(const std::string& outcome, const std::string& predicted);

}  // namespace assay::vectors
