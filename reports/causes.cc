// SPDX-License-Identifier: Apache-2.0
#include "reports/causes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "reports/words.h"

namespace assay::report {
namespace {

constexpr size_t most_suspects = 3;
/// A suspect that comes so close to the first is named beside it.
constexpr double as_likely = 0.6;

/// How well a rule accounts for a failure signature: that one alteration of it gives all that came out, in
/// every case that was looked at, counts as 1.
struct Fits {
  static constexpr double all = 1.0;
  static constexpr double several = 0.5;     ///< different alterations of one rule do, each for some cases
  static constexpr double mixed = 0.35;      ///< every element is as the rule has it, or as it is altered
  static constexpr double close = 0.25;      ///< it leaves open what came out wrong, and little else
  static constexpr double upstream = 0.8;    ///< it explains what the property gets its input from
  static constexpr double exercised = 0.12;  ///< it does not explain them, but all of the cases exercise it
  static constexpr double elsewhere = 0.7;   ///< factor: some of the cases do not exercise it
  static constexpr double alone = 0.5;       ///< nothing explains them, and they exercise nothing else
  static constexpr double open = 0.06;  ///< it leaves open what came out wrong: it would explain anything
};

/// What one part of the machine hands to another: where the first is wrong, the second fails too.
struct Stream {
  std::string_view from, to;  ///< beginnings of properties' names
};
constexpr Stream streams[] = {{"driver.tensor_map.", "tma."},
                              {"driver.tensor_map.", "pipeline."},
                              {"tma.", "pipeline."},
                              {"mma.", "pipeline."},
                              {"wgmma.", "pipeline."}};

double fit_of(uint64_t strength) {
  constexpr uint64_t refuted = certain_strength + certain_strength / 2, quarter = 1000;
  if (strength >= 2 * certain_strength) return Fits::all;
  // The more of the cases that conformed would have failed, too, the less.
  if (strength >= refuted)
    return Fits::several +
           (Fits::all - Fits::several) * static_cast<double>((strength - refuted) / quarter) / 5;
  if (strength >= certain_strength) return Fits::several;
  return strength >= 100 ? Fits::mixed : strength >= 10 ? Fits::close : Fits::open;
}

/// A failure signature, with what is known of each rule that may account for it.
struct Signature {
  FailurePlace at;
  const FailureGroup* group;
  std::string_view property;
  double weight;
  std::vector<std::pair<std::string_view, double>> explains;  ///< rules, as their bends are listed
  std::set<std::string_view> exercises;
};

constexpr auto explained_rule = &std::pair<std::string_view, double>::first;

class Ranking {
 public:
  explicit Ranking(const Results& results) : results_(results) {
    for (const FailurePlace& at : failures_in_reading_order(results)) {
      const FailureGroup& group = group_at(results, at);
      if (fails(group.verdict)) add(at, group);
    }
    for (const DeviceResult& device : results.devices)
      for (const PropertyResult& property : device.properties)
        for (const RuleCount& rule : property.rules) {
          exercised_[rule.rule] += rule.exercised;
          failing_[rule.rule] += rule.violated + rule.suspected + rule.implicated;
        }
  }

  std::vector<Cause> causes() {
    std::vector<Cause> causes;
    while (take_explained(causes) || take_unexplained(causes)) continue;
    return causes;
  }

 private:
  struct Scored {
    std::string_view rule;
    double score;
  };

  void add(const FailurePlace& at, const FailureGroup& group) {
    Signature made{at,
                   &group,
                   results_.devices[at.device].properties[at.property].info.name,
                   1 + std::log2(static_cast<double>(std::max<uint64_t>(1, group.count))),
                   {},
                   {}};
    for (const Weight& weight : group.blame.weights)
      made.explains.emplace_back(weight.suspect.rule, fit_of(weight.strength));
    if (group.blame.weights.empty())
      for (const Suspect& suspect : group.blame.suspects) made.explains.emplace_back(suspect.rule, Fits::all);
    made.exercises.insert(group.rules.begin(), group.rules.end());
    if (made.explains.empty() && made.exercises.size() == 1)
      made.explains.emplace_back(*made.exercises.begin(), Fits::alone);
    left_.push_back(std::move(made));
  }

  /// Whether what the rule explains hands its results to this property.
  bool is_upstream(std::string_view rule, std::string_view property) const {
    const auto known = explained_in_.find(rule);
    if (known == explained_in_.end()) return false;
    return std::any_of(std::begin(streams), std::end(streams), [&](const Stream& stream) {
      return property.starts_with(stream.to) &&
             std::any_of(known->second.begin(), known->second.end(),
                         [&](std::string_view p) { return p.starts_with(stream.from); });
    });
  }

  double fit(std::string_view rule, const Signature& one) const {
    double best = one.exercises.contains(rule) ? Fits::exercised : 0;
    if (const auto at = std::ranges::find(one.explains, rule, explained_rule); at != one.explains.end())
      best = std::max(best, best > 0 ? at->second : Fits::elsewhere * at->second);
    return is_upstream(rule, one.property) ? std::max(best, Fits::upstream) : best;
  }

