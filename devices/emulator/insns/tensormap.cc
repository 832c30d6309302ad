// SPDX-License-Identifier: Apache-2.0
// tensormap.replace, tensormap.cp_fenceproxy (ptx, Tensor Map Manipulation; what ptxas
// makes of them field by field: ptxas 13.0).
#include <cstring>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tma/engine.h"
#include "devices/emulator/tma/steps.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {
namespace {

namespace map = spec::tensor_map;
using Kind = Diagnostic::Kind;

constexpr uint32_t tensormap_bytes = 128;

using Field = MapReplacement::Field;

struct Replacement {
  Field what = Field::address;
  Space space = Space::generic;
  int value = -1;  ///< operand number
  uint32_t ordinal = 0;
  bool has_96B = false;  ///< the target has the 96B swizzle
};

struct TensormapRow {
  std::string_view field;
  Field what;
  std::string_view type;
  bool has_ordinal;
  int64_t largest_immediate;  ///< -1: a register will do and any value is taken
};
constexpr TensormapRow tensormap_rows[] = {
    {"global_address", Field::address, "b64", false, -1},
    {"rank", Field::rank, "b32", false, -1},
    {"box_dim", Field::box, "b32", true, -1},
    {"global_dim", Field::dim, "b32", true, -1},
    {"global_stride", Field::stride, "b64", true, -1},
    {"element_stride", Field::traversal, "b32", true, -1},
    {"elemtype", Field::type, "b32", false, 15},
    {"interleave_layout", Field::interleave, "b32", false, 2},
    {"swizzle_mode", Field::swizzle, "b32", false, 4},
    {"swizzle_atomicity", Field::atomicity, "b32", false, 3},
    {"fill_mode", Field::fill, "b32", false, 1},
};

int64_t largest_immediate(const TensormapRow& row, Target target) {
  if (row.what == Field::type && !is_from_sm_100(target)) return 12;
  if (row.what == Field::swizzle && !facts_of(target).has_96B_swizzle) return 3;
  return row.largest_immediate;
}

/// One field of a map in memory. What does not fit into a field is dropped, as the code of ptxas drops it.
void replace(const MapReplacement& r, const DeviceReadings& readings, bool has_96B, TensorMapBytes& bytes,
             uint64_t value) {
  switch (r.field) {
    case Field::address:
      return spec::put_raw(bytes, map::global_address, value);
    case Field::rank:
      return spec::put_raw(bytes, map::rank, value);
    case Field::box:
      return spec::put(bytes, map::box_dim[r.ordinal], value);
    case Field::dim:
      return spec::put(bytes, map::global_dim[r.ordinal], value);
    case Field::stride:
      if (r.ordinal < 4) return spec::put(bytes, map::global_stride[r.ordinal], value);
      // There is no fifth stride: its low part lands on the high parts of the four, its own beside them.
      if (readings.is({"REPL-AMB-02", "nothing"})) return;
      spec::put_raw(bytes, spec::number("", -1, {8 * 0x1c, 32}), value >> 4);
      return spec::put_raw(bytes, spec::number("", -1, {8 * 0x1c + 16, 4}), value >> 36);
    case Field::traversal:
      return spec::put(bytes, map::element_stride[r.ordinal], value);
    case Field::type: {
      const spec::DataType* type = nullptr;
      for (const spec::DataType& row : spec::data_types)
        if (row.elemtype == (value & 15)) type = &row;
      spec::put_raw(bytes, map::type, type->code);
      // The other types leave the flag as it was.
      if (type->tf32 || readings.is({"TMA-AMB-27", "flag_cleared"}))
        spec::put_raw(bytes, map::tf32, type->tf32);
      return;
    }
    case Field::interleave:
      return spec::put_raw(bytes, map::interleave, value);
    case Field::swizzle:
      spec::put_raw(bytes, map::swizzle_width, value & 3);
      // Bit 22 is cleared on targets too that do not know it (H200: RP-02).
      if (value != 4 && !has_96B && readings.is({"REPL-AMB-01", "keeps_bit"})) return;
      return spec::put_raw(bytes, map::swizzle_96B, value == 4);
    case Field::atomicity:
      return spec::put_raw(bytes, map::swizzle_atomicity, value);
    case Field::fill:
      return spec::put_raw(bytes, map::fill, value);
  }
}

/// The address is written as 8 bytes, every other field as words: a map may lie off its 64 bytes until a copy
/// uses it (H200: RP-07).
uint32_t access_bytes(const Replacement& r) {
  return r.what == Field::address ? 8 : 4;
}

uint32_t execute_replace(Step& step) {
  const Replacement& r = step.data<Replacement>();
  const Steps& steps = steps_for(step.cluster.settings());
  const DeviceReadings readings(step.cluster.settings());
  for_lanes(step.mask, [&](int lane) {
    const Place place = resolve(step, lane, r.space, step.address(step.operand(0), lane), tensormap_bytes,
                                access_bytes(r), true);
    note_load(step, lane, place, tensormap_bytes);
    const bool is_tainted = holds_unwritten(place, tensormap_bytes);
    TensorMapBytes before, after;
    std::memcpy(before.data(), place.bytes, tensormap_bytes);
    after = before;
    const MapReplacement what{r.what, r.ordinal, step.value(step.operand(static_cast<size_t>(r.value)), lane),
                              place.written != nullptr, step.warp.thread(lane)};
    replace(what, readings, r.has_96B, after, steps.replacement(what));
    steps.map_replaced(after, before, what);
    if (step.cluster.strict && what.field == Field::stride && what.value % 16 != 0)
      step.cluster.strict->odd_map_stride(step.issuer(lane));
    std::memcpy(place.bytes, after.data(), tensormap_bytes);
    if (step.cluster.strict && !place.is_shared())
      step.cluster.strict->tensor_map_replaced(reinterpret_cast<uint64_t>(place.bytes));
    if (!is_tainted) {
      note_store(step, lane, place, tensormap_bytes, false);
      return;
    }
    // Fields are written one after the other into an object that began as nothing: only what changes is
    // written.
    for (uint32_t word = 0; word < tensormap_bytes; word += 4) {
      if (std::memcmp(&before[word], &after[word], 4) == 0) continue;
      Place part = place;
      part.bytes += word, part.shared_address += word;
      if (part.written != nullptr) part.written += word;
      note_store(step, lane, part, 4, false);
    }
  });
  return step.mask;
}

std::optional<LoweringError> lower_replace(const Opcode& opcode, Target target, Instruction& instruction) {
  const TensormapRow* row = nullptr;
  for (const TensormapRow& candidate : tensormap_rows)
    if (opcode.has(candidate.field)) row = &candidate;
  const std::string known = row == nullptr ? "" : std::string(row->field) + " " + std::string(row->type);
  if (row == nullptr || !opcode.has("tile") || !opcode.has("b1024") || !opcode.has(row->type) ||
      (row->what == Field::atomicity && !is_from_sm_100(target)) ||
      (opcode.has("global") && opcode.has("shared::cta")) ||
      !only_known_qualifiers(opcode, "replace tile global shared::cta b1024 " + known))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const uint16_t bits = row->type == "b64" ? 64 : 32;
  if (operands.size() != (row->has_ordinal ? 3u : 2u) || operands[0].kind != Operand::Kind::address ||
      !operands[0].items.empty())
    return wrong_operands(opcode, row->has_ordinal ? "[map], dimension, value" : "[map], value");
  Replacement r;
  r.what = row->what;
  r.space = space_of(opcode);
  r.has_96B = facts_of(target).has_96B_swizzle;
  r.value = row->has_ordinal ? 2 : 1;
  if (row->has_ordinal) {
    if (!operands[1].is_immediate || operands[1].immediate > 4)
      return wrong_operands(opcode, "an immediate dimension of 0 to 4");
    r.ordinal = static_cast<uint32_t>(operands[1].immediate);
  }
  const Operand& value = operands[static_cast<size_t>(r.value)];
  if (value.kind != Operand::Kind::value || (value.is_register && value.bits != bits))
    return wrong_operands(opcode, "a value of " + std::to_string(bits) + " bits");
  const int64_t largest = largest_immediate(*row, target);
  if (largest >= 0 && (!value.is_immediate || value.immediate > static_cast<uint64_t>(largest)))
    return wrong_operands(opcode,
                          "an immediate value of 0 to " + std::to_string(largest) + " on this target");
  instruction.data = std::make_shared<const Replacement>(r);
  instruction.execute = execute_replace;
  return std::nullopt;
}

/// The lanes of a warp execute it together with the same operands: the first copies.
uint32_t execute_tensormap_copy(Step& step) {
  const int lane = __builtin_ctz(step.mask);
  // Each lane copies a word, on any multiple of 4 (H200: RP-08).
  const Place from =
      resolve(step, lane, Space::shared_cta, step.address(step.operand(1), lane), tensormap_bytes, 4, false);
  const Place to =
      resolve(step, lane, Space::global, step.address(step.operand(0), lane), tensormap_bytes, 4, true);
  note_load(step, lane, from, tensormap_bytes);
  TensorMapBytes before, copied;
  std::memcpy(before.data(), to.bytes, tensormap_bytes);
  std::memcpy(copied.data(), from.bytes, tensormap_bytes);
  steps_for(step.cluster.settings()).map_copied(copied, before);
  std::memcpy(to.bytes, copied.data(), tensormap_bytes);
  if (step.cluster.strict) step.cluster.strict->tensor_map_replaced(reinterpret_cast<uint64_t>(to.bytes));
  note_store(step, lane, to, tensormap_bytes,
             holds_unwritten(from, 64));  // bytes from 64 on are not read by anyone
  if (step.cluster.strict)
    step.cluster.strict->tensor_map_release(step.issuer(lane), step.instruction.order.scope);
  return step.mask;
}

std::optional<LoweringError> lower_tensormap_copy(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode,
                             "cp_fenceproxy global shared::cta tensormap::generic release cta cluster gpu "
                             "sys sync aligned"))
    return unknown_opcode(opcode);
  for (const std::string_view word :
       {"global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"})
    if (!opcode.has(word)) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const auto is_address = [](const Operand& o) {
    return o.kind == Operand::Kind::address && o.items.empty();
  };
  if (operands.size() != 3 || !is_address(operands[0]) || !is_address(operands[1]) ||
      !operands[2].is_immediate || operands[2].immediate != tensormap_bytes)
    return wrong_operands(opcode, "[global], [shared], 128");
  instruction.execute = execute_tensormap_copy;
  return std::nullopt;
}

