// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/barrier/sequence_cases.h"
#include "generators/mma/cases.h"
#include "generators/tmem/copy_cases.h"
#include "reference/layout/tmem.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/spec/smem_desc.h"
#include "suites/barrier/sequence_family.h"
#include "suites/mma/coverage.h"
#include "suites/run/generate.h"
#include "suites/tensor_copy/family.h"
#include "suites/tmem/families.h"

namespace assay::suites {
namespace {

const Registered tmem_access_load({
    .name = "tmem.ld",
    .claim = "tcgen05.ld loads each register of each thread from the cell that its shape defines",
    .family = tmem_access_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tmem_load>,
    .spaces = {tmem_access_cells()},
    .cover = cover_tmem_access,
    .declines = needs_tensor_memory,
});

const Registered tmem_access_store({
    .name = "tmem.st",
    .claim = "tcgen05.st stores each register of each thread to the cell that its shape defines and writes "
             "nothing else",
    .family = tmem_access_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tmem_store>,
    .spaces = {tmem_access_cells()},
    .cover = cover_tmem_access,
    .declines = needs_tensor_memory,
});

const Registered window({
    .name = "tmem.lane_window",
    .claim = "tcgen05.ld and st access the lanes of their own warp, whatever multiple of 32 the lane field "
             "of the address holds",
    .family = tmem_access_family,
    .share = 0.2,
    .generate = generate_case<gen::make_tmem_same_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // a device that checks the field ends the process
    .most_on_silicon = 80,
    .most_on_emulator = 60,
    .declines = needs_tensor_memory,
});

/// Counts are 1 to 128: 8 powers of two.
uint32_t cell_of_access(uint32_t shape, uint32_t count, bool packs) {
  return (shape * 8 + static_cast<uint32_t>(std::countr_zero(count))) * 2 + (packs ? 1 : 0);
}

std::string name_of_access(uint32_t cell, spec::Arch) {
  return std::string(layout::tmem_shapes[cell / 16].name) + ".x" + std::to_string(1u << cell / 2 % 8) +
         (cell % 2 == 1 ? " packed" : "");
}

/// All that fit the 512 columns.
std::vector<uint32_t> reachable(spec::Arch) {
  std::vector<uint32_t> cells;
  for (uint32_t shape = 0; shape < layout::tmem_shapes.size(); ++shape)
    for (int count = 1; count <= layout::tmem_shapes[shape].most_count; count *= 2)
      for (const bool packs : {false, true})
        if (layout::tmem_access_columns(shape, count, packs ? 2 : 1, shape == 4 ? count : 0) <= 512)
          cells.push_back(cell_of_access(shape, static_cast<uint32_t>(count), packs));
  return cells;
}

}  // namespace

CellSpace tmem_access_cells() {
  return {"shape x count x packing", 5 * 8 * 2, name_of_access, reachable};
}

void cover_tmem_access(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TmemAccessCase& c = any.as<TmemAccessCase>();
  sink.hit(0, cell_of_access(c.shape, c.count, c.packs));
}

namespace {

const Registered copies({
    .name = "tmem.cp",
    .claim = "tcgen05.cp of each shape copies each row of its matrix in shared memory to the lanes of that "
             "row, decompressed where it says so, and writes nothing else",
    .family = tmem_copy_family,
    .generate = generate_case<make_tmem_cp>,
    .spaces = {copy_form_cells(true), copy_source_cells()},
    .cover = cover_copies,
    .declines = needs_tensor_memory,
});
const Registered decompressions({
    .name = "tmem.cp.decompress",
    .claim = "tcgen05.cp decompresses the 16 elements of 4 or 6 bits in each 16 bytes to one byte each, for "
             "every code",
    .family = tmem_copy_family,
    .share = 0.5,
    .generate = generate_case<make_tmem_cp_decompress>,
    .spaces = {copy_form_cells(false), copy_source_cells()},
    .cover = cover_copies,
    .declines = needs_tensor_memory,
});
const Registered tmem_copy_broken({
    .name = "tmem.cp.one_field_wrong",
    .claim = "tcgen05.cp with one illegal descriptor field, and tcgen05.shift from an unaligned lane, change "
             "nothing outside their columns",
    .family = tmem_copy_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_cp_broken>,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                   static_cast<uint32_t>(model::End::undefined),
                                   static_cast<uint32_t>(model::End::illegal_instruction)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // any of them may end the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
    .declines = needs_tensor_memory,
});
const Registered order({
    .name = "tmem.cp.order",
    .claim = "copies and shifts that one thread issues without waits always execute in the same order, "
             "though no document lists them as pipelined",
    .family = tmem_copy_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_cp_order>,
    .spaces = {move_pair_cells(false)},
    .cover = cover_move_pairs,
    .declines = needs_tensor_memory,
});
const Registered shifts({
    .name = "tmem.shift",
    .claim = "tcgen05.shift.down moves 8 columns of every 32 lanes down by one lane, leaves the last lane as "
             "it was, and writes nothing else",
    .family = tmem_copy_family,
    .share = 0.5,
    .generate = generate_case<make_tmem_shift>,
    .spaces = {shift_cells()},
    .cover = cover_shifts,
    .declines = needs_tensor_memory,
});
const Registered refills({
    .name = "tmem.shift.refill",
    .claim = "tcgen05.cp.4x256b issued after a tcgen05.shift, without a wait, executes after it",
    .family = tmem_copy_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_shift_refill>,
    .spaces = {move_pair_cells(true)},
    .cover = cover_move_pairs,
    .declines = needs_tensor_memory,
});

constexpr uint32_t groups = 2, swizzles = spec::smem_swizzles.size();

uint32_t form_cell(const TmemCopyCase& c, const TmemMove& m) {
  return (m.shape * layout::tmem_copy_format_count + m.format) * groups + c.cta_group - 1;
}
std::string form_name(uint32_t cell, spec::Arch) {
  return std::string(layout::tmem_copy_shapes[cell / groups / layout::tmem_copy_format_count].name) +
         std::string(layout::tmem_copy_formats[cell / groups % layout::tmem_copy_format_count].name) + " " +
         std::to_string(cell % groups + 1);
}

uint32_t swizzle_of(const TmemMove& m) {
  const auto* row = spec::find_smem_swizzle(uint64_t{m.source.swizzle});
  return static_cast<uint32_t>(row - spec::smem_swizzles.data());
}

constexpr uint32_t count_classes = 4;
constexpr const char* count_names[count_classes] = {"once", "to 8 times", "to 31 times", "more"};
uint32_t count_class(uint32_t count) {
  return count == 1 ? 0 : count <= 8 ? 1 : count <= 31 ? 2 : 3;
}

/// A shift, 4x256b, or another copy.
constexpr uint32_t kinds = 3;
constexpr const char* kind_names[kinds] = {"shift", "cp.4x256b", "cp"};
uint32_t kind_of(const TmemMove& m) {
  return m.is_shift ? 0 : m.shape == 1 ? 1 : 2;
}

/// Of the first copy.
bool read_source(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<TmemCopyCase>();
  if (c == nullptr) return false;
  for (uint32_t i = 0; i < c->move_count; ++i) {
    const TmemMove& m = c->moves[i];
    if (m.is_shift) continue;
    read_matrix_fields(m.source, values);
    return true;
  }
  return false;
}

}  // namespace

CellSpace copy_form_cells(bool all_formats) {
  return {"shape x format x CTA group",
          layout::tmem_copy_shape_count * layout::tmem_copy_format_count * groups, form_name,
          [all_formats](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0;
                 cell < layout::tmem_copy_shape_count * layout::tmem_copy_format_count * groups; ++cell)
              if (all_formats || cell / groups % layout::tmem_copy_format_count != 0) cells.push_back(cell);
            return cells;
          }};
}

