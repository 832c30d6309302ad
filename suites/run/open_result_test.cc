// SPDX-License-Identifier: Apache-2.0
#include "suites/run/open_result.h"
#include "suites/mma/coverage.h"

#include <gtest/gtest.h>

#include "generators/one_rule_broken.h"
#include "reference/model/mma/form.h"
#include "reports/html/page.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/verdict.h"
#include "suites/run/conductor.h"

namespace assay::suites {
namespace {

RecordEnd ended(Ended how, int32_t code = 0) {
  RecordEnd end{};
  end.ended = how, end.code = code;
  return end;
}

TEST(OpenResult, TellsWhatBecameOfDApart) {
  const spec::Readings readings(spec::Arch::sm_100);
  const Family& family = tcgen05_mma_family();
  int with_a_right_one = 0;
  for (uint64_t i = 0; i < 16; ++i) {
    if (i % 8 == 1) continue;
    Tcgen05MmaCase c;
    gen::make_mma_one_rule_broken({1, "mma.descriptor.one_rule_broken", i, spec::Arch::sm_100}, c);
    Scratch scratch, other;
    Expected e, right;
    family.predict(c, readings, scratch, e);
    ASSERT_EQ(e.end, model::End::undefined);
    const auto says = [&](std::span<const std::byte> output) {
      return family.open_result(c, e, readings, ended(Ended::done), output);
    };
    const auto broken = [&](const std::string& how) {
      const std::string rules = says(e.bytes);
      return how + rules.substr(rules.find(", where"));
    };
    std::vector<std::byte> output(e.bytes.begin(), e.bytes.end());
    EXPECT_TRUE(says(output).starts_with("done, D as it was, where ")) << says(output);
    EXPECT_EQ(report::without_rules(says(output)), "done, D as it was");
    for (size_t at = 0; at < output.size(); ++at) output[at] &= e.mask[at];
    EXPECT_EQ(says(output), broken("done, D of zeros"));
    // Of the bits that are open one is another; those that are not are judged elsewhere.
    for (size_t at = 0; at < output.size(); ++at) output[at] |= ~e.mask[at] & std::byte{0x5a};
    EXPECT_EQ(says(output), broken("done, D of other values"));
    Tcgen05MmaCase without = c;
    without.idesc_flip = 0, without.a_flip = without.b_flip = without.mask_flip = 0;
    family.predict(without, readings, other, right);
    if (right.end != model::End::done) continue;
    ++with_a_right_one;
    EXPECT_EQ(says(right.bytes), broken("done, D as if that were right"));
    EXPECT_EQ(family.open_result(c, e, readings, ended(Ended::faulted, 715), {}),
              broken("illegal instruction (715)"));
  }
  EXPECT_GE(with_a_right_one, 10);
}

/// The row of a rule in the compliance matrix.
std::string row_of(const std::string& page, const std::string& rule) {
  const size_t begin = page.find("id=\"rule-" + rule + "\"");
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find("</tr>", begin) - begin);
}

TEST(OpenResult, TheReportSaysWhatTheDeviceDid) {
  RunOptions options;
  options.devices = {"emulator:sm_100a"};
  options.properties = {"mma.descriptor.one_rule_broken"};
  options.cases = 16;
  options.out = report::scratch_path("open_result");
  const RunResult ran = run(options);
  const report::Results results = report::read_results(ran.database, {100, 100});
  EXPECT_EQ(results.verdict, report::Verdict::conforms);
  const std::string page = report::html_text(ran.database);
  EXPECT_NE(page.find("<th class=\"where\">broken, not checked</th>"), std::string::npos);
  const std::string saturates = row_of(page, "IDESC-R06");
  EXPECT_NE(saturates.find("1 case<br><span class=\"soft\">1 illegal instruction (715)</span>"),
            std::string::npos)
      << saturates;
  EXPECT_NE(saturates.find(">not checked<"), std::string::npos) << saturates;
  EXPECT_EQ(saturates.find("conforming"), std::string::npos) << saturates;
  // The emulator does not look at a base offset where there is no swizzle.
  const std::string base_offset = row_of(page, "SMEM-R06");
  EXPECT_NE(base_offset.find("1 case<br><span class=\"soft\">1 done, D as if that were right</span>"),
            std::string::npos)
      << base_offset;
  const bool is_told = std::any_of(results.findings.begin(), results.findings.end(), [](const auto& finding) {
    return finding.words.find("'illegal instruction (715), where IDESC-R06 is broken'") != std::string::npos;
  });
  EXPECT_TRUE(is_told);
}

}  // namespace
}  // namespace assay::suites
