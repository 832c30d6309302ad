// SPDX-License-Identifier: Apache-2.0
#include "suites/run/reading_set.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::suites {
namespace {

char default_of(spec::QuestionIndex question, spec::Arch arch) {
  return spec::questions()[question].default_for[static_cast<int>(arch)];
}

std::string words_of(spec::QuestionIndex question, char letter) {
  for (const spec::Reading& reading : spec::questions()[question].readings)
    if (reading.letter == letter) return std::string(reading.words);
  return {};
}

/// Readings under which anything may happen say so with their first word: every device fits them.
bool explains_nothing(spec::QuestionIndex question, char letter) {
  return words_of(question, letter).rfind("anything", 0) == 0;
}

/// Whether another letter is alive that says what a device does: one that allows all is never excluded.
bool has_rival(spec::QuestionIndex question, const std::string& alive, char chosen) {
  return std::any_of(alive.begin(), alive.end(),
                     [&](char letter) { return letter != chosen && !explains_nothing(question, letter); });
}

/// More joint assignments than this are never tied together: the case that wants it is not learned from.
constexpr size_t largest_group = 4096;

}  // namespace

ReadingSet::ReadingSet(spec::Arch arch, bool is_modelled)
    : arch_(arch),
      is_modelled_(is_modelled),
      records_(spec::questions().size()),
      fruitless_(spec::questions().size()) {
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    const spec::Question& question = spec::questions()[q];
    Group group{{static_cast<spec::QuestionIndex>(q)}, {}};
    const char first = default_of(group.questions[0], arch);
    group.alive.push_back({first});
    for (int r = 0; r < question.reading_count(); ++r)
      if (question.readings[r].letter != first) group.alive.push_back({question.readings[r].letter});
    groups_.push_back(std::move(group));
  }
}

void ReadingSet::snapshot(ReadingSnapshot& s) const {
  const std::lock_guard lock(mutex_);
  fill(s, is_frozen_);
}

void ReadingSet::fill(ReadingSnapshot& s, bool as_frozen) const {
  s.version = version_.load(std::memory_order_relaxed);
  s.is_frozen = is_frozen_;
  s.undecided.reset();
  s.not_default.reset();
  s.alive.assign(spec::questions().size(), {});
  for (const Group& group : groups_) {
    // The member nearest to the defaults stands for the group; of equals one that explains what it fits, then
    // the first.
    size_t best = 0, best_off = ~size_t{0};
    for (size_t a = 0; a < group.alive.size(); ++a) {
      size_t off = 0;
      for (size_t k = 0; k < group.questions.size(); ++k) {
        const char letter = group.alive[a][k];
        if (letter != default_of(group.questions[k], arch_))
          off += explains_nothing(group.questions[k], letter) ? 3 : 2;
      }
      if (off < best_off) best = a, best_off = off;
    }
    for (size_t k = 0; k < group.questions.size(); ++k) {
      const spec::QuestionIndex question = group.questions[k];
      s.chosen.choose(question, group.alive[best][k]);
      s.not_default[question] = group.alive[best][k] != default_of(question, arch_);
      std::string& letters = s.alive[question];
      if (as_frozen) {
        letters = group.alive[best][k];
        continue;
      }
      s.undecided[question] = group.alive.size() > 1;
      for (const auto& assignment : group.alive)
        if (letters.find(assignment[k]) == std::string::npos) letters += assignment[k];
    }
  }
}

ReadingSet::Group ReadingSet::joined(const std::vector<size_t>& groups) const {
  Group all{{}, {{}}};
  for (const size_t g : groups) {
    const Group& next = groups_[g];
    all.questions.insert(all.questions.end(), next.questions.begin(), next.questions.end());
    std::vector<std::vector<char>> product;
    for (const auto& left : all.alive)
      for (const auto& right : next.alive) {
        product.push_back(left);
        product.back().insert(product.back().end(), right.begin(), right.end());
        if (product.size() > largest_group) return {};
      }
    all.alive = std::move(product);
  }
  return all;
}

