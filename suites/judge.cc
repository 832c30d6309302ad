#include "suites/judge.h"

#include <algorithm>

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

spec::Readings with(const spec::Readings& base, const Assignment& assignment) {
  spec::Readings readings = base;
  for (const auto& [question, letter] : assignment) readings.choose(question, letter);
  readings.forget_consulted();
  return readings;
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
    case model::End::never_completes:
      return end.ended == Ended::timed_out;
    case model::End::early_surplus:
      return end.ended == Ended::surplus || end.ended == Ended::timed_out;
    case model::End::undefined:
      return end.ended != Ended::crashed && end.ended != Ended::not_run;
  }
  return false;
}

bool Judge::fits(const Family& family, const Case& c, const Observation& seen, const spec::Readings& readings,
                 Scratch& scratch, Expected& expected) const {
  family.predict(c, readings, scratch, expected);
  if (!end_fits(expected, seen.end)) return false;
  if (!family.wrong_note(seen.end.note).empty()) return false;
  if (!expected.judges_bytes || seen.end.ended == Ended::crashed) return true;
  // Where anything may happen there is an output only if the case ran to its end.
  if (expected.end == model::End::undefined && seen.end.ended != Ended::done) return true;
  return family.same(c, expected, seen.output);
}

Judgement Judge::judge(const Family& family, const Case& c, const Observation& seen,
                       const std::function<std::string()>& name) {
  if (view_.version != readings_.version()) readings_.snapshot(view_);
  Judgement result;
  view_.chosen.forget_consulted();
  bool fitting = fits(family, c, seen, view_.chosen, scratch_, result.expected);
  if (seen.end.ended == Ended::not_run) {
    result.verdict = Verdict::not_run;
    return result;
  }
  const QuestionSet consulted = view_.chosen.consulted();
  const QuestionSet open = consulted & view_.undecided;
  if (fitting) {
    if (open.any() && readings_.worth_trying(open, draws_++)) {
      try_rivals(family, c, seen, open, name);
      if (view_.version != readings_.version()) readings_.snapshot(view_);
    }
  } else if (seen.end.ended != Ended::hung && seen.end.ended != Ended::crashed) {
    fitting = find_fitting(family, c, seen, consulted, name, result);
  }
  if (fitting) {
    if ((view_.chosen.consulted() & view_.not_default).any()) {
      Expected by_default;
      const spec::Readings defaults = with(view_.defaults, {});
      if (!fits(family, c, seen, defaults, rival_scratch_, by_default))
        result.verdict = Verdict::adopted_reading;
    }
    return result;
  }
  result.verdict = seen.end.ended == Ended::hung      ? Verdict::hung
                   : seen.end.ended == Ended::crashed ? Verdict::crashed
                                                      : Verdict::violates;
  return result;
}

/// The case fits what is chosen. Single rivals that do not fit show which questions matter here; all
/// combinations of those are then tried, since two rivals together may fit where each alone does not.
void Judge::try_rivals(const Family& family, const Case& c, const Observation& seen, QuestionSet questions,
                       const std::function<std::string()>& name) {
  Expected expected;
  QuestionSet relevant;
  std::vector<Assignment> tried;
  std::vector<bool> fit;
  for (size_t q = 0; q < view_.alive.size(); ++q) {
    if (!questions[q]) continue;
    const auto question = static_cast<spec::QuestionIndex>(q);
    for (const char letter : view_.alive[q]) {
      if (letter == view_.chosen.chosen(question)) continue;
      const Assignment rival{{question, letter}};
      if (fits(family, c, seen, with(view_.chosen, rival), rival_scratch_, expected)) continue;
      relevant.set(q);
      tried.push_back(rival);
      fit.push_back(false);
    }
  }
  if (relevant.none()) return;
  if (relevant.count() == 1) {
    readings_.learn(tried, fit, name());
    return;
  }
  tried = combinations(relevant, view_.alive, 256);
  fit.clear();
  for (const Assignment& assignment : tried)
    fit.push_back(fits(family, c, seen, with(view_.chosen, assignment), rival_scratch_, expected));
  readings_.learn(tried, fit, name());
}

/// The case does not fit what is chosen. True when a live combination fits: it is adopted.
bool Judge::find_fitting(const Family& family, const Case& c, const Observation& seen, QuestionSet consulted,
                         const std::function<std::string()>& name, Judgement& result) {
  Expected expected;
  QuestionSet questions = consulted & view_.undecided;
  for (int round = 0; round < 3 && questions.any(); ++round) {
    const std::vector<Assignment> tried = combinations(questions, view_.alive, 512);
    std::vector<bool> fit;
    QuestionSet seen_too;
    bool any = false;
    for (const Assignment& assignment : tried) {
      const spec::Readings readings = with(view_.chosen, assignment);
      fit.push_back(fits(family, c, seen, readings, rival_scratch_, expected));
      // A reading under which anything may happen is not excluded by this case, nor does it explain it.
      any |= fit.back() && expected.end != model::End::undefined;
      result.open |= fit.back() && expected.end == model::End::undefined;
      seen_too |= readings.consulted() & view_.undecided;
    }
    if (any) {
      if (!readings_.learn(tried, fit, name())) break;
      readings_.snapshot(view_);
      view_.chosen.forget_consulted();
      return fits(family, c, seen, view_.chosen, scratch_, result.expected);
    }
    if ((seen_too & ~questions).none()) break;
    questions |= seen_too;
  }
  // Would a reading fit that earlier cases excluded? Then the device contradicts itself, and the report says
  // where.
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    if (!consulted[q]) continue;
    const auto question = static_cast<spec::QuestionIndex>(q);
    const spec::Question& row = spec::questions()[q];
    for (int r = 0; r < row.reading_count(); ++r) {
      const char letter = row.readings[r].letter;
      if (view_.alive[q].find(letter) != std::string::npos) continue;
      const Assignment excluded{{question, letter}};
      if (!fits(family, c, seen, with(view_.chosen, excluded), rival_scratch_, expected)) continue;
      if (expected.end == model::End::undefined) continue;
      result.contradiction = "fits " + std::string(row.id) + ":" + letter + ", which earlier cases exclude";
      readings_.contradicted(excluded, name());
    }
  }
  return false;
}

}  // namespace assay::suites
