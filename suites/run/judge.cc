// SPDX-License-Identifier: Apache-2.0
#include "suites/run/judge.h"

#include <optional>

#include "suites/run/bytes.h"

namespace assay::suites {
namespace {

using report::Verdict;

bool is_fault(const RecordEnd& end, int32_t code) {
  return end.ended == Ended::faulted && end.code == code;
}

/// Every combination of live letters for the questions, at most `most`; empty when there are more.
std::vector<Assignment> combinations(const QuestionSet& questions, const std::vector<std::string>& letters,
                                     size_t most) {
  std::vector<Assignment> all{{}};
  for (size_t q = 0; q < letters.size(); ++q) {
    if (!questions[q]) continue;
    std::vector<Assignment> next;
    for (const Assignment& before : all)
      for (const char letter : letters[q]) {
        next.push_back(before);
        next.back().emplace_back(static_cast<spec::QuestionIndex>(q), letter);
      }
    if (next.size() > most) return {};
    all = std::move(next);
  }
  return all;
}

/// Of a case that never ran to an end of its own.
std::optional<Verdict> verdict_without_device(const RecordEnd& end) {
  if (end.ended == Ended::not_run) return Verdict::not_run;
  if (end.ended == Ended::given_up || end.ended == Ended::cut_off) return Verdict::incomplete;
  if (end.ended == Ended::refused) return Verdict::rig_broken;
  return std::nullopt;
}

spec::Readings chosen_by(const spec::Readings& base, const Assignment& assignment) {
  spec::Readings readings = base;
  for (const auto& [question, letter] : assignment) readings.choose(question, letter);
  readings.forget_consulted();
  return readings;
}

/// Of sets of questions one of the smallest is kept.
void keep_least(const QuestionSet& next, QuestionSet& least) {
  if (least.none() || next.count() < least.count()) least = next;
}

}  // namespace

bool end_fits(const Expected& expected, const RecordEnd& end) {
  if (expected.may_crash && end.ended == Ended::crashed) return true;
  switch (expected.end) {
    case model::End::done:
      return end.ended == Ended::done;
    case model::End::rejected:
      return end.ended == Ended::rejected && end.code == 1;
    case model::End::illegal_instruction:
      return is_fault(end, 715);
    case model::End::misaligned_address:
      return is_fault(end, 716);
    case model::End::illegal_address:
      return is_fault(end, 700);
    case model::End::launch_failed:
      return is_fault(end, 719);
    case model::End::never_completes:
      return end.ended == Ended::timed_out;
    case model::End::early_surplus:
      return end.ended == Ended::surplus || end.ended == Ended::timed_out;
    case model::End::undefined:
      return end.ended != Ended::crashed;
  }
  return false;
}

bool compares_bytes(const Expected& expected, const RecordEnd& end) {
  return expected.judges_bytes && end.ended != Ended::crashed &&
         (expected.end != model::End::undefined || end.ended == Ended::done);
}

DefinedBits defined_bits(const Family& family, const Case& c, const Expected& expected,
                         std::span<const std::byte> output, uint64_t seed) {
  if (expected.mask.empty()) return {fingerprint(output, {}, seed), output.size()};
  if (expected.mask.size() == output.size())
    return {fingerprint(output, expected.mask, seed), defined_bytes(expected.mask)};
  const ExpectedOutput whole = family.expected_output(c, expected);
  const auto mask = std::as_bytes(std::span(whole.defined));
  return {fingerprint(output, mask, seed), defined_bytes(mask)};
}

bool Judge::fits(const Family& family, const Case& c, const Observation& seen, const spec::Readings& readings,
                 Scratch& scratch, Expected& expected) const {
  family.predict(c, readings, scratch, expected);
  if (!end_fits(expected, seen.end)) return false;
  if (!family.wrong_note(seen.end.note).empty()) return false;
  if (!compares_bytes(expected, seen.end)) return true;
  return family.same(c, readings, expected, seen.output);
}

Judgement Judge::judge(const Family& family, const Case& c, const Observation& seen,
                       const std::function<std::string()>& name) {
  if (view_.version != readings_.version()) readings_.snapshot(view_);
  Judgement result;
  result.arch = view_.defaults.arch();
  view_.chosen.forget_consulted();
  bool fitting = fits(family, c, seen, view_.chosen, scratch_, result.expected);
  if (const auto verdict = verdict_without_device(seen.end)) {
    result.verdict = *verdict;
    return result;
  }
  if (seen.end.ended == Ended::done && family.is_unanswered(seen.output)) {
    result.verdict = Verdict::not_assembled;
    return result;
  }
  const QuestionSet consulted = view_.chosen.consulted();
  const QuestionSet open = consulted & view_.undecided;
  if (fitting) {
    if (open.any() && readings_.worth_trying(open, draws_++)) {
      try_rivals(family, c, seen, open, name);
      if (view_.version != readings_.version()) readings_.snapshot(view_);
    }
  } else {
    fitting = find_fitting(family, c, seen, consulted, name, result);
  }
  if (fitting) {
    follow_or_not(family, c, seen, result);
    const bool is_crash = result.expected.may_crash && seen.end.ended == Ended::crashed;
    // What came of it is worth telling, but nothing could have been wrong.
    if (result.verdict == Verdict::conforms && (is_crash || result.expected.end == model::End::undefined))
      result.verdict = Verdict::no_demand;
    return result;
  }
  result.judged_by = moved();
  result.verdict = seen.end.ended == Ended::hung      ? Verdict::hung
                   : seen.end.ended == Ended::crashed ? Verdict::crashed
                                                      : Verdict::violates;
  return result;
}

Assignment Judge::moved() const {
  Assignment all;
  if (view_.not_default.none()) return all;
  const QuestionSet questions = view_.chosen.consulted() & view_.not_default;
  for (size_t q = questions._Find_first(); q < questions.size(); q = questions._Find_next(q)) {
    const auto question = static_cast<spec::QuestionIndex>(q);
    all.emplace_back(question, view_.chosen.chosen(question));
  }
  return all;
}

/// The case fits what is chosen: does it need readings that are not the defaults, and of which questions?
void Judge::follow_or_not(const Family& family, const Case& c, const Observation& seen, Judgement& result) {
  Assignment all = moved();
  if (all.empty()) return;
  result.judged_by = all;
  Expected other;
  if (fits(family, c, seen, chosen_by(view_.defaults, {}), rival_scratch_, other)) return;
  result.verdict = Verdict::adopted_reading;
  for (const auto& reading : all) {
    const Assignment back{{reading.first, view_.defaults.chosen(reading.first)}};
    if (!fits(family, c, seen, chosen_by(view_.chosen, back), rival_scratch_, other))
      result.follows.push_back(reading);
  }
  // Only together do they matter.
  if (result.follows.empty()) result.follows = std::move(all);
}

/// The case fits what is chosen. Single rivals that do not fit show which questions matter here, and so do
/// those of which a letter makes such a rival fit after all: what a rival's misfit says holds beside their
/// chosen letters alone. All combinations of those are then tried.
void Judge::try_rivals(const Family& family, const Case& c, const Observation& seen, QuestionSet questions,
                       const std::function<std::string()>& name) {
  Expected expected;
  QuestionSet relevant, looked_at = questions;
  std::vector<Assignment> tried;
  std::vector<bool> fit;
  for (const auto& rival : rivals_of(questions)) {
    const spec::Readings readings = chosen_by(view_.chosen, {rival});
    if (fits(family, c, seen, readings, rival_scratch_, expected)) continue;
    looked_at |= readings.consulted() & view_.undecided;
    relevant.set(rival.first);
    tried.push_back({rival});
    fit.push_back(false);
  }
  if (relevant.none()) return;
  const Assignment others = rivals_of(looked_at);
  for (const Assignment& misfit : tried)
    for (const auto& other : others)
      if (!relevant[other.first] &&
          fits(family, c, seen, chosen_by(view_.chosen, {misfit[0], other}), rival_scratch_, expected))
        relevant.set(other.first);
  if (relevant.count() == 1) {
    readings_.learn(tried, fit, name());
    return;
  }
  tried = combinations(relevant, view_.alive, 256);
  fit.clear();
  for (const Assignment& assignment : tried)
    fit.push_back(fits(family, c, seen, chosen_by(view_.chosen, assignment), rival_scratch_, expected));
  readings_.learn(tried, fit, name());
}

/// The questions to which an assignment gives other letters than the chosen ones.
QuestionSet Judge::departs(const Assignment& assignment) const {
  const spec::Readings chosen = view_.chosen;  // a look at it is noted
  QuestionSet questions;
  for (const auto& [question, letter] : assignment)
    if (chosen.chosen(question) != letter) questions.set(question);
  return questions;
}

/// The live letters of these questions that are not chosen.
Assignment Judge::rivals_of(const QuestionSet& questions) const {
  Assignment rivals;
  for (size_t q = questions._Find_first(); q < questions.size(); q = questions._Find_next(q))
    for (const char letter : view_.alive[q])
      if (const auto question = static_cast<spec::QuestionIndex>(q); letter != view_.chosen.chosen(question))
        rivals.emplace_back(question, letter);
  return rivals;
}

/// The case does not fit what is chosen, and its questions have more combinations than can be tried: those of
/// which one other letter makes it fit; where none does, those of which two do together.
QuestionSet Judge::that_explain(const Family& family, const Case& c, const Observation& seen,
                                QuestionSet questions) {
  Expected expected;
  const Assignment rivals = rivals_of(questions);
  const auto explains = [&](const Assignment& assignment) {
    return fits(family, c, seen, chosen_by(view_.chosen, assignment), rival_scratch_, expected) &&
           expected.end != model::End::undefined;
  };
  QuestionSet found;
  for (const auto& rival : rivals)
    if (explains({rival})) found.set(rival.first);
  for (size_t i = 0; i < rivals.size() && found.none(); ++i)
    for (size_t j = i + 1; j < rivals.size(); ++j)
      if (rivals[i].first != rivals[j].first && explains({rivals[i], rivals[j]}))
        found.set(rivals[i].first).set(rivals[j].first);
  return found;
}

/// The case does not fit what is chosen. True when a live combination fits: it is adopted.
bool Judge::find_fitting(const Family& family, const Case& c, const Observation& seen, QuestionSet consulted,
                         const std::function<std::string()>& name, Judgement& result) {
  Expected expected;
  // A reading under which anything may happen is not excluded by this case, nor does it explain it.
  const auto explains = [&] {
    return expected.end != model::End::undefined && seen.end.ended != Ended::crashed;
  };
  QuestionSet questions = consulted & view_.undecided;
  for (int round = 0; round < 3 && questions.any(); ++round) {
    std::vector<Assignment> tried = combinations(questions, view_.alive, 512);
    if (tried.empty()) tried = combinations(that_explain(family, c, seen, questions), view_.alive, 512);
    std::vector<bool> fit;
    QuestionSet seen_too;
    bool any = false;
    for (const Assignment& assignment : tried) {
      const spec::Readings readings = chosen_by(view_.chosen, assignment);
      fit.push_back(fits(family, c, seen, readings, rival_scratch_, expected));
      any |= fit.back() && explains();
      if (fit.back() && !explains()) keep_least(departs(assignment), result.open);
      seen_too |= readings.consulted() & view_.undecided;
    }
    if (any) {
      result.open.reset();
      if (!readings_.learn(tried, fit, name())) break;
      readings_.snapshot(view_);
      view_.chosen.forget_consulted();
      return fits(family, c, seen, view_.chosen, scratch_, result.expected);
    }
    if ((seen_too & ~questions).none()) break;
    questions |= seen_too;
  }
  // Would a reading fit that is not followed, excluded by earlier cases perhaps? Then the report says where.
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    if (!consulted[q]) continue;
    const auto question = static_cast<spec::QuestionIndex>(q);
    const spec::Question& row = spec::questions()[q];
    for (int r = 0; r < row.reading_count(); ++r) {
      const char letter = row.readings[r].letter;
      if (view_.alive[q].find(letter) != std::string::npos) continue;
      const Assignment excluded{{question, letter}};
      if (!fits(family, c, seen, chosen_by(view_.chosen, excluded), rival_scratch_, expected)) continue;
      if (!explains()) continue;
      result.contradiction = "fits " + std::string(row.id) + ":" + letter + ", which " +
                             (view_.is_frozen ? "this run does not follow" : "earlier cases exclude");
      if (!view_.is_frozen) readings_.contradicted(excluded, name());
    }
  }
  return false;
}

}  // namespace assay::suites
