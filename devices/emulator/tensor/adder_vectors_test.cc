// SPDX-License-Identifier: Apache-2.0
// The adder against the probes of its arithmetic (testdata/vectors/probes_numerics.csv); those of Hopper were
// confirmed on an H200.

#include <gtest/gtest.h>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/smem_operand.h"
#include "devices/emulator/tensor/tcgen05_desc.h"
#include "devices/emulator/tensor/tmem_copy.h"
#include "devices/emulator/vector_text_test.h"
#include "reference/spec/cutlass_positions_test.h"

namespace assay::emulator {
namespace {

using cutlass::Digest, cutlass::number, cutlass::rows_of;

std::vector<uint32_t> codes_of(const std::string& text) {
  std::vector<uint32_t> made;
  for (const std::string& word : split(text, ' '))
    made.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
  return made;
}

struct Family {
  Adder adder;
  Target target;
};
const std::map<std::string, Family> families{{"wgmma", {Adder::wgmma, Target::sm_90}},
                                             {"mma_sm90", {Adder::mma_sync, Target::sm_90}},
                                             {"mma_sm100", {Adder::mma_sync, Target::sm_100}},
                                             {"tcgen05", {Adder::tcgen05, Target::sm_100}}};

/// Nothing for rows of instructions that this adder does not do: block-scaled, f64, sm_120.
bool check(const Fields& row, const std::string& want) {
  const std::string set = row.at("param_set");
  const auto family = families.find(set.substr(0, set.find('.')));
  const std::string& kind = row.at("kind");
  if (family == families.end() || (kind != "T-FDPA" && kind != "INT")) return false;
  const auto a = codes_of(row.at("a"));
  auto b = codes_of(row.at("b"));
  const std::string property = row.contains("property") ? row.at("property") : "";
  // The mask is not the adder's: it gets a column of zeros.
  if (property.find("zero-column mask") != std::string::npos) b.assign(b.size(), 0);
  // Three equal rows and two equal columns: every element must come out alike.
  std::vector<uint32_t> all_a, all_b, d(6, codes_of(row.at("c"))[0]);
  for (int i = 0; i < 3; ++i) all_a.insert(all_a.end(), a.begin(), a.end());
  for (int i = 0; i < 2; ++i) all_b.insert(all_b.end(), b.begin(), b.end());
  TileProduct product{};
  product.adder = family->second.adder, product.target = family->second.target;
  product.a_format = spec::find_format(row.at("a_type"));
  product.b_format = spec::find_format(row.at("b_type"));
  product.d_format = spec::find_format(row.at("cd_type"));
  product.m = 3, product.n = 2, product.k = static_cast<uint32_t>(std::stoul(row.at("K")));
  product.saturates = set.ends_with(".sat");
  if (property.find("scale-input-d") != std::string::npos)
    product.scale_input_d = std::stoi(property.substr(property.find("n=") + 2));
  EXPECT_EQ(a.size(), product.k) << row.at("id");
  product.a = all_a, product.b = all_b, product.d = d;
  multiply_tile(product, Settings{family->second.target});
  for (const uint32_t code : d) EXPECT_EQ(code, codes_of(want)[0]) << row.at("id") << " " << set << std::hex;
  return true;
}

TEST(AdderVectors, Probes) {
  size_t checked = 0;
  for (const Fields& row : vector_rows("probes_numerics.csv"))
    if (check(row, row.at("best_d"))) ++checked;
  EXPECT_EQ(checked, 136u);
}

// Where the emulated machine reads and writes against the digests of the positions that CUTLASS 4.7.0's
// published layouts give (BSD 3-Clause, © NVIDIA). The reference has a test of its own that works the
// digests out.

/// A window in which every element of `bits` tells the bits from `shift` on of its own number.
Cta window(uint32_t bits, uint32_t shift) {
  Cta cta;
  cta.shared.resize(facts_of(Target::sm_100).shared_bytes);
  cta.written.assign(cta.shared.size(), 1);
  for (uint32_t at = 0; at + 4 <= cta.shared.size(); at += 4) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < 32 / bits; ++i)
      word |= ((at * 8 / bits + i) >> shift & ((uint64_t{1} << bits) - 1)) << i * bits;
    std::memcpy(cta.shared.data() + at, &word, 4);
  }
  return cta;
}

SmemSwizzle swizzle_of(const std::string& atom) {
  const std::string mode = atom.substr(atom.find('_') + 1);
  return mode == "INTER"   ? SmemSwizzle::none
         : mode == "SW32"  ? SmemSwizzle::w32
         : mode == "SW64"  ? SmemSwizzle::w64
         : mode == "SW128" ? SmemSwizzle::w128
                           : SmemSwizzle::w128_atom_32;
}

