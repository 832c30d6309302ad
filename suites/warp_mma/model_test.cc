// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "generators/warp_mma/cases.h"
#include "kernels/params/metadata_fill.h"
#include "reference/layout/canonical.h"
#include "reference/layout/fragments.h"
#include "reference/model/case_json.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "suites/mma/pattern_words.h"

/// The models of wgmma and mma.sync against one output at a time: every element found by its address, the sum
/// made in rational arithmetic.
namespace assay::suites {
namespace {

using gen::MmaGroup;
constexpr MmaGroup wgmma_groups[] = {MmaGroup::f16, MmaGroup::bf16, MmaGroup::tf32, MmaGroup::fp8,
                                     MmaGroup::i8};
constexpr MmaGroup mma_sync_groups[] = {MmaGroup::f16, MmaGroup::bf16, MmaGroup::tf32,
                                        MmaGroup::fp8, MmaGroup::i8,   MmaGroup::i4};

uint64_t element(const OperandPattern& pattern, uint64_t bit, uint32_t bits) {
  const uint32_t word = params::operand_word(operand_fill(pattern), bit / 32);
  const uint64_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  return word >> (bit % 32) & mask;
}

/// Word of register r of A: 0, 2, 1, 3 for r 0, 1, 2, 3.
uint64_t a_register_word(int thread, int r) {
  return static_cast<uint64_t>(thread) * 4 + static_cast<uint64_t>(r % 2 * 2 + r / 2);
}

/// Element (row, k) of A in registers, by search.
uint64_t a_from_registers(const OperandPattern& pattern, int warp_rows, int row, int k, uint32_t bits) {
  const int bit = k * static_cast<int>(bits);
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < 4; ++r)
      for (int j = 0; j < 4; ++j)
        if (layout::a_place(lane, r, j) == layout::MatrixPlace{row % warp_rows, bit / 8}) {
          const uint64_t word = a_register_word(row / warp_rows * 32 + lane, r);
          return element(pattern, word * 32 + static_cast<uint64_t>(j * 8 + bit % 8), bits);
        }
  ADD_FAILURE() << "no register holds row " << row << ", bit " << bit;
  return 0;
}
uint64_t b_from_registers(const OperandPattern& pattern, int column, int k, uint32_t bits, int words) {
  const int bit = k * static_cast<int>(bits);
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < words; ++r)
      for (int j = 0; j < 4; ++j)
        if (layout::b_place(lane, r, j) == layout::MatrixPlace{column % 8, bit / 8}) {
          const uint64_t word = static_cast<uint64_t>((column / 8 * 32 + lane) * words + r);
          return element(pattern, word * 32 + static_cast<uint64_t>(j * 8 + bit % 8), bits);
        }
  ADD_FAILURE() << "no register holds column " << column << ", bit " << bit;
  return 0;
}

struct Place {
  int row, column;
};
/// Where word `word` of the output (its lower half, or half 1) lies in the matrix.
Place place_of(uint32_t word, uint32_t half, uint32_t registers, uint32_t tiles, bool halves, int warp_rows) {
  const int thread = static_cast<int>(word / (registers * tiles));
  const int tile = static_cast<int>(word / registers % tiles), r = static_cast<int>(word % registers);
  const layout::MatrixPlace p = halves
                                    ? layout::half_accumulator_place(thread % 32, r, static_cast<int>(half))
                                    : layout::accumulator_place(thread % 32, r);
  return {thread / 32 * warp_rows + p.row, 8 * tile + p.column};
}

uint64_t in_shared(const WgmmaCase& c, const MatrixInShared& m, bool mn_major, uint32_t mn, uint32_t k,
                   uint32_t bytes) {
  const layout::SmemOperand operand{static_cast<int>(bytes) * 8, layout::Packing::plain, mn_major};
  const uint32_t at = layout::smem_place(model::smem_matrix(m), operand, mn, k).byte;
  return element(at < c.split ? c.a_fill : c.b_fill, uint64_t{at} * 8, bytes * 8);
}

template <typename CaseType, typename A, typename B>
void compare(const CaseType& c, std::string_view family, int k, int warp_rows, uint32_t tiles, bool reads_c,
             const A& a_of, const B& b_of, gen::Random& random) {
  std::vector<uint32_t> output(output_bytes(c) / 4);
  model::predict(c, spec::Readings(spec::Arch::sm_90), pattern_words, output);
  const numerics::Types types = model::numeric_types(c.types, k);
  const numerics::Instruction* row = numerics::find_instruction(family, types, c.types.saturates);
  ASSERT_NE(row, nullptr);
  const bool halves = c.types.d == MmaAccumulator::f16;
  for (int sample = 0; sample < 12; ++sample) {
    const uint32_t word = random.below(static_cast<uint32_t>(output.size())),
                   half = halves ? random.below(2) : 0;
    const Place at = place_of(word, half, halves || warp_rows == 8 ? 2 : 4, tiles, halves, warp_rows);
    std::vector<uint64_t> a, b;
    for (int i = 0; i < k; ++i) {
      a.push_back(a_of(at.row, i));
      b.push_back(b_of(at.row, at.column, i));
    }
    const uint32_t shift = 16 * half;
    const uint64_t mask = halves ? 0xffff : ~0u;
    const uint64_t old = reads_c ? params::operand_word(operand_fill(c.c_fill), word) >> shift & mask : 0;
    const uint64_t expected = numerics::exact_dot(row->arithmetic, types, {a, b, old, {}, {}, 0});
    ASSERT_EQ(output[word] >> shift & mask, expected)
        << model::to_json(c).dump() << " word " << word << " row " << at.row << " column " << at.column;
  }
}

