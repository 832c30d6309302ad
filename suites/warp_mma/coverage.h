// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "generators/warp_mma/cases.h"
#include "kernels/params/operand_fill.h"
#include "kernels/params/warp_mma_types.h"
#include "reference/layout/fragments.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "suites/failure/element_words.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/field_coverage.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/words.h"

namespace assay::suites {

/// wgmma, dense and sparse.
const Family& wgmma_family();
/// mma.sync and mma.sp.
const Family& mma_sync_family();
/// The same with a .kind.
const Family& mma_sync_kind_family();

// What the families of wgmma and mma.sync share.

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

template <typename WarpMmaCase>
MmaAccumulator accumulator_of(const WarpMmaCase& c) {
  if constexpr (requires { c.d_is_f16; })
    return c.d_is_f16 ? MmaAccumulator::f16 : MmaAccumulator::f32;
  else
    return c.types.d;
}

/// What wgmma, mma.sync and mma.sync with a kind are alike in.
template <typename CaseOf, typename Record>
class WarpProductFamily : public PlainFamily<CaseOf, Record, gen::simpler> {
 public:
  uint32_t output_bytes(const Case& any) const final { return assay::output_bytes(any.as<CaseOf>()); }
  uint64_t pace() const final { return 16; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch, Expected& e) const final {
    const CaseOf& c = any.as<CaseOf>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const bool may_be_open = readings.bend() != nullptr || c.sparse.strange_rate != 0;
    const std::span<std::byte> mask = scratch.take(scratch.mask, may_be_open ? bytes.size() : 0);
    model::Openness openness{.defined = words_of(mask)};
    e = {};
    e.rules = model::predict(c, readings, pattern_words, words_of(bytes), may_be_open ? &openness : nullptr);
    if (openness.leaves_window) e.end = model::End::undefined;
    e.judges_bytes = true;
    e.bytes = bytes;
    if (openness.is_any) e.mask = mask;
  }

