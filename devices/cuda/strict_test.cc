// SPDX-License-Identifier: Apache-2.0
// Our kernels keep the memory model: the emulator's strict mode has nothing to say, under every schedule.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "devices/cuda/emulator_notes.h"
#include "devices/cuda/families/family.h"
#include "devices/cuda/test_device.h"
#include "kernels/forms/records.h"
#include "kernels/params/gemm.h"
#include "kernels/params/tcgen05.h"

namespace assay::cuda {
namespace {

using params::CopyOp;
using params::TiledCopyRecord;

TEST(StrictMode, OurKernelsAreCleanUnderEverySchedule) {
  std::vector<TiledCopyRecord> copies, multicasts;
  for (uint32_t i = 0; i < 60; ++i) {
    TiledCopyRecord r =
        byte_copy(i % 3 ? CopyOp::load : CopyOp::store, {64, 32, 2}, {64, 8, 1 + i % 2}, {0, 3, 0});
    r.map.swizzle = i % 3 == 0 ? 0 : 1 + i % 3;
    r.flags = i % 8;
    r.output_offset = i * 16384;
    r.tile_offset = 128 * (i % 8);
    copies.push_back(r);
  }
  for (uint32_t i = 0; i < 24; ++i) {
    TiledCopyRecord r = byte_copy(CopyOp::load, {64, 32}, {64, 8}, {0, 3});
    r.cluster_size = 4;
    r.cta_mask = static_cast<uint16_t>(1 + i % 15);
    r.signals = signals_of(r.cta_mask);
    r.issuer_rank = static_cast<uint16_t>(i % 4);
    r.flags = i % 8 & ~2u;
    r.output_bytes = 4 * r.window_bytes;
    r.output_offset = i * 16384;
    multicasts.push_back(r);
  }
  DeviceLimits limits;
  limits.batches = 2;
  for (const char* target : {"sm_90a", "sm_100a", "sm_103a"})
    for (const char* schedule : {"eager", "lazy", "random:1", "random:2"}) {
      const auto device =
          open_device(std::string("emulator:") + target + ",strict,schedule=" + schedule, limits);
      for (const auto& records : {copies, multicasts}) {
        const Ran ran = run_batch(*device, "tma_tiled_copy", records);
        for (size_t i = 0; i < records.size(); ++i)
          ASSERT_EQ(ran.ends[i].ended, Ended::done) << target << " " << schedule << " record " << i;
        EXPECT_TRUE(ran.notes.empty()) << ran.notes.front();
      }
      for (const StrictFinding& finding : device->strict_findings())
        ADD_FAILURE() << target << " " << schedule << ": " << finding.clause << " in " << finding.kernel
                      << ", " << finding.where;
    }
}

// Kernels with an instruction left out: strict mode names the clause, even where every result is right.

using params::GemmRecord;
using params::Tcgen05MmaRecord;

/// Random bits; nobody looks at the result.
Tcgen05MmaRecord accumulation() {
  Tcgen05MmaRecord r{};
  r.b_desc = 128 * 32 >> 4;
  for (uint64_t* word : {&r.a_desc, &r.b_desc})
    *word |= uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32 | uint64_t{1} << 46;
  r.idesc = 1u << 4 | 32u >> 3 << 17 | 128u >> 4 << 24;
  r.cta_group = 1;
  r.steps = 1;
  r.alloc_columns = r.tmem_split = 32;
  r.split = 128 * 32;
  r.window_bytes = r.a_scales.source = r.b_scales.source = r.split + 32 * 32;
  r.output_bytes = 128 * 32 * 4;
  return r;
}

GemmRecord product() {
  GemmRecord r{};
  r.m = r.n = 40;
  r.k = 300;  // five stages, of four
  r.cta_group = 1;
  r.tile_n = 128;  // four boxes a warp, of two
  r.a_pitch = r.b_pitch = 608;
  r.d_pitch = 160;
  params::settle(r);
  r.opcode = forms::opcode_of(r);
  return r;
}

struct Clause {
  const char* fault;
  const char* clause;  ///< or what the device reports
  bool in_probe;       ///< else in the pipeline
};
constexpr Clause clauses[] = {
    {"kernel_skips_proxy_fence", "missing-proxy-fence", true},
    {"kernel_skips_proxy_fence", "missing-proxy-fence", false},
    {"kernel_skips_read_wait", "missing-read-wait", false},
    {"kernel_skips_wait_st", "missing-store-wait", true},
    {"kernel_skips_wait_ld", "missing-load-wait", true},
    {"kernel_skips_wait_ld", "missing-load-wait", false},
    {"kernel_skips_tcgen05_fence", "missing-after-fence", true},
    {"kernel_skips_tcgen05_fence", "missing-after-fence", false},
    {"kernel_skips_accumulated_wait", "missing-mma-wait", false},
    {"kernel_skips_full_wait", "missing-wait", false},
    {"kernel_skips_empty_wait", "more threads arrive than the phase has pending arrivals", false},
};

TEST(KernelFaults, AreReportedByName) {
  DeviceLimits limits;
  limits.batches = 1;
  for (const Clause& row : clauses) {
    const auto device =
        open_device(std::string("emulator:sm_100a,strict,schedule=lazy,fault=") + row.fault, limits);
    const Ran ran = row.in_probe ? run_batch<Tcgen05MmaRecord>(*device, "tcgen05_mma", {accumulation()})
                                 : run_batch<GemmRecord>(*device, "gemm", {product()});
    std::string found = "ended " + std::to_string(static_cast<int>(ran.ends[0].ended)) + " ";
    for (const std::string& note : ran.notes) found += note + " ";
    for (const StrictFinding& finding : device->strict_findings()) found += finding.clause + " ";
    EXPECT_NE(found.find(row.clause), std::string::npos) << row.fault << ": " << found;
  }
}

using nlohmann::json;

json barrier(uint32_t cta, uint32_t address, uint32_t pending, int bytes, json waits = json::array()) {
  return {{"cta", cta},     {"address", address}, {"phase", 0},    {"pending", pending},
          {"expected", 2u}, {"bytes", bytes},     {"waits", waits}};
}
json wait_of(std::vector<uint32_t> threads) {
  return json::array({{{"phase", 0}, {"threads", threads}}});
}

TEST(EmulatorNotes, BarriersOfAKernelWithoutNamesAreToldByAddress) {
  const json note = {{"barriers", {barrier(0, 1024, 1, 0, wait_of({0, 1, 64})), barrier(0, 1032, 2, -16)}}};
  EXPECT_EQ(
      barriers_in_words(note, nullptr, 9),
      (std::vector<std::string>{
          "CTA 0 mbarrier 0x400: phase 0, 1 of 2 arrivals pending, 0 bytes pending; warps 0, 2 wait for "
          "phase 0",
          "CTA 0 mbarrier 0x408: phase 0, 2 of 2 arrivals pending, 16 bytes more than expected have "
          "arrived"}));
  EXPECT_TRUE(barriers_in_words({{"kind", "deadlock"}}, nullptr, 9).empty());
}

TEST(EmulatorNotes, BarriersInTheSameStateShareALine) {
  constexpr KernelNames names{
      [](uint32_t byte) { return byte < 16 ? "full[" + std::to_string(byte / 8) + "]" : std::string(); },
      [](uint32_t warp) { return std::string(warp == 0 ? "load warp" : "store warp"); }, nullptr};
  json list;
  for (const uint32_t cta : {0u, 1u, 3u}) {
    list.push_back(barrier(cta, 1024, 2, 0));
    list.push_back(barrier(cta, 1032, 2, 0));
    list.push_back(barrier(cta, 1040, 2, 64, wait_of({0, 40, 70})));
  }
  EXPECT_EQ(
      barriers_in_words({{"barriers", list}}, &names, 9),
      (std::vector<std::string>{
          "CTAs 0-1, 3 full[0] to full[1]: phase 0, 2 of 2 arrivals pending, 0 bytes pending",
          "CTAs 0-1, 3 mbarrier 0x410: phase 0, 2 of 2 arrivals pending, 64 bytes pending; the load warp "
          "waits for phase 0; the store warps 1-2 wait for phase 0"}));
  list.push_back(barrier(4, 1024, 1, 0));
  const std::vector<std::string> few = barriers_in_words({{"barriers", list}}, &names, 2);
  ASSERT_EQ(few.size(), 2u);
  EXPECT_EQ(few[1], "and 2 more lines of barriers");
}

TEST(EmulatorNotes, WhereThreadsOfADeadlockStandComesLast) {
  const json note = {
      {"kind", "deadlock"}, {"kernel", "k"}, {"line", 7}, {"thread", "cta 0"}, {"message", "stuck"}};
  EXPECT_EQ(note_in_words(note), "kernel k, PTX line 7: deadlock: stuck; cta 0");
}

}  // namespace
}  // namespace assay::cuda
