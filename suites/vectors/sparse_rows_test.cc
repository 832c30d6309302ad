// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "suites/vectors/check_vectors.h"

namespace assay {
namespace {

std::string text_of(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/" + name).rdbuf();
  return text.str();
}

TEST(SparseVectors, EveryMeasuredRowPasses) {
  for (const auto& [name, rows] :
       {std::pair{"vectors_sparse_dots.csv", 310u}, {"vectors_sparse_fragments.csv", 28u}}) {
    const VectorReport report = check_vectors(name, text_of(name));
    EXPECT_EQ(report.problem, "");
    EXPECT_EQ(report.rows.size(), rows);
    EXPECT_EQ(report.count(RowVerdict::pass), rows) << report.text().substr(0, 4000);
  }
}

/// The first row of a file with one piece of text replaced.
RowResult spoilt(const std::string& name, size_t row, const std::string& what, const std::string& by) {
  const std::string text = text_of(name);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const size_t at = lines[row].find(what);
  EXPECT_NE(at, std::string::npos);
  lines[row].replace(at, what.size(), by);
  return check_vectors(name, lines[0] + "\n" + lines[row] + "\n").rows.at(0);
}

TEST(SparseVectors, ACodeOrAResultThatIsWrongShows) {
  const std::string dots = "vectors_sparse_dots.csv", fragments = "vectors_sparse_fragments.csv";
  EXPECT_EQ(spoilt(dots, 1, ",ce9c,", ",ce98,").verdict, RowVerdict::fail);
  EXPECT_EQ(spoilt(dots, 1, "4aa77f7d", "4aa77f7c").verdict, RowVerdict::fail);
  EXPECT_EQ(spoilt(fragments, 1, "988cc9ec", "988cc9e8").verdict, RowVerdict::fail);
  EXPECT_EQ(spoilt(fragments, 1, ".f32,0,32,", ".f32,1,32,").verdict, RowVerdict::fail);
}

TEST(SparseVectors, ARowThatCannotBeReadSaysWhy) {
  const std::string dots = "vectors_sparse_dots.csv", fragments = "vectors_sparse_fragments.csv";
  EXPECT_EQ(spoilt(dots, 1, ",ce9c,", ",ce9,").detail, "metadata of ce9 is not 4 hexadecimal digits");
  EXPECT_EQ(spoilt(dots, 1, ",0,16,", ",0,17,").detail, "K of 17 is not whole chunks of metadata");
  EXPECT_EQ(spoilt(dots, 1, "mma.sp::ordered_metadata", "mma").verdict, RowVerdict::malformed);
  EXPECT_EQ(spoilt(fragments, 1, ",0,32,", ",7,32,").detail, "selector of 7 is not 0 to 3");
  EXPECT_EQ(spoilt(fragments, 1, "m16n8k16", "m16n8").verdict, RowVerdict::malformed);
}

}  // namespace
}  // namespace assay
