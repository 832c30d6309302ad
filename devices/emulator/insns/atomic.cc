// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstring>

#include "devices/emulator/alu/half.h"
#include "devices/emulator/insns/atomic.h"
#include "devices/emulator/insns/lane_copy.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"

// atom, red (ptx, Parallel Synchronization and Communication Instructions: atom, red). One lane after the
// other, so that every operation sees the one before it.
namespace assay::emulator {
namespace {

constexpr std::string_view qualifiers =
    "relaxed acquire release acq_rel gpu sys cta cluster global shared shared::cta shared::cluster and or "
    "xor cas exch "
    "add inc dec min max noftz L2::cache_hint v2 v4 v8 b16 b32 b64 b128 u32 u64 s32 s64 f32 f64 f16 f16x2 "
    "bf16 bf16x2";

using Combine = AtomicCombine;

template <class T>
T value_of(uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}
template <class T>
uint64_t word_of(T value) {
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
uint64_t add_integer(uint64_t old, uint64_t b, uint64_t) {
  return word_of<T>(static_cast<T>(value_of<T>(old) + value_of<T>(b)));
}
template <class T>
uint64_t smaller(uint64_t old, uint64_t b, uint64_t) {
  return word_of<T>(std::min(value_of<T>(old), value_of<T>(b)));
}
template <class T>
uint64_t larger(uint64_t old, uint64_t b, uint64_t) {
  return word_of<T>(std::max(value_of<T>(old), value_of<T>(b)));
}
template <class T>
uint64_t compare_and_swap(uint64_t old, uint64_t b, uint64_t c) {
  return value_of<T>(old) == value_of<T>(b) ? word_of<T>(value_of<T>(c)) : old;
}
uint64_t exchange(uint64_t, uint64_t b, uint64_t) {
  return b;
}

/// (ptx, atom) inc: old >= b ? 0 : old + 1; dec: old == 0 or old > b ? b : old - 1.
uint64_t increment(uint64_t old, uint64_t b, uint64_t) {
  return static_cast<uint32_t>(old) >= static_cast<uint32_t>(b) ? 0 : static_cast<uint32_t>(old) + 1;
}
uint64_t decrement(uint64_t old, uint64_t b, uint64_t) {
  const uint32_t value = static_cast<uint32_t>(old), limit = static_cast<uint32_t>(b);
  return value == 0 || value > limit ? limit : value - 1;
}

float canonical(float value) {
  return value != value ? std::bit_cast<float>(0x7fffffffu) : value;
}

/// (ptx, atom) f32 add flushes subnormals to zero in global memory and keeps them in shared memory.
uint64_t add_f32_global(uint64_t old, uint64_t b, uint64_t) {
  return word_of(
      canonical(alu::flushed(alu::flushed(value_of<float>(old)) + alu::flushed(value_of<float>(b)))));
}
uint64_t add_f32_shared(uint64_t old, uint64_t b, uint64_t) {
  return word_of(canonical(value_of<float>(old) + value_of<float>(b)));
}
uint64_t add_f64(uint64_t old, uint64_t b, uint64_t) {
  const double sum = value_of<double>(old) + value_of<double>(b);
  return sum != sum ? 0x7fffffffffffffffull : word_of(sum);
}

struct F16 {
  static float widen(uint16_t bits) { return alu::f16_to_float(bits); }
  static uint16_t narrow(float value) { return alu::float_to_f16(value); }
};
struct BF16 {
  static float widen(uint16_t bits) { return alu::bf16_to_float(bits); }
  static uint16_t narrow(float value) { return alu::float_to_bf16(value); }
};
enum class HalfOp { add, min, max };

template <class Format, HalfOp op>
uint16_t half(uint16_t old, uint16_t b) {
  const float x = Format::widen(old), y = Format::widen(b);
  if constexpr (op == HalfOp::add) {
    // Rounding to 24 bits first does no harm: 24 >= 2 * 11 + 2, and a sum rounded twice equals one rounded
    // once then.
    return Format::narrow(x + y);
  } else {
    // NaN loses against a number; -0 is less than +0.
    if (x != x) return y != y ? 0x7fff : b;
    if (y != y) return old;
    const bool old_is_less = x < y || (x == y && std::signbit(x));
    return old_is_less == (op == HalfOp::min) ? old : b;
  }
}
template <class Format, HalfOp op, int lanes>
uint64_t halves(uint64_t old, uint64_t b, uint64_t) {
  uint64_t made = 0;
  for (int i = 0; i < lanes; ++i)
    made |= static_cast<uint64_t>(
                half<Format, op>(static_cast<uint16_t>(old >> 16 * i), static_cast<uint16_t>(b >> 16 * i)))
            << 16 * i;
  return made;
}

struct AtomicRow {
  std::string_view op, type;
  Combine combine, in_shared;  ///< in_shared: where it differs
};

constexpr AtomicRow atomic_rows[] = {
    {"and", "b32", [](uint64_t a, uint64_t b, uint64_t) { return a & b; }, nullptr},
    {"and", "b64", [](uint64_t a, uint64_t b, uint64_t) { return a & b; }, nullptr},
    {"or", "b32", [](uint64_t a, uint64_t b, uint64_t) { return a | b; }, nullptr},
    {"or", "b64", [](uint64_t a, uint64_t b, uint64_t) { return a | b; }, nullptr},
    {"xor", "b32", [](uint64_t a, uint64_t b, uint64_t) { return a ^ b; }, nullptr},
    {"xor", "b64", [](uint64_t a, uint64_t b, uint64_t) { return a ^ b; }, nullptr},
    {"cas", "b16", compare_and_swap<uint16_t>, nullptr},
    {"cas", "b32", compare_and_swap<uint32_t>, nullptr},
    {"cas", "u32", compare_and_swap<uint32_t>, nullptr},
    {"cas", "s32", compare_and_swap<uint32_t>, nullptr},
    {"cas", "b64", compare_and_swap<uint64_t>, nullptr},
    {"cas", "u64", compare_and_swap<uint64_t>, nullptr},
    {"exch", "b32", exchange, nullptr},
    {"exch", "u32", exchange, nullptr},
    {"exch", "s32", exchange, nullptr},
    {"exch", "f32", exchange, nullptr},
    {"exch", "b64", exchange, nullptr},
    {"exch", "u64", exchange, nullptr},
    {"add", "u32", add_integer<uint32_t>, nullptr},
    {"add", "s32", add_integer<uint32_t>, nullptr},
    {"add", "u64", add_integer<uint64_t>, nullptr},
    {"add", "s64", add_integer<uint64_t>, nullptr},
    {"add", "f32", add_f32_global, add_f32_shared},
    {"add", "f64", add_f64, nullptr},
    {"add", "f16", halves<F16, HalfOp::add, 1>, nullptr},
    {"add", "f16x2", halves<F16, HalfOp::add, 2>, nullptr},
    {"add", "bf16", halves<BF16, HalfOp::add, 1>, nullptr},
    {"add", "bf16x2", halves<BF16, HalfOp::add, 2>, nullptr},
    {"inc", "u32", increment, nullptr},
    {"dec", "u32", decrement, nullptr},
    {"min", "u32", smaller<uint32_t>, nullptr},
    {"min", "s32", smaller<int32_t>, nullptr},
    {"min", "u64", smaller<uint64_t>, nullptr},
    {"min", "s64", smaller<int64_t>, nullptr},
    {"max", "u32", larger<uint32_t>, nullptr},
    {"max", "s32", larger<int32_t>, nullptr},
    {"max", "u64", larger<uint64_t>, nullptr},
    {"max", "s64", larger<int64_t>, nullptr},
    // Vectors only (ptx, atom: .vec_16_bit, .vec_32_bit).
    {"min", "f16", halves<F16, HalfOp::min, 1>, nullptr},
    {"min", "f16x2", halves<F16, HalfOp::min, 2>, nullptr},
    {"min", "bf16", halves<BF16, HalfOp::min, 1>, nullptr},
    {"min", "bf16x2", halves<BF16, HalfOp::min, 2>, nullptr},
    {"max", "f16", halves<F16, HalfOp::max, 1>, nullptr},
    {"max", "f16x2", halves<F16, HalfOp::max, 2>, nullptr},
    {"max", "bf16", halves<BF16, HalfOp::max, 1>, nullptr},
    {"max", "bf16x2", halves<BF16, HalfOp::max, 2>, nullptr},
};

struct Form {
  Space space;
  uint32_t element_bytes = 0, count = 1;
  Combine combine = nullptr, in_shared = nullptr;
  bool has_result = false, is_cas = false, is_wide = false;
  uint32_t bytes() const { return element_bytes * count; }
};

/// An atomic access is one, whether it changes what is there or not.
void note_atomic(const Step& step, int lane, const Place& place, uint32_t bytes) {
  if (step.cluster.strict && !place.is_shared())
    step.cluster.strict->global_access(step, lane, reinterpret_cast<uint64_t>(place.bytes), bytes, true);
  if (step.cluster.strict && place.is_shared())
    step.cluster.strict->races.access(place.shared_address, bytes, step.issuer(lane), true,
                                      step.instruction.order);
}

/// cas and exch of 128 bits.
uint32_t execute_wide(Step& step) {
  const Form& form = step.data<Form>();
  note_order(step, form.space, step.operand(1), 16, true, true);
  for_lanes(step.mask, [&](int lane) {
    const Place place = resolve(step, lane, form.space, step.address(step.operand(1), lane), 16, 16, true);
    note_atomic(step, lane, place, 16);
    const auto pair = [&](const Operand& operand) {
      return std::array<uint64_t, 2>{step.value(operand, lane),
                                     step.column({operand.column.index + 1})[lane]};
    };
    std::array<uint64_t, 2> old;
    std::memcpy(old.data(), place.bytes, 16);
    const bool is_tainted = holds_unwritten(place, 16);
    std::array<uint64_t, 2> fresh = pair(step.operand(2));
    if (form.is_cas) fresh = old == fresh ? pair(step.operand(3)) : old;
    if (fresh != old) {
      std::memcpy(place.bytes, fresh.data(), 16);
      note_store(step, lane, place, 16, is_tainted && form.is_cas);
    }
    step.set_wide(step.operand(0), lane, old[0], old[1], is_tainted);
  });
  return step.mask;
}

/// One element a lane, of memory that was written and that nobody follows: what the long way below does,
/// without its questions. False: it is for that one.
template <class T>
bool execute_plain(Step& step, const Form& form) {
  if (step.cluster.strict || step.warp.has_taint) return false;
  const size_t at = form.has_result ? 1 : 0;
  const Operand& place = step.operand(at);
  const uint64_t* const addresses = step.column(place.column);
  const uint64_t added = static_cast<uint64_t>(place.offset);
  const Window window = find_window(step, form.space, addresses[__builtin_ctz(step.mask)] + added, true);
  LanePlaces places;
  if (!find_places(window, addresses, added, step.mask, sizeof(T), places)) return false;
  if (window.written != nullptr && !is_all_written(window.written, places, step.mask, sizeof(T)))
    return false;
  const Combine combine =
      window.written != nullptr && form.in_shared != nullptr ? form.in_shared : form.combine;
  const uint64_t* const b = step.column(step.operand(at + 1).column);
  const uint64_t* const c = form.is_cas ? step.column(step.operand(at + 2).column) : nullptr;
  const bool has_result = form.has_result && step.operand(0).kind != Operand::Kind::sink;
  uint64_t* const to = has_result ? step.column(step.operand(0).column) : nullptr;
  const uint16_t bits = has_result ? step.operand(0).bits : 64;
  const uint64_t cut = bits < 64 ? (1ull << bits) - 1 : ~0ull;
  bool has_changed = false;
  // In the order of the lanes: later ones meet what earlier ones left.
  for_lanes(step.mask, [&](int lane) {
    std::byte* const bytes = window.host + places.offset[static_cast<size_t>(lane)];
    T old;
    std::memcpy(&old, bytes, sizeof old);
    const T fresh = static_cast<T>(combine(old, b[lane], c == nullptr ? 0 : c[lane]));
    if (fresh != old) {
      std::memcpy(bytes, &fresh, sizeof fresh);
      has_changed = true;
    }
    if (to != nullptr) to[lane] = old & cut;
  });
  if (has_changed) ++step.cluster.progress;
  return true;
}

uint32_t execute_atomic(Step& step) {
  const Form& form = step.data<Form>();
  if (form.count == 1 && form.element_bytes == 4 && execute_plain<uint32_t>(step, form)) return step.mask;
  if (form.count == 1 && form.element_bytes == 8 && execute_plain<uint64_t>(step, form)) return step.mask;
  const size_t address = form.has_result ? 1 : 0;
  note_order(step, form.space, step.operand(address), form.bytes(), true, true);
  const auto item = [&](const Operand& operand, uint32_t i) -> const Operand& {
    return form.count == 1 ? operand : operand.items[i];
  };
  for_lanes(step.mask, [&](int lane) {
    const Place place = resolve(step, lane, form.space, step.address(step.operand(address), lane),
                                form.bytes(), form.bytes(), true);
    note_atomic(step, lane, place, form.bytes());
    const Combine combine = place.is_shared() && form.in_shared != nullptr ? form.in_shared : form.combine;
    for (uint32_t i = 0; i < form.count; ++i) {
      Place part = place;
      part.bytes += i * form.element_bytes;
      if (part.written != nullptr) part.written += i * form.element_bytes;
      part.shared_address += i * form.element_bytes;
      uint64_t old = 0;
      std::memcpy(&old, part.bytes, form.element_bytes);
      const Operand& b = item(step.operand(address + 1), i);
      const uint64_t c = form.is_cas ? step.value(step.operand(address + 2), lane) : 0;
      const uint64_t fresh = combine(old, step.value(b, lane), c);
      const bool was_unwritten = holds_unwritten(part, form.element_bytes);
      if (std::memcmp(&fresh, &old, form.element_bytes) != 0 || was_unwritten) {
        std::memcpy(part.bytes, &fresh, form.element_bytes);
        const bool keeps_old = combine != exchange;
        note_store(step, lane, part, form.element_bytes,
                   (was_unwritten && keeps_old) || step.tainted(b, lane));
      }
      if (form.has_result) step.set(item(step.operand(0), i), lane, old, was_unwritten);
    }
  });
  return step.mask;
}

std::optional<LoweringError> lower_atomic(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, qualifiers)) return unknown_opcode(opcode);
  Form form;
  form.space = space_of(opcode);
  form.has_result = opcode.base == "atom";
  form.count = opcode.has("v2") ? 2 : opcode.has("v4") ? 4 : opcode.has("v8") ? 8 : 1;
  std::string type;
  for (const std::string& qualifier : opcode.qualifiers)
    if (type_bytes(qualifier) != 0) type = qualifier;
  form.element_bytes = type_bytes(type);
  form.is_cas = opcode.has("cas");
  form.is_wide = type == "b128" && (form.is_cas || opcode.has("exch")) && form.has_result;
  for (const AtomicRow& row : atomic_rows)
    if (row.type == type && opcode.has(row.op)) {
      form.combine = row.combine;
      form.in_shared = row.in_shared;
    }
  // .noftz belongs to the 16-bit adds and they do not go without it (ptx, atom).
  const bool is_half = type.find("f16") != std::string::npos;
  const bool is_extreme = opcode.has("min") || opcode.has("max");
  if (!form.is_wide && form.combine == nullptr) return unknown_opcode(opcode);
  if (opcode.has("noftz") != is_half || (is_half && is_extreme && form.count == 1))
    return unknown_opcode(opcode);
  if (form.count != 1 && !(is_half || type == "f32")) return unknown_opcode(opcode);
  if (form.count != 1 && form.space != Space::global && form.space != Space::generic)
    return unknown_opcode(opcode);
  if (form.bytes() > 16) return unknown_opcode(opcode);

