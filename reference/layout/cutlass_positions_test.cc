// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "reference/layout/canonical.h"
#include "reference/layout/tmem.h"
#include "reference/spec/cutlass_positions_test.h"

/// The layouts of this directory against the ones that CUTLASS 4.7.0 publishes (BSD 3-Clause, © NVIDIA): its
/// layout atoms are data of the two files below, what becomes of them is worked out here from what a layout
/// of CuTe means, and the positions are kept as digests for the emulator's own test of the same files.
namespace assay::layout {
namespace {

using cutlass::Digest, cutlass::number, cutlass::rows_of;

/// A layout of CuTe: one (shape, stride) list a mode, innermost first.
struct CuteLayout {
  struct Mode {
    std::vector<uint64_t> shape, stride;
    uint64_t size() const {
      uint64_t all = 1;
      for (const uint64_t one : shape) all *= one;
      return all;
    }
    uint64_t operator()(uint64_t index) const {
      uint64_t at = 0;
      for (size_t i = 0; i < shape.size(); ++i) {
        at += index % shape[i] * stride[i];
        index /= shape[i];
      }
      return at;
    }
  };
  Mode first, second;
  uint64_t operator()(uint64_t i, uint64_t j) const { return first(i) + second(j); }
  /// By one index, the first mode first.
  uint64_t operator()(uint64_t i) const { return (*this)(i % first.size(), i / first.size()); }
};

/// The numbers of "((4,8),(64,2))", those of the first mode and those of the second.
std::array<std::vector<uint64_t>, 2> numbers_of(const std::string& text) {
  std::array<std::vector<uint64_t>, 2> modes;
  size_t mode = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    mode += text[i] == ',' && depth == 1;
    if (text[i] < '0' || text[i] > '9') continue;
    modes.at(mode).push_back(std::stoull(text.substr(i)));
    while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') ++i;
  }
  return modes;
}

CuteLayout parse(const std::string& text) {
  const size_t colon = text.find(':');
  const auto shapes = numbers_of(text.substr(0, colon)), strides = numbers_of(text.substr(colon + 1));
  return {{shapes[0], strides[0]}, {shapes[1], strides[1]}};
}

/// A tile as tile_to_shape() lays it: atoms side by side, along MN first or along K first, in bits.
struct CutlassTile {
  CuteLayout atom;
  uint32_t bits, atom_mn, atom_k, next_mn, next_k, base;
  bool mn_major;
  uint32_t swizzle_bits, swizzle_base, swizzle_shift;

