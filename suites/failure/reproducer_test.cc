// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/replay.h"

#include <gtest/gtest.h>
#include <set>

#include "suites/failure/stand_alone_test.h"
#include "suites/run/case_file.h"

/// Stand-alone programs: compiled by nvcc alone, and run, by way of their PTX, with the emulated driver in
/// the place of libcuda.so.1. They show the defect that a fault puts there, and none without it.
namespace assay::suites {
namespace {

struct Shown {
  const char* name;
  const char* property;
  const char* device;  ///< without fault
  const char* fault;
  const char* target;
  const char* words = "";  ///< that the program must hold
};
void PrintTo(const Shown& shown, std::ostream* out) {
  *out << shown.property;
}

/// A failing case of the property on the faulty device.
std::optional<std::string> find_failure(const Shown& shown) {
  const Property* property = find_property(shown.property);
  EXPECT_NE(property, nullptr) << shown.property;
  if (property == nullptr) return std::nullopt;
  const std::string spec = std::string(shown.device) + ",fault=" + shown.fault;
  const std::unique_ptr<Device> device = open_device(spec, DeviceLimits{});
  const auto arch = spec::parse_arch(device->identity().architecture).value();
  ReadingSet readings(arch);
  readings.freeze();
  CaseRunner runner(*device, readings, arch);
  for (uint64_t index = 0; index < 600; index += 20) {
    std::vector<Case> cases(20);
    for (size_t k = 0; k < cases.size(); ++k)
      property->generate(3, property->name, index + k, arch, cases[k]);
    for (const Outcome& outcome : runner.run(*property, cases)) {
      if (outcome.verdict != report::Verdict::violates) continue;
      const report::CaseRow row = to_row(*property, outcome, {spec, 3, index, {}, {}});
      auto text = reproducer(*property, outcome, row, arch);
      if (text && text->find(shown.words) != std::string::npos) return text;
    }
  }
  return std::nullopt;
}

class Reproducer : public testing::TestWithParam<Shown> {};

TEST_P(Reproducer, CompilesAloneAndShowsTheDefect) {
  const Shown& shown = GetParam();
  if (const std::string missing = StandAlone::missing(); !missing.empty()) GTEST_SKIP() << missing;
  const auto text = find_failure(shown);
  ASSERT_TRUE(text) << "no case fails under the fault";
  const StandAlone program(shown.name, *text);
  EXPECT_NE(program.options().find(std::string("code=") + shown.target), std::string::npos)
      << program.options();
  const report::Ended compiled = program.compile();
  ASSERT_EQ(compiled.code, 0) << compiled.text;
  const report::Ended faulty = program.run(std::string(shown.target) + ",fault=" + shown.fault);
  EXPECT_EQ(faulty.code, 1) << faulty.text;
  EXPECT_NE(faulty.text.find("expected"), std::string::npos) << faulty.text;
  EXPECT_NE(faulty.text.find("observed"), std::string::npos) << faulty.text;
  const report::Ended sound = program.run(shown.target);
  EXPECT_EQ(sound.code, 0) << sound.text;
  const report::Ended shows = program.run(shown.target, "CASE_PLANT_DEFECT=1");
  // A case that faults or times out has no output to plant in.
  if (sound.text.find("bytes differ") != std::string::npos) {
    EXPECT_EQ(shows.code, 1) << shows.text;
    EXPECT_NE(shows.text.find("planted: "), std::string::npos) << shows.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Families, Reproducer,
    testing::Values(
        Shown{"encoder", "driver.tensor_map.encode_tiled", "emulator:sm_90a", "encoder_traversal_misplaced",
              "sm_90a"},
        Shown{"refused", "driver.tensor_map.encode_tiled.one_rule_broken", "emulator:sm_90a",
              "encoder_dim_range_unchecked", "sm_90a"},
        Shown{"gemm", "pipeline.gemm", "emulator:sm_100a", "swizzle_128b_bit_dropped", "sm_100a"},
        Shown{"scaled_gemm", "pipeline.scaled", "emulator:sm_100a", "tcgen05_cp_warpx4_at_even_kib",
              "sm_100a"},
        Shown{"sparse_gemm", "pipeline.sparse", "emulator:sm_100a", "sparse_metadata_column_of_four",
              "sm_100a"},
        Shown{"grouped_gemm", "pipeline.grouped", "emulator:sm_100a", "kernel_keeps_map_extents", "sm_100a"},
        Shown{"mma_sync", "mma_sync.f16", "emulator:sm_90a", "mma_rows_exchanged", "sm_90a"},
        Shown{"sparse_mma_sync", "mma_sync.sparse.f16", "emulator:sm_90a", "mma_sp_selector_ignored",
              "sm_90a"},
        Shown{"mma_sync_kind", "mma_sync.mxf4", "emulator:sm_120a", "mma_kind_rows_exchange_scales",
              "sm_120a"},
        Shown{"sparse_mma_sync_kind", "mma_sync.sparse.mxf4nvf4", "emulator:sm_120a",
              "mma_sp_kind_scales_of_dense_blocks", "sm_120a"},
        Shown{"sparse_wgmma", "wgmma.sparse.f16", "emulator:sm_90a", "wgmma_sp_selector_ignored", "sm_90a"},
        Shown{"wgmma", "wgmma.descriptor", "emulator:sm_90a", "wgmma_strides_exchanged", "sm_90a"},
        Shown{"mma", "mma.dense.layout", "emulator:sm_100a", "tcgen05_smem_strides_exchanged", "sm_100a"},
        Shown{"mma_by_tma", "mma.dense.layout", "emulator:sm_100a", "swizzle_128b_bit_dropped", "sm_100a",
              "r.image.box_rows"},
        Shown{"scales_by_copy", "mma.scaled.layout", "emulator:sm_100a",
              "tcgen05_cp_warpx4_last_row_unwritten", "sm_100a"},
        Shown{"scales_by_copy_of_a_pair", "mma.scaled.pair", "emulator:sm_100a",
              "tcgen05_cp_warpx4_pair_second_warp_lost", "sm_100a"},
        Shown{"metadata_by_copy", "mma.sparse.layout", "emulator:sm_100a", "sparse_last_row_as_before",
              "sm_100a", "metadata placed by: tcgen05.cp"},
        Shown{"barriers", "barrier.sequence", "emulator:sm_90a", "barrier_arrival_lost", "sm_90a"},
        Shown{"barriers_of_a_cluster", "barrier.sequence", "emulator:sm_90a", "barrier_remote_counts_one",
              "sm_90a"},
        Shown{"allocations", "tmem.sequence", "emulator:sm_100a", "tcgen05_alloc_tells_other_column",
              "sm_100a"},
        Shown{"tmem", "tmem.ld", "emulator:sm_100a", "tcgen05_16x256b_register_order", "sm_100a"},
        Shown{"tmem_copy", "tmem.cp", "emulator:sm_100a", "tcgen05_cp_warpx4_last_warp_lost", "sm_100a"},
        Shown{"tmem_shift", "tmem.shift", "emulator:sm_100a", "tcgen05_shift_wraps", "sm_100a"},
        Shown{"im2col_encoder", "driver.tensor_map.encode_im2col", "emulator:sm_90a",
              "encoder_im2col_upper_as_lower", "sm_90a"},
        Shown{"im2col_wide_encoder", "driver.tensor_map.encode_im2col_wide", "emulator:sm_90a",
              "encoder_im2col_wide_height_cornered", "sm_90a"},
        Shown{"im2col_load", "tma.im2col.load", "emulator:sm_90a", "im2col_walk_height_first", "sm_90a"},
        Shown{"im2col_store", "tma.im2col.store", "emulator:sm_90a", "im2col_wrap_early", "sm_90a"},
        Shown{"im2col_reduction", "tma.im2col.reduce", "emulator:sm_90a", "im2col_reduce_last_piece_twice",
              "sm_90a"},
        Shown{"im2col_w_load", "tma.im2col_w.load", "emulator:sm_100a", "im2col_w_wrap_late", "sm_100a"},
        Shown{"gather", "tma.gather4.load", "emulator:sm_100a", "gather4_rows_reversed", "sm_100a"},
        Shown{"scatter", "tma.scatter4.store", "emulator:sm_100a", "scatter4_last_piece_lost", "sm_100a"},
        Shown{"map_bits", "tma.map.replace", "emulator:sm_90a", "replace_box_zero_is_one", "sm_90a"},
        Shown{"map_rewritten", "tma.map.rewrite", "emulator:sm_90a", "replace_stride_rounds_up", "sm_90a"},
        Shown{"load", "tma.tiled.load", "emulator:sm_90a", "swizzle_128b_bit_dropped", "sm_90a"},
        Shown{"pair", "tma.tiled.load.cta_group", "emulator:sm_100a", "cta_group_2_ignored", "sm_100a"},
        Shown{"pair_inverted", "tma.tiled.load.cta_group", "emulator:sm_100a", "cta_group_2_inverted",
              "sm_100a"},
        Shown{"pair_of_a_gather", "tma.gather4.load.cta_group", "emulator:sm_100a", "cta_group_2_inverted",
              "sm_100a"},
        Shown{"bulk_copy", "bulk.copy.shared_to_shared", "emulator:sm_90a", "bulk_barrier_of_the_address",
              "sm_90a"},
        Shown{"bulk_reduction", "bulk.reduce.global", "emulator:sm_90a", "reduce_u64_loses_carry", "sm_90a"},
        Shown{"tensor_reduction", "tma.tiled.reduce", "emulator:sm_90a", "reduce_ftz_map_keeps_subnormals",
              "sm_90a"},
        Shown{"store", "tma.tiled.store", "emulator:sm_90a", "store_clips_words", "sm_90a"},
        Shown{"bytes", "tma.tiled.load.transaction_bytes", "emulator:sm_90a", "tx_16_short", "sm_90a"}),
    [](const auto& info) { return std::string(info.param.name); });

/// The device of the run followed another reading than the default: what the program expects follows it too.
TEST(Reproducer, ExpectsWhatTheRunExpected) {
  const Property& property = *find_property("tma.tiled.load");
  const auto question = spec::find_question("TMA-AMB-05");
  ASSERT_TRUE(question);
  const auto nan_fill = static_cast<spec::QuestionIndex>(*question);
  int differing = 0;
  for (uint64_t index = 0; index < 400; ++index) {
    Outcome outcome;
    property.generate(3, property.name, index, spec::Arch::sm_100, outcome.what);
    report::CaseRow row;
    row.message = "a case";
    const auto by_default = reproducer(property, outcome, row, spec::Arch::sm_100);
    outcome.around.readings = {{nan_fill, 'B'}};
    const auto by_rival = reproducer(property, outcome, row, spec::Arch::sm_100);
    ASSERT_EQ(by_default.has_value(), by_rival.has_value());
    const bool fills = outcome.what.as<TensorCopyCase>().map.oob_fill == 1;
    if (!fills) {
      EXPECT_EQ(by_default, by_rival) << index;
    }
    differing += by_default != by_rival;
  }
  EXPECT_GT(differing, 3);
}

TEST(Reproducer, WhateverARecordIsLaunchedByHasItsText) {
  std::set<std::string> files;
  for (const Property* property : all_properties()) {
    const Family& family = property->family();
    if (family.record_bytes() == 0) continue;
    std::vector<std::byte> record(family.record_bytes());
    for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_120}) {
      if (property->declines && property->declines(arch)) continue;
      Case c;
      property->generate(1, property->name, 0, arch, c);
      family.write_record(c, 0, spec::Readings(arch), record.data());
      if (const std::optional<Launch> launch = family.launch(record))
        if (files.insert(launch->file).second) {
          EXPECT_FALSE(kernel_text(launch->file).empty()) << property->name;
        }
    }
  }
  EXPECT_GT(files.size(), 10u);
}

TEST(Reproducer, AKernelsTextIsWholeAndHasNoneOfOurIncludes) {
  for (const char* file :
       {"kernels/tensor_copy/tensor_copy.cu", "kernels/warp_mma/wgmma.cu", "kernels/warp_mma/mma_sync.cu",
        "kernels/warp_mma/mma_sync_f64.cu", "kernels/mma/tcgen05_mma.cu", "kernels/tmem/tmem_copy.cu",
        "kernels/tmem/tmem_ld_red.cu", "kernels/tmem/tmem_ld_st.cu", "kernels/barrier/sequence.cu",
        "kernels/tmem/tmem_sequence.cu", "kernels/bulk_copy/bulk_copy.cu",
        "kernels/tensor_map/map_program.cu"}) {
    const std::string text = kernel_text(file);
    EXPECT_EQ(text.find("#include \"kernels/"), std::string::npos) << file;
    EXPECT_NE(text.find("__global__"), std::string::npos) << file;
    EXPECT_EQ(text.find("#pragma once"), std::string::npos) << file;
  }
  EXPECT_THROW(kernel_text("kernels/none.cu"), std::runtime_error);
}

TEST(UnusedFunctions, WhatNothingNamesIsLeftOut) {
  const std::string source = R"(namespace ptx {

/// Used by a kernel.
__device__ inline int used(int x) {
  return helper<2>(x);
}
/// Used by `used`.
template <int n>
__device__ inline int helper(int x) {
  return n * x;
}
/// Calls what goes with it, and itself.
__device__ inline int unused(int x) {
  if (x == 0) return only_by_unused(x);
  return unused(x - 1);
}

__device__ inline int only_by_unused(int x) {
  return x;
}
struct Kept {
  int value;
};

/// Two of a name, of which a kernel calls one.
__device__ inline int overloaded(int x) {
  return x;
}
__device__ inline int overloaded(Kept x) {
  return x.value;
}
// unused, only_by_unused: a comment names nothing
__device__ __noinline__ int not_inline(int x) {
  return x;
}

}  // namespace ptx
__global__ void kernel(int* out) {
  *out = used(overloaded(Kept{1}));
}
)";
  const std::string expected = R"(namespace ptx {

/// Used by a kernel.
__device__ inline int used(int x) {
  return helper<2>(x);
}
/// Used by `used`.
template <int n>
__device__ inline int helper(int x) {
  return n * x;
}

struct Kept {
  int value;
};

/// Two of a name, of which a kernel calls one.
__device__ inline int overloaded(int x) {
  return x;
}
__device__ inline int overloaded(Kept x) {
  return x.value;
}
// unused, only_by_unused: a comment names nothing
__device__ __noinline__ int not_inline(int x) {
  return x;
}

}  // namespace ptx
__global__ void kernel(int* out) {
  *out = used(overloaded(Kept{1}));
}
)";
  EXPECT_EQ(without_unused_functions(source), expected);
  EXPECT_EQ(without_unused_functions(expected), expected);
}

}  // namespace
}  // namespace assay::suites
