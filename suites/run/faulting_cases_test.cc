// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "suites/run/judge.h"
#include "suites/run/property_run.h"

/// A device that ends every launch in the same way passes no property whose cases fault.
namespace assay::suites {
namespace {

/// The code of a launch that must end so; 0: it ends well, -1: another end.
int code_of(model::End end) {
  switch (end) {
    case model::End::done:
      return 0;
    case model::End::illegal_address:
      return 700;
    case model::End::illegal_instruction:
      return 715;
    case model::End::misaligned_address:
      return 716;
    case model::End::launch_failed:
      return 719;
    default:
      return -1;
  }
}

/// The codes of the faults that a property's cases must have, as its first dozens have them.
std::set<int> known_codes(const Property& property, spec::Arch arch) {
  std::set<int> codes;
  Scratch scratch;
  Case c;
  for (uint64_t i = 0; i < 10 * Property::dozen; ++i) {
    Expected expected;
    property.generate(1, property.name, i, arch, c);
    property.family().predict(c, spec::Readings(arch), scratch, expected);
    if (const int code = code_of(expected.end); code > 0) codes.insert(code);
  }
  return codes;
}

template <typename Visit>
void for_each_faulting(Visit visit) {
  int met = 0;
  for (const Property* property : all_properties())
    for (const spec::Arch arch :
         {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103, spec::Arch::sm_120}) {
      if (!property->is_sacrificial() || (property->declines && property->declines(arch))) continue;
      const std::set<int> codes = known_codes(*property, arch);
      if (codes.empty()) continue;
      ++met;
      visit(*property, arch, codes);
    }
  EXPECT_GE(met, 45);
}

TEST(FaultingCases, OfAnyDozenEachCodeIsMetAndOneEndsWell) {
  constexpr uint64_t positions = 3 * Property::dozen;
  for_each_faulting([&](const Property& property, spec::Arch arch, const std::set<int>& codes) {
    Scratch scratch;
    Case c;
    for (const Slice whole : {Slice{0, 1}, Slice{2, 8}, Slice{11, 12}, Slice{0, 11}, Slice{6, 16}}) {
      const Slice slice = whole.of(property);
      std::vector<int> ends;
      for (uint64_t at = 0; at < positions; ++at) {
        Expected expected;
        property.generate(5, property.name, slice.index(at), arch, c);
        property.family().predict(c, spec::Readings(arch), scratch, expected);
        ends.push_back(code_of(expected.end));
      }
      for (uint64_t first = 0; first + Property::dozen <= positions; ++first) {
        const std::set<int> seen(ends.begin() + static_cast<ptrdiff_t>(first),
                                 ends.begin() + static_cast<ptrdiff_t>(first + Property::dozen));
        EXPECT_TRUE(seen.contains(0)) << property.name << " on " << spec::name(arch) << " from position "
                                      << first << " of shard " << slice.first << '/' << slice.step;
        for (const int code : codes)
          EXPECT_TRUE(seen.contains(code))
              << property.name << " on " << spec::name(arch) << ": no " << code << " from position " << first
              << " of shard " << slice.first << '/' << slice.step;
      }
    }
  });
}

/// Judged as a run judges them, with all readings open.
TEST(FaultingCases, ADeviceThatEndsAllLaunchesAlikePassesNone) {
  for_each_faulting([&](const Property& property, spec::Arch arch, const std::set<int>&) {
    for (const int code : {0, 700, 715, 716, 719})
      for (const uint64_t count : {Property::dozen, 2 * Property::dozen, uint64_t{60}}) {
        ReadingSet readings(arch);
        Judge judge(arch, readings);
        bool fails = false;
        Case c;
        for (uint64_t i = 0; i < count && !fails; ++i) {
          property.generate(1, property.name, i, arch, c);
          const std::vector<std::byte> output(property.family().output_bytes(c));
          const RecordEnd end =
              code == 0 ? RecordEnd{Ended::done, 0, 0, 0} : RecordEnd{Ended::faulted, code, ~0u, 0};
          const report::Verdict verdict =
              judge.judge(property.family(), c, {end, output}, [] { return std::string(); }).verdict;
          // A reading by which launches fault is not adopted of a device on which none ends well.
          fails = verdict == report::Verdict::violates ||
                  (code != 0 && verdict == report::Verdict::adopted_reading);
        }
        EXPECT_TRUE(fails) << property.name << " on " << spec::name(arch) << ", " << count << " cases, all "
                           << code;
      }
  });
}

TEST(FaultingCases, SlicesTakeEachIndexOnce) {
  for (const uint64_t in_a_row : {uint64_t{1}, Property::dozen})
    for (const uint64_t step : {1, 2, 8, 13})
      for (const uint64_t end : {0, 1, 11, 12, 13, 60, 80, 1000}) {
        std::vector<int> taken(end);
        for (uint64_t first = 0; first < step; ++first) {
          const Slice slice{first, step, in_a_row};
          const uint64_t positions = slice.positions_below(end);
          for (uint64_t at = 0; at < positions; ++at) {
            ASSERT_LT(slice.index(at), end);
            ++taken[slice.index(at)];
          }
          EXPECT_GE(slice.index(positions), end);
        }
        EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), static_cast<long>(end)) << step << ' ' << end;
      }
}

}  // namespace
}  // namespace assay::suites
