// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/spec/tensor_map.h"

namespace assay {

/// Logical arguments of cuTensorMapEncodeTiled. Values are host enumerators (spec/tensor_map.h) and may be
/// illegal.
struct TensorMapArgs {
  uint64_t global_address = 0;  ///< bytes. In a TensorCopyCase: relative to the tensor memory of the case
  std::array<uint64_t, 5> global_dim{};      ///< elements
  std::array<uint64_t, 4> global_stride{};   ///< bytes, [i] is the stride of dimension i+1
  std::array<uint32_t, 5> box_dim{};         ///< elements
  std::array<uint32_t, 5> element_stride{};  ///< elements
  uint32_t data_type = 0, rank = 0, interleave = 0, swizzle = 0, l2_promotion = 0, oob_fill = 0;
  auto operator<=>(const TensorMapArgs&) const = default;
};

/// Whether two maps differ in no more than address, promotion and fill.
inline bool are_alike(const TensorMapArgs& a, const TensorMapArgs& b) {
  constexpr size_t begin = offsetof(TensorMapArgs, global_dim), end = offsetof(TensorMapArgs, l2_promotion);
  static_assert(begin == sizeof a.global_address && end + 8 == sizeof a);
  const auto from_dims = [](const TensorMapArgs& map) { return reinterpret_cast<const char*>(&map) + begin; };
  return std::memcmp(from_dims(a), from_dims(b), end - begin) == 0;
}

/// Value of TensorMapArgs::swizzle for the 96B swizzle, which has no host enumerator in CUDA 13.0 (V-44); the
/// map is encoded with swizzle NONE and tensormap.replace.tile.swizzle_mode 4 follows on the device.
inline constexpr uint32_t swizzle_96B = 0x96;

/// Logical arguments of cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide, to which the box means
/// nothing; values may be illegal. Of a map of cuTensorMapEncodeTiled only the base has a meaning.
struct Im2colMapArgs : TensorMapArgs {
  std::array<int32_t, 3> lower{};  ///< corners of the pixel box: W, H, D; the wide encoder takes that of W
  std::array<int32_t, 3> upper{};
  uint32_t channels = 0;   ///< of a pixel
  uint32_t pixels = 0;     ///< of a column
  bool wide = false;       ///< by cuTensorMapEncodeIm2colWide
  uint32_t wide_mode = 0;  ///< of that encoder: 0 W, 1 W128
  auto operator<=>(const Im2colMapArgs&) const = default;
};

/// Spatial dimensions of a map of a rank of 3 to 5, and the tensor's dimension that spatial axis k (W, H, D)
/// is: dimension 0 holds channels, but W of an interleaved map.
constexpr uint32_t spatial_axes(uint32_t rank) {
  return rank >= 3 && rank <= 5 ? rank - 2 : 0;
}
constexpr uint32_t dimension_of_axis(const TensorMapArgs& map, uint32_t axis) {
  return axis + (map.interleave == 0 ? 1 : 0);
}

/// One call of the encoder, and of what changes its map.
struct EncodeTiledCase {
  TensorMapArgs map;  ///< global_address absolute
  uint32_t null_mask =
      0;  ///< which pointer arguments are null: bit 0 map, 1 dim, 2 stride, 3 box, 4 element stride
  uint32_t map_offset = 0;   ///< output pointer = 64-byte boundary + this, 0..63
  uint8_t before = 0xcd;     ///< content of the output map before the call
  bool replaces = false;     ///< cuTensorMapReplaceAddress follows on what the encoder accepted
  uint64_t replacement = 0;  ///< the address that it is given
  auto operator<=>(const EncodeTiledCase&) const = default;
};

/// One call of an im2col encoder.
struct EncodeIm2colCase {
  Im2colMapArgs map;       ///< global_address absolute
  uint32_t null_mask = 0;  ///< which pointers are null: bit 0 map, 1 dim, 2 stride, 3 lower corner, 4 element
                           ///< stride, 5 upper corner; the wide encoder has no pointers to corners
  uint32_t map_offset = 0;  ///< output pointer = 64-byte boundary + this, 0..63
  uint8_t before = 0xcd;    ///< content of the output map before the call
  auto operator<=>(const EncodeIm2colCase&) const = default;
};

}  // namespace assay

