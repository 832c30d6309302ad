// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/tma/steps.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {
namespace {

namespace bits = spec::tensor_map;

/// One call.
class TiledEncoder final : private MapEncoder {
 public:
  TiledEncoder(const EncodeTiledArguments& args, const Settings& settings)
      : MapEncoder(args, settings), box_(args.box), args_(args) {}

  EncodeRejection encode() {
    if (pointers() && require("V-43", box_ != nullptr, "boxDim is null") && no_zeros()) {
      map_.fill(std::byte{0});
      const bool accepted = rank() && type() && address() && extents() && strides() && modes() && box() &&
                            packed() && packed_box() && holds_up();
      if (accepted) {
        write_sizes(box_bytes_);
        steps_.map_written(map_, args_);
      }
      give(accepted);
    }
    return rejection_;
  }

 private:
  bool no_zeros() {
    if (!no_zero_extents()) return false;
    for (uint32_t i = 0; i < a_.rank && a_.rank <= 5; ++i)
      if (!require("V-15", box_[i] != 0, at("boxDim", i) + " is 0")) return false;
    return true;
  }

  bool rank() {
    // Not a rule that a fault could lift: the arrays have five entries at most.
    if (a_.rank > 5) {
      rejection_ = "tensorRank is " + std::to_string(a_.rank) + "; expected 1 to 5 (V-03)";
      return false;
    }
    put(bits::rank, a_.rank);
    return true;
  }

  bool box() {
    const uint64_t inner_bits = uint64_t{box_[0]} * element_bits_;
    const bool exempt = a_.interleave != 0 && readings_.is({"X-08", "any_extent"});
    if (!require("V-16", exempt || inner_bits % 128 == 0, "the box is not a multiple of 16 bytes wide") ||
        !fits_swizzle(inner_bits))
      return false;
    uint64_t written = element_bits_, limited = element_bits_;
    for (uint32_t i = 0; i < a_.rank; ++i) {
      if (!require("V-15", box_[i] <= 256, at("boxDim", i) + " is above 256")) return false;
      put(bits::box_dim[i], box_[i]);
      const uint32_t step = a_.traversal[i] == 0 ? 1 : a_.traversal[i];
      written *= box_[i] / step;
      limited *= i == 0 && a_.interleave == 0 ? box_[i] : (box_[i] + step - 1) / step;
    }
    box_bytes_ = written / 8;
    // The driver limits its own count, which is not that of the copy (H200: X-02).
    const uint64_t counted = readings_.is({"X-02", "as_copied"}) ? limited / 8 : box_bytes_;
    return require("V-48", counted <= 228 * 1024 || readings_.is({"X-01", "unlimited"}),
                   "the box has " + std::to_string(counted) + " bytes; the maximum is 233472");
  }

  bool packed_box() {
    return require("V-17", !is_padded() || box_[0] == 128, "boxDim[0] of a padded type is not 128");
  }

  /// All rules hold; only a fault says no.
  bool holds_up() {
    if (steps_.accepts(args_)) return true;
    rejection_ = "refused, though every rule holds";
    return false;
  }

  const uint32_t* const box_;
  const EncodeTiledArguments& args_;
  uint64_t box_bytes_ = 0;
};

}  // namespace

EncodeRejection encode_tiled(const EncodeTiledArguments& args, const Settings& settings) {
  return TiledEncoder(args, settings).encode();
}

EncodeRejection replace_address(std::byte* map, uint64_t address, const Settings& settings) {
  const Steps& steps = steps_for(settings);
  if (map == nullptr) return "tensorMap is null (V-43)";
  if (!steps.rule("V-42", address != 0)) return "globalAddress is null (V-42)";
  if (!steps.rule("V-42", address % 16 == 0)) return "globalAddress is not a multiple of 16 (V-42)";
  if (!steps.rule("V-49", address < uint64_t{1} << 57)) return "globalAddress is 2^57 or above (V-49)";
  spec::TensorMapBytes before, copy;
  std::memcpy(before.data(), map, before.size());
  copy = before;
  spec::put(copy, bits::global_address, steps.encoded(bits::global_address, address));
  steps.address_replaced(copy, before);
  std::memcpy(map, copy.data(), copy.size());
  return {};
}

namespace {

namespace bits = spec::tensor_map;

/// One call.
class Im2colEncoder final : private MapEncoder {
 public:
  Im2colEncoder(const EncodeIm2colArguments& args, const Settings& settings)
      : MapEncoder(args, settings),
        args_(args),
        as_written_(args.wide && readings_.is({"X-13", "as_written"})) {}

  EncodeRejection encode() {
    if (pointers() && corner_pointers() && no_zeros()) {
      map_.fill(std::byte{0});
      const bool accepted = device() && rank() && type() && address() && extents() && strides() && modes() &&
                            wide_modes() && corners() && column() && packed() && holds_up();
      if (accepted) {
        write_sizes(column_bytes());
        steps_.im2col_map_written(map_, args_);
      }
      give(accepted);
    }
    return rejection_;
  }

 private:
  /// A real driver reads through them and crashes (H200: V-43).
  bool corner_pointers() {
    if (args_.lower != nullptr && args_.upper != nullptr) return true;
    rejection_ = "a pixelBox corner array is null; a real driver crashes (V-43)";
    return false;
  }

