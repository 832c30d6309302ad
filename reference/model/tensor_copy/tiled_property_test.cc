// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/random_case.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"

namespace assay::model::tiled_property_test {
namespace {

constexpr spec::Arch archs[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103};

const std::vector<std::byte>& arena() {
  static const std::vector<std::byte> bytes = test_arena(7);
  return bytes;
}

/// Readings in which up to two questions take another reading.
spec::Readings some_readings(spec::Arch arch, RandomCase& random) {
  spec::Readings readings(arch);
  for (int changed = random.below(3); changed > 0; --changed) {
    const auto index = static_cast<spec::QuestionIndex>(random.below(spec::questions().size()));
    const spec::Question& question = spec::questions()[index];
    readings.choose(index, question.readings[random.below(question.reading_count())].letter);
  }
  return readings;
}

/// Whether bytes agree where both call them defined; the masks must be the same.
void expect_same(std::span<const std::byte> fast, std::span<const std::byte> slow,
                 std::span<const std::byte> fast_mask, std::span<const std::byte> slow_mask) {
  RC_ASSERT(std::equal(fast_mask.begin(), fast_mask.end(), slow_mask.begin()));
  for (size_t i = 0; i < fast.size(); ++i)
    if (slow_mask[i] != std::byte{0} && fast[i] != slow[i]) RC_FAIL("byte " + std::to_string(i) + " differs");
}

/// Runs `check` on 50 cases of each seed that RapidCheck draws (100, fewer under sanitizers); returns how
/// many cases that were, so that a test can say of what share of them it compared anything.
template <typename Check>
int check_many(const Check& check) {
  int cases = 0;
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    RandomCase random(seed);
    for (int i = 0; i < 50; ++i, ++cases) check(random);
  }));
  return cases;
}

bool has_run(const CopyPrediction& prediction) {
  return prediction.end == End::done || prediction.end == End::never_completes ||
         prediction.end == End::early_surplus;
}

TEST(TiledModel, FastLoadIsTheSlowLoad) {
  int compared = 0;
  const int cases = check_many([&](RandomCase& random) {
    const spec::Arch arch = archs[random.below(3)];
    TensorCopyCase copy = random.copy(arch);
    copy.direction = CopyDirection::load;
    const spec::Readings readings = some_readings(arch, random);
    std::vector<std::byte> fast(copy.window_bytes + 4096);
    for (std::byte& byte : fast) byte = static_cast<std::byte>(random.next());
    std::vector<std::byte> slow = fast, fast_mask(fast.size(), std::byte{0x11}), slow_mask = fast_mask;
    std::vector<std::byte> apart(fast.size(), std::byte{0x77}), apart_mask(fast.size(), std::byte{0x11});
    predict_load(copy, readings, arena(), slow, apart, apart_mask);
    const CopyPrediction prediction = predict_load(copy, readings, arena(), fast, fast_mask);
    RC_ASSERT(apart == fast);
    if (!has_run(prediction)) return;
    if (prediction.all_defined) {
      RC_ASSERT(std::count(fast_mask.begin(), fast_mask.end(), std::byte{0x11}) == std::ssize(fast_mask));
      std::fill(fast_mask.begin(), fast_mask.end(), std::byte{0xff});
    }
    slow_load(copy, readings, arena(), slow, slow_mask);
    expect_same(fast, slow, fast_mask, slow_mask);
    RC_ASSERT(prediction.transaction_bytes == slow_transaction_bytes(copy, readings));
    ++compared;
  });
  EXPECT_GT(5 * compared, 2 * cases);
}

