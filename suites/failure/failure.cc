// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/failure.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "reference/model/case_json.h"
#include "reference/spec/rules.h"
#include "suites/failure/element_words.h"
#include "suites/failure/replay.h"
#include "suites/run/bytes.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

constexpr size_t longest_message = 200, longest_replay = 120;
/// Bytes of context that a row keeps on each side of the first difference.
constexpr size_t context_bytes = 64;

struct Difference {
  size_t first = 0;
  uint64_t count = 0;
};

Difference difference(const Outcome& outcome) {
  Difference found;
  const size_t n = std::min(outcome.expected.bytes.size(), outcome.observed.size());
  for (size_t i = 0; i < n; ++i)
    if (((outcome.expected.bytes[i] ^ outcome.observed[i]) & outcome.expected.defined[i]) != 0) {
      if (found.count == 0) found.first = i;
      ++found.count;
    }
  return found;
}

std::string place(const Family& family, const Outcome& outcome, const Difference& d) {
  const auto wrong = static_cast<uint8_t>((outcome.expected.bytes[d.first] ^ outcome.observed[d.first]) &
                                          outcome.expected.defined[d.first]);
  return family.place(outcome.what, d.first, wrong);
}

std::string broken_words(const spec::RuleSet& rules) {
  std::string text;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (rules[i]) text += (text.empty() ? "" : "+") + std::string(spec::rules()[i].id);
  return text;
}

std::string byte_words(uint8_t byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", byte);
  return text;
}

/// By the readings that the case was judged by.
Diagnosis diagnosis(const Family& family, const Outcome& outcome, const Difference& d) {
  if (d.count == 0 || outcome.observed.size() != outcome.expected.bytes.size()) return {};
  spec::Readings readings(outcome.arch);
  for (const auto& [question, letter] : outcome.around.readings) readings.choose(question, letter);
  return family.diagnose(outcome.what, readings, outcome.expected, outcome.observed, d.first);
}

/// Of a kernel that stands still: the first barrier that somebody waits at. Nothing where a batch had several
/// such kernels, of which each is another case's.
std::string waits_in_vain(const Outcome& outcome) {
  const auto has = [](std::string_view words) {
    return [words](const std::string& line) { return line.find(words) != std::string::npos; };
  };
  const std::vector<std::string>& lines = outcome.device_words;
  if (outcome.end.ended != Ended::hung || std::count_if(lines.begin(), lines.end(), has(": deadlock: ")) != 1)
    return {};
  const auto first = std::find_if(lines.begin(), lines.end(), has(" for phase "));
  return first == lines.end() ? "" : "; " + *first;
}

/// Of an element of a matrix: "; lane 17, column 40; CTA 1".
std::string element_place_words(const Family& family, const Outcome& outcome, size_t byte) {
  const ElementPlace place = family.element_places(outcome.what)(byte);
  std::string text;
  if (place.tmem_lane >= 0) {
    text += "; lane " + std::to_string(place.tmem_lane);
    if (place.tmem_column >= 0) text += ", column " + std::to_string(place.tmem_column);
  } else if (place.warp_lane >= 0) {
    text += "; warp " + std::to_string(place.warp) + ", lane " + std::to_string(place.warp_lane);
  }
  if (place.cluster_rank > 0 || (place.cluster_rank == 0 && multiprocessors_of(outcome.end).size() > 1))
    text += "; CTA " + std::to_string(place.cluster_rank);
  return text;
}

std::string what_differs(const Family& family, const Outcome& outcome, const Difference& d,
                         const std::string& first) {
  if (outcome.verdict == report::Verdict::flaky || outcome.verdict == report::Verdict::rig_broken)
    return outcome.note;
  if (words(outcome.expected_end) != words(outcome.end))
    return expectation(outcome.expected_end) + "; " + observation(outcome.end) + waits_in_vain(outcome);
  if (!first.empty())
    return first + (first.find("] = ") == first.npos ? "" : element_place_words(family, outcome, d.first)) +
           " (" + std::to_string(d.count) + " of " + std::to_string(outcome.observed.size()) +
           " bytes differ)";
  if (d.count != 0)
    return "byte " + std::to_string(d.first) + " is " + byte_words(outcome.observed[d.first]) +
           ", expected " + byte_words(outcome.expected.bytes[d.first]) + " (" + std::to_string(d.count) +
           " of " + std::to_string(outcome.observed.size()) + " differ)";
  if (!outcome.note.empty()) return outcome.note;
  // Where several outputs are allowed, there is no byte that differs.
  return outcome.end.ended == Ended::done && outcome.judged_bytes ? "the output matches no allowed result"
                                                                  : observation(outcome.end);
}

}  // namespace

