// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <functional>

#include "devices/device.h"
#include "reference/spec/rules.h"
#include "reports/verdict.h"
#include "suites/failure/element_words.h"
#include "suites/failure/explain.h"
#include "suites/failure/replay.h"
#include "suites/run/property.h"

/// What a failure says of its cause, on devices that are wrong in one known way.
namespace assay::suites {
namespace {

/// The first failing case of a property whose row says `wanted`, else of the last failure.
report::CaseRow failure(const std::string& property, const std::string& device, uint64_t most,
                        const std::function<bool(const report::CaseRow&)>& wanted) {
  const std::unique_ptr<Device> opened = open_device("emulator:" + device, {});
  report::CaseRow last;
  for (uint64_t index = 0; index < most; ++index) {
    ReplayResult result = replay(property + "@7#" + std::to_string(index), *opened);
    if (!report::fails(result.verdict)) continue;
    last = std::move(result.row);
    if (wanted(last)) break;
  }
  return last;
}

bool has(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

TEST(Diagnosis, OfNeverWrittenMemorySaysWhatSiliconWouldHaveShown) {
  const report::CaseRow row =
      failure("pipeline.gemm", "sm_100a,schedule=lazy,fault=multicast_skips_highest", 40,
              [](const report::CaseRow& r) { return has(r.detail, "uninitialised_read"); });
  EXPECT_TRUE(has(row.detail, "never written")) << row.detail;
  EXPECT_TRUE(has(row.detail,
                  "silicon does not end here: it goes on with whatever was left in that memory, so the case "
                  "fails by its bytes, or passes where they happen to be the right ones"))
      << row.detail;
}

TEST(Diagnosis, OfAProgramOfBarriersNamesTheStepAndWhatItShouldSay) {
  const report::CaseRow row =
      failure("barrier.sequence", "sm_100a,fault=barrier_arrival_lost", 400, [](const report::CaseRow& r) {
        return has(r.message, "_wait") && has(r.message, "phase should be complete");
      });
  EXPECT_TRUE(has(row.message, "steps: step ")) << row.message;
  EXPECT_TRUE(has(row.message, "phase should be complete, device says it is not")) << row.message;
  EXPECT_FALSE(has(row.message, "0x")) << row.message;
  EXPECT_TRUE(has(row.detail, " before step ")) << row.detail;
  EXPECT_TRUE(has(row.detail, " missing, ")) << row.detail;
}

TEST(Diagnosis, OfAProgramOfBarriersTellsTooEarlyPhasesAndStates) {
  const report::CaseRow early =
      failure("barrier.sequence", "sm_90a,fault=barrier_completes_with_bytes_pending", 400,
              [](const report::CaseRow& r) { return has(r.message, "phase should not be complete"); });
  EXPECT_TRUE(has(early.message, "phase should not be complete, device says it is")) << early.message;
  const report::CaseRow state =
      failure("barrier.sequence", "sm_90a,fault=barrier_token_is_of_after", 400,
              [](const report::CaseRow& r) { return has(r.message, "the state should be"); });
  EXPECT_TRUE(has(state.message, " missing; device answers ")) << state.message;
  const report::CaseRow count =
      failure("barrier.sequence", "sm_100a,fault=barrier_token_is_of_after", 400,
              [](const report::CaseRow& r) { return has(r.message, "pending, device counts"); });
  EXPECT_TRUE(has(count.message, "the state should have ")) << count.message;
}

TEST(Diagnosis, OfAProgramOfTensorMemoryNamesTheLoadAndWhoWroteWhatItLoads) {
  const report::CaseRow row =
      failure("tmem.sequence", "sm_100a,fault=adder_half_of_k_lost", 400,
              [](const report::CaseRow& r) { return has(r.detail, "written last by step"); });
  EXPECT_TRUE(has(row.message, "values differ from what the allocation holds in ")) << row.message;
  EXPECT_TRUE(has(row.detail, "was last written by step ")) << row.detail;
}

/// A wrong element by its place, with values, codes and the steps that lead to what was expected.
void expect_steps(const report::CaseRow& row, std::initializer_list<std::string_view> words) {
  EXPECT_TRUE(has(row.message, ": D[")) << row.message;
  EXPECT_TRUE(has(row.message, "), expected ")) << row.message;
  for (const std::string_view said : words)
    EXPECT_TRUE(has(row.message + "\n" + row.detail, said)) << said << "\n" << row.message << row.detail;
  EXPECT_FALSE(has(row.detail, "these steps give")) << row.detail;
}
bool is_by_ulps(const report::CaseRow& row) {
  return has(row.message, " ulp ") && has(row.detail, ", cut from ");
}

TEST(Diagnosis, OfAWrongSumTellsTheTermsAsTheyWereAligned) {
  const std::string fault = ",fault=adder_one_bit_less";
  const auto steps = {std::string_view("largest exponent "), std::string_view(" * 2^"),
                      std::string_view(", aligned "), std::string_view(": A ")};
  expect_steps(failure("wgmma.f16", "sm_90a" + fault, 60, is_by_ulps), steps);
  expect_steps(failure("mma_sync.f16", "sm_90a" + fault, 60, is_by_ulps), steps);
  expect_steps(failure("mma.dense.f16", "sm_100a" + fault, 60, is_by_ulps), steps);
  expect_steps(failure("mma.dense.tf32", "sm_100a" + fault, 60, is_by_ulps), steps);
  expect_steps(failure("pipeline.gemm", "sm_100a" + fault, 20, is_by_ulps),
               {"instruction ", "largest exponent ", ", aligned "});
}

/// Of known faults of the adder the words name the fault itself.
TEST(Diagnosis, OfAWrongSumNamesAddersThatMakeIt) {
  struct Row {
    const char* property;
    const char* device;
    const char* words;
  };
  for (const auto& [property, device, words] :
       {Row{"wgmma.f16", "sm_90a,fault=adder_one_bit_less", " if terms are cut one bit earlier"},
        {"wgmma.f16", "sm_90a,fault=adder_rounds_to_nearest", " if the result is rounded to nearest even"},
        {"wgmma.f16", "sm_90a,fault=adder_terms_rounded", " if terms are rounded to nearest"},
        {"wgmma.f16", "sm_90a,fault=adder_c_last", " if C is added last"},
        {"mma.dense.f16", "sm_100a,fault=adder_last_product_lost", " if the product of k 15 is missing"},
        {"pipeline.gemm", "sm_100a,fault=adder_one_bit_less", " if terms are cut one bit earlier"},
        {"mma.dense.i8", "sm_100a,fault=adder_half_of_k_lost", " if the second half of K is missing"},
        {"mma.dense.i8", "sm_100a,fault=adder_saturation_dropped", " if the result wraps"}}) {
    // By name: clang 14 does not let a lambda see the parts of a row.
    const auto is_told = [&, expected = words](const report::CaseRow& r) {
      return has(r.detail, "the observed values of the first 8 wrong elements would result if ") &&
             has(r.detail, expected);
    };
    const report::CaseRow row = failure(property, device, 60, is_told);
    EXPECT_TRUE(has(row.detail, words)) << device << "\n" << row.message << "\n" << row.detail;
  }
}

TEST(Diagnosis, OfAWrongSumOfIntegersTellsIntegers) {
  const auto any = [](const report::CaseRow& row) { return has(row.message, "D["); };
  for (const auto& [property, device] :
       {std::pair("wgmma.i8", "sm_90a"), {"mma_sync.i8", "sm_90a"}, {"mma.dense.i8", "sm_100a"}}) {
    const report::CaseRow row =
        failure(property, std::string(device) + ",fault=adder_half_of_k_lost", 20, any);
    expect_steps(row, {"sum ", " * B ", "(0x"});
    EXPECT_FALSE(has(row.message + row.detail, "ulp")) << row.message;
    EXPECT_FALSE(has(row.detail, "exponent")) << row.detail;
  }
}

TEST(Diagnosis, OfSpecialsNamesThoseThatDecide) {
  const report::CaseRow row =
      failure("wgmma.f16", "sm_90a,fault=adder_infinities_cancel", 60,
              [](const report::CaseRow& r) { return has(r.detail, "infinities or NaN decide"); });
  expect_steps(row, {"expected nan", "infinities or NaN decide: nan"});
}

TEST(Diagnosis, OfACellThatIsNotOfDSaysSo) {
  const report::CaseRow row =
      failure("mma.dense.output_lanes", "sm_100a,fault=tcgen05_disabled_lanes_ignored", 40,
              [](const report::CaseRow& r) { return has(r.message, "not of D"); });
  EXPECT_TRUE(has(row.message, ", which is not of D, is 0x")) << row.message;
}

/// The sums of other blocks than the first begin with what the one before left.
TEST(Diagnosis, OfASumInBlocksAddsCLast) {
  const report::CaseRow row =
      failure("mma_sync.fp8", "sm_90a,fault=adder_half_of_k_lost", 60, [](const report::CaseRow& r) {
        return has(r.detail, "the sum so far") && has(r.detail, " added to it: D ");
      });
  expect_steps(row, {"the sum so far ", " added to it: D "});
}

TEST(Diagnosis, OfAPipelineThatStandsStillNamesEachBarrierAndWhoWaitsForIt) {
  const auto hung = [](const report::CaseRow& r) { return r.observed_end == "hung"; };
  const report::CaseRow bytes =
      failure("pipeline.gemm", "sm_100a,fault=multicast_signals_issuer_only", 10, hung);
  EXPECT_TRUE(has(bytes.message, "hung; CTAs 0")) << bytes.message;
  EXPECT_TRUE(has(bytes.message, " full[0]: phase 0, 0 of 1 arrivals pending, ")) << bytes.message;
  EXPECT_TRUE(has(bytes.message, " bytes pending; the multiply warp waits for phase 0")) << bytes.message;
  EXPECT_TRUE(has(bytes.detail, " empty[")) << bytes.detail;
  EXPECT_TRUE(has(bytes.detail, "; the load warp waits for phase ")) << bytes.detail;
  EXPECT_TRUE(has(bytes.detail,
                  " accumulated[0]: phase 0, 1 of 1 arrivals pending, 0 bytes pending; the store "
                  "warps 2-5 wait for phase 0"))
      << bytes.detail;
  EXPECT_TRUE(has(bytes.detail, " drained[0] to drained[1]: phase 0, ")) << bytes.detail;

  // The kernel's own words, which a real device leaves too.
  EXPECT_TRUE(has(bytes.detail, ": a load warp waits for phase ")) << bytes.detail;
  EXPECT_TRUE(has(bytes.detail, ": a multiply warp waits for phase 0 of full[0], after 2 waits that ended"))
      << bytes.detail;

  const report::CaseRow arrivals = failure("pipeline.gemm", "sm_100a,fault=kernel_skips_commit", 10, hung);
  EXPECT_TRUE(
      has(arrivals.detail, ": phase 0, 2 of 2 arrivals pending, 0 bytes pending; the load warp waits"))
      << arrivals.detail;
}

TEST(Diagnosis, OfAnElementHasItsNumbersAsPeopleWriteThem) {
  const WgmmaCase c{.known = {.present = true}};
  model::ElementSteps element;
  element.types = model::numeric_types(c.types, 1);
  element.arithmetic = {.kept_bits = 25};
  element.add({{0x7227}, {0x3c00}, 0});  // 12600 * 1
  const auto said = [&](uint32_t expected, uint32_t observed) {
    const auto bytes = [](uint32_t word) {
      return std::vector<uint8_t>{uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16),
                                  uint8_t(word >> 24)};
    };
    const ExpectedOutput right{bytes(expected), bytes(~0u)};
    const std::vector<uint8_t> wrong = bytes(observed);
    return diagnose_element([&](uint64_t) { return std::optional(element); }, 4, right, wrong, 0);
  };
  EXPECT_EQ(said(0x4644e000, 0x4644dfff).first,
            "D[0, 0] = 12599.999 (0x4644dfff), expected 12600 (0x4644e000), 1 ulp below");
  EXPECT_EQ(said(0x80000000, 0x00000001).first,
            "D[0, 0] = 1.4013e-45 (0x00000001), expected -0 (0x80000000), 1 ulp above");
  EXPECT_EQ(said(0x80000000, 0).first, "D[0, 0] = 0 (0x00000000), expected -0 (0x80000000), which are equal");
  EXPECT_EQ(said(0x7fffffff, 0xff800000).first, "D[0, 0] = -inf (0xff800000), expected nan (0x7fffffff)");
}

// The altered rules of the families that have any.

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
      // What later ones share with sm_103 is predicted as there.
      if (declines(arch) || (arch > spec::Arch::sm_103 && !declines(spec::Arch::sm_103))) continue;
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
