// SPDX-License-Identifier: Apache-2.0
// Rows that are cases: a line of JSON each, a case file with what is known of its outcome.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "reference/model/mma/mma.h"
#include "reference/spec/rules.h"
#include "reports/verdict.h"
#include "suites/failure/explain.h"
#include "suites/failure/replay.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> end_names{"done",
                                                    "rejected",
                                                    "illegal_instruction",
                                                    "misaligned_address",
                                                    "illegal_address",
                                                    "never_completes",
                                                    "early_surplus",
                                                    "undefined",
                                                    "launch_failed"};

std::string_view name_of(model::End end) {
  return end_names[static_cast<size_t>(end)];
}

model::End end_named(const std::string& name) {
  const auto at = std::find(end_names.begin(), end_names.end(), name);
  if (at == end_names.end()) throw RowError{"'" + name + "' is not an end of a case"};
  return static_cast<model::End>(at - end_names.begin());
}

const std::string& text_of(std::string_view member, const json& value) {
  if (!value.is_string()) throw RowError{std::string(member) + " is not a text"};
  return value.get_ref<const std::string&>();
}

uint32_t number_of(std::string_view member, const json& value) {
  if (!value.is_number_unsigned()) throw RowError{std::string(member) + " is not a number from 0 on"};
  return narrow<uint32_t>(member, value.get<int64_t>());
}

std::vector<uint8_t> bytes_of_hex(std::string_view member, const std::string& digits) {
  if (digits.size() % 2 != 0) throw RowError{std::string(member) + " has an odd number of digits"};
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at < digits.size(); at += 2)
    bytes.push_back(parse_number<uint8_t>(member, "0x" + digits.substr(at, 2)));
  return bytes;
}

Measured measured_of(const json& members) {
  if (!members.is_object()) throw RowError{"measured is not an object"};
  Measured known;
  for (const auto& [key, value] : members.items()) {
    if (key == "end")
      known.end = end_named(text_of(key, value));
    else if (key == "at")
      known.at = number_of(key, value);
    else if (key == "bytes")
      known.bytes = bytes_of_hex(key, text_of(key, value));
    else if (key == "output")
      known.output = text_of(key, value);
    else if (key == "tx")
      known.transaction_bytes = number_of(key, value);
    else if (key == "sources")
      known.sources = text_of(key, value);
    else if (key == "rule")
      known.rule = text_of(key, value);
    else if (key == "operand")
      known.operand = text_of(key, value);
    else if (key == "word")
      known.word = parse_number<uint64_t>(key, text_of(key, value));
    else
      throw RowError{"'" + key + "' is not end, at, bytes, output, tx, sources, rule, operand or word"};
  }
  return known;
}

spec::OnArch archs_of(const json& names) {
  if (!names.is_array()) throw RowError{"on is not a list of architectures"};
  spec::OnArch on{};
  for (const json& name : names) {
    const std::optional<spec::Arch> arch = spec::parse_arch(text_of("on", name));
    if (!arch) throw RowError{"'" + name.get<std::string>() + "' of on is not an architecture"};
    on[static_cast<size_t>(*arch)] = true;
  }
  return on;
}

const std::string& member(const json& row, const char* name) {
  if (!row.contains(name)) throw RowError{std::string(name) + " is missing"};
  return text_of(name, row[name]);
}

RowCase read_case(const json& row) {
  if (!row.contains("measured")) throw RowError{"measured is missing"};
  RowCase read{.measured = measured_of(row["measured"])};
  if (row.contains("on")) read.on = archs_of(row["on"]);
  try {
    const suites::CaseFile file = suites::case_of_json(row, "the row");
    read.property = file.property->name;
    read.what = file.what;
    read.readings = file.around.readings;
  } catch (const std::runtime_error& error) {
    throw RowError{error.what()};
  }
  return read;
}

/// The first architecture that the row is about and that has its property.
spec::Arch first_arch(const RowCase& row, const suites::Property& property) {
  for (const spec::Arch arch : spec::all_archs)
    if (row.on[static_cast<size_t>(arch)] && (property.declines == nullptr || !property.declines(arch)))
      return arch;
  throw RowError{"no architecture of the row has " + std::string(property.name)};
}

void compare_bytes(const Measured& known, const suites::ExpectedOutput& output, Differences& differences) {
  if (output.bytes.size() < known.at || output.bytes.size() - known.at < known.bytes.size())
    throw RowError{"the output has " + std::to_string(output.bytes.size()) + " bytes, the row more"};
  for (size_t i = 0; i < known.bytes.size(); ++i) {
    const size_t at = known.at + i;
    const bool is_defined = output.defined.empty() || output.defined[at] == 0xff;
    if (is_defined && output.bytes[at] == known.bytes[i]) continue;
    return differences.compare("byte " + std::to_string(at), hex_code(known.bytes[i], 2),
                               is_defined ? hex_code(output.bytes[at], 2) : "nothing");
  }
  if (known.output.empty()) return;
  Crc32 crc;
  for (size_t i = 0; i < output.bytes.size(); ++i) {
    const uint8_t defined = output.defined.empty() ? 0xff : output.defined[i];
    crc.add(output.bytes[i] & defined, 1);
    crc.add(defined, 1);
  }
  differences.compare("output", known.output, crc.text());
}

