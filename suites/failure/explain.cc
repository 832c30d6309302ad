// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/explain.h"

#include <algorithm>

#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

/// What the reference predicts of one case, kept.
struct Prediction {
  Expected expected;
  ExpectedOutput output;  ///< empty where bytes are not judged
};

Prediction predict(const Family& family, const Case& c, const spec::Readings& readings, Scratch& scratch) {
  Prediction made;
  family.predict(c, readings, scratch, made.expected);
  if (made.expected.judges_bytes) made.output = family.expected_output(c, made.expected);
  return made;
}

bool are_defaults(const spec::Readings& readings) {
  for (size_t i = 0; i < spec::questions().size(); ++i)
    if (!readings.is_default(static_cast<spec::QuestionIndex>(i))) return false;
  return true;
}

/// What a case that failed is held against: the readings that it was judged by, and the defaults. A device
/// that breaks a rule may have seemed to follow a rival of an open question, which then explains nothing.
struct Held {
  spec::Readings readings;
  Prediction right;
  bool has_wrong_value = false;  ///< where several are right, none of those came out
};
std::vector<Held> held_against(const Family& family, const Case& c, const spec::Readings& readings,
                               const Observation& seen, Scratch& scratch) {
  std::vector<Held> all;
  const auto hold = [&](const spec::Readings& by) {
    Held& held = all.emplace_back(Held{by, predict(family, c, by, scratch)});
    held.has_wrong_value = end_fits(held.right.expected, seen.end) &&
                           compares_bytes(held.right.expected, seen.end) &&
                           !family.allows(c, by, seen.output);
  };
  hold(readings);
  if (!are_defaults(readings)) hold(spec::Readings(readings.arch()));
  return all;
}

bool differs(const ExpectedOutput& a, std::span<const std::byte> seen, size_t i) {
  return ((a.bytes[i] ^ std::to_integer<uint8_t>(seen[i])) & a.defined[i]) != 0;
}

/// An alteration that leaves open no more than so many times what came out wrong is about little else.
constexpr uint64_t most_opened = 8;

/// Bytes against bytes: as the rules say, as the altered rule says, as seen. `wrong_value`: where the rules
/// allow several values, the device has none of those; `bent_value`: nor of those that the altered rule
/// allows.
Fit fit_of_bytes(const Family& family, const Case& c, const ExpectedOutput& right, const ExpectedOutput& bent,
                 std::span<const std::byte> seen, bool wrong_value, bool bent_value, bool opens_values) {
  if (right.bytes.size() != seen.size() || bent.bytes.size() != seen.size() || bent_value) return Fit::none;
  const size_t element = std::max<size_t>(1, family.output_shape(c).element_bytes);
  bool all_bent = true;
  uint64_t foretold = 0, left_open = 0, opened = 0;
  for (size_t first = 0; first < seen.size(); first += element) {
    bool is_right = true, is_bent = true;
    for (size_t i = first; i < std::min(first + element, seen.size()); ++i) {
      const bool is_wrong = differs(right, seen, i);
      is_right &= !is_wrong;
      is_bent &= !differs(bent, seen, i);
      if (is_wrong) ++(bent.defined[i] != 0 ? foretold : left_open);
      opened += (right.defined[i] & ~bent.defined[i]) != 0;
    }
    if (!is_right && !is_bent) return Fit::none;
    all_bent &= is_bent;
  }
  // All that is wrong is one of several values: the altered rule allows what is there, or says what it is.
  if (foretold + left_open == 0 && wrong_value)
    return !all_bent ? Fit::none : opens_values ? Fit::open : Fit::exact;
  if (foretold < left_open || foretold == 0)
    return !all_bent ? Fit::none : opened <= most_opened * left_open ? Fit::close : Fit::open;
  return all_bent ? Fit::exact : Fit::mixed;
}

Fit fit(const Family& family, const Case& c, const Held& held, const spec::Readings& bent_readings,
        const Prediction& bent, const Observation& seen) {
  const Prediction& right = held.right;
  if (!end_fits(bent.expected, seen.end)) return Fit::none;
  const bool was_end_wrong = !end_fits(right.expected, seen.end);
  // What then comes is not known: anything could.
  if (bent.expected.end == model::End::undefined)
    return right.expected.end == model::End::undefined ? Fit::none : Fit::open;
  if (!compares_bytes(bent.expected, seen.end)) return was_end_wrong ? Fit::exact : Fit::none;
  if (!was_end_wrong)
    return fit_of_bytes(family, c, right.output, bent.output, seen.output, held.has_wrong_value,
                        !family.allows(c, bent_readings, seen.output), bent_readings.bend()->opens_values());
  if (bent.output.bytes.size() != seen.output.size()) return Fit::none;
  for (size_t i = 0; i < seen.output.size(); ++i)
    if (differs(bent.output, seen.output, i)) return Fit::none;
  return Fit::exact;
}

/// Whether the altered rule says anything else of a case than the rule.
bool says_else(const Prediction& right, const Prediction& bent) {
  if (bent.expected.end == model::End::undefined) return false;
  if (right.expected.end != bent.expected.end) return true;
  for (size_t i = 0; i < right.output.bytes.size() && i < bent.output.bytes.size(); ++i)
    if (((right.output.bytes[i] ^ bent.output.bytes[i]) & right.output.defined[i] & bent.output.defined[i]) !=
        0)
      return true;
  return false;
}

