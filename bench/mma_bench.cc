// Cases of tcgen05.mma a second: on the emulator through the whole seam, two batches in flight, and predicted
// by the reference alone. One accumulation of 128x128x64 each.
#include <benchmark/benchmark.h>

#include "devices/device.h"
#include "generators/tcgen05_mma_fills.h"
#include "generators/tcgen05_mma_place.h"
#include "reference/model/tcgen05_mma.h"
#include "reference/model/tcgen05_mma_form.h"
#include "reference/model/tcgen05_mma_scale.h"
#include "suites/run/conductor.h"
#include "suites/run/family.h"

namespace assay::suites {
namespace {

constexpr size_t batch_cases = 16;

/// f16, e4m3, s8, mxf8f6f4 of e4m3 and mxf4nvf4: K of 64 is four steps of 16, two of 32, or one. Scales lie
/// behind D, for which twice as much of tensor memory is allocated, filled and read back.
Tcgen05MmaCase tile(int64_t kind, uint64_t seed) {
  Tcgen05MmaCase c;
  c.kind = static_cast<uint32_t>(kind);
  c.d_type = kind == 3 ? 2 : 1;
  c.m = c.n = 128;
  c.enable_input_d = true;
  const bool is_scaled = model::is_block_scaled(c);
  if (model::is_packed_kind(c)) c.a_type = c.b_type = 1, c.scale_vector = 16, c.scale_type = 0;
  c.steps = 64 / static_cast<uint32_t>(model::k_of(c));
  gen::Random random(seed);
  gen::place_operands(random, gen::Placing::dense, c);
  gen::place_in_tensor_memory(random, c);
  c.second_column = 0, c.d_column = 0;
  c.alloc_columns = c.tmem_split = is_scaled ? 256 : 128;
  if (is_scaled) c.a_scales.column = 128, c.b_scales.column = 192;
  gen::fill_operands(random, gen::FillMix::narrow, c);
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

BENCHMARK(mma_on_the_emulator)
    ->Arg(0)
    ->Arg(2)
    ->Arg(3)
    ->Arg(4)
    ->Arg(6)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(mma_predicted)->Arg(0)->Arg(2)->Arg(3)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  // The devices' workers are this program, started again.
  if (argc > 1 && std::string_view(argv[1]) == "device-worker") return assay::device_worker_main(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
