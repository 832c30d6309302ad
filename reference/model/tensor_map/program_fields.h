// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_map/program_case.h"

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
