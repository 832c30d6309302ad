// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "reports/record.h"

namespace assay::report {

enum class JunitElement { none, skipped, failure, error };

/// One row a verdict; every exit code, JUnit element, severity and wording in a report is read from here.
struct VerdictRow {
  Verdict verdict;
  std::string_view name;     ///< for machines: stored, queried, in JSON and in JUnit's properties
  std::string_view shown;    ///< for people: "24 failed"
  std::string_view meaning;  ///< one clause for people
  int exit_code;             ///< of a run in which this is the worst verdict
  JunitElement element;
  std::string_view type;  ///< JUnit type attribute, empty where the element has none
  int severity;  ///< the verdict of a property, of a device and of a run is the most severe of its parts
};

// Severity: what the device did outranks what our side failed to do, so a proven violation is never reported
// as a mere rig fault. "declined", "not-assembled" and "no-demand" rank below "conforms": a property that ran
// some cases and declined others has conformed. (Architecture, section 11.)
inline constexpr std::array<VerdictRow, 15> verdicts{{
    // verdict, name, shown, meaning, exit code, JUnit element and type, severity
    {Verdict::conforms, "conforms", "passed", "every defined bit is as the default reading predicts", 0,
     JunitElement::none, "", 3},
    {Verdict::adopted_reading, "adopted-reading", "passed (other reading)",
     "passed as another listed reading predicts, in the whole run", 0, JunitElement::none, "", 4},
    {Verdict::declined, "declined", "skipped", "the device or this build cannot run it", 0,
     JunitElement::skipped, "", 0},
    {Verdict::waived, "waived", "waived", "fails exactly as a valid waiver says", 0, JunitElement::none, "",
     5},
    {Verdict::violates, "violates", "failed", "a defined bit, an end, a count or an error code differs", 1,
     JunitElement::failure, "Mismatch", 14},
    {Verdict::unexpected_pass, "unexpected-pass", "unexpectedly passed", "an expected failure did not happen",
     1, JunitElement::failure, "UnexpectedPass", 10},
    {Verdict::flaky, "flaky", "flaky", "fails in some repetitions only", 1, JunitElement::failure, "Flaky",
     9},
    {Verdict::crashed, "crashed", "crashed", "the case ended the process that owns the device", 1,
     JunitElement::error, "Crash", 13},
    {Verdict::hung, "hung", "hung", "the case ran past its time limit", 1, JunitElement::error, "Timeout",
     12},
    {Verdict::not_run, "not-run", "not run", "planned, not issued because the device was lost", 3,
     JunitElement::error, "NotRun", 7},
    {Verdict::rig_broken, "rig-broken", "error", "the suite failed, not the device: a build, file or worker",
     2, JunitElement::error, "Rig", 8},
    {Verdict::no_demand, "no-demand", "not checked", "ran, but the specification leaves the result undefined",
     0, JunitElement::none, "", 2},
    {Verdict::undecided, "undecided", "undecided", "too few cases decide an open question, or they disagree",
     1, JunitElement::failure, "Undecided", 11},
    {Verdict::incomplete, "incomplete", "incomplete", "planned, not issued: interrupted or out of time", 4,
     JunitElement::error, "Incomplete", 6},
    {Verdict::not_assembled, "not-assembled", "documented, not assembled",
     "no assembler that was asked knows its PTX version or its target", 0, JunitElement::skipped, "", 1},
}};

inline constexpr int exit_violation = 1;
inline constexpr int exit_could_not_run = 2;
inline constexpr int exit_device_lost = 3;
inline constexpr int exit_incomplete = 4;

/// The exit code of a run of which one part gives a and another b: 3, then 1, then 2, then 4, then 0.
constexpr int worse_exit(int a, int b) {
  constexpr int rank[] = {0, 3, 2, 4, 1};
  return rank[a] >= rank[b] ? a : b;
}

constexpr const VerdictRow& row(Verdict verdict) {
  return verdicts[static_cast<size_t>(verdict)];
}
constexpr std::string_view name(Verdict verdict) {
  return row(verdict).name;
}
constexpr std::string_view shown(Verdict verdict) {
  return row(verdict).shown;
}
constexpr bool fails(Verdict verdict) {
  return row(verdict).exit_code != 0;
}
constexpr Verdict worse(Verdict a, Verdict b) {
  return row(a).severity >= row(b).severity ? a : b;
}

constexpr std::optional<Verdict> parse_verdict(std::string_view text) {
  for (const VerdictRow& r : verdicts)
    if (r.name == text) return r.verdict;
  return std::nullopt;
}

/// Whether a case with this verdict was judged: the device ran it and something was demanded of it.
constexpr bool is_judged(Verdict verdict) {
  return verdict != Verdict::declined && verdict != Verdict::not_run && verdict != Verdict::rig_broken &&
         verdict != Verdict::no_demand && verdict != Verdict::incomplete && verdict != Verdict::not_assembled;
}

/// The reason of cases that were not issued since the device was lost begins so.
inline constexpr std::string_view device_lost_reason = "device lost";

/// What planned cases without a verdict are, by the reason for it.
constexpr Verdict missing_verdict(std::string_view reason) {
  return reason.starts_with(device_lost_reason) ? Verdict::not_run : Verdict::incomplete;
}

constexpr bool verdicts_are_in_order() {
  for (size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i].verdict != static_cast<Verdict>(i)) return false;
  return true;
}
static_assert(verdicts_are_in_order(), "verdicts[] has one row a verdict, in the order of the enumeration");

/// Stands in the signature of a case that demands nothing between what the device did and the rules that the
/// case breaks: "done, D as it was, where IDESC-R05 is broken".
inline constexpr std::string_view open_result_where = ", where ";

/// What the device did.
constexpr std::string_view without_rules(std::string_view open_result) {
  return open_result.substr(0, std::min(open_result.find(open_result_where), open_result.size()));
}

}  // namespace assay::report
