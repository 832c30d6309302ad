// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "suites/run/conductor.h"
#include "suites/run/device_run.h"

/// One cause must look like few failure signatures: what a night finds is counted, waived and compared by
/// signature.
namespace assay::suites {
namespace {

struct Cause {
  const char* fault;
  const char* properties;  ///< glob
  const char* device;
  uint64_t cases;  ///< of each property
  size_t most;     ///< signatures of one property
};

constexpr Cause causes[] = {
    {"edge_upper_dim0_off_by_one", "tma.tiled.load", "sm_100a", 20000, 3},
    {"coordinate_16_bits", "tma.tiled.load", "sm_100a", 3000, 3},
    {"swizzle_64b_bit_dropped", "tma.tiled.load", "sm_100a", 3000, 3},
    {"traversal_step_ignored", "tma.tiled.load", "sm_100a", 3000, 3},
    {"fill_zero_leaves_ones", "tma.tiled.load", "sm_100a", 3000, 3},
    {"store_ignores_row_clip", "tma.tiled.store", "sm_100a", 600, 3},
    {"encoder_box_bytes_in_bits", "driver.tensor_map.encode_tiled*", "sm_90a", 6000, 3},
    {"encoder_stride_alignment_unchecked", "driver.tensor_map.encode_tiled*", "sm_100a", 6000, 3},
    {"encoder_dim_range_unchecked", "driver.tensor_map.encode_tiled*", "sm_100a", 6000, 3},
    {"encoder_traversal_misplaced", "driver.tensor_map.encode_tiled*", "sm_100a", 6000, 3},
    {"encoder_address_bit_56_dropped", "driver.tensor_map.encode_tiled*", "sm_100a", 6000, 3},
    {"encoder_l2_promotion_dropped", "driver.tensor_map.encode_tiled*", "sm_100a", 6000, 3},
    {"tcgen05_smem_strides_exchanged", "mma.dense.layout", "sm_100a", 40, 3},
    {"tcgen05_start_count_off_by_one", "mma.ws.*", "sm_100a", 100, 3},
    {"tcgen05_layout_g_quarters_reversed", "mma.ws.*", "sm_100a", 100, 3},
    {"tcgen05_st_unpack_upper_lost", "tmem.*", "sm_100a", 300, 3},
    {"adder_half_of_k_lost", "wgmma.*", "sm_90a", 100, 3},
    {"wgmma_base_offset_ignored", "wgmma.*", "sm_90a", 100, 3},
};

using Signatures =
    std::map<std::string, std::map<std::string, uint64_t>>;  // failing cases by property and signature

Signatures signatures_of(const Cause& cause, uint64_t seed) {
  const std::string spec = "emulator:" + std::string(cause.device) + ",fault=" + cause.fault;
  const std::unique_ptr<Device> device = open_device(spec, limits_for(1));
  DeviceRunOptions options;
  options.cases = cause.cases;
  options.seed = seed;
  const std::vector<std::string> globs{cause.properties};
  DeviceRun run(*device, select_properties(globs), options, {});
  run.run();
  Signatures found;
  for (const auto& one : run.properties())
    for (const report::FailureKindRow& kind : one->kinds())
      if (kind.verdict != report::Verdict::no_demand)  // what came of those has no cause
        found[std::string(one->property().name)][kind.signature] = kind.count;
  return found;
}

// Names the test in a listing.
void PrintTo(const Cause& cause, std::ostream* out) {
  *out << cause.fault;
}

class Signature : public testing::TestWithParam<Cause> {};

TEST_P(Signature, OfOneCauseAreFewAndTheSameUnderAnotherSeed) {
  const Cause& cause = GetParam();
  const Signatures one = signatures_of(cause, 1), two = signatures_of(cause, 2);
  EXPECT_FALSE(one.empty());
  size_t all = 0;
  for (const auto& [property, kinds] : one) {
    all += kinds.size();
    std::string list;
    for (const auto& [kind, count] : kinds) list += kind + "\n";
    EXPECT_LE(kinds.size(), cause.most) << list;
  }
  RecordProperty("signatures", std::to_string(all));
  for (const auto& [property, kinds] : two) {
    uint64_t failing = 0, unknown = 0;
    std::string list;
    for (const auto& [kind, count] : kinds) {
      failing += count;
      const auto known = one.find(property);
      if (known != one.end() && known->second.contains(kind)) continue;
      unknown += count;
      list += kind + "\n";
    }
    // One in a hundred may be rare, or two of few: an address that the cause spoils lies outside of all
    // memory now and then.
    EXPECT_LE(unknown, std::max<uint64_t>(2, failing / 100)) << "new under seed 2:\n" << list;
  }
}

INSTANTIATE_TEST_SUITE_P(, Signature, testing::ValuesIn(causes),
                         [](const auto& info) { return std::string(info.param.fault); });

}  // namespace
}  // namespace assay::suites
