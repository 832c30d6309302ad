// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/tma/engine.h"

namespace assay::emulator {

/// For self-tests: encodes a map, runs one copy on memory of its own and says what moved. Global memory is
/// one block at `tensor_address`, shared memory a window of 256 KiB.
class CopyRig final : private CopyMemory {
 public:
  static constexpr uint64_t tensor_address = 0x10000000;
  static constexpr size_t shared_bytes = 256 * 1024;

  Settings settings;
  // arguments of the encoder
  uint64_t address = tensor_address;
  uint32_t data_type = 0, rank = 1, interleave = 0, swizzle = 0, l2_promotion = 0, fill = 0;
  std::vector<uint64_t> dim, stride;  ///< strides in bytes, one less than dimensions
  std::vector<uint32_t> box, traversal;
  // the copy
  TensorCopyKind kind = TensorCopyKind::load;
  std::vector<int32_t> coord;
  uint32_t shared_address = 0x400;
  TensorMapBytes map{};
  // memory, filled by the test or by run()
  std::vector<std::byte> global_bytes;  ///< from tensor_address on
  std::vector<std::byte> shared = std::vector<std::byte>(shared_bytes, std::byte{0xcd});

  CopyRig() { settings.target = Target::sm_90; }

  /// Writes `map`.
  EncodeRejection encode() {
    static constexpr uint64_t no_strides[1] = {};
    EncodeTiledArguments args;
    args.map = map.data();
    args.data_type = data_type, args.rank = rank, args.address = address;
    args.dim = dim.data(), args.stride = stride.empty() ? no_strides : stride.data();
    args.box = box.data(), args.traversal = traversal.data();
    args.interleave = interleave, args.swizzle = swizzle, args.l2_promotion = l2_promotion, args.fill = fill;
    return encode_tiled(args, settings);
  }

  TensorCopyPlan plan() const {
    TensorCopyRequest request{map, kind, static_cast<int>(rank), {}, shared_address, settings.target};
    for (size_t i = 0; i < coord.size() && i < 5; ++i) request.coord[i] = coord[i];
    return plan_tensor_copy(request, settings);
  }

  /// Runs the copy on `global` and `shared`. The fault, if any.
  std::optional<TensorCopyFault> run() {
    const TensorCopyPlan copy = plan();
    if (copy.fault) return copy.fault;
    return apply_tensor_copy(copy, *this, settings);
  }

 private:
  template <typename Bytes>
  static auto* range(Bytes& bytes, uint64_t at, size_t size) {
    return at > bytes.size() || size > bytes.size() - at ? nullptr : bytes.data() + at;
  }
  std::byte* global(uint64_t address, size_t bytes) override {
    return range(global_bytes, address - tensor_address, bytes);
  }
  std::byte* shared_for_write(uint32_t address, size_t bytes) override {
    return range(shared, address, bytes);
  }
  const std::byte* shared_for_read(uint32_t address, size_t bytes) override {
    return range(shared, address, bytes);
  }
};

}  // namespace assay::emulator
