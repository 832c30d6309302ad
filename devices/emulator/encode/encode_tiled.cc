// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/encode/encode_tiled.h"

#include <cstring>
#include <string_view>

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

}  // namespace assay::emulator
