// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/uses.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reference/model/tensor_copy/random_case.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

/// What keeps a copy from a map: "" nothing, "missing", "open", or the id of a rule.
std::string answer(const MapArguments& map, spec::Arch arch, std::string_view copy,
                   std::string_view reduction = "") {
  if (copy == "tile reduce" && map.is_im2col) copy = "tile store", reduction = "";
  if (copy == "im2col reduce" && !map.is_im2col) copy = "im2col store", reduction = "";
  for (const MapUse& use : uses_of_map(map, spec::Readings(arch)))
    if (use.copy == copy && use.reduction == reduction)
      return use.serves       ? ""
             : use.is_missing ? "missing"
             : !use.rule      ? "open"
                              : std::string(spec::rule_table[*use.rule].id);
  return "no such copy";
}

uint32_t transaction(const MapArguments& map, spec::Arch arch, std::string_view copy) {
  for (const MapUse& use : uses_of_map(map, spec::Readings(arch)))
    if (use.copy == copy) return use.transaction_bytes;
  return ~0u;
}

MapArguments tiled(std::string_view type, uint32_t rows) {
  MapArguments map;
  TensorMapArgs& m = map.map;
  m.data_type = spec::find_data_type(type)->host;
  m.rank = 2;
  m.global_dim = {1024, 256};
  m.global_stride = {8192};
  m.box_dim = {32, rows};
  m.element_stride = {1, 1};
  return map;
}

MapArguments im2col(bool wide, uint32_t wide_mode) {
  MapArguments map;
  map.is_im2col = true;
  Im2colMapArgs& m = map.map;
  m.data_type = spec::host_type::f16;
  m.rank = 4;
  m.global_dim = {64, 20, 10, 6};
  m.global_stride = {128, 4096, 65536};
  m.element_stride = {1, 1, 1, 1};
  m.swizzle = 3;
  m.channels = 64;
  m.pixels = 32;
  m.wide = wide;
  m.wide_mode = wide_mode;
  return map;
}

TEST(MapUses, TiledMapsServeTileCopiesAndThoseOfFourRowsWhereTheBoxIsOneHigh) {
  const auto arch = spec::Arch::sm_100;
  const MapArguments high = tiled("f32", 8), flat = tiled("f32", 1);
  for (const char* copy : {"tile load", "tile store"}) EXPECT_EQ(answer(high, arch, copy), "") << copy;
  EXPECT_EQ(transaction(high, arch, "tile load"), 8u * 128);
  EXPECT_EQ(answer(high, arch, "tile::gather4 load"), "GATH-R05");
  EXPECT_EQ(answer(high, arch, "tile::scatter4 store"), "GATH-R05");
  EXPECT_EQ(answer(flat, arch, "tile::gather4 load"), "");
  EXPECT_EQ(answer(flat, arch, "tile::scatter4 store"), "");
  EXPECT_EQ(transaction(flat, arch, "tile::gather4 load"), 4u * 128);
  EXPECT_EQ(answer(flat, spec::Arch::sm_90, "tile::gather4 load"), "missing");
  for (const char* copy : {"im2col load", "im2col store", "im2col::w load", "im2col::w::128 load"})
    EXPECT_EQ(answer(high, arch, copy), "IM2C-R15") << copy;
  EXPECT_EQ(answer(high, spec::Arch::sm_90, "im2col::w load"), "missing");
  MapArguments other = flat;
  other.map.rank = 3;
  other.map.global_dim[2] = other.map.box_dim[2] = other.map.element_stride[2] = 1;
  EXPECT_EQ(answer(other, arch, "tile::gather4 load"), "GATH-R05");
}

// TMA-AMB-24: which types have which reduction.
TEST(MapUses, ReductionsGoByTheType) {
  for (const auto& [type, reduction, rule] : {std::tuple{"f32", "add", ""},
                                              {"f32", "min", "TILE-R55"},
                                              {"u32", "inc", ""},
                                              {"s32", "inc", "TILE-R55"},
                                              {"s64", "add", "TILE-R55"},
                                              {"s64", "max", ""},
                                              {"bf16", "max", ""},
                                              {"u64", "xor", ""},
                                              {"u8", "add", "TILE-R55"}})
    EXPECT_EQ(answer(tiled(type, 8), spec::Arch::sm_90, "tile reduce", reduction), rule) << type << reduction;
}

TEST(MapUses, SomeExtentsAndTypesServeNothingOrLoadsAlone) {
  MapArguments vast = tiled("f32", 8);
  vast.map.global_dim[1] = (uint64_t{1} << 31) + 1;
  for (const char* copy : {"tile load", "tile store"})
    EXPECT_EQ(answer(vast, spec::Arch::sm_90, copy), "TILE-R25") << copy;
  MapArguments padded = tiled("b4x16_p64", 8);
  padded.map.box_dim[0] = 128;
  EXPECT_EQ(answer(padded, spec::Arch::sm_100, "tile load"), "");
  EXPECT_EQ(answer(padded, spec::Arch::sm_100, "tile store"), "TILE-R54");
  MapArguments large = tiled("f32", 1);
  large.map.box_dim = {256, 256, 2};
  large.map.rank = 3;
  large.map.global_dim[2] = 2;
  large.map.element_stride[2] = 1;
  EXPECT_EQ(answer(large, spec::Arch::sm_90, "tile load"), "TILE-R43");
}

