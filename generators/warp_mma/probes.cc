// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "generators/warp_mma/forms.h"
#include "reference/csv.h"

namespace assay::gen {
namespace {

constexpr std::string_view probes_text =
#include <probes_numerics.inc>  // made from testdata/vectors/probes_numerics.csv
    ;

/// Why a row cannot be read.
struct BadProbe {
  std::string why;
};

class ProbeCells {
 public:
  ProbeCells(const CsvRow& names, const CsvRow& row) : names_(names), row_(row) {
    if (row.cells.size() != names.cells.size())
      throw BadProbe{std::to_string(row.cells.size()) + " cells, of " + std::to_string(names.cells.size()) +
                     " columns"};
  }
  const std::string& operator[](std::string_view name) const {
    const auto at = std::find(names_.cells.begin(), names_.cells.end(), name);
    if (at == names_.cells.end()) throw BadProbe{"the column " + std::string(name) + " is missing"};
    return row_.cells[static_cast<size_t>(at - names_.cells.begin())];
  }

 private:
  const CsvRow &names_, &row_;
};

bool is_decided_by_an_h200(const ProbeCells& cells) {
  const std::string& answer = cells["h200"];
  if (answer != "yes" && answer != "no") throw BadProbe{"'" + answer + "' of h200 is neither yes nor no"};
  return answer == "yes" && cells["a_type"] != "f64";
}

/// The file writes every digit of a code, so that one too few is a slip.
uint32_t probe_code(std::string_view digits, uint32_t bits) {
  uint32_t code = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, code, 16);
  if (error != std::errc() || end != last || digits.size() * 4 != bits)
    throw BadProbe{"'" + std::string(digits) + "' is not a code of " + std::to_string(bits) + " bits"};
  return code;
}

/// Elements of 32 bytes together.
std::array<uint32_t, 8> packed(const std::string& cell, MmaElement type) {
  const uint32_t bits = element_bits(type);
  std::array<uint32_t, 8> words{};
  uint32_t at = 0;
  std::istringstream in(cell);
  for (std::string digits; in >> digits; at += bits) {
    const uint32_t code = probe_code(digits, bits);
    if (at < 256) words[at / 32] |= code << at % 32;
  }
  if (at != 256) throw BadProbe{"elements of " + std::to_string(at) + " bits in all, not of 256"};
  return words;
}

void check_candidates(const std::string& candidates, uint32_t d_bits) {
  std::istringstream in(candidates);
  int count = 0;
  for (std::string pair; std::getline(in, pair, '|'); ++count) {
    const size_t equals = pair.rfind('=');
    if (equals == std::string::npos) throw BadProbe{"'" + pair + "' names no D"};
    probe_code(std::string_view(pair).substr(equals + 1), d_bits);
  }
  if (count < 2) throw BadProbe{"one way to add tells nothing apart"};
}

template <typename Type>
Type probe_type(std::optional<Type> (*find)(std::string_view), const std::string& name) {
  if (const auto type = find(name)) return *type;
  throw BadProbe{"'" + name + "' is not a type of these instructions"};
}

WarpMmaProbe read_probe(const ProbeCells& cells) {
  WarpMmaProbe probe{cells["id"], cells["property"], cells["hypotheses"], {}, {}};
  probe.types = {probe_type(element_named, cells["a_type"]), probe_type(element_named, cells["b_type"]),
                 probe_type(accumulator_named, cells["cd_type"]), cells["param_set"].ends_with(".sat")};
  const uint32_t d_bits = probe.types.d == MmaAccumulator::f16 ? 16 : 32;
  check_candidates(probe.candidates, d_bits);
  probe.operands = {.present = true,
                    .a_row = packed(cells["a"], probe.types.a),
                    .b_column = packed(cells["b"], probe.types.b),
                    .c = probe_code(cells["c"], d_bits)};
  return probe;
}

/// Those of wgmma or of mma.sync, of which the name of the row's arithmetic tells.
std::vector<WarpMmaProbe>& family_of(const std::string& param_set, WarpMmaProbes& probes) {
  if (param_set.starts_with("wgmma.")) return probes.wgmma;
  if (param_set.starts_with("mma_sm90.")) return probes.mma_sync;
  throw BadProbe{"'" + param_set + "' is neither of wgmma nor of mma.sync"};
}

const WarpMmaProbes& built_in() {
  static const WarpMmaProbes probes = read_warp_mma_probes(probes_text);
  return probes;
}

}  // namespace

WarpMmaProbes read_warp_mma_probes(std::string_view csv) {
  WarpMmaProbes read;
  const std::vector<CsvRow> rows = parse_csv(csv);
  for (size_t i = 1; i < rows.size(); ++i) {
    try {
      const ProbeCells cells(rows.front(), rows[i]);
      if (is_decided_by_an_h200(cells)) family_of(cells["param_set"], read).push_back(read_probe(cells));
    } catch (const BadProbe& row) {
      read.problems.push_back("line " + std::to_string(rows[i].line) + ": " + row.why);
    }
  }
  return read;
}

std::string_view warp_mma_probes_text() {
  return probes_text;
}

std::span<const WarpMmaProbe> wgmma_probes() {
  return built_in().wgmma;
}
std::span<const WarpMmaProbe> mma_sync_probes() {
  return built_in().mma_sync;
}

void make_wgmma_probe(const CaseId& id, WgmmaCase& c) {
  const auto all = wgmma_probes();
  const WarpMmaProbe& probe = all[id.index % all.size()];
  c = {};
  c.types = probe.types;
  c.a_in_registers = id.index / all.size() % 2 != 0;
  place_known(c);
  c.known = probe.operands;
}

void make_mma_sync_probe(const CaseId& id, MmaSyncCase& c) {
  const auto all = mma_sync_probes();
  const WarpMmaProbe& probe = all[id.index % all.size()];
  c = {};
  c.types = probe.types;
  c.k = 32 / element_bytes(probe.types.a);
  c.known = probe.operands;
}

}  // namespace assay::gen
