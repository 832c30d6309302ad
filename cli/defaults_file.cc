// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "reference/spec/near_names.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "assay.toml";
/// Options that a file cannot give, because they say which file, or what to do once.
constexpr std::string_view only_typed[] = {"defaults", "resume", "out", "help", "dry-run", "last-failed"};
constexpr std::string_view paths[] = {"baseline", "corpus", "expect", "history"};

bool is_among(std::string_view word, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

const OptionWords* find(const CommandWords& run, const std::string& name) {
  for (const OptionWords& option : run.options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  return nullptr;
}

/// What somebody typed: options by all their names, and whether there was a word without one.
struct Typed {
  std::set<std::string> names;
  std::string out = "assay-out", defaults;
  bool has_globs = false, resumes = false;
};

Typed typed_in(const std::vector<std::string>& words, const CommandWords& run) {
  Typed typed;
  for (size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("-")) {
      typed.has_globs = true;
      continue;
    }
    const size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const OptionWords* const option = find(run, name);
    if (option == nullptr) continue;  // the parser says so
    typed.resumes |= name == "--resume";
    typed.names.insert(option->names.begin(), option->names.end());
    for (const std::string& other : option->excludes) typed.names.insert(other);
    if (!option->takes_value) continue;
    std::string value;
    if (equals != std::string::npos)
      value = words[i].substr(equals + 1);
    else if (i + 1 < words.size())
      value = words[++i];
    if (name == "--out" && !value.empty()) typed.out = value;
    if (name == "--defaults") typed.defaults = value;
  }
  return typed;
}

/// Where a file is looked for that nobody named; empty: there is none.
fs::path file_near(const fs::path& out) {
  std::error_code none;
  const fs::path folder = fs::absolute(out / "x", none).parent_path().lexically_normal();
  std::vector<fs::path> places{folder.parent_path()};
  if (out.has_parent_path()) places.push_back(folder.parent_path().parent_path());
  for (const fs::path& place : places)
    if (fs::is_regular_file(place / file_name, none)) return place / file_name;
  return {};
}

std::vector<CLI::ConfigItem> read(const fs::path& file) {
  std::ifstream text(file);
  if (!text) throw UsageError("cannot read the defaults in " + file.string());
  try {
    return CLI::ConfigTOML().from_config(text);
  } catch (const CLI::Error& error) {
    throw UsageError(file.string() + ": " + error.what());
  }
}

std::string known_keys(const CommandWords& run, const std::string& key) {
  std::vector<std::string> keys{"properties"};
  for (const OptionWords& option : run.options)
    for (const std::string& name : option.names)
      if (name.starts_with("--") && !is_among(name.substr(2), only_typed)) keys.push_back(name.substr(2));
  return spec::did_you_mean(key, std::vector<std::string_view>(keys.begin(), keys.end()));
}

}  // namespace

std::vector<std::string> with_defaults(std::vector<std::string> words, const CommandWords& run) {
  if (words.empty() || words[0] != "run") return words;
  const Typed typed = typed_in(words, run);
  if (typed.resumes) return words;
  const fs::path file = typed.defaults.empty() ? file_near(typed.out) : fs::path(typed.defaults);
  if (file.empty()) return words;
  std::vector<std::string> added;
  for (const CLI::ConfigItem& item : read(file)) {
    if (!item.parents.empty())
      throw UsageError(file.string() + ": table '" + item.parents.front() +
                       "' is not expected; the keys are names of options, without a table");
    const std::string key = item.name;
    const std::string where = file.string() + ": '" + key + "'";
    if (item.inputs.empty()) throw UsageError(where + " has no value");
    if (key == "properties") {
      if (!typed.has_globs) added.insert(added.end(), item.inputs.begin(), item.inputs.end());
      continue;
    }
    const OptionWords* const option = find(run, "--" + key);
    if (option == nullptr || is_among(key, only_typed))
      throw UsageError(where + (option == nullptr ? " is not an option of 'assay run'" + known_keys(run, key)
                                                  : " can only be typed"));
    if (typed.names.contains("--" + key)) continue;
    for (const std::string& value : item.inputs) {
      if (option->takes_value) {
        const fs::path path = is_among(key, paths) ? file.parent_path() / value : fs::path(value);
        added.push_back("--" + key + "=" + path.string());
      } else if (value == "true") {
        added.push_back("--" + key);
      } else if (value != "false") {
        throw UsageError(where + " is '" + value + "', expected true or false");
      }
    }
  }
  if (typed.defaults.empty()) added.push_back("--defaults=" + file.string());
  words.insert(words.end(), added.begin(), added.end());
  return words;
}

}  // namespace assay::cli
