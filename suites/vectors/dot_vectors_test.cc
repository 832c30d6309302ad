// SPDX-License-Identifier: Apache-2.0
// Dot products of files that no case holds, and the rivals of the probes (vectors_k96.csv,
// probes_numerics.csv).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "reference/csv.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "reference/numerics/fast.h"
#include "suites/vectors/vector_rows_test.h"

namespace assay::numerics {
namespace {

using Cells = std::map<std::string, std::string>;

std::vector<Cells> rows_of(const std::string& name) {
  const std::vector<CsvRow> rows = parse_csv(vectors_text(name));
  std::vector<Cells> named;
  for (size_t i = 1; i < rows.size(); ++i)
    for (size_t j = 0; j < rows[0].cells.size(); ++j)
      named.resize(i), named.back()[rows[0].cells[j]] = rows[i].cells[j];
  return named;
}

template <typename Code = uint64_t>
std::vector<Code> codes(const std::string& text) {
  std::vector<Code> list;
  std::istringstream in(text);
  for (std::string word; text != "-" && in >> word;)
    list.push_back(static_cast<Code>(std::stoull(word, nullptr, 16)));
  return list;
}

/// A row's operands.
struct DotRow {
  Types types;
  const Instruction* instruction;
  std::vector<uint64_t> a, b, c, scale_a, scale_b;
  int scale_input_d = 0;

  explicit DotRow(const Cells& row)
      : types{spec::find_format(row.at("a_type")), spec::find_format(row.at("b_type")),
              spec::find_format(row.at("cd_type")), std::stoi(row.at("K"))},
        a(codes(row.at("a"))),
        b(codes(row.at("b"))),
        c(codes(row.at("c"))),
        scale_a(codes(row.at("sfa"))),
        scale_b(codes(row.at("sfb"))) {
    if (row.at("s_type") != "-")
      types.scale = spec::find_format(row.at("s_type")), types.scale_block = std::stoi(row.at("sf_vec"));
    const std::string& set = row.at("param_set");
    instruction = find_instruction(set.substr(0, set.find_first_of(".,")), types, set.ends_with(".sat"));
    if (!row.contains("property")) return;
    const std::string& property = row.at("property");
    scale_input_d = property.starts_with("scale-input-d n=1") ? 1 : 0;
    if (property.find("zero-column mask") != std::string::npos) b.assign(b.size(), 0);
  }
  uint64_t exact(const Arithmetic& arithmetic) const {
    return exact_dot(arithmetic, types, {a, b, c[0], scale_a, scale_b, scale_input_d});
  }
  uint64_t fast() const {
    const Arithmetic& arithmetic = instruction->arithmetic;
    if (arithmetic.scheme == Scheme::chain) return fast_chain(arithmetic, a, b, c[0]);
    const std::vector<uint32_t> a32(a.begin(), a.end()), b32(b.begin(), b.end());
    const std::vector<uint8_t> scale_a8(scale_a.begin(), scale_a.end()),
        scale_b8(scale_b.begin(), scale_b.end());
    const auto value = static_cast<uint32_t>(c[0]);
    uint32_t d = 0;
    fast_tile(arithmetic, types, {1, 1, a32, b32, {&value, 1}, scale_a8, scale_b8, scale_input_d}, {&d, 1});
    return d;
  }
};

/// Rows of K of 96 were worked out in rational numbers from the sentences of the rules, by a program apart;
/// 18 of them have another sum than all six groups at once would miss.
TEST(DotVectors, BothVersionsGiveEveryRow) {
  for (const auto& [file, column, count] :
       {std::tuple{"vectors_k96.csv", "d", 66u}, {"probes_numerics.csv", "best_d", 158u}}) {
    const std::vector<Cells> rows = rows_of(file);
    EXPECT_EQ(rows.size(), count);
    for (const Cells& cells : rows) {
      const DotRow row(cells);
      ASSERT_NE(row.instruction, nullptr) << cells.at("id");
      const uint64_t expected = codes(cells.at(column)).at(0);
      EXPECT_EQ(row.exact(row.instruction->arithmetic), expected) << cells.at("id");
      EXPECT_EQ(row.fast(), expected) << cells.at("id");
    }
  }
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
  if (says("^one \\d+-term( block)?$") && arithmetic.split == Split::consecutive)
    return arithmetic.fused_terms = 0, true;
  if (says("^checkout: keeps scale exponent$")) return arithmetic.zero_group_keeps_scale = true;
  if (says("^-0 \\(newer MMA-Sim\\)$")) return arithmetic.underflow_keeps_sign = true;
  if (says("^(normalised|true exponent)") && property.find("subnormal") != std::string::npos)
    return arithmetic.subnormals_align_at_emin = false, true;
  if (says("^emin")) return arithmetic.subnormals_align_at_emin = true;
  if (says("^exact exponent shift$")) return arithmetic.scaled_input = ScaledInput::exact, true;
  if (says("^pre-rounded RNE$")) return arithmetic.scaled_input = ScaledInput::rounded_to_nearest_even, true;
  if (says("^pre-rounded RZ$")) return arithmetic.scaled_input = ScaledInput::rounded_toward_zero, true;
  if (says("^C added after \\(RNE\\)$")) return arithmetic.accumulator = AccumulatorPlace::added_last, true;
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
  for (const Cells& probe : rows_of("probes_numerics.csv")) {
    const DotRow row(probe);
    std::istringstream hypotheses(probe.at("hypotheses"));
    for (std::string pair; std::getline(hypotheses, pair, '|');) {
      const size_t equals = pair.rfind('=');
      Arithmetic arithmetic = row.instruction->arithmetic;
      if (!choose(pair.substr(0, equals), probe, arithmetic)) continue;
      EXPECT_EQ(row.exact(arithmetic), std::stoull(pair.substr(equals + 1), nullptr, 16))
          << probe.at("id") << " " << probe.at("property") << ": " << pair;
      ++checked;
      telling += pair.substr(equals + 1) != probe.at("best_d") ? 1 : 0;
    }
  }
  EXPECT_GT(checked, 200) << "hypotheses that are choices";
  EXPECT_GT(telling, 80) << "rivals whose D is not the recommended one";
}

}  // namespace
}  // namespace assay::numerics
