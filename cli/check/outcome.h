// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/check/child.h"
#include "cli/check/findings.h"

namespace assay::cli::check {

/// A line of a suppression file: a clause and where it is known.
struct Suppression {
  std::string clause;  ///< pattern
  std::string place;   ///< pattern on "file:line" of the source, "kernel:line" of the PTX, or the kernel
  uint32_t line;       ///< of the file
  bool is_used = false;
};

/// Reads a suppression file: a line has a clause, blanks, and a place; '#' begins a comment. Throws
/// UsageError with one sentence naming the line.
std::vector<Suppression> read_suppressions(std::string_view text, const std::string& file);

/// Takes what a file suppresses out of the findings: a finding whose places are all suppressed is marked, of
/// others only those places stay that are not.
void suppress(std::vector<Finding>& findings, std::vector<Suppression>& suppressions);

/// How a place is spelt in a suppression file, and by compilers: "gemm.cu:120", or "kernel:42" of the PTX.
std::string spelling(const Place& place);
/// Of inlined code the calls that led there: "called from gemm.cu:80, from gemm.cu:95"; else nothing.
std::string calls_of(const Place& place);

/// A run of the program under one completion order.
struct ScheduledRun {
  std::string schedule;
  ChildEnd end;
};

/// All that `assay check` found out.
struct Outcome {
  std::vector<std::string> command;
  std::string device;  ///< "emulator:sm_100a,..."
  bool is_strict = true;
  std::vector<ScheduledRun> runs;  ///< at least one
  std::string why_one;             ///< why no further schedules ran, as a clause, where they would have
  /// What follows `assay check --device D` to see this again.
  std::vector<std::string> replay;
  Findings findings;
  std::vector<Clause> clauses;
  std::vector<Suppression> suppressions;
  std::string suppression_file;
};

/// How the program ended: the first run of it that ended badly, or else the first.
const ChildEnd& end_of(const Outcome&);

/// Findings that are not suppressed, and no warnings; warnings that are not suppressed.
size_t loud_findings(const Outcome&);
size_t loud_warnings(const Outcome&);
/// "1 finding", "0 findings, 2 warnings".
std::string counted(const Outcome&);

/// Why assay could not check the program, as a sentence, or nothing.
std::string why_not_checked(const Outcome&);

/// 1 for findings, 128 + N where signal N to assay stopped the program, 2 where assay could not run it, else
/// the program's own exit code; 128 + N where signal N ended it, as shells have it.
int exit_code(const Outcome&);

/// Whether two runs ended in the same way.
bool end_alike(const ChildEnd&, const ChildEnd&);

/// "exited with 0", "was killed by signal 11 (Segmentation fault)".
std::string in_words(const ChildEnd&);

/// What a terminal shows: an item a finding, as compilers show theirs, and one line at the end.
std::string summary(const Outcome&, bool has_colour);

/// SARIF 2.1.0 (OASIS), one run: a rule a clause, a result a place.
std::string sarif(const Outcome&);

/// An HTML page: each finding with its line of the source and the state at the fault, and a drawing of the
/// barriers of the launches that have findings.
std::string html_page(const Outcome&);

/// JUnit: a test case a finding, and one for the program's own end.
std::string junit(const Outcome&);

}  // namespace assay::cli::check