Outcome outcome_of(const Property& property, const Case& c, const Judgement& judgement,
                   const Observation& seen, const std::vector<std::string>& notes) {
  const Family& family = property.family();
  Outcome outcome;
  outcome.what = c;
  outcome.arch = judgement.arch;
  outcome.verdict = judgement.verdict;
  outcome.end = seen.end;
  outcome.expected_end = judgement.expected.end;
  outcome.rules = judgement.expected.rules;
  outcome.contradiction = judgement.contradiction;
  outcome.judged_bytes = judgement.expected.judges_bytes;
  outcome.note = family.wrong_note(seen.end.note);
  outcome.device_words = notes;
  outcome.around.readings = judgement.judged_by;
  if (outcome.judged_bytes && end_fits(judgement.expected, seen.end) && seen.end.ended != Ended::crashed) {
    outcome.expected = family.expected_output(c, judgement.expected);
    append(outcome.observed, seen.output);
  }
  const Difference d = difference(outcome);
  outcome.signature =
      std::string(property.name) + "|" + words(outcome.expected_end) + "|" + words(outcome.end);
  if (outcome.expected_end == model::End::rejected) outcome.signature += "|" + broken_words(outcome.rules);
  if (d.count != 0)
    if (const std::string where = place(family, outcome, d); !where.empty()) outcome.signature += "|" + where;
  if (!outcome.note.empty()) outcome.signature += "|" + outcome.note;
  return outcome;
}

std::string replay_id(const Property& property, const CaseOrigin& origin) {
  std::string id =
      std::string(property.name) + "@" + std::to_string(origin.seed) + "#" + std::to_string(origin.index);
  if (!origin.path.empty()) id += "/" + origin.path;
  return id;
}

std::string replay_line(const std::string& id, const std::string& file, const std::string& device,
                        const Surroundings& around) {
  const auto line = [&](const std::string& what) { return "assay replay '" + what + "' --device " + device; };
  const std::string by_id = line(id) + options_text(around), by_file = line(file);
  const bool is_short = by_id.size() <= longest_replay || by_id.size() <= by_file.size();
  return is_short || file.empty() ? by_id : by_file;
}

std::string canonical_json(const Property& property, const Case& c) {
  nlohmann::json json;  // keys are kept sorted
  json["property"] = property.name;
  json["case"] = property.family().to_json(c);
  return model::canonical_text(json);
}

std::string case_id(const Property& property, const Case& c) {
  return hash_128(canonical_json(property, c));
}

