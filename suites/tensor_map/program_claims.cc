// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/tensor_map/encode_cases.h"
#include "generators/tensor_map/program_cases.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

constexpr uint32_t map_fields_count = static_cast<uint32_t>(model::map_field_names.size());

bool is_on(uint32_t field, spec::Arch arch) {
  return model::exists(static_cast<model::MapField>(field), arch);
}

/// Field, dimension, where the map lies that is edited. A stride of the last dimension may be written, but no
/// map has one: `of_maps` leaves it out.
template <bool of_maps>
CellSpace edits() {
  return {"field x dimension x state space", map_fields_count * model::map_ordinals * 2,
          [](uint32_t cell, spec::Arch) {
            const uint32_t field = cell / 2 / model::map_ordinals;
            std::string text(model::map_field_names[field]);
            if (model::has_ordinal(static_cast<model::MapField>(field)))
              text += " " + std::to_string(cell / 2 % model::map_ordinals);
            return text + (cell % 2 != 0 ? " .shared::cta" : " .global");
          },
          [](spec::Arch arch) {
            std::vector<uint32_t> cells;
            for (uint32_t field = 0; field < map_fields_count; ++field)
              for (uint32_t ordinal = 0; ordinal < model::map_ordinals; ++ordinal)
                if (is_on(field, arch) &&
                    !(of_maps && field == static_cast<uint32_t>(model::MapField::global_stride) &&
                      ordinal + 1 == model::map_ordinals) &&
                    (ordinal == 0 || model::has_ordinal(static_cast<model::MapField>(field))))
                  for (uint32_t shared = 0; shared < 2; ++shared)
                    cells.push_back((field * model::map_ordinals + ordinal) * 2 + shared);
            return cells;
          }};
}
void cover_edits(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const MapProgramCase& c = any.as<MapProgramCase>();
  for (uint32_t i = 0; i < c.steps; ++i)
    if (c.step[i].is_replacement())
      sink.hit(0, (static_cast<uint32_t>(c.step[i].op) * model::map_ordinals + c.step[i].ordinal) * 2 +
                      (c.in_shared ? 1 : 0));
}

/// The last edit before a publication, and how many loads came before.
CellSpace edit_before_use() {
  return {
      "field x load x state space", map_fields_count * MapProgramCase::most_uses * 2,
      [](uint32_t cell, spec::Arch) {
        return std::string(model::map_field_names[cell / 2 / MapProgramCase::most_uses]) + " before load " +
               std::to_string(cell / 2 % MapProgramCase::most_uses) +
               (cell % 2 != 0 ? " .shared::cta" : " .global");
      },
      [](spec::Arch) {
        std::vector<uint32_t> cells;
        for (const model::MapField field :
             {model::MapField::global_address, model::MapField::global_dim, model::MapField::box_dim,
              model::MapField::global_stride, model::MapField::element_stride, model::MapField::elemtype,
              model::MapField::swizzle_mode, model::MapField::fill_mode})
          for (uint32_t use = 0; use < 3; ++use)
            for (uint32_t shared = 0; shared < 2; ++shared)
              cells.push_back((static_cast<uint32_t>(field) * MapProgramCase::most_uses + use) * 2 + shared);
        return cells;
      }};
}
void cover_edit_before_use(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const MapProgramCase& c = any.as<MapProgramCase>();
  uint32_t use = 0;
  for (uint32_t i = 0; i < c.steps; ++i) {
    use += c.step[i].is(MapOp::use);
    if (c.step[i].is_replacement() && use < c.uses)
      sink.hit(0, (static_cast<uint32_t>(c.step[i].op) * MapProgramCase::most_uses + use) * 2 +
                      (c.in_shared ? 1 : 0));
  }
}

