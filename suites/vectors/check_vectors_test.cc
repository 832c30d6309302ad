// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/check_vectors.h"

#include <gtest/gtest.h>

#include <fstream>
#include <ostream>
#include <sstream>

#include "devices/device.h"

namespace assay {
namespace {

std::string tma_vectors() {
  std::ifstream file(std::string(ASSAY_VECTORS) + "/vectors_tma.csv");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr std::string_view header = "id,kind,confidence,params,expected,notes,silicon\n";

RowResult check_row(const std::string& row) {
  const VectorReport report = check_vectors("row", std::string(header) + row + "\n");
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.rows.size(), 1u);
  return report.rows.at(0);
}

/// The row of the file with that id, with one piece of text replaced.
std::string spoilt(std::string_view id, std::string_view what, std::string_view by) {
  const std::string text = tma_vectors();
  const size_t from = text.find("\n" + std::string(id) + ",") + 1;
  std::string row = text.substr(from, text.find('\n', from) - from);
  const size_t at = row.find(what);
  EXPECT_NE(at, std::string::npos) << id << " has no " << what;
  return row.replace(at, what.size(), by);
}

TEST(CheckVectors, EveryCoveredRowOfTheTmaFilePasses) {
  const VectorReport report = check_vectors("vectors_tma.csv", tma_vectors());
  ASSERT_EQ(report.problem, "");
  EXPECT_EQ(report.rows.size(), 227u);
  EXPECT_EQ(report.count(RowVerdict::fail), 0u) << report.text();
  EXPECT_EQ(report.count(RowVerdict::malformed), 0u) << report.text();
  EXPECT_EQ(report.count(RowVerdict::unknown_kind), 0u) << report.text();
  EXPECT_TRUE(report.ok());
  // Nothing is left out: what does not pass awaits other silicon, or belongs to a family named in the text.
  for (const RowResult& row : report.rows) {
    if (row.verdict != RowVerdict::informative) continue;
    EXPECT_EQ(row.detail, "unconfirmed, the reference agrees") << row.id;
  }
  EXPECT_EQ(report.count(RowVerdict::pass) + report.count(RowVerdict::informative), 227u);
  EXPECT_EQ(report.count(RowVerdict::pass), 215u) << report.text();
}

struct Spoilt {
  const char* id;
  const char* what;
  const char* by;
  const char* detail;
};
/// Part of the test's name: without it that would be the bytes of the pointers, other ones in every process.
void PrintTo(const Spoilt& row, std::ostream* out) {
  *out << row.id << ' ' << row.what;
}

// One number wrong at a time: each must be seen, and named.
class SpoiltRow : public testing::TestWithParam<Spoilt> {};
TEST_P(SpoiltRow, Fails) {
  const RowResult result = check_row(spoilt(GetParam().id, GetParam().what, GetParam().by));
  EXPECT_EQ(result.verdict, RowVerdict::fail) << result.detail;
  EXPECT_NE(result.detail.find(GetParam().detail), std::string::npos) << result.detail;
}
INSTANTIATE_TEST_SUITE_P(
    Rows, SpoiltRow,
    testing::Values(
        Spoilt{"TV004", "physical=0|16|32", "physical=0|32|32", "place of byte 16"},
        Spoilt{"TV020", "baseoffset=5", "baseoffset=4", "baseoffset"},
        Spoilt{"TV031", "tx=128", "tx=32", "tx"}, Spoilt{"TV034", "crc=e2fdff2a", "crc=e2fdff2b", "crc"},
        Spoilt{"TV035", "base=0x580", "base=0x500", "crc"}, Spoilt{"TV046", "0x7ff7", "0x7fff", "fillhalf"},
        Spoilt{"TV047", "extent=1024", "extent=928", "extent"},
        Spoilt{"TV032", "fillbytes=80", "fillbytes=79", "fillbytes"},
        Spoilt{"TV041", "54:3126", "54:3125", "source of byte 54"},
        Spoilt{"TV040", "n=32|3", "n=32|2", "n: the row says"},
        Spoilt{"TV144", "written=64", "written=34", "written"},
        Spoilt{"TV049", "last=4095:47", "last=4095:46", "last"}, Spoilt{"TV076", "tx=384", "tx=256", "tx"},
        Spoilt{"TV082", "tx=512", "tx=1024", "tx"}, Spoilt{"TV086", "????", "0000", "smem after the load"},
        Spoilt{"TV088", "smem=c7", "smem=c8", "gmem after the store"},
        Spoilt{"TV090", "w08=00006310", "w08=00006300", "w08"},
        Spoilt{"TV092", "w1c=000000f8", "w1c=00000008", "w1c"},
        Spoilt{"TV052", "pixcrc=ba1bd175", "pixcrc=ba1bd176", "pixcrc"},
        Spoilt{"TV052", "coords=0|4|7|7", "coords=0|5|7|7", "first"},
        Spoilt{"TV053", "offs=2|2", "offs=2|1", "mapcrc"},
        Spoilt{"TV054", "estr=1|2|2|1", "estr=1|2|1|1", "last"},
        Spoilt{"TV063", "fillbytes=256", "fillbytes=255", "fillbytes"},
        Spoilt{"TV078", "tx=16384", "tx=8192", "tx"}, Spoilt{"TV122", "V-32", "V-33", "rule"},
        Spoilt{"TV099", "CUDA_ERROR_INVALID_VALUE", "CUDA_SUCCESS", "result"},
        Spoilt{"TV100", "V-12", "V-13", "rule"}, Spoilt{"TV072", "tx=128", "tx=32", "tx"},
        Spoilt{"TV073", "fillbytes=96", "fillbytes=95", "fillbytes"},
        Spoilt{"TV073", "coords=56|0|40", "coords=56|40|0", "source of byte 0"},
        Spoilt{"TV074", "crc=60a80c77", "crc=60a80c76", "crc"}, Spoilt{"TV081", "tx=512", "tx=128", "tx"}));

/// A row that nobody has confirmed, as if somebody had.
RowResult check_as_confirmed(std::string row) {
  constexpr std::string_view unconfirmed = ",unverified,";
  const size_t at = row.find(unconfirmed);
  EXPECT_NE(at, std::string::npos) << row;
  return check_row(row.replace(at, unconfirmed.size(), ",derived,"));
}

// What silicon has not confirmed gates nothing, so that the rows' own test would not notice a mistake here.
TEST(CheckVectors, RowsAlongWAreComparedInEveryValue) {
  for (const char* id :
       {"TV064", "TV065", "TV066", "TV067", "TV068", "TV069", "TV070", "TV071", "TV079", "TV080"})
    EXPECT_EQ(check_as_confirmed(spoilt(id, "", "")).verdict, RowVerdict::pass)
        << id << check_as_confirmed(spoilt(id, "", "")).detail;
  const Spoilt rows[] = {{"TV064", "halo=(5 2 n21)", "halo=(6 2 n21)", "halo"},
                         {"TV064", "wHalo=2", "wHalo=1", "rows"},
                         {"TV065", "oobmain=26", "oobmain=25", "oobmain"},
                         {"TV066", "boxhi=9", "boxhi=8", "boxhi"},
                         {"TV067", "lastmain=(2 2 n49)", "lastmain=(2 2 n48)", "lastmain"},
                         {"TV068", "wOffset=1", "wOffset=0", "first"},
                         {"TV069", "strideW=3", "strideW=2", "pixcrc"},
                         {"TV070", "(4 2 n14)", "(3 2 n14)", "halo"},
                         {"TV070", "pixcrc_inline=c8", "pixcrc_inline=c9", "pixcrc_inline"},
                         {"TV070", "pixcrc_plane=c4", "pixcrc_plane=c5", "pixcrc_plane"},
                         {"TV071", "oobhalo=1", "oobhalo=0", "oobhalo"},
                         {"TV079", "tx=16640", "tx=16384", "tx"},
                         {"TV080", "tx=17408", "tx=16640", "tx"}};
  for (const Spoilt& row : rows) {
    const RowResult result = check_as_confirmed(spoilt(row.id, row.what, row.by));
    EXPECT_EQ(result.verdict, RowVerdict::fail) << row.id << result.detail;
    EXPECT_NE(result.detail.find(row.detail), std::string::npos) << result.detail;
  }
}

TEST(CheckVectors, CopiesAndCallsAreRunOnADevice) {
  // What an architecture lacks is not run there: wide atoms, packed types, four rows, walks along W.
  const std::pair<const char*, size_t> devices[] = {{"emulator:sm_90a", 0},
                                                    {"emulator:sm_100a", 110},
                                                    {"emulator:sm_100a,fault=gather4_rows_reversed", 110}};
  for (const auto& [spec, count] : devices) {
    const std::unique_ptr<Device> device = open_device(spec, DeviceLimits{});
    const VectorReport report = check_vectors("vectors_tma.csv", tma_vectors(), device.get());
    if (count == 0)
      EXPECT_GT(report.ran, 80u) << report.text();
    else
      EXPECT_EQ(report.ran, count) << report.text();
    const bool is_sound = std::string_view(spec).find("fault") == std::string_view::npos;
    EXPECT_EQ(report.count(RowVerdict::fail), is_sound ? 0u : 3u) << report.text();
  }
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
      {"A,TILE,doc,rank=9;esize=4;dims=1;strides=;box=4;estr=1;coords=0;swz=none;base=0;fill=zero,n=1,,"
       "confirmed",
       "rank 9 is not 1 to 5"},
      {"A,TILE,doc,rank=1;esize=4;dims=8;strides=;box=3;estr=1;coords=0;swz=none;base=0;fill=zero,n=1,,"
       "confirmed",
       "V-16"},
      {"A,TILE,doc,rank=1;esize=4;dims=9999999999;strides=;box=4;estr=1;coords=0;swz=none;base=0;fill=zero,n="
       "1,,confirmed",
       "V-09"},
      {"A,PACK,doc,type=u8;dir=load;elems=1,gmem=00;smem=00,,confirmed", "'u8' is not a packed type"},
      {"A,TXB,doc,case=teleport;box=1,tx=1,,confirmed", "'teleport' is not a case"},
      {"A,TILE,doc,rank=1;esize=4;dims=-1;strides=;box=4;estr=1;coords=0;swz=none;base=0;fill=zero,n=1,,"
       "confirmed",
       "-1 of dims is not 0 to 18446744073709551615"},
      {"A,TILE,doc,rank=1;esize=4;dims=8;strides=;box=4294967300;estr=1;coords=0;swz=none;base=0;fill=zero,n="
       "1,,"
       "confirmed",
       "4294967300 of box is not 0 to 4294967295"},
      {"A,STORE,doc,rank=1;esize=4;dims=8;strides=;box=4;estr=1;coords=0;swz=none;base=2147483648,written=8,,"
       "confirmed",
       "the tile extends past the 228 KiB of shared memory"},
      {"A,SWZ,doc,mode=32;base=-1;logical=0,physical=0,,confirmed", "-1 of base is not 0 to 4294967295"},
      {"A,TXB,doc,case=tile;box=8|8;estr=1|0;esize=4;oob=any,tx=256,,confirmed", "V-18"},
      {"A,TXB,doc,case=tile;box=2147483648;estr=1;esize=4;oob=all,tx=256,,confirmed", "V-15"},
  };
  for (const auto& [row, words] : rows) {
    const RowResult result = check_row(row);
    if (words.empty()) {
      EXPECT_EQ(result.verdict, RowVerdict::pass) << result.detail;
    } else {
      EXPECT_EQ(result.verdict, RowVerdict::malformed) << row;
      EXPECT_NE(result.detail.find(words), std::string::npos) << row << "\n" << result.detail;
    }
  }
}

TEST(CheckVectors, ReadsNumbersOfAllSixtyFourBits) {
  const auto of = [](const std::string& rank_dims_stride, const std::string& expected) {
    return check_row("A,VAL,doc,api=Tiled;type=FLOAT16;addr=0x1000;" + rank_dims_stride +
                     ";il=NONE;sw=NONE;oob=NONE," + expected + ",,confirmed");
  };
  for (const std::string stride : {"9223372036854775808", "0x8000000000000000", "18446744073709551600"}) {
    // A stride that the rank does not use may be anything.
    const RowResult unused =
        of("rank=1;dims=64;strides=" + stride + ";box=8;estr=1", "result=CUDA_SUCCESS;rule=baseline");
    EXPECT_EQ(unused.verdict, RowVerdict::pass) << stride << ": " << unused.detail;
    const RowResult used = of("rank=2;dims=64|4;strides=" + stride + ";box=8|4;estr=1|1",
                              "result=CUDA_ERROR_INVALID_VALUE;rule=V-13");
    EXPECT_EQ(used.verdict, RowVerdict::pass) << stride << ": " << used.detail;
  }
  const std::pair<const char*, const char*> unreadable[] = {
      {"18446744073709551616", "'18446744073709551616' of strides is not a number"},
      {"-16", "-16 of strides is not 0 to 18446744073709551615"}};
  for (const auto& [stride, words] : unreadable) {
    const RowResult result = of("rank=1;dims=64;strides=" + std::string(stride) + ";box=8;estr=1",
                                "result=CUDA_SUCCESS;rule=baseline");
    EXPECT_EQ(result.verdict, RowVerdict::malformed);
    EXPECT_NE(result.detail.find(words), std::string::npos) << result.detail;
  }
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
  const RowResult agrees = check_row("A,SWZBASE,unverified,mode=96;dst=0x380,baseoffset=1,,not run");
  EXPECT_EQ(agrees.verdict, RowVerdict::informative);
  const RowResult differs = check_row("A,SWZBASE,unverified,mode=96;dst=0x380,baseoffset=0,,not run");
  EXPECT_EQ(differs.verdict, RowVerdict::informative);
  EXPECT_NE(differs.detail.find("baseoffset"), std::string::npos);
}

TEST(CheckVectors, AFileOfAnotherFormatIsRefusedInASentence) {
  EXPECT_NE(check_vectors("x", "").problem.find("empty"), std::string::npos);
  EXPECT_NE(check_vectors("x", "id,class,variant\n1,2,3\n").problem.find("no format of vectors"),
            std::string::npos);
  EXPECT_FALSE(check_vectors("x", "").ok());
}

}  // namespace
}  // namespace assay
