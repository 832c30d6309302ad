#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "reports/record.h"

namespace assay::report {

enum class JunitElement { none, skipped, failure, error };

/// One row a verdict; every exit code, JUnit element, severity and wording in a report is read from here.
struct VerdictRow {
  Verdict verdict;
  std::string_view name;     ///< as printed, stored and queried
  std::string_view plural;   ///< "24 cases ..."
  std::string_view meaning;  ///< one clause for people
  int exit_code;             ///< of a run in which this is the worst verdict
  JunitElement element;
  std::string_view type;  ///< JUnit type attribute, empty where the element has none
  int severity;  ///< the verdict of a property, of a device and of a run is the most severe of its parts
};

// Severity: what the device did outranks what our side failed to do, so a proven violation is never reported
// as a mere rig fault. "declined" ranks below "conforms": a property that ran some cases and declined others
// has conformed.
// clang-format off
inline constexpr std::array<VerdictRow, 11> verdicts{{
    // verdict                 name               of cases                  meaning                                              exit  JUnit                  type           severity
    {Verdict::conforms,        "conforms",        "conform",                "every defined bit as the default reading predicts",    0, JunitElement::none,    "",                1},
    {Verdict::adopted_reading, "adopted-reading", "follow another reading", "as another listed reading predicts, in the whole run", 0, JunitElement::none,    "",                2},
    {Verdict::declined,        "declined",        "declined",               "the device or this build cannot run it",               0, JunitElement::skipped, "",                0},
    {Verdict::waived,          "waived",          "waived",                 "fails exactly as a valid waiver says",                 0, JunitElement::none,    "",                3},
    {Verdict::violates,        "violates",        "violate",                "a defined bit, end, count or error code differs",      1, JunitElement::failure, "Mismatch",       10},
    {Verdict::unexpected_pass, "unexpected-pass", "passed unexpectedly",    "an expected failure did not happen",                   1, JunitElement::failure, "UnexpectedPass",  7},
    {Verdict::flaky,           "flaky",           "flaky",                  "fails in some repetitions only",                       1, JunitElement::failure, "Flaky",           6},
    {Verdict::crashed,         "crashed",         "crashed",                "the case ended the process that owns the device",      1, JunitElement::error,   "Crash",           9},
    {Verdict::hung,            "hung",            "hung",                   "the case ran past its time limit",                     1, JunitElement::error,   "Timeout",         8},
    {Verdict::not_run,         "not-run",         "not run",                "planned, never finished",                              1, JunitElement::error,   "NotRun",          4},
    {Verdict::rig_broken,      "rig-broken",      "failed on our side",     "our side failed: build, file or worker",               2, JunitElement::error,   "Rig",             5},
}};
// clang-format on

inline constexpr int exit_device_lost = 3;
inline constexpr int exit_nothing_planned = 2;

constexpr const VerdictRow& row(Verdict verdict) {
  return verdicts[static_cast<size_t>(verdict)];
}
constexpr std::string_view name(Verdict verdict) {
  return row(verdict).name;
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

/// A not-run whose reason begins so was caused by the loss of the device, and gives exit code 3.
constexpr bool is_device_lost(Verdict verdict, std::string_view reason) {
  return verdict == Verdict::not_run && reason.starts_with("device lost");
}

constexpr bool verdicts_are_in_order() {
  for (size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i].verdict != static_cast<Verdict>(i)) return false;
  return true;
}
static_assert(verdicts_are_in_order(), "verdicts[] has one row a verdict, in the order of the enumeration");

}  // namespace assay::report
