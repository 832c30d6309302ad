// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/case_json.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/replace.h"

namespace assay {

/// What a program begins with.
enum class MapStart : uint8_t {
  driver,  ///< the map that the driver encodes
  zeros,
  ones,
  random,  ///< bits of the case's seed
  words,   ///< those of the case
  im2col,  ///< what cuTensorMapEncodeIm2col makes of the case's arguments, written without it
};
inline constexpr std::array<std::string_view, 6> map_start_names{"driver", "zeros", "ones",
                                                                 "random", "words", "im2col"};

enum class MapMemory : uint8_t { global, parameter, constant };
inline constexpr std::array<std::string_view, 3> map_memory_names{"global", "param", "const"};

/// What a step does. Those before plain_address are model::MapField.
enum class MapOp : uint8_t {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode,
  plain_address,  ///< an ordinary store of the address
  release,        ///< fence.proxy.tensormap release
  acquire,        ///< fence.proxy.tensormap acquire of the map in global memory, or of what lies beside it
  copy_fence,     ///< tensormap.cp_fenceproxy from shared to global memory
  use,            ///< a copy through the map in global memory
};
inline constexpr std::array<std::string_view, 16> map_op_names{"global_address", "rank",
                                                               "box_dim",        "global_dim",
                                                               "global_stride",  "element_stride",
                                                               "elemtype",       "interleave_layout",
                                                               "swizzle_mode",   "swizzle_atomicity",
                                                               "fill_mode",      "plain_address",
                                                               "release",        "acquire",
                                                               "copy_fence",     "use"};

struct MapStep {
  MapOp op = MapOp::use;
  uint8_t ordinal = 0;  ///< of a replacement; of an acquire: how many times 64 bytes from the map's address
  uint8_t scope = 0;    ///< of a fence: 0 cta, 1 cluster, 2 gpu, 3 sys
  /// Of an edit. Of an acquire, unless 0: all lanes of the warp execute it, each so many times 64 bytes
  /// behind the lane before it.
  uint64_t value = 0;
  static constexpr uint64_t most_acquire_step = 16;
  bool is(MapOp other) const { return op == other; }
  bool is_replacement() const { return op < MapOp::plain_address; }
  bool is_edit() const { return op <= MapOp::plain_address; }
  model::MapReplacement replacement() const { return {static_cast<model::MapField>(op), ordinal, value}; }
  auto operator<=>(const MapStep&) const = default;
};
static_assert(static_cast<uint8_t>(MapOp::fill_mode) == static_cast<uint8_t>(model::MapField::fill_mode));

/// What copies through the map. Of reductions there is one, the addition.
enum class MapInstruction : uint8_t { load, store, add, im2col_load, im2col_store };
inline constexpr std::array<std::string_view, 5> map_instruction_names{"load", "store", "add", "im2col_load",
                                                                       "im2col_store"};

struct MapUse {
  std::array<int32_t, 5> coord{};
  uint32_t rank = 1;  ///< of the instruction
  MapInstruction instruction = MapInstruction::load;
  std::array<uint16_t, 3> offset{};  ///< of im2col_load: W, H, D
  bool is_of_other = false;          ///< through a map of its own, which stays what the program's begins as
  bool is_load() const {
    return instruction == MapInstruction::load || instruction == MapInstruction::im2col_load;
  }
  bool is_im2col() const { return instruction >= MapInstruction::im2col_load; }
  auto operator<=>(const MapUse&) const = default;
};

/// A program that edits one tensor map, publishes it and copies through it: plain data, serialises to JSON
/// without loss.
struct MapProgramCase {
  static constexpr uint32_t most_steps = 32, most_uses = 4;
  Im2colMapArgs map;  ///< of MapStart::driver the base, of im2col all; address relative to the slot, without
                      ///< one to the arena
  MapStart start = MapStart::driver;
  MapMemory memory = MapMemory::global;  ///< where copies find the map
  bool in_shared = false;                ///< edits are of a map in shared memory, which copy_fence publishes
  bool is_absolute = false;              ///< addresses are any 64 bits: nothing is copied
  uint8_t place = 0;  ///< bytes from a multiple of 256 to the map: 0, 64 or, in global memory, 128
  uint32_t shared_map =
      0;  ///< of a map in shared memory, from the window's start; 0: right behind the window
  uint32_t issuer_thread = 0;  ///< that executes all steps, its warp those of a warp
  uint32_t seed = 0;
  std::array<uint32_t, 32> words{};  ///< the address in them as `is_absolute` says
  uint32_t tile_offset = 0, window_bytes = 0;
  uint64_t fill_offset = 0;
  uint32_t slot_bytes =
      0;  ///< of global memory that stores write and loads then read; 0: loads read the arena
  uint64_t slot_fill_offset = 0;  ///< arena offset of what the slot holds before
  uint32_t steps = 0, uses = 0;
  std::array<MapStep, most_steps> step{};
  std::array<MapUse, most_uses> use{};
  auto operator<=>(const MapProgramCase&) const = default;
};

/// Where the map in shared memory lies, from the window's start.
constexpr uint32_t shared_map_of(const MapProgramCase& c) {
  return c.shared_map != 0 ? c.shared_map : (c.window_bytes + 127) / 128 * 128;
}

/// "box_dim 2 := 256", "acquire.gpu of the map + 64", "use 1", "use 2 (store)".
std::string step_words(const MapProgramCase&, uint32_t step);

/// Why the probes cannot run the case, in one sentence, or nothing.
std::string what_is_wrong(const MapProgramCase&);

}  // namespace assay

