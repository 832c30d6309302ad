// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/encode/map_encoder.h"

#include <algorithm>
#include <cstring>

#include "devices/emulator/tma/steps.h"
#include "reference/spec/tensor_map.h"

namespace assay::emulator {
namespace {

namespace bits = spec::tensor_map;

/// Where a swizzle of the host goes in the map. The emulated encoder's own table, as the H200 writes maps:
/// that of the reference would make both agree whatever it says.
struct SwizzleCode {
  uint32_t width, atomicity, span, period;
};
constexpr SwizzleCode swizzle_codes[] = {{0, 0, 0, 16},     {1, 0, 32, 256},  {2, 0, 64, 512},
                                         {3, 0, 128, 1024}, {3, 1, 128, 512}, {3, 2, 128, 512},
                                         {3, 3, 128, 256}};

}  // namespace

MapEncoder::MapEncoder(const EncodeArguments& args, const Settings& settings)
    : a_(args), target_(settings.target), readings_(settings), steps_(steps_for(settings)) {}

bool MapEncoder::require(std::string_view id, bool holds, std::string message) {
  if (steps_.rule(id, holds)) return true;
  rejection_ = std::move(message) + " (" + std::string(id) + ")";
  return false;
}

void MapEncoder::put(const spec::Field& field, uint64_t value) {
  spec::put(map_, field, steps_.encoded(field, value));
}

void MapEncoder::give(bool is_accepted) {
  if (!is_accepted) {
    spec::TensorMapBytes before;
    std::memcpy(before.data(), a_.map, before.size());
    steps_.map_refused(map_, before);
  }
  std::memcpy(a_.map, map_.data(), map_.size());
}

bool MapEncoder::has_new_values() const {
  return is_from_sm_100(target_) || readings_.is({"TMA-AMB-09", "taken"});
}

bool MapEncoder::is_padded() const {
  return a_.data_type == host_type::b4x16_p64 || a_.data_type == host_type::b6x16_p32;
}

std::string MapEncoder::at(std::string_view array, uint32_t i) {
  return std::string(array) + "[" + std::to_string(i) + "]";
}

bool MapEncoder::pointers() {
  const bool no_strides_needed = a_.rank == 1 && readings_.is({"X-15", "may_be_null"});
  return require("V-43", a_.map != nullptr, "tensorMap is null") &&
         require("V-43", a_.dim != nullptr, "globalDim is null") &&
         require("V-43", a_.stride != nullptr || no_strides_needed, "globalStrides is null") &&
         require("V-43", a_.traversal != nullptr, "elementStrides is null") &&
         require("V-01",
                 !readings_.is({"X-03", "multiple_of_64"}) || reinterpret_cast<uintptr_t>(a_.map) % 64 == 0,
                 "tensorMap is not 64-byte aligned");
}

bool MapEncoder::no_zero_extents() {
  if (!require("V-03", a_.rank != 0, "tensorRank is 0")) return false;
  for (uint32_t i = 0; i < a_.rank && a_.rank <= 5; ++i)
    if (!require("V-09", a_.dim[i] != 0, at("globalDim", i) + " is 0") ||
        !require(i == 0 ? "V-19" : "V-18", a_.traversal[i] != 0 || traversal_is_ignored(i),
                 at("elementStrides", i) + " is 0"))
      return false;
  return true;
}

bool MapEncoder::type() {
  const bool known = a_.data_type < spec::data_types.size();
  if (!require("V-02", known && (has_new_values() || a_.data_type < host_type::first_packed),
               "tensorDataType " + std::to_string(a_.data_type) + " does not exist on this device"))
    return false;
  if (!known) return reject_unknown("tensorDataType");
  const spec::DataType& row = spec::data_types[a_.data_type];
  element_bits_ = row.bits;
  put(bits::type, row.code);
  put(bits::tf32, row.tf32);
  return true;
}

bool MapEncoder::reject_unknown(std::string_view argument) {
  rejection_ = std::string(argument) + " has an unknown value";
  return false;
}

bool MapEncoder::address() {
  const uint32_t unit = a_.interleave == host_interleave::by_32B ? 32 : 16;
  if (!require(unit == 32 ? "V-06" : "V-05", a_.address % unit == 0,
               "globalAddress is not a multiple of " + std::to_string(unit)) ||
      !require("V-07", !is_padded() || a_.address % 32 == 0,
               "globalAddress of a padded type is not a multiple of 32") ||
      !require("AMB-17",
               a_.swizzle == 0 || a_.address % 128 == 0 || readings_.is({"TMA-AMB-17", "multiple_of_16"}),
               "globalAddress of a swizzled map is not a multiple of 128") ||
      !require("V-49", a_.address < uint64_t{1} << 57 || readings_.is({"X-05", "taken"}),
               "globalAddress is 2^57 or above") ||
      !require("V-08", a_.address != 0 || !readings_.is({"X-04", "refused"}), "globalAddress is null"))
    return false;
  put(bits::global_address, a_.address);
  return true;
}

bool MapEncoder::extents() {
  for (uint32_t i = 0; i < a_.rank; ++i) {
    if (!require("V-09", a_.dim[i] <= uint64_t{1} << 32, at("globalDim", i) + " is above 2^32")) return false;
    put(bits::global_dim[i], a_.dim[i]);
    if (!require(i == 0 ? "V-19" : "V-18", traversal_is_ignored(i) || a_.traversal[i] <= 8,
                 at("elementStrides", i) + " is " + std::to_string(a_.traversal[i]) + "; expected 1 to 8"))
      return false;
    put(bits::element_stride[i], a_.traversal[i]);
  }
  return true;
}

bool MapEncoder::strides() {
  const uint32_t unit = a_.interleave == host_interleave::by_32B ? 32 : 16;
  for (uint32_t i = 0; i + 1 < a_.rank; ++i) {
    const uint64_t stride = a_.stride[i];
    if (!require("V-13", stride < uint64_t{1} << 40, at("globalStrides", i) + " is 2^40 or above") ||
        !require(unit == 32 ? "V-14" : "V-12", stride % unit == 0,
                 at("globalStrides", i) + " is not a multiple of " + std::to_string(unit)) ||
        !require("V-14", !is_padded() || stride % 32 == 0,
                 at("globalStrides", i) + " of a padded type is not a multiple of 32") ||
        !require("V-20", readings_.is({"TMA-AMB-20", "plain_arithmetic"}) || stride_is_cumulative(i),
                 at("globalStrides", i) + " is smaller than the dimensions below it need"))
      return false;
    put(bits::global_stride[i], stride);
  }
  return true;
}

/// As documented: the traversal stride of dimension 0 is not looked at without interleave.
bool MapEncoder::traversal_is_ignored(uint32_t i) const {
  return i == 0 && a_.interleave == 0 && readings_.is({"X-09", "ignored"});
}

uint32_t MapEncoder::slice_bytes() const {
  return a_.interleave == host_interleave::by_16B ? 16 : a_.interleave == host_interleave::by_32B ? 32 : 0;
}
/// The documents' picture of strides: each covers the dimension below it.
bool MapEncoder::stride_is_cumulative(uint32_t i) const {
  const uint64_t slice = slice_bytes();
  const uint64_t below = i == 0 ? (slice != 0 ? slice * 8 : element_bits_) : a_.stride[i - 1] * 8;
  return static_cast<unsigned __int128>(a_.stride[i]) * 8 >=
         static_cast<unsigned __int128>(a_.dim[i]) * below;
}

/// What the tensor spans by its largest dimension, as libraries work it out for their bit-21 workaround.
unsigned __int128 MapEncoder::tensor_bytes() const {
  const uint32_t slice = slice_bytes();
  unsigned __int128 span =
      static_cast<unsigned __int128>(a_.dim[0]) * (slice != 0 ? slice * 8 : element_bits_) / 8;
  for (uint32_t i = 1; i < a_.rank; ++i)
    span = std::max(span, static_cast<unsigned __int128>(a_.dim[i]) * a_.stride[i - 1]);
  return span;
}

bool MapEncoder::modes() {
  const auto value = [](uint32_t v) { return std::to_string(v); };
  if (!require("V-21", a_.interleave <= host_interleave::by_32B, "interleave is " + value(a_.interleave)))
    return false;
  if (!require("V-04", a_.interleave == 0 || a_.rank >= 3, "an interleaved tensor has rank 3 or more"))
    return false;
  put(bits::interleave, a_.interleave);
  if (!require("V-22",
               a_.swizzle <= (has_new_values() ? host_swizzle::by_128B_atom64B : host_swizzle::by_128B),
               "swizzle " + value(a_.swizzle) + " does not exist on this device"))
    return false;
  if (a_.swizzle >= std::size(swizzle_codes)) return reject_unknown("swizzle");
  // Documents want the 32-byte swizzle; the H200 takes all that it has, none of the later atoms (V-24).
  const uint32_t widest = readings_.is({"X-11", "only_32b"}) ? host_swizzle::by_32B : host_swizzle::by_128B;
  const uint32_t narrowest = readings_.is({"X-11", "only_32b"}) ? host_swizzle::by_32B : host_swizzle::none;
  if (!require("V-24",
               a_.interleave != host_interleave::by_32B || (a_.swizzle >= narrowest && a_.swizzle <= widest),
               "this swizzle does not go with a 32-byte interleave"))
    return false;
  put(bits::swizzle_width, swizzle_codes[a_.swizzle].width);
  const uint32_t spans_128K =
      readings_.is({"TMA-AMB-28", "set_from_128_kib"}) && tensor_bytes() >= 131072 ? 4 : 0;
  put(bits::swizzle_atomicity, swizzle_codes[a_.swizzle].atomicity | spans_128K);
  if (!require("V-28", a_.l2_promotion <= 3, "l2Promotion is " + value(a_.l2_promotion))) return false;
  put(bits::l2_promotion, a_.l2_promotion);
  if (!require("V-29", a_.fill <= 1, "oobFill is " + value(a_.fill)) ||
      !require(
          "V-27",
          a_.fill == 0 || (a_.data_type >= host_type::first_float && a_.data_type < host_type::first_packed),
          "NaN fill is for floating-point types"))
    return false;
  put(bits::fill, a_.fill);
  return true;
}

bool MapEncoder::packed() {
  const uint32_t type = a_.data_type, swizzle = a_.swizzle;
  if (type == host_type::b4x16)
    return require("V-11", a_.dim[0] % 2 == 0, "globalDim[0] of a 4-bit type is odd");
  if (!is_padded()) return true;
  const bool atom_64B_too = type == host_type::b6x16_p32 || readings_.is({"TMA-AMB-15", "all_both_ways"});
  const bool swizzle_fits = swizzle == 0 || swizzle == host_swizzle::by_128B ||
                            swizzle == host_swizzle::by_128B_atom32B ||
                            (swizzle == host_swizzle::by_128B_atom64B && atom_64B_too);
  return require("V-10", a_.dim[0] % 128 == 0, "globalDim[0] of a padded type is not a multiple of 128") &&
         require("V-25", type != host_type::b6x16_p32 || a_.interleave == 0,
                 "a 6-bit type cannot be interleaved") &&
         require("V-26", swizzle_fits, "this swizzle is not for a padded type");
}

bool MapEncoder::fits_swizzle(uint64_t inner_bits) {
  const uint32_t span = swizzle_codes[a_.swizzle].span;
  return require("V-23", a_.interleave != 0 || span == 0 || inner_bits <= 8 * span,
                 "the box is wider than the " + std::to_string(span) + " bytes of the swizzle");
}

void MapEncoder::write_sizes(uint64_t box_bytes) {
  put(bits::box_bytes, box_bytes);
  put(bits::swizzle_period, swizzle_codes[a_.swizzle].period);
}

}  // namespace assay::emulator
