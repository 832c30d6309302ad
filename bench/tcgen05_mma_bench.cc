// SPDX-License-Identifier: Apache-2.0
// Cases of tcgen05.mma a second: on the emulator through the whole seam, two batches in flight, and predicted
// by the reference alone. One accumulation of 128x128x64 each.
#include <benchmark/benchmark.h>

#include "devices/device.h"
#include "generators/mma/make.h"
#include "reference/model/mma/mma.h"
#include "suites/mma/coverage.h"
#include "suites/run/conductor.h"
#include "suites/run/family.h"

namespace assay::suites {
namespace {

constexpr size_t batch_cases = 16;

/// By kind: f16, e4m3, s8, and with scales e4m3, e2m1 and e2m1 by ue4m3; K of 64 is four steps of 16, two of
/// 32 or one of 64.
Tcgen05MmaCase tile(int64_t number, uint64_t seed) {
  using namespace gen;
  const auto kind = static_cast<MmaKind>(number);
  const bool is_packed = spec::row_of(kind).is_packed;
  MmaForm form{.kind = kind,
               .a_type = is_packed ? 1u : 0u,
               .b_type = is_packed ? 1u : 0u,
               .d_type = kind == MmaKind::i8 ? 2u : 1u,
               .cta_group = 1,
               .m = 128};
  if (is_scaled(form.kind))
    form.scale_vector = spec::row_of(kind).takes(16) ? 16 : 32,
    form.scale_type = !spec::row_of(kind).may_be_ue4m3;
  Tcgen05MmaCase c;
  Random random(seed);
  take_dense_form(random, form, false, c);
  c.n = 128;
  c.steps = 64 / static_cast<uint32_t>(model::k_of(c));
  c.enable_input_d = true;
  c.negate_a = c.negate_b = c.saturate = c.collector_filled = false;
  c.collector = Collector::none, c.collector_buffer = 0;
  place_operands(random, Placing::dense, c);
  place_in_tensor_memory(random, c);
  fill_operands(random, FillMix::narrow, c);
  return c;
}

void submit(Device& device, Batch& batch, const Family& family, int64_t kind) {
  const spec::Readings readings(spec::Arch::sm_100);
  batch.family = family.name();
  uint64_t used = 0;
  for (size_t i = 0; i < batch_cases; ++i) {
    const Case c = tile(kind, i);
    family.write_record(c, used, readings, batch.records.data() + i * family.record_bytes());
    used += family.output_bytes(c);
  }
  batch.count = batch_cases;
  device.submit(batch);
}

void mma_on_the_emulator(benchmark::State& state) {
  const std::unique_ptr<Device> device = open_device("emulator:sm_100a", limits_for(2));
  const Family& family = tcgen05_mma_family();
  if (const auto why = device->declines(family.name())) {
    state.SkipWithError(why->c_str());
    return;
  }
  uint64_t bad = 0, done = 0;
  Batch* flying = nullptr;
  const auto land = [&](Batch& batch) {
    device->wait(batch);
    for (size_t i = 0; i < batch_cases; ++i) bad += batch.ends[i].ended != Ended::done;
    done += batch_cases;
    device->release(batch);
  };
  for (auto _ : state) {
    Batch& batch = device->acquire();
    submit(*device, batch, family, state.range(0));
    if (flying != nullptr) land(*flying);
    flying = &batch;
  }
  if (flying != nullptr) land(*flying);
  if (bad != 0) state.SkipWithError("a case did not run to its end");
  state.SetItemsProcessed(static_cast<int64_t>(done));
}

void mma_predicted(benchmark::State& state) {
  const Family& family = tcgen05_mma_family();
  const spec::Readings readings(spec::Arch::sm_100);
  Scratch scratch;
  Expected expected;
  const Case c = tile(state.range(0), 1);
  for (auto _ : state) {
    family.predict(c, readings, scratch, expected);
    benchmark::DoNotOptimize(expected.bytes.data());
  }
  state.SetItemsProcessed(state.iterations());
}

void kinds(benchmark::internal::Benchmark* b) {
  using gen::MmaKind;
  for (const MmaKind kind :
       {MmaKind::f16, MmaKind::f8f6f4, MmaKind::i8, MmaKind::mxf8f6f4, MmaKind::mxf4, MmaKind::mxf4nvf4})
    b->Arg(number_of(kind));
  b->Unit(benchmark::kMillisecond);
}
BENCHMARK(mma_on_the_emulator)->Apply(kinds)->UseRealTime();
BENCHMARK(mma_predicted)->Apply(kinds);

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  // The devices' workers are this program, started again.
  if (argc > 1 && std::string_view(argv[1]) == "device-worker") return assay::device_worker_main(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