namespace assay::model {

template <>
nlohmann::json to_json(const MapProgramCase&);
template <>
MapProgramCase case_from_json(const nlohmann::json&);
template <>
nlohmann::json case_schema<MapProgramCase>();

}  // namespace assay::model

/// The members of programs that edit a map.
namespace assay {

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(MapOp) {
  return map_op_names;
}
inline const auto& spellings_of(MapStart) {
  return map_start_names;
}
inline const auto& spellings_of(MapMemory) {
  return map_memory_names;
}
inline const auto& spellings_of(MapInstruction) {
  return map_instruction_names;
}

/// Bytes from a multiple of 256 to a map.
inline constexpr uint32_t map_places[] = {0, 64, 128};

template <typename Program, typename Visit>
requires std::same_as<std::remove_const_t<Program>, MapProgramCase>
void visit_fields(Program& c, const Visit& visit) {
  ASSAY_FIELD_AS("box_dim", visit, c, map.box_dim, .told = elsewhere);
  ASSAY_FIELD_AS("channels", visit, c, map.channels, .told = elsewhere);
  ASSAY_FIELD_AS("data_type", visit, c, map.data_type, .told = elsewhere);
  ASSAY_FIELD_AS("element_stride", visit, c, map.element_stride, .told = elsewhere);
  ASSAY_FIELD(visit, c, fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD_AS("global_address", visit, c, map.global_address, .told = elsewhere);
  ASSAY_FIELD_AS("global_dim", visit, c, map.global_dim, .told = elsewhere);
  ASSAY_FIELD_AS("global_stride", visit, c, map.global_stride, .told = elsewhere);
  ASSAY_FIELD(visit, c, in_shared, .told = elsewhere);
  ASSAY_FIELD_AS("interleave", visit, c, map.interleave, .told = elsewhere);
  ASSAY_FIELD(visit, c, is_absolute, .called = "address", .yes = "arbitrary");
  ASSAY_FIELD(visit, c, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD_AS("l2_promotion", visit, c, map.l2_promotion, .told = elsewhere);
  ASSAY_FIELD_AS("lower", visit, c, map.lower, .told = elsewhere);
  ASSAY_FIELD(visit, c, memory, .told = elsewhere);
  ASSAY_FIELD_AS("oob_fill", visit, c, map.oob_fill, .told = elsewhere);
  ASSAY_FIELD_AS("pixels", visit, c, map.pixels, .told = elsewhere);
  ASSAY_FIELD(visit, c, place, .unit = "bytes", .values = map_places, .told = elsewhere);
  ASSAY_FIELD_AS("rank", visit, c, map.rank, .told = elsewhere);
  ASSAY_FIELD(visit, c, seed, .shows = as_hex);
  ASSAY_FIELD(visit, c, shared_map, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 128,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, slot_bytes, .unit = "bytes", .most = rig::max_slot_bytes, .multiple = 16,
              .called = "slot");
  ASSAY_FIELD(visit, c, slot_fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, start, .told = elsewhere);
  ASSAY_FIELD_AS("swizzle", visit, c, map.swizzle, .told = elsewhere);
  ASSAY_FIELD(visit, c, tile_offset, .unit = "bytes", .most = rig::max_window_bytes - 1, .told = always);
  ASSAY_FIELD_AS("upper", visit, c, map.upper, .told = elsewhere);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 16,
              .told = always, .called = "window");
  ASSAY_FIELD(visit, c, words, .called = "words of the map", .shows = as_hex);
}

template <typename Step, typename Visit>
requires std::same_as<std::remove_const_t<Step>, MapStep>
void visit_fields(Step& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, op);
  ASSAY_FIELD(visit, s, ordinal);
  ASSAY_FIELD(visit, s, scope);
  ASSAY_FIELD(visit, s, value);
}

template <typename Use, typename Visit>
requires std::same_as<std::remove_const_t<Use>, MapUse>
void visit_fields(Use& u, const Visit& visit) {
  ASSAY_FIELD(visit, u, coord);
  ASSAY_FIELD(visit, u, instruction);
  ASSAY_FIELD(visit, u, is_of_other);
  ASSAY_FIELD(visit, u, offset);
  ASSAY_FIELD(visit, u, rank);
}

}  // namespace assay
