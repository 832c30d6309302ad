// SPDX-License-Identifier: Apache-2.0
#include "reports/causes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>

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
  static constexpr double upstream = 0.9;    ///< it explains what the property gets its input from
  static constexpr double exercised = 0.12;  ///< it does not explain them, but all of the cases exercise it
  static constexpr double elsewhere = 0.92;  ///< factor: some of the cases do not exercise it
  static constexpr double alone = 0.5;       ///< nothing explains them, and they exercise nothing else
  static constexpr double open = 0.06;  ///< it leaves open what came out wrong: it would explain anything
};

/// What one part of the machine hands to another: where the first is wrong, the second fails too.
struct Stream {
  std::string_view from, to;  ///< beginnings of properties' names
};
constexpr Stream streams[] = {{"barrier.", "tma."},           {"barrier.", "bulk."},
                              {"driver.tensor_map.", "tma."}, {"driver.tensor_map.", "pipeline."},
                              {"tma.tiled.", "tma.map."},     {"tma.im2col.", "tma.map."},
                              {"tma.", "pipeline."},          {"mma.", "pipeline."},
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

/// What explains it by itself.
const Blame& of_group(const FailureGroup& group) {
  return group.is_settled ? group.alone : group.blame;
}

/// The line, so that it says what the cause does.
std::string replay_of(const std::string& line, const Cause& cause) {
  if (line.empty() || cause.explained == 0 || line.find(" --cause ") != std::string::npos) return line;
  std::string rules;
  for (const Suspect& suspect : cause.suspects) rules += (rules.empty() ? "" : ",") + suspect.rule;
  return line + " --cause " + rules;
}

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
  struct Mean {
    double sum = 0, weight = 0;
  };

  void add(const FailurePlace& at, const FailureGroup& group) {
    Signature made{at,
                   &group,
                   results_.devices[at.device].properties[at.property].info.name,
                   1 + std::log2(static_cast<double>(std::max<uint64_t>(1, group.count))),
                   {},
                   {}};
    const Blame& blame = of_group(group);
    for (const Weight& weight : blame.weights)
      made.explains.emplace_back(weight.suspect.rule, fit_of(weight.strength));
    if (blame.weights.empty())
      for (const Suspect& suspect : blame.suspects) made.explains.emplace_back(suspect.rule, Fits::all);
    made.exercises.insert(group.rules.begin(), group.rules.end());
    if (made.explains.empty() && made.exercises.size() == 1)
      made.explains.emplace_back(*made.exercises.begin(), Fits::alone);
    left_.push_back(std::move(made));
  }

  /// How well the rule explains what hands its results to this property.
  double upstream(std::string_view rule, std::string_view property) const {
    const auto known = explained_in_.find(rule);
    if (known == explained_in_.end()) return 0;
    double best = 0;
    for (const Stream& stream : streams)
      if (property.starts_with(stream.to))
        for (const auto& [from, how] : known->second)
          if (from.starts_with(stream.from)) best = std::max(best, 0.8 + 0.2 * how.sum / how.weight);
    return best;
  }

  double fit(std::string_view rule, const Signature& one) const {
    double best = one.exercises.contains(rule) ? Fits::exercised : 0;
    if (const auto at = std::ranges::find(one.explains, rule, explained_rule); at != one.explains.end())
      best = std::max(best, best > 0 ? at->second : Fits::elsewhere * at->second);
    return std::max(best, Fits::upstream * upstream(rule, one.property));
  }

  /// Of equals the one that fewer cases conform to is the narrower, and comes first.
  double narrowness(std::string_view rule) const {
    const auto all = exercised_.find(rule), bad = failing_.find(rule);
    if (all == exercised_.end() || all->second == 0) return 0.9;
    return 0.85 + 0.15 * static_cast<double>(bad->second) / static_cast<double>(all->second);
  }

  /// Over what is left, or what of it `first` accounts for. What accounts for all is likelier than what does
  /// for a part.
  double score(std::string_view rule, std::string_view first = {}) const {
    double sum = 0, all = 0, covered = 0;
    for (const Signature& one : left_) {
      if (!first.empty() && fit(first, one) == 0) continue;
      const double how = fit(rule, one);
      sum += one.weight * how, all += one.weight, covered += how > 0 ? one.weight : 0;
    }
    return sum * narrowness(rule) * (0.5 + 0.5 * covered / all);
  }

  /// Rules that explain anything of what is left, the likeliest first; of equals as their bends are listed.
  std::vector<Scored> scores() {
    std::vector<Scored> made;
    explained_in_.clear();
    for (const Signature& one : left_)
      for (const auto& [rule, how] : one.explains) {
        if (std::ranges::find(made, rule, &Scored::rule) == made.end()) made.push_back({rule, 0});
        if (how < Fits::close) continue;
        Mean& mean = explained_in_[rule][one.property];
        mean.sum += one.weight * how, mean.weight += one.weight;
      }
    for (Scored& one : made) one.score = score(one.rule);
    std::ranges::stable_sort(made, std::greater(), &Scored::score);
    return made;
  }

  /// In the words that most of the cases are explained by.
  Suspect suspect_of(std::string_view rule) const {
    std::map<std::string_view, double> words;
    for (const Signature& one : left_) {
      const Blame& blame = of_group(*one.group);
      for (const Weight& weight : blame.weights)
        if (weight.suspect.rule == rule) words[weight.suspect.words] += one.weight * fit_of(weight.strength);
      if (blame.weights.empty())
        for (const Suspect& suspect : blame.suspects)
          if (suspect.rule == rule) words[suspect.words] += one.weight * Fits::all;
    }
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

  double best_fit(std::string_view rule) const {
    double best = 0;
    for (const Signature& one : left_)
      for (const auto& [explains, how] : one.explains)
        if (explains == rule) best = std::max(best, how);
    return best;
  }

  /// The first, with those that come close to it. One that only comes near to what was seen is not named
  /// alone: beside it are the next, then what the cases exercise and few that conform.
  std::vector<Suspect> suspects_of(std::vector<Scored> found) const {
    std::vector<Suspect> made;
    const std::string_view first = found.front().rule;
    const bool is_certain = best_fit(first) >= Fits::several;
    for (Scored& rival : found) rival.score = score(rival.rule, first);
    std::stable_sort(found.begin() + 1, found.end(),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
    for (size_t i = 0; i < std::min(found.size(), most_suspects); ++i)
      if (!is_certain || found[i].score >= as_likely * found.front().score)
        made.push_back(suspect_of(found[i].rule));
    if (!is_certain)
      for (const std::string_view rule : exercised_most())
        if (made.size() < most_suspects && std::ranges::find(made, rule, &Suspect::rule) == made.end())
          made.push_back({std::string(rule), {}});
    return made;
  }

  /// The rule that accounts for most of what is left, with all that it may have brought about.
  bool take_explained(std::vector<Cause>& causes) {
    const std::vector<Scored> found = scores();
    if (found.empty()) return false;
    Cause cause;
    const std::string_view rule = found.front().rule;
    cause.suspects = suspects_of(found);
    cause.words = words({true, cause.suspects}, {});
    take(cause, [&](const Signature& one) {
      return std::ranges::find(one.explains, rule, explained_rule) != one.explains.end();
    });
    cause.explained = cause.places.size();
    take(cause, [&](const Signature& one) { return fit(rule, one) > 0; });
    // Of what no rule was altered for, it is said what came out.
    if (cause.suspects.size() == 1 && cause.suspects.front().words.empty())
      cause.words += ": " + headline(group_at(results_, cause.places.front()).examples.front());
    finish(cause, causes);
    return true;
  }

  /// Rules that most of what is left exercises, and least of what conforms.
  std::vector<std::string_view> exercised_most() const {
    std::map<std::string_view, double> scores;
    for (const Signature& one : left_)
      for (const std::string_view rule : one.exercises) scores[rule] += one.weight * narrowness(rule);
    std::vector<std::pair<double, std::string_view>> order;
    for (const auto& [rule, score] : scores) order.emplace_back(-score, rule);
    std::sort(order.begin(), order.end());
    std::vector<std::string_view> made;
    for (size_t i = 0; i < std::min(order.size(), 2 * most_suspects); ++i) made.push_back(order[i].second);
    return made;
  }

  /// Of what nothing explains: what exercises the same rule.
  bool take_unexplained(std::vector<Cause>& causes) {
    if (left_.empty()) return false;
    const std::vector<std::string_view> rules = exercised_most();
    Cause cause;
    for (size_t i = 0; i < std::min(rules.size(), most_suspects); ++i)
      cause.suspects.push_back({std::string(rules[i]), {}});
    // What exercises nothing has no more in common than its property.
    const std::string_view property = left_.front().property;
    take(cause, [&](const Signature& one) {
      return rules.empty() ? one.property == property : one.exercises.contains(rules.front());
    });
    const FailureGroup& first = group_at(results_, cause.places.front());
    cause.words = words({of_group(first).was_sought, {}}, first.rules);
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
    cause.replay = replay_of(group_at(results_, cause.places.front()).examples.front().replay, cause);
    causes.push_back(std::move(cause));
  }

  const Results& results_;
  std::vector<Signature> left_;
  std::map<std::string_view, std::map<std::string_view, Mean>> explained_in_;  ///< by rule and property
  std::map<std::string_view, uint64_t> exercised_, failing_;                   ///< cases, by rule
};

}  // namespace

std::vector<Cause> causes_of(const Results& results) {
  return Ranking(results).causes();
}

namespace {

/// What a run says of a question where cases that fail differ from all of its readings.
void settle_readings(DeviceResult& device, const std::set<std::string_view>& explained) {
  for (ReadingRow& row : device.readings) {
    const bool is_undecided = row.status == reading_undecided;
    if (row.status != reading_contradicted && !is_undecided) continue;
    for (const PropertyResult& property : device.properties)
      if (explained.contains(property.info.name) &&
          (is_undecided ? std::ranges::any_of(property.failures,
                                              [&](const FailureGroup& group) {
                                                return group.signature.find(row.question) !=
                                                       std::string::npos;
                                              })
                        : row.witness.find(property.info.name + "@") != std::string::npos)) {
        row.status = reading_open;
        row.chosen_letter = row.default_letter;
        row.witness.clear();
      }
  }
}

/// Lines on readings that the case would fit.
void drop_readings(std::string& detail) {
  std::string kept;
  for (std::string_view rest = detail; !rest.empty();) {
    const std::string_view line =
        rest.substr(0, rest.find('\n') + 1 == 0 ? rest.size() : rest.find('\n') + 1);
    if (!(line.starts_with("fits ") || line.starts_with("follows "))) kept += line;
    rest.remove_prefix(line.size());
  }
  detail = kept;
}

}  // namespace

void settle_causes(Results& results) {
  std::map<std::pair<size_t, std::string_view>, bool> explained;  ///< by device and property: all that failed
  for (const Cause& cause : causes_of(results))
    for (size_t i = 0; i < cause.places.size(); ++i) {
      const FailurePlace& at = cause.places[i];
      PropertyResult& property = results.devices[at.device].properties[at.property];
      FailureGroup& group = property.failures[at.group];
      const auto known = explained.try_emplace({at.device, property.info.name}, true).first;
      known->second &= cause.explained != 0;
      if (cause.explained == 0 || group.is_settled) continue;
      group.alone = group.blame;
      group.is_settled = true;
      group.is_folded = i >= cause.explained;
      group.blame = {true, cause.suspects, group.alone.weights};
      for (CaseRow& row : group.examples)
        drop_readings(row.detail), row.replay = replay_of(row.replay, cause);
      for (FailureKindRow& kind : property.kinds)
        if (kind.signature == group.signature && kind.verdict == group.verdict) kind.blame = group.blame;
    }
  for (size_t d = 0; d < results.devices.size(); ++d) {
    std::set<std::string_view> properties;
    for (const auto& [property, is_explained] : explained)
      if (property.first == d && is_explained) properties.insert(property.second);
    settle_readings(results.devices[d], properties);
  }
}

size_t causes_to_show(const std::vector<Cause>& causes) {
  uint64_t all = 0, shown = 0;
  for (const Cause& cause : causes) all += cause.cases;
  size_t most = 0;
  while (most < causes.size() && (most < 3 || 2 * shown < all)) shown += causes[most++].cases;
  return most;
}

}  // namespace assay::report
