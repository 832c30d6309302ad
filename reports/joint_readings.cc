// SPDX-License-Identifier: Apache-2.0
#include "reports/results_file.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "reference/spec/questions.h"

namespace assay::report {
namespace {

using Assignment = std::map<std::string, char>;  ///< letters by question

/// Joint assignments over the same questions.
struct Relation {
  std::set<std::string> questions;
  std::set<Assignment> alive;
};

/// Past this the sets are not worth tying together: the rows stay as each question alone decides them.
constexpr size_t largest_relation = 1 << 16;

struct State {
  std::vector<Relation> relations;
  std::map<std::string, std::string> witnesses;  ///< the case that decided a question
};

std::optional<State> parse(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  State state;
  try {
    for (const auto& group : json.at("groups")) {
      const auto ids = group.at("questions").get<std::vector<std::string>>();
      Relation relation{{ids.begin(), ids.end()}, {}};
      for (const auto& word : group.at("alive")) {
        const auto letters = word.get<std::string>();
        if (letters.size() != ids.size()) return std::nullopt;
        Assignment assignment;
        for (size_t k = 0; k < ids.size(); ++k) assignment[ids[k]] = letters[k];
        relation.alive.insert(std::move(assignment));
      }
      state.relations.push_back(std::move(relation));
    }
    for (const auto& [id, record] : json.at("records").items())
      state.witnesses[id] = record.at("witness").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return state;
}

bool agree(const Assignment& a, const Assignment& b) {
  return std::all_of(a.begin(), a.end(), [&](const auto& choice) {
    const auto same = b.find(choice.first);
    return same == b.end() || same->second == choice.second;
  });
}

/// What fits both. Nothing when that is too much to write down.
std::optional<Relation> joined(const Relation& a, const Relation& b) {
  Relation both = a;
  both.questions.insert(b.questions.begin(), b.questions.end());
  both.alive.clear();
  for (const Assignment& left : a.alive)
    for (const Assignment& right : b.alive) {
      if (!agree(left, right)) continue;
      Assignment all = left;
      all.insert(right.begin(), right.end());
      both.alive.insert(std::move(all));
      if (both.alive.size() > largest_relation) return std::nullopt;
    }
  return both;
}

bool meet(const Relation& a, const Relation& b) {
  return std::any_of(a.questions.begin(), a.questions.end(),
                     [&](const std::string& id) { return b.questions.contains(id); });
}

/// Relations of all runs that hang together, as one each.
std::vector<std::vector<const Relation*>> components(const std::vector<State>& states) {
  std::vector<std::vector<const Relation*>> parts;
  for (const State& state : states)
    for (const Relation& relation : state.relations) {
      std::vector<const Relation*> part{&relation};
      std::erase_if(parts, [&](const auto& other) {
        if (std::none_of(other.begin(), other.end(), [&](const Relation* r) { return meet(*r, relation); }))
          return false;
        part.insert(part.end(), other.begin(), other.end());
        return true;
      });
      parts.push_back(std::move(part));
    }
  return parts;
}

std::string words_of(const std::string& id, char letter) {
  if (const auto question = spec::find_question(id))
    for (const spec::Reading& reading : spec::questions()[*question].readings)
      if (reading.letter == letter) return std::string(reading.words);
  return {};
}

/// The members nearest to the defaults, the first of equals.
const Assignment& nearest(const Relation& relation, const std::map<std::string, char>& defaults) {
  const auto off = [&](const Assignment& assignment) {
    return std::count_if(assignment.begin(), assignment.end(), [&](const auto& choice) {
      const auto by_default = defaults.find(choice.first);
      return by_default != defaults.end() && by_default->second != choice.second;
    });
  };
  return *std::min_element(relation.alive.begin(), relation.alive.end(),
                           [&](const auto& a, const auto& b) { return off(a) < off(b); });
}

void contradict(std::vector<ReadingRow>& rows, const Relation& relation, const std::vector<State>& states) {
  std::set<std::string> witnesses;
  for (const State& state : states)
    for (const std::string& id : relation.questions)
      if (const auto found = state.witnesses.find(id);
          found != state.witnesses.end() && !found->second.empty())
        witnesses.insert(found->second);
  std::string questions, cases;
  for (const std::string& id : relation.questions) questions += (questions.empty() ? "" : ", ") + id;
  for (const std::string& name : witnesses) cases += (cases.empty() ? "" : " and ") + name;
  for (ReadingRow& row : rows)
    if (relation.questions.contains(row.question)) {
      row.status = reading_contradicted;
      row.witness = (cases.empty() ? "cases" : cases) + " leave no joint reading of " + questions +
                    ": they decide it differently in different runs";
    }
}

void settle(std::vector<ReadingRow>& rows, const Relation& relation,
            const std::map<std::string, char>& defaults) {
  const Assignment& chosen = nearest(relation, defaults);
  for (ReadingRow& row : rows) {
    const auto choice = chosen.find(row.question);
    if (choice == chosen.end() || row.status == reading_contradicted) continue;
    std::set<char> letters;
    for (const Assignment& assignment : relation.alive) letters.insert(assignment.at(row.question));
    row.chosen_letter = std::string(1, choice->second);
    row.chosen_words = words_of(row.question, choice->second);
    if (row.chosen_letter != row.default_letter)
      row.status = row.status == reading_undecided ? reading_undecided : reading_adopted;
    else if (letters.size() > 1)
      row.status = reading_open;
    else
      row.status = row.status == reading_modelled ? reading_modelled : reading_confirmed;
  }
}

}  // namespace

void decide_jointly(std::vector<ReadingRow>& rows, const std::vector<std::string>& texts) {
  const std::set<std::string> different(texts.begin(), texts.end());
  if (different.size() < 2) return;
  std::vector<State> states;
  for (const std::string& text : different)
    if (auto state = parse(text)) states.push_back(std::move(*state));
  if (states.size() < 2) return;
  std::map<std::string, char> defaults;
  for (const ReadingRow& row : rows)
    if (!row.default_letter.empty()) defaults[row.question] = row.default_letter[0];
  for (const auto& part : components(states)) {
    std::optional<Relation> all = *part.front();
    for (size_t k = 1; k < part.size() && all; ++k) all = joined(*all, *part[k]);
    if (!all) continue;
    if (all->alive.empty())
      contradict(rows, *all, states);
    else
      settle(rows, *all, defaults);
  }
}

}  // namespace assay::report
