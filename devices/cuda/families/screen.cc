// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/screen.h"

#include <algorithm>

#include "devices/cuda/families/probe_launch.h"

namespace assay::cuda {
namespace {

using params::ScreenRecord;

/// The emulator takes a tenth of a second for a chain.
constexpr uint32_t most_rounds_emulated = 1, ctas_emulated = 2;

const char* wrong_screen(const ScreenRecord& r, const ScreenRecord& first, const BatchView&) {
  if (r.kind >= params::screen_kinds) return "the screen's kernels have the kinds 0 to 4";
  if (r.kind != first.kind) return "the records of a batch must be of one kind";
  if (r.rounds < 1) return "rounds must be at least 1";
  if (r.blocks < 1 || r.blocks > 256) return "blocks must be 1 to 256";
  if (r.plant_word >= params::screen_window_bytes / 4) return "plant_word must be one of shared memory";
  if (r.plant_register >= params::screen_d_registers || r.plant_thread >= params::probe_threads)
    return "a planted fault must lie in one of 128 registers of one of 128 threads";
  if (r.output_bytes != sizeof(params::ScreenOutput)) return "output_bytes must be those of a ScreenOutput";
  return nullptr;
}

std::optional<WrongBatch> check_screen_batch(const BatchView& batch) {
  return check_records<ScreenRecord>(batch, wrong_screen);
}

std::optional<std::string> declines_screen(const OpenedDriver& opened, bool) {
  return declines_without(opened, &spec::Architecture::has_wgmma);
}

/// One CTA a multiprocessor; each runs all records, in their order.
void run_screen(OpenedDevice& device, Job& job) {
  ProbePlan plan{.record_bytes = sizeof(ScreenRecord), .output_of = output_slot_of<ScreenRecord>};
  plan.groups.emplace_back();
  for (const uint32_t index : job.group) {
    auto& record = reinterpret_cast<ScreenRecord*>(job.memory.records)[index];
    if (device.emulator) record.rounds = std::min(record.rounds, most_rounds_emulated);
    add_record(device, plan.groups[0], index, forms::launch_of(record));
  }
  plan.groups[0].clusters = device.emulator
                                ? ctas_emulated
                                : std::min(static_cast<uint32_t>(device.sm_count), params::screen_most_ctas);
  run_probes(device, job, std::move(plan));
}

const Family screen_family{"screen", sizeof(ScreenRecord), check_screen_batch, declines_screen, run_screen};
const RegisterFamily screen_registered(screen_family);

}  // namespace
}  // namespace assay::cuda
