// SPDX-License-Identifier: Apache-2.0
// An operation that stands in one folder, kernel and device side with it, and that nothing else names, runs,
// shrinks, is reported, replayed, written as a program of its own that shows its defect, and met by the fuzz
// target property_case, which is linked into this program.
#include "testdata/toy_operation/toy_operation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "fuzz/target.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "suites/failure/replay.h"
#include "suites/failure/stand_alone_test.h"
#include "suites/run/case_file.h"
#include "suites/run/conductor.h"

/// The engine's own, of which the target's mutator makes use.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t) {
  if (size != 0) data[size / 2] ^= 1;
  return size;
}

namespace assay::suites {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

constexpr uint64_t cases = 60, seed = 1;
/// An arrival counts the low 16 bits of its count. All but one arrive at once: 65537 is the least that fails.
constexpr const char *sound = "sm_90a", *faulty = "sm_90a,fault=barrier_arrivals_16_bits";
constexpr uint32_t least_failing = (1u << 16) + 1;

std::string emulator(const char* settings) {
  return std::string("emulator:") + settings;
}

RunResult run_toy(const char* settings, const char* folder, bool cover = false) {
  RunOptions options;
  options.properties = {"toy.arrivals"};
  options.devices = {emulator(settings)};
  options.cases = cases;
  options.cover = cover;
  options.seed = seed;
  options.most_repeats = 2;
  options.threads = 1;
  options.out = report::scratch_path(folder);
  return run(options);
}

/// How many cases the fault of the device shows in.
uint64_t failing_cases() {
  uint64_t count = 0;
  const Property& property = *find_property("toy.arrivals");
  for (uint64_t index = 0; index < cases; ++index) {
    Case drawn;
    property.generate(seed, property.name, index, spec::Arch::sm_90, drawn);
    count += property.family().to_json(drawn).value("arrivals", 0u) >= least_failing;
  }
  return count;
}

class ToyOperation : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    result_ = run_toy(faulty, "toy_operation");
    results_ = report::read_results(result_.database, {100, 100});
  }
  static const report::PropertyResult& property() { return results_.devices.at(0).properties.at(0); }
  static const report::CaseRow& failure() { return property().failures.at(0).examples.at(0); }
  static std::filesystem::path stored(const char* suffix) {
    return result_.database.parent_path() / "cases" / (failure().case_id + suffix);
  }

  static inline RunResult result_;
  static inline report::Results results_;
};

TEST_F(ToyOperation, RunsAndEveryCaseThatTheDeviceGetsWrongIsAViolation) {
  EXPECT_EQ(result_.exit_code, 1);
  EXPECT_EQ(result_.judged, cases);
  const uint64_t failing = failing_cases();
  EXPECT_GT(failing, 0u);
  EXPECT_LT(failing, cases);
  const auto count = [&](report::Verdict verdict) { return property().counts[static_cast<size_t>(verdict)]; };
  EXPECT_EQ(count(report::Verdict::violates), failing);
  EXPECT_EQ(count(report::Verdict::conforms), cases - failing);
}

TEST_F(ToyOperation, AnHonestDeviceConforms) {
  const RunResult honest = run_toy(sound, "toy_on_honest_device");
  EXPECT_EQ(honest.exit_code, 0);
  EXPECT_EQ(honest.judged, cases);
}

TEST_F(ToyOperation, ShrinksToTheLeastThatFails) {
  ASSERT_FALSE(property().failures.empty());
  EXPECT_EQ(failure().case_json, R"({"case":{"arrivals":65537},"property":"toy.arrivals"})");
  EXPECT_NE(failure().message.find("toy.arrivals of 65537 arrivals: "), std::string::npos)
      << failure().message;
}

TEST_F(ToyOperation, CellsAreCountedAndFieldsOfCasesCovered) {
  uint64_t bits = 0;
  for (const report::CoverageCell& cell : property().coverage)
    bits += cell.dimension == "bits of the count" ? cell.count : 0;
  EXPECT_EQ(bits, cases);
  const RunResult covering = run_toy(sound, "toy_covered", /*cover=*/true);
  const report::Results results = report::read_results(covering.database, {100, 100});
  std::set<std::string> reached;
  for (const report::CoverageCell& cell : results.devices.at(0).properties.at(0).coverage)
    if (cell.dimension == "record: field x value" && cell.count != 0)
      reached.insert(cell.cell.substr(0, cell.cell.find('/')));
  EXPECT_EQ(reached, (std::set<std::string>{"arrivals", "mark"}));
}

TEST_F(ToyOperation, StandsInTheReports) {
  EXPECT_NE(text_of(result_.html).find("toy.arrivals"), std::string::npos);
  EXPECT_NE(text_of(result_.junit).find("of 65537 arrivals"), std::string::npos);
}

TEST_F(ToyOperation, IsReplayedFromItsIdAndFromItsFile) {
  // assay replay 'toy.arrivals@1#5/0.2' --device ...
  const std::string& line = failure().replay;
  const size_t quote = line.find('\'') + 1;
  const std::string id = line.substr(quote, line.find('\'', quote) - quote);
  EXPECT_EQ(id.rfind("toy.arrivals@1#", 0), 0u) << line;
  for (const std::string& what : {id, stored(".json").string()}) {
    const ReplayResult again = replay(what, emulator(faulty));
    EXPECT_EQ(again.exit_code, 1) << what << "\n" << again.text;
    const ReplayResult elsewhere = replay(what, emulator(sound));
    EXPECT_EQ(elsewhere.exit_code, 0) << what << "\n" << elsewhere.text;
  }
}

