#include "suites/wrong_elements.h"

#include <gtest/gtest.h>

#include "reports/places.h"
#include "suites/property.h"

/// One element of an honest output is made wrong; the row must say where on the device it was.
namespace assay::suites {
namespace {

struct Made {
  const Property* property = nullptr;
  Outcome outcome;
};

Made honest(const char* name, spec::Arch arch, const std::function<bool(const Case&)>& fits) {
  Made made{find_property(name), {}};
  const Family& family = made.property->family();
  Scratch scratch;
  const spec::Readings readings(arch);
  for (uint64_t index = 0; index < 5000; ++index) {
    made.property->generate(5, name, index, arch, made.outcome.what);
    if (!fits(made.outcome.what)) continue;
    Expected expected;
    family.predict(made.outcome.what, readings, scratch, expected);
    if (!expected.judges_bytes || expected.end != model::End::done) continue;
    made.outcome.expected = family.expected_output(made.outcome.what, expected);
    made.outcome.observed = made.outcome.expected.bytes;
    made.outcome.verdict = report::Verdict::violates;
    return made;
  }
  ADD_FAILURE() << "no such case of " << name;
  return made;
}

report::CaseRow row_with_wrong(Made& made, size_t byte) {
  EXPECT_LT(byte, made.outcome.observed.size());
  EXPECT_NE(made.outcome.expected.defined[byte], 0) << "nothing is judged there";
  made.outcome.observed[byte] ^= made.outcome.expected.defined[byte];
  return to_row(*made.property, made.outcome, {"emulator", 5, 0, {}, {}});
}

bool says(const report::CaseRow& row, const std::string& words) {
  return row.detail.find(words) != std::string::npos;
}

TEST(WrongElements, OfAMatrixInTensorMemoryHaveLaneColumnAndRank) {
  for (const uint32_t group : {1u, 2u}) {
    Made made =
        honest(group == 2 ? "mma.dense.pair" : "mma.dense.layout", spec::Arch::sm_100, [&](const Case& c) {
          return std::get<MmaCase>(c).cta_group == group && std::get<MmaCase>(c).d_type == 1;
        });
    const auto& c = std::get<MmaCase>(made.outcome.what);
    // The second half of the output is the second CTA's, in both 128 lanes of alloc_columns words.
    const size_t rank = group - 1, lane = 70, column = c.d_column;
    const size_t byte = ((rank * 128 + lane) * c.alloc_columns + column) * 4;
    const report::CaseRow row = row_with_wrong(made, byte);
    EXPECT_TRUE(says(row, "wrong elements: cluster rank " + std::to_string(rank) +
                              "; tensor-memory lane 70; " + "tensor-memory column " + std::to_string(column) +
                              "\n"))
        << row.detail;
    EXPECT_EQ(std::count(row.picture.begin(), row.picture.end(), 'x'), 1);
  }
}

TEST(WrongElements, OfALoadFromTensorMemoryHaveTheCellTheyCameFrom) {
  Made made = honest("tmem.ld", spec::Arch::sm_100, [](const Case& any) {
    const auto& c = std::get<TmemAccessCase>(any);
    return c.shape == 3 && c.count >= 4 && !c.packs;  // .32x32b: register r of lane l is column r of lane l
  });
  const auto& c = std::get<TmemAccessCase>(made.outcome.what);
  const report::CaseRow row = row_with_wrong(made, (size_t{37} * 128 + 3) * 4);
  EXPECT_TRUE(says(row, "tensor-memory lane 37; tensor-memory column " + std::to_string(c.column + 3) + "\n"))
      << row.detail;
}

TEST(WrongElements, OfALoadToSharedMemoryHaveRankAndAddress) {
  Made made = honest("tma.tiled.load.multicast", spec::Arch::sm_90, [](const Case& any) {
    const auto& c = std::get<TiledCase>(any);
    return c.cluster_size >= 2 && c.window_bytes >= 512;
  });
  const auto& c = std::get<TiledCase>(made.outcome.what);
  size_t at = c.window_bytes + 256;  // of the second CTA
  while (made.outcome.expected.defined[at] == 0) ++at;
  const report::CaseRow row = row_with_wrong(made, at);
  EXPECT_TRUE(says(
      row, "cluster rank 1; shared-memory address " + std::to_string((at - c.window_bytes) / 16 * 16) + "\n"))
      << row.detail;
  const auto places = report::parse_places(row.places);
  uint64_t wrong = 0;
  for (const auto& place : places)
    if (place.kind == "cluster rank") wrong += place.wrong;
  EXPECT_EQ(wrong, 1u);
}

TEST(WrongElements, AnOutputThatIsAsExpectedSaysNothing) {
  Made made = honest("tma.tiled.load", spec::Arch::sm_90, [](const Case&) { return true; });
  const report::CaseRow row = to_row(*made.property, made.outcome, {"emulator", 5, 0, {}, {}});
  EXPECT_EQ(row.places + row.picture, "");
}

}  // namespace
}  // namespace assay::suites