TEST(MapUses, Im2colMapsServeTheirOwnModeAlone) {
  const auto arch = spec::Arch::sm_100;
  MapArguments map = im2col(false, 0);
  EXPECT_EQ(answer(map, arch, "im2col load"), "");
  EXPECT_EQ(transaction(map, arch, "im2col load"), 32u * 64 * 2);
  EXPECT_EQ(answer(map, arch, "im2col store"), "");
  EXPECT_EQ(answer(map, arch, "im2col reduce", "add"), "");
  EXPECT_EQ(answer(map, arch, "im2col reduce", "xor"), "TILE-R55");
  EXPECT_EQ(answer(map, arch, "im2col::w load"), "IM2W-R11");
  EXPECT_EQ(answer(map, arch, "tile load"), "IM2C-R15");
  EXPECT_EQ(answer(map, arch, "tile::gather4 load"), "IM2C-R15");
  EXPECT_EQ(answer(map, spec::Arch::sm_90, "im2col::w load"), "missing");
  map.map.lower[1] = -1;
  EXPECT_EQ(answer(map, arch, "im2col load"), "");
  EXPECT_EQ(answer(map, arch, "im2col store"), "IM2C-R13");

  EXPECT_EQ(answer(im2col(true, 0), arch, "im2col::w load"), "");
  EXPECT_EQ(answer(im2col(true, 0), arch, "im2col::w::128 load"), "IM2W-R11");
  EXPECT_EQ(answer(im2col(true, 1), arch, "im2col::w::128 load"), "");
  EXPECT_EQ(transaction(im2col(true, 1), arch, "im2col::w::128 load"), 128u * 64 * 2);
  EXPECT_EQ(answer(im2col(true, 0), arch, "im2col load"), "IM2W-R11");
}

// Whatever the map, what is named is a rule that maps break, none that merely came up.
TEST(MapUses, NamesOnlyRulesThatAMapCanBreak) {
  const std::set<std::string> can_break{"",         "missing",  "open",     "TILE-R25", "TILE-R43",
                                        "TILE-R54", "TILE-R55", "GATH-R05", "IM2C-R15"};
  RandomCase random(9);
  for (int i = 0; i < 3000; ++i) {
    const auto arch = i % 2 == 0 ? spec::Arch::sm_100 : spec::Arch::sm_103;
    MapArguments map;
    map.map = random.copy(arch).map;
    for (const MapUse& use : uses_of_map(map, spec::Readings(arch))) {
      const std::string said = answer(map, arch, use.copy, use.reduction);
      EXPECT_TRUE(can_break.contains(said)) << use.copy << use.reduction << ": " << said;
      // Loads of what is legal are served.
      if (use.copy == "tile load") {
        EXPECT_TRUE(said.empty() || said == "TILE-R43" || said == "open") << said;
      }
    }
  }
}

/// Columns of the file of maps that an H200 was given, good and bad ones.
struct TriedMap {
  std::string id, defect, mode, operation, map, outcome;
};
std::vector<TriedMap> tried_maps() {
  std::ifstream in(ASSAY_VECTORS "/vectors_map_faults.csv");
  std::vector<TriedMap> rows;
  std::string line, skipped;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    TriedMap row;
    std::getline(cells, row.id, ','), std::getline(cells, row.defect, ',');
    std::getline(cells, row.mode, ','), std::getline(cells, row.operation, ',');
    for (int i = 0; i < 3; ++i) std::getline(cells, skipped, ',');
    std::getline(cells, row.map, ','), std::getline(cells, row.outcome, ',');
    rows.push_back(row);
  }
  return rows;
}

spec::TensorMapBytes bytes_of(const std::string& words) {
  std::istringstream in(words);
  spec::TensorMapBytes map{};
  uint32_t word = 0;
  for (size_t at = 0; in >> std::hex >> word; at += 4)
    for (size_t i = 0; i < 4; ++i) map[at + i] = static_cast<std::byte>(word >> 8 * i);
  return map;
}

// What a copy came to on an H200 is what the map is said to serve, wherever map and rules alone decide it.
TEST(MapUses, AreThoseOfAnH200) {
  // What is wrong with the instruction of these rows is not the map's doing; coordinates of u8 are no
  // multiples of 16 bytes there.
  const std::set<std::string> of_instruction{"c0 +1 element",
                                             "c0 +1 element / box wholly outside",
                                             "c0 negative / 16-byte aligned",
                                             "c1 = -1",
                                             "address unmapped",
                                             "rank field one less than the instruction's",
                                             "shared +16",
                                             "shared +4",
                                             "shared +64",
                                             "start above the upper corner",
                                             "start below the lower corner",
                                             "type u8"};
  int served = 0, refused = 0;
  for (const TriedMap& row : tried_maps()) {
    if (row.operation == "prefetch" || of_instruction.contains(row.defect)) continue;
    const spec::Readings readings(spec::Arch::sm_90);
    const MapArguments map = arguments_of(bytes_of(row.map), readings);
    if (broken_rules_of_map(map, readings).any()) continue;
    const std::string said = answer(map, spec::Arch::sm_90, row.mode + " " + row.operation,
                                    row.operation == "reduce" ? "add" : "");
    EXPECT_EQ(said.empty() ? "ok" : "ILL", row.outcome) << row.id << " " << row.defect << ": " << said;
    ++(said.empty() ? served : refused);
  }
  EXPECT_GT(served, 30);
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace assay::model