spec::Readings with(const spec::Readings& readings, const model::Bend& bend) {
  return spec::Readings(readings).bend_by(&bend);
}

}  // namespace

void Explanation::add(const Family& family, const Case& c, const spec::Readings& readings,
                      const Observation& seen) {
  if (cases_ == 0)
    for (const model::Bend& bend : family.bends()) {
      candidates_.push_back({&bend});
      if (std::none_of(standings_.begin(), standings_.end(),
                       [&](const Standing& s) { return s.rule == bend.rule; }))
        standings_.push_back({bend.rule});
    }
  ++cases_;
  refused_ += seen.end.ended == Ended::faulted && refuses_kernel(seen.end.code);
  if (candidates_.empty() || !family.wrong_note(seen.end.note).empty()) {
    candidates_.clear();
    standings_.clear();
    return;
  }
  Scratch scratch;
  const std::vector<Held> held = held_against(family, c, readings, seen, scratch);
  std::vector<Fit> best(standings_.size(), Fit::none);
  const auto standing_of = [&](const Candidate& candidate) {
    return static_cast<size_t>(
        std::find_if(standings_.begin(), standings_.end(),
                     [&](const Standing& s) { return s.rule == candidate.bend->rule; }) -
        standings_.begin());
  };
  for (Candidate& candidate : candidates_) {
    Fit how = Fit::none;
    for (const Held& one : held) {
      const spec::Readings altered = with(one.readings, *candidate.bend);
      const Prediction bent = predict(family, c, altered, scratch);
      how = std::max(how, fit(family, c, one, altered, bent, seen));
    }
    candidate.worst = std::min(candidate.worst, how);
    candidate.fitting += how != Fit::none;
    Fit& of_rule = best[standing_of(candidate)];
    of_rule = std::max(of_rule, how);
  }
  constexpr uint64_t points[] = {0, 1, 10, 100, 10'000};
  for (size_t s = 0; s < standings_.size(); ++s) {
    standings_[s].worst = std::min(standings_[s].worst, best[s]);
    standings_[s].points += points[static_cast<size_t>(best[s])];
  }
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    return standings_[standing_of(candidate)].worst == Fit::none;
  });
  std::erase_if(standings_, [](const Standing& s) { return s.worst == Fit::none; });
}

void Explanation::weigh(const Family& family, const Case& c, const spec::Readings& readings) {
  ++weighed_;
  Scratch scratch;
  std::optional<Prediction> right;
  for (Candidate& candidate : candidates_) {
    if (candidate.worst != Fit::exact) continue;
    if (!right) right = predict(family, c, readings, scratch);
    candidate.refutations += says_else(*right, predict(family, c, with(readings, *candidate.bend), scratch));
  }
}

/// Of one that gives everything that came out: in quarters, how many of the cases that conformed it would
/// have made fail.
uint64_t Explanation::likely(const Candidate& candidate) const {
  if (candidate.refutations == 0) return 4'000'000;
  return 3'000'000 + 1000 * (4 - uint64_t{candidate.refutations} * 4 / weighed_);
}

/// A single alteration that gives everything that came out, and nothing that did not, says most; then one
/// that conforming cases speak against, then several of one rule, each for some of the cases; then what comes
/// close.
uint64_t Explanation::strength(const Standing& standing, const Candidate*& best) const {
  uint64_t most = 0;
  for (const Candidate& candidate : candidates_) {
    if (candidate.bend->rule != standing.rule) continue;
    const uint64_t how = candidate.worst == Fit::exact  ? likely(candidate)
                         : standing.worst == Fit::exact ? report::certain_strength
                                                        : standing.points;
    if (how < most || (how == most && best != nullptr && candidate.fitting <= best->fitting)) continue;
    most = how;
    best = &candidate;
  }
  return most;
}

report::Blame Explanation::blame() const {
  report::Blame made{cases_ != 0, {}};
  for (const Standing& standing : standings_) {
    const Candidate* best = nullptr;
    const uint64_t how = strength(standing, best);
    if (best == nullptr) continue;
    made.weights.push_back(
        {{std::string(spec::rules()[standing.rule].id), std::string(best->bend->words)}, how});
  }
  // Kernels have documented spellings alone.
  if (cases_ != 0 && refused_ == cases_)
    made.weights = {
        {{"ASM-R01", "the driver did not know a documented spelling"}, 2 * report::certain_strength}};
  made.suspects = report::strongest(made.weights);
  return made;
}

spec::Readings judged_by(spec::Arch arch, const Assignment& assignment) {
  spec::Readings readings(arch);
  for (const auto& [question, letter] : assignment) readings.choose(question, letter);
  return readings;
}

report::Blame explain(const Family& family, const Case& c, const spec::Readings& readings,
                      const Observation& seen) {
  Explanation of_one;
  of_one.add(family, c, readings, seen);
  return of_one.blame();
}

}  // namespace assay::suites
