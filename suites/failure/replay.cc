// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/replay.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "reference/spec/near_names.h"
#include "reference/spec/question.h"
#include "reference/spec/rules.h"
#include "reports/text.h"
#include "reports/verdict.h"
#include "suites/failure/shrinking.h"

namespace assay::suites {
namespace {

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string hex_line(const std::vector<uint8_t>& bytes, size_t from, const std::vector<uint8_t>& defined) {
  std::string line;
  for (size_t i = from; i < from + 16 && i < bytes.size(); ++i) {
    char text[4];
    std::snprintf(text, sizeof text, " %02x", bytes[i]);
    line += i < defined.size() && defined[i] == 0 ? " .." : text;
  }
  return line;
}

/// Lines of 16 bytes, expected above observed where they differ.
std::string byte_table(const report::CaseRow& row) {
  std::string text;
  for (size_t at = 0; at < row.observed.size(); at += 16) {
    char offset[32];
    std::snprintf(offset, sizeof offset, "  %8llx", static_cast<unsigned long long>(row.bytes_offset + at));
    const std::string expected = hex_line(row.expected, at, row.defined);
    const std::string observed = hex_line(row.observed, at, row.defined);
    if (expected == observed) {
      text += offset + ("   " + observed) + "\n";
    } else {
      text += offset + (" - " + expected) + "   expected\n";
      text += offset + (" + " + observed) + "   observed\n";
    }
  }
  return text;
}

std::string show(const report::CaseRow& row, report::Verdict verdict, const std::string& why) {
  std::string text = row.property + " on " + row.device + ": " + std::string(report::shown(verdict)) + "\n";
  for (const auto& [name, value] : row.fields)
    text += "  " + report::for_terminal(name) + std::string(name.size() < 20 ? 20 - name.size() : 1, ' ') +
            report::for_terminal(value) + "\n";
  text += "  expected end        " + row.expected_end + "\n  observed end        " + row.observed_end + "\n";
  if (!why.empty()) text += "  " + why + "\n";
  if (row.differing_bytes != 0)
    text += "  " + std::to_string(row.differing_bytes) + " bytes differ, around the first of them:\n" +
            byte_table(row);
  for (std::string_view rest = row.detail; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size() - 1);
    text += "  " + std::string(rest.substr(0, end + 1));
    rest.remove_prefix(end + 1);
  }
  return text;
}

/// What a run blames, in the words of this case; of a case that none of it explains, beside its own words.
std::string blame_of_run(const report::Blame& own, std::string_view cause, const report::CaseRow& row,
                         report::Verdict verdict) {
  if (cause.empty() || !report::fails(verdict)) return words(own, row.rules);
  report::Blame named{true, {}};
  bool explains = false;
  for (std::string_view rest = cause; !rest.empty();) {
    const std::string id(report::cut(rest, ','));
    if (!spec::find_rule(id))
      throw spec::UnknownName("--cause: there is no rule '" + id + "'; assay describe lists them");
    const auto weight =
        std::ranges::find(own.weights, id, [](const report::Weight& w) { return w.suspect.rule; });
    explains |= weight != own.weights.end();
    named.suspects.push_back(weight != own.weights.end() ? weight->suspect : report::Suspect{id, {}});
  }
  if (explains || own.suspects.empty()) return words(named, {});
  return words(own, row.rules) + "; the run: " + words(named, {});
}

}  // namespace

std::optional<ReplayId> parse_replay_id(std::string_view text) {
  const size_t at = text.find('@'), hash = text.find('#');
  if (at == std::string_view::npos || hash == std::string_view::npos || hash < at) return std::nullopt;
  ReplayId id;
  id.property = text.substr(0, at);
  std::string_view index = text.substr(hash + 1);
  if (const size_t slash = index.find('/'); slash != std::string_view::npos) {
    id.path = index.substr(slash + 1);
    index = index.substr(0, slash);
  }
  const auto seed = number(text.substr(at + 1, hash - at - 1)), i = number(index);
  if (!seed || !i) return std::nullopt;
  id.seed = *seed;
  id.index = *i;
  return id;
}

