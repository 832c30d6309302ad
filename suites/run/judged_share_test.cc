// Masks of undefined bits and "anything may happen" must not hide what a property claims to look at.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "suites/run/property.h"

namespace assay::suites {
namespace {

class JudgedShare : public testing::TestWithParam<const Property*> {};

TEST_P(JudgedShare, MostOfWhatTheDeviceWritesIsCompared) {
  const Property& property = *GetParam();
  const Family& family = property.family();
  constexpr spec::Arch archs[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103,
                                  spec::Arch::sm_120};
  const auto arch = std::find_if(std::begin(archs), std::end(archs), [&](spec::Arch one) {
    return property.declines == nullptr || !property.declines(one);
  });
  ASSERT_NE(arch, std::end(archs));
  constexpr uint64_t cases = 300;
  uint64_t judged = 0, ends = 0, defined = 0, bytes = 0;
  Scratch scratch;
  const spec::Readings readings(*arch);
  for (uint64_t index = 0; index < cases; ++index) {
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
  EXPECT_GE(judged + ends, cases) << "a case that ends as usual has bytes to compare";
  EXPECT_GE(defined * 10, bytes * 7) << defined << " of " << bytes << " bytes are compared";
  RecordProperty("judged", std::to_string(judged));
}

std::string name_of(const testing::TestParamInfo<const Property*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(, JudgedShare, testing::ValuesIn(all_properties().begin(), all_properties().end()),
                         name_of);

}  // namespace
}  // namespace assay::suites
