// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_process_test.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"

namespace assay::cli {
namespace {

report::Ended explain(const std::string& words) {
  return report::shell(ASSAY_BINARY_DIR "/assay explain " + words);
}

const std::string sound = "encode_tiled --type bf16 --dims 128,64 --strides 256 --box 64,8";

TEST(Explain, NamesEveryRuleThatACallBreaks) {
  const report::Ended ended =
      explain("encode_tiled --type bf16 --dims 128,64 --strides 250 --box 7,300 --swizzle 128B");
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(
      ended.text,
      R"(cuTensorMapEncodeTiled of bf16, dims 128,64, strides 250, box 7,300, swizzle 128B, at 0x100000000
refused on sm_100: CUDA_ERROR_INVALID_VALUE
  V-12  every stride below the rank is a multiple of 16
        [driver, cuTensorMapEncodeTiled, globalStrides]
  V-15  every box extent below the rank is 1 to 256
        [driver, cuTensorMapEncodeTiled, boxDim]
  V-16  the inner box extent is a multiple of 16 bytes
        [driver, cuTensorMapEncodeTiled, boxDim; ptx, 5.5.3.1 dimension, size and stride requirements]
)");
}

TEST(Explain, ShowsTheBytesOfAnAcceptedCallAndWhatIsNotKnownOfThem) {
  const report::Ended ended = explain(sound + " --swizzle 128B");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.text.substr(ended.text.find("accepted")), R"(accepted on sm_100; the 128 bytes:
  0x00:  00 00 00 00 01 00 00 00 10 65 00 00 10 00 00 00
  0x10:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x20:  7f 00 00 00 3f 00 00 00 00 00 00 00 00 00 00 00
  0x30:  00 00 00 00 00 00 00 3f 07 00 00 00 00 00 00 00
  0x40:  00 04 00 00 00 00 00 00 00 04 00 00 00 00 00 00
  0x50:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x60:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x70:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
not known for sm_100, never observed: byte 0x0a bit 5, bytes 0x40 to 0x7f
)");
  EXPECT_EQ(explain(sound + " --arch sm_90").text.find("not known"), std::string::npos);
  EXPECT_NE(explain(sound + " --arch sm_120").text.find("has been neither published nor measured"),
            std::string::npos);
}

// A call whose answer rests on a question that no device of the architecture has decided says which.
TEST(Explain, NamesOpenQuestions) {
  const std::string narrow =
      "encode_tiled --type u8 --dims 128,64,2 --strides 128,8192 --box 7,8,1 --interleave 16B";
  const report::Ended on_sm_90 = explain(narrow + " --arch sm_90"), on_sm_100 = explain(narrow);
  EXPECT_EQ(on_sm_90.code, 1);  // measured there
  EXPECT_NE(on_sm_90.text.find("V-16"), std::string::npos) << on_sm_90.text;
  EXPECT_EQ(on_sm_90.text.find("open question"), std::string::npos) << on_sm_90.text;
  EXPECT_EQ(on_sm_100.code, 1);
  EXPECT_NE(on_sm_100.text.find("open question X-08 on sm_100 (assay describe X-08)"), std::string::npos)
      << on_sm_100.text;
}

TEST(Explain, TheOtherEncodersTakeCornersChannelsAndPixels) {
  const std::string im2col =
      " --type f16 --dims 64,20,10,6 --strides 128,4096,65536 --channels 64 --pixels 32 --swizzle 128B ";
  const report::Ended plain =
      explain("encode_im2col" + im2col + "--lower-corner=-1,-1 --upper-corner 0,0 --arch sm_90 --json");
  EXPECT_EQ(plain.code, 0) << plain.text;
  const nlohmann::json document = nlohmann::json::parse(plain.text);
  EXPECT_EQ(document.at("accepted"), true);
  EXPECT_EQ(document.at("map").get<std::string>().substr(96, 32), "000000000000003fffff00001f000000");
  EXPECT_EQ(document.at("defined"), std::string(256, 'f'));
  const report::Ended far =
      explain("encode_im2col" + im2col + "--lower-corner 30,-1 --upper-corner 0,0 --arch sm_90");
  EXPECT_EQ(far.code, 1);
  EXPECT_NE(far.text.find("V-34"), std::string::npos) << far.text;
  const report::Ended wide = explain("encode_im2col_wide" + im2col + "--lower-corner -1 --upper-corner 0");
  EXPECT_EQ(wide.code, 0) << wide.text;
  const report::Ended w128 = explain("encode_im2col_wide" + im2col +
                                     "--lower-corner -1 --upper-corner 0 --mode w128 --interleave 16B");
  EXPECT_EQ(w128.code, 1);
  EXPECT_NE(w128.text.find("V-39"), std::string::npos) << w128.text;
}

TEST(Explain, NumbersOfEnumeratorsThatThereAreNotAreRefusedByTheirRule) {
  for (const auto& [words, rule] :
       {std::pair{"--type 17 --dims 128 --box 64", "V-02"},
        {"--type u8 --dims 128 --box 64 --swizzle 9", "V-22"},
        {"--type u8 --dims 128 --box 64 --interleave 3", "V-21"},
        {"--type u8 --dims 128 --box 64 --l2-promotion 4", "V-28"},
        {"--type u8 --dims 128 --box 64 --fill 2", "V-29"},
        {"--type u8 --dims 128 --box 64 --fill nan", "V-27"},
        {"--type u8 --dims 1,1,1,1,1,1 --strides 16,16,16,16,16 --box 16,1,1,1,1,1", "V-03"}}) {
    const report::Ended ended = explain("encode_tiled " + std::string(words));
    EXPECT_EQ(ended.code, 1) << words << ended.text;
    EXPECT_NE(ended.text.find(std::string("  ") + rule + "  "), std::string::npos) << words << ended.text;
  }
}

TEST(Explain, WrongWordsEndWith64) {
  for (const auto& [words, why] :
       {std::pair<std::string, const char*>{"encode_tile --type u8 --dims 1", "did you mean 'encode_tiled'"},
        {"encode_tiled --dims 1", "missing option --type: "},
        {"encode_tiled --type bf17 --dims 1 --box 8", "did you mean 'bf16'"},
        {"encode_tiled --type u8 --dims 16", "--box: encode_tiled requires it"},
        {"encode_tiled --type u8 --dims 16,16 --box 16,16", "--strides: a map of rank 2 requires it"},
        {"encode_tiled --type u8 --dims 16,16 --strides 16,16 --box 16,16",
         "--strides: expected 1 number, one for each dimension above 0, but got 2"},
        {"encode_tiled --type u8 --dims 16,16 --strides 16 --box 16",
         "--box: expected 2 numbers, one per dimension, but got 1"},
        {"encode_tiled --type u8 --dims 16 --box 16 --pixels 3",
         "--pixels: encode_tiled takes no such argument"},
        {"encode_tiled --type u8 --dims 16 --box 16 --swizzle 12B",
         "unknown value '12B'; expected one of none 32B"},
        {"encode_tiled --type u8 --dims 16, --box 16", "--dims: a number is missing"},
        {"encode_tiled --type u8 --dims 16 --box 99999999999", "99999999999 has more than 32 bits"},
        {"encode_tiled --type u8 --dims 16 --box 16 --address here", "'here' is not a number"},
        {"encode_im2col --type u8 --dims 16,16,16 --strides 16,256",
         "--lower-corner: encode_im2col requires it"},
        {"encode_im2col --type u8 --dims 16,16,16 --strides 16,256 --lower-corner 0,0 --upper-corner 0 "
         "--channels 16 --pixels 1",
         "--lower-corner: expected 1 number, W first, but got 2"},
        {"encode_im2col_wide --type u8 --dims 16,16,16 --strides 16,256 --lower-corner 0 --upper-corner 0 "
         "--channels 16 --pixels 1 --mode h",
         "'h' is neither w nor w128"},
        {sound + " --arch sm_80", "unknown architecture 'sm_80'"}}) {
    const report::Ended ended = explain(words);
    EXPECT_EQ(ended.code, 64) << words << "\n" << ended.text;
    EXPECT_NE(ended.text.find(why), std::string::npos) << words << "\n" << ended.text;
  }
}

}  // namespace
}  // namespace assay::cli

