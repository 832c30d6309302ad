// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/element_words.h"

#include <gtest/gtest.h>

#include "reference/model/mma/element_steps.h"
#include "reference/model/pipeline/gemm.h"
#include "reports/places.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

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
          return c.as<Tcgen05MmaCase>().cta_group == group && c.as<Tcgen05MmaCase>().d_type == 1;
        });
    const auto& c = made.outcome.what.as<Tcgen05MmaCase>();
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
    const auto& c = any.as<TmemAccessCase>();
    return c.shape == 3 && c.count >= 4 && !c.packs;  // .32x32b: register r of lane l is column r of lane l
  });
  const auto& c = made.outcome.what.as<TmemAccessCase>();
  const report::CaseRow row = row_with_wrong(made, (size_t{37} * 128 + 3) * 4);
  EXPECT_TRUE(says(row, "tensor-memory lane 37; tensor-memory column " + std::to_string(c.column + 3) + "\n"))
      << row.detail;
}

TEST(WrongElements, OfALoadToSharedMemoryHaveRankAndAddress) {
  Made made = honest("tma.tiled.load.multicast", spec::Arch::sm_90, [](const Case& any) {
    const auto& c = any.as<TensorCopyCase>();
    return c.cluster_size >= 2 && c.window_bytes >= 512;
  });
  const auto& c = made.outcome.what.as<TensorCopyCase>();
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

TEST(WrongElements, OfAStoreHaveTheAddressTheyCameFrom) {
  // Without swizzle and steps the first row of the box lies in shared memory as it does in the tensor.
  constexpr size_t in_row = 16;
  Made made = honest("tma.tiled.store", spec::Arch::sm_90, [](const Case& any) {
    const auto& c = any.as<TensorCopyCase>();
    bool inside = c.map.interleave == 0 && c.map.swizzle == 0 && c.map.data_type == 0 &&
                  c.map.element_stride[0] == 1 && c.map.box_dim[0] > in_row;
    for (uint32_t d = 0; d < c.map.rank; ++d)
      inside &=
          c.coord[d] >= 0 && c.coord[d] + (d == 0 ? in_row : 0) < static_cast<uint64_t>(c.map.global_dim[d]);
    return inside;
  });
  ASSERT_FALSE(made.outcome.observed.empty());
  const auto& c = made.outcome.what.as<TensorCopyCase>();
  size_t at = c.map.global_address + static_cast<size_t>(c.coord[0]) + in_row;
  for (uint32_t d = 1; d < c.map.rank; ++d)
    at += static_cast<size_t>(c.coord[d]) * c.map.global_stride[d - 1];
  const report::CaseRow row = row_with_wrong(made, at);
  EXPECT_TRUE(says(row, "cluster rank 0; shared-memory address " +
                            std::to_string((c.tile_offset + in_row) / 16 * 16) + "\n"))
      << row.detail;
}

TEST(WrongElements, OfAnyStoreComeFromTheTile) {
  const Property* store = find_property("tma.tiled.store");
  uint64_t judged = 0, placed = 0;
  Case what;
  for (uint64_t index = 0; index < 300; ++index) {
    store->generate(5, store->name, index, spec::Arch::sm_90, what);
    Scratch scratch;
    Expected expected;
    store->family().predict(what, spec::Readings(spec::Arch::sm_90), scratch, expected);
    if (expected.end != model::End::done) continue;
    const auto& c = what.as<TensorCopyCase>();
    const PlaceOfByte place = store->family().element_places(what);
    const std::byte* const before = arena().data() + c.slot_fill_offset;
    for (size_t at = 0; at < expected.bytes.size(); ++at) {
      if (expected.bytes[at] == before[at]) continue;  // most likely not written
      ++judged;
      const int64_t from = place(at).shared_address;
      placed += from >= 0 && from < c.window_bytes;
    }
  }
  EXPECT_GT(judged, 100'000u);
  EXPECT_EQ(placed, judged);
}

TEST(WrongElements, OfRegistersHaveWarpAndLane) {
  struct {
    const char* property;
    spec::Arch arch;
  } const families[] = {{"wgmma.f16", spec::Arch::sm_90}, {"mma_sync.f16", spec::Arch::sm_90}};
  for (const auto& family : families) {
    Made made = honest(family.property, family.arch, [](const Case&) { return true; });
    // Thread 77's first register.
    const report::CaseRow row = row_with_wrong(made, made.outcome.observed.size() / 128 * 77);
    EXPECT_TRUE(says(row, "wrong elements: warp 2; lane of the warp 13\n")) << row.detail;
  }
}

TEST(WrongElements, OfAPipelineHaveRankLaneAndColumn) {
  for (const uint32_t group : {1u, 2u}) {
    Made made = honest("pipeline.gemm", spec::Arch::sm_100, [&](const Case& any) {
      const auto& c = any.as<GemmCase>();
      return c.cta_group == group && c.m > 128 + 70 && c.n > c.tile_n * (group - 1) + 5;
    });
    const auto& c = made.outcome.what.as<GemmCase>();
    const uint32_t row = 128 + 70, column = c.tile_n * (group - 1) + 5;
    const OutputShape shape = made.property->family().output_shape(made.outcome.what);
    const report::CaseRow shown = row_with_wrong(made, shape.origin + row * shape.row_bytes + column * 4);
    EXPECT_TRUE(says(shown, "wrong elements: cluster rank " + std::to_string(group == 2 ? 3 : 1) +
                                "; tensor-memory lane 70; tensor-memory column 5\n"))
        << shown.detail;
  }
}

TEST(WrongElements, OfOperandsInGlobalMemoryHaveNoPlace) {
  Made made = honest("mma.dense.layout", spec::Arch::sm_100,
                     [](const Case& any) { return any.as<Tcgen05MmaCase>().by_tma; });
  const report::CaseRow row = row_with_wrong(made, made.outcome.observed.size() - 4);
  EXPECT_FALSE(says(row, "wrong elements")) << row.detail;
}

TEST(WrongElements, AnOutputThatIsAsExpectedSaysNothing) {
  Made made = honest("tma.tiled.load", spec::Arch::sm_90, [](const Case&) { return true; });
  const report::CaseRow row = to_row(*made.property, made.outcome, {"emulator", 5, 0, {}, {}});
  EXPECT_EQ(row.places + row.picture, "");
}

// The steps that explain an element, against the prediction of the whole output.

constexpr std::string_view steps_differ = "these steps give";

/// Elements of the output in turn, as if each were the first wrong one; how many were explained.
uint64_t explain(const Property& property, spec::Arch arch, uint64_t cases) {
  const Family& family = property.family();
  const spec::Readings readings(arch);
  uint64_t explained = 0;
  Scratch scratch;
  for (uint64_t index = 0; index < cases; ++index) {
    Case c;
    property.generate(3, property.name, index, arch, c);
    Expected expected;
    family.predict(c, readings, scratch, expected);
    if (expected.end != model::End::done || !expected.judges_bytes) continue;
    const ExpectedOutput right = family.expected_output(c, expected);
    std::vector<uint8_t> wrong = right.bytes;
    for (uint64_t i = 0; i < 6; ++i) {
      // Toward the end, where the output of a pipeline has D.
      const uint64_t byte = right.bytes.size() - 1 - (index * 7919 + i * 40503) % (right.bytes.size() / 2);
      if (right.defined[byte] == 0) continue;
      wrong[byte] ^= 1;
      const Diagnosis made = family.diagnose(c, readings, right, wrong, byte);
      wrong[byte] ^= 1;
      if (!made.first.starts_with("D[")) continue;
      ++explained;
      for (const std::string& line : made.lines)
        EXPECT_EQ(line.find(steps_differ), std::string::npos)
            << property.name << " " << index << ", byte " << byte << ": " << made.first << "\n"
            << line;
    }
  }
  return explained;
}

TEST(ElementSteps, LeadToWhatIsPredicted) {
  for (const auto& [name, arch] : {std::pair("wgmma.f16", spec::Arch::sm_90),
                                   {"wgmma.bf16", spec::Arch::sm_90},
                                   {"wgmma.tf32", spec::Arch::sm_90},
                                   {"wgmma.fp8", spec::Arch::sm_90},
                                   {"wgmma.i8", spec::Arch::sm_90},
                                   {"wgmma.descriptor", spec::Arch::sm_90},
                                   {"mma_sync.f16", spec::Arch::sm_90},
                                   {"mma_sync.fp8", spec::Arch::sm_90},
                                   {"mma_sync.i8", spec::Arch::sm_90},
                                   {"mma_sync.sparse.f8f6f4", spec::Arch::sm_120},
                                   {"mma_sync.sparse.mxf8f6f4", spec::Arch::sm_120},
                                   {"mma_sync.sparse.mxf4", spec::Arch::sm_120},
                                   {"mma_sync.sparse.mxf4nvf4", spec::Arch::sm_120},
                                   {"mma.dense.f16", spec::Arch::sm_100},
                                   {"mma.dense.tf32", spec::Arch::sm_100},
                                   {"mma.dense.f8f6f4", spec::Arch::sm_100},
                                   {"mma.dense.i8", spec::Arch::sm_100},
                                   {"mma.dense.layout", spec::Arch::sm_100},
                                   {"mma.dense.pair", spec::Arch::sm_100},
                                   {"mma.ws.layout", spec::Arch::sm_100},
                                   {"mma.ws.column_shift", spec::Arch::sm_100},
                                   {"mma.ws.zero_column_mask", spec::Arch::sm_103},
                                   {"pipeline.gemm", spec::Arch::sm_100},
                                   {"pipeline.scaled", spec::Arch::sm_100},
                                   {"pipeline.sparse", spec::Arch::sm_100}}) {
    const Property* property = find_property(name);
    ASSERT_NE(property, nullptr) << name;
    EXPECT_GT(explain(*property, arch, 25), 20u) << name;
  }
}

}  // namespace
}  // namespace assay::suites