report::CaseRow to_row(const Property& property, const Outcome& outcome, const CaseOrigin& origin) {
  const Difference d = difference(outcome);
  report::CaseRow row;
  row.property = property.name;
  row.device = origin.device;
  row.index = origin.index;
  row.verdict = outcome.verdict;
  row.signature = outcome.signature;
  row.case_json = canonical_json(property, outcome.what);
  row.case_id = hash_128(row.case_json);
  const std::string id = origin.file.empty() ? replay_id(property, origin) : origin.file;
  row.replay = replay_line(id, id, origin.device, origin.file.empty() ? outcome.around : Surroundings{});
  const Diagnosis why = diagnosis(property.family(), outcome, d);
  row.message = row.property + property.family().brief(outcome.what) + ": " +
                what_differs(property.family(), outcome, d, why.first);
  if (row.message.size() > longest_message) row.message = row.message.substr(0, longest_message - 3) + "...";
  row.from_file = !origin.file.empty();
  row.sm = outcome.end.sm;
  if (!outcome.waiver.empty()) row.detail += "waived by " + outcome.waiver + "\n";
  if (!outcome.contradiction.empty()) row.detail += outcome.contradiction + "\n";
  // Those of an emulator are threads of the host.
  const BackEnd* const on = find_back_end(origin.device);
  if (const std::string ran = multiprocessor_words(outcome.end);
      !ran.empty() && (on == nullptr || on->is_silicon))
    row.detail += ran + "\n";
  for (const std::string& line : outcome.device_words) row.detail += line + "\n";
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (outcome.rules[i]) row.rules.emplace_back(spec::rules()[i].id);
  row.fields = property.family().fields(outcome.what);
  row.expected_end = words(outcome.expected_end);
  row.observed_end = words(outcome.end);
  if (!outcome.observed.empty()) {
    const size_t begin = d.first > context_bytes ? (d.first - context_bytes) / 16 * 16 : 0;
    const size_t end = std::min(outcome.observed.size(), begin + 2 * context_bytes + 16);
    const auto cut = [&](const std::vector<uint8_t>& from) {
      return std::vector<uint8_t>(from.begin() + static_cast<long>(std::min(begin, from.size())),
                                  from.begin() + static_cast<long>(std::min(end, from.size())));
    };
    row.expected = cut(outcome.expected.bytes);
    row.observed = cut(outcome.observed);
    row.defined = cut(outcome.expected.defined);
    row.bytes_offset = begin;
    row.differing_bytes = d.count;
    show_wrong_elements(property.family(), outcome, row);
    for (const std::string& line : why.lines) row.detail += line + "\n";
  }
  return row;
}

std::vector<uint32_t> multiprocessors_of(const RecordEnd& end) {
  std::vector<uint32_t> sms;
  for_multiprocessors(end, [&](uint32_t sm) { sms.push_back(sm); });
  return sms;
}

std::vector<uint32_t> ranks_to_blame(const Family& family, const Outcome& outcome) {
  const auto ranks = static_cast<uint32_t>(multiprocessors_of(outcome.end).size());
  if (ranks < 2) return {0};
  std::vector<bool> wrong(ranks);
  const PlaceOfByte place_of = family.element_places(outcome.what);
  constexpr size_t piece = 16;
  const size_t size = std::min(outcome.observed.size(), outcome.expected.bytes.size());
  for (size_t at = 0; at < size; at += piece) {
    const int rank = place_of(at).cluster_rank;
    if (rank < 0 || rank >= static_cast<int>(ranks)) continue;
    for (size_t i = at; i < std::min(at + piece, size); ++i)
      if (((outcome.expected.bytes[i] ^ outcome.observed[i]) & outcome.expected.defined[i]) != 0)
        wrong[rank] = true;
  }
  std::vector<uint32_t> blamed;
  for (uint32_t rank = 0; rank < ranks; ++rank)
    if (wrong[rank]) blamed.push_back(rank);
  const int asks = family.issuing_rank(outcome.what);
  const bool is_known = asks >= 0 && asks < static_cast<int>(ranks);
  // What several got wrong is the fault of the one that asked; what one got wrong may be its own.
  if (blamed.size() != 1 && is_known) return {static_cast<uint32_t>(asks)};
  if (blamed.size() == 1 && is_known && blamed[0] != static_cast<uint32_t>(asks))
    blamed.push_back(static_cast<uint32_t>(asks));
  if (!blamed.empty()) return blamed;
  blamed.resize(ranks);
  std::iota(blamed.begin(), blamed.end(), 0u);
  return blamed;
}

std::string multiprocessor_words(const RecordEnd& end) {
  const std::vector<uint32_t> sms = multiprocessors_of(end);
  if (sms.empty()) return {};
  if (sms.size() == 1) return "ran on SM " + std::to_string(sms[0]);
  std::string text = "ran on SMs";
  for (size_t rank = 0; rank < sms.size(); ++rank)
    text += (rank == 0 ? " " : ", ") + std::to_string(sms[rank]);
  return text + " (ranks 0 to " + std::to_string(sms.size() - 1) + ")";
}

}  // namespace assay::suites
