// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/spec/rules.h"
#include "suites/failure/explain.h"
#include "suites/run/property.h"

/// The altered rules of the families that have any.
namespace assay::suites {
namespace {

constexpr uint64_t cases = 48;

/// Altered predictions take paths of their own: where nothing is altered, they lead to the same. They may
/// leave more open, where elements are reduced several times.
TEST(Bends, OneThatAltersNothingPredictsWhatTheRulesSay) {
  static constexpr model::Bend nothing{.words = "nothing were altered"};
  for (const Property* property : all_properties()) {
    const Family& family = property->family();
    if (family.bends().empty()) continue;
    const auto declines = [&](spec::Arch arch) { return property->declines && property->declines(arch); };
    for (const spec::Arch arch : spec::all_archs) {
      // What sm_120 shares with the others is predicted as there.
      if (declines(arch) || (arch == spec::Arch::sm_120 && !declines(spec::Arch::sm_103))) continue;
      const spec::Readings readings(arch), bent = spec::Readings(arch).bend_by(&nothing);
      Scratch scratch;
      for (uint64_t i = 0; i < cases; ++i) {
        Case c;
        property->generate(1, property->name, i, arch, c);
        Expected right, other;
        family.predict(c, readings, scratch, right);
        ExpectedOutput right_output, output;
        if (right.judges_bytes) right_output = family.expected_output(c, right);
        family.predict(c, bent, scratch, other);
        ASSERT_EQ(right.end, other.end) << property->name << '#' << i;
        if (!right.judges_bytes || right.end == model::End::undefined) continue;
        output = family.expected_output(c, other);
        ASSERT_EQ(right_output.bytes.size(), output.bytes.size());
        const auto at = [&]() -> size_t {
          for (size_t k = 0; k < output.bytes.size(); ++k)
            if ((output.defined[k] & ~right_output.defined[k]) != 0 ||
                ((output.bytes[k] ^ right_output.bytes[k]) & output.defined[k]) != 0)
              return k;
          return output.bytes.size();
        }();
        EXPECT_EQ(at, output.bytes.size())
            << property->name << '#' << i << ' ' << family.place(c, at, 0xff) << " defined "
            << int{output.defined[at]} << '/' << int{right_output.defined[at]} << " byte "
            << int{output.bytes[at]} << '/' << int{right_output.bytes[at]};
      }
    }
  }
}

/// A rule that is left out lets cases through that nothing can be computed of: types and ranks that there are
/// none of. They are predicted all the same, since a device that does something else is explained by them.
TEST(Bends, OneThatLeavesOutARulePredictsWhateverBreaksIt) {
  uint64_t predicted = 0;
  for (const Property* property : all_properties()) {
    const Family& family = property->family();
    for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103}) {
      if (!property->is_sacrificial() || (property->declines && property->declines(arch))) continue;
      Scratch scratch;
      for (uint64_t i = 0; i < 2 * cases; ++i) {
        Case c;
        property->generate(1, property->name, i, arch, c);
        for (const model::Bend& bend : family.bends()) {
          if (!bend.is_left_out) continue;
          Expected expected;
          family.predict(c, spec::Readings(arch).bend_by(&bend), scratch, expected);
          if (expected.judges_bytes) family.expected_output(c, expected);
          ++predicted;
        }
      }
    }
  }
  EXPECT_GT(predicted, 10000u);
}

}  // namespace
}  // namespace assay::suites