bool ReadingSet::learn(const std::vector<Assignment>& tried, const std::vector<bool>& fits,
                       const std::string& case_name) {
  if (tried.empty()) return true;
  const std::lock_guard lock(mutex_);
  if (is_frozen_) return true;
  std::vector<size_t> touched;
  for (const auto& [question, letter] : tried[0])
    for (size_t g = 0; g < groups_.size(); ++g)
      if (std::find(groups_[g].questions.begin(), groups_[g].questions.end(), question) !=
              groups_[g].questions.end() &&
          std::find(touched.begin(), touched.end(), g) == touched.end())
        touched.push_back(g);
  Group all = joined(touched);
  if (all.alive.empty()) return true;
  const auto agrees = [&](const std::vector<char>& letters, const Assignment& assignment) {
    return std::all_of(assignment.begin(), assignment.end(), [&](const auto& choice) {
      const auto at =
          std::find(all.questions.begin(), all.questions.end(), choice.first) - all.questions.begin();
      return letters[static_cast<size_t>(at)] == choice.second;
    });
  };
  // An assignment that nobody tried stays: it may have been dropped from this thread's view, never added to
  // it.
  std::vector<std::vector<char>> left;
  for (const auto& letters : all.alive) {
    bool dropped = false;
    for (size_t t = 0; t < tried.size(); ++t)
      if (!fits[t] && agrees(letters, tried[t])) dropped = true;
    if (!dropped) left.push_back(letters);
  }
  if (left.empty()) return false;
  if (left.size() == all.alive.size()) return true;
  for (const auto& [question, letter] : tried[0]) {
    Record& record = records_[question];
    if (record.witness.empty()) record.witness = case_name;
    ++record.deciding;
  }
  all.alive = std::move(left);
  // Questions with one letter left stand alone again.
  std::vector<Group> next;
  for (size_t g = 0; g < groups_.size(); ++g)
    if (std::find(touched.begin(), touched.end(), g) == touched.end()) next.push_back(std::move(groups_[g]));
  for (size_t k = all.questions.size(); k-- > 0;) {
    const char letter = all.alive[0][k];
    if (!std::all_of(all.alive.begin(), all.alive.end(), [&](const auto& a) { return a[k] == letter; }))
      continue;
    next.push_back({{all.questions[k]}, {{letter}}});
    all.questions.erase(all.questions.begin() + static_cast<long>(k));
    for (auto& assignment : all.alive) assignment.erase(assignment.begin() + static_cast<long>(k));
  }
  if (!all.questions.empty()) {
    std::sort(all.alive.begin(), all.alive.end());
    all.alive.erase(std::unique(all.alive.begin(), all.alive.end()), all.alive.end());
    next.push_back(std::move(all));
  }
  groups_ = std::move(next);
  version_.fetch_add(1, std::memory_order_release);
  return true;
}

void ReadingSet::contradicted(const Assignment& wanted, const std::string& case_name) {
  const std::lock_guard lock(mutex_);
  for (const auto& [question, letter] : wanted)
    if (records_[question].contradiction.empty())
      records_[question].contradiction = case_name + " fits reading " + letter + " alone";
}

bool ReadingSet::follow(spec::QuestionIndex question, char letter, const Follower& follower) {
  constexpr size_t most_kept = 8;
  const std::lock_guard lock(mutex_);
  Record& record = records_[question];
  ++record.following;
  const bool was_adopted = is_adopted_locked(question, letter);
  if (was_adopted && !explains_nothing(question, letter)) return true;
  if (record.witness.empty()) record.witness = follower.name();
  if (record.support.size() < least_support) record.support.insert(follower.case_id());
  if (record.behaviours.size() < most_kept) record.behaviours.insert(follower.behaviour());
  return was_adopted;
}

bool ReadingSet::is_adopted_locked(spec::QuestionIndex question, char chosen) const {
  const Record& record = records_[question];
  if (record.is_overruled || !record.contradiction.empty()) return false;
  // Where anything goes, a device that does one thing here and another there has not decided anything.
  if (explains_nothing(question, chosen) && record.behaviours.size() > 1) return false;
  return record.support.size() >= least_support;
}

bool ReadingSet::is_adopted(spec::QuestionIndex question, char letter) const {
  const std::lock_guard lock(mutex_);
  return is_adopted_locked(question, letter);
}

void ReadingSet::overrule(spec::QuestionIndex question) {
  const std::lock_guard lock(mutex_);
  records_[question].is_overruled = true;
}

void ReadingSet::settle(spec::QuestionIndex question, char letter) {
  std::vector<Group> next{{{question}, {{letter}}}};
  for (Group& group : groups_) {
    const auto at = std::find(group.questions.begin(), group.questions.end(), question);
    if (at != group.questions.end()) {
      const auto k = at - group.questions.begin();
      group.questions.erase(at);
      for (auto& letters : group.alive) letters.erase(letters.begin() + k);
    }
    if (!group.questions.empty()) next.push_back(std::move(group));
  }
  groups_ = std::move(next);
}

void ReadingSet::follow_only(const Assignment& readings) {
  const std::lock_guard lock(mutex_);
  for (const auto& [question, letter] : readings) settle(question, letter);
  version_.fetch_add(1, std::memory_order_release);
}

void ReadingSet::freeze() {
  const std::lock_guard lock(mutex_);
  for (size_t q = 0; q < records_.size(); ++q)
    if (const auto question = static_cast<spec::QuestionIndex>(q); !records_[q].contradiction.empty())
      settle(question, default_of(question, arch_));
  is_frozen_ = true;
  version_.fetch_add(1, std::memory_order_release);
}

