// SPDX-License-Identifier: Apache-2.0
#include "suites/run/conductor.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "reports/written_reports.h"
#include "suites/failure/replay.h"
#include "suites/run/case_file.h"
#include "suites/run/scripted_run_test.h"

namespace assay::suites {
namespace {

using report::Verdict;

/// Properties of the scripted device's architecture, sm_90: it declines .cta_group.
const std::vector<std::string> encoder_and_copies = {
    "driver.tensor_map.encode_tiled", "tma.tiled.load",        "tma.tiled.load.multicast",
    "tma.tiled.load.faults",          "tma.tiled.load.trans*", "tma.tiled.store*"};

TEST(Conductor, AnObedientDeviceConforms) {
  const Ran ran = run_scripted("obedient", std::make_unique<ScriptedDevice>(), encoder_and_copies, 300);
  EXPECT_EQ(ran.result.exit_code, 0);
  uint64_t planned = 0;
  for (const auto& property : ran.results.devices.at(0).properties) {
    EXPECT_EQ(property.verdict, Verdict::conforms) << property.info.name << ": " << property.reason;
    EXPECT_EQ(property.counts[static_cast<size_t>(Verdict::conforms)], property.planned)
        << property.info.name;
    planned += property.planned;
    uint64_t covered = 0;
    for (const auto& cell : property.coverage) covered += cell.count;
    if (property.info.name == "tma.tiled.load") {
      EXPECT_EQ(covered, 300u);
    }
  }
  EXPECT_EQ(ran.result.judged, planned);
  EXPECT_TRUE(std::filesystem::exists(ran.result.junit));
  EXPECT_TRUE(std::filesystem::exists(ran.result.html));
}

TEST(Conductor, ACaseFileOfAPropertyThatIsNotSelectedIsRefused) {
  const auto file = std::filesystem::path(ASSAY_BINARY_DIR) / "corpus/case_json/tma_tiled_store";
  const auto with_file = [&](RunOptions& options) { options.case_files = {file}; };
  try {
    run_scripted("unselected", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 10, with_file);
    ADD_FAILURE() << "the file was left out in silence";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("tma.tiled.store is not among"), std::string::npos)
        << error.what();
  }
  const Ran ran =
      run_scripted("selected", std::make_unique<ScriptedDevice>(), {"tma.tiled.store"}, 10, with_file);
  EXPECT_EQ(ran.count(Verdict::conforms), 11u);
}

TEST(Conductor, SameSeedSameBytesWhateverTheThreads) {
  std::string first;
  for (const int threads : {1, 2, 4}) {
    const Ran ran = run_scripted("threads", std::make_unique<ScriptedDevice>(), {"tma.tiled.store"}, 700,
                                 [&](RunOptions& options) { options.threads = threads; });
    const std::string fingerprint = ran.results.devices.at(0).properties.at(0).totals.fingerprint;
    if (first.empty()) first = fingerprint;
    EXPECT_EQ(fingerprint, first);
    EXPECT_NE(fingerprint, std::string(16, '0'));
  }
}

TEST(Conductor, ALieIsFoundShrunkAndReplayed) {
  const Ran ran =
      run_scripted("liar", std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.load"}, 400);
  EXPECT_EQ(ran.result.exit_code, 1);
  EXPECT_GT(ran.count(Verdict::violates), 50u);
  EXPECT_GT(ran.count(Verdict::conforms), 100u);
  bool shrunk = false;
  for (const report::CaseRow& row : ran.rows()) {
    EXPECT_LE(row.message.size(), 200u);
    EXPECT_EQ(row.message.find("assay replay"), std::string::npos) << row.message;
    EXPECT_FALSE(row.replay.empty());
    EXPECT_LE(row.replay.size(), 120u) << row.replay;
    EXPECT_EQ(row.differing_bytes, 1u);
    if (row.shrunk_from.empty()) continue;
    shrunk = true;
    const auto id = parse_replay_id(row.replay.substr(14, row.replay.find('\'', 14) - 14));
    ASSERT_TRUE(id) << row.replay;
    EXPECT_FALSE(id->path.empty());
    // The id and the file give the same case, and both still fail.
    ScriptedDevice liar(lie_about_64B), honest;
    const ReplayResult by_id = replay(
        id->property + "@" + std::to_string(id->seed) + "#" + std::to_string(id->index) + "/" + id->path,
        liar);
    const auto file = ran.result.database.parent_path() / "cases" / (row.case_id + ".json");
    const ReplayResult by_file = replay(file.string(), liar);
    EXPECT_EQ(by_id.row.case_id, row.case_id);
    EXPECT_EQ(by_file.row.case_id, row.case_id);
    EXPECT_EQ(by_id.verdict, Verdict::violates);
    EXPECT_EQ(by_file.exit_code, 1);
    EXPECT_NE(by_file.text.find("expected"), std::string::npos);
    EXPECT_EQ(replay(file.string(), honest).verdict, Verdict::conforms);
    const TensorCopyCase least = read_case_file(file).what.as<TensorCopyCase>();
    EXPECT_EQ(least.map.rank, 1u);
    EXPECT_EQ(least.map.swizzle, 2u);
    EXPECT_EQ(least.map.data_type, 0u);
    EXPECT_EQ(least.map.global_address, 0u);
  }
  EXPECT_TRUE(shrunk);
}

TEST(Conductor, AReplayLineThatWouldBeLongNamesTheFileOfTheCase) {
  const std::string file = "assay-out/cases/0123456789abcdef0123456789abcdef.json",
                    device = "emulator:sm_100a";
  const std::string near = "tma.tiled.load@11#12/3.0.12", far = near + std::string(80, '1');
  EXPECT_EQ(replay_line(near, file, device), "assay replay '" + near + "' --device " + device);
  EXPECT_EQ(replay_line(far, file, device), "assay replay '" + file + "' --device " + device);
  EXPECT_LE(replay_line(far, file, device).size(), 120u);
  EXPECT_EQ(replay_line(far, {}, device), "assay replay '" + far + "' --device " + device) << "no file";
  // What is long because of the device stays the id, which needs no file.
  const std::string named = device + ",fault=" + std::string(60, 'x');
  EXPECT_EQ(replay_line(near, file, named), "assay replay '" + near + "' --device " + named);
}

TEST(Conductor, EachEndHasItsVerdict) {
  struct {
    RecordEnd end;
    Verdict verdict;
  } const rows[] = {
      {{Ended::crashed, 11, ~0u, 0}, Verdict::crashed},   {{Ended::hung, 0, ~0u, 0}, Verdict::hung},
      {{Ended::faulted, 719, ~0u, 0}, Verdict::violates}, {{Ended::rejected, 1, ~0u, 0}, Verdict::violates},
      {{Ended::timed_out, 0, 3, 0}, Verdict::violates},   {{Ended::surplus, 0, 3, 0}, Verdict::violates}};
  for (const auto& row : rows) {
    const Ran ran =
        run_scripted("ends", std::make_unique<ScriptedDevice>([&](const Case& any, RecordEnd& end, auto) {
                       if (any.as<TensorCopyCase>().map.rank == 4) end = row.end;
                     }),
                     {"tma.tiled.store"}, 100, [](RunOptions& options) { options.most_shrunk = 1; });
    EXPECT_EQ(ran.result.exit_code, 1);
    EXPECT_GT(ran.count(row.verdict), 10u) << report::name(row.verdict);
    EXPECT_EQ(ran.count(row.verdict) + ran.count(Verdict::conforms), 100u) << report::name(row.verdict);
  }
}

TEST(Conductor, AFailureThatDoesNotRepeatIsFlaky) {
  auto once = std::make_shared<bool>(false);
  const Ran ran =
      run_scripted("flaky", std::make_unique<ScriptedDevice>([=](const Case& any, RecordEnd&, auto output) {
                     if (*once || any.as<TensorCopyCase>().map.rank != 3) return;
                     *once = true;
                     output[0] ^= std::byte{1};
                   }),
                   {"tma.tiled.load"}, 60);
  EXPECT_EQ(ran.count(Verdict::flaky), 1u);
  EXPECT_EQ(ran.count(Verdict::violates), 0u);
  EXPECT_EQ(ran.result.exit_code, 1);
}

TEST(Conductor, ALostDeviceLeavesTheRestNotRun) {
  auto device = std::make_unique<ScriptedDevice>();
  device->submits_until_lost = 3;
  const Ran ran = run_scripted("lost", std::move(device), {"tma.tiled.load"}, 5000);
  EXPECT_EQ(ran.result.exit_code, 3);
  EXPECT_GT(ran.count(Verdict::not_run), 1000u);
}

TEST(Conductor, StoppingEndsWithAReport) {
  std::atomic<bool> stop{false};
  std::atomic<int> seen{0};
  const Ran ran =
      run_scripted("stopped", std::make_unique<ScriptedDevice>([&](const Case&, RecordEnd&, auto) {
                     if (++seen == 200) stop = true;
                   }),
                   {"tma.tiled.load"}, 100000, [&](RunOptions& options) { options.stop = &stop; });
  EXPECT_EQ(ran.result.exit_code, 4);
  EXPECT_GE(ran.count(Verdict::conforms), 100u);
  EXPECT_GT(ran.count(Verdict::incomplete), 50000u);
}

TEST(Conductor, WhatADeviceLacksIsDeclinedWithItsReason) {
  auto device = std::make_unique<ScriptedDevice>();
  device->refuses = "encode_tiled";
  const Ran ran =
      run_scripted("declined", std::move(device), {"driver.tensor_map.encode_tiled", "tma.tiled.load"}, 50);
  EXPECT_EQ(ran.result.exit_code, 0);
  for (const auto& property : ran.results.devices.at(0).properties) {
    const bool driver = property.info.name.starts_with("driver.");
    EXPECT_EQ(property.verdict, driver ? Verdict::declined : Verdict::conforms) << property.info.name;
    if (driver) {
      EXPECT_EQ(property.reason, "scripted to decline");
    }
  }
}

TEST(Conductor, ABudgetEndsTheRunAndEveryPropertyGetsItsShare) {
  auto device = std::make_unique<ScriptedDevice>();
  ScriptedDevice* const worker = device.get();
  worker->case_seconds = 1e-4;
  const Ran ran = run_scripted("budget", std::move(device), encoder_and_copies, 0, [&](RunOptions& options) {
    options.cases.reset();
    options.budget = std::chrono::milliseconds(1500);
    options.now = [worker] { return worker->worked_until(); };
  });
  EXPECT_EQ(ran.result.exit_code, 0);
  uint64_t all = 0;
  for (const auto& property : ran.results.devices.at(0).properties) {
    EXPECT_GE(property.cases(), 16u) << property.info.name;
    // Cases that end a process are held back where they cost much, not here.
    if (property.info.name.ends_with(".faults")) {
      EXPECT_GT(property.cases(), 80u) << property.info.name;
    }
    all += property.cases();
  }
  // 1.5 s at 0.1 ms a case, and the pieces under way at the end.
  EXPECT_GE(all, 12000u);
  EXPECT_LE(all, 18000u);
}

TEST(Conductor, APropertyWhoseTurnNeverCameGetsAPieceThoughTimeIsUp) {
  auto device = std::make_unique<ScriptedDevice>();
  ScriptedDevice* const worker = device.get();
  worker->case_seconds = 0.02;  // a device that others use too: the first pieces take all the time
  const Ran ran = run_scripted("busy", std::move(device), encoder_and_copies, 0, [&](RunOptions& options) {
    options.cases.reset();
    options.budget = std::chrono::milliseconds(1500);
    options.now = [worker] { return worker->worked_until(); };
  });
  EXPECT_EQ(ran.result.exit_code, 0);
  for (const auto& property : ran.results.devices.at(0).properties) {
    EXPECT_GT(property.cases(), 0u) << property.info.name;
    EXPECT_LE(property.cases(), 128u) << property.info.name << ": more than its first pieces";
  }
}

TEST(Conductor, ASecondRunLeavesTheFirstWhole) {
  const Ran first =
      run_scripted("again", std::make_unique<ScriptedDevice>(lie_about_64B), {"tma.tiled.load"}, 400);
  ASSERT_EQ(first.result.exit_code, 1);
  EXPECT_TRUE(first.result.earlier.empty());
  const std::filesystem::path out = first.result.database.parent_path();
  const auto files = [](const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
  };
  const auto cases = files(out / "cases");
  ASSERT_GT(cases, 0);

  // Its own failing cases are run again: they go along when the first run makes way.
  const auto honest = [] { return std::make_unique<ScriptedDevice>(); };
  const Ran second = run_scripted("again 2", honest(), {"tma.tiled.load"}, 0, [&](RunOptions& options) {
    options.out = std::filesystem::relative(out);  // the case files are named by whole paths
    options.baseline = first.result.database;
    for (const auto& entry : std::filesystem::directory_iterator(out / "cases"))
      if (entry.path().extension() == ".json") options.case_files.push_back(entry.path());
  });
  EXPECT_EQ(second.result.exit_code, 0);
  EXPECT_EQ(files(out / "cases"), 0);
  EXPECT_GT(second.count(Verdict::conforms), 0u);
  ASSERT_TRUE(std::filesystem::equivalent(second.result.earlier.parent_path(), out));
  EXPECT_EQ(files(second.result.earlier / "cases"), cases);
  EXPECT_TRUE(std::filesystem::exists(second.result.earlier / "results.db"));
  for (const report::WrittenReport& row : report::written_reports()) {
    EXPECT_TRUE(std::filesystem::exists(second.result.earlier / row.name)) << row.name;
    EXPECT_TRUE(std::filesystem::exists(out / row.name)) << row.name;
  }
  EXPECT_EQ(report::read_results(second.result.earlier / "results.db").exit_code, 1);

  const Ran third = run_scripted("again 3", honest(), {"tma.tiled.load"}, 40,
                                 [&](RunOptions& options) { options.out = out; });
  EXPECT_NE(third.result.earlier, second.result.earlier);
  EXPECT_EQ(report::read_results(third.result.earlier / "results.db").exit_code, 0);
}

TEST(Conductor, MisspeltNamesAreNamed) {
  try {
    run_scripted("misspelt", std::make_unique<ScriptedDevice>(), {"tma.tield.*"}, 1);
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("tma.tield.*"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("tma.tiled.*"), std::string::npos);
  }
}

TEST(CaseFile, BadFilesSayWhatIsWrong) {
  for (const char* text : {"", "[]", "{\"property\": 3}", "{\"property\": \"no.such\", \"case\": {}}",
                           "{\"property\": \"tma.tiled.load\", \"case\": {\"map\": 7}}"})
    EXPECT_THROW(parse_case(text, "x.json"), std::runtime_error) << text;
}

/// What the refusal of a case says in which one member of one object is changed; empty: taken.
std::string refusal(std::string_view name, const char* object, const char* member, uint64_t value) {
  const Property& property = *find_property(name);
  Case made;
  property.generate(1, property.name, 0, spec::Arch::sm_100, made);
  nlohmann::json json = {{"property", property.name}, {"case", property.family().to_json(made)}};
  (*object == 0 ? json["case"] : json["case"][object])[member] = value;
  try {
    parse_case(json.dump(), "x.json");
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

// A field that a case gains makes its seeds unreadable: fuzzing would go on without that property, and say
// nothing.
TEST(CaseFile, TheFuzzersSeedsAreCasesOfEveryProperty) {
  const std::filesystem::path seeds = std::filesystem::path(ASSAY_BINARY_DIR) / "corpus/property_case";
  std::set<std::string> seeded;
  for (const auto& entry : std::filesystem::directory_iterator(seeds)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with("_0") && !name.ends_with("_2")) continue;  // the others are what was found
    EXPECT_NO_THROW(seeded.emplace(read_case_file(entry.path()).property->name)) << name;
  }
  EXPECT_GE(seeded.size(), 27u);
}

TEST(CaseFile, WhatNoRigCanHoldIsRefused) {
  EXPECT_EQ(refusal("tma.tiled.store", "", "tile_offset", 256), "");
  EXPECT_NE(refusal("tma.tiled.store", "", "tile_offset", 3955585345)
                .find("'tile_offset' of the case is 3955585345"),
            std::string::npos);
  EXPECT_NE(refusal("tma.tiled.store", "map", "global_address", 1ull << 37).find("outside the tensor memory"),
            std::string::npos);
  EXPECT_NE(refusal("tma.tiled.load.multicast", "", "cluster_size", 200).find("expected 1, 2, 4, 8 or 16"),
            std::string::npos);
  EXPECT_NE(refusal("tma.tiled.load.multicast", "", "cta_mask", 0x8000).find("names CTAs of a cluster"),
            std::string::npos);
  EXPECT_EQ(refusal("mma.dense.f16", "", "b_flip", 0), "");
  EXPECT_NE(refusal("mma.dense.f16", "", "b_flip", 1).find("flipped"), std::string::npos);
  EXPECT_EQ(refusal("pipeline.gemm", "a_fill", "special_bits", 16), "");
  EXPECT_NE(refusal("pipeline.gemm", "a_fill", "special_bits", 2147483647)
                .find("'a_fill.special_bits' of the case is 2147483647; expected 0, 8, 16 or 32"),
            std::string::npos);
}

TEST(Replay, IdsParseOrAreRefused) {
  EXPECT_TRUE(parse_replay_id("tma.tiled.load@1#2"));
  const auto id = parse_replay_id("a.b@18446744073709551615#7/3.0.12");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->seed, ~uint64_t{0});
  EXPECT_EQ(id->path, "3.0.12");
  for (const char* bad : {"", "a.b", "a.b@1", "a.b#1@2", "a.b@x#1", "a.b@1#-1", "a.b@1#"})
    EXPECT_FALSE(parse_replay_id(bad)) << bad;
}

}  // namespace
}  // namespace assay::suites