TEST(TiledModel, FastStoreIsTheSlowStore) {
  int compared = 0, reduced = 0;
  const int cases = check_many([&](RandomCase& random) {
    const spec::Arch arch = archs[random.below(3)];
    TensorCopyCase copy = random.copy(arch);
    if (copy.direction != CopyDirection::store) return;
    if (random.one_in(3)) copy.reduction = static_cast<TensorReduction>(random.below(9));
    const spec::Readings readings = some_readings(arch, random);
    std::vector<std::byte> window(copy.window_bytes + 4096);
    std::memcpy(window.data(), arena().data() + 4096 * random.below(8), window.size());
    std::vector<std::byte> fast(RandomCase::arena_bytes, std::byte{0xcd}), slow = fast;
    std::vector<std::byte> fast_mask(fast.size(), std::byte{0x11}), slow_mask = fast_mask;
    const CopyPrediction prediction = predict_store(copy, readings, window, fast, fast_mask);
    if (prediction.end != End::done) return;
    if (prediction.all_defined) std::fill(fast_mask.begin(), fast_mask.end(), std::byte{0xff});
    slow_store(copy, readings, window, slow, slow_mask);
    if (copy.reduction != TensorReduction::none) {
      // In box order both; the slow one leaves open what is reduced twice, whether the order matters or not.
      RC_ASSERT(fast == slow);
      for (size_t i = 0; i < fast_mask.size(); ++i)
        RC_ASSERT(fast_mask[i] == std::byte{0xff} || slow_mask[i] == std::byte{0});
      ++reduced;
      return;
    }
    expect_same(fast, slow, fast_mask, slow_mask);
    ++compared;
  });
  EXPECT_GT(10 * compared, cases);
  EXPECT_GT(250 * reduced, cases);
}

TEST(TiledModel, FootprintIsWhatTheBytesSay) {
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    RandomCase random(seed);
    const spec::Readings readings(archs[random.below(3)]);
    const TensorCopyCase copy = random.copy(readings.arch());
    const CopyFootprint bytes = footprint(copy, readings);
    const bool store = copy.direction == CopyDirection::store;
    std::vector<std::byte> window(copy.window_bytes), slot(RandomCase::arena_bytes), mask(slot.size());
    // Two runs that differ in every byte that may be moved: what changes in either is what the copy touches.
    for (const int pattern : {0x00, 0x2a}) {
      std::vector<std::byte>& written = store ? slot : window;
      std::fill(written.begin(), written.end(), static_cast<std::byte>(~pattern));
      if (store) {
        std::fill(window.begin(), window.end(), static_cast<std::byte>(pattern));
        predict_store(copy, readings, window, slot, mask);
      } else {
        std::fill(slot.begin(), slot.end(), static_cast<std::byte>(pattern));
        predict_load(copy, readings, slot, window, std::span(mask).first(window.size()));
      }
      const size_t begin = store ? bytes.global_begin : copy.tile_offset;
      const size_t end = store ? bytes.global_end : copy.tile_offset + bytes.shared_bytes;
      const auto untouched = [&](size_t from, size_t to) {
        return std::all_of(written.begin() + static_cast<ptrdiff_t>(from),
                           written.begin() + static_cast<ptrdiff_t>(to),
                           [&](std::byte byte) { return byte == static_cast<std::byte>(~pattern); });
      };
      RC_ASSERT(untouched(0, begin));
      RC_ASSERT(untouched(end, written.size()));
      // Tight for stores; the extent of a load may end in a gap.
      if (store && begin != end) RC_ASSERT(!untouched(begin, begin + 1) && !untouched(end - 1, end));
    }
  }));
}

/// What the copy leaves behind: the window of a load, the memory of a store.
End run(const TensorCopyCase& copy, const spec::Readings& readings, std::vector<std::byte>& out) {
  const bool store = copy.direction == CopyDirection::store;
  std::vector<std::byte> window(1 << 17, std::byte{0xcd}), slot(RandomCase::arena_bytes, std::byte{0xcd});
  if (store) window = arena();
  CopyPrediction prediction;
  if (store) {
    prediction = predict_store(copy, readings, window, slot, {});
    out = slot;
  } else {
    prediction = predict_load(copy, readings, arena(), window, {});
    out = window;
  }
  return prediction.end;
}

