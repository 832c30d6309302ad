// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "generators/warp_mma/forms.h"
#include "reference/csv.h"
#include "reference/spec/formats.h"

namespace assay::gen {
namespace {

using ProbeCells = std::map<std::string, std::string>;

std::vector<uint32_t> codes(const std::array<uint32_t, 8>& words, int bits) {
  std::vector<uint32_t> list;
  for (const uint32_t word : words)
    for (int at = 0; at < 32; at += bits) list.push_back(bits == 32 ? word : word >> at & ((1u << bits) - 1));
  return list;
}
std::vector<uint32_t> codes(const std::string& text) {
  std::vector<uint32_t> list;
  std::istringstream in(text);
  for (std::string word; in >> word;) list.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
  return list;
}

std::string file_text() {
  std::ifstream file(std::string(ASSAY_VECTORS) + "/probes_numerics.csv");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(WarpMmaProbes, AreTheRowsOfTheFileThatAnH200Decides) {
  const std::vector<CsvRow> rows = parse_csv(file_text());
  std::set<std::string> wanted, made;
  std::map<std::string, ProbeCells> by_id;
  for (size_t i = 1; i < rows.size(); ++i) {
    ProbeCells cells;
    for (size_t j = 0; j < rows[0].cells.size(); ++j) cells[rows[0].cells[j]] = rows[i].cells[j];
    by_id[cells["id"]] = cells;
    if (cells["h200"] == "yes" && cells["a_type"] != "f64") wanted.insert(cells["id"]);
  }
  const auto compare = [&](std::span<const WarpMmaProbe> probes, const std::string& family) {
    for (const WarpMmaProbe& probe : probes) {
      const std::string id(probe.id);
      made.insert(id);
      ProbeCells& row = by_id[id];
      EXPECT_EQ(row["property"], probe.property) << id;
      EXPECT_EQ(row["hypotheses"], probe.candidates) << id;
      EXPECT_TRUE(row["param_set"].starts_with(family)) << id;
      std::string types = row["cd_type"] + "." + row["a_type"] + "." + row["b_type"];
      if (row["param_set"].ends_with(".sat")) types += ".satfinite";
      EXPECT_EQ(name_of(probe.types), types) << id;
      const int bits = spec::find_format(row["a_type"])->storage_bits;
      EXPECT_EQ(codes(probe.operands.a_row, bits), codes(row["a"])) << id;
      EXPECT_EQ(codes(probe.operands.b_column, bits), codes(row["b"])) << id;
      EXPECT_EQ(probe.operands.c, codes(row["c"]).front()) << id;
    }
  };
  compare(wgmma_probes(), "wgmma");
  compare(mma_sync_probes(), "mma_sm90");
  EXPECT_EQ(made, wanted);
}

// What is built in has no reader who could be told: a row that cannot be read is found here.
TEST(WarpMmaProbes, EveryRowThatIsBuiltInCanBeRead) {
  EXPECT_EQ(warp_mma_probes_text(), file_text());
  const WarpMmaProbes read = read_warp_mma_probes(warp_mma_probes_text());
  for (const std::string& problem : read.problems) ADD_FAILURE() << problem;
  EXPECT_EQ(read.wgmma.size(), wgmma_probes().size());
  EXPECT_EQ(read.mma_sync.size(), mma_sync_probes().size());
  for (uint32_t i = 0; i < read.wgmma.size(); ++i) {
    WgmmaCase c;
    make_wgmma_probe({1, "", i, spec::Arch::sm_90}, c);
    EXPECT_TRUE(has_form(form_of(c))) << read.wgmma[i].id << " " << name_of(c.types);
  }
  for (uint32_t i = 0; i < read.mma_sync.size(); ++i) {
    MmaSyncCase c;
    make_mma_sync_probe({1, "", i, spec::Arch::sm_90}, c);
    EXPECT_TRUE(has_form(form_of(c))) << read.mma_sync[i].id << " " << name_of(c.types);
  }
}

struct Slip {
  std::string what, by, problem;  ///< text of row NP152, what stands there instead, and what is said of it
};

TEST(WarpMmaProbes, ARowWithASlipIsLeftOutAndNamed) {
  const std::string text = file_text();
  const size_t from = text.find("\nNP152,") + 1;
  const std::string names = text.substr(0, text.find('\n') + 1),
                    row = text.substr(from, text.find('\n', from) + 1 - from);
  const WarpMmaProbes right = read_warp_mma_probes(names + row);
  ASSERT_EQ(right.problems, std::vector<std::string>{});
  ASSERT_EQ(right.wgmma.size(), 1u);
  for (const Slip& slip : {
           Slip{",yes,", ",ja,", "'ja' of h200 is neither yes nor no"},
           Slip{",wgmma.f16.f16,", ",wgmma_f16,", "'wgmma_f16' is neither of wgmma nor of mma.sync"},
           Slip{",f16,f16,f16,", ",f17,f16,f16,", "'f17' is not a type of these instructions"},
           Slip{",f16,f16,f16,", ",f16,f16,bf16,", "'bf16' is not a type of these instructions"},
           Slip{",f16,f16,f16,", ",f16,f16,f32,", "'0000' is not a code of 32 bits"},
           Slip{",8000 8000 ", ",800 8000 ", "'800' is not a code of 16 bits"},
           Slip{",8000 8000 ", ",8000 80g0 ", "'80g0' is not a code of 16 bits"},
           Slip{",8000 8000 ", ",8000 ", "elements of 240 bits in all, not of 256"},
           Slip{",3c00 3c00 ", ",3c00 3c00 3c00 ", "elements of 272 bits in all, not of 256"},
           Slip{"-0=8000,", "-0,", "'-0' names no D"},
           Slip{"-0=8000,", "-0=800,", "'800' is not a code of 16 bits"},
           Slip{"|-0=8000,", ",", "one way to add tells nothing apart"},
           Slip{",T-FDPA,", ",", "21 cells, of 22 columns"},
       }) {
    std::string spoilt = row;
    ASSERT_NE(row.find(slip.what), std::string::npos) << slip.what << " is not in " << row;
    spoilt.replace(row.find(slip.what), slip.what.size(), slip.by);
    const WarpMmaProbes read = read_warp_mma_probes(names + spoilt + row);
    EXPECT_EQ(read.problems, std::vector<std::string>{"line 2: " + slip.problem});
    EXPECT_EQ(read.wgmma.size(), 1u) << "the row after it";
  }
  std::string other_names = names;
  other_names.replace(other_names.find(",hypotheses,"), 12, ",candidates,");
  EXPECT_EQ(read_warp_mma_probes(other_names + row).problems,
            std::vector<std::string>{"line 2: the column hypotheses is missing"});
}

}  // namespace
}  // namespace assay::gen
