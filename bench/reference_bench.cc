// SPDX-License-Identifier: Apache-2.0
// The tiled model against memcpy of the same bytes, in one run: the ratio of the two bytes_per_second columns
// is the figure.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/questions.h"
#include "suites/run/family.h"

namespace assay::model {
namespace {

constexpr uint64_t arena_bytes = 32 << 20;
constexpr uint32_t copies = 64;  ///< different places, so that no single line stays hot

std::vector<std::byte>& arena() {
  static std::vector<std::byte> bytes(arena_bytes, std::byte{0x5a});
  return bytes;
}

/// Shared memory, placed as a run places it.
std::span<std::byte> window_of(uint32_t rows) {
  static suites::Scratch scratch;
  return scratch.take(scratch.bytes, rows * 128 + 2048);
}

/// Places as a run has them: any multiple of 16 in global memory, any of 128 in shared memory.
uint64_t place_of(uint32_t k) {
  return uint64_t{k} * (arena_bytes / copies) + 16 * (k * 37 % 61);
}
uint32_t offset_of(uint32_t k) {
  return 128 * (k * 5 % 16);
}

/// An f16 box of 64 columns (128 bytes, the span of 128B swizzle) by `rows`, the k-th of several places in a
/// tensor with rows of `pitch` bytes.
TensorCopyCase tile(uint32_t rows, uint64_t pitch, uint32_t swizzle, CopyDirection direction, uint32_t k) {
  TensorCopyCase copy;
  TensorMapArgs& map = copy.map;
  map.data_type = 6;
  map.rank = copy.instruction_rank = 2;
  map.global_dim = {pitch / 2, (arena_bytes / copies) / pitch - 4};
  map.global_stride = {pitch};
  map.global_address = place_of(k);
  map.box_dim = {64, rows};
  map.element_stride = {1, 1, 1, 1, 1};
  map.swizzle = swizzle;
  copy.direction = direction;
  copy.tile_offset = offset_of(k);
  copy.window_bytes = rows * 128 + 2048;
  return copy;
}

/// The cases, made before the clock runs: making them is the generators' work.
std::vector<TensorCopyCase> tiles(uint32_t rows, uint64_t pitch, uint32_t swizzle, CopyDirection direction) {
  std::vector<TensorCopyCase> all;
  for (uint32_t k = 0; k < copies; ++k) all.push_back(tile(rows, pitch, swizzle, direction, k));
  return all;
}

void load(benchmark::State& state, uint32_t swizzle, uint64_t pitch) {
  const auto rows = static_cast<uint32_t>(state.range(0));
  const spec::Readings readings(spec::Arch::sm_90);
  const std::vector<TensorCopyCase> cases = tiles(rows, pitch, swizzle, CopyDirection::load);
  const std::span<std::byte> window = window_of(rows);
  uint32_t k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(predict_load(cases[k++ % copies], readings, arena(), window, {}));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * rows * 128);
}

void store(benchmark::State& state, uint32_t swizzle, uint64_t pitch) {
  const auto rows = static_cast<uint32_t>(state.range(0));
  const spec::Readings readings(spec::Arch::sm_90);
  const std::vector<TensorCopyCase> cases = tiles(rows, pitch, swizzle, CopyDirection::store);
  const std::span<std::byte> window = window_of(rows);
  uint32_t k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(predict_store(cases[k++ % copies], readings, window, arena(), {}));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * rows * 128);
}

/// The same bytes from the same places by memcpy: one piece, or row by row where the rows lie apart.
void plain_copy(benchmark::State& state, uint64_t pitch) {
  const auto rows = static_cast<uint32_t>(state.range(0));
  const std::span<std::byte> window = window_of(rows);
  uint32_t k = 0;
  for (auto _ : state) {
    const std::byte* from = &arena()[place_of(k % copies)];
    std::byte* to = &window[offset_of(k++ % copies)];
    if (pitch == 128)
      std::memcpy(to, from, rows * 128);
    else
      for (uint32_t row = 0; row < rows; ++row) std::memcpy(to + row * 128, from + row * pitch, 128);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * rows * 128);
}

