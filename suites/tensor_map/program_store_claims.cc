// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "generators/tensor_map/program_cases.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/generate.h"
#include "suites/tensor_copy/family.h"
#include "suites/tensor_map/encode_family.h"

/// Maps that kernels rewrite, and what is no tiled load through them.
namespace assay::suites {
namespace {

using model::MapField;

constexpr uint32_t instructions = static_cast<uint32_t>(map_instruction_names.size());
uint32_t map_store_cell_of(uint32_t field, MapInstruction instruction) {
  return field * instructions + static_cast<uint32_t>(instruction);
}

/// A field that was rewritten before such a copy. `all`: every field that the architecture has, else those
/// that programs change.
CellSpace fields_before(std::vector<MapInstruction> copies, bool all) {
  return {"field x instruction", static_cast<uint32_t>(model::map_field_names.size()) * instructions,
          [](uint32_t cell, spec::Arch) {
            return std::string(model::map_field_names[cell / instructions]) + " before " +
                   std::string(map_instruction_names[cell % instructions]);
          },
          [copies, all](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (uint32_t i = 0; i < model::map_field_names.size(); ++i) {
              const auto field = static_cast<MapField>(i);
              const bool is_changed = field != MapField::rank && field != MapField::interleave_layout &&
                                      field != MapField::swizzle_atomicity;
              if (!model::exists(field, arch) || !(all || is_changed)) continue;
              for (const MapInstruction copy : copies) cells.push_back(map_store_cell_of(i, copy));
            }
            return cells;
          }};
}
void cover_fields(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const MapProgramCase& c = any.as<MapProgramCase>();
  uint32_t use = 0;
  for (uint32_t i = 0; i < c.steps; ++i) {
    use += c.step[i].is(MapOp::use);
    if (c.step[i].is_replacement() && use < c.uses)
      sink.hit(0, map_store_cell_of(static_cast<uint32_t>(c.step[i].op), c.use[use].instruction));
  }
}

/// What a map has that stores of six bits take on sm_103a alone, or might not (V-07, V-10, V-14, V-17, V-26,
/// TILE-R52).
constexpr std::string_view half_limits[] = {"a box of 64",       "a box of 128",    "64B swizzle",
                                            "an extent off 128", "a start off 128", "an address off 32",
                                            "a stride off 32"};
CellSpace limits_of_six_bits() {
  constexpr auto count = static_cast<uint32_t>(std::size(half_limits));
  return {"limits of b6p2x16", count,
          [](uint32_t cell, spec::Arch) { return std::string(half_limits[cell]); },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells(spec::row_of(arch).halves_b6_stores ? count : 0);
            std::iota(cells.begin(), cells.end(), 0u);
            return cells;
          }};
}
void cover_limits(const MapProgramCase& c, spec::Arch arch, CoverageSink& sink) {
  const bool stores_six_bits = std::any_of(c.step.begin(), c.step.begin() + c.steps, [](const MapStep& s) {
    return s.is(MapOp::elemtype) && s.value == spec::data_types[spec::host_type::b6x16_p32].elemtype;
  });
  if (!spec::row_of(arch).halves_b6_stores || !stores_six_bits || c.uses == 0) return;
  model::MapMachine machine(c, spec::Readings(arch));
  spec::RuleSet unused;
  while (machine.at() + 1 < c.steps) machine.step(unused);
  const MapUse& use = c.use[c.uses - 1];
  const TensorMapArgs map = model::copy_of(c, use, machine.may_be_found()[0]).map;
  if (use.instruction != MapInstruction::store || map.data_type != spec::host_type::b6x16_p32) return;
  const auto strides = std::span(map.global_stride).first(map.rank - 1);
  const bool has[] = {map.box_dim[0] == 64,
                      map.box_dim[0] == 128,
                      map.swizzle == spec::host_swizzle::by_64B,
                      map.global_dim[0] % 128 != 0,
                      use.coord[0] % 128 != 0,
                      map.global_address % 32 != 0,
                      std::ranges::any_of(strides, [](uint64_t stride) { return stride % 32 != 0; })};
  for (uint32_t i = 0; i < std::size(has); ++i)
    if (has[i]) sink.hit(1, i);
}

const Registered rewritten_stores({
    .name = "tma.map.rewrite.store",
    .claim = "stores and reductions that use a map that a kernel rewrote field by field and published act as "
             "with the one that the driver would have written",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_rewrite_store>,
    .spaces = {fields_before({MapInstruction::store, MapInstruction::add}, true), limits_of_six_bits()},
    .cover =
        [](const Case& any, const Expected& expected, uint64_t index, spec::Arch arch, CoverageSink& sink) {
          cover_fields(any, expected, index, arch, sink);
          cover_limits(any.as<MapProgramCase>(), arch, sink);
        },
});
const Registered store_programs({
    .name = "tma.map.program.store",
    .claim = "after any program of replacements and publications a store, a reduction and a load of what "
             "they wrote act as the bits of the map say",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_program_store>,
    .spaces = {fields_before({MapInstruction::load, MapInstruction::store, MapInstruction::add}, false)},
    .cover = cover_fields,
});
const Registered rewritten_columns({
    .name = "tma.map.rewrite.im2col",
    .claim = "an im2col map that a kernel rewrote, all fields but pixels and corners (channels by way of the "
             "bytes of the box stored there), acts like the one that the driver would have written",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_rewrite_im2col>,
    .spaces = {fields_before({MapInstruction::im2col_load, MapInstruction::im2col_store}, true)},
    .cover = cover_fields,
});
const Registered column_programs({
    .name = "tma.map.program.im2col",
    .claim = "after any program of replacements and publications a copy in im2col mode acts as the bits of "
             "the map say",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_program_im2col>,
    .spaces = {fields_before({MapInstruction::im2col_load, MapInstruction::im2col_store}, false)},
    .cover = cover_fields,
});
const Registered map_store_faults({
    .name = "tma.map.use.faults",
    .claim = "a store, a reduction or an im2col copy that uses a map made illegal for it by one replacement "
             "faults with the matching error code; one that uses a legal map completes",
    .family = map_program_family,
    .share = 0.3,
    .generate = generate_faults<gen::make_map_use_fault, gen::make_map_rewrite_store, map_program_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});

}  // namespace
}  // namespace assay::suites
