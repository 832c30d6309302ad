// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>

#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/element_values.h"
#include "reference/model/tensor_copy/random_case.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/spec/questions.h"

/// What moves runs of pixels does what a walk from pixel to pixel does that moves a byte at a time.
namespace assay::model {
namespace {

constexpr spec::Arch archs[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103};

const std::vector<std::byte>& arena() {
  static const std::vector<std::byte> bytes = test_arena(7);
  return bytes;
}

/// Readings in which up to two questions take another reading.
spec::Readings some_readings(spec::Arch arch, RandomCase& random) {
  spec::Readings readings(arch);
  for (uint32_t changed = random.below(3); changed > 0; --changed) {
    const auto index = static_cast<spec::QuestionIndex>(random.below(spec::questions().size()));
    const spec::Question& question = spec::questions()[index];
    readings.choose(index,
                    question.readings[random.below(static_cast<uint64_t>(question.reading_count()))].letter);
  }
  // Those of the walk are looked at by few cases.
  constexpr spec::QuestionIndex walks[] = {spec::question("TMA-AMB-02"), spec::question("TMA-AMB-03"),
                                           spec::question("TMA-AMB-13"), spec::question("TMA-AMB-14"),
                                           spec::question("TMA-AMB-42")};
  if (random.one_in(3)) readings.choose(walks[random.below(std::size(walks))], 'B');
  return readings;
}

/// Runs `check` on 50 cases of each seed that RapidCheck draws (100, fewer under sanitizers); returns how
/// many cases that were, so that a test can say of what share of them it compared anything.
int check_many(const std::function<void(RandomCase&, spec::Arch, TensorCopyCase)>& check) {
  int cases = 0;
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    RandomCase random(seed);
    for (int i = 0; i < 50; ++i, ++cases) {
      const spec::Arch arch = archs[random.below(3)];
      check(random, arch, RandomColumn(random).copy(arch));
    }
  }));
  return cases;
}

/// Calls visit(byte of the window, byte of its unit, byte of global memory or nothing) for every byte of data
/// in the column.
template <typename Visit>
void for_bytes(const TensorCopyCase& copy, const spec::Readings& readings, const Visit& visit) {
  const ColumnShape shape = column_of(copy, readings);
  const SwizzlePattern pattern = pattern_of_column(copy, readings);
  const Im2colWalk walk(copy, readings);
  for (uint32_t p = 0; p < shape.pixels; ++p) {
    unsigned __int128 pixel;
    const bool inside = is_in_tensor(copy, walk.pixel(p), pixel);
    for (uint32_t unit = 0; unit < shape.units; ++unit)
      for (uint32_t b = 0; b < shape.unit_global; ++b) {
        const uint32_t at = copy.tile_offset + p * shape.pitch + unit * shape.unit_shared + b;
        std::optional<uint64_t> from;
        if (inside && unit >= shape.first_unit && unit < shape.end_unit)
          from = copy.map.global_address + static_cast<uint64_t>(pixel) +
                 static_cast<uint64_t>(shape.first_channel) + unit * shape.unit_global + b;
        visit(pattern.place(at), b, from);
      }
  }
}

void plain_load(const TensorCopyCase& copy, const spec::Readings& readings, std::span<std::byte> window) {
  const spec::DataType& type = type_of(copy);
  Tf32Conversion convert;
  if (type.tf32) convert.rounding = tf32_rounding(readings);
  if (type.name.ends_with(".ftz")) convert.flushes_subnormals = readings.is({"TMA-AMB-06", "flushes"});
  uint64_t fill = 0;
  if (copy.map.oob_fill == 1) fill = nan_fill(type, readings);
  for_bytes(copy, readings, [&](uint32_t to, uint32_t b, std::optional<uint64_t> from) {
    window[to] = static_cast<std::byte>(fill >> (8 * (b % 8)));
    if (!from) return;
    window[to] = arena()[*from];
    if (convert.is_copy()) return;
    std::byte word[4];
    convert.apply(word, &arena()[*from - b % 4], 4);
    window[to] = word[b % 4];
  });
}

TEST(Im2colModel, ALoadByRunsIsTheLoadByPixels) {
  int compared = 0, wide = 0, along_w_only = 0;
  const int cases = check_many([&](RandomCase& random, spec::Arch arch, TensorCopyCase copy) {
    copy.direction = CopyDirection::load;
    const spec::Readings readings = some_readings(arch, random);
    std::vector<std::byte> fast(copy.window_bytes + 4096);
    for (std::byte& byte : fast) byte = static_cast<std::byte>(random.next());
    std::vector<std::byte> plain = fast, slow = fast, mask(fast.size(), std::byte{0xff}), slow_mask = mask;
    const CopyPrediction prediction = predict_load(copy, readings, arena(), fast, mask);
    if (prediction.end != End::done) return;
    plain_load(copy, readings, plain);
    RC_ASSERT(fast == plain);
    ++compared;
    wide += is_wide(copy);
    along_w_only += copy.mode == CopyMode::w_128 && copy.w_halo != 0;
    if (is_wide(copy)) return;
    slow_load(copy, readings, arena(), slow, slow_mask);
    RC_ASSERT(mask == slow_mask);
    for (size_t i = 0; i < fast.size(); ++i) RC_ASSERT(mask[i] == std::byte{0} || fast[i] == slow[i]);
    RC_ASSERT(prediction.transaction_bytes == slow_transaction_bytes(copy, readings));
  });
  EXPECT_GT(5 * compared, 2 * cases);
  EXPECT_GT(20 * wide, cases);
  EXPECT_GT(50 * along_w_only, cases);
}

