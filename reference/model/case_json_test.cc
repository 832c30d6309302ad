// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reference/model/rig.h"
#include "reference/model/tensor_copy/random_case.h"

namespace assay::model {
namespace {

using nlohmann::json;

TEST(CaseJson, NothingIsLost) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomCase random(seed);
    TensorCopyCase copy = random.copy(spec::Arch::sm_103);
    copy.cluster_size = 4, copy.cta_mask = static_cast<uint16_t>(random.next()), copy.issuer_rank = 3;
    copy.prefetch_first = random.one_in(2), copy.cache_hint = random.one_in(2),
    copy.destination_cta = random.one_in(2);
    copy.fill_offset = 16 * random.below(rig::arena_bytes / 16),
    copy.slot_fill_offset = 16 * random.below(rig::arena_bytes / 16),
    copy.slot_bytes = 16 * static_cast<uint32_t>(random.below(rig::max_slot_bytes / 16));
    copy.transaction_delta = static_cast<int32_t>(random.next());
    EXPECT_EQ(tensor_copy_case_from_json(json::parse(canonical_text(to_json(copy)))), copy);
    EncodeTiledCase call = random.call(spec::Arch::sm_90);
    call.map.global_address = ~uint64_t{0} - seed, call.map.global_stride[3] = ~uint64_t{0};
    EXPECT_EQ(encode_tiled_case_from_json(json::parse(canonical_text(to_json(call)))), call);
  }
}

TEST(CaseJson, CanonicalTextHasSortedKeysAndNoSpaceAndNoDefaults) {
  EncodeTiledCase call;
  EXPECT_EQ(canonical_text(to_json(call)), "{}");
  call.map.rank = 2, call.map.box_dim[1] = 8, call.before = 0;
  EXPECT_EQ(canonical_text(to_json(call)), R"({"before":0,"map":{"box_dim":[0,8,0,0,0],"rank":2}})");
}

TEST(CaseJson, AnAbsentMemberHasItsDefault) {
  EXPECT_EQ(tensor_copy_case_from_json(json::object()), TensorCopyCase{});
  Tcgen05MmaCase expected;
  expected.mask.use_span = 7, expected.a.start = 32;
  EXPECT_EQ(tcgen05_mma_case_from_json(json::parse(R"({"mask":{"use_span":7},"a":{"start":32}})")), expected);
}

/// As cases were stored when every member was written: nothing of such a file is lost, and its id is that of
/// the same case today.
TEST(CaseJson, ACaseWithAllMembersIsTheSameCase) {
  const json whole = json::parse(
      R"({"before":205,"map":{"box_dim":[0,0,0,0,0],"data_type":0,"element_stride":[0,0,0,0,0],)"
      R"("global_address":0,)"
      R"("global_dim":[0,0,0,0,0],"global_stride":[0,0,0,0],"interleave":0,"l2_promotion":0,"oob_fill":0,)"
      R"("rank":3,)"
      R"("swizzle":0},"map_offset":0,"null_mask":0})");
  const EncodeTiledCase call = encode_tiled_case_from_json(whole);
  EXPECT_EQ(call.map.rank, 3u);
  EXPECT_EQ(canonical_text(to_json(call)), R"({"map":{"rank":3}})");
}

TEST(CaseJson, AReplacedAddressIsWrittenAndReadBack) {
  EncodeTiledCase call;
  EXPECT_EQ(encode_tiled_case_from_json(to_json(call)), call);
  call.replaces = true;
  EXPECT_EQ(encode_tiled_case_from_json(to_json(call)), call);
  call.replacement = uint64_t{1} << 63;
  EXPECT_EQ(encode_tiled_case_from_json(to_json(call)), call);
}

TEST(CaseJson, TheIdIsTheHashOfTheCanonicalText) {
  EXPECT_EQ(case_id(json::parse("[ 1 ]")), case_id(json::parse("[1]")));
  TensorCopyCase one;
  TensorCopyCase other = one;
  other.coord[4] = 1;
  EXPECT_EQ(case_id(to_json(one)).size(), 32u);
  EXPECT_NE(case_id(to_json(one)), case_id(to_json(other)));
}

std::string complaint(const json& from) {
  try {
    tensor_copy_case_from_json(from);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(CaseJson, AMistakeIsNamed) {
  const json good = to_json(TensorCopyCase{});
  EXPECT_EQ(complaint(good), "no complaint");
  json bad = good;
  bad["colour"] = 1;
  EXPECT_EQ(complaint(bad), "field 'colour' of the case does not exist in a case of this kind.");
  bad = good;
  bad["map"]["box_dim"] = {1, 1, -1, 1, 1};
  EXPECT_EQ(complaint(bad), "field 'map.box_dim[2]' of the case is -1; expected 0 to 4294967295.");
  bad = good;
  bad["coord"] = {1ull << 31, 0, 0, 0, 0};
  EXPECT_EQ(complaint(bad),
            "field 'coord[0]' of the case is 2147483648; expected -2147483648 to 2147483647.");
  bad = good;
  bad["coord"] = {1, 2};
  EXPECT_EQ(complaint(bad), "field 'coord' of the case must be a list of 5 numbers.");
  bad = good;
  bad["window_bytes"] = 1.5;
  EXPECT_EQ(complaint(bad), "field 'window_bytes' of the case is 1.5; expected an integer.");
  bad = good;
  bad["direction"] = "sideways";
  EXPECT_EQ(complaint(bad), "field 'direction' of the case is \"sideways\"; expected one of load, store.");
  bad = good;
  bad["prefetch_first"] = 1;
  EXPECT_EQ(complaint(bad), "field 'prefetch_first' of the case is 1; expected true or false.");
  bad = good;
  bad["map"] = 7;
  EXPECT_EQ(complaint(bad), "field 'map' of the case is not an object.");
  EXPECT_EQ(complaint(json::array()), "the case is not a JSON object.");
}

// Kinds are numbers in files, as they were before they had a type: the last one is read, the next one is
// refused, and so is what an 8-bit number would make a kind of.
TEST(CaseJson, ANumberThatNamesNothingIsRefused) {
  Tcgen05MmaCase c;
  c.kind = spec::MmaKind::mxf4nvf4, c.collector = Collector::discard;
  const json good = to_json(c);
  EXPECT_EQ(good["kind"], 6);
  EXPECT_EQ(good["collector"], 4);
  EXPECT_EQ(tcgen05_mma_case_from_json(good), c);
  for (const auto& [field, value, most] : {std::tuple{"kind", json(7), "6"},
                                           {"kind", json(256), "6"},
                                           {"kind", json(-1), "6"},
                                           {"kind", json(1.5), "6"},
                                           {"kind", json("f16"), "6"},
                                           {"collector", json(5), "4"},
                                           {"collector", json(uint64_t{1} << 32), "4"}}) {
    json bad = good;
    bad[field] = value;
    std::string said;
    try {
      tcgen05_mma_case_from_json(bad);
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, "field '" + std::string(field) + "' of the case is " + value.dump() +
                        "; expected an integer from 0 to " + most + ".");
  }
}

}  // namespace
}  // namespace assay::model
