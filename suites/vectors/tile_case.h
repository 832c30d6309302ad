// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/question.h"
#include "reference/spec/tensor_map.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {

class Differences;

/// By the names that the files use: none, 32, 64, 96, 128, 128a32, 128a32f8, 128a64. Throws RowError.
const spec::Swizzle& swizzle_named(std::string_view name);

/// The architecture that a swizzle and a type are looked at on: sm_90 if it has both, else the first that
/// has.
spec::Arch arch_for(const spec::Swizzle&, const spec::DataType&);

/// Reads rank, esize, dims, strides, box, estr, coords, swz, base and, for loads, fill. Throws RowError.
TensorCopyCase tile_case(const Pairs& params, CopyDirection);

/// An unsigned type of so many bytes; with NaN fill a float. Throws RowError.
const spec::DataType& type_of_size(int64_t bytes, bool nan_fill);

/// Copies values into the first entries of an array. Throws RowError when there are more.
template <typename Array>
void assign(Array& array, const std::vector<typename Array::value_type>& values, std::string_view key) {
  if (values.size() > array.size())
    throw RowError{std::string(key) + " has " + std::to_string(values.size()) + " entries; the maximum is " +
                   std::to_string(array.size())};
  for (size_t i = 0; i < values.size(); ++i) array[i] = values[i];
}
/// The same of a list; throws RowError also for a number that does not fit an entry.
template <typename Array>
void assign(Array& array, const Pairs& params, std::string_view key) {
  assign(array, params.list<typename Array::value_type>(key), key);
}

/// Modes that came with sm_100 are read as its defaults say.
inline const spec::Readings documented(spec::Arch::sm_100);

/// Source of a destination byte that is filled, and of one that is not written.
inline constexpr int64_t from_fill = -1, not_written = -2;

/// Where each byte that a load writes comes from: entry i is for shared byte base + i, relative to the
/// tensor's address.
struct LoadMap {
  std::vector<int64_t> source;
  std::vector<std::byte> fill;  ///< the byte that stands there after the load, whatever its source
  uint32_t transaction_bytes = 0;
  bool stays_inside = true;  ///< nothing before or behind the extent is written
};
LoadMap map_load(const TensorCopyCase&);
/// Of any load: one of this tensor into this window, and the bytes that it signals. `first`: where the
/// operand is in the window.
using LoadOfTensor = std::function<uint32_t(std::span<const std::byte> tensor, std::span<std::byte> window)>;
LoadMap map_load(uint32_t window_bytes, uint32_t first, const model::CopyFootprint&, const LoadOfTensor&);

/// The samples `destination:source` of a row against a load.
void compare_samples(const Pairs& expected, const LoadMap&, Differences&);

/// Which bytes a store writes, in ascending order of global memory: offset from the tensor's address, and of
/// the shared byte from base.
std::vector<std::pair<int64_t, int64_t>> map_store(const TensorCopyCase&);

}  // namespace assay::vectors
