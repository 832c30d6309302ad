// SPDX-License-Identifier: Apache-2.0
#include "suites/run/conductor.h"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/compare/run_diff.h"
#include "reports/results.h"
#include "reports/written_reports.h"
#include "suites/run/case_file.h"

namespace assay::suites {
namespace {

namespace fs = std::filesystem;

fs::path plain(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

/// `folder` is there and can be written to, or can be made.
void check_writable(const fs::path& folder) {
  std::error_code none;
  fs::path part = plain(folder);
  if (!part.has_filename()) part = part.parent_path();
  while (!fs::exists(part, none) && part.has_relative_path()) part = part.parent_path();
  if (!fs::is_directory(part, none))
    throw std::runtime_error("cannot create the folder " + folder.string() + ": " + part.string() +
                             " is not a folder");
  if (access(part.c_str(), W_OK | X_OK) != 0)
    throw std::runtime_error("cannot write to the folder " + part.string() + ": " + std::strerror(errno));
}

}  // namespace

void check_folder(const RunOptions& options) {
  check_writable(options.out);
  check_writable(options.out / "cases");
  report::refuse_foreign_reports_in(options.out, options.force);
}

void check_devices(const report::LeftBehind& left, std::span<const std::unique_ptr<Device>> devices) {
  for (const auto& device : devices) {
    const DeviceIdentity& identity = device->identity();
    const auto same =
        std::find_if(left.devices.begin(), left.devices.end(),
                     [&](const report::DeviceInfo& info) { return info.spec == identity.spec; });
    if (same == left.devices.end()) continue;  // ended before it was recorded
    if (same->uuid != identity.uuid)
      throw std::runtime_error("the run to resume had another GPU as " + identity.spec + ": " + same->uuid +
                               ", now it is " + identity.uuid);
  }
}

void record_history(report::Recorder& recorder, const report::Nights& history, const RunOptions& options) {
  if (!history.nights.empty()) recorder.set_nights(history.nights);
  for (const report::Nights::Unread& unread : history.unread)
    recorder.add_finding("", report::history_not_read, unread.words);
  for (const fs::path& place : report::absent_places(options.history))
    recorder.add_finding("", report::history_absent, place.string() + " does not exist yet");
}

void check_case_files(const RunOptions& options, std::span<const Property* const> selected) {
  for (const fs::path& file : options.case_files) {
    const Property* property = read_case_file(file).property;
    if (std::find(selected.begin(), selected.end(), property) == selected.end())
      throw std::runtime_error(
          file.string() + ": its property " + std::string(property->name) +
          " is not among those that this run selects; select it too, or leave the file out");
  }
}

fs::path make_room(RunOptions& options) {
  const auto aside = report::set_earlier_aside(options.out);
  const fs::path cases = options.out / "cases";
  std::error_code problem;
  fs::create_directories(cases, problem);
  if (problem)
    throw std::runtime_error("cannot create the folder " + cases.string() + ": " + problem.message());
  if (!aside) return {};
  const auto follow = [&](fs::path& file) {
    if (file.empty()) return;
    const fs::path moved = *aside / plain(file).lexically_relative(plain(options.out));
    if (!fs::exists(file) && fs::exists(moved)) file = moved;
  };
  for (fs::path& file : options.case_files) follow(file);
  follow(options.baseline);
  return *aside;
}

namespace {

std::string whole_path(const std::filesystem::path& path) {
  return path.empty() ? std::string() : std::filesystem::absolute(path).string();
}

}  // namespace

std::string options_text(const RunOptions& options) {
  nlohmann::json json;
  json["properties"] = options.properties;
  json["devices"] = options.devices;
  if (options.cases) json["cases"] = *options.cases;
  if (options.budget) json["budget_ms"] = options.budget->count();
  json["seed"] = options.seed;
  json["case_files"] = nlohmann::json::array();
  for (const auto& file : options.case_files) json["case_files"].push_back(whole_path(file));
  json["threads"] = options.threads;
  json["cover"] = options.cover;
  json["most_shrunk"] = options.most_shrunk;
  json["most_repeats"] = options.most_repeats;
  json["shrink_ms"] = options.shrink_time.count();
  json["shard"] = options.shard;
  json["shards"] = options.shards;
  json["baseline"] = whole_path(options.baseline);
  json["expect"] = whole_path(options.expect);
  json["fail_fast"] = options.fail_fast;
  json["flaky_warns"] = options.flaky_warns;
  json["junit_rich"] = options.junit_options.profile == report::JunitProfile::rich;
  json["junit_failures"] = options.junit_options.most_failures;
  json["command_line"] = options.command_line;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RunOptions options_to_resume(const std::filesystem::path& folder, const std::string& version,
                             const std::string& commit) {
  const std::filesystem::path file = folder / "results.db";
  if (!std::filesystem::exists(file))
    throw std::runtime_error("there is no run to resume in " + folder.string() + ": it has no results.db");
  const report::LeftBehind left = report::read_left_behind(file);
  if (left.run.version != version || left.run.commit != commit)
    throw std::runtime_error("the run in " + folder.string() + " was begun by assay " + left.run.version +
                             " (" + left.run.commit + "), this is " + version + " (" + commit +
                             "), which may generate other cases; start a new run");
  const nlohmann::json json = nlohmann::json::parse(left.run.options, nullptr, /*allow_exceptions=*/false);
  RunOptions options;
  try {
    options.properties = json.at("properties").get<std::vector<std::string>>();
    options.devices = json.at("devices").get<std::vector<std::string>>();
    if (json.contains("cases")) options.cases = json["cases"].get<uint64_t>();
    if (json.contains("budget_ms"))
      options.budget = std::chrono::milliseconds(json["budget_ms"].get<int64_t>());
    options.seed = json.at("seed").get<uint64_t>();
    for (const auto& name : json.at("case_files")) options.case_files.emplace_back(name.get<std::string>());
    options.cover = json.value("cover", false);
    options.threads = json.at("threads").get<int>();
    options.most_shrunk = json.at("most_shrunk").get<int>();
    options.most_repeats = json.at("most_repeats").get<int>();
    options.shrink_time = std::chrono::milliseconds(json.at("shrink_ms").get<int64_t>());
    options.shard = json.at("shard").get<int>();
    options.shards = json.at("shards").get<int>();
    options.baseline = json.at("baseline").get<std::string>();
    options.expect = json.at("expect").get<std::string>();
    options.fail_fast = json.value("fail_fast", false);
    options.flaky_warns = json.at("flaky_warns").get<bool>();
    if (json.at("junit_rich").get<bool>()) options.junit_options.profile = report::JunitProfile::rich;
    options.junit_options.most_failures = json.at("junit_failures").get<size_t>();
    options.command_line = json.at("command_line").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error("the run in " + folder.string() + " does not say how it was started");
  }
  options.version = version;
  options.commit = commit;
  options.out = folder;
  options.resume = true;
  return options;
}

}  // namespace assay::suites
