// SPDX-License-Identifier: Apache-2.0
// Masks of undefined bits and "anything may happen" must not hide what a property claims to look at.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "suites/run/property.h"

namespace assay::suites {
namespace {

/// Of cases `first` to `end`, `end` excluded.
void expect_most_compared(const Property& property, uint64_t first, uint64_t end) {
  const Family& family = property.family();
  constexpr spec::Arch archs[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103,
                                  spec::Arch::sm_120};
  const auto arch = std::find_if(std::begin(archs), std::end(archs), [&](spec::Arch one) {
    return property.declines == nullptr || !property.declines(one);
  });
  ASSERT_NE(arch, std::end(archs));
  uint64_t judged = 0, ends = 0, defined = 0, bytes = 0;
  Scratch scratch;
  const spec::Readings readings(*arch);
  for (uint64_t index = first; index < end; ++index) {
    Case c;
    property.generate(7, property.name, index, *arch, c);
    Expected expected;
    family.predict(c, readings, scratch, expected);
    ends += expected.may_crash || expected.end != model::End::done;
    if (!expected.judges_bytes) continue;
    ++judged;
    bytes += expected.bytes.size();
    defined += expected.mask.empty()
                   ? expected.bytes.size()
                   : static_cast<uint64_t>(expected.mask.size()) -
                         static_cast<uint64_t>(std::ranges::count(expected.mask, std::byte{0}));
  }
  EXPECT_GE(judged + ends, end - first) << "a case that ends as usual has bytes to compare";
  EXPECT_GE(defined * 10, bytes * 7) << defined << " of " << bytes << " bytes are compared";
}

class JudgedShare : public testing::TestWithParam<const Property*> {};
/// Everyday runs have the first 100 cases of 300 (cmake/rooms.cmake).
class JudgedShareLong : public testing::TestWithParam<const Property*> {};

TEST_P(JudgedShare, MostOfWhatTheDeviceWritesIsCompared) {
  expect_most_compared(*GetParam(), 0, 100);
}
TEST_P(JudgedShareLong, MostOfWhatTheDeviceWritesIsCompared) {
  expect_most_compared(*GetParam(), 100, 300);
}

std::string name_of(const testing::TestParamInfo<const Property*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Of, JudgedShareLong,
                         testing::ValuesIn(all_properties().begin(), all_properties().end()), name_of);
INSTANTIATE_TEST_SUITE_P(, JudgedShare, testing::ValuesIn(all_properties().begin(), all_properties().end()),
                         name_of);

}  // namespace
}  // namespace assay::suites