  explicit CutlassTile(const std::vector<std::string>& row)
      : atom(parse(row[3])), bits(number(row[4])), base(number(row[9])), mn_major(row[1].starts_with("MN")) {
    std::sscanf(row[2].c_str(), "%u/%u/%u", &swizzle_bits, &swizzle_base, &swizzle_shift);
    const auto mn = static_cast<uint32_t>(atom.first.size()), k = static_cast<uint32_t>(atom.second.size());
    atom_mn = mn_major ? mn / bits : mn;
    atom_k = mn_major ? k : k / bits;
    const uint32_t bytes = mn * k / 8;
    next_mn = row[7] == "MN" ? bytes : bytes * (number(row[6]) / atom_k);
    next_k = row[7] == "MN" ? bytes * (number(row[5]) / atom_mn) : bytes;
  }
  /// Bit address of an element before the swizzle.
  uint32_t linear(uint32_t mn, uint32_t k) const {
    const uint32_t i = mn % atom_mn * (mn_major ? bits : 1), j = k % atom_k * (mn_major ? 1 : bits);
    return (base + mn / atom_mn * next_mn + k / atom_k * next_k) * 8 + static_cast<uint32_t>(atom(i, j));
  }
  /// Swizzle<B, M, S> of CuTe on byte addresses.
  uint32_t position(uint32_t mn, uint32_t k) const {
    const uint32_t at = linear(mn, k), byte = at / 8;
    const uint32_t mask = ((1u << swizzle_bits) - 1) << (swizzle_base + swizzle_shift);
    return (byte ^ (byte & mask) >> swizzle_shift) * 8 + at % 8;
  }
};

const spec::SmemSwizzle* swizzle_of(const std::string& atom) {
  const std::string mode = atom.substr(atom.find('_') + 1);
  return spec::find_smem_swizzle(mode == "INTER"   ? "none"
                                 : mode == "SW32"  ? "32B"
                                 : mode == "SW64"  ? "64B"
                                 : mode == "SW128" ? "128B"
                                                   : "128B_atom32B");
}

// Every element of every K step, through the descriptor that the step has.
TEST(CutlassPositions, SharedMemoryOperandsLieWhereTheLayoutAtomsPutThem) {
  uint64_t elements = 0, layouts = 0;
  for (const auto& row : rows_of("cutlass_shared_positions.csv")) {
    const CutlassTile tile(row);
    const uint32_t mn_count = number(row[5]), k_count = number(row[6]), k_step = number(row[8]);
    const SmemOperand operand{static_cast<int>(tile.bits), Packing::plain, tile.mn_major};
    spec::SmemMatrix matrix{0, number(row[10]), number(row[11]), 0, false, swizzle_of(row[1])};
    // What the words call the strides is what lies between the atoms.
    const bool plain = matrix.swizzle->width == 16;
    const bool mn_by_stride = !tile.mn_major || plain;
    EXPECT_EQ(mn_by_stride ? matrix.stride_offset : matrix.leading_offset, tile.next_mn) << row[0];
    const uint32_t to_next_k = mn_by_stride ? matrix.leading_offset : matrix.stride_offset;
    EXPECT_EQ(to_next_k, tile.mn_major || plain ? tile.next_k : 16) << row[0];
    Digest of_cutlass, of_reference;
    uint64_t wrong = 0;
    std::istringstream starts(row[12]);
    for (uint32_t k = 0; k < k_count; ++k) {
      if (k % k_step == 0) {
        ASSERT_TRUE(starts >> matrix.start) << row[0];
        EXPECT_EQ(matrix.start, tile.linear(0, k) / 8) << row[0];
      }
      const LaidMatrix laid(matrix, operand);
      for (uint32_t mn = 0; mn < mn_count; ++mn, ++elements) {
        const SmemPlace place = laid.place(mn, k % k_step);
        const uint32_t here = place.byte * 8 + static_cast<uint32_t>(place.bit), there = tile.position(mn, k);
        wrong += here != there;
        of_reference.add(here);
        of_cutlass.add(there);
      }
    }
    EXPECT_EQ(wrong, 0u) << row[0];
    EXPECT_EQ(of_cutlass.text(), row[14]) << row[0];
    EXPECT_EQ(of_reference.text(), row[14]) << row[0];
    ++layouts;
  }
  EXPECT_EQ(layouts, 50u);
  EXPECT_GE(elements, 724'992u);
}

/// "16dp64b8x_16b": shape, count, whether registers hold two columns.
struct TmemCopyName {
  uint32_t shape;
  int count;
  bool packs;
  explicit TmemCopyName(const std::string& name) : packs(name.ends_with("_16b")) {
    const std::string block = name.substr(0, name.find('b'));
    shape = block == "16dp64"    ? 0
            : block == "16dp128" ? 1
            : block == "16dp256" ? 2
            : block == "32dp32"  ? 3
                                 : 4;
    count = std::stoi(name.substr(name.find('b') + 1));
  }
};

TEST(CutlassPositions, RegistersOfLoadsLieWhereTheCopyTraitsPutThem) {
  uint64_t cells = 0, traits = 0;
  for (const auto& row : rows_of("cutlass_tmem_positions.csv")) {
    if (row[1] != "ld") continue;
    const TmemCopyName name(row[2]);
    const CuteLayout bit_of_value = parse(row[3]), value_of_thread = parse(row[4]);
    Digest of_cutlass, of_reference;
    uint64_t wrong = 0;
    const int registers = tmem_shapes[name.shape].registers_per_count * name.count;
    ASSERT_EQ(value_of_thread.second.size(), static_cast<uint64_t>(registers) * 32) << row[2];
    ASSERT_EQ(value_of_thread.first.size(), 32u) << row[2];
    for (int thread = 0; thread < 32; ++thread)
      for (int r = 0; r < registers; ++r)
        for (int half = 0; half <= (name.packs ? 1 : 0); ++half, ++cells) {
          const uint64_t bit = bit_of_value(
              value_of_thread(static_cast<uint64_t>(thread), static_cast<uint64_t>(32 * r + 16 * half)));
          const auto lane = static_cast<uint32_t>(bit >> 21),
                     column = static_cast<uint32_t>((bit & 0x1fffff) / 32);
          EXPECT_EQ(bit % 32, 0u) << row[2];
          // The library's split is the number of columns of one half.
          const int spread = name.packs ? 2 : 1;
          const TmemRegisterPlace place =
              tmem_register_place(name.shape, thread, r, spread, name.count * spread);
          const auto here_column = static_cast<uint32_t>(place.column + half);
          wrong += static_cast<uint32_t>(place.lane) != lane || here_column != column;
          of_cutlass.add(lane << 16 | column);
          of_reference.add(static_cast<uint32_t>(place.lane) << 16 | here_column);
        }
    EXPECT_EQ(wrong, 0u) << row[2];
    EXPECT_EQ(of_cutlass.text(), row[6]) << row[2];
    EXPECT_EQ(of_reference.text(), row[6]) << row[2];
    ++traits;
  }
  EXPECT_EQ(traits, 74u);
  EXPECT_GT(cells, 100'000u);
}

// Layout C alone has no fragment there: its rows are those of F in either CTA.
TEST(CutlassPositions, AccumulatorsLieWhereTheFragmentsPutThem) {
  uint64_t fragments = 0;
  for (const auto& row : rows_of("cutlass_tmem_positions.csv")) {
    if (row[1] != "d") continue;
    const DLayoutRow& form = d_layouts[static_cast<size_t>(row[2][0] - 'A')];
    const int n_count = std::stoi(row[2].substr(2)), rows = form.m / form.cta_group;
    const CuteLayout restride = parse(row[3]), atom = parse(row[4]);
    ASSERT_EQ(atom.first.size(), static_cast<uint64_t>(rows)) << row[2];
    ASSERT_EQ(atom.second.size(), static_cast<uint64_t>(n_count)) << row[2];
    for (int cta = 0; cta < form.cta_group; ++cta) {
      Digest of_cutlass, of_reference;
      uint64_t wrong = 0;
      for (int m = 0; m < rows; ++m)
        for (int n = 0; n < n_count; ++n) {
          const auto cell =
              static_cast<uint32_t>(restride(atom(static_cast<uint64_t>(m), static_cast<uint64_t>(n))));
          const TmemPlace place = d_place(form, cta * rows + m, n, n_count);
          const auto here = static_cast<uint32_t>(place.lane) << 16 | static_cast<uint32_t>(place.column);
          wrong += here != cell || place.cta != cta;
          of_cutlass.add(cell);
          of_reference.add(here);
        }
      EXPECT_EQ(wrong, 0u) << row[2];
      EXPECT_EQ(of_cutlass.text(), row[6]) << row[2];
      EXPECT_EQ(of_reference.text(), row[6]) << row[2];
    }
    ++fragments;
  }
  EXPECT_EQ(fragments, 22u);
  const DLayoutRow &c = d_layouts[2], &f = d_layouts[5];
  for (int m = 0; m < c.m; ++m) {
    const TmemPlace place = d_place(c, m, 3, 64, 16);
    EXPECT_EQ(place, (TmemPlace{m / 64, d_place(f, m % 64, 3, 64, 16).lane, 3}));
  }
}

}  // namespace
}  // namespace assay::layout