/// `assay faults` as a user starts it.
namespace assay::cli {
namespace {

using report::Ended;

TEST(FaultsCommand, WritesPageTableAndACaseThatReplays) {
  const auto out = report::scratch_path("caught");
  const auto page = out / "page.md";
  const Ended ran =
      start("faults tx_16_long --budget 60s --jobs 1 --out " + out.string() + " --markdown " + page.string());
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("caught by tma.im2col.load after"), std::string::npos) << ran.text;
  for (const char* file : {"detection.html", "detection.md", "cases/tx_16_long.json"})
    EXPECT_TRUE(std::filesystem::exists(out / file)) << file;
  std::ifstream in(page);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(
      text.find("1 fault, tested 5 times on the architectures that have the affected feature: 5 caught,"),
      std::string::npos)
      << text;
  const Ended again = start("replay " + (out / "cases/tx_16_long.json").string() +
                            " --device emulator:sm_90a,fault=tx_16_long");
  EXPECT_EQ(again.code, 1) << again.text;
}

TEST(FaultsCommand, ASurvivorFailsTheRun) {
  // A property that never meets the step that is wrong.
  const Ended ran = start("faults tx_16_long --budget 2s --property mma_sync.f16 --out " +
                          report::scratch_path("survives").string());
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_NE(ran.text.find("SURVIVED"), std::string::npos) << ran.text;
}

TEST(FaultsCommand, RefusesUnknownNames) {
  const Ended unknown = start("faults no_such_fault --out " + report::scratch_path("unknown").string());
  EXPECT_EQ(unknown.code, 64) << unknown.text;
  EXPECT_NE(unknown.text.find("unknown fault 'no_such_fault'"), std::string::npos) << unknown.text;
}

}  // namespace
}  // namespace assay::cli