ReplayResult replay(std::string_view what, Device& device, const ReplayOptions& options) {
  const auto arch = spec::parse_arch(device.identity().architecture);
  if (!arch)
    throw std::runtime_error("no rules are known for the architecture " + device.identity().architecture);
  CaseOrigin origin;
  origin.device = device.identity().spec;
  CaseFile read;
  if (const auto id = parse_replay_id(what)) {
    read.property = find_property(id->property);
    if (read.property == nullptr)
      throw spec::UnknownName("unknown property '" + id->property + "'" + near_properties(id->property));
    read.property->generate(id->seed, read.property->name, id->index, *arch, read.what);
    read.what = at_path(*read.property, read.what, *arch, id->path);
    origin.seed = id->seed;
    origin.index = id->index;
    origin.path = id->path;
    if (!options.batch.empty()) {
      read.around.batch = parse_batch(options.batch);
      place(read.around.batch, id->seed, id->index);
    }
  } else {
    if (!std::filesystem::exists(what))
      throw spec::UnknownName("'" + std::string(what) +
                              "' is neither a case file nor of the form property@seed#index");
    read = read_case_file(what);
    origin.file = what;
    if (!options.batch.empty())
      throw std::runtime_error("--batch requires the id of a case; the case file " + origin.file +
                               " already names the cases of its batch");
  }
  if (!options.readings.empty()) read.around.readings = parse_readings(options.readings);
  if (options.copies != 0) read.around.copies = checked_copies(options.copies);
  if (const auto why = device.declines(read.property->family().name()))
    throw std::runtime_error(std::string(read.property->name) + " cannot run on " + origin.device + ": " +
                             *why);
  // A case alone decides nothing: it is judged by what the run had decided that printed it, else by the
  // defaults.
  ReadingSet readings(*arch);
  readings.follow_only(read.around.readings);
  readings.freeze();
  CaseRunner runner(device, readings, *arch);
  runner.explain();
  Outcome outcome = run_among(runner, *read.property, read.what, read.around, *arch);
  outcome.around = read.around;
  // Where a rule is broken, what a reading would say is no news.
  if (!outcome.blame.suspects.empty()) outcome.contradiction.clear();
  ReplayResult result;
  result.verdict = outcome.verdict;
  result.row = to_row(*read.property, outcome, origin);
  result.program = reproducer(*read.property, outcome, result.row, *arch);
  for (report::ReadingRow& row : readings.rows())
    if (row.deciding_cases != 0) result.readings.push_back(std::move(row));
  result.text = show(result.row, result.verdict,
                     blame_of_run(outcome.blame, options.cause, result.row, result.verdict));
  for (const report::ReadingRow& row : result.readings)
    result.text +=
        "  " + row.question + ": " + row.status + ", " + row.chosen_letter + " (" + row.chosen_words + ")\n";
  result.exit_code = report::row(result.verdict).exit_code;
  return result;
}

ReplayResult replay(std::string_view what, std::string_view device_spec, const ReplayOptions& options) {
  const std::unique_ptr<Device> device = open_device(device_spec, DeviceLimits{});
  return replay(what, *device, options);
}

