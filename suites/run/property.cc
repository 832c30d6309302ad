// SPDX-License-Identifier: Apache-2.0
#include "suites/run/property.h"

#include <algorithm>
#include <deque>
#include <set>

#include "reference/spec/near_names.h"
#include "reports/text.h"
#include "suites/run/field_coverage.h"
#include "suites/run/generate.h"

namespace assay::suites {
namespace {

/// Built on first use: registrations of other files may run before this one's.
std::deque<Property>& storage() {
  static std::deque<Property> properties;
  return properties;
}
std::vector<const Property*>& sorted() {
  static std::vector<const Property*> properties;
  return properties;
}

}  // namespace

Registered::Registered(Property property) {
  property.own_spaces = property.spaces.size();
  if (property.family != nullptr) property.descriptors = property.family().descriptors();
  for (const Descriptor& descriptor : property.descriptors) {
    property.spaces.push_back(descriptor.class_space());
    property.spaces.push_back(descriptor.pair_space());
  }
  storage().push_back(std::move(property));
  auto& list = sorted();
  const Property* added = &storage().back();
  list.insert(std::lower_bound(list.begin(), list.end(), added,
                               [](const Property* a, const Property* b) { return a->name < b->name; }),
              added);
}

std::span<const Property* const> all_properties() {
  return sorted();
}

const Property* find_property(std::string_view name) {
  for (const Property* property : sorted())
    if (property->name == name) return property;
  return nullptr;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (report::glob(pattern, name)) return true;
  const bool names_one = find_property(pattern) != nullptr;
  return !names_one && pattern.find_first_of("*?") == std::string_view::npos &&
         name.size() > pattern.size() && name.starts_with(pattern) && name[pattern.size()] == '.';
}

std::string near_properties(std::string_view name) {
  std::vector<std::string_view> names;
  std::set<std::string> areas;
  for (const Property* property : sorted()) {
    names.push_back(property->name);
    for (size_t dot = property->name.find('.'); dot != std::string_view::npos;
         dot = property->name.find('.', dot + 1))
      areas.insert(std::string(property->name.substr(0, dot)) + ".*");
  }
  if (name.ends_with('*')) names.assign(areas.begin(), areas.end());
  const std::string near = spec::did_you_mean(name, names);
  return near.empty() ? "; 'assay list' lists the properties" : near;
}

std::vector<const Property*> select_properties(std::span<const std::string> patterns) {
  std::vector<const Property*> chosen;
  for (const Property* property : sorted())
    // A screen asks a board, not a document, and keeps it busy: it is run where it is named.
    if ((patterns.empty() && !property->name.starts_with("screen.")) ||
        std::any_of(patterns.begin(), patterns.end(),
                    [&](const std::string& pattern) { return matches(pattern, property->name); }))
      chosen.push_back(property);
  for (const std::string& pattern : patterns)
    if (std::none_of(sorted().begin(), sorted().end(),
                     [&](const Property* property) { return matches(pattern, property->name); })) {
      throw spec::UnknownName("unknown property '" + pattern + "'" + near_properties(pattern));
    }
  return chosen;
}

bool ends_by_default(const Family& family, const Case& c, spec::Arch arch, model::End end) {
  thread_local Scratch scratch;
  Expected expected;
  family.predict(c, spec::Readings(arch), scratch, expected);
  return expected.end == end && !expected.may_crash;
}

}  // namespace assay::suites
