#include "reports/expectations.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <stdexcept>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "reports/glob.h"
#include "reports/whole_file.h"

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

std::string line_of(const toml::node& node, const std::string& name) {
  return name + ", line " + std::to_string(node.source().begin.line);
}

Waiver waiver_of(const toml::table& table, const std::string& name) {
  const std::string place = line_of(table, name);
  Waiver waiver;
  for (const auto& [key, value] : table) {
    const std::string word(key.str());
    if (word == "expires") {
      const auto* date = value.as_date();
      if (date == nullptr)
        throw std::runtime_error(line_of(value, name) + ": expires is no date such as 2027-01-31");
      char text[32];
      std::snprintf(text, sizeof text, "%04d-%02d-%02d", date->get().year, date->get().month,
                    date->get().day);
      waiver.expires = text;
      continue;
    }
    const auto* known =
        std::find_if(std::begin(keys), std::end(keys), [&](const Key& k) { return word == k.name; });
    if (known == std::end(keys))
      throw std::runtime_error(
          line_of(value, name) + ": a waiver has no '" + word +
          "'; it has id, device, driver, property, rule, signature, reason, link, expires");
    const auto* text = value.as_string();
    if (text == nullptr || text->get().empty())
      throw std::runtime_error(line_of(value, name) + ": " + word + " is no text in quotes");
    waiver.*known->member = text->get();
  }
  for (const Key& key : keys)
    if (key.required && (waiver.*key.member).empty())
      throw std::runtime_error(place + ": the waiver lacks '" + key.name + "'");
  if (waiver.expires.empty()) throw std::runtime_error(place + ": the waiver lacks 'expires'");
  if (waiver.property.empty() && waiver.rule.empty())
    throw std::runtime_error(place + ": the waiver names neither a property nor a rule");
  if (waiver.driver != "*" && bounds_of(waiver.driver).empty())
    throw std::runtime_error(place + ": driver '" + waiver.driver +
                             "' is neither \"*\" nor bounds such as \">=580.95, <590\"");
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

namespace {

/// toml++ 3.3 asserts that a table header's bracket is followed by the first character of a key, and checks a
/// closing bracket only: everything else is refused here. A line of a text over several lines that begins so
/// is refused too.
void check_headers(std::string_view text, const std::string& name) {
  constexpr std::string_view blanks = " \t\r";
  size_t line = 1;
  for (size_t at = 0; at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view rest = text.substr(at, end - at);
    at = end + 1;
    const auto skip = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size())); };
    skip();
    if (!rest.starts_with('[')) continue;
    rest.remove_prefix(rest.starts_with("[[") ? 2 : 1);
    skip();
    const bool names = !rest.empty() && (std::isalnum(static_cast<unsigned char>(rest[0])) != 0 ||
                                         std::string_view("_-\"'").find(rest[0]) != std::string_view::npos);
    if (!names)
      throw std::runtime_error(name + ", line " + std::to_string(line) +
                               ": after '[' comes the name of a table, as in [[waiver]]");
  }
}

/// Letters beyond ASCII stand in strings and comments alone (TOML 1.0). toml++ 3.3 takes some that stand
/// elsewhere for what cannot be, and goes on undefined.
void check_letters(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  int line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80)
      throw std::runtime_error(name + ", line " + std::to_string(line) +
                               ": a letter beyond ASCII stands outside a string or comment");
    line += c == '\n';
    if (c == '#') i = std::min(text.find('\n', i), text.size()) - 1;
    if (c != '"' && c != '\'') continue;
    const std::string_view three = text.substr(i, 3);
    const bool many_lines = three == std::string(3, c);
    const std::string_view end = many_lines ? three : text.substr(i, 1);
    // Where a string does not end, the parser stops at the end of its line.
    for (i += end.size(); i < text.size() && !text.substr(i).starts_with(end); ++i) {
      if (text[i] == '\n' && !many_lines) break;
      line += text[i] == '\n';
      if (text[i] == '\\' && c == '"' && text.substr(i + 1, 1) != "\n") ++i;
    }
    if (i < text.size()) i += text[i] == '\n' && !many_lines ? size_t{0} : end.size();
    --i;
  }
}

}  // namespace

std::vector<Waiver> parse_expectations(std::string_view text, const std::string& name) {
  check_headers(text, name);
  check_letters(text, name);
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed)
    throw std::runtime_error(name + ", line " + std::to_string(parsed.error().source().begin.line) + ": " +
                             std::string(parsed.error().description()));
  std::vector<Waiver> waivers;
  for (const auto& [key, value] : parsed.table()) {
    const auto* list = value.as_array();
    if (key.str() != "waiver" || list == nullptr || !list->is_homogeneous(toml::node_type::table))
      throw std::runtime_error(line_of(value, name) + ": '" + std::string(key.str()) +
                               "' is not a [[waiver]] table, and nothing else belongs here");
    for (const toml::node& entry : *list) {
      waivers.push_back(waiver_of(*entry.as_table(), name));
      for (size_t i = 0; i + 1 < waivers.size(); ++i)
        if (waivers[i].id == waivers.back().id)
          throw std::runtime_error(line_of(entry, name) + ": the id '" + waivers[i].id +
                                   "' was given before");
    }
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
