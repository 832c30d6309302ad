// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "cli/run_process_test.h"
#include "reference/spec/arch.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"
#include "reports/verdict.h"

/// The program as a user starts it: what it prints and how it ends.
namespace assay::cli {
namespace {

using report::Ended;

/// By a shell that a command has changed.
Ended start_after(const std::string& command, const std::string& arguments) {
  return report::shell("bash -c '" + command + "; " + ASSAY_BINARY_DIR + "/assay " + arguments + "'");
}

std::string program_folder(const std::string& name) {
  return report::scratch_path(name).string();
}

TEST(Program, ConformingRunEndsWith0AndLeavesThreeFiles) {
  const std::string out = program_folder("conforms");
  const Ended run = start("run tma.tiled.load --device emulator:sm_90a --cases 40 --out " + out);
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_TRUE(says(run, "EMULATOR sm_90")) << run.text;
  EXPECT_FALSE(says(run, "SILICON")) << run.text;
  for (const char* file : {"results.db", "junit.xml", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
}

TEST(Program, WhatNoAssemblerKnowsIsDocumentedAndNotAssembledAndNeverPasses) {
  // An assembler of PTX 9.2 that takes whatever it is given, but for sm_107a.
  const std::string ptxas = program_folder("ptxas_9_2");
  std::ofstream(ptxas) << "#!/bin/sh\ngrep -q 'target sm_107a' \"$3\" && exit 1\n"
                       << "grep -q '^.version 9.[012]$' \"$3\"\n";
  chmod(ptxas.c_str(), 0700);
  const std::string asked = "export ASSAY_PTXAS=" + ptxas, out = program_folder("not_assembled");
  const Ended run =
      start_after(asked, "run assembler.ptxas.later_forms --device emulator:sm_107a --cases 60 --out " + out);
  EXPECT_EQ(run.code, report::exit_could_not_run) << run.text;
  EXPECT_TRUE(says(run, "DOCUMENTED, NOT ASSEMBLED")) << run.text;
  EXPECT_TRUE(says(run, "no case was judged")) << run.text;
  const report::PropertyResult property =
      report::read_results(out + "/results.db").devices.at(0).properties.at(0);
  EXPECT_EQ(property.verdict, report::Verdict::not_assembled);
  EXPECT_EQ(property.counts[static_cast<size_t>(report::Verdict::not_assembled)], 60u);
  EXPECT_EQ(property.counts[static_cast<size_t>(report::Verdict::conforms)], 0u);
  for (const auto& [file, words] :
       {std::pair{"/junit.xml", "<skipped message=\"assembler.ptxas.later_forms: 60 of"},
        std::pair{"/report.html", "<span class=\"v off\">documented, not assembled"}})
    EXPECT_NE(report::read_whole_file(out + file).find(words), std::string::npos) << file;
  // Of another target some forms are known, and this assembler is wrong about those.
  const Ended some =
      start_after(asked, "run assembler.ptxas.later_forms --device emulator:sm_90a --cases 400 --out " + out +
                             " --force");
  EXPECT_EQ(some.code, report::exit_violation) << some.text;
  const report::VerdictCounts counts =
      report::read_results(out + "/results.db").devices.at(0).properties.at(0).counts;
  for (const report::Verdict verdict :
       {report::Verdict::conforms, report::Verdict::violates, report::Verdict::not_assembled})
    EXPECT_GT(counts[static_cast<size_t>(verdict)], 0u) << report::name(verdict);
}

TEST(Program, ViolationEndsWith1AndItsReplayLineRepeatsIt) {
  const std::string out = program_folder("violates");
  const Ended run = start(
      "run tma.tiled.load --device emulator:sm_90a,fault=swizzle_128b_bit_dropped --cases 200 --out " + out);
  EXPECT_EQ(run.code, 1) << run.text;
  const size_t at = run.text.find("assay replay ");
  ASSERT_NE(at, std::string::npos) << run.text;
  const Ended again = start(run.text.substr(at + 6, run.text.find('\n', at) - at - 6));
  EXPECT_EQ(again.code, 1) << again.text;
}

TEST(Program, VerifyConfirmsARunAndNamesATamperedReportOrDatabase) {
  const std::string out = program_folder("verify");
  const Ended run = start(
      "run tma.tiled.load 'driver.*' --device emulator:sm_90a,fault=encoder_box_range_unchecked --cases 400 "
      "--out " +
      out);
  EXPECT_EQ(run.code, 1) << run.text;
  const std::string verify = "verify " + out + "/report.html " + out + "/results.db";
  const Ended honest = start(verify);
  EXPECT_EQ(honest.code, 0) << honest.text;
  EXPECT_TRUE(says(honest, "confirmed: the counts of")) << honest.text;

  std::stringstream page;
  page << std::ifstream(out + "/report.html").rdbuf();
  std::string text = page.str();
  const size_t at = text.find("violates");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 8, "conforms");
  std::ofstream(out + "/forged.html") << text;
  const Ended forged = start("verify " + out + "/forged.html " + out + "/results.db");
  EXPECT_EQ(forged.code, 1) << forged.text;
  EXPECT_TRUE(says(forged, "forged.html, line")) << forged.text;
  EXPECT_TRUE(says(forged, "conforms")) << forged.text;

  // Verdict and counts of the database alone: its report is made anew, the raw results are not.
  std::filesystem::copy_file(out + "/results.db", out + "/forged.db");
  report::Database(out + "/forged.db", SQLITE_OPEN_READWRITE)
      .execute(
          "UPDATE verdict_counts SET verdict='waived' WHERE verdict='violates'; UPDATE run SET exit_code=0");
  start("report " + out + "/forged.db");
  const Ended database = start("verify " + out + "/forged.html " + out + "/forged.db");
  EXPECT_EQ(database.code, 1) << database.text;
  EXPECT_TRUE(says(database, "not confirmed: driver.tensor_map.encode_tiled")) << database.text;
  EXPECT_EQ(start("verify " + out + "/report.html /nonexistent.db").code, 2);
  EXPECT_EQ(start("verify " + out + "/report.html").code, 64);
}

TEST(Program, TapAndMarkdownSayTheSame) {
  const std::string out = program_folder("tap");
  const Ended run = start("run tma.tiled.load --device emulator:sm_90a --cases 40 --tap --out " + out);
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_TRUE(says(run, "TAP version 13\n1..1\nok 1 - tma.tiled.load on emulator sm_90")) << run.text;
  std::stringstream summary;
  summary << std::ifstream(out + "/summary.md").rdbuf();
  EXPECT_NE(summary.str().find("## assay: passed"), std::string::npos) << summary.str();
  EXPECT_EQ(start("report " + out + "/results.db --tap --junit-profile rich").code, 0);
  std::stringstream rich;
  rich << std::ifstream(out + "/results.xml").rdbuf();
  EXPECT_NE(rich.str().find("[[PROPERTY|seed=1]]"), std::string::npos) << rich.str();
}

TEST(Program, WhatCannotRunEndsWith2AndOneSentence) {
  const Ended gpu = start("run --device cuda:63 --cases 1 --out " + program_folder("no_gpu"));
  EXPECT_EQ(gpu.code, 2) << gpu.text;
  const Ended file = start("check-vectors /nonexistent/vectors.csv");
  EXPECT_EQ(file.code, 2) << file.text;
  EXPECT_TRUE(says(file, "/nonexistent/vectors.csv")) << file.text;
}

TEST(Program, LimitsOfTheShellAreSaidInOneSentence) {
  const std::string out = program_folder("limits");
  const std::string run = "run tma.tiled.load --device emulator:sm_90a --cases 20 --out " + out;
  const Ended size = start_after("ulimit -f 100", run);
  EXPECT_EQ(size.code, 2) << size.text;
  EXPECT_TRUE(says(size, "assay: ")) << size.text;
  const Ended few = start_after("ulimit -n 40", run);
  EXPECT_EQ(few.code, 2) << few.text;
  EXPECT_TRUE(says(few, "a process may have only 40 files open here; a device needs 256 (ulimit -n)"))
      << few.text;
  // What may be raised is.
  EXPECT_EQ(start_after("ulimit -S -n 40", run).code, 0);
}

TEST(Program, AMergeMakesItsFolderAndNamesAShardThatNobodyBrought) {
  const std::string out = program_folder("to_merge"), into = program_folder("merged_into") + "/deep/all.db";
  ASSERT_EQ(start("run tma.tiled.load --device emulator:sm_90a --cases 20 --shard 2/2 --out " + out).code, 0);
  const Ended merged = start("merge " + out + "/results.db --output " + into);
  EXPECT_EQ(merged.code, 4) << merged.text;
  EXPECT_TRUE(says(merged, "shard 1 of 2 of seed 1 is not among the merged files")) << merged.text;
  EXPECT_TRUE(std::filesystem::exists(into));
  EXPECT_EQ(start("merge " + out + "/results.db --partial --output " + into).code, 0);
}

TEST(Program, ACorpusAloneIsAllThatRuns) {
  const std::string first = program_folder("corpus_of");
  start(
      "run tma.tiled.load wgmma.f16 --device emulator:sm_90a,fault=swizzle_128b_bit_dropped --cases 60 "
      "--out " +
      first);
  const auto count = std::count_if(std::filesystem::directory_iterator(first + "/cases"),
                                   std::filesystem::directory_iterator(),
                                   [](const auto& entry) { return entry.path().extension() == ".json"; });
  ASSERT_GT(count, 0);
  const Ended alone =
      start("run --corpus " + first + "/cases --device emulator:sm_90a --out " + program_folder("corpus"));
  EXPECT_EQ(alone.code, 0) << alone.text;
  EXPECT_TRUE(says(alone, " " + std::to_string(count) + " case")) << alone.text;
  EXPECT_FALSE(says(alone, "wgmma.f16")) << alone.text;
  const Ended faulty = start("run --corpus " + first +
                             "/cases --device emulator:sm_90a,fault=swizzle_128b_bit_dropped --out " +
                             program_folder("corpus_faulty"));
  EXPECT_EQ(faulty.code, 1) << faulty.text;
  // With a number of cases, those are made too.
  const Ended more = start("run tma.tiled.load --cases 9 --corpus " + first +
                           "/cases --device emulator:sm_90a --out " + program_folder("corpus_and_more"));
  EXPECT_TRUE(says(more, " " + std::to_string(count + 9) + " cases")) << more.text;
}

TEST(Program, ACorpusOfTheFuzzerRunsButForWhatIsNoCase) {
  const std::filesystem::path corpus = program_folder("fuzzed");
  std::filesystem::create_directories(corpus);
  for (const char* name : {"tma_tiled_load_0", "tma_tiled_store_0"})
    std::filesystem::copy(std::filesystem::path(ASSAY_BINARY_DIR) / "corpus/property_case" / name,
                          corpus / name);
  std::ofstream(corpus / "0badc0de") << "{\"property\": \"tma.tiled.load\"";
  const Ended run = start("run --corpus " + corpus.string() + " --device emulator:sm_90a --out " +
                          program_folder("of_fuzzer"));
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_TRUE(says(run, "1 of the 3 files in " + corpus.string())) << run.text;
  EXPECT_TRUE(says(run, "tma.tiled.store")) << run.text;
}

TEST(Program, ACorpusThatTheDeviceCannotRunDeclines) {
  const std::string first = program_folder("tcgen05");
  start("run mma.dense.f16 --device emulator:sm_100a,fault=tcgen05_smem_strides_exchanged --cases 4 --out " +
        first);
  const Ended declined = start("run --corpus " + first + "/cases --device emulator:sm_90a --out " +
                               program_folder("corpus_declined"));
  EXPECT_EQ(declined.code, 2) << declined.text;
  EXPECT_TRUE(says(declined, "skipped")) << declined.text;
  EXPECT_TRUE(says(declined, spec::requires_capability(&spec::Architecture::has_tcgen05) + " (device: 9.0)"))
      << declined.text;
}

TEST(Program, DoctorSaysWhatIsThereAndWhyTheRestIsNot) {
  const Ended doctor = start("doctor");
  EXPECT_EQ(doctor.code, 0) << doctor.text;
  for (const char* what : {"cuda:0", "emulator", "CUDA Toolkit", "cubins",
                           "least driver, sm_90    R565 (CUDA 12.7, PTX 8.6): barrier.*, bulk.*, tma.*"})
    EXPECT_TRUE(says(doctor, what)) << what << ": " << doctor.text;
}

TEST(Program, ACaseFileThatNoDeviceCanBeAskedIsNamed) {
  const std::string file = program_folder("rank_0.json");
  std::ifstream good(ASSAY_BINARY_DIR "/corpus/property_case/tma_tiled_load_0");
  std::string text((std::istreambuf_iterator<char>(good)), {});
  const std::string rank = "\"instruction_rank\": ";
  const size_t at = text.find(rank);
  ASSERT_NE(at, std::string::npos);
  text.replace(at + rank.size(), 1, "0");
  std::ofstream(file) << text;
  const Ended run = start("run tma.tiled.load --device emulator:sm_90a --cases 5 --corpus " + file +
                          " --out " + program_folder("rank_0"));
  EXPECT_EQ(run.code, 2) << run.text;
  EXPECT_TRUE(says(run, file)) << run.text;
  EXPECT_TRUE(says(run, "instruction_rank must be 1 to 5")) << run.text;
}

TEST(Program, FilesThatAreNoResultsEndWith2AndAreNamed) {
  const std::string out = program_folder("whole");
  ASSERT_EQ(start("run tma.tiled.load --device emulator:sm_90a --cases 20 --out " + out).code, 0);
  const std::string good = out + "/results.db", bad = program_folder("bad.db"),
                    new_out = program_folder("unused");
  std::string bytes;
  {
    std::stringstream text;
    text << std::ifstream(good, std::ios::binary).rdbuf();
    bytes = text.str();
  }
  ASSERT_GT(bytes.size(), 30000u);
  std::string holes = bytes;
  for (size_t at = 4096; at < holes.size(); at += 97) holes[at] = static_cast<char>(~holes[at]);
  const std::string spoilt[] = {"", "no database\n", bytes.substr(0, 20000), holes};
  for (size_t i = 0; i <= std::size(spoilt); ++i) {
    SCOPED_TRACE(i);
    std::filesystem::remove_all(bad);
    if (i == std::size(spoilt))
      std::filesystem::create_directory(bad);
    else
      std::ofstream(bad, std::ios::binary) << spoilt[i];
    for (const std::string& words :
         {"merge " + bad + " " + good + " -o " + out + "/merged.db", "verify " + out + "/report.html " + bad,
          "trend " + good + " " + bad, "report " + bad,
          "run tma.tiled.load --device emulator:sm_90a --cases 5 --out " + new_out + " --baseline " + bad,
          "run tma.tiled.load --device emulator:sm_90a --cases 5 --out " + new_out + " --expect " + bad}) {
      // A list of no waivers is an empty file too; of a folder trend takes what is in it.
      if ((words.ends_with("--expect " + bad) && i == 0) || (words.starts_with("trend") && i == 4)) continue;
      const Ended ended = start(words);
      EXPECT_EQ(ended.code, 2) << words << "\n" << ended.text;
      EXPECT_TRUE(says(ended, bad)) << words << "\n" << ended.text;
      if (!words.starts_with("trend")) {
        EXPECT_EQ(std::count(ended.text.begin(), ended.text.end(), '\n'), 1) << ended.text;
      }
      EXPECT_FALSE(std::filesystem::exists(out + "/merged.db")) << "half of a merge is left";
    }
  }
  const Ended blocked = start("run tma.tiled.load --device emulator:sm_90a --cases 5 --out " + good);
  EXPECT_EQ(blocked.code, 2);
  EXPECT_TRUE(says(blocked, "cannot create the folder " + good)) << blocked.text;
}

TEST(Program, WrongWordsEndWith64) {
  for (const char* words :
       {"fly", "run --cases many", "run --cases 0", "run --budget soon", "run --budget 0s", "run --seed -1",
        "run --seed many", "run 'tma.tield.*'", "describe V-999", "describe 0xzz --as smem",
        "describe 0x1 --as nonsense", "describe '1 2 3' --as tensor_map", "replay",
        // Empty, as a variable that was never set, and wider than what they are said to be.
        "run --cases ''", "run --device ''", "list ''", "describe 0x128820490 --as idesc_f16"})
    EXPECT_EQ(start(words).code, 64) << words;
}

TEST(Program, AMisspeltNameEndsWith64AndTheLikelyOnesAreNamed) {
  const std::pair<const char*, const char*> typed[] = {
      {"runn", "did you mean 'run'?"},
      {"run --casess 4", "unknown option '--casess' for 'assay run'; did you mean '--cases'?"},
      {"run tma.tiled.laod", "did you mean 'tma.tiled.load'"},
      {"list nosuch", "'assay list' lists the properties"},
      {"describe TILE-R99", "did you mean 'TILE-R09'"},
      {"replay tma.tiled.laod@1#1", "did you mean 'tma.tiled.load'"},
      {"replay nosuch.json", "neither a case file nor of the form property@seed#index"},
      {"run --device emulatr", "is not cuda:N or emulator"},
      {"run --device emulator:sm_90a,fault=swizle_64b_bit_dropped", "did you mean 'swizzle_64b_bit_dropped'"},
      {"run --device emulator:sm_90a,reading=TMA-AMB-111:A", "did you mean 'TMA-AMB-11'"},
      {"run --device emulator:sm_90a,reading=TMA-AMB-11:Z", "its readings are A, B"},
      {"faults swizle_64b_bit_dropped", "did you mean 'swizzle_64b_bit_dropped'"}};
  for (const auto& [words, meant] : typed) {
    const Ended ended = start(words);
    EXPECT_EQ(ended.code, 64) << words << "\n" << ended.text;
    EXPECT_TRUE(says(ended, meant)) << words << "\n" << ended.text;
  }
}

TEST(Program, LastFailedRunsTheFailingCasesOfTheRunBefore) {
  const std::string out = program_folder("last_failed");
  const std::string words = " --out " + out;
  EXPECT_EQ(start("run --last-failed" + words).code, 2) << "no run yet";
  ASSERT_EQ(
      start("run tma.tiled.load --cases 200 --device emulator:sm_90a,fault=swizzle_64b_bit_dropped" + words)
          .code,
      1);
  const Ended again =
      start("run --last-failed --device emulator:sm_90a,fault=swizzle_64b_bit_dropped" + words);
  EXPECT_EQ(again.code, 1) << again.text;
  const Ended mended = start("run --last-failed --device emulator:sm_90a" + words);
  EXPECT_EQ(mended.code, 0) << mended.text;
  EXPECT_TRUE(says(mended, "tma.tiled.load")) << mended.text;
  const Ended none = start("run --last-failed --device emulator:sm_90a" + words);
  EXPECT_EQ(none.code, 2) << none.text;
  EXPECT_TRUE(says(none, "has no failing cases")) << none.text;
}

TEST(Program, FailFastIssuesNoMoreCasesOnceOneHasFailed) {
  const std::string out = program_folder("fail_fast");
  const Ended ended = start(
      "run tma.tiled.load --cases 1e6 --device emulator:sm_90a,fault=swizzle_64b_bit_dropped --fail-fast "
      "--out " +
      out);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, "stopped at the first failure")) << ended.text;
  EXPECT_TRUE(says(ended, "replay: assay replay")) << ended.text;
  EXPECT_LT(report::read_results(out + "/results.db").devices.at(0).properties.at(0).cases(), 100000u);
}

TEST(Program, StartsUnderAnotherName) {
  const std::filesystem::path moved = program_folder("renamed");
  std::filesystem::create_directories(moved);
  for (const char* file : {"libassay_emulator.so", "libassay_faults.so"})
    std::filesystem::create_symlink(std::filesystem::path(ASSAY_BINARY_DIR) / file, moved / file);
  std::filesystem::copy_file(ASSAY_BINARY_DIR "/assay", moved / "assay-0.1");
  const Ended ended =
      report::shell((moved / "assay-0.1").string() + " replay tma.tiled.load@1#3 --device emulator:sm_90a");
  EXPECT_EQ(ended.code, 0) << ended.text;
}

TEST(Program, QuietAndVerboseSayLessAndMore) {
  const std::string words = "run tma.tiled.load --device emulator:sm_90a --cases 30 --out ";
  const Ended quiet = start(words + program_folder("quiet") + " -q");
  EXPECT_EQ(quiet.text, "PASSED  1 property passed; exit code 0\n");
  const Ended failing =
      start("run tma.tiled.load --device emulator:sm_90a,fault=tx_16_long --cases 30 -q --out " +
            program_folder("quiet_failing"));
  EXPECT_TRUE(failing.text.starts_with("FAILED tma.tiled.load on emulator:sm_90a,fault=tx_16_long: "))
      << failing.text;
  EXPECT_TRUE(says(failing, "of 30 cases failed; violates TILE-R")) << failing.text;
  EXPECT_FALSE(says(failing, "EMULATOR")) << failing.text;
  const Ended normal = start(words + program_folder("normal")),
              verbose = start(words + program_folder("verbose") + " -v");
  EXPECT_TRUE(says(normal, "Findings, in the report: ")) << normal.text;
  EXPECT_TRUE(says(normal, "1 departs from documents")) << normal.text;
  EXPECT_FALSE(says(verbose, "in the report:")) << verbose.text;
  EXPECT_TRUE(says(verbose, "  departs from documents: ")) << verbose.text;
  EXPECT_EQ(start(words + program_folder("both") + " -q -v").code, 64);
}

TEST(Program, DryRunAndExcludeSayWhatWouldRun) {
  const std::string out = program_folder("dry");
  const Ended plan = start(
      "run 'tma.tiled.*' --exclude 'tma.tiled.load*' --device emulator:sm_90a --cases 7 "
      "--dry-run --out " +
      out);
  EXPECT_EQ(plan.code, 0) << plan.text;
  EXPECT_TRUE(says(plan, "tma.tiled.store\n")) << plan.text;
  EXPECT_FALSE(says(plan, "tma.tiled.load")) << plan.text;
  EXPECT_TRUE(says(plan, "cases       7 of each property")) << plan.text;
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(start("run tma.tiled.store --exclude 'tma.*' --out " + out).code, 64);
  EXPECT_EQ(start("run --exclude nosuch --out " + out).code, 64);
}

TEST(Program, WhatCannotBeWrittenOrNeverEndsIsSaid) {
  const Ended full = start("list >/dev/full");
  EXPECT_EQ(full.code, 2) << full.text;
  EXPECT_TRUE(says(full, "cannot write to standard output")) << full.text;
  const Ended endless = start("replay /dev/zero --device emulator:sm_90a");
  EXPECT_EQ(endless.code, 2) << endless.text;
  EXPECT_TRUE(says(endless, "it is not a regular file")) << endless.text;
  const std::string pipe = program_folder("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(says(start("replay " + pipe + " --device emulator:sm_90a"), "it is not a regular file"));
}

TEST(Program, WhatAFileSaysDoesNotSteerTheTerminal) {
  const std::string file = program_folder("escape.json");
  std::ofstream(file) << "{\"property\": \"\\u001b[31mred\\u202e\", \"case\": {}}";
  const Ended ended = start("replay " + file + " --device emulator:sm_90a");
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.text.find('\x1b'), std::string::npos);
  EXPECT_EQ(ended.text.find("\u202e"), std::string::npos);
  EXPECT_TRUE(says(ended, "has no property")) << ended.text;
}

TEST(Program, AHexadecimalWordWithoutItsPrefixIsAskedAbout) {
  const Ended word = start("describe 4000404000010080 --as smem");
  EXPECT_EQ(word.code, 0);
  EXPECT_TRUE(says(word, "for hexadecimal write 0x4000404000010080")) << word.text;
}

TEST(Program, SpoiltVectorFileEndsWith1AndNamesTheRow) {
  const std::string path = program_folder("vectors.csv");
  std::ofstream(path) << "id,kind,confidence,params,expected,notes,silicon\n"
                         "TV019,SWZBASE,doc,mode=128;dst=0x380,baseoffset=6,,confirmed\n";
  const Ended check = start("check-vectors " + path);
  EXPECT_EQ(check.code, 1) << check.text;
  EXPECT_TRUE(says(check, "TV019")) << check.text;
}

TEST(Program, DescribesARuleAQuestionAPropertyAndAWord) {
  EXPECT_TRUE(says(start("describe V-23"), "source"));
  EXPECT_TRUE(says(start("describe tma.tiled.load --schema"), "\"additionalProperties\": false"));
  EXPECT_TRUE(says(start("describe tma.tiled.lod --schema"), "is not the name of a property; did you mean"));
  EXPECT_TRUE(says(start("describe TMA-AMB-04"), "default:"));
  EXPECT_TRUE(says(start("describe tma.tiled.load"), "claim"));
  // Counted in the first cases: in a load every swizzle comes up, in no case an absolute address on a device
  // that has none.
  EXPECT_TRUE(says(start("describe TILE-R09"), " tma.tiled.load "));
  EXPECT_TRUE(says(start("describe V-26"), "exercised by  driver.tensor_map.encode_im2col"));
  EXPECT_TRUE(says(start("describe SMEM-R04"), "exercised by  no property"));
  EXPECT_TRUE(says(start("describe 0x4000404000010080 --as smem"), "swizzle"));
  EXPECT_TRUE(says(start("describe 0x4000404000010080 --as smem --json"), "{"));
  const std::string map =
      "describe '00001000 0 00006331 8 48 3f0 0 0 3f 8 d 7 0 3f000000 ffffffff 20' --as tensor_map";
  EXPECT_TRUE(says(start(map), "im2col tensor map"));
  EXPECT_TRUE(says(start(map), "upper_corner[1]      -1"));
  EXPECT_TRUE(says(start(map), "no violation on sm_90"));
  // The same words by the wide encoder, mode W, and with a swizzle that no wide map has.
  const std::string wide =
      "describe '00001000 0 00006333 8 48 3f0 0 0 3f 8 d 7 0 3f000000 0002ffff 20' "
      "--as tensor_map --arch sm_100";
  EXPECT_TRUE(says(start(wide), "im2col::w tensor map"));
  EXPECT_TRUE(says(start(wide), "lower_corner[0]      -1"));
  EXPECT_TRUE(says(start(wide), "no violation on sm_100"));
  const std::string no_swizzle =
      "describe '00001000 0 00000333 8 48 3f0 0 0 3f 8 d 7 0 3f000000 0002ffff 20' "
      "--as tensor_map --arch sm_100";
  EXPECT_TRUE(says(start(no_swizzle), "violates V-38"));
}

}  // namespace
}  // namespace assay::cli
