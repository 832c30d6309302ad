// SPDX-License-Identifier: Apache-2.0
// Each fault of tcgen05 changes what some kernel of the text tests leaves behind, and not what all do.

#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>

#include "devices/emulator/fault.h"
#include "devices/emulator/ptx_text_file.h"
#include "devices/emulator/tma/copy_rig_test.h"

namespace assay::faults {
namespace {

using namespace emulator;
using emulator::text::TextRun;

/// Runs of a text test, from one on.
struct Part {
  const char* file;
  size_t first, count;
};
constexpr Part parts[] = {
    {"tcgen05_mma_operands", 0, 99},    {"tcgen05_mma_layouts", 3, 4}, {"tcgen05_mma_masks", 0, 99},
    {"tcgen05_mma_smem_16", 2, 1},      {"tcgen05_ld_16x256b", 0, 1},  {"tcgen05_ld_16x32bx2", 1, 1},
    {"tcgen05_st_16x32bx2", 1, 1},      {"tcgen05_ld_16x64b", 0, 1},   {"tcgen05_ld_16x128b", 0, 9},
    {"tcgen05_ld_32x32b", 0, 9},        {"tcgen05_mma_smem_8", 0, 9},  {"tcgen05_mma_smem_16", 0, 9},
    {"tcgen05_mma_smem_32", 0, 9},      {"tcgen05_alloc", 0, 9},       {"tcgen05_cp", 0, 99},
    {"tcgen05_mma_ashift", 0, 2},       {"tcgen05_ld_red", 0, 99},     {"strict_tensor_lane_window", 0, 1},
    {"tcgen05_mma_block_scale", 0, 99}, {"tcgen05_mma_sparse", 0, 7}};

/// Everything that a run leaves behind, as text. Under the lazy schedule, where nothing comes by chance.
std::string outcome(const std::string& text, const TextRun& run, const std::string& fault) {
  Settings settings;
  settings.completion = Completion::lazy;
  settings.fault = fault;
  if (text.find(".target sm_103a") != text.npos) settings.target = Target::sm_103;
  settings.instruction_limit = run.limit;
  const auto gpu = Gpu::create(settings);
  auto loaded = gpu->load(text);
  Kernel* kernel = std::get<std::unique_ptr<Module>>(loaded)->find_kernel(run.kernel);
  std::vector<std::byte> params(kernel->param_bytes());
  std::vector<std::pair<uint64_t, size_t>> buffers;
  for (size_t i = 0; i < run.arguments.size(); ++i) {
    const auto& argument = run.arguments[i];
    std::byte* param = params.data() + kernel->params()[i].offset;
    if (!argument.is_buffer) {
      std::memcpy(param, argument.bytes.data(), argument.bytes.size());
      continue;
    }
    const uint64_t address = gpu->memory().allocate(argument.bytes.size());
    std::memcpy(reinterpret_cast<void*>(address), argument.bytes.data(), argument.bytes.size());
    std::memcpy(param, &address, sizeof address);
    buffers.emplace_back(address, argument.bytes.size());
  }
  const auto end = gpu->launch({kernel, run.grid, run.block, run.cluster, run.smem, params});
  std::string left = end ? end->message : "";
  for (const auto& [address, bytes] : buffers) left.append(reinterpret_cast<const char*>(address), bytes);
  return left;
}

struct TestKernel {
  std::string text;
  TextRun run;
  std::string honest;
};

std::vector<TestKernel> kernels() {
  std::vector<TestKernel> made;
  for (const Part& part : parts) {
    const text::TextFile read(std::string(ASSAY_SOURCE_DIR "/testdata/ptx/") + part.file + ".ptx");
    for (size_t i = part.first; i < std::min(read.runs.size(), part.first + part.count); ++i)
      made.push_back({read.text, read.runs[i], outcome(read.text, read.runs[i], "")});
  }
  return made;
}

/// What needs descriptors or sums that only the suites make; the row of each names the property.
bool is_beyond_text_tests(std::string_view name) {
  for (const std::string_view one :
       {"tcgen05_alloc_of_256_tells_first", "tcgen05_dealloc_of_64_frees_first",
        "tcgen05_cp_base_offset_ignored", "tcgen05_cp_column_high_bit_dropped",
        "tcgen05_cp_leading_offset_fixed", "tcgen05_cp_overtakes_shift", "tcgen05_cp_pair_copies_even",
        "tcgen05_cp_pair_sources_exchanged", "tcgen05_cp_rare_bit", "tcgen05_cp_stride_truncated",
        "tcgen05_cp_warpx4_column_of_four", "tcgen05_cp_warpx4_pair_second_warp_lost",
        "tcgen05_cp_warpx4_wraps_at_column_256", "tcgen05_mma_overtakes_cp",
        "tcgen05_ld_red_last_register_lost", "tcgen05_ld_red_zeros_alike",
        "tcgen05_mask_shortest_beside_longest", "tcgen05_saturate_ignored", "tcgen05_shift_columns_aligned",
        "tcgen05_shift_from_lane_96_skips_first", "tcgen05_shift_last_columns_of_all",
        "tcgen05_smem_leading_high_bit_dropped", "tcgen05_smem_stride_truncated",
        "tcgen05_transpose_a_ignored", "tcgen05_absolute_leading_of_17_bits",
        "tcgen05_absolute_leading_one_piece_late", "tcgen05_commit_forgets_oldest",
        "tcgen05_commit_tracks_last_alone", "tcgen05_dealloc_of_32_wraps_at_256",
        "tcgen05_mask_extremes_together", "tcgen05_reused_shift_is_most", "tcgen05_reused_shift_lost",
        "tcgen05_smem_leading_bit_17_dropped", "tcgen05_smem_start_bit_17_dropped",
        "tcgen05_smem_stride_bit_17_dropped", "tcgen05_smem_stride_of_none_is_1024",
        "tcgen05_mma_overtakes_cp_of_4_rows", "tcgen05_mma_waits_for_last_cp",
        // copies of scales and metadata by pairs and in columns that the text tests do not use, and a load
        // whose registers are looked at after a store over its columns
        "scale_b_column_of_four", "sparse_metadata_column_of_four", "tcgen05_cp_pair_metadata_of_even",
        "tcgen05_cp_pair_scales_of_even", "tcgen05_cp_warpx4_at_even_kib", "tcgen05_wait_ld_last_left_out",
        "tcgen05_cp_128x128b_column_of_four", "tcgen05_cp_128x128b_pair_last_warp_lost",
        "tcgen05_cp_warpx2_01_23_pair_first_half_twice",
        // clusters of several CTAs, barriers that count bytes too, commits and waits while others are under
        // way, and warps from 4 on
        "tcgen05_commit_lost_among_bytes", "tcgen05_commit_mask_of_8_bits", "tcgen05_commit_named_stays_home",
        "tcgen05_commit_tracks_new_work_alone", "tcgen05_lanes_of_warps_from_4_on",
        "tcgen05_lanes_of_warps_from_8_on", "tcgen05_shift_overtakes_mma", "tcgen05_wait_st_idle_under_loads",
        // a second allocation of a pair
        "tcgen05_alloc_of_pair_odd_32_low",
        // addresses without a state space
        "tcgen05_alloc_generic_writes_nothing", "tcgen05_commit_generic_stays_home",
        // words that break a rule
        "tcgen05_base_offset_without_swizzle_moves_d",
        // K of 96, pairs, and blocks whose exchange leaves a sum of ones as it was
        "scale_a_group_of_8", "scale_b_group_always_4", "scale_blocks_exchanged", "scale_id_3_as_2",
        "scale_last_of_248_columns", "scale_pair_halves_swapped", "scale_pair_lower_half_for_both",
        "scale_wraps_in_cell", "k96_absolute_address_ignored", "k96_row_ends_early",
        // types and shapes that the sparse kernels lack
        "sparse_codes_exchanged_in_mxf4nvf4", "sparse_columns_wrap_at_256", "sparse_rows_exchanged_in_bf16",
        "sparse_pair_lower_half_of_lanes", "sparse_i8_code_1001_as_1000", "sparse_code_1101_rarely_1100",
        "sparse_row_77_of_256_columns", "sparse_scale_of_two_blocks", "sparse_selector_ignored_in_tf32"})
    if (name == one) return true;
  return false;
}

TEST(Tcgen05Faults, ACommitThatDoesNotWaitArrivesAllTheSame) {
  const text::TextFile read(ASSAY_SOURCE_DIR "/testdata/ptx/tcgen05_mma_operands.ptx");
  const TextRun& run = read.runs.front();
  const std::string honest = outcome(read.text, run, ""),
                    early = outcome(read.text, run, "tcgen05_commit_early");
  // The kernel goes on and gives its tensor memory back while the product is under way.
  EXPECT_TRUE(
      early.starts_with("tcgen05.mma: columns 0 to 7 of D, in CTA 0 of the cluster, are not all allocated"))
      << early.substr(0, 200);
  EXPECT_EQ(honest.find("tcgen05.mma"), honest.npos);
}

TEST(Tcgen05Faults, EachChangesAKernelOfTheTextTestsAndNotAllOfThem) {
  const std::vector<TestKernel> all_kernels = kernels();
  size_t faults = 0;
  for (const Fault* fault : all_faults()) {
    if (fault->seam != Fault::Seam::tcgen05) continue;
    ++faults;
    if (is_beyond_text_tests(fault->name)) continue;
    bool changes = false, leaves = false;
    for (const TestKernel& one : all_kernels) {
      const bool is_same = outcome(one.text, one.run, std::string(fault->name)) == one.honest;
      (is_same ? leaves : changes) = true;
      if (changes && leaves) break;
    }
    EXPECT_TRUE(changes) << fault->name << " changes nothing";
    EXPECT_TRUE(leaves) << fault->name << " changes everything";
  }
  EXPECT_GE(faults, 18u);
}

// Whatever the 128 bytes, the coordinates, the reading and the fault: a plan or a fault, never a crash, and a
// plan without fault stays inside what it was given.

using namespace emulator;

struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t n) { return next() % n; }
};

