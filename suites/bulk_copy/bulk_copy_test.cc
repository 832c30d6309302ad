// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/bulk_copy/cases.h"
#include "reference/model/bulk_copy/case.h"
#include "reference/model/case_json.h"
#include "suites/bulk_copy/family.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

namespace assay::suites {
namespace {

constexpr const char* properties[] = {"bulk.copy.faults",
                                      "bulk.copy.global_to_shared",
                                      "bulk.copy.odd_sizes",
                                      "bulk.copy.prefetch",
                                      "bulk.copy.shared_to_global",
                                      "bulk.copy.shared_to_shared",
                                      "bulk.copy.transaction_bytes",
                                      "bulk.reduce.conflicts",
                                      "bulk.reduce.global",
                                      "bulk.reduce.shared"};

template <typename Use>
void for_cases(uint64_t count, const Use& use) {
  for (const char* name : properties)
    for (uint64_t index = 0; index < count; ++index) {
      Case c;
      find_property(name)->generate(11, name, index, spec::Arch::sm_90, c);
      use(name, c);
    }
}

TEST(BulkCases, CanBeRun) {
  for_cases(2000, [](const char* name, const Case& any) {
    const auto& c = any.as<BulkCase>();
    ASSERT_EQ(what_is_wrong(c), "") << name << " " << model::to_json(c);
  });
}

/// At a copy of no bytes nobody looks (h200, BC-03): masks with and without CTAs of the cluster, too.
TEST(BulkCases, MulticastsOfNoBytesNameCtasThatAreNotThere) {
  int beside = 0, alone = 0;
  for_cases(2000, [&](const char*, const Case& any) {
    const auto& c = any.as<BulkCase>();
    if (c.op != BulkOp::multicast || c.cta_mask >> c.cluster_size == 0) return;
    ++(c.cta_mask % (1u << c.cluster_size) == 0 ? alone : beside);
  });
  EXPECT_GT(beside, 5);
  EXPECT_GT(alone, 0);
}

TEST(BulkCases, EndAsTheirPropertyClaims) {
  const spec::Readings readings(spec::Arch::sm_90);
  Scratch scratch;
  for_cases(400, [&](const std::string& name, const Case& any) {
    Expected e;
    bulk_copy_family().predict(any, readings, scratch, e);
    const bool faults = name == "bulk.copy.faults", counts = name == "bulk.copy.transaction_bytes";
    const bool is_fault = e.end == model::End::misaligned_address || e.end == model::End::illegal_address ||
                          e.end == model::End::illegal_instruction;
    EXPECT_TRUE(faults ? is_fault || e.end == model::End::done : !is_fault)
        << model::to_json(any.as<BulkCase>());
    if (!faults && !counts) {
      EXPECT_EQ(e.end, model::End::done) << model::to_json(any.as<BulkCase>());
    }
  });
}

/// What a prediction changes lies in the destination, and what it leaves everywhere else is what was there.
TEST(BulkModel, TouchesNothingBesideTheDestination) {
  const spec::Readings readings(spec::Arch::sm_90);
  Scratch scratch, nothing_moved;
  for_cases(300, [&](const std::string& name, const Case& any) {
    const auto& c = any.as<BulkCase>();
    Expected after, before;
    bulk_copy_family().predict(any, readings, scratch, after);
    if (after.end != model::End::done) return;
    BulkCase still = c;
    still.size = 0;
    bulk_copy_family().predict(still, readings, nothing_moved, before);
    ASSERT_EQ(after.bytes.size(), before.bytes.size());
    for (size_t i = 0; i < after.bytes.size(); ++i) {
      if (after.bytes[i] == before.bytes[i]) continue;
      ASSERT_EQ(bulk_copy_family().place(any, i, 0xff), "target") << name << " byte " << i;
    }
  });
}

/// A case of two CTAs that add 1 to the same f32.
BulkCase conflict() {
  BulkCase c;
  c.op = BulkOp::reduce_global;
  while (reduction_of(c).what != spec::Reduction{spec::ReduceOp::add, spec::ReduceType::f32})
    c.reduction = static_cast<BulkReductionIndex>(static_cast<uint32_t>(c.reduction) + 1);
  c.size = 16;
  c.cluster_size = 2, c.cta_mask = 3;
  c.window_bytes = c.slot_bytes = 16;
  c.is_known = true;
  c.known_old = 0x4b800000;  // 2^24, to which 1 is added in vain, and 2 is not
  c.known_operand = 0x3f800000;
  return c;
}

TEST(BulkModel, EqualAddendsLeaveOneResult) {
  Scratch scratch;
  Expected e;
  bulk_copy_family().predict(conflict(), spec::Readings(spec::Arch::sm_90), scratch, e);
  EXPECT_TRUE(e.mask.empty());
  uint32_t word;
  std::memcpy(&word, e.bytes.data(), 4);
  EXPECT_EQ(word, 0x4b800000u);
}

TEST(BulkModel, AnyOrderOfAConflictIsTheSameAndALostOneIsNot) {
  const spec::Readings readings(spec::Arch::sm_90);
  Scratch scratch;
  int open = 0, refused = 0;
  for (uint64_t index = 0; index < 2000 && open < 40; ++index) {
    Case any;
    make_bulk_reduce_conflict({3, "conflict", index, spec::Arch::sm_90}, any.emplace<BulkCase>());
    Expected e;
    bulk_copy_family().predict(any, readings, scratch, e);
    if (e.mask.empty()) continue;
    ++open;
    std::vector<std::byte> output(e.bytes.begin(), e.bytes.end());
    EXPECT_TRUE(bulk_copy_family().same(any, readings, e, output));
    // Every element of the slot as it was: nobody has reduced it.
    BulkCase still = any.as<BulkCase>();
    still.size = 0;
    Scratch other;
    Expected before;
    bulk_copy_family().predict(still, readings, other, before);
    std::copy_n(before.bytes.begin(), still.slot_bytes, output.begin());
    refused += bulk_copy_family().same(any, readings, e, output) ? 0 : 1;
  }
  EXPECT_EQ(open, 40);
  EXPECT_GT(refused, 30);
}

TEST(BulkCases, AFileThatBreaksARuleIsRefusedInOneSentence) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"op":"loads"})",
       "field 'op' of the case is \"loads\"; expected one of load_cta, load_cluster, multicast, store, peer, "
       "prefetch, reduce_global, reduce_cluster."},
      {R"({"cluster_size":3})", "field 'cluster_size' of the case is 3; expected 1, 2, 4, 8 or 16."},
      {R"({"cta_mask":2})", "field 'cta_mask' of the case is 2; the cluster has no such CTA."},
      {R"({"op":"multicast","size":16,"window_bytes":16,"cta_mask":2})",
       "field 'cta_mask' of the case is 2; the cluster has no such CTA."},
      {R"({"op":"store","size":32,"slot_bytes":16})",
       "field 'target_offset' of the case is 0; the copy leaves its slot."},
      {R"({"op":"reduce_cluster","reduction":"add.f32"})", "shared memory has no reduction add.f32."},
      {R"({"size":16,"transaction_delta":-17})",
       "transaction_delta would arm the barrier with -1 bytes; it takes 0 to 1048575."},
  };
  for (const auto& [json, sentence] : rows) try {
      model::case_from_json<BulkCase>(nlohmann::json::parse(json));
      ADD_FAILURE() << json;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), sentence);
    }
}

}  // namespace
}  // namespace assay::suites
