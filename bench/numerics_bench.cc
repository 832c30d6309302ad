// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdio>
#include <random>
#include <string>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "reference/numerics/fast.h"

// Products a second on one core: items_per_second. Tiles as the instructions have them.
namespace assay::numerics {
namespace {

struct Case {
  const char* name;
  const char* family;
  const char *a, *b, *d;
  int k;
  const char* scale;
  int block;
};
constexpr Case cases[] = {
    {"f16 f32", "wgmma", "f16", "f16", "f32", 16, "", 0},
    {"f16 f16", "wgmma", "f16", "f16", "f16", 16, "", 0},
    {"bf16 f32", "wgmma", "bf16", "bf16", "f32", 16, "", 0},
    {"tf32 f32", "wgmma", "tf32", "tf32", "f32", 8, "", 0},
    {"e4m3 f32 sm_90", "wgmma", "e4m3", "e4m3", "f32", 32, "", 0},
    {"e4m3 f32 sm_100", "tcgen05", "e4m3", "e4m3", "f32", 32, "", 0},
    {"e5m2 f16 mma.sync", "mma_sm90", "e5m2", "e5m2", "f16", 32, "", 0},
    {"s8 s32", "wgmma", "s8", "s8", "s32", 32, "", 0},
    {"mxf8 f32", "tcgen05", "e4m3", "e4m3", "f32", 32, "ue8m0", 32},
    {"nvf4 f32", "tcgen05", "e2m1", "e2m1", "f32", 64, "ue4m3", 16},
};

struct Operands {
  Types types;
  const Instruction* row;
  std::vector<uint32_t> a, b, c, d;
  std::vector<uint8_t> scale_a, scale_b;
  int m, n;
  Operands(const Case& from, int rows, int columns, bool with_specials)
      : types{spec::find_format(from.a), spec::find_format(from.b), spec::find_format(from.d), from.k},
        m(rows),
        n(columns) {
    if (from.scale[0] != 0) types.scale = spec::find_format(from.scale), types.scale_block = from.block;
    row = find_instruction(from.family, types, false);
    std::mt19937 random(1);
    const auto fill = [&](std::vector<uint32_t>& codes, const spec::Format& format, int count) {
      for (int i = 0; i < count; ++i) {
        auto code = static_cast<uint32_t>(random() & format.code_mask());
        while (!with_specials && !spec::decode(format, code).is_finite())
          code = static_cast<uint32_t>(random() & format.code_mask());
        codes.push_back(code);
      }
    };
    fill(a, *types.a, m * types.k), fill(b, *types.b, n * types.k), fill(c, *types.d, m * n);
    for (int i = 0; i < m * types.scale_count(); ++i)
      scale_a.push_back(static_cast<uint8_t>(random() % 0x7f));
    for (int i = 0; i < n * types.scale_count(); ++i)
      scale_b.push_back(static_cast<uint8_t>(random() % 0x7f));
    d.resize(static_cast<size_t>(m) * n);
  }
};

void fast(benchmark::State& state, const Case& from, int m, int n, bool with_specials) {
  Operands operands(from, m, n, with_specials);
  const Tile tile{m, n, operands.a, operands.b, operands.c, operands.scale_a, operands.scale_b};
  for (auto _ : state) {
    fast_tile(operands.row->arithmetic, operands.types, tile, operands.d);
    benchmark::DoNotOptimize(operands.d.data());
  }
  state.SetItemsProcessed(state.iterations() * m * n * operands.types.k);
  state.SetLabel(std::string(fast_target()));
}

void exact(benchmark::State& state, const Case& from) {
  Operands operands(from, 4, 4, true);
  const std::vector<uint64_t> a(operands.a.begin(), operands.a.begin() + operands.types.k);
  const std::vector<uint64_t> b(operands.b.begin(), operands.b.begin() + operands.types.k);
  const std::vector<uint64_t> scale_a(operands.scale_a.begin(),
                                      operands.scale_a.begin() + operands.types.scale_count());
  const std::vector<uint64_t> scale_b(operands.scale_b.begin(),
                                      operands.scale_b.begin() + operands.types.scale_count());
  for (auto _ : state)
    benchmark::DoNotOptimize(
        exact_dot(operands.row->arithmetic, operands.types, {a, b, operands.c[0], scale_a, scale_b}));
  state.SetItemsProcessed(state.iterations() * operands.types.k);
}

/// cblas_sgemm of OpenBLAS, on one thread; null where the library is not installed.
using Sgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a,
                       int lda, const float* b, int ldb, float beta, float* c, int ldc);
Sgemm open_sgemm() {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (library == nullptr) return nullptr;
  if (auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads")))
    set_threads(1);
  return reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
}

void sgemm(benchmark::State& state, Sgemm multiply, int m, int n, int k) {
  constexpr int row_major = 101, plain = 111, transposed = 112;
  const std::vector<float> a(static_cast<size_t>(m) * k, 1.5f), b(static_cast<size_t>(n) * k, 0.75f);
  std::vector<float> c(static_cast<size_t>(m) * n, 0.0f);
  for (auto _ : state) {
    multiply(row_major, plain, transposed, m, n, k, 1.0f, a.data(), k, b.data(), k, 0.0f, c.data(), n);
    benchmark::DoNotOptimize(c.data());
  }
  state.SetItemsProcessed(state.iterations() * m * n * k);
}

}  // namespace
}  // namespace assay::numerics

int main(int argc, char** argv) {
  using namespace assay::numerics;
  for (const Case& one : cases) {
    const std::string name = one.name;
    benchmark::RegisterBenchmark((name + " 128x256").c_str(),
                                 [&one](benchmark::State& s) { fast(s, one, 128, 256, false); });
    benchmark::RegisterBenchmark((name + " 64x8").c_str(),
                                 [&one](benchmark::State& s) { fast(s, one, 64, 8, false); });
    benchmark::RegisterBenchmark((name + " 64x256 with NaN and infinities").c_str(),
                                 [&one](benchmark::State& s) { fast(s, one, 64, 256, true); });
    benchmark::RegisterBenchmark((name + " exact").c_str(), [&one](benchmark::State& s) { exact(s, one); });
  }
  if (const Sgemm multiply = open_sgemm())
    for (const int k : {8, 16, 32})
      benchmark::RegisterBenchmark(("sgemm of OpenBLAS 128x256x" + std::to_string(k)).c_str(),
                                   [multiply, k](benchmark::State& s) { sgemm(s, multiply, 128, 256, k); });
  else
    std::fputs("libopenblas.so.0 not found: no comparison with sgemm\n", stderr);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