  OutputShape output_shape(const Case& any) const final {
    const CaseOf& c = any.as<CaseOf>();
    return register_shape(accumulator_of(c), d_registers(c));
  }
  /// Of the element that the byte belongs to.
  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const final {
    const CaseOf& c = any.as<CaseOf>();
    const auto element_at = [&](uint64_t at) -> std::optional<model::ElementSteps> {
      return model::steps_of(c, readings, pattern_words, static_cast<uint32_t>(at / 4), at % 4 >= 2);
    };
    return diagnose_element(element_at, accumulator_of(c) == MmaAccumulator::f16 ? 2 : 4, expected, observed,
                            byte);
  }
  PlaceOfByte element_places(const Case& any) const final { return register_places(output_bytes(any)); }
};

/// The matrix descriptors of WgmmaCase.
std::span<const Descriptor> wgmma_descriptors();

// What the properties of wgmma and mma.sync count: cells of form and mix of operands, then dot products of
// each variant (types, source of A, k), which a run should bring to 1e9.

inline constexpr std::string_view dot_product_dimension = "dot products by types x k x source of A";

/// Variants of a group, and the one of a case. Those of mma.sync are its forms, those of mma.sp types and
/// shapes.
template <typename CaseOf>
std::vector<std::string> variants(gen::MmaGroup group, bool is_sparse);
template <>
std::vector<std::string> variants<WgmmaCase>(gen::MmaGroup group, bool is_sparse);
template <>
std::vector<std::string> variants<MmaSyncCase>(gen::MmaGroup group, bool is_sparse);
uint32_t variant_of(const WgmmaCase& c);
uint32_t variant_of(const MmaSyncCase& c);
uint64_t dot_products(const WgmmaCase& c);
uint64_t dot_products(const MmaSyncCase& c);

std::vector<uint32_t> up_to(size_t count);

/// What tells one instruction's properties of arithmetic from another's, of a dense A and of a sparse one.
template <typename CaseOf>
struct WarpProduct;
template <>
struct WarpProduct<WgmmaCase> {
  using Form = gen::WgmmaForm;
  static constexpr auto family = wgmma_family;
  static constexpr std::string_view dimensions[] = {"wgmma form x operands", "wgmma.sp form x operands"};
};
template <>
struct WarpProduct<MmaSyncCase> {
  using Form = gen::MmaSyncForm;
  static constexpr auto family = mma_sync_family;
  static constexpr std::string_view dimensions[] = {"mma.sync form x operands", "mma.sp form x operands"};
};

/// The property of one instruction's arithmetic on a group of types; of a sparse A with a space of codes.
template <typename CaseOf, bool is_sparse, gen::MmaGroup group>
Property arithmetic_property(std::string_view name, std::string_view claim, double share) {
  using Form = typename WarpProduct<CaseOf>::Form;
  Property property{.name = name, .claim = claim, .family = WarpProduct<CaseOf>::family, .share = share};
  property.generate = [](uint64_t seed, std::string_view of, uint64_t index, spec::Arch arch, Case& c) {
    gen::make_product({seed, of, index, arch}, group, is_sparse, c.emplace<CaseOf>());
  };
  property.spaces = {{WarpProduct<CaseOf>::dimensions[is_sparse], gen::cell_count<Form>(group, is_sparse),
                      [](uint32_t cell, spec::Arch) { return gen::cell_name<Form>(group, is_sparse, cell); },
                      [](spec::Arch) { return gen::walk_of<Form>(group, is_sparse).cells(); }},
                     {dot_product_dimension, static_cast<uint32_t>(variants<CaseOf>(group, is_sparse).size()),
                      [](uint32_t cell, spec::Arch) { return variants<CaseOf>(group, is_sparse)[cell]; },
                      [](spec::Arch) { return up_to(variants<CaseOf>(group, is_sparse).size()); }}};
  if (is_sparse)
    property.spaces.push_back({"kind of sparsity x code", gen::code_count,
                               [](uint32_t cell, spec::Arch) { return gen::code_name(group, cell); },
                               [](spec::Arch) { return gen::legal_codes(group); }});
  property.cover = [](const Case& any, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
    const CaseOf& c = any.as<CaseOf>();
    sink.hit(0, gen::walk_of<Form>(group, is_sparse).cell(index));
    sink.hit(1, variant_of(c), dot_products(c));
    if (!is_sparse) return;
    for (const uint32_t code : layout::codes_of(c.sparse.codes)) sink.hit(2, code);
  };
  return property;
}

struct SparseWgmmaIllegalCodes {
  using CaseOf = WgmmaCase;
  static constexpr auto family = wgmma_family;
  static constexpr auto make = gen::make_sparse_wgmma_illegal_codes;
  static bool has(spec::Arch, gen::MmaGroup group) { return group != gen::MmaGroup::i4; }
};
struct SparseMmaSyncIllegalCodes {
  using CaseOf = MmaSyncCase;
  static constexpr auto family = mma_sync_family;
  static constexpr auto make = gen::make_sparse_mma_sync_illegal_codes;
  /// Nobody has told how sm_120 adds a sparse row of 8-bit floats.
  static bool has(spec::Arch arch, gen::MmaGroup group) {
    return !spec::row_of(arch).has_mma_kinds || group != gen::MmaGroup::fp8;
  }
};

/// Cases whose metadata have codes without a meaning among the others: a space of types and such codes.
template <typename Instruction>
Property illegal_codes_property(std::string_view name, std::string_view claim) {
  using CaseOf = typename Instruction::CaseOf;
  using gen::code_count, gen::MmaGroup;
  Property property{.name = name, .claim = claim, .family = Instruction::family, .share = 1};
  property.generate = [](uint64_t seed, std::string_view of, uint64_t index, spec::Arch arch, Case& c) {
    Instruction::make({seed, of, index, arch}, c.emplace<CaseOf>());
  };
  property.spaces = {{"types x code", gen::mma_group_count * code_count,
                      [](uint32_t cell, spec::Arch) {
                        constexpr const char* names[] = {"f16", "bf16", "tf32", "fp8", "i8", "i4"};
                        return std::string(names[cell / code_count]) + " " +
                               gen::code_name(static_cast<MmaGroup>(cell / code_count), cell % code_count);
                      },
                      [](spec::Arch arch) {
                        std::vector<uint32_t> cells;
                        for (uint32_t group = 0; group < gen::mma_group_count; ++group) {
                          if (!Instruction::has(arch, static_cast<MmaGroup>(group))) continue;
                          for (const uint32_t code :
                               gen::codes_without_a_meaning(static_cast<MmaGroup>(group)))
                            cells.push_back(group * code_count + code);
                        }
                        return cells;
                      }}};
  property.cover = [](const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
    const CaseOf& c = any.as<CaseOf>();
    for (const uint32_t code : layout::codes_of(c.sparse.strange_codes))
      sink.hit(0, static_cast<uint32_t>(gen::group_of(c.types)) * code_count + code);
  };
  return property;
}

}  // namespace assay::suites
