// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "devices/device.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "suites/run/conductor.h"
#include "suites/vectors/check_vectors.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {
namespace {

using numerics::Arithmetic;
using Cells = std::map<std::string, std::string>;

std::vector<Cells> probes() {
  std::ifstream file(std::string(ASSAY_VECTORS) + "/probes_numerics.csv");
  std::ostringstream text;
  text << file.rdbuf();
  const std::vector<CsvRow> rows = parse_csv(text.str());
  std::vector<Cells> named;
  for (size_t i = 1; i < rows.size(); ++i) {
    Cells cells;
    for (size_t j = 0; j < rows[0].cells.size(); ++j) cells[rows[0].cells[j]] = rows[i].cells[j];
    named.push_back(cells);
  }
  return named;
}

std::vector<uint64_t> probe_codes(const std::string& text) {
  std::vector<uint64_t> list;
  std::istringstream in(text);
  for (std::string word; text != "-" && in >> word;) list.push_back(std::stoull(word, nullptr, 16));
  return list;
}

/// The choice that a hypothesis of the file names, made in `arithmetic`; false for one that is no single
/// choice.
bool choose(const std::string& hypothesis, const Cells& probe, Arithmetic& arithmetic) {
  std::smatch match;
  const std::string& property = probe.at("property");
  const auto says = [&](const char* pattern) {
    return std::regex_search(hypothesis, match, std::regex(pattern));
  };
  if (says("^F=(\\d+)$")) return arithmetic.kept_bits = std::stoi(match[1]), true;
  if (says("^e_zero=(-\\d+)")) return arithmetic.floor_exponent = std::stoi(match[1]), true;
  if (says("^(-13[0-9]|-126)$")) return arithmetic.floor_exponent = std::stoi(match[1]), true;
  if (says("^no clamp$")) return arithmetic.floor_exponent = -400, true;
  if (says("^\\d+ ?x ?(\\d+)$") || says("^(\\d+)\\+\\1$"))
    return arithmetic.fused_terms = std::stoi(match[1]), true;
  if (says("^one \\d+-term( block)?$") && arithmetic.split == numerics::Split::consecutive)
    return arithmetic.fused_terms = 0, true;
  if (says("^checkout: keeps scale exponent$")) return arithmetic.zero_group_keeps_scale = true;
  if (says("^-0 \\(newer MMA-Sim\\)$")) return arithmetic.underflow_keeps_sign = true;
  if (says("^(normalised|true exponent)") && property.find("subnormal") != std::string::npos)
    return arithmetic.subnormals_align_at_emin = false, true;
  if (says("^emin")) return arithmetic.subnormals_align_at_emin = true;
  if (says("^exact exponent shift$")) return arithmetic.scaled_input = numerics::ScaledInput::exact, true;
  if (says("^pre-rounded RNE$"))
    return arithmetic.scaled_input = numerics::ScaledInput::rounded_to_nearest_even, true;
  if (says("^pre-rounded RZ$"))
    return arithmetic.scaled_input = numerics::ScaledInput::rounded_toward_zero, true;
  if (says("^C added after \\(RNE\\)$"))
    return arithmetic.accumulator = numerics::AccumulatorPlace::added_last, true;
  if (says("^wrap$")) return arithmetic.saturates = false, true;
  if (says("^saturate$")) return arithmetic.saturates = true;
  const bool of_terms = property.find("term") != std::string::npos;
  if (says("^floor$")) return arithmetic.term_rounding = spec::Rounding::down, true;
  if (says("^RNE$") && of_terms) return arithmetic.term_rounding = spec::Rounding::nearest_even, true;
  return false;
}

// A probe lists what D would be under rival rules, from a third implementation. Where the rival differs by a
// choice that Arithmetic has, making that choice gives that D: the choices mean what the probes mean.
TEST(NumericsProbes, EveryRivalThatIsAChoiceGivesItsD) {
  int checked = 0, telling = 0;
  for (const Cells& probe : probes()) {
    numerics::Types types{spec::find_format(probe.at("a_type")), spec::find_format(probe.at("b_type")),
                          spec::find_format(probe.at("cd_type")), std::stoi(probe.at("K"))};
    if (probe.at("s_type") != "-")
      types.scale = spec::find_format(probe.at("s_type")), types.scale_block = std::stoi(probe.at("sf_vec"));
    const std::string& set = probe.at("param_set");
    const auto* instruction =
        numerics::find_instruction(set.substr(0, set.find_first_of(".,")), types, set.ends_with(".sat"));
    ASSERT_NE(instruction, nullptr) << probe.at("id");
    const std::vector<uint64_t> a = probe_codes(probe.at("a")), b = probe_codes(probe.at("b")),
                                c = probe_codes(probe.at("c"));
    const std::vector<uint64_t> scale_a = probe_codes(probe.at("sfa")),
                                scale_b = probe_codes(probe.at("sfb"));
    const int scaled = probe.at("property").starts_with("scale-input-d n=1") ? 1 : 0;
    for (const std::string& pair : split(probe.at("hypotheses"), '|')) {
      const size_t equals = pair.rfind('=');
      Arithmetic arithmetic = instruction->arithmetic;
      if (!choose(pair.substr(0, equals), probe, arithmetic)) continue;
      const uint64_t expected = std::stoull(pair.substr(equals + 1), nullptr, 16);
      EXPECT_EQ(exact_dot(arithmetic, types, {a, b, c[0], scale_a, scale_b, scaled}), expected)
          << probe.at("id") << " " << probe.at("property") << ": " << pair;
      ++checked;
      telling += pair.substr(equals + 1) != probe.at("best_d") ? 1 : 0;
    }
  }
  EXPECT_GT(checked, 200) << "hypotheses that are choices";
  EXPECT_GT(telling, 80) << "rivals whose D is not the recommended one";
}

}  // namespace
}  // namespace assay::vectors