/// The element of B, counted along k, that element k of a row meets: of a sparse A a kept one.
int met_k(const SparseA& sparse, const spec::Format& a, int kept_k, int row, int k) {
  if (!sparse.present) return k;
  const layout::SparsityRow& sparsity = layout::sparsity_of(a, true);
  const int group = k / sparsity.kept, bits = a.storage_bits;
  const layout::MetadataRegister at = layout::metadata_register(
      bits, kept_k / sparsity.kept, static_cast<int>(sparse.selector), row % 16, group);
  const params::MetadataFill fill{.seed = sparse.seed, .codes = sparse.codes};
  const uint32_t word = params::metadata_word(fill, static_cast<uint32_t>(row / 16 * 32 + at.lane), 0);
  return group * sparsity.chunk +
         layout::met_element(sparsity, word >> 4 * at.nibble & 0xf, k % sparsity.kept);
}

void compare_wgmma(const WgmmaCase& c, gen::Random& random) {
  const uint32_t bytes = element_bytes(c.types.a);
  const numerics::Types types = model::numeric_types(c.types, model::wgmma_k(c.types));
  const auto a_of = [&](int row, int k) {
    const uint64_t code = c.a_in_registers ? a_from_registers(c.a_fill, 16, row, k, 8 * bytes)
                                           : in_shared(c, c.a, c.transpose_a, static_cast<uint32_t>(row),
                                                       static_cast<uint32_t>(k), bytes);
    return c.negate_a ? code ^ types.a->sign_bit() : code;
  };
  const auto b_of = [&](int row, int column, int k) {
    const auto at = static_cast<uint32_t>(met_k(c.sparse, *types.a, types.k, row, k));
    const uint64_t code = in_shared(c, c.b, c.transpose_b, static_cast<uint32_t>(column), at, bytes);
    return c.negate_b ? code ^ types.b->sign_bit() : code;
  };
  compare(c, "wgmma", types.k, 16, c.n / 8, c.scale_d, a_of, b_of, random);
}

TEST(WarpMmaModel, WgmmaIsTheSumOfWhatLiesAtEachAddressAndWhatTheMetadataName) {
  gen::Random random(1);
  for (const bool is_sparse : {false, true})
    for (const MmaGroup group : wgmma_groups)
      for (uint64_t i = 0; i < 160; ++i) {
        WgmmaCase c;
        if (!is_sparse && i % 4 == 3)
          gen::make_wgmma_descriptor({3, "model", i, spec::Arch::sm_90}, c);
        else
          gen::make_product({3, "model", i, spec::Arch::sm_90}, group, is_sparse, c);
        compare_wgmma(c, random);
        if (HasFatalFailure()) return;
      }
}

TEST(WarpMmaModel, MmaSyncIsTheSumOfWhatLiesInTheRegistersAndWhatTheMetadataName) {
  gen::Random random(2);
  for (const bool is_sparse : {false, true})
    for (const MmaGroup group : mma_sync_groups)
      for (uint64_t i = 0; i < 120; ++i) {
        MmaSyncCase c;
        gen::make_product({3, "model", i, spec::Arch::sm_90}, group, is_sparse, c);
        const uint32_t bits = element_bits(c.types.a);
        const int kept = static_cast<int>(kept_k(c)), words = static_cast<int>(b_words(c));
        const spec::Format& format = *model::numeric_types(c.types, kept).a;
        const auto a_of = [&](int row, int k) {
          return a_from_registers(c.a_fill, static_cast<int>(c.m), row, k, bits);
        };
        const auto b_of = [&](int row, int column, int k) {
          return b_from_registers(c.b_fill, column, met_k(c.sparse, format, kept, row, k), bits, words);
        };
        compare(c, "mma_sm90", kept, static_cast<int>(c.m), c.tiles, true, a_of, b_of, random);
        if (HasFatalFailure()) return;
      }
}

TEST(WarpMmaModel, AnElementTypeThatThereIsNotIsRefusedByItsPath) {
  nlohmann::json wrong = model::to_json(MmaSyncCase{});
  wrong["types"]["a"] = "f8";
  EXPECT_THROW(
      try { model::case_from_json<MmaSyncCase>(wrong); } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("types.a"), std::string::npos) << error.what();
        throw;
      },
      std::runtime_error);
}

}  // namespace
}  // namespace assay::suites
