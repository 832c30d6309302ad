// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "generators/tensor_copy/im2col.h"
#include "reference/model/bend.h"
#include "reference/model/case_json.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/spec/rules.h"
#include "suites/run/family.h"

namespace assay::suites {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_at(uint64_t offset, size_t size) {
  const auto from = arena().subspan(offset, size);
  return Bytes(from.begin(), from.end());
}

/// What the fast model predicts of a copy and what its definition gives, a byte after the other.
struct Twice {
  Bytes fast, slow, fast_mask, slow_mask;
  uint32_t fast_signal = 0, slow_signal = 0;
};
Twice load_twice(const TensorCopyCase& c, const spec::Readings& readings) {
  Twice made{bytes_at(c.fill_offset, c.window_bytes), bytes_at(c.fill_offset, c.window_bytes),
             Bytes(c.window_bytes), Bytes(c.window_bytes)};
  const auto prediction = model::predict_load(c, readings, arena(), made.fast, made.fast_mask);
  if (prediction.all_defined) std::fill(made.fast_mask.begin(), made.fast_mask.end(), std::byte{0xff});
  made.fast_signal = prediction.transaction_bytes;
  EXPECT_EQ(prediction.end, model::End::done) << model::to_json(c);
  model::slow_load(c, readings, arena(), made.slow, made.slow_mask);
  made.slow_signal = model::slow_transaction_bytes(c, readings);
  return made;
}
Twice store_twice(const TensorCopyCase& c, const spec::Readings& readings) {
  Twice made{bytes_at(c.slot_fill_offset, c.slot_bytes), bytes_at(c.slot_fill_offset, c.slot_bytes),
             Bytes(c.slot_bytes), Bytes(c.slot_bytes)};
  const auto window = arena().subspan(c.fill_offset, c.window_bytes);
  const auto prediction = model::predict_store(c, readings, window, made.fast, made.fast_mask);
  if (prediction.all_defined) std::fill(made.fast_mask.begin(), made.fast_mask.end(), std::byte{0xff});
  EXPECT_EQ(prediction.end, model::End::done) << model::to_json(c);
  model::slow_store(c, readings, window, made.slow, made.slow_mask);
  return made;
}

TEST(Im2colDefinition, GivesWhatTheFastModelGives) {
  for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_103}) {
    const spec::Readings readings(arch);
    for (uint64_t index = 0; index < 250; ++index) {
      TensorCopyCase load, store;
      gen::make_im2col_load({3, "definition", index, arch}, load);
      gen::make_im2col_store({3, "definition", index, arch}, store);
      for (const bool is_load : {true, false}) {
        // The definition is of one copy: of several the last, which is as far from the first as any.
        const TensorCopyCase& all = is_load ? load : store;
        const TensorCopyCase c = of_lane(all, all.lanes - 1);
        const Twice twice = is_load ? load_twice(c, readings) : store_twice(c, readings);
        ASSERT_EQ(twice.fast_signal, twice.slow_signal) << model::to_json(c);
        ASSERT_EQ(twice.fast_mask, twice.slow_mask) << model::to_json(c);
        for (size_t i = 0; i < twice.fast.size(); ++i) {
          if (twice.fast_mask[i] == std::byte{0}) continue;
          ASSERT_EQ(twice.fast[i], twice.slow[i]) << "byte " << i << " of " << model::to_json(c);
        }
      }
    }
  }
}

/// Lanes reduce by a map each, whose elements lie apart: in box order, one lane after the other.
TEST(Im2colDefinition, ReductionsOfTwoLanesAreThoseOfEach) {
  const spec::Readings readings(spec::Arch::sm_90);
  int met = 0, second_changes = 0;
  for (uint64_t index = 0; index < 400; ++index) {
    TensorCopyCase c;
    gen::make_im2col_reduce({3, "definition", index, spec::Arch::sm_90}, c);
    if (c.lanes == 1) continue;
    ++met;
    ASSERT_EQ(c.lanes, 2u);
    const auto window = arena().subspan(c.fill_offset, c.window_bytes);
    Bytes fast = bytes_at(c.slot_fill_offset, c.slot_bytes), slow = fast, mask(c.slot_bytes);
    ASSERT_EQ(model::predict_store(c, readings, window, fast, mask).end, model::End::done);
    model::slow_store(of_lane(c, 0), readings, window, slow, mask);
    const Bytes of_first = slow;
    model::slow_store(of_lane(c, 1), readings, window, slow, mask);
    second_changes += slow != of_first;
    ASSERT_TRUE(fast == slow) << model::to_json(c);
  }
  EXPECT_GE(met, 30);
  EXPECT_GE(second_changes, 15);
}

/// Where pixels lie on each other the order may matter, of every lane.
TEST(Im2colDefinition, WhatTheOrderLeavesOpenIsThatOfEachLane) {
  const spec::Readings readings(spec::Arch::sm_90);
  int met = 0;
  for (uint64_t index = 0; index < 2000; ++index) {
    const gen::CaseId id{3, "definition", index, spec::Arch::sm_90};
    TensorCopyCase c;
    gen::make_im2col_reduce_conflict(id, c);
    gen::spread_columns(id.random(), 1, c);
    if (c.lanes == 1) continue;
    const auto open_in = [&](const TensorCopyCase& one) {
      return model::open_sums(one, readings, arena().subspan(c.fill_offset, c.window_bytes),
                              arena().subspan(c.slot_fill_offset, c.slot_bytes))
          .size();
    };
    const size_t second = open_in(of_lane(c, 1));
    ASSERT_EQ(open_in(c), open_in(of_lane(c, 0)) + second) << model::to_json(c);
    met += second != 0;
  }
  EXPECT_GE(met, 10);
}

/// An altered rule says of some case something else than the rule, or it could explain nothing.
TEST(Im2colDefinition, EachBendOfTheWalkShows) {
  const spec::Readings readings(spec::Arch::sm_90);
  std::vector<TensorCopyCase> cases(6000);
  for (uint64_t index = 0; index < cases.size(); ++index)
    gen::make_im2col_load({5, "bends", index, spec::Arch::sm_90}, cases[index]);
  for (const model::Bend& bend : model::im2col_copy_bends()) {
    if (!spec::rule_table[bend.rule].id.starts_with("IM2C-") || bend.is_left_out) continue;
    if (bend.reduction.result != nullptr) continue;  // no load shows it
    const spec::Readings bent = spec::Readings(readings).bend_by(&bend);
    const bool shows = std::any_of(cases.begin(), cases.end(), [&](const TensorCopyCase& c) {
      Bytes right = bytes_at(c.fill_offset, c.window_bytes), wrong = right, mask(c.window_bytes);
      model::predict_load(c, readings, arena(), right, mask);
      const auto prediction = model::predict_load(c, bent, arena(), wrong, mask);
      return prediction.end != model::End::done || right != wrong;
    });
    EXPECT_TRUE(shows) << spec::rule_table[bend.rule].id << " as if " << bend.words;
  }
}

}  // namespace
}  // namespace assay::suites