/// tensormap.query.alloc_class_large (ptxas 13.5, which takes the map's address and a predicate): bit 85.
std::optional<LoweringError> lower_query(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "query alloc_class_large global b1024") ||
      !opcode.has("alloc_class_large") || !opcode.has("b1024"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::value || !operands[0].is_register ||
      operands[0].bits != 1 || operands[1].kind != Operand::Kind::address || !operands[1].items.empty())
    return wrong_operands(opcode, "a predicate and [map]");
  instruction.data = std::make_shared<const Space>(space_of(opcode));
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) {
      const Place place = resolve(step, lane, step.data<Space>(), step.address(step.operand(1), lane),
                                  tensormap_bytes, 64, false);
      note_load(step, lane, place, tensormap_bytes);
      const bool is_large = (std::to_integer<unsigned>(place.bytes[85 / 8]) >> 85 % 8 & 1) != 0;
      step.set(step.operand(0), lane, is_large, holds_unwritten(place, tensormap_bytes));
    });
    return step.mask;
  };
  return std::nullopt;
}

const RegisteredFamily queries("tensormap.query", lower_query);
const RegisteredFamily replacements("tensormap.replace", lower_replace);
const RegisteredFamily publications("tensormap.cp_fenceproxy", lower_tensormap_copy);

}  // namespace
}  // namespace assay::emulator
