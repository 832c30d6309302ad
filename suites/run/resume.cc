// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "reports/results.h"
#include "suites/run/conductor.h"

namespace assay::suites {
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
