// SPDX-License-Identifier: Apache-2.0
// How fast the emulator executes PTX, in thread instructions a second on one core, and loads that of our
// kernels.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "devices/cuda/images.h"
#include "devices/emulator/gpu.h"

namespace {

using namespace assay::emulator;

const std::string head =
    ".version 9.0\n.target sm_100a\n.address_size 64\n"
    ".visible .entry k(.param .u64 out)\n{\n"
    ".shared .align 16 .b8 tile[4096];\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 7;\nmov.u32 %r3, 0;\n"
    "mov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f3F000000;\nmov.u32 %r10, tile;\nshl.b32 %r11, %r1, 4;\n"
    "and.b32 %r11, %r11, 4080;\nadd.u32 %r10, %r10, %r11;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, "
    "%rd2;\n"
    "AGAIN:\n";
const std::string tail =
    "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 200;\n@%p1 bra AGAIN;\n"
    "st.global.u32 [%rd3], %r2;\nret;\n}\n";

std::string repeated(const std::string& text, int times) {
  std::string made;
  for (int i = 0; i < times; ++i) made += text;
  return made;
}

void run(benchmark::State& state, const std::string& body, uint32_t threads) {
  const auto gpu = Gpu::create({});
  auto loaded = gpu->load(head + body + tail);
  if (const auto* diagnostic = std::get_if<Diagnostic>(&loaded)) {
    state.SkipWithError(diagnostic->message.c_str());
    return;
  }
  Module& module = *std::get<0>(loaded);
  uint64_t out = gpu->memory().allocate(4096);
  const std::byte* bytes = reinterpret_cast<const std::byte*>(&out);
  const LaunchConfig config{module.find_kernel("k"), {4, 1, 1}, {threads, 1, 1}, {0, 0, 0}, 0, {bytes, 8}};
  const uint64_t before = gpu->instructions_executed();
  for (auto _ : state)
    if (const auto end = gpu->launch(config)) {
      state.SkipWithError(end->message.c_str());
      return;
    }
  state.SetItemsProcessed(static_cast<int64_t>(gpu->instructions_executed() - before));
}

void straight_integer(benchmark::State& state) {
  run(state,
      repeated("add.u32 %r4, %r1, %r2;\nxor.b32 %r5, %r4, %r3;\nshl.b32 %r6, %r5, 3;\n"
               "mad.lo.s32 %r7, %r6, %r4, %r1;\nand.b32 %r8, %r7, %r6;\nadd.u32 %r2, %r2, %r8;\n",
               8),
      static_cast<uint32_t>(state.range(0)));
}
BENCHMARK(straight_integer)->Arg(256)->Arg(32)->Arg(1);

void straight_float(benchmark::State& state) {
  run(state, repeated("fma.rn.f32 %f3, %f1, %f2, %f2;\nadd.f32 %f4, %f3, %f1;\nmul.f32 %f1, %f4, %f2;\n", 16),
      256);
}
BENCHMARK(straight_float);

void shared_words(benchmark::State& state) {
  run(state, repeated("st.shared.u32 [%r10], %r1;\nld.shared.u32 %r4, [%r10];\n", 24), 256);
}
BENCHMARK(shared_words);

void shared_vectors(benchmark::State& state) {
  run(state,
      repeated(
          "st.shared.v4.u32 [%r10], {%r1, %r2, %r3, %r1};\nld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r10];\n",
          24),
      256);
}
BENCHMARK(shared_vectors);

void global_words(benchmark::State& state) {
  run(state, repeated("st.global.u32 [%rd3], %r1;\nld.global.u32 %r4, [%rd3];\n", 24), 256);
}
BENCHMARK(global_words);

void divergent(benchmark::State& state) {
  run(state,
      "and.b32 %r4, %r1, 3;\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra A;\nsetp.eq.u32 %p2, %r4, 1;\n@%p2 bra B;\n"
      "add.u32 %r2, %r2, 1;\nbra JOIN;\nA:\nadd.u32 %r2, %r2, 2;\nbra JOIN;\nB:\nadd.u32 %r2, %r2, "
      "3;\nJOIN:\n",
      256);
}
BENCHMARK(divergent);

/// What each process that opens an emulated device does first, and again after every case that ends one.
void load_kernels(benchmark::State& state, const char* file) {
  const AssayKernelImage* image = assay::cuda::find_image(file, 100, false);
  if (image == nullptr) {
    state.SkipWithError("these kernels are not built for sm_100a");
    return;
  }
  const char* text = reinterpret_cast<const char*>(image->begin);
  const auto gpu = Gpu::create({});
  for (auto _ : state) {
    auto loaded = gpu->load(text);
    if (const auto* diagnostic = std::get_if<Diagnostic>(&loaded)) {
      state.SkipWithError(diagnostic->message.c_str());
      return;
    }
    Module& module = *std::get<0>(loaded);
    for (const std::string& name : module.kernel_names())
      benchmark::DoNotOptimize(module.find_kernel(name)->registers());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * std::strlen(text)));
}
BENCHMARK_CAPTURE(load_kernels, tensor_copy, "tensor_copy");
BENCHMARK_CAPTURE(load_kernels, tcgen05_mma, "tcgen05_mma");
BENCHMARK_CAPTURE(load_kernels, sequence, "sequence");

}  // namespace

BENCHMARK_MAIN();