  const auto& operands = instruction.operands;
  const size_t address = form.has_result ? 1 : 0;
  const size_t wanted = address + 2 + (form.is_cas ? 1 : 0) + (opcode.has("L2::cache_hint") ? 1 : 0);
  const LoweringError wrong =
      wrong_operands(opcode, "a destination (atom only), an address and values of its type");
  if (operands.size() != wanted || operands[address].kind != Operand::Kind::address ||
      !operands[address].items.empty())
    return wrong;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i == address) continue;
    const bool is_data = i < address + 2;
    const bool is_vector = is_data && form.count != 1;
    if (form.has_result && i == 0 && operands[i].kind == Operand::Kind::sink) continue;
    if (is_vector) {
      if (operands[i].kind != Operand::Kind::vector || operands[i].items.size() != form.count) return wrong;
      for (const Operand& one : operands[i].items)
        if (one.kind != Operand::Kind::value && !(i < address && one.kind == Operand::Kind::sink))
          return wrong;
    } else if (operands[i].kind != Operand::Kind::value || operands[i].bits == 1 ||
               (form.is_wide && i < address + 2 + (form.is_cas ? 1u : 0u) && operands[i].bits != 128) ||
               (i < address && !operands[i].is_register)) {
      return wrong;
    }
  }
  // A vector result that is a sink as a whole would have no items.
  if (form.has_result && form.count != 1 && operands[0].kind != Operand::Kind::vector) return wrong;
  instruction.execute = form.is_wide ? execute_wide : execute_atomic;
  instruction.data = std::make_shared<const Form>(form);
  return std::nullopt;
}

const RegisteredFamily atom("atom", lower_atomic);
const RegisteredFamily red("red", lower_atomic);

}  // namespace

AtomicCombine find_atomic(std::string_view operation, std::string_view type, bool is_shared) {
  for (const AtomicRow& row : atomic_rows)
    if (row.op == operation && row.type == type)
      return is_shared && row.in_shared != nullptr ? row.in_shared : row.combine;
  return nullptr;
}

}  // namespace assay::emulator
