// SPDX-License-Identifier: Apache-2.0
#include "suites/contact/contact.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reference/spec/questions.h"
#include "suites/failure/failure.h"
#include "suites/run/bytes.h"
#include "suites/run/places.h"

namespace assay::suites {
namespace {

using Status = ContactAnswer::Status;
using report::Verdict;

std::string reading_words(const spec::Question& question, char letter) {
  for (const spec::Reading& reading : question.readings)
    if (reading.letter == letter) return std::string(reading.words);
  return {};
}

std::string hex(uint64_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

std::string name_of_contact(const ContactCase& c) {
  return std::string(c.asked.property->name) + "@1#" + std::to_string(c.asked.index);
}

/// What readings make of a case.
struct Predicted {
  Expected expected;
  ExpectedOutput output;
};
Predicted predicted(const Family& family, const Case& c, const spec::Readings& readings) {
  thread_local Scratch scratch;
  Predicted made;
  family.predict(c, readings, scratch, made.expected);
  made.output = family.expected_output(c, made.expected);
  return made;
}

/// For each rival the first byte in which it differs from the answer, where that lies in no part that is kept
/// for another one. At least one place.
std::vector<uint64_t> kept_places(const Family& family, const Case& c, const spec::Readings& chosen,
                                  spec::QuestionIndex question) {
  const ExpectedOutput mine = predicted(family, c, chosen).output;
  std::vector<uint64_t> places;
  for (const spec::Reading& reading : spec::questions()[question].readings) {
    if (reading.letter == 0 || reading.letter == chosen.chosen(question)) continue;
    const ExpectedOutput other = predicted(family, c, with(chosen, question, reading.letter)).output;
    const size_t size = std::min(mine.bytes.size(), other.bytes.size());
    for (uint64_t i = 0; i < size; ++i) {
      if (((mine.bytes[i] ^ other.bytes[i]) & mine.defined[i] & other.defined[i]) == 0) continue;
      const bool is_kept = std::any_of(places.begin(), places.end(),
                                       [&](uint64_t at) { return i >= at && i < at + bytes_a_place; });
      if (!is_kept) places.push_back(i);
      break;
    }
  }
  if (places.empty()) places.push_back(0);
  return places;
}

/// Whether the kept part of an outcome is as predicted.
bool fits_kept(const report::DecidingRow& row, const Predicted& made) {
  RecordEnd end{};
  end.ended = static_cast<Ended>(row.ended);
  end.code = static_cast<int32_t>(row.code);
  if (!end_fits(made.expected, end)) return false;
  if (!compares_bytes(made.expected, end)) return true;
  for (size_t i = 0; i < row.bytes.size(); ++i) {
    const uint64_t at = row.at + i;
    if (at >= made.output.bytes.size()) break;
    if (((row.bytes[i] ^ made.output.bytes[at]) & made.output.defined[at]) != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<report::ReadingRow> reading_rows(const ContactResult& result, bool is_silicon) {
  std::vector<report::ReadingRow> rows;
  for (const ContactAnswer& a : result.answers) {
    const spec::Question& question = spec::questions()[a.question];
    const char by_default = question.default_for[static_cast<size_t>(result.chosen.arch())];
    report::ReadingRow row;
    row.question = question.id;
    row.words = question.words;
    row.chosen_letter = a.letter;
    row.chosen_words = reading_words(question, a.letter);
    row.default_letter = by_default;
    row.deciding_cases = a.deciding.size();
    row.status = a.status == Status::open           ? report::reading_open
                 : a.status == Status::contradicted ? report::reading_contradicted
                 : a.status == Status::thin         ? report::reading_undecided
                 : a.letter != by_default           ? report::reading_adopted
                 : is_silicon                       ? report::reading_confirmed
                                                    : report::reading_modelled;
    row.witness = a.deciding.empty() ? a.why : name_of_contact(result.cases[a.deciding[0]]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<report::DecidingRow> deciding_rows(const ContactResult& result) {
  std::vector<report::DecidingRow> rows;
  for (const ContactAnswer& a : result.answers)
    for (const size_t i : a.deciding) {
      const ContactCase& c = result.cases[i];
      report::DecidingRow row;
      row.question = spec::questions()[a.question].id;
      row.property = c.asked.property->name;
      row.name = name_of_contact(c);
      row.case_json = canonical_json(*c.asked.property, c.asked.what);
      row.ended = static_cast<int64_t>(c.end.ended), row.code = c.end.code, row.note = c.end.note;
      row.output_bytes = c.output.size();
      row.fingerprint = hex(fingerprint(c.output, {}, 1));
      for (const uint64_t at :
           kept_places(c.asked.property->family(), c.asked.what, result.chosen, a.question)) {
        row.at = std::min<uint64_t>(at, c.output.size());
        const auto from = reinterpret_cast<const uint8_t*>(c.output.data()) + row.at;
        row.bytes.assign(from, from + std::min<size_t>(bytes_a_place, c.output.size() - row.at));
        rows.push_back(row);
      }
    }
  return rows;
}

std::vector<std::pair<std::string, report::PropertyTotals>> totals_of(const ContactResult& result) {
  struct Counted {
    std::map<Verdict, uint64_t> verdicts;
    uint64_t bytes = 0, fingerprint = 0;
  };
  std::map<std::string, Counted> counted;
  const spec::Readings defaults(result.chosen.arch());
  for (const ContactCase& c : result.cases) {
    const Family& family = c.asked.property->family();
    const Observation seen{c.end, c.output};
    Counted& property = counted[std::string(c.asked.property->name)];
    const bool fits = fits_readings(family, c.asked.what, seen, result.chosen);
    ++property.verdicts[!fits ? (c.end.ended == Ended::hung      ? Verdict::hung
                                 : c.end.ended == Ended::crashed ? Verdict::crashed
                                                                 : Verdict::violates)
                        : fits_readings(family, c.asked.what, seen, defaults) ? Verdict::conforms
                                                                              : Verdict::adopted_reading];
    if (!fits) continue;
    const Predicted made = predicted(family, c.asked.what, result.chosen);
    if (!compares_bytes(made.expected, c.end)) continue;
    Scratch scratch;
    Expected expected;
    family.predict(c.asked.what, result.chosen, scratch, expected);
    const DefinedBits bits = defined_bits(family, c.asked.what, expected, c.output, c.asked.index);
    property.fingerprint += bits.fingerprint, property.bytes += bits.bytes;
  }
  std::vector<std::pair<std::string, report::PropertyTotals>> all;
  for (const auto& [name, property] : counted) {
    report::PropertyTotals totals;
    for (const auto& [verdict, count] : property.verdicts) {
      totals.counts.emplace_back(verdict, count);
      totals.planned = totals.issued += count;
    }
    totals.tile_bytes = property.bytes;
    totals.fingerprint = hex(property.fingerprint);
    totals.complete = true;
    all.emplace_back(name, totals);
  }
  return all;
}

std::vector<std::string> unconfirmed(const report::DeviceResult& device) {
  std::vector<std::string> wrong;
  const auto arch = spec::parse_arch(device.info.architecture);
  if (!arch) return {"the architecture '" + device.info.architecture + "' is not one that has questions"};
  spec::Readings chosen(*arch);
  for (const report::ReadingRow& row : device.readings)
    if (const auto question = spec::find_question(row.question);
        question && row.chosen_letter.size() == 1 &&
        !reading_words(spec::questions()[*question], row.chosen_letter[0]).empty())
      chosen.choose(*question, row.chosen_letter[0]);
    else
      wrong.push_back("'" + row.question + ":" + row.chosen_letter +
                      "' is not a reading of an open question");
  // Names of cases: one may have several rows.
  std::map<std::string, std::map<char, std::set<std::string>>> excluded;
  std::map<std::string, std::set<std::string>> cases;
  for (const report::DecidingRow& row : device.deciding) try {
      const Property* property = find_property(row.property);
      const auto question = spec::find_question(row.question);
      if (property == nullptr || !question)
        throw std::runtime_error("it belongs to no known property or question");
      const Family& family = property->family();
      const Case c = family.from_json(nlohmann::json::parse(row.case_json).at("case"));
      if (!fits_kept(row, predicted(family, c, chosen)))
        throw std::runtime_error("what the device did is not what reading " +
                                 std::string(1, chosen.chosen(*question)) + " says");
      cases[row.question].insert(row.name);
      for (const spec::Reading& reading : spec::questions()[*question].readings)
        if (reading.letter != 0 && reading.letter != chosen.chosen(*question) && !says_anything(reading)) {
          auto& names = excluded[row.question][reading.letter];
          if (!fits_kept(row, predicted(family, c, with(chosen, *question, reading.letter))))
            names.insert(row.name);
        }
    } catch (const std::exception& error) {
      wrong.push_back(row.question + ", case " + row.name + ": " + error.what());
    }
  for (const report::ReadingRow& row : device.readings) {
    if (row.status != report::reading_adopted && row.status != report::reading_confirmed &&
        row.status != report::reading_modelled)
      continue;
    if (cases[row.question].size() != row.deciding_cases)
      wrong.push_back(row.question + ": " + std::to_string(row.deciding_cases) +
                      " deciding cases are claimed, " + std::to_string(cases[row.question].size()) +
                      " are in the file");
    for (const auto& [letter, names] : excluded[row.question])
      if (names.size() < ReadingSet::least_support)
        wrong.push_back(row.question + ": " + std::to_string(names.size()) +
                        " of its cases speak against reading " + letter + ", " +
                        std::to_string(ReadingSet::least_support) + " are needed");
  }
  return wrong;
}

std::string evidence_page(const report::Results& results, const report::DeviceResult& device) {
  std::string page = "# " + device.info.name + ", " + results.run.started_utc.substr(0, 10) +
                     ": what it answers to the open questions\n\nEvidence kind: **" + device.info.evidence +
                     "**.";
  if (!device.is_silicon) page += " A software model: nothing here is evidence about silicon.";
  page += "\n" + device.info.name + (device.info.uuid.empty() ? "" : " (" + device.info.uuid + ")");
  for (const auto& [name, value] : device.info.facts)
    if (name != "serial") page += ", " + name + " " + value;
  page += "; assay " + results.run.version + " " + results.run.commit + ".\n\n    " +
          results.run.command_line +
          "\n\nEach case was predicted again from the file before this page was "
          "written.\n\n| question | default | device | status | deciding cases | what the device does |\n"
          "| --- | --- | --- | --- | ---: | --- |\n";
  std::string undecided;
  for (const report::ReadingRow& row : device.readings) {
    if (row.deciding_cases == 0) {
      undecided += "- " + row.question + ": " + row.witness + ".\n";
      continue;
    }
    page += "| " + row.question + " | " + row.default_letter + " | " + row.chosen_letter + " | " +
            row.status + " | " + std::to_string(row.deciding_cases) + " | " + row.chosen_words + " |\n";
  }
  if (!undecided.empty()) page += "\nNot decided:\n\n" + undecided;
  page +=
      "\n| property | cases | bytes compared | fingerprint of the defined bits that the device wrote |\n"
      "| --- | ---: | ---: | --- |\n";
  for (const report::PropertyResult& property : device.properties)
    page += "| `" + property.info.name + "` | " + std::to_string(property.cases()) + " | " +
            std::to_string(property.totals.tile_bytes) + " | " + property.totals.fingerprint + " |\n";
  return page;
}

}  // namespace assay::suites