/// `assay first-contact` and `assay adopt` as a user starts them.
namespace assay::cli {
namespace {

using report::Ended;

/// The file of a device that departs from three defaults, one of them by a fault; made once.
const std::filesystem::path& file_of_three() {
  static const std::filesystem::path file = [] {
    const auto out = report::scratch_path("contact");
    std::filesystem::create_directories(out);
    const Ended ran = start(
        "first-contact --quiet --device "
        "emulator:sm_100a,reading=TMEM-AMB-01:C,reading=NUM-AMB-18:B,reading=TMA-AMB-33:B --out " +
        (out / "three.db").string());
    EXPECT_EQ(ran.code, 0) << ran.text;
    EXPECT_NE(ran.text.find("TMEM-AMB-01:C  rival adopted by"), std::string::npos) << ran.text;
    EXPECT_NE(ran.text.find("the device gives 59 of 59 words"), std::string::npos) << ran.text;
    return out / "three.db";
  }();
  return file;
}

std::filesystem::path copy_of_three(const char* name, const char* statement) {
  const auto to = report::scratch_path(name).string() + ".db";
  std::filesystem::copy_file(file_of_three(), to, std::filesystem::copy_options::overwrite_existing);
  report::Database db(to, SQLITE_OPEN_READWRITE);
  db.execute(statement);
  return to;
}

TEST(FirstContactCommand, TheFileSaysWhatTheDeviceDoes) {
  ASSERT_TRUE(std::filesystem::exists(file_of_three()));
  EXPECT_LT(std::filesystem::file_size(file_of_three()), 5'000'000u);
  const report::Results results = report::read_results(file_of_three());
  ASSERT_EQ(results.devices.size(), 1u);
  std::string departs;
  for (const report::ReadingRow& row : results.devices[0].readings)
    if (row.status == report::reading_adopted) departs += row.question + ":" + row.chosen_letter + " ";
  EXPECT_EQ(departs, "TMA-AMB-33:B NUM-AMB-18:B TMEM-AMB-01:C ");
  EXPECT_EQ(results.exit_code, 0);
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.published.size(), 22u);
}

TEST(FirstContactCommand, AdoptShowsTheChangesAndWritesThePage) {
  const auto page = report::scratch_path("page").string() + ".md";
  const Ended ran = start("adopt " + file_of_three().string() + " --page " + page);
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("TMA-AMB-33: P -> B by "), std::string::npos) << ran.text;
  EXPECT_NE(ran.text.find("3 defaults would change"), std::string::npos) << ran.text;
  EXPECT_NE(ran.text.find("are from an emulator and change no default"), std::string::npos) << ran.text;
  const std::string text = report::read_whole_file(page);
  EXPECT_NE(text.find("Evidence kind: **emulator sm_100**"), std::string::npos) << text;
  EXPECT_NE(text.find("| TMEM-AMB-01 | A | C | rival adopted | "), std::string::npos) << text;
}

