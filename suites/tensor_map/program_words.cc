// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/program_words.h"

#include <bit>

#include "kernels/params/map_program.h"
#include "reference/model/tensor_map/program_fields.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/words.h"
#include "suites/tensor_map/im2col_map_words.h"

namespace assay::suites {
namespace {

constexpr uint64_t bytes_of_map = 128;

std::string field_at(size_t bit) {
  for (const spec::Field& field : spec::tensor_map::tiled_fields)
    for (const spec::BitRange& bits : field.parts)
      if (bit >= bits.lsb && bit < size_t{bits.lsb} + bits.width) return std::string(field.name);
  return "no field";
}

/// Of a map that begins at `begin`.
Diagnosis diagnose_map(const ExpectedOutput& expected, std::span<const uint8_t> observed, uint64_t begin,
                       uint64_t byte) {
  ExpectedOutput map;
  const auto at = static_cast<ptrdiff_t>(begin);
  map.bytes.assign(expected.bytes.begin() + at, expected.bytes.begin() + at + bytes_of_map);
  map.defined.assign(expected.defined.begin() + at, expected.defined.begin() + at + bytes_of_map);
  return diagnose_tensor_map(map, observed.subspan(begin, bytes_of_map), byte - begin);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> map_program_fields(const MapProgramCase& c) {
  std::vector<std::pair<std::string, std::string>> list;
  list.emplace_back("map begins as", std::string(map_start_names[static_cast<size_t>(c.start)]) +
                                         (c.start == MapStart::random ? " " + std::to_string(c.seed) : ""));
  if (c.start == MapStart::driver)
    for (auto& field : map_fields(c.map)) list.push_back(std::move(field));
  if (c.start == MapStart::im2col)
    for (auto& field : im2col_map_fields(c.map)) list.push_back(std::move(field));
  list.emplace_back(
      "map lies in",
      "." + std::string(map_memory_names[static_cast<size_t>(c.memory)]) +
          (c.place != 0 ? ", " + std::to_string(c.place) + " bytes behind a multiple of 256" : ""));
  if (c.in_shared)
    list.emplace_back("replacements", c.shared_map == 0
                                          ? "in .shared::cta"
                                          : "in .shared::cta, at window + " + std::to_string(c.shared_map));
  uint32_t use = 0;
  for (uint32_t i = 0; i < c.steps; ++i) {
    std::string words = step_words(c, i);
    if (c.step[i].is(MapOp::use)) {
      const MapUse& u = c.use[use++];
      words += ": " + std::to_string(u.rank) + "d at " + list_words(u.coord, u.rank);
      if (u.instruction == MapInstruction::im2col_load)
        words += ", offsets " + list_words(u.offset, spatial_axes(u.rank));
    }
    list.emplace_back("step " + std::to_string(i), words);
  }
  tell(c, list);
  return list;
}

std::string place_in_map_program(const MapProgramCase& c, uint64_t byte, uint8_t wrong) {
  const size_t bit = static_cast<size_t>(std::countr_zero(wrong)) & 7;
  const uint64_t windows = params::map_area_bytes + bytes_of_map * c.steps;
  if (c.slot_bytes != 0 && byte >= model::slot_at(c)) return "slot";
  if (byte >= windows) return "window of a copy";
  if (byte >= params::map_area_bytes) return "field " + field_at(8 * (byte % bytes_of_map) + bit);
  return byte - c.place < bytes_of_map ? "field " + field_at(8 * (byte - c.place) + bit) : "beside the map";
}

Diagnosis diagnose_map_program(const MapProgramCase& c, const ExpectedOutput& expected,
                               std::span<const uint8_t> observed, uint64_t byte) {
  const uint64_t windows = params::map_area_bytes + bytes_of_map * c.steps;
  if (byte < params::map_area_bytes) {
    if (byte - c.place >= bytes_of_map) return {};
    // What went wrong there shows in the snapshot of the step that did it, if it was an edit.
    for (uint64_t later = params::map_area_bytes; later < windows; ++later)
      if (((expected.bytes[later] ^ observed[later]) & expected.defined[later]) != 0)
        return diagnose_map_program(c, expected, observed, later);
    Diagnosis made = diagnose_map(expected, observed, c.place, byte);
    made.first = "at the end of the program, in global memory: " + made.first;
    return made;
  }
  if (byte < windows) {
    const auto step = static_cast<uint32_t>((byte - params::map_area_bytes) / bytes_of_map);
    Diagnosis made = diagnose_map(expected, observed, params::map_area_bytes + bytes_of_map * step, byte);
    made.first = "after step " + std::to_string(step) + " (" + step_words(c, step) + ") " + made.first;
    return made;
  }
  if (c.slot_bytes != 0 && byte >= model::slot_at(c)) {
    Diagnosis made;
    made.first = "byte " + std::to_string(byte - model::slot_at(c)) + " of the slot is " +
                 hex_words(observed[byte]) + ", expected " + hex_words(expected.bytes[byte]);
    return made;
  }
  if (c.window_bytes == 0) return {};
  const auto use = static_cast<uint32_t>((byte - windows) / c.window_bytes);
  uint32_t before = 0;
  for (uint32_t i = 0; i < c.steps; ++i)
    if (c.step[i].is(MapOp::use) && before++ == use) {
      Diagnosis made;
      made.first = "step " + std::to_string(i) + " (use " + std::to_string(use) + "): byte " +
                   std::to_string((byte - windows) % c.window_bytes) + " of the window is " +
                   hex_words(observed[byte]) + ", expected " + hex_words(expected.bytes[byte]);
      return made;
    }
  return {};
}

}  // namespace assay::suites