/// The same bytes to the same places, for stores: memory is written, not read.
void plain_copy_out(benchmark::State& state) {
  const auto rows = static_cast<uint32_t>(state.range(0));
  const std::span<std::byte> window = window_of(rows);
  uint32_t k = 0;
  for (auto _ : state) {
    std::memcpy(&arena()[place_of(k % copies)], &window[offset_of(k % copies)], rows * 128);
    ++k;
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * rows * 128);
}

/// An im2col column of `pixels` pixels of 64 f16 channels (128 bytes) in images of 16 by 16 pixels, the pixel
/// box of a 3x3 filter.
TensorCopyCase column(uint32_t pixels, uint32_t swizzle, uint32_t k) {
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  TensorMapArgs& map = copy.map;
  map.data_type = 6;
  map.rank = copy.instruction_rank = 4;
  map.global_dim = {64, 16, 16, 15};
  map.global_stride = {128, 16 * 128, 256 * 128};
  map.global_address = place_of(k);
  map.element_stride = {1, 1, 1, 1, 1};
  map.swizzle = swizzle;
  copy.map.lower = {-1, -1};
  copy.map.upper = {-1, -1};
  copy.map.channels = 64;
  copy.map.pixels = pixels;
  copy.coord = {0, static_cast<int32_t>(k % 8), static_cast<int32_t>(k % 5), 0};
  copy.offset = {static_cast<uint16_t>(k % 3), static_cast<uint16_t>(k / 3 % 3), 0};
  copy.tile_offset = offset_of(k);
  copy.window_bytes = pixels * 128 + 2048;
  return copy;
}

void im2col_load(benchmark::State& state, uint32_t swizzle) {
  const auto pixels = static_cast<uint32_t>(state.range(0));
  const spec::Readings readings(spec::Arch::sm_90);
  std::vector<TensorCopyCase> cases;
  for (uint32_t k = 0; k < copies; ++k) cases.push_back(column(pixels, swizzle, k));
  const std::span<std::byte> window = window_of(pixels);
  if (predict_load(cases[1], readings, arena(), window, {}).end != End::done)
    state.SkipWithError("the column is no legal load");
  uint32_t k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(predict_load(cases[k++ % copies], readings, arena(), window, {}));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * pixels * 128);
}

/// The same column without the filter: a store stays in its images.
void im2col_store(benchmark::State& state, uint32_t swizzle) {
  const auto pixels = static_cast<uint32_t>(state.range(0));
  const spec::Readings readings(spec::Arch::sm_90);
  std::vector<TensorCopyCase> cases;
  for (uint32_t k = 0; k < copies; ++k) {
    cases.push_back(column(pixels, swizzle, k));
    cases.back().direction = CopyDirection::store;
    cases.back().map.lower = cases.back().map.upper = {};
    cases.back().offset = {};
  }
  const std::span<std::byte> window = window_of(pixels);
  if (predict_store(cases[1], readings, window, arena(), {}).end != End::done)
    state.SkipWithError("the column is no legal store");
  uint32_t k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(predict_store(cases[k++ % copies], readings, window, arena(), {}));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * pixels * 128);
}

BENCHMARK_CAPTURE(im2col_load, 128B, 3)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(im2col_store, 128B, 3)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(plain_copy, dense, 128)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(load, dense_128B, 3, 128)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(load, dense_none, 0, 128)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK(plain_copy_out)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(store, dense_128B, 3, 128)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(plain_copy, pitch_2048, 2048)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(load, pitch_2048_128B, 3, 2048)->Arg(16)->Arg(64)->Arg(256);

}  // namespace
}  // namespace assay::model

BENCHMARK_MAIN();