/// The word of tcgen05.mma that the row names.
void compare_word(const RowCase& row, Differences& differences) {
  const Tcgen05MmaCase* mma = row.what.get_if<Tcgen05MmaCase>();
  const std::string& operand = row.measured.operand;
  if (mma == nullptr || (operand != "a" && operand != "b" && operand != "idesc" && operand != "mask"))
    throw RowError{"operand '" + operand + "' is not a, b, idesc or mask of tcgen05.mma"};
  const uint64_t word = operand == "a"       ? model::a_word(*mma)
                        : operand == "b"     ? model::b_word(*mma)
                        : operand == "idesc" ? model::idesc_word(*mma)
                                             : model::mask_word(*mma);
  differences.compare("word", hex_word(row.measured.word), hex_word(word));
}

std::string broken_rules(const spec::RuleSet& rules) {
  std::string names;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (rules[i]) names += (names.empty() ? "" : ", ") + std::string(spec::rule_table[i].id);
  return names;
}

}  // namespace

void compare(const RowCase& row, const spec::Readings& readings, Differences& differences) {
  const Measured& known = row.measured;
  const suites::Family& family = suites::find_property(row.property)->family();
  suites::Scratch scratch;
  suites::Expected expected;
  family.predict(row.what, readings, scratch, expected);
  if (expected.end != known.end) return differences.compare("end", name_of(known.end), name_of(expected.end));
  const std::optional<spec::RuleIndex> rule = spec::find_rule(known.rule);
  if (!known.rule.empty() && (!rule || !expected.rules[*rule]))
    differences.compare("rule", known.rule, broken_rules(expected.rules));
  if (!known.bytes.empty() || !known.output.empty())
    compare_bytes(known, family.expected_output(row.what, expected), differences);
  if (!known.operand.empty()) compare_word(row, differences);
  if (known.transaction_bytes || !known.sources.empty()) compare_copy(row, readings, differences);
}

void check_case_row(std::string_view text, RowRunner* runner, RowResult& result) {
  try {
    const json row = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!row.is_object()) throw RowError{"the row is not an object of JSON"};
    result.id = member(row, "id"), result.kind = member(row, "kind");
    const RowCase read = read_case(row);
    spec::Readings readings(first_arch(read, *suites::find_property(read.property)));
    for (const auto& [question, letter] : read.readings) readings.choose(question, letter);
    Differences differences;
    compare(read, readings, differences);
    result.settle(differences.text(), row.contains("open") ? member(row, "open") : "");
    if (runner != nullptr) runner->run(read, result);
  } catch (const RowError& error) {
    result.verdict = RowVerdict::malformed;
    result.detail = error.message;
  }
}

RowRunner::RowRunner(Device& device)
    : device_(device),
      arch_([&] {
        const auto arch = spec::parse_arch(device.identity().architecture);
        if (!arch)
          throw std::runtime_error("vectors cannot be judged on " + device.identity().architecture +
                                   ": no rules are known for it");
        return *arch;
      }()),
      readings_(arch_),
      runner_(device, readings_, arch_) {}

std::optional<std::string> RowRunner::why_not(const RowCase& row, const suites::Property& property) const {
  if (!row.on[static_cast<size_t>(arch_)]) return "the row is for other architectures";
  if (!row.readings.empty()) return "the row is of other readings";
  if (const auto why = device_.declines(property.family().name())) return why;
  if (property.declines != nullptr)
    if (const auto why = property.declines(arch_)) return why;
  suites::Scratch scratch;
  suites::Expected expected;
  property.family().predict(row.what, spec::Readings(arch_), scratch, expected);
  if (expected.end == model::End::undefined)
    return "no document defines its result on " + std::string(spec::name(arch_));
  return std::nullopt;
}

void RowRunner::run(const RowCase& row, RowResult& result) {
  if (result.verdict == RowVerdict::fail) return;
  const suites::Property& property = *suites::find_property(row.property);
  if (const auto why = why_not(row, property)) {
    result.left_out = *why;
    return;
  }
  result.ran = true;
  Differences differences;
  compare(row, spec::Readings(arch_), differences);
  std::string wrong = differences.text();
  if (wrong.empty()) {
    const suites::Outcome outcome = runner_.run(property, {&row.what, 1}).front();
    if (outcome.verdict == report::Verdict::conforms) return;
    wrong = std::string(report::name(outcome.verdict)) + ": " +
            suites::to_row(property, outcome, {device_.identity().spec, 0, 0, {}, {}}).message;
  }
  result.verdict = RowVerdict::fail;
  result.detail = device_.identity().spec + " " + wrong;
}

}  // namespace assay::vectors
