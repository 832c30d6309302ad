// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/surroundings.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "reference/spec/question.h"
#include "reports/verdict.h"

namespace assay::suites {
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
