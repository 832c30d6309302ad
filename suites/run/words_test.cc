// SPDX-License-Identifier: Apache-2.0
#include "suites/run/words.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "generators/one_rule_broken.h"
#include "reference/model/mma/mma.h"
#include "reference/model/spelling.h"
#include "reports/html/sections.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/verdict.h"
#include "suites/mma/coverage.h"
#include "suites/run/conductor.h"
#include "suites/run/property.h"

/// What cases tell of their members: nothing that a case can differ by stays untold.
namespace assay::suites {

struct ToldCase {
  uint32_t issuer_thread = 0, window_bytes = 64, code = 0, seed = 0;
  bool is_last = false;
  std::array<uint16_t, 3> offset{};
  auto operator<=>(const ToldCase&) const = default;
};
template <typename Case, typename Visit>
requires std::same_as<std::remove_const_t<Case>, ToldCase>
void visit_fields(Case& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, code, .called = "the code", .shows = as_hex);
  ASSAY_FIELD(visit, c, is_last);
  ASSAY_FIELD(visit, c, issuer_thread);
  ASSAY_FIELD(visit, c, offset, .unit = "bytes");
  ASSAY_FIELD(visit, c, seed, .told = elsewhere);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .told = always, .called = "window");
}

namespace {

using nlohmann::json;

TEST(Told, MembersThatAreNotAsUsualAndThoseThatAlwaysAre) {
  NamedFields list;
  tell(ToldCase{}, list);
  EXPECT_EQ(list, (NamedFields{{"window", "64 bytes"}}));
  list.clear();
  tell(ToldCase{.issuer_thread = 3, .code = 31, .seed = 9, .is_last = true, .offset = {0, 7, 0}}, list);
  EXPECT_EQ(list, (NamedFields{{"the code", "0x1f"},
                               {"is last", "yes"},
                               {"issuer thread", "3"},
                               {"offset", "0 7 0 bytes"},
                               {"window", "64 bytes"}}));
}

/// Other values that the schema of a member has for it.
std::vector<json> others(const json& schema, const json& value) {
  std::vector<json> made;
  if (schema.contains("enum")) {
    for (const json& other : schema["enum"]) made.push_back(other);
  } else if (schema.value("type", "") == "boolean") {
    made.push_back(!value.get<bool>());
  } else if (schema.value("type", "") == "integer") {
    const int64_t step = schema.value("multipleOf", int64_t{1});
    const auto now = value.get<int64_t>();
    for (const int64_t other : {now + step, now - step, now + 16 * step, now + 1024, int64_t{0}})
      if (other >= schema["minimum"].get<int64_t>() &&
          (schema["maximum"].get<uint64_t>() > INT64_MAX || other <= schema["maximum"].get<int64_t>()))
        made.push_back(other);
  } else if (schema.value("type", "") == "array" && schema["items"].value("type", "") != "object") {
    for (size_t i = 0; i < value.size(); ++i)
      for (const json& other : others(schema["items"], value[i])) {
        made.push_back(value);
        made.back()[i] = other;
      }
  }
  std::erase(made, value);
  return made;
}

/// Each member of each case with another value, where a case with it may be: its words are others too. What
/// says only what memory held before, or is a seed of it, changes no word, and everything else does; but a
/// pitch of lanes, of which several lanes leave no other.
TEST(Told, NoMemberOfAnyOperationStaysUntold) {
  const std::set<std::string> untold{"fill_offset", "slot_fill_offset", "pool_seed", "before", "lane_pitch"};
  std::map<std::string, std::pair<int, int>> seen;  // how many cases were made and how many told otherwise
  for (const Property* property : all_properties()) {
    spec::Arch arch = spec::Arch::sm_103;
    for (const spec::Arch other : {spec::Arch::sm_100, spec::Arch::sm_90, spec::Arch::sm_120})
      if (property->declines != nullptr && property->declines(arch)) arch = other;
    if (property->declines != nullptr && property->declines(arch)) continue;
    const Family& family = property->family();
    const json schema = family.schema();
    for (uint64_t index = 0; index < 60; ++index) {
      Case c;
      property->generate(5, property->name, index, arch, c);
      const json right = family.to_json(c);
      const auto words = family.fields(c);
      for (const auto& [name, inner] : schema["properties"].items()) {
        const json value = right.contains(name) ? right[name] : inner.value("default", json());
        if (value.is_null()) continue;
        auto& [made, told] = seen[std::string(family.name()) + "." + name];
        if (told > 0) continue;
        for (const json& other : others(inner, value)) try {
            json spoilt = right;
            spoilt[name] = other;
            const Case changed = family.from_json(spoilt);
            ++made;
            told += family.fields(changed) != words ? 1 : 0;
          } catch (const std::runtime_error&) {
          }
      }
    }
  }
  EXPECT_GT(seen.size(), 200u);
  for (const auto& [name, counts] : seen) {
    const std::string member = name.substr(name.find('.') + 1);
    if (counts.first == 0 || untold.contains(member)) continue;
    EXPECT_GT(counts.second, 0) << name << " in " << counts.first << " cases";
  }
}

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
