// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <fstream>
#include <ostream>
#include <sstream>

#include "suites/vectors/check_vectors.h"

namespace assay {
namespace {

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(ASSAY_VECTORS) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_all(const std::string& name, size_t rows, size_t informative) {
  const VectorReport report = check_vectors(name, file_text(name));
  ASSERT_EQ(report.problem, "");
  EXPECT_EQ(report.rows.size(), rows);
  EXPECT_EQ(report.count(RowVerdict::pass), rows - informative) << report.text();
  EXPECT_EQ(report.count(RowVerdict::informative), informative) << report.text();
  EXPECT_TRUE(report.ok());
  for (const RowResult& row : report.rows) {
    EXPECT_TRUE(row.verdict != RowVerdict::informative || row.detail == "open question, the reference agrees")
        << row.id << " " << row.detail;
  }
}

TEST(NumericsRows, EveryDotProductOfTheFileByBothVersions) {
  expect_all("vectors_numerics.csv", 904, 2);
}
/// Worked out in rational numbers from the sentences of the rules on K of 96, by a program apart that gives
/// the rows of K of 64 of the file above too; 18 of them another sum than all six groups at once would miss.
TEST(NumericsRows, ProductsOf96) {
  expect_all("vectors_k96.csv", 66, 0);
}
TEST(NumericsRows, EveryProbeGivesTheRecommendedHypothesis) {
  expect_all("probes_numerics.csv", 158, 3);
}
TEST(NumericsRows, GroupsOfNvf4) {
  expect_all("probes_nvf4_groups.csv", 109, 0);
}
TEST(DescriptorRows, EveryDescriptorOfTheFile) {
  expect_all("vectors_descriptors.csv", 127, 0);
}
TEST(WgmmaRows, EveryMeasuredAddressOfTheFile) {
  expect_all("vectors_wgmma.csv", 80, 0);
}
TEST(MbarrierRows, EveryMeasuredStepOfTheFile) {
  expect_all("vectors_mbarrier.csv", 195, 0);
  expect_all("vectors_mbarrier_words.csv", 711, 0);
}

// Rows as those of the file: words that no init wrote, and tests of them.
TEST(MbarrierVectors, AWordWithBit42FailsWhateverLooksAtIt) {
  for (const char* row :
       {"A,word ffffffffffffffff: test,generic_store(0xffffffffffffffff) ; test_wait.parity(0),LF,,measured",
        "B,bit 42,generic_store(0x40000000000) ; test_wait.parity(1),LF,,measured",
        "C,bit 42,generic_store(0x40000000000) ; test_wait(t0),LF,,measured",
        "D,bit 42,generic_store(0x40000000000) ; expect_tx(16),LF,,measured",
        "E,all but bit 42,generic_store(0xfffffbffffffffff) ; test_wait.parity(0) ; "
        "test_wait.parity(1),ok,0 1 0,measured",
        "F,an init over it,generic_store(0xffffffffffffffff) ; init(1) ; test_wait.parity(0),ok,0 0 "
        "0,measured"}) {
    const VectorReport report =
        check_vectors("rows", "id,name,steps,outcome,results,silicon_sm90\n" + std::string(row) + "\n");
    EXPECT_EQ(report.count(RowVerdict::pass), 1u) << report.text();
  }
}

struct SpoiltNumbers {
  const char* file;
  const char* id;
  const char* what;
  const char* by;
  const char* detail;
};
/// Part of the test's name: without it that would be the bytes of the pointers, other ones in every process.
void PrintTo(const SpoiltNumbers& row, std::ostream* out) {
  *out << row.id << ' ' << row.what;
}

/// First line of the file and the row of that id with one piece of text replaced.
std::string spoilt(const SpoiltNumbers& how) {
  const std::string text = file_text(how.file);
  const size_t from = text.find("\n" + std::string(how.id) + ",") + 1;
  std::string row = text.substr(from, text.find('\n', from) - from);
  const size_t at = row.find(how.what);
  EXPECT_NE(at, std::string::npos) << how.id << " has no " << how.what;
  return text.substr(0, text.find('\n') + 1) + row.replace(at, std::string(how.what).size(), how.by) + "\n";
}

class SpoiltNumericsRow : public testing::TestWithParam<SpoiltNumbers> {};
TEST_P(SpoiltNumericsRow, FailsAndSaysWhere) {
  const VectorReport report = check_vectors("row", spoilt(GetParam()));
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].verdict, RowVerdict::fail) << report.rows[0].detail;
  EXPECT_NE(report.rows[0].detail.find(GetParam().detail), std::string::npos) << report.rows[0].detail;
}
INSTANTIATE_TEST_SUITE_P(
    Rows, SpoiltNumericsRow,
    testing::Values(
        SpoiltNumbers{"vectors_numerics.csv", "VN0003", "41bf92a8", "41bf92a9", "d, fast"},
        SpoiltNumbers{"vectors_numerics.csv", "VN0673", "39cfef62", "39cfef63", "d, exact"},
        SpoiltNumbers{"vectors_k96.csv", "K96002", "c38a4605", "c38a4606", "d, exact"},
        SpoiltNumbers{"vectors_numerics.csv", "VN0568", "7f 7f,7f 7f", "7f 80,7f 7f", "d, fast"},
        SpoiltNumbers{"probes_numerics.csv", "NP002", "F=25,3f800001", "F=25,3f800000", "d, exact"},
        SpoiltNumbers{"vectors_descriptors.csv", "S031", "start=0x12400", "start=0x12410", "start"},
        SpoiltNumbers{"vectors_descriptors.csv", "S045", "atom_order=K", "atom_order=MN", "start"},
        SpoiltNumbers{"vectors_descriptors.csv", "S000", "LBO_B=2048", "LBO_B=1024", "word"},
        SpoiltNumbers{"vectors_descriptors.csv", "S000", "0x0000400800800000", "0x0000400800400000",
                      "element 0, 32"},
        SpoiltNumbers{"vectors_descriptors.csv", "A003", "mma_index=3", "mma_index=4", "byte 0"},
        SpoiltNumbers{"vectors_descriptors.csv", "I013", "N=64", "N=72", "word"},
        SpoiltNumbers{"vectors_descriptors.csv", "I045", "a_sf_id=3", "a_sf_id=2", "word"},
        SpoiltNumbers{"vectors_descriptors.csv", "Z003", "fs0..3=(1 1 0 0)", "fs0..3=(1 0 0 0)", "word"},
        SpoiltNumbers{"vectors_descriptors.csv", "Z016", "0x001A00880017130F", "0x001A00880017130E",
                      "column"},
        SpoiltNumbers{"vectors_wgmma.csv", "W001", "63:15:0x319EE", "63:15:0x319FE", "byte of 63:15"},
        SpoiltNumbers{"vectors_wgmma.csv", "W003", ",3,32B", ",2,32B", "base"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0010", "7ffff3ff00000000", "7ffff3fe00000000",
                      "step 2, arrive"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0013", "complete_tx(3)", "complete_tx(4)",
                      "test_wait.parity"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0000", "init(0)", "init(1)", "outcome"}));

class UnreadableRow : public testing::TestWithParam<SpoiltNumbers> {};
TEST_P(UnreadableRow, IsMalformedInASentence) {
  const VectorReport report = check_vectors("row", spoilt(GetParam()));
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].verdict, RowVerdict::malformed) << report.rows[0].detail;
  EXPECT_NE(report.rows[0].detail.find(GetParam().detail), std::string::npos) << report.rows[0].detail;
}
INSTANTIATE_TEST_SUITE_P(
    Rows, UnreadableRow,
    testing::Values(
        SpoiltNumbers{"vectors_numerics.csv", "VN0001", "cd12 ", "", "a has 15 codes, 16 are needed"},
        SpoiltNumbers{"vectors_numerics.csv", "VN0001", "cd12 ", "xyz ", "'xyz' of a"},
        SpoiltNumbers{"vectors_numerics.csv", "VN0001", ",f16,f16,", ",f15,f16,",
                      "'f15' is not an element format"},
        SpoiltNumbers{"vectors_numerics.csv", "VN0001", ",16,", ",0,", "K of 0"},
        SpoiltNumbers{"vectors_descriptors.csv", "S000", "elem_bits=4", "elem_bits=0", "elem_bits"},
        SpoiltNumbers{"vectors_descriptors.csv", "S000", "K_NONE", "K_31B", "'K_31B'"},
        SpoiltNumbers{"vectors_descriptors.csv", "S000", ";swz=0", "", "the key swz is missing"},
        SpoiltNumbers{"vectors_descriptors.csv", "I000", "f16,cta", "f17,cta", "'f17' is not a kind"},
        SpoiltNumbers{"vectors_descriptors.csv", "Z003", "(0 1 2 1)", "(0 1 2)", "not four numbers"},
        SpoiltNumbers{"vectors_wgmma.csv", "W001", ",MN,", ",NM,", "'NM' is not an order"},
        SpoiltNumbers{"vectors_wgmma.csv", "W001", "63:15:", "63-15:", "is not mn:k:byte"},
        SpoiltNumbers{"vectors_wgmma.csv", "W001", ",128B", "", "the row has"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0010", "->t0", "->t8", "'t8' is not a token"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0010", "arrive->", "arrives->", "is not an operation"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0010", ",ok,", ",OK,", "neither ok nor LF"},
        SpoiltNumbers{"vectors_mbarrier.csv", "MB0010", ",ok,0 ", ",ok,", "9 steps have 8 results"}));

TEST(NumericsRows, UnknownKindsAreListedNotSkipped) {
  const VectorReport kind =
      check_vectors("row", spoilt({"vectors_numerics.csv", "VN0001", "T-FDPA", "U-FDPA", ""}));
  EXPECT_EQ(kind.rows.at(0).verdict, RowVerdict::unknown_kind);
  const VectorReport family =
      check_vectors("row", spoilt({"vectors_numerics.csv", "VN0001", "wgmma,T", "hmma,T", ""}));
  EXPECT_EQ(family.rows.at(0).verdict, RowVerdict::unknown_kind);
  EXPECT_NE(family.rows.at(0).detail.find("family hmma"), std::string::npos) << family.rows[0].detail;
  const VectorReport desc =
      check_vectors("row", spoilt({"vectors_descriptors.csv", "S000", "smem,", "tmem,", ""}));
  EXPECT_EQ(desc.rows.at(0).verdict, RowVerdict::unknown_kind);
}

std::string text_of(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(ASSAY_VECTORS) + "/" + name).rdbuf();
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
