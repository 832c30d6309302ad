// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/spec/arch.h"

/// Case i of each property of maps that kernels rewrite. A case depends on (seed, property, index,
/// architecture) alone.
namespace assay::gen {

/// Any replacements of any object, compared bit by bit, nothing copied.
void make_map_bits(const CaseId&, MapProgramCase&);
/// One map rewritten field by field into another that the driver would accept, then a load through it.
void make_map_rewrite(const CaseId&, MapProgramCase&);
/// Several loads, a few fields changed and published in between.
void make_map_program(const CaseId&, MapProgramCase&);
/// A map that was used, changed and published in each way there is, the wrong ones among them; then the
/// acquire.
void make_map_acquire(const CaseId&, MapProgramCase&);
/// Maps in parameters, in constant memory, and in global memory on an odd multiple of 64; the same memory for
/// 32 indexes in a row.
void make_map_memory(const CaseId&, MapProgramCase&);
/// One replacement makes the map illegal: the device's process ends.
void make_map_fault(const CaseId&, MapProgramCase&);
/// One map rewritten field by field into that of a store, through which then a store or a reduction goes.
void make_map_rewrite_store(const CaseId&, MapProgramCase&);
/// Stores, reductions and loads of one slot, a few fields changed and published in between.
void make_map_program_store(const CaseId&, MapProgramCase&);
/// An im2col map rewritten into another of as many pixels, corners and all, then a copy in im2col mode.
void make_map_rewrite_im2col(const CaseId&, MapProgramCase&);
/// Copies in im2col mode, a few fields of their map changed and published in between.
void make_map_program_im2col(const CaseId&, MapProgramCase&);
/// One replacement makes the map illegal for a store, a reduction or a copy in im2col mode.
void make_map_use_fault(const CaseId&, MapProgramCase&);

/// How a changed map is published before the second load of make_map_acquire.
inline constexpr uint32_t publication_count = 10;
inline constexpr std::array<std::string_view, publication_count> publication_names{
    "nothing",        "release",
    "acquire",        "release+acquire",
    "acquire at +64", "acquire at +128",
    "plain store",    "plain store+acquire",
    "cp_fenceproxy",  "cp_fenceproxy+acquire"};
/// Of a case of make_map_acquire: which.
uint32_t publication_of(const MapProgramCase&);

std::vector<MapProgramCase> simpler(const MapProgramCase&);

// What programs on maps are put together of.

/// Most bytes of a window, and of a slot, of a copy: maps in global memory lie in the output, which holds
/// several of them as well.
inline constexpr uint32_t most_map_window = 24 << 10, most_map_slot = 48 << 10;

/// A number of the operand's width: near the ends of fields of 3, 8, 32, 36 and 40 bits, or any.
uint64_t any_operand(Random&, bool is_wide);
/// Of a field that the architecture has.
MapStep any_replacement(Random&, spec::Arch);

void add(MapProgramCase&, const MapStep&);
/// A fence of any scope.
void add(MapProgramCase&, MapOp, Random&, uint8_t ordinal = 0);
void add_use(MapProgramCase&, const MapUse&);
void add_use(MapProgramCase&, const TensorCopyCase&, MapInstruction = MapInstruction::load);
/// In any order, now and then by an operand that stands for the same.
void add_shuffled(MapProgramCase&, Random&, std::vector<MapStep>);

/// A map in shared memory is there for copies once it was published.
void publish_first(MapProgramCase&, Random&);
/// As a library publishes it, or with one fence more than that.
void publish(MapProgramCase&, Random&);

/// A small legal copy of a random cell; by the driver: one whose map it can encode.
TensorCopyCase small_copy(Random&, spec::Arch, CopyDirection, bool by_driver,
                          const std::function<bool(const TiledCell&)>& wanted = {});
/// The program has the copy's map, window and slot.
void begin_with(MapProgramCase&, const TensorCopyCase&);
/// From a map that the driver writes to that of the copy, field by field.
void begin_rewrite(MapProgramCase&, Random&, spec::Arch, const TensorCopyCase& wanted);

/// Where it is known that copies do not look there (REPL-R23): in one program of eight the map that it begins
/// with has other bits behind byte 0x40, in all words, in one of them, or one bit.
void scrawl_behind_fields(MapProgramCase&, Random&, spec::Arch);

/// Any thread executes it. Of one program of four with its map in shared memory the map lies anywhere there,
/// often at a multiple of 32 KiB or right in front of it. By a stream of its own.
void place_program(Random, spec::Arch, MapProgramCase&);

/// Whether the program's last use, which is to come next, ends well and inside of memory.
bool last_use_is_good(const MapProgramCase&, spec::Arch);
/// Whether every use ends well and every byte of the slot is known afterwards.
bool is_good(const MapProgramCase&, spec::Arch);
/// How the last use ends, of whose map there is no choice.
model::End end_of_last_use(const MapProgramCase&, spec::Arch);

/// The replacements that write every field of a map which has one, of the dimensions that it has.
std::vector<MapStep> edits_of_whole_map(const TensorMapArgs&, spec::Arch);
/// Those of them whose value is another in `to` than in `from`.
std::vector<MapStep> edits_between(const TensorMapArgs& from, const TensorMapArgs& to, spec::Arch);

/// Now and then another operand that stands for the same: bits beyond the field, a stride that is rounded.
void disguise(Random&, MapStep&);

/// One argument or coordinate of a legal load becomes another one. What comes out need not be legal.
void change_one(Random&, spec::Arch, TensorCopyCase&);

}  // namespace assay::gen
