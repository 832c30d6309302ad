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

/// move(k, window) for one place after another: rows of 128 bytes.
template <typename Move>
void run(benchmark::State& state, const Move& move) {
  const auto rows = static_cast<uint32_t>(state.range(0));
  const std::span<std::byte> window = window_of(rows);
  uint32_t k = 0;
  for (auto _ : state) {
    move(k++ % copies, window);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * rows * 128);
}

void predict(benchmark::State& state, const std::vector<TensorCopyCase>& cases) {
  const spec::Readings readings(spec::Arch::sm_90);
  const bool is_store = cases[0].direction == CopyDirection::store;
  run(state, [&](uint32_t k, std::span<std::byte> window) {
    const CopyPrediction made = is_store ? predict_store(cases[k], readings, window, arena(), {})
                                         : predict_load(cases[k], readings, arena(), window, {});
    if (made.end != End::done) state.SkipWithError("the copy is not legal");
  });
}

void load(benchmark::State& state, uint32_t swizzle, uint64_t pitch) {
  predict(state, tiles(static_cast<uint32_t>(state.range(0)), pitch, swizzle, CopyDirection::load));
}
void store(benchmark::State& state, uint32_t swizzle, uint64_t pitch) {
  predict(state, tiles(static_cast<uint32_t>(state.range(0)), pitch, swizzle, CopyDirection::store));
}

/// The same bytes from the same places by memcpy: one piece, or row by row where the rows lie apart.
void plain_copy(benchmark::State& state, uint64_t pitch) {
  const auto rows = static_cast<uint32_t>(state.range(0));
  run(state, [&](uint32_t k, std::span<std::byte> window) {
    const std::byte* from = &arena()[place_of(k)];
    std::byte* to = &window[offset_of(k)];
    if (pitch == 128)
      std::memcpy(to, from, rows * 128);
    else
      for (uint32_t row = 0; row < rows; ++row) std::memcpy(to + row * 128, from + row * pitch, 128);
  });
}

/// The same bytes to the same places, for stores: memory is written, not read.
void plain_copy_out(benchmark::State& state) {
  run(state, [&](uint32_t k, std::span<std::byte> window) {
    std::memcpy(&arena()[place_of(k)], &window[offset_of(k)], static_cast<size_t>(state.range(0)) * 128);
  });
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

/// Without the filter a store stays in its images.
void im2col(benchmark::State& state, uint32_t swizzle, CopyDirection direction) {
  std::vector<TensorCopyCase> cases;
  for (uint32_t k = 0; k < copies; ++k) {
    cases.push_back(column(static_cast<uint32_t>(state.range(0)), swizzle, k));
    cases.back().direction = direction;
    if (direction == CopyDirection::load) continue;
    cases.back().map.lower = cases.back().map.upper = {};
    cases.back().offset = {};
  }
  predict(state, cases);
}

BENCHMARK_CAPTURE(im2col, load_128B, 3, CopyDirection::load)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(im2col, store_128B, 3, CopyDirection::store)->Arg(16)->Arg(64)->Arg(256);
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