TEST_F(ToyOperation, IsAProgramOfItsOwnWithItsKernel) {
  const std::string program = text_of(stored(".cu"));
  for (const char* part : {"#define KERNEL toy_arrivals\n", "// Batched probe of how a phase ends",
                           "struct ToyRecord {", "//   arrivals: 65537\n"})
    EXPECT_NE(program.find(part), std::string::npos) << part << "\n" << program;
}

TEST_F(ToyOperation, ItsProgramCompilesAloneAndShowsTheDefect) {
  if (const std::string missing = StandAlone::missing(); !missing.empty())
    GTEST_SKIP() << missing << ": the program is not compiled";
  const StandAlone program("toy_program", text_of(stored(".cu")));
  EXPECT_NE(program.options().find("code=sm_90a"), std::string::npos) << program.options();
  const report::Ended compiled = program.compile();
  ASSERT_EQ(compiled.code, 0) << compiled.text;
  const report::Ended wrong = program.run(faulty);
  EXPECT_EQ(wrong.code, 1) << wrong.text;
  EXPECT_TRUE(report::says(wrong, "expected 00 00 00 00 01 00 00 00 07")) << wrong.text;
  EXPECT_TRUE(report::says(wrong, "observed 00 00 00 00 00 00 00 00 07")) << wrong.text;
  const report::Ended right = program.run(sound);
  EXPECT_EQ(right.code, 0) << right.text;
  EXPECT_EQ(program.run(sound, "CASE_PLANT_DEFECT=1").code, 1);
}

std::string toy_case(const std::string& members) {
  return R"({"property":"toy.arrivals","case":{)" + members + "}}";
}

/// What an input adds to the counts of the target.
fuzz::Counts fuzzed(const std::string& text) {
  const fuzz::Counts before = fuzz::counts();
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  const fuzz::Counts& behind = fuzz::counts();
  return {behind.inputs - before.inputs, behind.past_parser - before.past_parser,
          behind.cells - before.cells};
}

std::string mutant(std::string text, unsigned mutation) {
  const size_t size = text.size();
  text.resize(4096);
  text.resize(LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t*>(text.data()), size, text.size(), mutation));
  return text;
}

TEST(ToyFuzzTarget, RunsToyCasesAndTheirMutants) {
  const auto expect = [](const std::string& text, uint64_t cells) {
    const fuzz::Counts added = fuzzed(text);
    EXPECT_EQ(added.inputs, 1u) << text;
    EXPECT_EQ(added.past_parser, 1u) << text;
    EXPECT_EQ(added.cells, cells) << text;
  };
  // Cells are those of the operation: how many bits the count has.
  expect(toy_case(R"("arrivals":70000)"), 1);
  expect(toy_case(R"("arrivals":70001,"mark":9)"), 0);
  expect(toy_case(""), 1);
  constexpr unsigned mutants = 60;
  uint64_t ran = 0, cells = 0;
  std::string text = toy_case(R"("arrivals":70000,"mark":1)");
  for (unsigned mutation = 0; mutation < mutants; ++mutation) {
    const std::string changed = mutant(text, mutation);
    const fuzz::Counts added = fuzzed(changed);
    if (added.past_parser != 0) text = changed;
    ran += added.past_parser;
    cells += added.cells;
  }
  EXPECT_GT(ran, 0u);
  EXPECT_LT(ran, mutants);
  EXPECT_GT(cells, 0u);
}

TEST(ToyFuzzTarget, RefusesBrokenOnes) {
  for (const std::string& text :
       {toy_case(R"("colour":1)"), toy_case(R"("arrivals":1)"), toy_case(R"("arrivals":1048576)"),
        toy_case(R"("arrivals":-1)"), toy_case(R"("arrivals":"many")"), toy_case(R"("mark":)"),
        std::string(R"({"property":"toy.departures","case":{}})"),
        std::string(R"({"property":"toy.arrivals"})"), std::string("\0\xff{", 3), std::string()}) {
    const fuzz::Counts added = fuzzed(text);
    EXPECT_EQ(added.inputs, 1u) << text;
    EXPECT_EQ(added.past_parser, 0u) << text;
    EXPECT_THROW(parse_case(text, "toy.json"), std::runtime_error) << text;
  }
  try {
    parse_case(toy_case(R"("colour":1)"), "toy.json");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "toy.json: field 'colour' of the case does not exist in a case of this kind.");
  }
}

TEST(ToyFuzzTargetDeathTest, FindsThatThePredictionIsWrong) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        toy_predicts_wrongly = true;
        fuzzed(toy_case(R"("arrivals":3)"));
      },
      "FINDING: reference and emulated device disagree on a case of toy.arrivals");
}

}  // namespace
}  // namespace assay::suites

/// The process that owns a device is this program again, as the fuzz target says.
int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