TEST(CutlassPositions, OperandsAreReadWhereTheLayoutAtomsPutThem) {
  uint64_t elements = 0, layouts = 0;
  for (const uint32_t bits : {4u, 8u, 16u, 32u}) {
    std::vector<Cta> windows;
    for (uint32_t shift = 0; shift < 22; shift += bits) windows.push_back(window(bits, shift));
    for (const auto& row : rows_of("cutlass_shared_positions.csv")) {
      if (number(row[4]) != bits) continue;
      SmemMatrix matrix;
      matrix.descriptor.swizzle = swizzle_of(row[1]);
      matrix.descriptor.leading = number(row[10]);
      matrix.descriptor.stride = number(row[11]);
      matrix.is_mn_major = row[1].starts_with("MN");
      matrix.format = spec::find_format(bits == 4 ? "e2m1" : bits == 8 ? "u8" : bits == 16 ? "f16" : "tf32");
      matrix.is_packed = true;  // as kinds mxf4 and mxf4nvf4 have it
      matrix.rows = number(row[5]);
      matrix.k = number(row[8]);
      Digest digest;
      std::istringstream starts(row[12]);
      while (starts >> matrix.descriptor.start) {
        std::vector<uint32_t> numbers(static_cast<size_t>(matrix.rows) * matrix.k), codes(numbers.size());
        std::vector<uint8_t> unwritten(matrix.rows);
        for (size_t part = 0; part < windows.size(); ++part) {
          read_matrix(matrix, windows[part], {codes, unwritten});
          for (size_t i = 0; i < codes.size(); ++i) numbers[i] |= codes[i] << part * bits;
        }
        for (uint32_t k = 0; k < matrix.k; ++k)
          for (uint32_t mn = 0; mn < matrix.rows; ++mn, ++elements)
            digest.add(numbers[static_cast<size_t>(mn) * matrix.k + k] * bits);
      }
      EXPECT_EQ(digest.text(), row[14]) << row[0] << " " << row[1];
      ++layouts;
    }
  }
  EXPECT_EQ(layouts, 50u);
  EXPECT_GE(elements, 724'992u);
}

TEST(CutlassPositions, RegistersOfLoadsComeFromWhereTheCopyTraitsSay) {
  uint64_t traits = 0;
  for (const auto& row : rows_of("cutlass_tmem_positions.csv")) {
    if (row[1] != "ld") continue;
    const std::string block = row[2].substr(0, row[2].find('b'));
    TmemForm form;
    form.shape = block == "16dp64"    ? TmemShape::s16x64b
                 : block == "16dp128" ? TmemShape::s16x128b
                 : block == "16dp256" ? TmemShape::s16x256b
                 : block == "32dp32"  ? TmemShape::s32x32b
                                      : TmemShape::s16x32bx2;
    form.count = number(row[2].substr(row[2].find('b') + 1));
    form.is_halved = row[2].ends_with("_16b");
    // The library's split is the number of columns of one half.
    form.split = form.shape == TmemShape::s16x32bx2 ? form.count * (form.is_halved ? 2 : 1) : 0;
    EXPECT_TRUE(has_count(form.shape, form.count)) << row[2];
    Digest digest;
    for (uint32_t thread = 0; thread < 32; ++thread)
      for (uint32_t r = 0; r < form.registers(); ++r)
        for (uint32_t half = 0; half < (form.is_halved ? 2u : 1u); ++half) {
          const TmemCell cell = tmem_cell(form, thread, r);
          digest.add(cell.lane << 16 | (cell.column + half));
          EXPECT_LT(cell.lane, form.lanes()) << row[2];
        }
    EXPECT_EQ(digest.text(), row[6]) << row[2];
    ++traits;
  }
  EXPECT_EQ(traits, 74u);
}

TEST(CutlassPositions, AccumulatorsLieWhereTheFragmentsPutThem) {
  uint64_t fragments = 0;
  for (const auto& row : rows_of("cutlass_tmem_positions.csv")) {
    if (row[1] != "d") continue;
    const char letter = row[2][0];
    const uint32_t n_count = number(row[2].substr(2));
    MmaForm form;
    form.is_ws = letter == 'E' || letter == 'G';
    form.cta_group = letter == 'A' || letter == 'B' ? 2 : 1;
    const uint32_t m = letter == 'A' ? 256 : letter == 'B' || letter == 'D' ? 128 : letter == 'G' ? 32 : 64;
    const AccumulatorLayout layout = accumulator_layout(form, m, n_count);
    EXPECT_EQ(layout.name, letter);
    Digest digest;
    for (uint32_t row_of_cta = 0; row_of_cta < layout.cta_rows; ++row_of_cta)
      for (uint32_t n = 0; n < n_count; ++n)
        digest.add((layout.lane(row_of_cta) + n / layout.group_columns * layout.group_lanes) << 16 |
                   n % layout.group_columns);
    EXPECT_EQ(digest.text(), row[6]) << row[2];
    ++fragments;
  }
  EXPECT_EQ(fragments, 22u);
}

}  // namespace
}  // namespace assay::emulator
