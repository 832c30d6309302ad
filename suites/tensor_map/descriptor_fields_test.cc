// SPDX-License-Identifier: Apache-2.0
#include "suites/run/field_coverage.h"
#include "suites/tensor_map/encode_family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/results_file.h"
#include "suites/mma/coverage.h"
#include "suites/run/property_run.h"
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

TEST(FieldCoverage, ANumberHasItsBordersAndWhatIsIllegal) {
  const CoveredField field{"stride", 0, 64, 16, {}};
  EXPECT_EQ(field.class_of(0), 0u);
  EXPECT_EQ(field.class_of(16), 1u);
  EXPECT_EQ(field.class_of(32), 2u);
  EXPECT_EQ(field.class_of(48), 3u);
  EXPECT_EQ(field.class_of(64), 4u);
  EXPECT_EQ(field.class_of(80), 5u);
  EXPECT_EQ(field.class_of(8), 5u);
  EXPECT_EQ(field.class_name(1), "next to lowest 16");
  EXPECT_EQ(field.class_name(5), "illegal");
}

TEST(FieldCoverage, EveryCellHasItsOwnNameAndIsHitByTheCaseOfThatName) {
  for (const auto& of : {tensor_map_descriptors(), wgmma_descriptors(), tcgen05_descriptors()})
    for (const Descriptor& descriptor : of)
      for (const CellSpace& space : {descriptor.class_space(), descriptor.pair_space()}) {
        std::set<std::string> names;
        for (uint32_t cell = 0; cell < space.count; ++cell)
          EXPECT_TRUE(names.insert(space.name(cell, spec::Arch::sm_90)).second)
              << space.name(cell, spec::Arch::sm_90);
        EXPECT_EQ(names.size(), space.count) << space.dimension;
      }
  EncodeTiledCase call;
  call.map.rank = 1;
  call.map.global_dim[0] = uint64_t{1} << 32;
  call.map.box_dim[0] = 255;
  call.map.element_stride[0] = 1;
  const Descriptor& map = encode_tiled_family().descriptors().front();
  std::set<std::string> ones, twos;
  map.visit(
      Case(call), [&](uint32_t c) { ones.insert(map.class_space().name(c, spec::Arch::sm_90)); },
      [&](uint32_t c) { twos.insert(map.pair_space().name(c, spec::Arch::sm_90)); });
  EXPECT_TRUE(ones.contains("dim[0]/highest 4294967296"));
  EXPECT_TRUE(ones.contains("rank/1"));
  EXPECT_TRUE(twos.contains("box[0] & dim[0]/next to highest 255/highest 4294967296"));
  for (const std::string& name : ones) EXPECT_FALSE(name.starts_with("dim[1]")) << name;
}

/// Cells of descriptor fields that the first `issued` cases reach, steered or not.
size_t reached(const char* name, spec::Arch arch, uint64_t issued, bool steers) {
  const Property& property = *find_property(name);
  PropertyRun run(property, arch, 0, ~uint64_t{0});
  Case c;
  for (uint64_t index = 0, taken = 0; taken < issued; ++index) {
    property.generate(1, property.name, index, arch, c);
    if (steers ? run.wants(c) : (run.look_at_fields(c), true)) ++taken;
  }
  return run.field_cells();
}

TEST(FieldCoverage, SteeringReachesMoreCellsWithAsManyCases) {
  struct Row {
    const char* property;
    spec::Arch arch;
  };
  for (const Row& row :
       {Row{"tma.tiled.load", spec::Arch::sm_90}, Row{"mma.dense.layout", spec::Arch::sm_100},
        Row{"wgmma.descriptor", spec::Arch::sm_90}}) {
    const size_t plain = reached(row.property, row.arch, 500, false);
    const size_t steered = reached(row.property, row.arch, 500, true);
    std::printf("%-20s 500 cases: %zu cells, steered %zu\n", row.property, plain, steered);
    EXPECT_GT(steered * 25, plain * 26) << row.property;
  }
}

TEST(FieldCoverage, OnlySteeredRunsCountItAndJoinedOnesKeepTheLarger) {
  const Property& property = *find_property("wgmma.descriptor");
  const auto after = [&](uint64_t first, uint64_t cases) {
    PropertyRun run(property, spec::Arch::sm_90, 0, ~uint64_t{0});
    Case c;
    for (uint64_t index = first; index < first + cases; ++index) {
      property.generate(1, property.name, index, spec::Arch::sm_90, c);
      run.look_at_fields(c);
    }
    report::DeviceResult device;
    device.properties.emplace_back().info.name = property.name;
    device.properties.back().coverage = run.coverage();
    return device;
  };
  const auto of_fields = [](const report::DeviceResult& device) {
    std::map<std::string, uint64_t> cells;
    for (const report::CoverageCell& cell : device.properties.front().coverage)
      if (cell.dimension.ends_with(report::values_reached) || cell.dimension.ends_with(report::pairs_reached))
        cells[cell.dimension + "/" + cell.cell] = cell.count;
    return cells;
  };
  EXPECT_TRUE(of_fields(after(0, 0)).empty());
  const auto one = of_fields(after(0, 3)), other = of_fields(after(3, 40));
  ASSERT_FALSE(one.empty());
  report::DeviceResult both = after(0, 3);
  report::join(both, after(3, 40));
  for (const auto& [cell, count] : of_fields(both))
    EXPECT_EQ(count, std::max(one.at(cell), other.at(cell))) << cell;
}

}  // namespace
}  // namespace assay::suites