/// A map that is nearly right: encoded, then a few bits flipped.
void damage(CopyRig& rig, Random& random) {
  rig.rank = 1 + static_cast<uint32_t>(random.below(5));
  rig.data_type = static_cast<uint32_t>(random.below(16));
  rig.dim.assign(5, 64), rig.stride.assign(4, 4096), rig.box.assign(5, 2), rig.traversal.assign(5, 1);
  rig.dim[0] = 256, rig.box[0] = 128;
  rig.swizzle = static_cast<uint32_t>(random.below(7));
  rig.interleave = static_cast<uint32_t>(random.below(3));
  rig.encode();
  for (uint64_t flips = random.below(6); flips-- > 0;)
    rig.map[random.below(64)] ^= static_cast<std::byte>(1u << random.below(8));
  if (random.below(8) == 0)
    for (std::byte& byte : rig.map) byte = static_cast<std::byte>(random.next());
  rig.coord.clear();
  for (int i = 0; i < 5; ++i)
    rig.coord.push_back(random.below(4) == 0 ? static_cast<int32_t>(random.next())
                                             : 16 * (static_cast<int32_t>(random.below(20)) - 5));
  rig.shared_address =
      static_cast<uint32_t>(random.below(8) == 0 ? random.below(1 << 24) : 0x400 + 128 * random.below(64));
  rig.kind = static_cast<TensorCopyKind>(random.below(3));
}