namespace assay {
namespace {

std::string published_file_text() {
  std::ifstream file(std::string(ASSAY_VECTORS) + "/vectors_b200_published.csv");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line and the row of that id, with one piece of text replaced.
std::string published_spoilt(const std::string& id, const std::string& what, const std::string& by) {
  const std::string text = published_file_text();
  const size_t from = text.find("\n" + id + ",") + 1;
  std::string row = text.substr(from, text.find('\n', from) - from);
  EXPECT_NE(row.find(what), std::string::npos) << id << " has no " << what;
  return text.substr(0, text.find('\n') + 1) + row.replace(row.rfind(what), what.size(), by) + "\n";
}

uint64_t total(const std::vector<report::PublishedRow>& rows, uint64_t report::PublishedRow::*what) {
  uint64_t sum = 0;
  for (const report::PublishedRow& row : rows) sum += row.*what;
  return sum;
}

TEST(Published, TheReferenceGivesEveryPublishedWord) {
  const std::vector<report::PublishedRow>& rows = published_evidence();
  EXPECT_EQ(rows.size(), 22u);
  EXPECT_EQ(total(rows, &report::PublishedRow::results), 60u);
  EXPECT_EQ(total(rows, &report::PublishedRow::agreeing), 60u);
  for (const report::PublishedRow& row : rows) {
    EXPECT_EQ(row.differing, "") << row.instruction;
    const bool is_of_bytes = row.instruction == "TXB";
    EXPECT_EQ(row.label, is_of_bytes ? "published by others, sm_103" : "published by others, sm_100");
    EXPECT_NE(row.source.find(is_of_bytes ? "B300" : "MIT"), std::string::npos);
  }
}

TEST(Published, WhatIsBuiltInIsTheFile) {
  EXPECT_EQ(published_b200_vectors(), published_file_text());
}

TEST(Published, AWordThatNobodyMeasuredDoesNotCount) {
  const auto rows =
      published_rows(check_vectors("row", published_spoilt("SF-tf32-1", "fc347e7c", "fc347e7d")));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].results, 1u);
  EXPECT_EQ(rows[0].agreeing, 0u);
  EXPECT_NE(rows[0].differing.find("SF-tf32-1: d, exact: the row says fc347e7d"), std::string::npos)
      << rows[0].differing;
}

TEST(Published, ARowThatCannotBeReadDoesNotCount) {
  const auto rows =
      published_rows(check_vectors("row", published_spoilt("SF-tf32-1", ",8,tf32,", ",8,tf33,")));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].agreeing, 0u);
  EXPECT_NE(rows[0].differing, "");
}

// The device is asked too: one that adds otherwise gives another word than was published.
TEST(Published, ADeviceRunsAllRowsAndAWrongOneFails) {
  const auto run = [](const char* spec) {
    const std::unique_ptr<Device> device = open_device(spec, suites::limits_for(1));
    return check_vectors("published", published_b200_vectors(), device.get());
  };
  const VectorReport right = run("emulator:sm_100a");
  EXPECT_EQ(right.ran, 59u);
  EXPECT_EQ(right.count(RowVerdict::pass), 59u) << right.text();
  const VectorReport wrong = run("emulator:sm_100a,fault=adder_half_of_k_lost");
  EXPECT_EQ(wrong.ran, 59u);
  EXPECT_GT(wrong.count(RowVerdict::fail), 0u);
  EXPECT_FALSE(wrong.ok());
}

}  // namespace
}  // namespace assay
