// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <set>
#include <vector>

#include "cli/command.h"
#include "reference/spec/near_names.h"
#include "reference/spec/question.h"

namespace assay::cli {

spec::Arch arch_option(const std::string& option, const std::string& value) {
  const auto arch = spec::parse_arch(value);
  if (arch) return *arch;
  throw UsageError(option, "unknown architecture '" + value + "'; expected " + spec::listed(spec::name_text));
}

std::vector<std::string_view> arch_names() {
  std::vector<std::string_view> names;
  for (const spec::Arch arch : spec::all_archs) names.emplace_back(spec::name(arch));
  return names;
}

namespace {

void check_fault(const std::string& spec, std::string_view name) {
  const std::vector<FaultRow> faults = emulator_faults();
  if (std::none_of(faults.begin(), faults.end(), [&](const FaultRow& fault) { return fault.name == name; }))
    throw DeviceSpecError("device '" + spec + "': " + unknown_fault(faults, name));
}

void check_reading(const std::string& spec, std::string_view text) {
  const std::string_view id = text.substr(0, text.rfind(':'));
  const char letter = text.back();
  const auto index = spec::find_question(id);
  if (!index) {
    std::vector<std::string_view> ids;
    for (const spec::Question& question : spec::questions()) ids.push_back(question.id);
    throw DeviceSpecError("device '" + spec + "': unknown open question '" + std::string(id) + "'" +
                          spec::did_you_mean(id, ids));
  }
  const spec::Question& question = spec::questions()[*index];
  std::string letters;
  for (int i = 0; i < question.reading_count(); ++i) {
    if (question.readings[i].letter == letter) return;
    letters += (i == 0 ? "" : ", ") + std::string(1, question.readings[i].letter);
  }
  throw DeviceSpecError("device '" + spec + "': " + std::string(id) + " has no reading '" +
                        std::string(1, letter) + "'; its readings are " + letters);
}

/// Those that a device's words name.
void check_names(const std::string& device) {
  constexpr std::string_view fault = "fault=", reading = "reading=";
  std::string_view rest = device;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    if (word.starts_with(fault)) check_fault(device, word.substr(fault.size()));
    if (word.starts_with(reading)) check_reading(device, word.substr(reading.size()));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

}  // namespace

std::string unknown_fault(std::span<const FaultRow> faults, std::string_view name) {
  std::set<std::string_view> names;  // a fault has a row for each architecture
  for (const FaultRow& fault : faults) names.insert(fault.name);
  const std::string near = spec::did_you_mean(name, std::vector(names.begin(), names.end()));
  return "unknown fault '" + std::string(name) + "'" +
         (near.empty() ? "; 'assay faults --list' lists the faults" : near);
}

std::vector<std::string> devices_named(const std::vector<std::string>& selections) {
  std::vector<std::string> devices;
  for (const std::string& selection : selections)
    for (std::string& device : resolve_devices(selection)) {
      check_names(device);
      if (std::find(devices.begin(), devices.end(), device) == devices.end())
        devices.push_back(std::move(device));
    }
  return devices;
}

std::chrono::milliseconds duration(const std::string& text, const std::string& option) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const double milliseconds = unit == "ms"  ? 1
                              : unit == "s" ? 1e3
                              : unit == "m" ? 60e3
                              : unit == "h" ? 3600e3
                                            : 0;
  if (problem != std::errc{} || milliseconds == 0 || !(value > 0) || value * milliseconds > 1e12)
    throw UsageError(option, "invalid duration '" + text + "' (for example: 60s, 10m or 2h)");
  return std::chrono::milliseconds(static_cast<int64_t>(std::ceil(value * milliseconds)));
}

std::chrono::system_clock::time_point moment(const std::string& text, const std::string& option,
                                             std::chrono::system_clock::time_point now) {
  using std::chrono::system_clock;
  const std::time_t now_seconds = system_clock::to_time_t(now);
  std::tm parts{};
  int hour = 0, minute = 0, second = 0, used = 0;
  if (std::sscanf(text.c_str(), "%2d:%2d%n", &hour, &minute, &used) == 2 &&
      used == static_cast<int>(text.size()) && hour >= 0 && hour < 24 && minute >= 0 && minute < 60) {
    localtime_r(&now_seconds, &parts);
    parts.tm_hour = hour, parts.tm_min = minute, parts.tm_sec = 0, parts.tm_isdst = -1;
    std::tm tomorrow = parts;
    const std::time_t today = std::mktime(&parts);
    if (today > now_seconds) return system_clock::from_time_t(today);
    ++tomorrow.tm_mday;
    tomorrow.tm_isdst = -1;
    return system_clock::from_time_t(std::mktime(&tomorrow));
  }
  int year = 0, month = 0, day = 0;
  used = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d%n", &year, &month, &day, &hour, &minute, &used) == 5) {
    std::string rest = text.substr(static_cast<size_t>(used));
    int more = 0;
    if (std::sscanf(rest.c_str(), ":%2d%n", &second, &more) == 1)
      rest = rest.substr(static_cast<size_t>(more));
    parts.tm_year = year - 1900, parts.tm_mon = month - 1, parts.tm_mday = day;
    parts.tm_hour = hour, parts.tm_min = minute, parts.tm_sec = second, parts.tm_isdst = -1;
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60) {
      if (rest == "Z") return system_clock::from_time_t(timegm(&parts));
      if (rest.empty()) return system_clock::from_time_t(std::mktime(&parts));
    }
  }
  throw UsageError(option, "invalid time '" + text +
                               "'; expected HH:MM or a date and time, such as 06:30 or 2026-11-22T05:30Z");
}

namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > 1'000'000)
    return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("--shard", why);
}

}  // namespace

Shard parse_shard(const std::string& text, const std::function<const char*(const char*)>& variable) {
  const auto read = [&](const char* name) -> std::optional<int> {
    const char* value = variable(name);
    if (value == nullptr) return std::nullopt;
    const auto parsed = number(value);
    if (!parsed) refuse(std::string(name) + " is '" + value + "', which is not a number");
    return parsed;
  };
  const size_t slash = text.find('/');
  const std::string left = text.substr(0, slash);
  std::optional<int> count, index;
  if (slash != std::string::npos) {
    count = number(std::string_view(text).substr(slash + 1));
    if (!count || *count == 0) refuse("'" + text + "' is not a shard such as 2/8, auto or auto/8");
  }
  if (left != "auto") {
    index = number(left);
    if (!index || !count) refuse("'" + text + "' is not a shard such as 2/8, auto or auto/8");
  } else if (const auto task = read("SLURM_ARRAY_TASK_ID")) {
    const int first = read("SLURM_ARRAY_TASK_MIN").value_or(0);
    const int last = read("SLURM_ARRAY_TASK_MAX").value_or(*task);
    const int step = std::max(1, read("SLURM_ARRAY_TASK_STEP").value_or(1));
    index = (*task - first) / step + 1;
    if (!count) count = (last - first) / step + 1;
  } else if (const auto completion = read("JOB_COMPLETION_INDEX")) {
    if (!count) refuse("an indexed Kubernetes job does not say how many shards there are; write auto/N");
    index = *completion + 1;
  } else {
    refuse("auto needs a Slurm job array or an indexed Kubernetes job, and this is neither");
  }
  if (*index < 1 || *index > *count)
    refuse("there is no shard " + std::to_string(*index) + " of " + std::to_string(*count) +
           "; shards are numbered from 1");
  return {*index, *count};
}

}  // namespace assay::cli