namespace {

/// More than any batch holds, and still made at once.
constexpr uint64_t most_neighbours = 65536, most_copies = 4096;

bool take_number(std::string_view& text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::pair<spec::QuestionIndex, char> parse_reading(std::string_view word) {
  const size_t colon = word.find(':');
  const auto question = spec::find_question(word.substr(0, colon));
  if (!question)
    throw std::runtime_error("--readings: unknown question '" + std::string(word.substr(0, colon)) + "'");
  const spec::Question& row = spec::questions()[*question];
  const std::string_view letter = colon == std::string_view::npos ? "" : word.substr(colon + 1);
  std::string known;
  for (int r = 0; r < row.reading_count(); ++r) {
    if (letter == std::string_view(&row.readings[r].letter, 1))
      return {static_cast<spec::QuestionIndex>(*question), letter[0]};
    known += (known.empty() ? "" : ", ") + std::string(row.id) + ":" + row.readings[r].letter;
  }
  throw std::runtime_error("--readings: unknown reading '" + std::string(word) + "'; expected one of " +
                           known);
}

}  // namespace

std::string readings_text(const Assignment& readings) {
  std::string text;
  for (const auto& [question, letter] : readings)
    text += (text.empty() ? "" : ",") + std::string(spec::questions()[question].id) + ":" + letter;
  return text;
}

Assignment parse_readings(std::string_view text) {
  Assignment readings;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    readings.push_back(parse_reading(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return readings;
}

std::string batch_text(const Neighbours& batch) {
  const uint64_t last = batch.first + (batch.count - 1) * batch.step;
  return std::to_string(batch.first) + "-" + std::to_string(last) +
         (batch.step == 1 ? "" : "/" + std::to_string(batch.step));
}

Neighbours parse_batch(std::string_view text) {
  Neighbours batch;
  uint64_t last = 0;
  std::string_view rest = text;
  const bool is_range = take_number(rest, batch.first) && take(rest, '-') && take_number(rest, last) &&
                        (rest.empty() || (take(rest, '/') && take_number(rest, batch.step))) && rest.empty();
  if (!is_range || batch.step == 0 || last < batch.first || (last - batch.first) % batch.step != 0)
    throw std::runtime_error("--batch: '" + std::string(text) +
                             "' is not a range of indexes such as 64-127 or 3-59/8");
  batch.count = (last - batch.first) / batch.step + 1;
  if (batch.count > most_neighbours)
    throw std::runtime_error("--batch: '" + std::string(text) + "' has " + std::to_string(batch.count) +
                             " cases; a batch holds at most " + std::to_string(most_neighbours));
  return batch;
}

void place(Neighbours& batch, uint64_t seed, uint64_t index) {
  const uint64_t from_first = index - batch.first;
  if (index < batch.first || from_first % batch.step != 0 || from_first / batch.step >= batch.count)
    throw std::runtime_error("--batch: the case " + std::to_string(index) + " is not one of the indexes " +
                             batch_text(batch));
  batch.seed = seed;
  batch.index = index;
}

uint32_t checked_copies(uint64_t copies) {
  if (copies == 0 || copies > most_copies)
    throw std::runtime_error("--copies: " + std::to_string(copies) + " is out of range; expected 1 to " +
                             std::to_string(most_copies));
  return static_cast<uint32_t>(copies);
}

std::string options_text(const Surroundings& around) {
  std::string text;
  if (!around.readings.empty()) text += " --readings " + readings_text(around.readings);
  if (around.batch.count > 1) text += " --batch " + batch_text(around.batch);
  if (around.copies > 1) text += " --copies " + std::to_string(around.copies);
  return text;
}

Outcome run_among(CaseRunner& runner, const Property& property, const Case& what, const Surroundings& around,
                  spec::Arch arch) {
  const Neighbours& batch = around.batch;
  std::vector<Case> cases(std::max<uint64_t>(1, around.copies), what);
  if (batch.count > 1) {
    cases.assign(batch.count, what);
    for (uint64_t k = 0; k < batch.count; ++k)
      if (const uint64_t index = batch.first + k * batch.step; index != batch.index)
        property.generate(batch.seed, property.name, index, arch, cases[k]);
  }
  std::vector<Outcome> outcomes = runner.run(property, cases);
  if (batch.count > 1) return std::move(outcomes[(batch.index - batch.first) / batch.step]);
  const auto failing = std::find_if(outcomes.begin(), outcomes.end(),
                                    [](const Outcome& o) { return report::fails(o.verdict); });
  return std::move(failing == outcomes.end() ? outcomes.front() : *failing);
}

}  // namespace assay::suites
