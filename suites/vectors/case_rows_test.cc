// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/vector_rows_test.h"

namespace assay {
namespace {

struct FileOfCases {
  const char* name;
  size_t rows, informative;
};
void PrintTo(const FileOfCases& file, std::ostream* out) {
  *out << file.name;
}

class VectorFile : public testing::TestWithParam<FileOfCases> {};
TEST_P(VectorFile, PassesInEveryRow) {
  const auto& [name, rows, informative] = GetParam();
  const VectorReport report = check_vectors(name, vectors_text(name));
  ASSERT_EQ(report.problem, "");
  EXPECT_EQ(report.rows.size(), rows);
  EXPECT_EQ(report.count(RowVerdict::pass), rows - informative) << report.text().substr(0, 4000);
  EXPECT_EQ(report.count(RowVerdict::informative), informative) << report.text().substr(0, 4000);
  EXPECT_TRUE(report.ok());
  for (const RowResult& row : report.rows) {
    EXPECT_TRUE(row.verdict != RowVerdict::informative || row.detail.ends_with(", the reference agrees"))
        << row.id << " " << row.detail;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Files, VectorFile,
    testing::Values(
        FileOfCases{"probes_numerics.jsonl", 152, 0}, FileOfCases{"probes_nvf4_groups.jsonl", 327, 0},
        FileOfCases{"vectors_b200_published.jsonl", 59, 0}, FileOfCases{"vectors_bulk_copy.jsonl", 214, 0},
        FileOfCases{"vectors_bulk_reduce.jsonl", 701, 0}, FileOfCases{"vectors_descriptors.csv", 127, 0},
        FileOfCases{"vectors_descriptors.jsonl", 127, 0}, FileOfCases{"vectors_map_faults.csv", 205, 0},
        FileOfCases{"vectors_map_faults.jsonl", 99, 0}, FileOfCases{"vectors_mbarrier.csv", 207, 0},
        FileOfCases{"vectors_mbarrier_words.csv", 711, 0}, FileOfCases{"vectors_numerics.jsonl", 904, 2},
        FileOfCases{"vectors_rawmap.csv", 735, 0}, FileOfCases{"vectors_sparse_dots.jsonl", 310, 0},
        FileOfCases{"vectors_sparse_fragments.jsonl", 28, 0},
        FileOfCases{"vectors_tensor_copy.jsonl", 132, 11},
        FileOfCases{"vectors_tensormap_replace.jsonl", 557, 0}, FileOfCases{"vectors_tma.csv", 107, 2},
        FileOfCases{"vectors_wgmma.csv", 80, 0}));

// One thing wrong at a time: each must be seen, and named.
class SpoiltVector : public testing::TestWithParam<SpoiltRow> {};
TEST_P(SpoiltVector, FailsAndSaysWhere) {
  const RowResult result = check_row(spoilt(GetParam()));
  EXPECT_EQ(result.verdict, RowVerdict::fail) << result.detail;
  EXPECT_NE(result.detail.find(GetParam().detail), std::string::npos) << result.detail;
}
INSTANTIATE_TEST_SUITE_P(
    OfCases, SpoiltVector,
    testing::Values(
        SpoiltRow{"vectors_numerics.jsonl", "VN0003", "a892bf41", "a992bf41",
                  "byte 0: the row says a9, the reference a8"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0673", "969980397", "969980398",
                  "byte 0: the row says 62, the reference 63"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0568", "32639", "32640", "byte 1"},
        SpoiltRow{"probes_numerics.jsonl", "NP002", "803f", "813f", "byte 2"},
        SpoiltRow{"probes_nvf4_groups.jsonl", "T-tcgen05.nvf4.b16-262", "00b24fbd", "00b44fbd",
                  "byte 1: the row says b4, the reference b2"},
        SpoiltRow{"vectors_b200_published.jsonl", "SF-tf32-1", "7c7e34fc", "7d7e34fc", "byte 0"},
        SpoiltRow{"vectors_sparse_dots.jsonl", "SP0000", "3387738604", "3387738600", "byte"},
        SpoiltRow{"vectors_sparse_dots.jsonl", "SP0000", "7d7fa74a", "7c7fa74a", "byte 0"},
        SpoiltRow{"vectors_sparse_fragments.jsonl", "SF_f16_16_0", "\"ordered\":true",
                  "\"ordered\":true,\"selector\":1", "byte"},
        SpoiltRow{"vectors_bulk_reduce.jsonl", "BR0000", "00000080", "00000081", "byte 19: the row says 81"},
        SpoiltRow{"vectors_bulk_copy.jsonl", "BC153", "never_completes", "done",
                  "end: the row says done, the reference never_completes"},
        SpoiltRow{"vectors_bulk_copy.jsonl", "BC029", "2657950e", "2657950f", "output: the row says"},
        SpoiltRow{"vectors_map_faults.jsonl", "MF104", "misaligned_address", "done",
                  "the reference misaligned_address"},
        SpoiltRow{"vectors_tensormap_replace.jsonl", "RP0060", "\"value\":16", "\"value\":17",
                  "byte 55: the row says 0f, the reference 10"},
        SpoiltRow{"vectors_descriptors.jsonl", "S000", "800800000", "800800001",
                  "word: the row says 0x400800800001"},
        SpoiltRow{"vectors_descriptors.jsonl", "Z003", "\"column_shift\":2", "\"column_shift\":1", "word"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV031", "\"tx\":128", "\"tx\":32",
                  "tx: the row says 32, the reference 128"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV034", "e2fdff2a", "e2fdff2b",
                  "sources: the row says e2fdff2b"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV035", "\"tile_offset\":1408", "\"tile_offset\":1280",
                  "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV046", "f77f", "ff7f",
                  "byte 1042: the row says ff, the reference f7"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV144", "f23534c3", "f23534c4", "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV049", "[56,30,", "[56,29,", "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV052", "[0,4,7,7,0]", "[0,5,7,7,0]", "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV053", "\"offset\":[2,2,0]", "\"offset\":[2,1,0]",
                  "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV054", "[1,2,2,1,0]", "[1,2,1,1,0]", "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV073", "[56,0,40,", "[56,40,0,", "sources"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV075b", "\"tx\":1024", "\"tx\":1023", "tx"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV076a", "\"tx\":384", "\"tx\":256", "tx"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV078", "16384}", "8192}", "tx"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV081b", "\"tx\":512", "\"tx\":128", "tx"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV082c", "\"tx\":512", "\"tx\":1024", "tx"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV122", "V-32", "V-33",
                  "rule: the row says V-33, the reference V-50, V-32, V-35"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV122", "V-32", "V-320", "rule: the row says V-320"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV099", "\"end\":\"rejected\",\"rule\":\"V-05\"", "",
                  "end: the row says done, the reference rejected"}));

INSTANTIATE_TEST_SUITE_P(
    OfColumns, SpoiltVector,
    testing::Values(
        SpoiltRow{"vectors_tma.csv", "TV004", "physical=0|16|32", "physical=0|32|32", "place of byte 16"},
        SpoiltRow{"vectors_tma.csv", "TV020", "baseoffset=5", "baseoffset=4", "baseoffset"},
        SpoiltRow{"vectors_tma.csv", "TV086", "????", "0000", "smem after the load"},
        SpoiltRow{"vectors_tma.csv", "TV088", "smem=c7", "smem=c8", "gmem after the store"},
        SpoiltRow{"vectors_tma.csv", "TV090", "w08=00006310", "w08=00006300", "w08"},
        SpoiltRow{"vectors_tma.csv", "TV092", "w1c=000000f8", "w1c=00000008", "w1c"},
        SpoiltRow{"vectors_map_faults.csv", "MF104", ",MIS,", ",ok,",
                  "outcome: the row says ok, the reference MIS"},
        SpoiltRow{"vectors_map_faults.csv", "MF122", ",ok,", ",ADR,", "outcome: the row says ADR"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", ",800,", ",816,", "tx: the row says 816"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "16|11|7", "16|12|7", "map_crc"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "0006fffb", "0007fffb", "map_crc"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "000753a1", "000753a0",
                  "outcome: the row says ok, the reference ILL"},
        SpoiltRow{"vectors_rawmap.csv", "RM0060", "76|-2", "80|-2",
                  "outcome: the row says ILL, the reference ok"},
        SpoiltRow{"vectors_rawmap.csv", "RM0120", "00109cef", "00109ce0", "outcome: the row says MIS"},
        SpoiltRow{"vectors_descriptors.csv", "S031", "start=0x12400", "start=0x12410", "start"},
        SpoiltRow{"vectors_descriptors.csv", "S045", "atom_order=K", "atom_order=MN", "start"},
        SpoiltRow{"vectors_descriptors.csv", "S000", "LBO_B=2048", "LBO_B=1024", "word"},
        SpoiltRow{"vectors_descriptors.csv", "S000", "0x0000400800800000", "0x0000400800400000",
                  "element 0, 32"},
        SpoiltRow{"vectors_descriptors.csv", "A003", "mma_index=3", "mma_index=4", "byte 0"},
        SpoiltRow{"vectors_descriptors.csv", "I013", "N=64", "N=72", "word"},
        SpoiltRow{"vectors_descriptors.csv", "I045", "a_sf_id=3", "a_sf_id=2", "word"},
        SpoiltRow{"vectors_descriptors.csv", "Z003", "fs0..3=(1 1 0 0)", "fs0..3=(1 0 0 0)", "word"},
        SpoiltRow{"vectors_descriptors.csv", "Z016", "0x001A00880017130F", "0x001A00880017130E", "column"},
        SpoiltRow{"vectors_wgmma.csv", "W001", "63:15:0x319EE", "63:15:0x319FE", "byte of 63:15"},
        SpoiltRow{"vectors_wgmma.csv", "W003", ",3,32B", ",2,32B", "base"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0010", "7ffff3ff00000000", "7ffff3fe00000000", "step 2, arrive"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0013", "complete_tx(3)", "complete_tx(4)", "test_wait.parity"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0000", "init(0)", "init(1)", "outcome"}));

// What silicon has not confirmed gates nothing, so that the rows' own test would not notice a mistake here.
TEST(VectorsAlongW, AreComparedAsIfTheyWereConfirmed) {
  constexpr const char* file = "vectors_tensor_copy.jsonl";
  for (const SpoiltRow& row : {SpoiltRow{file, "TV064", "\"w_halo\":2", "\"w_halo\":1", "sources"},
                               SpoiltRow{file, "TV068", "\"w_offset\":1", "\"w_offset\":0", "sources"},
                               SpoiltRow{file, "TV069", "[1,3,1,1,1]", "[1,2,1,1,1]", "sources"},
                               SpoiltRow{file, "TV070", "4fb674d0", "4fb674d1", "sources"},
                               SpoiltRow{file, "TV070-plane", "TMA-AMB-13:B", "TMA-AMB-13:A", "sources"},
                               SpoiltRow{file, "TV079", "\"tx\":16640", "\"tx\":16384", "tx"},
                               SpoiltRow{file, "TV080", "\"tx\":17408", "\"tx\":16640", "tx"}}) {
    const RowResult open = check_row(spoilt(row));
    EXPECT_EQ(open.verdict, RowVerdict::informative) << open.detail;
    EXPECT_TRUE(open.detail.starts_with("unconfirmed, " + std::string(row.detail))) << open.detail;
  }
}

class UnreadableVector : public testing::TestWithParam<SpoiltRow> {};
TEST_P(UnreadableVector, IsMalformedInASentence) {
  const RowResult result = check_row(spoilt(GetParam()));
  EXPECT_EQ(result.verdict, RowVerdict::malformed) << result.detail;
  EXPECT_NE(result.detail.find(GetParam().detail), std::string::npos) << result.detail;
}
INSTANTIATE_TEST_SUITE_P(
    OfCases, UnreadableVector,
    testing::Values(
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "}", "", "the row is not an object of JSON"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"id\":", "\"name\":", "id is missing"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"id\":\"VN0001\"", "\"id\":1", "id is not a text"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"measured\":", "\"seen\":", "measured is missing"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"measured\":{\"bytes\":\"c2204279\"}",
                  "\"measured\":1", "measured is not an object"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "wgmma.f16\"", "wgmma.f15\"",
                  "the row: this program has no property 'wgmma.f15'"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"split\":1024", "\"split\":-1",
                  "the row: field 'split' of the case"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "c2204279", "c220427",
                  "bytes has an odd number of digits"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "c2204279", "c22042xy",
                  "'0xxy' of bytes is not a number"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "{\"bytes\"", "{\"at\":99999,\"bytes\"",
                  "bytes, the row more"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "{\"bytes\"", "{\"at\":-1,\"bytes\"",
                  "at is not a number from 0 on"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"bytes\"", "\"byte\"",
                  "'byte' is not end, at, bytes,"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "{\"bytes\"", "{\"end\":\"well\",\"bytes\"",
                  "'well' is not an end of a case"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "{\"bytes\"", "{\"tx\":0,\"bytes\"",
                  "tx and sources are of a tensor copy that is done"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "{\"bytes\"", "{\"operand\":\"a\",\"bytes\"",
                  "operand 'a' is not"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0568", "\"silicon\"", "\"on\":[\"sm_90\"],\"silicon\"",
                  "no architecture of the row has mma.scaled.mxf4"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"silicon\"", "\"on\":[\"sm_1\"],\"silicon\"",
                  "'sm_1' of on is not an architecture"},
        SpoiltRow{"vectors_numerics.jsonl", "VN0001", "\"silicon\"", "\"on\":1,\"silicon\"",
                  "on is not a list of architectures"},
        SpoiltRow{"vectors_descriptors.jsonl", "S000", "\"operand\":\"a\"", "\"operand\":\"c\"",
                  "operand 'c' is not a, b, idesc or mask"},
        SpoiltRow{"vectors_tensor_copy.jsonl", "TV031", "\"global_stride\":[128",
                  "\"global_stride\":[1048576", "the tensor is larger than 16 MiB"}));

INSTANTIATE_TEST_SUITE_P(
    OfColumns, UnreadableVector,
    testing::Values(
        SpoiltRow{"vectors_map_faults.csv", "MF104", ",load,", ",peek,",
                  "'peek' is not an operation on a map"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "im2col", "im2row",
                  "'im2row' is not a mode of an instruction"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "im2col,3", "im2col,2",
                  "rank 2 is not one of such an instruction"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "00000000 ", "", "the map has 15 words instead of 16"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", "16|11|7", "16|x|7", "of coords is not a number"},
        SpoiltRow{"vectors_rawmap.csv", "RM0070", ",1344,", ",2000000000,", "outside of shared memory"},
        SpoiltRow{"vectors_descriptors.csv", "S000", "elem_bits=4", "elem_bits=0", "elem_bits"},
        SpoiltRow{"vectors_descriptors.csv", "S000", "K_NONE", "K_31B", "'K_31B'"},
        SpoiltRow{"vectors_descriptors.csv", "S000", ";swz=0", "", "the key swz is missing"},
        SpoiltRow{"vectors_descriptors.csv", "I000", "f16,cta", "f17,cta", "'f17' is not a kind"},
        SpoiltRow{"vectors_descriptors.csv", "Z003", "(0 1 2 1)", "(0 1 2)", "not four numbers"},
        SpoiltRow{"vectors_wgmma.csv", "W001", ",MN,", ",NM,", "'NM' is not an order"},
        SpoiltRow{"vectors_wgmma.csv", "W001", "63:15:", "63-15:", "is not mn:k:byte"},
        SpoiltRow{"vectors_wgmma.csv", "W001", ",128B", "", "the row has"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0010", "->t0", "->t8", "'t8' is not a token"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0010", "arrive->", "arrives->", "is not an operation"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0010", ",ok,", ",OK,", "neither ok nor LF"},
        SpoiltRow{"vectors_mbarrier.csv", "MB0010", ",ok,0 ", ",ok,", "9 steps have 8 results"}));

TEST(CaseRows, KeepTheirLinesAndLeaveOutEmptyOnes) {
  const std::string row = spoilt({"vectors_bulk_copy.jsonl", "BC153", "", "", ""});
  const VectorReport report = check_vectors("f.jsonl", row + "\n" + row + "null");
  ASSERT_EQ(report.rows.size(), 3u);
  EXPECT_EQ(report.rows[1].line, 3);
  EXPECT_EQ(report.rows[1].verdict, RowVerdict::pass);
  EXPECT_EQ(report.rows[2].line, 4);
  EXPECT_EQ(report.rows[2].verdict, RowVerdict::malformed);
  EXPECT_FALSE(report.ok());
}

}  // namespace
}  // namespace assay
