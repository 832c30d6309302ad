// SPDX-License-Identifier: Apache-2.0
#include "suites/run/deciding.h"

#include <algorithm>
#include <map>

#include "reference/spec/questions.h"
#include "suites/run/places.h"

namespace assay::suites {
namespace {

/// What a reading makes of a case, copied out of the scratch.
struct Answer {
  model::End end = model::End::done;
  bool may_crash = false, judges_bytes = false;
  ExpectedOutput output;
};

Answer answer(const Family& family, const Case& c, const spec::Readings& readings) {
  thread_local Scratch scratch;
  Expected expected;
  family.predict(c, readings, scratch, expected);
  Answer made{expected.end, expected.may_crash, expected.judges_bytes, {}};
  if (made.judges_bytes) made.output = family.expected_output(c, expected);
  return made;
}

/// Some bit that both define is another one.
bool differ(const ExpectedOutput& a, const ExpectedOutput& b) {
  const size_t size = std::min(a.bytes.size(), b.bytes.size());
  for (size_t i = 0; i < size; ++i) {
    const uint8_t of_a = i < a.defined.size() ? a.defined[i] : 0xff;
    const uint8_t of_b = i < b.defined.size() ? b.defined[i] : 0xff;
    if (((a.bytes[i] ^ b.bytes[i]) & of_a & of_b) != 0) return true;
  }
  return false;
}

bool differ(const Answer& a, const Answer& b) {
  if (a.may_crash || b.may_crash || a.end == model::End::undefined || b.end == model::End::undefined)
    return false;
  // A phase that completes early may also never complete.
  const auto has_wait = [](model::End end) {
    return end == model::End::never_completes || end == model::End::early_surplus;
  };
  if (a.end != b.end) return !(has_wait(a.end) && has_wait(b.end));
  return a.judges_bytes && b.judges_bytes && differ(a.output, b.output);
}

bool ends_well(const Answer& a) {
  return !a.may_crash && (a.end == model::End::done || a.end == model::End::rejected);
}

/// The other letters; those that could be shown, where there are any.
std::string rivals_of(spec::QuestionIndex question, char chosen) {
  std::string shown, all;
  const spec::Question& row = spec::questions()[question];
  for (int r = 0; r < row.reading_count(); ++r) {
    if (row.readings[r].letter == chosen) continue;
    all += row.readings[r].letter;
    if (!says_anything(row.readings[r])) shown += row.readings[r].letter;
  }
  return shown.empty() ? all : shown;
}

/// Of a reading that allows anything: a device that is as the other one says shows more than it had to.
bool demands_more(const Answer& a, const Answer& anything) {
  if (a.end == model::End::undefined || a.may_crash) return false;
  return anything.end == model::End::undefined || a.output.defined != anything.output.defined;
}

}  // namespace

std::optional<std::string> never_decided(spec::QuestionIndex question, spec::Arch arch) {
  const spec::Question& row = spec::questions()[question];
  if (!row.is_decidable()) return std::string(row.undecidable);
  const DecidingPlace& where = deciding_place(row.id);
  const Property* property = find_property(where.property);
  if (property->declines != nullptr)
    if (auto why = property->declines(arch)) return why;
  return std::nullopt;
}

bool tells_apart(const Family& family, const Case& c, const spec::Readings& chosen,
                 spec::QuestionIndex question, char letter) {
  return differ(answer(family, c, chosen), answer(family, c, with(chosen, question, letter)));
}

std::vector<DecidingCase> deciding_cases(spec::QuestionIndex question, const spec::Readings& chosen) {
  if (never_decided(question, chosen.arch())) return {};
  const DecidingPlace& where = deciding_place(spec::questions()[question].id);
  const Property& property = *find_property(where.property);
  const Family& family = property.family();
  std::map<char, size_t> wanted;
  for (const char letter : rivals_of(question, chosen.chosen(question))) wanted[letter] = cases_a_rival;
  std::vector<DecidingCase> found;
  // Of the rivals either none allows anything or all do.
  const spec::Question& row = spec::questions()[question];
  const bool is_open = std::none_of(row.readings.begin(), row.readings.end(), [&](const spec::Reading& r) {
    return r.letter != 0 && r.letter != chosen.chosen(question) && !says_anything(r);
  });
  DecidingCase made{question, &property, 0, {}, false};
  const auto is_complete = [&] {
    return std::all_of(wanted.begin(), wanted.end(), [](const auto& rival) { return rival.second == 0; });
  };
  for (made.index = 0; made.index < where.cases && !is_complete(); ++made.index) {
    property.generate(1, property.name, made.index, chosen.arch(), made.what);
    chosen.forget_consulted();
    const Answer as_chosen = answer(family, made.what, chosen);
    if (!chosen.consulted().test(question)) continue;
    bool is_wanted = false;
    made.may_end_badly = property.is_sacrificial() || !ends_well(as_chosen);
    for (auto& [letter, left] : wanted) {
      const Answer as_rival = answer(family, made.what, with(chosen, question, letter));
      made.may_end_badly |= !ends_well(as_rival);
      if (left == 0 || !(is_open ? demands_more(as_chosen, as_rival) : differ(as_chosen, as_rival))) continue;
      is_wanted = true;
      --left;
    }
    if (is_wanted) found.push_back(made);
  }
  return found;
}

}  // namespace assay::suites
