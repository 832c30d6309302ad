// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/encode/encode_im2col.h"

#include <array>
#include <string>

#include "devices/emulator/encode/host_values.h"
#include "devices/emulator/tma/steps.h"
#include "reference/spec/im2col_map_bits.h"
#include "reference/spec/wide_map_bits.h"

namespace assay::emulator {
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
    const bool is_refused = args_.wide && target_ == Target::sm_90a && readings_.is({"X-12", "refused"});
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