// What a rival reading changes must be visible in some prediction; otherwise the reading is a defect.
TEST(TiledModel, EveryDecidableQuestionIsToldApartByItsReadings) {
  std::set<std::pair<std::string_view, char>> told_apart;
  // Where a map lies shows in programs that rewrite maps alone (tensor_map/replace.h).
  constexpr std::string_view shows_elsewhere = "TMA-AMB-22";
  size_t wanted = 0;
  for (const spec::Question& question : spec::tiled_copy_questions)
    if (question.is_decidable() && question.id != shows_elsewhere)
      wanted += static_cast<size_t>(question.reading_count()) - 1;
  for (uint64_t seed = 0; seed < share_of_cases(10000) || (seed < 100000 && told_apart.size() < wanted);
       ++seed) {
    RandomCase random(seed);
    const spec::Arch arch = archs[seed % 3];
    if (seed % 2 == 0) {
      TensorCopyCase copy = random.copy(arch);
      if (random.one_in(4)) copy.coord[0] += static_cast<int32_t>(random.below(9));
      if (random.one_in(4)) copy.tile_offset += 16;
      if (random.one_in(4)) copy.coord[random.below(copy.map.rank)] -= 32;
      if (random.one_in(16)) copy.map.global_dim[copy.map.rank - 1] = (uint64_t{1} << 31) + 1;
      const spec::Readings defaults(arch);
      std::vector<std::byte> usual, rival;
      const End end = run(copy, defaults, usual);
      const auto consulted = defaults.consulted();
      for (size_t q = 0; q < spec::tiled_copy_questions.size(); ++q)
        for (const spec::Reading& reading : spec::questions()[q].readings) {
          if (!consulted.test(q) || reading.letter == 0) continue;
          if (told_apart.contains({spec::questions()[q].id, reading.letter})) continue;
          spec::Readings other(arch);
          other.choose(static_cast<spec::QuestionIndex>(q), reading.letter);
          if (run(copy, other, rival) != end || rival != usual)
            told_apart.insert({spec::questions()[q].id, reading.letter});
        }
    } else {
      EncodeTiledCase call = random.call(arch);
      if (random.one_in(8)) call.map.global_address = random.one_in(2) ? 0 : uint64_t{1} << 57;
      if (random.one_in(8)) {  // traversal strides that make the two counts of the box differ
        call.map.data_type = 2, call.map.rank = 3, call.map.interleave = call.map.swizzle = 0;
        call.map.box_dim = {256, 255, 4, 1, 1},
        call.map.element_stride = {1, random.one_in(2) ? 1u : 8u, 1, 1, 1};
      }
      const spec::Readings defaults(arch);
      const EncodePrediction usual = predict_encode(call, defaults);
      const auto consulted = defaults.consulted();
      for (size_t q = 0; q < spec::tiled_copy_questions.size(); ++q)
        for (const spec::Reading& reading : spec::questions()[q].readings) {
          if (!consulted.test(q) || reading.letter == 0) continue;
          spec::Readings other(arch);
          other.choose(static_cast<spec::QuestionIndex>(q), reading.letter);
          const EncodePrediction rival = predict_encode(call, other);
          if (rival.accepted != usual.accepted || (usual.accepted && rival.map != usual.map))
            told_apart.insert({spec::questions()[q].id, reading.letter});
        }
    }
  }
  for (const spec::Question& question : spec::tiled_copy_questions)
    for (int i = 0; i < question.reading_count() && question.id != shows_elsewhere; ++i) {
      const char letter = question.readings[i].letter;
      if (letter == question.default_for[0]) continue;
      EXPECT_EQ(told_apart.contains({question.id, letter}), question.is_decidable())
          << question.id << ':' << letter;
    }
}

}  // namespace
}  // namespace assay::model::tiled_property_test
