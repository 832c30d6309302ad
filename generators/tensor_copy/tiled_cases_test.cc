// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <set>
#include <string>

#include "generators/simpler_cases.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

constexpr spec::Arch archs_of_tiles[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103};

std::string broken_names(const spec::RuleSet& broken) {
  std::string names;
  for (size_t i = 0; i < broken.size(); ++i)
    if (broken[i]) names += std::string(spec::rules()[i].id) + " ";
  return names;
}

/// Rules that the reference finds broken in the map or at issue; the end that it expects.
model::End end_of(const TensorCopyCase& c, spec::Arch arch, std::string* names = nullptr) {
  const spec::Readings readings(arch);
  const spec::RuleSet broken = model::broken_map_rules(c.map, readings);
  if (names) *names = broken_names(broken);
  if (broken.any()) return model::End::rejected;
  spec::RuleSet rules;
  return model::end_of_issue(c, readings, rules);
}

TEST(TiledCases, LegalOnesAreLegalToTheReference) {
  for (const spec::Arch arch : archs_of_tiles)
    for (const bool store : {false, true}) {
      const auto cells = reachable_cells(arch, store ? CopyDirection::store : CopyDirection::load);
      for (uint64_t i = 0; i < cells.size() + 20000; i += 7) {
        TensorCopyCase c;
        const CaseId id{3, "legal", i, arch};
        store ? make_tiled_store(id, c) : make_tiled_load(id, c);
        std::string names;
        ASSERT_EQ(end_of(c, arch, &names), model::End::done)
            << names << name_of(classify(c, geometry(c.map, c.coord))) << " index " << i;
      }
    }
}

TEST(TiledCases, PaddedTypesMeetEachSwizzleInTheFirstHundreds) {
  for (const bool store : {false, true}) {
    const auto direction = store ? CopyDirection::store : CopyDirection::load;
    std::set<std::pair<uint32_t, uint32_t>> missing;
    const auto pair_of = [](uint32_t index) {
      const TiledCell cell = tiled_cell(index);
      return std::pair<uint32_t, uint32_t>(cell.type, cell.swizzle);
    };
    for (const uint32_t cell : reachable_cells(spec::Arch::sm_100, direction))
      if (spec::data_types[tiled_cell(cell).type].is_padded() && tiled_cell(cell).swizzle != 0)
        missing.insert(pair_of(cell));
    for (const uint32_t cell : shuffled_cells(spec::Arch::sm_100, direction).subspan(0, 150))
      missing.erase(pair_of(cell));
    EXPECT_TRUE(missing.empty()) << missing.size() << (store ? " pairs of stores" : " pairs of loads");
  }
}

TEST(TiledCases, HalfMoveAtMostAKilobyteAndSomeTheLargestBoxes) {
  for (const bool store : {false, true}) {
    uint64_t small = 0, largest = 0;
    constexpr uint64_t first = 1'000'000, count = 100'000;
    for (uint64_t i = first; i < first + count; ++i) {
      TensorCopyCase c;
      const CaseId id{5, "mean", i, spec::Arch::sm_90};
      store ? make_tiled_store(id, c) : make_tiled_load(id, c);
      const uint64_t bytes = c.lanes * geometry(c.map, c.coord).transaction_bytes;
      small += bytes <= 1024;
      largest = std::max(largest, bytes);
    }
    EXPECT_GE(small, count / 2);
    EXPECT_GE(largest, 128u << 10);
  }
}

TEST(TiledCases, EveryFaultKindFaultsToTheReference) {
  for (const spec::Arch arch : archs_of_tiles) {
    std::set<std::pair<int, model::End>> load, store;
    for (uint64_t i = 0; i < 4000; ++i) {
      TensorCopyCase c;
      make_tiled_load_fault({3, "faults", i, arch}, c);
      load.insert({static_cast<int>(i % 4), end_of(c, arch)});
      make_tiled_store_fault({3, "faults", i, arch}, c);
      store.insert({static_cast<int>(i % 5), end_of(c, arch)});
    }
    using enum model::End;
    // What a store through a type that is for loads alone does, no document says.
    if (arch != spec::Arch::sm_90) {
      EXPECT_EQ(store.erase({3, undefined}), 1u);
    }
    EXPECT_EQ(load, (std::set<std::pair<int, model::End>>{{0, misaligned_address},
                                                          {1, illegal_instruction},
                                                          {2, illegal_instruction},
                                                          {3, illegal_instruction}}));
    EXPECT_EQ(store, (std::set<std::pair<int, model::End>>{{0, misaligned_address},
                                                           {1, illegal_instruction},
                                                           {2, illegal_instruction},
                                                           {3, illegal_instruction},
                                                           {4, illegal_instruction}}));
  }
}

