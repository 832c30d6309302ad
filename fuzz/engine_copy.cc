// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine_copy.h"

#include <algorithm>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/tma/engine.h"
#include "kernels/params/arena_image.h"
#include "reference/model/rig.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::fuzz {
namespace {

using namespace emulator;

/// Where the tensor memory of a case begins, and the window in the CTA's shared memory.
constexpr uint64_t memory_address = 0x7f12'3400'0000;
constexpr uint32_t window_address = params::window_alignment;

class CaseMemory final : public CopyMemory {
 public:
  CaseMemory(std::span<std::byte> tensor, std::span<std::byte> window) : tensor_(tensor), window_(window) {}
  std::byte* global(uint64_t address, size_t bytes) override {
    return part(tensor_, address - memory_address, bytes);
  }
  std::byte* shared_for_write(uint32_t address, size_t bytes) override {
    return part(window_, uint64_t{address} - window_address, bytes);
  }
  const std::byte* shared_for_read(uint32_t address, size_t bytes) override {
    return shared_for_write(address, bytes);
  }

 private:
  static std::byte* part(std::span<std::byte> of, uint64_t at, size_t bytes) {
    return at > of.size() || bytes > of.size() - at ? nullptr : of.data() + at;
  }
  std::span<std::byte> tensor_, window_;
};

RecordEnd ended(Ended how, int32_t code = 0) {
  return {how, code, ~0u, 0};
}
RecordEnd ended(const TensorCopyFault& fault) {
  using Kind = Diagnostic::Kind;
  const int32_t code = fault.kind == Kind::illegal_instruction  ? 715
                       : fault.kind == Kind::misaligned_address ? 716
                       : fault.kind == Kind::illegal_address    ? 700
                                                                : 719;
  return ended(Ended::faulted, code);
}

EncodeRejection encode(const TensorMapArgs& m, const Settings& settings, TensorMapBytes& map) {
  EncodeTiledArguments args;
  args.map = map.data();
  args.data_type = m.data_type, args.rank = m.rank, args.address = memory_address + m.global_address;
  args.dim = m.global_dim.data(), args.stride = m.global_stride.data();
  args.box = m.box_dim.data(), args.traversal = m.element_stride.data();
  args.interleave = m.interleave, args.swizzle = m.swizzle == swizzle_96B ? 0 : m.swizzle;
  args.l2_promotion = m.l2_promotion, args.fill = m.oob_fill;
  EncodeRejection refused = encode_tiled(args, settings);
  // As tensormap.replace.tile.swizzle_mode 4 does on the device.
  if (refused.empty() && m.swizzle == swizzle_96B) spec::put_raw(map, spec::tensor_map::swizzle_96B, 1);
  return refused;
}

}  // namespace

std::span<const std::byte> arena() {
  static const auto bytes = params::arena_image();
  return bytes;
}

CopyOutcome run_on_engine(const TensorCopyCase& c, const Settings& settings, uint32_t armed) {
  const bool store = c.direction == CopyDirection::store;
  CopyOutcome outcome{ended(Ended::done), {}};
  TensorMapBytes map{};
  if (!encode(c.map, settings, map).empty()) {
    outcome.end = ended(Ended::rejected, 1);
    return outcome;
  }
  const auto filled = [](uint64_t offset, uint32_t bytes) {
    const auto from = arena().subspan(offset, bytes);
    return std::vector<std::byte>(from.begin(), from.end());
  };
  std::vector<std::byte> window = filled(c.fill_offset, c.window_bytes), slot;
  if (store) slot = filled(c.slot_fill_offset, c.slot_bytes);
  // A load writes nothing to global memory.
  const std::span<std::byte> read_only(const_cast<std::byte*>(arena().data()), arena().size());
  CaseMemory memory(store ? std::span<std::byte>(slot) : read_only, window);

  TensorCopyRequest request{map,     TensorCopyKind::prefetch,       static_cast<int>(c.instruction_rank),
                            c.coord, window_address + c.tile_offset, settings.target};
  if (c.prefetch_first)
    if (const TensorCopyPlan plan = plan_tensor_copy(request, settings); plan.fault) {
      outcome.end = ended(*plan.fault);
      return outcome;
    }
  request.kind = store ? TensorCopyKind::store : TensorCopyKind::load;
  if (store && c.reduction != TensorReduction::none)
    request.reduction = static_cast<emulator::ReduceOp>(static_cast<uint32_t>(c.reduction) - 1);
  const TensorCopyPlan plan = plan_tensor_copy(request, settings);
  if (plan.fault) {
    outcome.end = ended(*plan.fault);
    return outcome;
  }
  if (const auto fault = apply_tensor_copy(plan, memory, settings)) {
    outcome.end = ended(*fault);
    return outcome;
  }
  if (!store && plan.transaction_bytes != armed)
    outcome.end = ended(plan.transaction_bytes < armed ? Ended::timed_out : Ended::surplus);
  outcome.output = store ? std::move(slot) : std::move(window);
  return outcome;
}

}  // namespace assay::fuzz