  /// Of equals the one that fewer cases conform to is the narrower, and comes first.
  double narrowness(std::string_view rule) const {
    const auto all = exercised_.find(rule), bad = failing_.find(rule);
    if (all == exercised_.end() || all->second == 0) return 0.85;
    return 0.7 + 0.3 * static_cast<double>(bad->second) / static_cast<double>(all->second);
  }

  double score(std::string_view rule) const {
    double sum = 0;
    for (const Signature& one : left_) sum += one.weight * fit(rule, one);
    return sum * narrowness(rule);
  }

  /// Rules that explain anything of what is left, the likeliest first; of equals as their bends are listed.
  std::vector<Scored> scores() {
    std::vector<Scored> made;
    explained_in_.clear();
    for (const Signature& one : left_)
      for (const auto& [rule, how] : one.explains) {
        if (std::ranges::find(made, rule, &Scored::rule) == made.end()) made.push_back({rule, 0});
        if (how >= Fits::close) explained_in_[rule].insert(one.property);
      }
    for (Scored& one : made) one.score = score(one.rule);
    std::stable_sort(made.begin(), made.end(),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
    return made;
  }

  /// In the words that most of the cases are explained by.
  Suspect suspect_of(std::string_view rule) const {
    std::map<std::string_view, double> words;
    for (const Signature& one : left_)
      for (const Weight& weight : one.group->blame.weights)
        if (weight.suspect.rule == rule) words[weight.suspect.words] += one.weight * fit_of(weight.strength);
    std::string_view best;
    double most = -1;
    for (const auto& [text, score] : words)
      if (score > most) best = text, most = score;
    return {std::string(rule), std::string(best)};
  }

  void put(const Signature& one, Cause& cause) const {
    cause.places.push_back(one.at);
    cause.cases += one.group->count;
    if (std::find(cause.properties.begin(), cause.properties.end(), one.property) == cause.properties.end())
      cause.properties.emplace_back(one.property);
  }

  /// The rule that accounts for most of what is left, with all that it may have brought about.
  bool take_explained(std::vector<Cause>& causes) {
    const std::vector<Scored> found = scores();
    if (found.empty()) return false;
    Cause cause;
    const std::string_view rule = found.front().rule;
    for (size_t i = 0; i < std::min(found.size(), most_suspects); ++i)
      if (found[i].score >= as_likely * found.front().score)
        cause.suspects.push_back(suspect_of(found[i].rule));
    cause.words = words({true, cause.suspects}, {});
    take(cause, [&](const Signature& one) {
      return std::ranges::find(one.explains, rule, explained_rule) != one.explains.end();
    });
    cause.explained = cause.places.size();
    take(cause, [&](const Signature& one) { return fit(rule, one) > 0; });
    finish(cause, causes);
    return true;
  }

  /// Of what nothing explains: the rule that most of it exercises and least of what conforms.
  bool take_unexplained(std::vector<Cause>& causes) {
    if (left_.empty()) return false;
    std::map<std::string_view, double> scores;
    for (const Signature& one : left_)
      for (const std::string_view rule : one.exercises) scores[rule] += one.weight * narrowness(rule);
    std::vector<std::pair<double, std::string_view>> order;
    for (const auto& [rule, score] : scores) order.emplace_back(-score, rule);
    std::sort(order.begin(), order.end());
    Cause cause;
    for (size_t i = 0; i < std::min(order.size(), most_suspects); ++i)
      cause.suspects.push_back({std::string(order[i].second), {}});
    // What exercises nothing has no more in common than its property.
    const std::string_view property = left_.front().property;
    take(cause, [&](const Signature& one) {
      return order.empty() ? one.property == property : one.exercises.contains(order.front().second);
    });
    cause.words = blame_line(group_at(results_, cause.places.front()));
    finish(cause, causes);
    return true;
  }

  template <typename Belongs>
  void take(Cause& cause, Belongs belongs) {
    for (const Signature& one : left_)
      if (belongs(one)) put(one, cause);
    std::erase_if(left_, belongs);
  }

  void finish(Cause& cause, std::vector<Cause>& causes) const {
    cause.replay = group_at(results_, cause.places.front()).examples.front().replay;
    causes.push_back(std::move(cause));
  }

  const Results& results_;
  std::vector<Signature> left_;
  std::map<std::string_view, std::set<std::string_view>> explained_in_;  ///< properties, by rule
  std::map<std::string_view, uint64_t> exercised_, failing_;             ///< cases, by rule
};

}  // namespace

std::vector<Cause> causes_of(const Results& results) {
  return Ranking(results).causes();
}

size_t causes_to_show(const std::vector<Cause>& causes) {
  uint64_t all = 0, shown = 0;
  for (const Cause& cause : causes) all += cause.cases;
  size_t most = 0;
  while (most < causes.size() && (most < 3 || 2 * shown < all)) shown += causes[most++].cases;
  return most;
}

}  // namespace assay::report
