// SPDX-License-Identifier: Apache-2.0
#include "cli/moment.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "cli/command_line.h"

namespace assay::cli {

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

}  // namespace assay::cli
