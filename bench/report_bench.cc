// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "reports/html/sections.h"
#include "reports/results.h"
#include "reports/written_reports.h"

/// The way of verdicts from the judge to a page: what the results file and the reports made of it cost.
namespace assay::report {
namespace {

std::filesystem::path scratch(const char* name) {
  return std::filesystem::temp_directory_path() / ("assay_report_bench_" + std::to_string(getpid()) + name);
}

RunInfo run_of(uint64_t seed) {
  RunInfo run;
  run.run_id = "bench", run.started_utc = "2026-11-22T00:00:00", run.host = "bench", run.seed = seed;
  return run;
}

/// A failing case with everything that one has: bytes, fields, rules, places, a picture.
CaseRow failing(uint64_t index, uint64_t ways) {
  CaseRow row;
  row.property = "tma.tiled.load", row.device = "emulator:sm_90a", row.index = index;
  row.signature = "tma.tiled.load|done|done|way " + std::to_string(index % ways);
  row.case_id = "0123456789abcdef" + std::to_string(1000000000000000 + index);
  row.case_json =
      R"({"case":{"box":[64,8],"coord":[0,)" + std::to_string(index) + R"(]},"property":"tma.tiled.load"})";
  row.message = "tma.tiled.load f16 rank 2 box 64 8: byte 128 is 0x3f, expected 0x00 (64 of 1024 differ)";
  row.replay = "assay replay 'tma.tiled.load@1#" + std::to_string(index) + "' --device emulator:sm_90a";
  row.expected_end = row.observed_end = "done";
  row.expected.assign(144, 0), row.observed.assign(144, 0x3f), row.defined.assign(144, 0xff);
  row.differing_bytes = 64;
  row.rules = {"TILE-R01", "TILE-R02", "TILE-R06"};
  for (const char* field : {"type", "rank", "box", "swizzle", "interleave", "fill", "coordinates", "strides"})
    row.fields.emplace_back(field, "value " + std::to_string(index % 7));
  row.format = "f16";
  row.places = "cluster rank:0=32/512;shared-memory address:0-112=0/8,128-240=4/8";
  for (int line = 0; line < 16; ++line) row.picture += std::string(32, '=') + std::string(32, 'x') + "\n";
  return row;
}

/// A run of `cases` in property states as the conductor writes them, and `failures` rows.
void write_run(const std::filesystem::path& file, uint64_t cases, uint64_t failures) {
  std::filesystem::remove(file);
  const auto recorder = Recorder::create(file, run_of(1));
  const std::string device = "emulator:sm_90a", property = "tma.tiled.load";
  recorder->add_device({device, "emulator sm_90", "sm_90", "assay emulator", "", {}});
  recorder->plan(device, {property, "claim", {"TILE-R01"}}, cases);
  for (uint64_t i = 0; i < failures; ++i) recorder->add_case(failing(i * 97, 250));
  PropertyState state;
  for (uint64_t done = 0; done < cases;) {
    const uint64_t step = std::min<uint64_t>(cases - done, 4096);
    state.ranges.push_back({done, 4096, step, done * 0x9e3779b97f4a7c15});
    done += step;
    // About what a run of 100,000 cases a second writes: a state every five seconds.
    if (state.ranges.size() % 122 != 0 && done != cases) continue;
    state.totals.planned = cases, state.totals.issued = done, state.totals.complete = done == cases;
    state.totals.counts = {{Verdict::conforms, done}};
    recorder->set_state(device, property, state);
    // The conductor widens ranges so that no run has more than a few hundred.
    if (state.ranges.size() > 400) state.ranges.clear();
  }
  recorder->finish(failures != 0, "2026-11-22T00:01:00");
}

/// Verdicts of a run of ten million cases through results file, page, JUnit and summary.
void verdicts_through_database_and_report(benchmark::State& state) {
  const auto cases = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    write_run(scratch(".db"), cases, 100);
    write_html(scratch(".db"), scratch(".html"));
    write_junit(scratch(".db"), scratch(".xml"), {});
    benchmark::DoNotOptimize(summary_text(scratch(".db"), false));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(cases));
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  state.counters["peak MiB"] = static_cast<double>(used.ru_maxrss) / 1024;
}

/// The database alone, of failing cases with rows.
void failing_rows(benchmark::State& state) {
  std::filesystem::remove(scratch(".db"));
  const auto recorder = Recorder::create(scratch(".db"), run_of(1));
  recorder->add_device({"emulator:sm_90a", "emulator sm_90", "sm_90", "assay emulator", "", {}});
  recorder->plan("emulator:sm_90a", {"tma.tiled.load", "claim", {}}, 0);
  uint64_t index = 0;
  for (auto _ : state) recorder->add_case(failing(index++, 250));
  state.SetItemsProcessed(state.iterations());
}

/// The page of 100,000 cases of which 1,000 fail in 250 ways.
void page_of_a_thousand_failures(benchmark::State& state) {
  write_run(scratch(".db"), 100'000, 1000);
  size_t bytes = 0;
  for (auto _ : state) bytes = html_text(scratch(".db")).size();
  state.counters["bytes"] = static_cast<double>(bytes);
  if (const char* page = std::getenv("ASSAY_BENCH_PAGE")) write_html(scratch(".db"), page);  // for a browser
  for (const char* extension : {".db", ".db-wal", ".db-shm", ".html", ".xml"})
    std::filesystem::remove(scratch(extension));
}

BENCHMARK(verdicts_through_database_and_report)->Arg(100'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(failing_rows);
BENCHMARK(page_of_a_thousand_failures)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::report

BENCHMARK_MAIN();