TEST(Im2colModel, AStoreByRunsIsTheStoreByPixels) {
  int compared = 0, twice = 0;
  const int cases = check_many([&](RandomCase& random, spec::Arch arch, TensorCopyCase copy) {
    if (copy.direction != CopyDirection::store) return;
    const spec::Readings readings = some_readings(arch, random);
    std::vector<std::byte> window(copy.window_bytes + 4096);
    std::memcpy(window.data(), arena().data() + 4096 * random.below(8), window.size());
    std::vector<std::byte> fast(RandomCase::arena_bytes, std::byte{0xcd}), slow = fast;
    std::vector<std::byte> mask(fast.size(), std::byte{0xff}), slow_mask = mask;
    const CopyPrediction prediction = predict_store(copy, readings, window, fast, mask);
    if (prediction.end != End::done) return;
    slow_store(copy, readings, window, slow, slow_mask);
    if (prediction.all_defined) std::fill(mask.begin(), mask.end(), std::byte{0xff});
    RC_ASSERT(mask == slow_mask);
    // The slow one converts nothing.
    const bool converts = type_of(copy).tf32 && readings.is({"TMA-AMB-32", "converts"});
    RC_ASSERT(converts || fast == slow);
    ++compared;
    twice += !prediction.all_defined;
  });
  EXPECT_GT(10 * compared, cases);
  EXPECT_GT(250 * twice, cases);
}

TEST(Im2colModel, AReductionByRunsIsTheReductionByPixels) {
  int compared = 0;
  const int cases = check_many([&](RandomCase& random, spec::Arch arch, TensorCopyCase copy) {
    if (copy.direction != CopyDirection::store) return;
    copy.reduction = static_cast<TensorReduction>(1 + random.below(8));
    const auto what = tensor_reduction(copy.reduction, copy.map.data_type);
    const spec::Readings readings = some_readings(arch, random);
    std::vector<std::byte> window(copy.window_bytes + 4096);
    std::memcpy(window.data(), arena().data() + 4096 * random.below(8), window.size());
    std::vector<std::byte> fast = arena(), plain = arena();
    if (predict_store(copy, readings, window, fast, {}).end != End::done) return;
    RC_ASSERT(what.has_value());
    const uint32_t bytes = spec::bytes_of(what->type), unit = type_of(copy).group_global_bytes;
    const uint32_t row_end = column_of(copy, readings).end_unit * unit;
    spec::RuleSet unused;
    // What a whole last piece brings beyond the tensor is not looked at here.
    if (stored_end(copy, column_of(copy, readings), readings, unused) != row_end && copy.map.interleave == 0)
      return;
    for_bytes(copy, readings, [&](uint32_t from, uint32_t b, std::optional<uint64_t> to) {
      if (!to || b % bytes != 0) return;
      store_element(&plain[*to],
                    reduced(*what, load_element(&plain[*to], bytes), load_element(&window[from], bytes)),
                    bytes);
    });
    RC_ASSERT(fast == plain);
    ++compared;
  });
  EXPECT_GT(50 * compared, cases);
}

TEST(Im2colModel, RunsAreThePixelsInOrder) {
  int runs = 0, pixels = 0;
  check_many([&](RandomCase& random, spec::Arch arch, TensorCopyCase copy) {
    const spec::Readings readings = some_readings(arch, random);
    const ColumnShape shape = column_of(copy, readings);
    const Im2colWalk walk(copy, readings);
    const PixelRuns found(copy, shape, readings);
    uint32_t row = 0, inside = 0;
    for (const RowRun& run : found.runs())
      for (uint32_t j = 0; j < run.rows; ++j, ++row) {
        unsigned __int128 byte;
        const bool is_in = is_in_tensor(copy, walk.pixel(row), byte) && shape.first_unit < shape.end_unit;
        RC_ASSERT(run.inside == is_in);
        RC_ASSERT(run.shared + j * shape.pitch == copy.tile_offset + row * shape.pitch);
        inside += is_in;
        if (is_in)
          RC_ASSERT(run.global + j * run.advance == copy.map.global_address + static_cast<uint64_t>(byte) +
                                                        static_cast<uint64_t>(shape.first_channel));
      }
    RC_ASSERT(row == shape.pixels);
    RC_ASSERT(inside == found.inside());
    runs += static_cast<int>(found.runs().size());
    pixels += static_cast<int>(shape.pixels);
  });
  EXPECT_LT(3 * runs, 2 * pixels) << "most runs are of more than one pixel";
}

}  // namespace
}  // namespace assay::model
