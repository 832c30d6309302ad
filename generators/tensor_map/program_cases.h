// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <functional>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tensor_map/program_case.h"

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

rc::Shrinkable<MapProgramCase> shrink_tree(const MapProgramCase&,
                                           std::function<bool(const MapProgramCase&)> keep);

}  // namespace assay::gen