TEST(Robustness, AnyMapGivesAPlanOrAFault) {
  std::vector<std::string> names{""};
  for (const Fault* fault : all_faults()) names.emplace_back(fault->name);
  const std::pair<const char*, char> readings[] = {
      {"TMA-AMB-04", 'B'}, {"TMA-AMB-04", 'C'}, {"TMA-AMB-05", 'B'}, {"TMA-AMB-08", 'B'}, {"TMA-AMB-11", 'B'},
      {"TMA-AMB-12", 'B'}, {"TMA-AMB-12", 'C'}, {"TMA-AMB-15", 'B'}, {"TMA-AMB-16", 'A'}, {"TMA-AMB-19", 'A'},
      {"TMA-AMB-34", 'B'}, {"X-06", 'A'},       {"X-17", 'A'}};
  Random random{2026};
  int runs_to_the_end = 0;
  for (int i = 0; i < 6000; ++i) {
    CopyRig rig;
    rig.settings.target = static_cast<Target>(random.below(3));
    rig.settings.fault = names[static_cast<size_t>(i) % names.size()];
    if (random.below(2) == 0)
      for (uint64_t n = random.below(3); n-- > 0;) {
        const auto& [id, letter] = readings[random.below(std::size(readings))];
        rig.settings.readings.emplace_back(id, letter);
      }
    rig.global_bytes.resize(1 << 14);
    rig.shared.resize(32 << 10);
    damage(rig, random);
    const auto fault = rig.run();
    if (fault) {
      EXPECT_FALSE(fault->message.empty());
      continue;
    }
    ++runs_to_the_end;
  }
  EXPECT_GT(runs_to_the_end, 200) << "nearly everything faults: the damage is too great to try anything";
}

}  // namespace
}  // namespace assay::faults
