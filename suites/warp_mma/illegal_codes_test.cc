// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "generators/warp_mma/cases.h"
#include "suites/run/family.h"
#include "suites/run/judge.h"
#include "suites/run/property.h"

namespace assay::suites {
namespace {

/// What is expected of a case, kept.
struct Kept {
  std::vector<std::byte> bytes, mask;
};
template <typename CaseOf>
Kept expected(const Family& family, const CaseOf& c) {
  Scratch scratch;
  Expected e;
  family.predict(c, spec::Readings(spec::Arch::sm_90), scratch, e);
  EXPECT_EQ(e.end, model::End::done);
  Kept kept{{e.bytes.begin(), e.bytes.end()}, {e.mask.begin(), e.mask.end()}};
  kept.mask.resize(kept.bytes.size(), std::byte{0xff});
  return kept;
}

/// The same case with legal codes where it has those without a meaning.
template <typename CaseOf>
CaseOf with(CaseOf c, uint32_t code) {
  c.sparse.strange_codes = code * 0x11111111u;
  return c;
}

template <typename CaseOf>
void open_rows_are_those_of_such_codes(const char* name) {
  const Property& property = *find_property(name);
  const Family& family = property.family();
  size_t open = 0, moved = 0, bytes = 0;
  std::set<uint32_t> codes;
  for (uint64_t i = 0; i < 120; ++i) {
    Case any;
    property.generate(1, property.name, i, spec::Arch::sm_90, any);
    const CaseOf& c = any.as<CaseOf>();
    ASSERT_TRUE(gen::fits_rig(c.types, c.sparse)) << i;
    ASSERT_EQ(family.from_json(family.to_json(any)), any) << i;
    for (uint32_t at = 0; at < 32; at += 4) codes.insert(c.sparse.strange_codes >> at & 0xf);
    const Kept seen = expected(family, c), first = expected(family, with(c, 0b0100)),
               second = expected(family, with(c, 0b1110));
    for (size_t at = 0; at < seen.bytes.size(); ++at) {
      const bool is_open = seen.mask[at] == std::byte{0}, moves = first.bytes[at] != second.bytes[at];
      ++bytes, open += is_open, moved += is_open && moves;
      // What such a code decides is open; what it does not decide is the same whatever stands for it.
      ASSERT_TRUE(is_open || !moves) << i << " byte " << at;
      ASSERT_TRUE(is_open || seen.bytes[at] == first.bytes[at]) << i << " byte " << at;
    }
  }
  EXPECT_EQ(codes.size(), 14u) << "all but 0100 and 1110, which have a meaning in every type";
  EXPECT_GT(open * 20, bytes);
  EXPECT_LT(open * 10, bytes * 3);
  EXPECT_GT(moved * 4, open) << "rows are open that no such code decides";
}

TEST(IllegalCodes, OfMmaSpOpenTheirRowsAlone) {
  open_rows_are_those_of_such_codes<MmaSyncCase>("mma_sync.sparse.illegal_codes");
}
TEST(IllegalCodes, OfWgmmaSpOpenTheirRowsAlone) {
  open_rows_are_those_of_such_codes<WgmmaCase>("wgmma.sparse.illegal_codes");
}

TEST(IllegalCodes, BesideTheirNumberAreRefused) {
  MmaSyncCase c;
  gen::make_sparse_mma_sync_illegal_codes({1, "codes", 0, spec::Arch::sm_90}, c);
  const auto fits = [&](uint32_t list, uint32_t rate) {
    MmaSyncCase changed = c;
    changed.sparse.strange_codes = list, changed.sparse.strange_rate = rate;
    return gen::fits_rig(changed.types, changed.sparse);
  };
  EXPECT_TRUE(fits(0x55555555, 3));
  EXPECT_TRUE(fits(0, 0));
  EXPECT_FALSE(fits(0x55555555, 0)) << "codes that none of is drawn";
  EXPECT_FALSE(fits(0x44444444, 3)) << "a code with a meaning";
  EXPECT_FALSE(fits(0x55555555, 257));
}

}  // namespace
}  // namespace assay::suites
