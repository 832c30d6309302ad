// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/shrinking.h"

#include <rapidcheck.h>
#include <charconv>

namespace assay::suites {
namespace {

using Keep = std::function<bool(const Case&)>;

rc::Shrinkable<Case> tree_of(const Family& family, const Case& root, Keep keep);

/// A lazy walk over those of a list that are kept, each with a tree of its own.
struct KeptChildren {
  const Family& family;
  Keep keep;
  std::vector<Case> children;
  size_t at = 0;
  rc::Maybe<rc::Shrinkable<Case>> operator()() {
    while (at < children.size()) {
      const Case& child = children[at++];
      if (keep(child)) return tree_of(family, child, keep);
    }
    return rc::Nothing;
  }
};

/// RapidCheck's shrink tree over the family's simpler cases, simpler ones of those, and so on.
rc::Shrinkable<Case> tree_of(const Family& family, const Case& root, Keep keep) {
  return rc::shrinkable::lambda(
      [root] { return root; },
      [&family, root, keep] {
        return rc::Seq<rc::Shrinkable<Case>>(KeptChildren{family, keep, family.simpler(root)});
      });
}

/// Simpler cases stay of the same kind: what the default readings expect of them is what they expected of the
/// first.
Keep same_kind(const Property& property, const Case& root, spec::Arch arch) {
  const Family* family = &property.family();
  auto readings = std::make_shared<spec::Readings>(arch);
  auto scratch = std::make_shared<Scratch>();
  Expected first;
  family->predict(root, *readings, *scratch, first);
  const bool by_rules = first.end == model::End::rejected;
  return [=, end = first.end, rules = first.rules](const Case& c) {
    Expected expected;
    family->predict(c, *readings, *scratch, expected);
    return expected.end == end && (!by_rules || expected.rules == rules);
  };
}

bool same_failure(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && a.end.ended == b.end.ended && a.end.code == b.end.code &&
         a.expected_end == b.expected_end && a.observed.empty() == b.observed.empty();
}

}  // namespace

Shrunk shrink(CaseRunner& runner, const Property& property, const Outcome& failure, spec::Arch arch,
              const ShrinkLimits& limits) {
  Shrunk result{failure, {}, 0};
  std::vector<uint32_t> path;
  auto node = tree_of(property.family(), failure.what, same_kind(property, failure.what, arch));
  const uint32_t at_once = property.batch_cases != 0 ? property.batch_cases : limits.cases_at_once;
  const auto out_of_time = [&] {
    return result.attempts >= limits.most_attempts || std::chrono::steady_clock::now() >= limits.deadline ||
           (limits.stop && limits.stop());
  };
  for (bool moved = true; moved && !out_of_time();) {
    moved = false;
    auto children = node.shrinks();
    uint32_t first = 0;
    while (!moved && !out_of_time()) {
      std::vector<rc::Shrinkable<Case>> group;
      std::vector<Case> cases;
      while (group.size() < at_once) {
        auto child = children.next();
        if (!child) break;
        cases.push_back(child->value());
        group.push_back(std::move(*child));
      }
      if (group.empty()) break;
      result.attempts += static_cast<int>(cases.size());
      const std::vector<Outcome> outcomes = runner.run(property, cases);
      for (uint32_t k = 0; k < outcomes.size() && !moved; ++k) {
        if (!same_failure(outcomes[k], failure)) continue;
        // What is printed is run alone: so must this have been.
        if (cases.size() > 1) {
          ++result.attempts;
          const Outcome alone = runner.run(property, {&cases[k], 1}).front();
          if (!same_failure(alone, failure)) continue;
          result.least = alone;
        } else {
          result.least = outcomes[k];
        }
        path.push_back(first + k);
        node = group[k];
        moved = true;
      }
      first += static_cast<uint32_t>(group.size());
    }
  }
  result.path = path_text(path);
  return result;
}

std::string path_text(const std::vector<uint32_t>& path) {
  std::string text;
  for (size_t i = 0; i < path.size();) {
    size_t run = i;
    while (run < path.size() && path[run] == path[i]) ++run;
    text += (text.empty() ? "" : ".") + std::to_string(path[i]);
    if (run - i > 1) text += "x" + std::to_string(run - i);
    i = run;
  }
  return text;
}

std::vector<uint32_t> parse_path(std::string_view text) {
  const std::runtime_error malformed("a shrink path is numbers joined by dots, such as 3.0.4x9, not '" +
                                     std::string(text) + "'");
  std::vector<uint32_t> path;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&] {
    uint32_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) throw malformed;
    at = next;
    return value;
  };
  while (at != end) {
    const uint32_t child = number();
    uint32_t times = 1;
    if (at != end && *at == 'x') {
      ++at;
      times = number();
    }
    if (times == 0 || times > 100000) throw malformed;
    path.insert(path.end(), times, child);
    if (at == end) break;
    if (*at++ != '.' || at == end) throw malformed;
  }
  return path;
}

Case at_path(const Property& property, const Case& root, spec::Arch arch, std::string_view path) {
  auto node = tree_of(property.family(), root, same_kind(property, root, arch));
  for (const uint32_t child : parse_path(path)) {
    auto children = node.shrinks();
    auto next = children.next();
    for (uint32_t k = 0; k < child && next; ++k) next = children.next();
    if (!next)
      throw std::runtime_error(
          "the shrink path leads past the tree of this case; was it made by another version?");
    node = std::move(*next);
  }
  return node.value();
}

}  // namespace assay::suites
