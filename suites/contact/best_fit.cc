// SPDX-License-Identifier: Apache-2.0
#include "suites/contact/contact.h"

#include <algorithm>
#include <map>

#include "reference/spec/questions.h"
#include "suites/run/places.h"

namespace assay::suites {
namespace {

/// Failing cases that are looked at for single changes and for pairs, and candidates that are weighed.
constexpr size_t most_for_one = 96, most_for_two = 8, most_weighed = 12;

spec::Readings with(spec::Readings readings, const Assignment& change) {
  for (const auto& [question, letter] : change) readings.choose(question, letter);
  return readings;
}

class Search {
 public:
  Search(std::span<const AnsweredCase> cases, spec::Readings start)
      : cases_(cases), chosen_(std::move(start)), fits_(cases.size()), consulted_(cases.size()) {
    refresh();
  }

  spec::Readings run() {
    for (const bool takes_anything : {false, true}) {
      takes_anything_ = takes_anything;
      for (int step = 0; step < 200 && improve(); ++step) refresh();
    }
    return chosen_;
  }

 private:
  void refresh() {
    for (size_t i = 0; i < cases_.size(); ++i) {
      chosen_.forget_consulted();
      fits_[i] = fits(i, chosen_);
      consulted_[i] = chosen_.consulted();
    }
  }
  bool fits(size_t i, const spec::Readings& readings) const {
    return fits_readings(*cases_[i].family, *cases_[i].what, cases_[i].seen, readings);
  }

  /// Changes of one letter that a case looks at.
  Assignment changes(size_t i) const {
    Assignment all;
    for (size_t q = consulted_[i]._Find_first(); q < consulted_[i].size(); q = consulted_[i]._Find_next(q)) {
      const auto question = static_cast<spec::QuestionIndex>(q);
      const spec::Question& row = spec::questions()[q];
      for (int r = 0; r < row.reading_count(); ++r)
        if (row.readings[r].letter != chosen_.chosen(question) &&
            (takes_anything_ || !says_anything(row.readings[r])))
          all.emplace_back(question, row.readings[r].letter);
    }
    return all;
  }

  /// Cases that fit with the change less those that do without it.
  long weight(const Assignment& change) const {
    const spec::Readings changed = with(chosen_, change);
    long gain = 0;
    for (size_t i = 0; i < cases_.size(); ++i) {
      const bool looks = std::any_of(change.begin(), change.end(),
                                     [&](const auto& letter) { return consulted_[i].test(letter.first); });
      if (looks) gain += fits(i, changed) - fits_[i];
    }
    return gain;
  }

  bool take_best(const std::map<Assignment, size_t>& helped) {
    std::vector<std::pair<size_t, Assignment>> order;
    for (const auto& [change, times] : helped) order.emplace_back(times, change);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (order.size() > most_weighed) order.resize(most_weighed);
    long best = 0;
    Assignment taken;
    for (const auto& [times, change] : order)
      if (const long gain = weight(change); gain > best) best = gain, taken = change;
    chosen_ = with(chosen_, taken);
    return best > 0;
  }

  bool improve() {
    std::vector<size_t> failing;
    for (size_t i = 0; i < cases_.size(); ++i)
      if (!fits_[i]) failing.push_back(i);
    std::map<Assignment, size_t> helped;
    for (size_t k = 0; k < failing.size(); k += 1 + failing.size() / most_for_one)
      for (const auto& letter : changes(failing[k]))
        if (fits(failing[k], with(chosen_, {letter}))) ++helped[{letter}];
    if (take_best(helped)) return true;
    helped.clear();
    for (size_t k = 0; k < failing.size(); k += 1 + failing.size() / most_for_two) {
      const Assignment one = changes(failing[k]);
      for (size_t a = 0; a < one.size(); ++a)
        for (size_t b = a + 1; b < one.size(); ++b)
          if (one[a].first != one[b].first && fits(failing[k], with(chosen_, {one[a], one[b]})))
            ++helped[{one[a], one[b]}];
    }
    return take_best(helped);
  }

  std::span<const AnsweredCase> cases_;
  spec::Readings chosen_;
  std::vector<char> fits_;
  std::vector<QuestionSet> consulted_;
  bool takes_anything_ = false;
};

}  // namespace

spec::Readings best_fit(std::span<const AnsweredCase> cases, spec::Readings start) {
  return Search(cases, std::move(start)).run();
}

bool fits_readings(const Family& family, const Case& c, const Observation& seen,
                   const spec::Readings& readings) {
  thread_local Scratch scratch;
  Expected expected;
  family.predict(c, readings, scratch, expected);
  if (!end_fits(expected, seen.end) || !family.wrong_note(seen.end.note).empty()) return false;
  return !compares_bytes(expected, seen.end) || family.same(c, readings, expected, seen.output);
}

}  // namespace assay::suites