// Each costs a process: a run that has time for eighty meets every rank and dimension of each rule, under any
// seed.
TEST(TiledCases, EightyFaultsHaveEveryRankAndDimensionOfEachRule) {
  for (const spec::Arch arch : archs_of_tiles)
    for (const uint64_t seed : {1, 2, 20261123}) {
      std::set<std::pair<uint32_t, uint32_t>> ranks, exceeded, negative, shared;
      const auto dimension = [](const TensorCopyCase& c, auto is_wrong) {
        for (uint32_t i = 0; i < c.map.rank; ++i)
          if (is_wrong(i)) return std::pair(c.map.rank, i);
        return std::pair(c.map.rank, 9u);
      };
      for (uint64_t i = 0; i < 80; ++i) {
        TensorCopyCase c;
        make_tiled_load_fault({seed, "faults", i, arch}, c);
        if (i % 4 == 0) shared.insert({c.map.rank, c.tile_offset % 128});
        if (i % 4 == 2) ranks.insert({c.map.rank, c.instruction_rank});
        if (i % 4 == 3)
          exceeded.insert(dimension(c, [&](uint32_t d) { return c.map.global_dim[d] > uint64_t{1} << 31; }));
        make_tiled_store_fault({seed, "faults", i, arch}, c);
        if (i % 5 == 4) negative.insert(dimension(c, [&](uint32_t d) { return c.coord[d] < 0; }));
      }
      EXPECT_EQ(ranks.size(), 20u);
      EXPECT_EQ(exceeded.size(), 15u);
      EXPECT_EQ(negative.size(), 15u);
      EXPECT_GE(shared.size(), 18u) << "of twenty";
    }
}

// Both sides of each step that TILE-R52 gives come up, on the architecture that has it.
TEST(TiledCases, StartsOfPackedBoxesGoToTheirStepsAndBesideThem) {
  for (const spec::Arch arch : archs_of_tiles) {
    std::set<std::string> good, bad;
    const auto note = [&](const TensorCopyCase& c) {
      const std::string name = std::string(spec::data_types[c.map.data_type].name) +
                               (c.direction == CopyDirection::store ? " store " : " load ");
      const auto steps = std::countr_zero(static_cast<uint32_t>(c.coord[0] | 128));
      if (c.map.data_type >= 13)
        (end_of(c, arch) == model::End::done ? good : bad).insert(name + std::to_string(1 << steps));
    };
    for (uint64_t i = 0; i < 20000; ++i) {
      TensorCopyCase c;
      make_tiled_store({3, "stores", i, arch}, c);
      note(c);
      make_tiled_load_fault({3, "faults", i, arch}, c);
      if (i % 4 == 1) note(c);
      make_tiled_store_fault({3, "faults", i, arch}, c);
      if (i % 5 == 1) note(c);
    }
    EXPECT_EQ(good.contains("b6x16_p32 store 64"), arch == spec::Arch::sm_103);
    EXPECT_EQ(bad.contains("b6x16_p32 store 64"), arch == spec::Arch::sm_100);
    for (const char* wrong :
         {"b4x16 load 2", "b4x16 load 16", "b4x16_p64 load 64", "b6x16_p32 load 64", "b6x16_p32 store 32"})
      EXPECT_EQ(bad.contains(wrong), arch != spec::Arch::sm_90) << wrong;
  }
}

TEST(TiledCases, EverySharedPhaseAndMulticastShapeComesUp) {
  std::set<uint32_t> phases, masks;
  for (uint64_t i = 0; i < 16384; ++i) {
    TensorCopyCase c;
    make_tiled_load({1, "phases", i, spec::Arch::sm_90}, c);
    phases.insert(c.tile_offset / 128 % 8);
    make_tiled_load_multicast({1, "multicast", i, spec::Arch::sm_90}, c);
    EXPECT_LT(c.issuer_rank, c.cluster_size);
    EXPECT_LT(c.cta_mask, 1u << c.cluster_size);
    masks.insert(c.cluster_size << 16 | c.cta_mask);
  }
  EXPECT_EQ(phases.size(), 8u);
  EXPECT_EQ(masks.size(), 4u + 16 + 256);
}

// What a short run gives: a hundred cases have clusters of every size, in which the CTA of the highest rank
// receives and one does not.
TEST(TiledCases, AHundredMulticastsHaveEveryClusterSize) {
  std::set<uint32_t> sizes, reached, spared;
  for (uint64_t i = 0; i < 96; ++i) {
    TensorCopyCase c;
    make_tiled_load_multicast({1, "tma.tiled.load.multicast", i, spec::Arch::sm_90}, c);
    sizes.insert(c.cluster_size);
    const uint32_t all = (1u << c.cluster_size) - 1;
    if (c.cta_mask >> (c.cluster_size - 1) != 0) reached.insert(c.cluster_size);
    if (c.cta_mask != all) spared.insert(c.cluster_size);
  }
  const std::set<uint32_t> each{2, 4, 8};
  EXPECT_EQ(sizes, each);
  EXPECT_EQ(reached, each);
  EXPECT_EQ(spared, each);
}