CellSpace publications() {
  return {"publication", gen::publication_count,
          [](uint32_t cell, spec::Arch) { return std::string(gen::publication_names[cell]); },
          [](spec::Arch) {
            std::vector<uint32_t> cells(gen::publication_count);
            for (uint32_t i = 0; i < gen::publication_count; ++i) cells[i] = i;
            return cells;
          }};
}
void cover_publication(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, gen::publication_of(any.as<MapProgramCase>()));
}

CellSpace memories() {
  return {"memory", 3, [](uint32_t cell, spec::Arch) { return "." + std::string(map_memory_names[cell]); },
          [](spec::Arch) {
            return std::vector<uint32_t>{0, 1, 2};
          }};
}
void cover_memory(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, static_cast<uint32_t>(any.as<MapProgramCase>().memory));
}

const Registered bits({
    .name = "tma.map.replace",
    .claim = "after any program of tensormap.replace each of the 1,024 bits of the object is as the replaced "
             "fields define it, in global and in shared memory",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_bits>,
    .spaces = {edits<false>()},
    .cover = cover_edits,
});
const Registered rewrites({
    .name = "tma.map.rewrite",
    .claim = "a map that a kernel rewrote field by field and published acts like the one that the driver "
             "would have written",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_rewrite>,
    .spaces = {edits<true>()},
    .cover = cover_edits,
});
const Registered programs({
    .name = "tma.map.program",
    .claim = "after any program of replacements and publications a copy acts as the bits of the map say",
    .family = map_program_family,
    .generate = generate_case<gen::make_map_program>,
    .spaces = {edit_before_use()},
    .cover = cover_edit_before_use,
});
const Registered acquires({
    .name = "tma.map.acquire",
    .claim = "after an acquire of exactly its address the next copy uses a changed map; without one it uses "
             "the old or the new map",
    .family = map_program_family,
    .share = 0.5,
    .generate = generate_case<gen::make_map_acquire>,
    .spaces = {publications()},
    .cover = cover_publication,
});
const Registered memory({
    .name = "tma.map.memory",
    .claim = "copies read their map from kernel parameters, constant memory, and global memory at any "
             "multiple of 64 bytes",
    .family = map_program_family,
    .share = 0.3,
    .generate = generate_case<gen::make_map_memory>,
    .spaces = {memories()},
    .cover = cover_memory,
});
const Registered map_program_faults({
    .name = "tma.map.replace.faults",
    .claim = "a copy that uses a map made illegal by one replacement faults with the matching error code; "
             "one that uses a map that stayed legal completes",
    .family = map_program_family,
    .share = 0.3,
    .generate = generate_faults<gen::make_map_fault, gen::make_map_rewrite, map_program_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,  // every one ends the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_replace_address({seed, property, index, arch}, c.emplace<EncodeTiledCase>());
}

/// Of accepted calls: the lowest and the highest bit of the new address, which is a multiple of 16 below
/// 2^57.
CellSpace replace_address_bits() {
  return {
      "lowest bit x highest bit of the address", 64 * 64,
      [](uint32_t cell, spec::Arch) { return std::to_string(cell / 64) + "/" + std::to_string(cell % 64); },
      [](spec::Arch) {
        std::vector<uint32_t> cells;
        for (uint32_t low = 4; low < 57; ++low)
          for (uint32_t high = low; high < 57; ++high) cells.push_back(low * 64 + high);
        return cells;
      }};
}

void cover(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  const uint64_t address = any.as<EncodeTiledCase>().replacement;
  if (expected.end != model::End::done || address == 0) return;
  sink.hit(0, static_cast<uint32_t>(std::countr_zero(address) * 64 + 63 - std::countl_zero(address)));
}

const Registered replace({
    .name = "driver.tensor_map.replace_address",
    .claim = "cuTensorMapReplaceAddress accepts every aligned, non-zero address below 2^57 and changes only "
             "the address in the map",
    .family = encode_tiled_family,
    .share = 0.5,
    .generate = generate,
    .spaces = {replace_address_bits()},
    .cover = cover,
    .declines = encoder_declines,
});

}  // namespace
}  // namespace assay::suites
