#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "generators/warp_mma_forms.h"
#include "generators/warp_mma_probes.h"
#include "reference/spec/formats.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {
namespace {

using Cells = std::map<std::string, std::string>;

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

TEST(WarpMmaProbes, AreTheRowsOfTheFileThatAnH200Decides) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/probes_numerics.csv");
  std::ostringstream text;
  text << file.rdbuf();
  const std::vector<CsvRow> rows = parse_csv(text.str());
  std::set<std::string> wanted, made;
  std::map<std::string, Cells> by_id;
  for (size_t i = 1; i < rows.size(); ++i) {
    Cells cells;
    for (size_t j = 0; j < rows[0].cells.size(); ++j) cells[rows[0].cells[j]] = rows[i].cells[j];
    by_id[cells["id"]] = cells;
    if (cells["h200"] == "yes" && cells["a_type"] != "f64") wanted.insert(cells["id"]);
  }
  const auto compare = [&](std::span<const gen::WarpMmaProbe> probes, const std::string& family) {
    for (const gen::WarpMmaProbe& probe : probes) {
      const std::string id(probe.id);
      made.insert(id);
      Cells& row = by_id[id];
      EXPECT_EQ(row["property"], probe.property) << id;
      EXPECT_EQ(row["hypotheses"], probe.candidates) << id;
      EXPECT_TRUE(row["param_set"].starts_with(family)) << id;
      std::string types = row["cd_type"] + "." + row["a_type"] + "." + row["b_type"];
      if (row["param_set"].ends_with(".sat")) types += ".satfinite";
      EXPECT_EQ(gen::name_of(probe.types), types) << id;
      const int bits = spec::find_format(row["a_type"])->storage_bits;
      EXPECT_EQ(codes(probe.operands.a_row, bits), codes(row["a"])) << id;
      EXPECT_EQ(codes(probe.operands.b_column, bits), codes(row["b"])) << id;
      EXPECT_EQ(probe.operands.c, codes(row["c"]).front()) << id;
    }
  };
  compare(gen::wgmma_probes(), "wgmma");
  compare(gen::mma_sync_probes(), "mma_sm90");
  EXPECT_EQ(made, wanted);
}

}  // namespace
}  // namespace assay::vectors
