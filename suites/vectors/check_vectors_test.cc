// SPDX-License-Identifier: Apache-2.0
// Rows in columns: parts of maps and copies, descriptors, mbarrier scripts, maps made bit by bit.
#include "suites/vectors/vector_rows_test.h"

namespace assay {
namespace {

constexpr std::string_view header = "id,kind,confidence,params,expected,notes,silicon\n";

RowResult check_sheet_row(const std::string& row) {
  return check_row(std::string(header) + row + "\n");
}

TEST(CheckVectors, SaysWhatIsWrongWithARowThatCannotBeRead) {
  const std::pair<std::string, std::string> rows[] = {
      {"A,SWZ,doc,mode=32;base=0x400;logical=0,physical=0,,confirmed", ""},
      {"A,SWZ,doc,mode=31;base=0x400;logical=0,physical=0,,confirmed", "'31' is not a swizzle"},
      {"A,SWZ,doc,base=0x400;logical=0,physical=0,,confirmed", "the key mode is missing"},
      {"A,SWZ,doc,mode=32;base=0x4g0;logical=0,physical=0,,confirmed", "'0x4g0' of base is not a number"},
      {"A,SWZ,doc,mode=32;base=0;logical=0|1,physical=0,,confirmed", "logical and physical differ in length"},
      {"A,SWZ,doc,mode=32;base=0;logical=0;colour=red,physical=0,,confirmed", "the key colour of params"},
      {"A,SWZ,doc,mode=32;base=0;logical=0,physical=0;more=1,,confirmed", "the key more of expected"},
      {"A,SWZ,doc,mode=32;base=0;base=1;logical=0,physical=0,,confirmed", "the key base occurs twice"},
      {"A,SWZ,doc,mode,physical=0,,confirmed", "'mode' is not key=value"},
      {"A,SWZ,doc,mode=32", "4 cells instead of 7"},
      {"A,PACK,doc,type=u8;dir=load;elems=1,gmem=00;smem=00,,confirmed", "'u8' is not a packed type"},
      {"A,SWZ,doc,mode=32;base=-1;logical=0,physical=0,,confirmed", "-1 of base is not 0 to 4294967295"},
      {"A,RED,doc,op=max;type=u64;gmem=9223372036854775807;smem=0x8000000000000000,result="
       "9223372036854775808,,"
       "confirmed",
       ""},
      {"A,RED,doc,op=max;type=u64;gmem=18446744073709551616;smem=0,result=0,,confirmed",
       "'18446744073709551616' of gmem is not a number"},
      {"A,RED,doc,op=max;type=u64;gmem=-16;smem=0,result=0,,confirmed",
       "-16 of gmem is not 0 to 18446744073709551615"},
  };
  for (const auto& [row, words] : rows) {
    const RowResult result = check_sheet_row(row);
    if (words.empty()) {
      EXPECT_EQ(result.verdict, RowVerdict::pass) << result.detail;
    } else {
      EXPECT_EQ(result.verdict, RowVerdict::malformed) << row;
      EXPECT_NE(result.detail.find(words), std::string::npos) << row << "\n" << result.detail;
    }
  }
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
    const RowResult result =
        check_row("id,name,steps,outcome,results,silicon_sm90\n" + std::string(row) + "\n");
    EXPECT_EQ(result.verdict, RowVerdict::pass) << row << result.detail;
  }
}

TEST(CheckVectors, AnUnknownClassOfDescriptorsIsListedNotSkipped) {
  EXPECT_EQ(check_row(spoilt({"vectors_descriptors.csv", "S000", "smem,", "tmem,", ""})).verdict,
            RowVerdict::unknown_kind);
}

TEST(CheckVectors, AnElementOfWgmmaHasOneTwoOrFourBytes) {
  const VectorReport report = check_vectors(
      "f.csv",
      "id,operand,major,elem_bytes,sparse_instr,mn_extent,k_extent,desc_hex,start,lbo,sbo,base,swizzle,"
      "points_mn:k:byte\n"
      "W000,A,K,2147483648,0,64,16,0x0000009815180900,0x9000,0x15180,0x980,0,none,0:0:0x9000\n");
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].verdict, RowVerdict::malformed);
  EXPECT_EQ(report.rows[0].detail, "elem_bytes 2147483648 is not 1, 2 or 4");
}

TEST(CheckVectors, UnknownKindsAreListedNotSkipped) {
  const VectorReport report = check_vectors(
      "f.csv", std::string(header) + "A,SWZBASE,doc,mode=96;dst=0x380,baseoffset=1,,confirmed\n\n" +
                   "B,QUX,doc,x=1,y=1,\"a, note\",confirmed\n");
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[0].verdict, RowVerdict::pass);
  EXPECT_EQ(report.rows[1].verdict, RowVerdict::unknown_kind);
  EXPECT_EQ(report.rows[1].line, 4);
  EXPECT_NE(report.text().find("f.csv:4: B QUX: unknown kind"), std::string::npos) << report.text();
  EXPECT_NE(report.text().find("2 rows, 1 pass, 1 unknown kind"), std::string::npos) << report.text();
}

TEST(CheckVectors, AnUnconfirmedRowGatesNothing) {
  const RowResult agrees = check_sheet_row("A,SWZBASE,unverified,mode=96;dst=0x380,baseoffset=1,,not run");
  EXPECT_EQ(agrees.verdict, RowVerdict::informative);
  const RowResult differs = check_sheet_row("A,SWZBASE,unverified,mode=96;dst=0x380,baseoffset=0,,not run");
  EXPECT_EQ(differs.verdict, RowVerdict::informative);
  EXPECT_NE(differs.detail.find("baseoffset"), std::string::npos);
}

TEST(CheckVectors, AFileOfAnotherFormatIsRefusedInASentence) {
  EXPECT_NE(check_vectors("x", "").problem.find("empty"), std::string::npos);
  EXPECT_NE(check_vectors("x", "id,class,variant\n1,2,3\n")
                .problem.find("a format of vectors that this program knows"),
            std::string::npos);
  EXPECT_FALSE(check_vectors("x", "").ok());
}

}  // namespace
}  // namespace assay
