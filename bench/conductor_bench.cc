// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "suites/run/bytes.h"
#include "suites/run/judge.h"

/// Rates of the conductor's parts on one core, cases a second: what a device of a given speed needs in cores.
/// Output is what the reference predicts, copied, so that comparison reads memory that prediction did not
/// just write.
namespace assay::suites {
namespace {

constexpr uint64_t first_random = 1'000'000;  // behind the directed cases
constexpr size_t batch_cases = 1024;

const Property& property_of(const benchmark::State& state) {
  static const char* const names[] = {"tma.tiled.load",
                                      "tma.tiled.store",
                                      "driver.tensor_map.encode_tiled",
                                      "tma.tiled.load.multicast",
                                      "wgmma.f16",
                                      "wgmma.sparse.f16",
                                      "mma_sync.fp8",
                                      "mma_sync.sparse.i4",
                                      "mma_sync.f64"};
  return *find_property(names[state.range(0)]);
}

struct Prepared {
  explicit Prepared(const Property& property) : cases(batch_cases) {
    const Family& family = property.family();
    const spec::Readings readings(spec::Arch::sm_90);
    Scratch scratch;
    Expected expected;
    for (size_t k = 0; k < cases.size(); ++k) {
      property.generate(1, property.name, first_random + k, spec::Arch::sm_90, cases[k]);
      family.predict(cases[k], readings, scratch, expected);
      const ExpectedOutput whole = family.expected_output(cases[k], expected);
      outputs.emplace_back(whole.bytes.size());
      std::copy(whole.bytes.begin(), whole.bytes.end(), reinterpret_cast<uint8_t*>(outputs.back().data()));
      outputs.back().resize(family.output_bytes(cases[k]));
      bytes += outputs.back().size();
      RecordEnd end{Ended::done, 0, 0, 0};
      if (expected.end == model::End::rejected) end = {Ended::rejected, 1, ~0u, 0};
      ends.push_back(end);
    }
  }
  std::vector<Case> cases;
  std::vector<std::vector<std::byte>> outputs;
  std::vector<RecordEnd> ends;
  uint64_t bytes = 0;
};

void generate_and_record(benchmark::State& state) {
  const Property& property = property_of(state);
  const Family& family = property.family();
  const spec::Readings readings(spec::Arch::sm_90);
  std::vector<std::byte> record(family.record_bytes());
  Case c;
  uint64_t index = first_random;
  for (auto _ : state) {
    property.generate(1, property.name, index++, spec::Arch::sm_90, c);
    family.write_record(c, 0, readings, record.data());
    benchmark::DoNotOptimize(record.data());
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(std::string(property.name));
}

/// Prediction, comparison, fingerprint and coverage, with every open question decided as it is after the
/// first seconds.
void judge_and_count(benchmark::State& state) {
  const Property& property = property_of(state);
  const Family& family = property.family();
  const Prepared prepared(property);
  ReadingSet readings(spec::Arch::sm_90);
  Judge judge(spec::Arch::sm_90, readings);
  struct Sink final : CoverageSink {
    std::vector<uint32_t> cells = std::vector<uint32_t>(1 << 18);
    void hit(int, uint32_t cell, uint64_t times) override { cells[cell] += static_cast<uint32_t>(times); }
  } sink;
  uint64_t fingerprints = 0, bad = 0;
  const auto one = [&](size_t k) {
    const Case& c = prepared.cases[k];
    const Judgement judgement =
        judge.judge(family, c, {prepared.ends[k], prepared.outputs[k]}, [] { return "bench"; });
    bad += judgement.verdict != report::Verdict::conforms;
    property.cover(c, judgement.expected, k, spec::Arch::sm_90, sink);
    if (judgement.expected.judges_bytes) fingerprints += fingerprint(prepared.outputs[k], {}, k);
  };
  for (int round = 0; round < 8; ++round)
    for (size_t k = 0; k < batch_cases; ++k) one(k);
  size_t k = 0;
  for (auto _ : state) {
    one(k);
    k = (k + 1) % batch_cases;
  }
  benchmark::DoNotOptimize(fingerprints);
  if (bad != 0) state.SkipWithError("the prepared outputs do not conform");
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(static_cast<double>(prepared.bytes) / batch_cases *
                                               static_cast<double>(state.iterations())));
  state.SetLabel(std::string(property.name));
}

BENCHMARK(generate_and_record)->DenseRange(0, 8);
BENCHMARK(judge_and_count)->DenseRange(0, 8);

}  // namespace
}  // namespace assay::suites

BENCHMARK_MAIN();