TEST(FirstContactCommand, AdoptBelievesNothingThatItCannotRecompute) {
  const std::pair<const char*, const char*> lies[] = {
      {"UPDATE readings SET chosen_letter='A' WHERE question='NUM-AMB-18'", "NUM-AMB-18, case "},
      {"UPDATE readings SET deciding_cases=40 WHERE question='AMB-06'",
       "40 deciding cases are claimed, 4 are"},
      {"UPDATE deciding_cases SET bytes=zeroblob(length(bytes)) WHERE question='AMB-06'", "AMB-06, case "},
      {"UPDATE deciding_cases SET code=700 WHERE question='TMEM-AMB-01'", "TMEM-AMB-01, case "},
      {"UPDATE deciding_cases SET case_json='{}' WHERE question='AMB-06'", "AMB-06, case "},
      {"UPDATE readings SET question='AMB-99' WHERE question='AMB-06'",
       "is not a reading of an open question"}};
  for (const auto& [lie, words] : lies) {
    const Ended ran = start("adopt " + copy_of_three("lie", lie).string());
    EXPECT_EQ(ran.code, 1) << lie << ran.text;
    EXPECT_NE(ran.text.find("not confirmed: "), std::string::npos) << lie << ran.text;
    EXPECT_NE(ran.text.find(words), std::string::npos) << lie << ran.text;
  }
}

TEST(FirstContactCommand, AdoptRefusesOtherFiles) {
  const Ended ran = start("adopt " + copy_of_three("none", "DELETE FROM deciding_cases").string());
  EXPECT_EQ(ran.code, 2) << ran.text;
  EXPECT_NE(ran.text.find("holds no answers of a single device to open questions"), std::string::npos)
      << ran.text;
  EXPECT_EQ(start("adopt " ASSAY_SOURCE_DIR "/README.md").code, 2);
}

TEST(FirstContactCommand, TakesTenMinutesAtMostAndOneDevice) {
  const Ended late = start("first-contact --budget 11m --device emulator:sm_100a");
  EXPECT_EQ(late.code, 64) << late.text;
  EXPECT_NE(late.text.find("the maximum is 10 minutes"), std::string::npos) << late.text;
}

// What could not be asked any more is said, and what was is in the file.
TEST(FirstContactCommand, EndsWhenTimeIsUp) {
  const auto file = report::scratch_path("short").string() + ".db";
  const Ended ran = start("first-contact --quiet --budget 1ms --device emulator:sm_100a --out " + file);
  EXPECT_EQ(ran.code, 4) << ran.text;
  EXPECT_NE(ran.text.find("not decided: the time limit was reached before it was asked"), std::string::npos)
      << ran.text;
  EXPECT_TRUE(report::read_results(file).finished);
}

}  // namespace
}  // namespace assay::cli