CellSpace copy_source_cells() {
  return {"shape x swizzle", layout::tmem_copy_shape_count * swizzles,
          [](uint32_t cell, spec::Arch) {
            return std::string(layout::tmem_copy_shapes[cell / swizzles].name) + " " +
                   std::string(spec::smem_swizzles[cell % swizzles].name);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            // 32-byte atoms are for MN-major matrices (AMB-08).
            for (uint32_t cell = 0; cell < layout::tmem_copy_shape_count * swizzles; ++cell)
              if (spec::smem_swizzles[cell % swizzles].lines == 8) cells.push_back(cell);
            return cells;
          }};
}

void cover_copies(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TmemCopyCase& c = any.as<TmemCopyCase>();
  for (uint32_t i = 0; i < c.move_count; ++i) {
    if (c.moves[i].is_shift) continue;
    sink.hit(0, form_cell(c, c.moves[i]));
    sink.hit(1, c.moves[i].shape * swizzles + swizzle_of(c.moves[i]));
  }
}

CellSpace shift_cells() {
  return {"lane x count x CTA group", 4 * count_classes * groups,
          [](uint32_t cell, spec::Arch) {
            return "lane " + std::to_string(cell / groups / count_classes * 32) + " " +
                   count_names[cell / groups % count_classes] + " " + std::to_string(cell % groups + 1);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < 4 * count_classes * groups; ++cell) cells.push_back(cell);
            return cells;
          }};
}

void cover_shifts(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TmemCopyCase& c = any.as<TmemCopyCase>();
  const TmemMove& m = c.moves[0];
  sink.hit(0, (m.lane / 32 * count_classes + count_class(m.count)) * groups + c.cta_group - 1);
}

CellSpace move_pair_cells(bool of_refills) {
  return {"instruction x next", kinds * kinds,
          [](uint32_t cell, spec::Arch) {
            return std::string(kind_names[cell / kinds]) + "/" + kind_names[cell % kinds];
          },
          [of_refills](spec::Arch) {
            if (of_refills) return std::vector<uint32_t>{1};
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < kinds * kinds; ++cell) cells.push_back(cell);
            return cells;
          }};
}

void cover_move_pairs(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TmemCopyCase& c = any.as<TmemCopyCase>();
  for (uint32_t i = 1; i < c.move_count; ++i)
    sink.hit(0, kind_of(c.moves[i - 1]) * kinds + kind_of(c.moves[i]));
}

std::span<const Descriptor> tmem_copy_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of a copy", matrix_fields(), read_source);
    return list;
  }();
  return made;
}

namespace {

const Registered tmem_sequence({
    .name = "tmem.sequence",
    .claim = "after any program of allocations, stores, products, commits and waits every load from tensor "
             "memory returns what its own allocation holds",
    .family = sequence_family,
    .share = 1,
    .generate = generate_case<gen::make_tmem_sequence>,
    .spaces = {step_pairs(SequenceMachine::tensor_memory)},
    .cover = cover_step_pairs,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
