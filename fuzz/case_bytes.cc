// SPDX-License-Identifier: Apache-2.0
#include "fuzz/case_bytes.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/tma/engine.h"
#include "kernels/params/arena_image.h"
#include "reference/model/case_json.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::fuzz {
namespace {

/// Calls visit(row, scalar) for every member of a table, entries of lists and members of objects each.
template <typename Value, typename Visit>
void each(Value& value, const Visit& visit) {
  visit_fields(value, [&](const model::fields::Field& row, auto& member) {
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (requires { member.size(); }) {
      for (auto& entry : member) visit(row, entry);
    } else if constexpr (std::is_class_v<Member>) {
      each(member, visit);
    } else {
      visit(row, member);
    }
  });
}

template <typename Case>
CaseInput<Case> read(std::span<const uint8_t> input) {
  size_t at = 0;
  const auto next = [&]() -> uint64_t { return at < input.size() ? input[at++] : 0; };
  CaseInput<Case> made;
  made.arch = static_cast<spec::Arch>(next() % spec::arch_count);
  each(made.what, [&](const auto&, auto& scalar) {
    using Scalar = std::remove_reference_t<decltype(scalar)>;
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof scalar; ++i) value |= next() << (8 * i);
    if constexpr (std::is_same_v<Scalar, bool>)
      scalar = (value & 1) != 0;
    else if constexpr (std::is_enum_v<Scalar>)
      scalar = static_cast<Scalar>(value % std::size(spellings_of(scalar)));
    else
      scalar = static_cast<Scalar>(value);
  });
  return made;
}

template <typename Case>
Bytes write(CaseInput<Case> input) {
  Bytes made{static_cast<uint8_t>(input.arch)};
  each(input.what, [&](const auto&, auto& scalar) {
    const auto value = static_cast<uint64_t>(scalar);
    for (size_t i = 0; i < sizeof scalar; ++i) made.push_back(static_cast<uint8_t>(value >> (8 * i)));
  });
  return made;
}

template <typename Case>
std::string text(std::string_view property, const Case& c) {
  nlohmann::json file;
  file["property"] = property;
  file["case"] = model::to_json(c);
  return file.dump(1) + "\n";
}

/// Limits of arguments and of what counts them, for values beside them.
constexpr uint64_t corners[] = {
    0,     1,     2,      3,        4,          5,          7,          8,          16,         31,
    32,    64,    127,    128,      255,        256,        257,        512,        1024,       4096,
    16384, 65536, 233472, 1u << 20, 1ull << 31, 1ull << 32, 1ull << 36, 1ull << 40, 1ull << 57, ~0ull};

uint64_t changed(uint64_t value, gen::Random& random) {
  switch (random.below(9)) {
    case 0:
      return corners[random.below(std::size(corners))];
    case 1:
      return corners[random.below(std::size(corners))] + random.below(33) - 16;
    case 2:
      return value + 1;
    case 3:
      return value - 1;
    case 4:
      return value + 16 * (random.below(17) - uint64_t{8});
    case 5:
      return value * 2;
    case 6:
      return value / 2;
    case 7:
      return value ^ uint64_t { 1 } << random.below(64);
    default:
      return random.next() >> random.below(64);
  }
}

}  // namespace

CaseInput<TensorCopyCase> read_tiled_case(std::span<const uint8_t> input) {
  return read<TensorCopyCase>(input);
}
CaseInput<EncodeTiledCase> read_encode_case(std::span<const uint8_t> input) {
  return read<EncodeTiledCase>(input);
}
CaseInput<EncodeIm2colCase> read_encode_im2col_case(std::span<const uint8_t> input) {
  return read<EncodeIm2colCase>(input);
}
Bytes to_bytes(const CaseInput<TensorCopyCase>& input) {
  return write(input);
}
Bytes to_bytes(const CaseInput<EncodeTiledCase>& input) {
  return write(input);
}
Bytes to_bytes(const CaseInput<EncodeIm2colCase>& input) {
  return write(input);
}

void mutate_map(TensorMapArgs& map, gen::Random& random) {
  uint32_t count = 0;
  each(map, [&](const auto&, auto&) { ++count; });
  const uint32_t chosen = random.below(count), other = random.below(count);
  uint64_t from_other = 0;
  uint32_t at = 0;
  each(map, [&](const auto&, auto& scalar) { from_other = at++ == other ? scalar : from_other; });
  const bool copies = random.one_in(12);
  at = 0;
  each(map, [&](const auto& row, auto& scalar) {
    if (at++ != chosen) return;
    using Scalar = std::remove_reference_t<decltype(scalar)>;
    const bool is_mode = row.unit.empty();
    scalar = static_cast<Scalar>(is_mode && !random.one_in(8) ? random.below(18)
                                 : copies                     ? from_other
                                                              : changed(scalar, random));
  });
}

void mutate_map(Im2colMapArgs& map, gen::Random& random) {
  TensorMapArgs& base = map;
  if (!random.one_in(3)) return mutate_map(base, random);
  const auto each_of_column = [&](const auto& visit) {
    each(map, [&](const auto&, auto& scalar) {
      using Scalar = std::remove_reference_t<decltype(scalar)>;
      const auto* const at = reinterpret_cast<const std::byte*>(&scalar);
      if constexpr (!std::is_same_v<Scalar, bool>)
        if (at >= reinterpret_cast<const std::byte*>(&base + 1)) visit(scalar);
    });
  };
  uint32_t count = 0, at = 0;
  each_of_column([&](auto&) { ++count; });
  const uint32_t chosen = random.below(count);
  each_of_column([&](auto& scalar) {
    using Scalar = std::remove_reference_t<decltype(scalar)>;
    if (at++ != chosen) return;
    // Corners lie on both sides of 0.
    const uint64_t value = changed(static_cast<uint64_t>(scalar), random);
    scalar = static_cast<Scalar>(random.one_in(4) ? ~value + 1 : value);
  });
}

size_t put_bytes(const Bytes& made, uint8_t* data, size_t size, size_t max_size) {
  if (made.size() > max_size) return std::min(size, max_size);
  std::copy(made.begin(), made.end(), data);
  return made.size();
}

std::string case_file_text(std::string_view property, const TensorCopyCase& c) {
  return text(property, c);
}
std::string case_file_text(std::string_view property, const EncodeTiledCase& c) {
  return text(property, c);
}
std::string case_file_text(std::string_view property, const EncodeIm2colCase& c) {
  return text(property, c);
}

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
