// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
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