TEST(TiledCases, AHundredMulticastsHaveEachCornerOfTheMaskFromBothEndsOfTheCluster) {
  std::set<std::array<uint32_t, 3>> met;
  for (uint64_t i = 0; i < 96; ++i) {
    TensorCopyCase c;
    make_tiled_load_multicast({1, "tma.tiled.load.multicast", i, spec::Arch::sm_90}, c);
    met.insert({c.cluster_size, c.issuer_rank, c.cta_mask});
  }
  for (const uint32_t size : {2u, 4u, 8u})
    for (const uint32_t issuer : {0u, size - 1})
      for (const uint32_t mask : {0u, (1u << size) - 1, 1u << issuer, (1u << size) - 1 - (1u << issuer)})
        EXPECT_TRUE(met.contains({size, issuer, mask})) << size << " " << issuer << " " << mask;
}

/// Cases among the first 4000 that have an index or an extent beside a border.
struct AtBorder {
  int crossed = 0;  ///< elements on both sides are copied
  int begun = 0;    ///< only elements beyond it are
  int extent = 0;
  int outside = 0;  ///< nothing is copied, but would be without the bits from the border on
};
std::map<int64_t, AtBorder> at_borders(CopyDirection direction, uint64_t& magnitudes) {
  std::map<int64_t, AtBorder> found;
  for (uint64_t i = 0; i < 12000; ++i) {
    TensorCopyCase c;
    const bool store = direction == CopyDirection::store;
    const CaseId id{1, store ? "tma.tiled.store" : "tma.tiled.load", i, spec::Arch::sm_90};
    store ? make_tiled_store(id, c) : make_tiled_load(id, c);
    const TiledGeometry g = geometry(c.map, c.coord);
    for (uint32_t k = 0; k < c.map.rank; ++k) {
      const auto extent = static_cast<int64_t>(c.map.global_dim[k]);
      if (g.any_inside) magnitudes |= uint64_t{1} << std::bit_width(static_cast<uint64_t>(g.low_in[k]));
      for (const int64_t border : {1 << 15, 1 << 16, 1 << 24}) {
        AtBorder& at = found[border];
        at.crossed += g.any_inside && g.low_in[k] < border && g.high_in[k] >= border;
        at.begun += g.any_inside && g.low_in[k] >= border && g.low_in[k] < 2 * border;
        at.extent += std::abs(extent - border) <= 1;
        at.outside += !g.any_inside && g.first[k] >= border && g.first[k] < border + extent;
      }
    }
  }
  return found;
}

// A field of an index that is a bit short is told from a right one on both sides of its end alone.
TEST(TiledCases, IndexesAndExtentsReachTheBordersOfTheirFields) {
  for (const CopyDirection direction : {CopyDirection::load, CopyDirection::store}) {
    const bool store = direction == CopyDirection::store;
    uint64_t magnitudes = 0;
    for (const auto& [border, at] : at_borders(direction, magnitudes)) {
      SCOPED_TRACE((store ? "store " : "load ") + std::to_string(border));
      EXPECT_GE(at.extent, 50);
      EXPECT_GE(at.outside, 10);
      // What a store touches lies in its slot.
      const bool has_room = !store || border < 1 << 24;
      EXPECT_GE(at.crossed, has_room ? 1 : 0);
      EXPECT_GE(at.begun, has_room ? 1 : 0);
    }
    const uint64_t all = (uint64_t{1} << (store ? 18 : 23)) - 1;
    EXPECT_EQ(magnitudes & all, all) << (store ? "stores" : "loads") << std::hex << magnitudes;
  }
}

// The shrink tree as RapidCheck walks it: a property that fails for boxes over three dimensions and 32 bytes
// ends at a case that is simple in everything else.
TEST(TiledShrink, KeepsTheKindAndDropsTheRest) {
  const auto fails = [](const TensorCopyCase& c) {
    return c.map.rank >= 3 && geometry(c.map, c.coord).transaction_bytes > 32 && c.coord[1] < 0;
  };
  const auto keep = [](const TensorCopyCase& c) { return end_of(c, spec::Arch::sm_90) == model::End::done; };
  int shrunk = 0;
  for (uint64_t i = 0; i < 400 && shrunk < 8; ++i) {
    TensorCopyCase c;
    make_tiled_load({3, "shrink", i, spec::Arch::sm_90}, c);
    if (!fails(c)) continue;
    ++shrunk;
    const TensorCopyCase least =
        least_of(c, simpler, [&](const TensorCopyCase& s) { return keep(s) && fails(s); });
    EXPECT_EQ(least.map.rank, 3u);
    EXPECT_EQ(least.map.swizzle, 0u);
    EXPECT_EQ(least.map.data_type, 0u);
    EXPECT_EQ(least.map.interleave, 0u);
    EXPECT_EQ(least.coord[0], 0);
    EXPECT_EQ(least.coord[1], -1);
    EXPECT_EQ(least.map.global_address, 0u);
    EXPECT_EQ(least.fill_offset, 0u);
    EXPECT_FALSE(least.cache_hint || least.prefetch_first || least.destination_cta);
    EXPECT_LE(geometry(least.map, least.coord).transaction_bytes, 64u);
    EXPECT_TRUE(keep(least));
  }
  EXPECT_EQ(shrunk, 8);
}

}  // namespace
}  // namespace assay::gen
