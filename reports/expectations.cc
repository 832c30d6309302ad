// SPDX-License-Identifier: Apache-2.0
#include "reports/expectations.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

#include "reports/text.h"

namespace assay::report {
namespace {

struct Key {
  const char* name;
  std::string Waiver::*member;
  bool required;
};
constexpr Key keys[] = {{"id", &Waiver::id, true},         {"device", &Waiver::device, true},
                        {"driver", &Waiver::driver, true}, {"property", &Waiver::property, false},
                        {"rule", &Waiver::rule, false},    {"signature", &Waiver::signature, true},
                        {"reason", &Waiver::reason, true}, {"link", &Waiver::link, true}};

std::vector<uint64_t> numbers(std::string_view version) {
  std::vector<uint64_t> parts;
  const char* at = version.data();
  const char* const end = at + version.size();
  while (at != end) {
    uint64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) return {};
    parts.push_back(value);
    at = next;
    if (at == end) break;
    if (*at++ != '.' || at == end) return {};
  }
  return parts;
}

struct Bound {
  std::string_view comparison;
  std::vector<uint64_t> version;
};

/// Empty where the text has not the form of bounds.
std::vector<Bound> bounds_of(std::string_view text) {
  std::vector<Bound> bounds;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const auto trim = [](std::string_view& t) {
      while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
      while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
    };
    trim(one);
    Bound bound;
    for (const std::string_view comparison : {">=", "<=", "==", ">", "<"})
      if (bound.comparison.empty() && one.starts_with(comparison)) bound.comparison = comparison;
    one.remove_prefix(bound.comparison.size());
    trim(one);
    bound.version = numbers(one);
    if (bound.comparison.empty() || bound.version.empty()) return {};
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

Waiver waiver_of(const WaiverTable& table, const std::string& name) {
  const auto fail = [&](size_t line, const std::string& what) {
    throw std::runtime_error(name + ", line " + std::to_string(line) + ": " + what);
  };
  Waiver waiver;
  for (const WaiverEntry& entry : table.entries) {
    const auto shown = [&] { return shortened_columns(for_terminal(entry.value), 60); };
    if (entry.key == "expires") {
      if (entry.quoted)
        fail(entry.line, "expires is a string; write the date without quotes, such as 2027-01-31");
      if (!is_timestamp(entry.value + "T00:00:00"))
        fail(entry.line, "expires is not a date such as 2027-01-31: " + shown());
      waiver.expires = entry.value;
      continue;
    }
    const auto* known =
        std::find_if(std::begin(keys), std::end(keys), [&](const Key& k) { return entry.key == k.name; });
    if (known == std::end(keys))
      fail(entry.line, "a waiver has no '" + shortened_columns(entry.key, 60) +
                           "'; it has id, device, driver, property, rule, signature, reason, link, expires");
    if (!entry.quoted) fail(entry.line, entry.key + " is not a quoted string: " + shown());
    if (entry.value.empty()) fail(entry.line, entry.key + " is an empty string; give a value");
    if (entry.key == "driver" && entry.value != "*" && bounds_of(entry.value).empty())
      fail(entry.line, "driver '" + shown() + "' is neither \"*\" nor bounds such as \">=580.95, <590\"");
    waiver.*known->member = entry.value;
  }
  for (const Key& key : keys)
    if (key.required && (waiver.*key.member).empty())
      fail(table.line, std::string("the waiver has no '") + key.name + "'");
  if (waiver.expires.empty()) fail(table.line, "the waiver has no 'expires'");
  if (waiver.property.empty() && waiver.rule.empty())
    fail(table.line, "the waiver names neither a property nor a rule");
  return waiver;
}

}  // namespace

bool is_in_range(std::string_view version, std::string_view bounds) {
  if (bounds == "*") return true;
  const std::vector<uint64_t> have = numbers(version);
  if (have.empty()) return false;
  const std::vector<Bound> all = bounds_of(bounds);
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](const Bound& bound) {
    const auto order = have <=> bound.version;
    if (bound.comparison == ">=") return order >= 0;
    if (bound.comparison == "<=") return order <= 0;
    if (bound.comparison == ">") return order > 0;
    if (bound.comparison == "<") return order < 0;
    return order == 0;
  });
}

std::vector<Waiver> parse_expectations(std::string_view text, const std::string& name) {
  std::vector<Waiver> waivers;
  std::map<std::string, size_t> lines;  // of each id
  for (const WaiverTable& table : parse_waiver_tables(text, name)) {
    waivers.push_back(waiver_of(table, name));
    const auto [before, is_new] = lines.emplace(waivers.back().id, table.line);
    if (!is_new)
      throw std::runtime_error(name + ", line " + std::to_string(table.line) + ": the id '" +
                               shortened_columns(for_terminal(before->first), 60) +
                               "' was given before, by the waiver on line " + std::to_string(before->second));
  }
  return waivers;
}

std::vector<Waiver> read_expectations(const std::filesystem::path& file) {
  return parse_expectations(read_whole_file(file), file.string());
}

bool is_for_device(const Waiver& waiver, const DeviceInfo& device) {
  const std::string* const names[] = {&device.name, &device.uuid, &device.spec, &device.architecture,
                                      &device.evidence};
  if (std::none_of(std::begin(names), std::end(names),
                   [&](const std::string* name) { return !name->empty() && glob(waiver.device, *name); }))
    return false;
  if (waiver.driver == "*") return true;
  return std::any_of(device.facts.begin(), device.facts.end(), [&](const auto& fact) {
    return fact.first == "kernel-mode driver" && is_in_range(fact.second, waiver.driver);
  });
}

bool is_for_property(const Waiver& waiver, std::string_view property, const std::vector<std::string>& rules) {
  if (!waiver.property.empty() && !glob(waiver.property, property)) return false;
  return waiver.rule.empty() || std::any_of(rules.begin(), rules.end(),
                                            [&](const std::string& rule) { return glob(waiver.rule, rule); });
}

bool covers(const Waiver& waiver, std::string_view property, std::string_view signature,
            const std::vector<std::string>& rules) {
  return is_for_property(waiver, property, rules) && glob(waiver.signature, signature);
}

bool is_expired(const Waiver& waiver, std::string_view today) {
  return waiver.expires < today;
}

}  // namespace assay::report