/// The members of the arguments of maps and of calls of their encoders.
namespace assay {

inline constexpr auto swizzle_hosts = [] {
  std::array<uint32_t, spec::swizzles.size()> hosts{};
  for (size_t i = 0; i < hosts.size(); ++i) hosts[i] = spec::swizzles[i].host;
  return hosts;
}();

template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, TensorMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  ASSAY_FIELD(visit, map, data_type, .most = spec::data_types.size() - 1, .may_break = true, .called = "type",
              .shows = data_type_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, rank, .least = 1, .most = spec::max_rank, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, interleave, .most = spec::interleaves.size() - 1, .may_break = true,
              .shows = interleave_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, swizzle, .values = swizzle_hosts, .may_break = true, .shows = swizzle_name,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, l2_promotion, .most = spec::l2_promotions.size() - 1, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, oob_fill, .most = 1, .may_break = true, .called = "fill", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_dim, .unit = "elements", .least = 1, .most = spec::max_global_dim,
              .may_break = true, .called = "dim", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_stride, .unit = "bytes", .least = 0, .most = spec::global_stride_end - 16,
              .multiple = 16, .may_break = true, .called = "stride", .covered = "tensor map");
  ASSAY_FIELD(visit, map, box_dim, .unit = "elements", .least = 1, .most = spec::max_box_dim,
              .may_break = true, .called = "box", .covered = "tensor map");
  ASSAY_FIELD(visit, map, element_stride, .unit = "elements", .least = 1, .most = spec::max_element_stride,
              .may_break = true, .called = "traversal", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_address, .unit = "bytes", .told = elsewhere, .shows = as_hex);
}

template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, Im2colMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  ASSAY_FIELD(visit, map, data_type, .most = spec::data_types.size() - 1, .may_break = true, .called = "type",
              .shows = data_type_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, rank, .least = 3, .most = spec::max_rank, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, interleave, .most = spec::interleaves.size() - 1, .may_break = true,
              .shows = interleave_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, swizzle, .most = spec::host_swizzle::count - 1, .may_break = true,
              .shows = swizzle_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, l2_promotion, .most = spec::l2_promotions.size() - 1, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, oob_fill, .most = 1, .may_break = true, .called = "fill", .covered = "tensor map");
  ASSAY_FIELD(visit, map, channels, .least = 1, .most = 256, .may_break = true, .covered = "tensor map");
  ASSAY_FIELD(visit, map, pixels, .least = 1, .most = 1024, .may_break = true, .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_dim, .unit = "elements", .least = 1, .most = spec::max_global_dim,
              .may_break = true, .called = "dim", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_stride, .unit = "bytes", .least = 0, .most = spec::global_stride_end - 16,
              .multiple = 16, .may_break = true, .called = "stride", .covered = "tensor map");
  ASSAY_FIELD(visit, map, element_stride, .unit = "elements", .least = 1, .most = spec::max_element_stride,
              .may_break = true, .called = "traversal", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_address, .unit = "bytes", .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, map, box_dim, .unit = "elements", .may_break = true, .told = elsewhere);
  ASSAY_FIELD(visit, map, lower);
  ASSAY_FIELD(visit, map, upper);
  ASSAY_FIELD(visit, map, wide);
  ASSAY_FIELD(visit, map, wide_mode);
}

template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeTiledCase>
void visit_fields(Call& call, const Visit& visit) {
  ASSAY_FIELD(visit, call, before, .told = elsewhere);
  ASSAY_FIELD(visit, call, map, .told = elsewhere);
  ASSAY_FIELD(visit, call, map_offset, .unit = "bytes", .most = 63, .called = "map pointer mod 64");
  ASSAY_FIELD(visit, call, null_mask, .most = 31, .told = elsewhere);
  ASSAY_FIELD(visit, call, replacement, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, call, replaces, .told = elsewhere);
}

template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeIm2colCase>
void visit_fields(Call& call, const Visit& visit) {
  ASSAY_FIELD(visit, call, before, .told = elsewhere);
  ASSAY_FIELD(visit, call, map, .told = elsewhere);
  ASSAY_FIELD(visit, call, map_offset, .unit = "bytes", .most = 63, .called = "map pointer mod 64");
  ASSAY_FIELD(visit, call, null_mask, .most = 63, .told = elsewhere);
}

/// The im2col encoders have no box.
inline void check_fields(const std::string& path, const EncodeIm2colCase& call) {
  if (call.map.box_dim != decltype(call.map.box_dim){})
    throw std::runtime_error("field '" + path + "map.box_dim' of the case is set; im2col maps have no box.");
}

}  // namespace assay