  bool no_zeros() {
    if (!no_zero_extents() || !require("V-32", args_.channels != 0, "channelsPerPixel is 0")) return false;
    return (as_written_ && args_.mode == 1) || require("V-33", args_.pixels != 0, "pixelsPerColumn is 0");
  }

  bool device() {
    const bool is_refused = args_.wide && !is_from_sm_100(target_) && readings_.is({"X-12", "refused"});
    return require("V-36", !is_refused, "this device has no wide im2col");
  }

  bool rank() {
    // Not a rule that a fault could lift: no map of another rank has corners.
    if (a_.rank < 3 || a_.rank > 5) {
      rejection_ = "tensorRank is " + std::to_string(a_.rank) + "; expected 3 to 5 (V-03)";
      return false;
    }
    put(bits::rank, a_.rank);
    put(bits::mode, 1);
    if (as_written_) {
      put(spec::tensor_map::wide, 1);
      put(spec::tensor_map::wide_128, args_.mode & 1);
    }
    return true;
  }

  bool wide_modes() {
    if (!args_.wide) return true;
    if (!require("V-40", args_.mode <= 1, "mode is " + std::to_string(args_.mode))) return false;
    return !as_written_ ||
           (require("V-39", a_.interleave == 0, "a wide map is not interleaved") &&
            require("V-38", a_.swizzle >= host_swizzle::by_64B && a_.swizzle <= host_swizzle::by_128B_atom32B,
                    "this swizzle is not for a wide map"));
  }

  uint32_t axes() const { return a_.rank - 2; }
  int32_t lower(uint32_t k) const { return args_.wide && k > 0 ? 0 : args_.lower[k]; }
  int32_t upper(uint32_t k) const { return args_.wide && k > 0 ? 0 : args_.upper[k]; }
  /// Width of a corner in the map: the wide map's are as those of rank 3.
  int layout_rank() const { return as_written_ ? 3 : static_cast<int>(a_.rank); }

  bool corners() {
    const uint32_t given = args_.wide ? 1 : axes();
    const int32_t end = 1 << (bits::corner_bits(layout_rank()) - 1);
    for (uint32_t k = 0; k < given; ++k)
      for (const int32_t corner : {lower(k), upper(k)})
        if (!require(as_written_ ? "V-37" : "V-31", corner >= -end && corner < end,
                     at("a pixelBox corner", k) + " is " + std::to_string(corner) + "; expected " +
                         std::to_string(-end) + " to " + std::to_string(end - 1)))
          return false;
    for (uint32_t k = 0; k < (as_written_ ? 1 : axes()); ++k)
      if (!require("V-34", is_open(k), "the pixel box is empty along axis " + std::to_string(k)))
        return false;
    for (uint32_t k = 0; k < given; ++k) {
      put(bits::corner_at(layout_rank(), static_cast<int>(k), false), static_cast<uint32_t>(lower(k)));
      put(bits::corner_at(layout_rank(), static_cast<int>(k), true), static_cast<uint32_t>(upper(k)));
    }
    return true;
  }
  /// The driver adds in 32 bits (H200: X-07).
  bool is_open(uint32_t k) const {
    const uint64_t extent = a_.dim[a_.interleave == 0 ? k + 1 : k];
    if (readings_.is({"X-07", "exactly"})) return static_cast<int64_t>(extent) + upper(k) > lower(k);
    const uint32_t sum = static_cast<uint32_t>(extent) + static_cast<uint32_t>(upper(k));
    return static_cast<int32_t>(sum) > lower(k);
  }

  uint64_t column_bytes() const { return uint64_t{args_.channels} * args_.pixels * element_bits_ / 8; }

  bool column() {
    const uint64_t inner_bits = uint64_t{args_.channels} * element_bits_;
    if (!require("V-32", args_.channels <= 256 && (!is_padded() || args_.channels == 128),
                 "channelsPerPixel is " + std::to_string(args_.channels) +
                     "; the maximum is 256, and a padded type requires 128") ||
        !require("V-35", inner_bits % 128 == 0, "a pixel is not a multiple of 16 bytes wide") ||
        !fits_swizzle(inner_bits))
      return false;
    put(bits::channels, args_.channels);
    if (as_written_ && args_.mode == 1) return true;
    if (!require("V-33", args_.pixels <= 1024,
                 "pixelsPerColumn is " + std::to_string(args_.pixels) + "; the maximum is 1024"))
      return false;
    put(bits::pixels, args_.pixels);
    return require("V-48", column_bytes() <= 228 * 1024 || readings_.is({"X-01", "unlimited"}),
                   "a column has " + std::to_string(column_bytes()) + " bytes; the maximum is 233472");
  }

  /// All rules hold; only a fault says no.
  bool holds_up() {
    if (steps_.accepts_im2col(args_)) return true;
    rejection_ = "refused, though every rule holds";
    return false;
  }

  const EncodeIm2colArguments& args_;
  const bool as_written_;  ///< a wide map under the documents' rules
};

}  // namespace

EncodeRejection encode_im2col(const EncodeIm2colArguments& args, const Settings& settings) {
  return Im2colEncoder(args, settings).encode();
}

}  // namespace assay::emulator