bool ReadingSet::worth_trying(const QuestionSet& questions, uint64_t draw) {
  constexpr uint32_t always = 4096, seldom = 1 << 16;
  bool worth = false;
  for (size_t q = questions._Find_first(); q < fruitless_.size(); q = questions._Find_next(q)) {
    const uint32_t tried = fruitless_[q].load(std::memory_order_relaxed);
    worth |= tried < always || draw % (tried < seldom ? 64 : 512) == 0;
  }
  // Written only when it is tried: all threads share the counts.
  for (size_t q = questions._Find_first(); worth && q < fruitless_.size(); q = questions._Find_next(q))
    if (fruitless_[q].load(std::memory_order_relaxed) < seldom)
      fruitless_[q].fetch_add(1, std::memory_order_relaxed);
  return worth;
}

std::vector<report::ReadingRow> ReadingSet::rows() const {
  ReadingSnapshot s(arch_);
  const std::lock_guard lock(mutex_);
  fill(s, false);
  std::vector<report::ReadingRow> rows;
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    const auto question = static_cast<spec::QuestionIndex>(q);
    const char chosen = s.chosen.chosen(question);
    report::ReadingRow row;
    row.question = spec::questions()[q].id;
    row.words = spec::questions()[q].words;
    row.chosen_letter = chosen;
    row.chosen_words = words_of(question, chosen);
    row.default_letter = default_of(question, arch_);
    const Record& record = records_[q];
    row.deciding_cases = record.deciding;
    row.witness = record.witness;
    if (!record.contradiction.empty()) {
      row.status = report::reading_contradicted;
      row.witness += (row.witness.empty() ? "" : " decides otherwise; ") + record.contradiction;
    } else if (s.not_default[q]) {
      row.deciding_cases = record.following;
      row.status = is_adopted_locked(question, chosen) ? report::reading_adopted : report::reading_undecided;
      if (explains_nothing(question, chosen) && record.behaviours.size() == 1)
        row.chosen_words += " (" + *record.behaviours.begin() + " in each case)";
    } else if (has_rival(question, s.alive[q], chosen) || (s.undecided[q] && record.deciding == 0)) {
      row.status = report::reading_open;
    } else {
      row.status = is_modelled_ ? report::reading_modelled : report::reading_confirmed;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string ReadingSet::save() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json groups = nlohmann::json::array(), records = nlohmann::json::object();
  for (const Group& group : groups_) {
    nlohmann::json ids = nlohmann::json::array(), alive = nlohmann::json::array();
    for (const spec::QuestionIndex q : group.questions) ids.push_back(spec::questions()[q].id);
    for (const auto& letters : group.alive) alive.push_back(std::string(letters.begin(), letters.end()));
    groups.push_back({{"questions", ids}, {"alive", alive}});
  }
  for (size_t q = 0; q < records_.size(); ++q)
    if (records_[q].deciding != 0 || records_[q].following != 0 || !records_[q].contradiction.empty())
      records[std::string(spec::questions()[q].id)] = {
          {"deciding", records_[q].deciding}, {"following", records_[q].following},
          {"support", records_[q].support},   {"behaviours", records_[q].behaviours},
          {"witness", records_[q].witness},   {"contradiction", records_[q].contradiction}};
  return nlohmann::json{{"groups", groups}, {"records", records}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ReadingSet::restore(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("groups") || !json.contains("records")) return;
  std::vector<Group> groups;
  size_t questions = 0;
  for (const auto& saved : json["groups"]) {
    Group group;
    for (const auto& id : saved["questions"]) {
      const auto question = spec::find_question(id.get<std::string>());
      if (!question) return;
      group.questions.push_back(static_cast<spec::QuestionIndex>(*question));
    }
    for (const auto& letters : saved["alive"]) {
      const std::string word = letters.get<std::string>();
      if (word.size() != group.questions.size()) return;
      group.alive.emplace_back(word.begin(), word.end());
    }
    if (group.alive.empty()) return;
    questions += group.questions.size();
    groups.push_back(std::move(group));
  }
  if (questions != records_.size()) return;
  const std::lock_guard lock(mutex_);
  groups_ = std::move(groups);
  for (const auto& [id, record] : json["records"].items())
    if (const auto question = spec::find_question(id))
      records_[*question] = {record["deciding"].get<uint64_t>(),
                             record.value("following", uint64_t{0}),
                             record["witness"].get<std::string>(),
                             record["contradiction"].get<std::string>(),
                             record.value("support", std::set<std::string>()),
                             record.value("behaviours", std::set<std::string>()),
                             false};
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace assay::suites
