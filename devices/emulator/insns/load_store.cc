// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "devices/emulator/insns/lane_copy.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"

// ld, ldu, st (ptx, Data Movement and Conversion Instructions: ld, ld.global.nc, ldu, st). Memory order,
// scope and cache qualifiers change nothing here: every access is performed at once, in an order that all
// threads agree on.
namespace assay::emulator {
namespace {

constexpr std::string_view memory_qualifiers =
    "weak volatile relaxed acquire release mmio sys gpu cta cluster global shared shared::cta "
    "shared::cluster local "
    "param param::entry param::func const ca cg cs lu cv nc wb wt v2 v4 v8 L1::evict_normal "
    "L1::evict_unchanged "
    "L1::evict_first L1::evict_last L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last "
    "L2::cache_hint "
    "L2::64B L2::128B L2::256B "
    "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64 b128";

struct MemoryForm {
  Space space;
  uint32_t element_bytes;
  uint32_t count;
  bool is_signed;
  uint32_t bytes() const { return element_bytes * count; }
};

std::optional<MemoryForm> form_of_memory(const Opcode& opcode) {
  if (!only_known_qualifiers(opcode, memory_qualifiers)) return std::nullopt;
  MemoryForm form{space_of(opcode), 0, 1, false};
  for (const std::string& qualifier : opcode.qualifiers) {
    const uint32_t bytes = type_bytes(qualifier);
    if (bytes == 0) continue;
    if (form.element_bytes != 0) return std::nullopt;
    form.element_bytes = bytes;
    form.is_signed = qualifier[0] == 's';
  }
  if (form.element_bytes == 0) return std::nullopt;
  form.count = opcode.has("v2") ? 2 : opcode.has("v4") ? 4 : opcode.has("v8") ? 8 : 1;
  // (ptx, ld, st: vectors) up to 32 bytes, b128 alone.
  if (form.bytes() > 32 || (form.count == 8 && form.element_bytes != 4) ||
      (form.element_bytes == 16 && form.count != 1))
    return std::nullopt;
  return form;
}

/// The registers of a scalar or vector operand, or nothing if they do not fit the form.
bool fits_memory(const Operand& operand, const MemoryForm& form, bool is_destination) {
  const auto one = [&](const Operand& item) {
    if (item.kind == Operand::Kind::sink) return is_destination;
    if (item.kind != Operand::Kind::value || item.bits == 1) return false;
    if (is_destination && !item.is_register) return false;
    if (form.element_bytes == 16) return item.is_register && item.bits == 128;
    return !item.is_register || (item.bits >= form.element_bytes * 8 && item.bits != 128);
  };
  // A scalar may stand in braces, as a vector of one.
  if (form.count == 1 && operand.kind != Operand::Kind::vector) return one(operand);
  if (operand.kind != Operand::Kind::vector || operand.items.size() != form.count) return false;
  for (const Operand& item : operand.items)
    if (!one(item)) return false;
  return true;
}

uint64_t extend(uint64_t value, uint32_t bytes) {
  const uint32_t shift = 64 - bytes * 8;
  return static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift);
}

/// Where the elements of a scalar or vector operand live; null for a sink.
struct MemoryColumns {
  std::array<uint64_t*, 8> column{};
  std::array<uint64_t, 8> mask{};  ///< of the register's width
  MemoryColumns(const Step& step, const Operand& operand, const MemoryForm& form) {
    for (uint32_t i = 0; i < form.count; ++i) {
      const Operand& item = operand.part(i);
      if (item.kind == Operand::Kind::sink) continue;
      column[i] = step.column(item.column);
      mask[i] = item.bits < 64 ? (1ull << item.bits) - 1 : ~0ull;
    }
  }
};

/// The long way, lane by lane: it finds the words for errors, and tells the strict mode.
template <uint32_t N>
void load_lane(Step& step, const MemoryForm& form, const MemoryColumns& to, int lane, uint64_t address) {
  const Place place = resolve(step, lane, form.space, address, form.bytes(), form.bytes(), false);
  note_load(step, lane, place, form.bytes());
  for (uint32_t i = 0; i < form.count; ++i) {
    if (to.column[i] == nullptr) continue;
    uint64_t words[2] = {0, 0};
    std::memcpy(words, place.bytes + i * N, N);
    if (N < 8 && form.is_signed) words[0] = extend(words[0], N);
    to.column[i][lane] = words[0] & to.mask[i];
    if constexpr (N == 16) to.column[i][warp_lanes + lane] = words[1];
    const bool is_tainted = place.written != nullptr && std::memchr(place.written + i * N, 0, N) != nullptr;
    if (is_tainted || step.warp.has_taint)
      step.warp.mark_taint(step.operand(0).part(i).column, lane, is_tainted, N == 16);
  }
}

template <uint32_t N>
void store_lane(Step& step, const MemoryForm& form, const MemoryColumns& from, int lane, uint64_t address) {
  const Place place = resolve(step, lane, form.space, address, form.bytes(), form.bytes(), true);
  for (uint32_t i = 0; i < form.count; ++i) {
    uint64_t words[2] = {from.column[i][lane], 0};
    if constexpr (N == 16) words[1] = from.column[i][warp_lanes + lane];
    std::memcpy(place.bytes + i * N, words, N);
    Place part = place;
    part.bytes += i * N;
    if (part.written != nullptr) part.written += i * N;
    part.shared_address += i * N;
    note_store(step, lane, part, N, step.tainted(step.operand(1).part(i), lane));
  }
}

/// Forgets the taint of what an instruction has loaded.
void clear_taint(Warp& warp, const Operand& operand, const MemoryForm& form, uint32_t mask) {
  for (uint32_t i = 0; i < form.count; ++i) {
    const Operand& item = operand.part(i);
    if (item.kind == Operand::Kind::sink) continue;
    warp.taint[item.column.index] &= ~mask;
    if (form.element_bytes == 16) warp.taint[item.column.index + 1] &= ~mask;
  }
}

bool holds_taint(const Warp& warp, const Operand& operand, const MemoryForm& form, uint32_t mask) {
  if (!warp.has_taint) return false;
  for (uint32_t i = 0; i < form.count; ++i) {
    const Column column = operand.part(i).column;
    if (!(column.index & Column::constant_bank) && (warp.taint[column.index] & mask) != 0) return true;
  }
  return false;
}

/// The lanes whose store leaves memory as it is.
template <uint32_t N>
uint32_t repeating_lanes(const Window& window, const LanePlaces& places, uint32_t mask,
                         const MemoryForm& form, const MemoryColumns& from) {
  uint32_t changed = 0;
  for_lanes(mask, [&](int lane) {
    const std::byte* const at = window.host + places.offset[static_cast<size_t>(lane)];
    for (uint32_t i = 0; i < form.count; ++i) {
      const uint64_t words[2] = {from.column[i][lane], N == 16 ? from.column[i][warp_lanes + lane] : 0};
      if (std::memcmp(at + i * N, words, N) != 0) changed |= 1u << lane;
    }
  });
  return mask & ~changed;
}

/// Where the lanes of a plain access lie, if they lie in one window.
bool find_lanes(const Step& step, const MemoryForm& form, const Operand& place, bool is_write, Window& window,
                LanePlaces& places) {
  const uint64_t* const addresses = step.column(place.column);
  const uint64_t added = static_cast<uint64_t>(place.offset);
  window = find_window(step, form.space, addresses[__builtin_ctz(step.mask)] + added, is_write);
  return find_places(window, addresses, added, step.mask, form.bytes(), places);
}

template <uint32_t N>
uint32_t load_memory(Step& step) {
  const MemoryForm& form = step.data<MemoryForm>();
  const Operand& source = step.operand(1);
  const MemoryColumns to(step, step.operand(0), form);
  if (step.instruction.order.is_strong) note_order(step, form.space, source, form.bytes(), true, false);
  Window window;
  LanePlaces places;
  if (!find_lanes(step, form, source, false, window, places) ||
      (window.written != nullptr && !is_all_written(window.written, places, step.mask, form.bytes()))) {
    const uint64_t* addresses = step.column(source.column);
    for_lanes(step.mask, [&](int lane) {
      load_lane<N>(step, form, to, lane, addresses[lane] + static_cast<uint64_t>(source.offset));
    });
    return step.mask;
  }
  StrictMode* const strict = step.cluster.strict.get();
  if (strict != nullptr && window.written != nullptr)
    strict->generic_accesses(step, window, places, form.bytes(), false);
  else if (strict != nullptr && form.space <= Space::global)
    strict->global_accesses(step, window, places, form.bytes(), nullptr, false);
  if (strict != nullptr && window.written == nullptr && strict->looks_at_global_loads(window.begin))
    for_lanes(step.mask, [&](int lane) {
      note_told_load(step, lane, window.place(places.offset[static_cast<size_t>(lane)]), form.bytes());
    });
  for (uint32_t i = 0; i < form.count; ++i)
    if (to.column[i] != nullptr)
      load_element<N>(window.host, places, step.mask, form.bytes(), i * N, form.is_signed, to.column[i],
                      to.mask[i]);
  if (step.warp.has_taint) clear_taint(step.warp, step.operand(0), form, step.mask);
  return step.mask;
}

/// What a plain store writes to global memory, for the strict mode.
template <uint32_t N>
void tell_stores(const Step& step, const MemoryForm& form, const MemoryColumns& from, const Window& window,
                 const LanePlaces& places) {
  StrictMode* const strict = step.cluster.strict.get();
  if (strict == nullptr || !strict->follows_global) return;
  std::array<std::byte, size_t{32} * warp_lanes> values;
  for_lanes(step.mask, [&](int lane) {
    for (uint32_t i = 0; i < form.count; ++i) {
      const uint64_t words[2] = {from.column[i][lane], N == 16 ? from.column[i][warp_lanes + lane] : 0};
      std::memcpy(values.data() + static_cast<size_t>(lane) * form.bytes() + i * N, words, N);
    }
  });
  strict->global_accesses(step, window, places, form.bytes(), values.data(), true);
}

template <uint32_t N>
uint32_t store_memory(Step& step) {
  const MemoryForm& form = step.data<MemoryForm>();
  const Operand& destination = step.operand(0);
  const Operand& source = step.operand(1);
  const MemoryColumns from(step, source, form);
  ++step.cluster.progress;
  Window window;
  LanePlaces places;
  const bool is_in_window = find_lanes(step, form, destination, true, window, places);
  const bool is_strong = step.instruction.order.is_strong;
  const bool is_watched = step.cluster.strict && is_in_window && (is_strong || window.written != nullptr);
  const uint32_t repeating = is_watched ? repeating_lanes<N>(window, places, step.mask, form, from) : 0;
  if (is_strong) note_order(step, form.space, destination, form.bytes(), false, true, repeating);
  if (!is_in_window) {
    const uint64_t* addresses = step.column(destination.column);
    for_lanes(step.mask, [&](int lane) {
      store_lane<N>(step, form, from, lane, addresses[lane] + static_cast<uint64_t>(destination.offset));
    });
    return step.mask;
  }
  const bool is_shared = window.written != nullptr;
  // Of lanes that store to one place the last wins, element by element as lane by lane.
  for (uint32_t i = 0; i < form.count; ++i)
    store_element<N>(window.host, places, step.mask, form.bytes(), i * N, from.column[i]);
  if ((step.cluster.strict == nullptr || is_shared) && !holds_taint(step.warp, source, form, step.mask)) {
    if (is_shared) mark_written(window.written, places, step.mask, form.bytes());
    if (step.cluster.strict)
      step.cluster.strict->generic_accesses(step, window, places, form.bytes(), true, repeating);
    return step.mask;
  }
  if (!is_shared) tell_stores<N>(step, form, from, window, places);
  for_lanes(step.mask, [&](int lane) {
    for (uint32_t i = 0; i < form.count; ++i) {
      const Place place = window.place(places.offset[static_cast<size_t>(lane)] + i * N);
      (is_shared ? note_store : note_told_store)(step, lane, place, N, step.tainted(source.part(i), lane));
    }
  });
  return step.mask;
}

Execute choose_memory(const MemoryForm& form, bool is_load) {
  switch (form.element_bytes) {
    case 1:
      return is_load ? load_memory<1> : store_memory<1>;
    case 2:
      return is_load ? load_memory<2> : store_memory<2>;
    case 4:
      return is_load ? load_memory<4> : store_memory<4>;
    case 8:
      return is_load ? load_memory<8> : store_memory<8>;
    default:
      return is_load ? load_memory<16> : store_memory<16>;
  }
}

bool has_policy_operand(const Opcode& opcode, const std::vector<Operand>& operands) {
  if (!opcode.has("L2::cache_hint")) return operands.size() == 2;
  return operands.size() == 3 && operands[2].kind == Operand::Kind::value;
}

std::optional<LoweringError> lower_memory_load(const Opcode& opcode, Target, Instruction& instruction) {
  const auto form = form_of_memory(opcode);
  if (!form) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (!has_policy_operand(opcode, operands) || operands[1].kind != Operand::Kind::address ||
      !operands[1].items.empty() || !fits_memory(operands[0], *form, true))
    return wrong_operands(opcode, "a destination register (or vector) of its type and an address");
  instruction.data = std::make_shared<const MemoryForm>(*form);
  instruction.execute = choose_memory(*form, true);
  return std::nullopt;
}

std::optional<LoweringError> lower_memory_store(const Opcode& opcode, Target, Instruction& instruction) {
  const auto form = form_of_memory(opcode);
  if (!form || form->space == Space::constant) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (!has_policy_operand(opcode, operands) || operands[0].kind != Operand::Kind::address ||
      !operands[0].items.empty() || !fits_memory(operands[1], *form, false))
    return wrong_operands(opcode, "an address and a source (or vector) of its type");
  instruction.data = std::make_shared<const MemoryForm>(*form);
  instruction.execute = choose_memory(*form, false);
  return std::nullopt;
}

const RegisteredFamily memory_ld("ld", lower_memory_load);
const RegisteredFamily ldu("ldu", lower_memory_load);
const RegisteredFamily memory_st("st", lower_memory_store);

}  // namespace
}  // namespace assay::emulator
