// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generators/warp_mma/cases.h"
#include "kernels/params/operand_fill.h"
#include "kernels/params/warp_mma_types.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "suites/failure/element_words.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family.h"
#include "suites/run/field_coverage.h"
#include "suites/run/words.h"

namespace assay::suites {

/// wgmma, dense and sparse.
const Family& wgmma_family();
/// mma.sync and mma.sp.
const Family& mma_sync_family();
/// The same with a .kind.
const Family& mma_sync_kind_family();

}  // namespace assay::suites

/// What the families of wgmma and mma.sync share.
namespace assay::suites {

params::MmaTypes param_types(const MmaTypes& types);
/// params::mma_sparsity.
uint32_t param_sparsity(const SparseA& sparse);

inline std::span<uint32_t> words_of(std::span<std::byte> bytes) {
  return {reinterpret_cast<uint32_t*>(bytes.data()), bytes.size() / 4};
}

void add_matrix(NamedFields& list, const std::string& name, const MatrixInShared& matrix, uint64_t ignored);
void add_pattern(NamedFields& list, const std::string& name, const OperandPattern& pattern);

/// has_long_column: of 64 bytes.
params::KnownOperands known_operands(const KnownOperands& known, bool has_long_column, bool is_half);
void add_known(NamedFields& list, const KnownOperands& known);

/// What the registers of the first lane hold; those of the others stand in the case.
void add_registers(NamedFields& list, const WarpRegisters& registers);

/// Codes and seed of the metadata; nothing of a dense A.
void add_metadata(NamedFields& list, const SparseA& sparse);

/// Of an output that holds the registers of 128 threads, thread by thread.
inline PlaceOfByte register_places(size_t output_bytes) {
  return [a_thread = output_bytes / 128](uint64_t byte) -> ElementPlace {
    const auto thread = static_cast<int>(byte / a_thread);
    return {.warp = thread / 32, .warp_lane = thread % 32};
  };
}

/// Of such an output, a row a thread.
inline OutputShape register_shape(MmaAccumulator d, uint32_t registers) {
  const bool halves = d == MmaAccumulator::f16;
  return {halves ? 2u : 4u, 4 * registers, 0, halves ? "f16" : d == MmaAccumulator::s32 ? "s32" : "f32"};
}

/// Of the element that the byte belongs to.
template <typename WarpMmaCase>
Diagnosis diagnose_registers(const WarpMmaCase& c, const spec::Readings& readings,
                             const ExpectedOutput& expected, std::span<const uint8_t> observed,
                             uint64_t byte) {
  const auto element_at = [&](uint64_t at) -> std::optional<model::ElementSteps> {
    return model::steps_of(c, readings, pattern_words, static_cast<uint32_t>(at / 4), at % 4 >= 2);
  };
  return diagnose_element(element_at, c.types.d == MmaAccumulator::f16 ? 2 : 4, expected, observed, byte);
}

/// What A, B and C hold.
template <typename WarpMmaCase>
void add_operands(NamedFields& list, const WarpMmaCase& c) {
  if (c.known.present) {
    add_known(list, c.known);
    return;
  }
  add_pattern(list, "A bits", c.a_fill);
  add_pattern(list, "B bits", c.b_fill);
  add_pattern(list, "C bits", c.c_fill);
}

/// The case, or std::runtime_error: a file may hold one that no probe can run.
template <typename WarpMmaCase>
WarpMmaCase legal(const WarpMmaCase& c) {
  if (!gen::fits_rig(c))
    throw std::runtime_error(
        "the case asks for a form that the probes do not have, or for memory outside of its window.");
  return c;
}

/// The matrix descriptors of WgmmaCase.
std::span<const Descriptor> wgmma_descriptors();

}  // namespace assay::suites
