// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check/timeline.h"

namespace assay::cli::check {

/// A row of the emulator's clause table, or a way in which a kernel or a call fails.
struct Clause {
  std::string id, sentence, source, section;
  bool is_warning = false;  ///< what breaks it is legal, and likely wrong
};

/// Where a finding is.
struct Place {
  std::string kernel;        ///< demangled; of a call that failed, its name
  uint32_t line = 0;         ///< in the PTX, 0: none
  std::string text;          ///< the line of PTX
  std::string file;          ///< of the source, where the compiler left it (nvcc -lineinfo)
  uint32_t source_line = 0;  ///< 0: none
  std::string inlined_file;  ///< of code that was inlined there: where it stands
  uint32_t inlined_line = 0;
  std::vector<Place> called_from;  ///< of inlined code: files and lines of the calls, the innermost first
  std::string thread;              ///< of the first time: "cta (0,0,0) thread 5"
  uint64_t count = 0;              ///< times
  /// Of a race or a warning: what happened. Of the other end: what it is.
  std::string what;
  std::string why;  ///< which waits or arrivals did not do what they were for
  std::vector<Place> other;
};

/// One clause in one kernel: what a terminal shows as one item. Many places are often one mistake.
struct Finding {
  std::string clause;
  std::string sentence;       ///< of the clause
  std::string message;        ///< of a failure: what happened
  std::vector<Place> places;  ///< in order of lines, at least one
  bool is_suppressed = false;
  bool is_warning = false;
  bool says_itself = false;  ///< its places say what happened: a race that no clause explains, a warning
  std::string schedule;      ///< under which completion order it was first seen, if several were run
  uint64_t count() const;
};

/// What assay cannot do and the program asked for.
struct Unsupported {
  std::string call;  ///< or kernel
  std::string sentence;
  uint32_t line = 0;
  std::string text;
  bool operator==(const Unsupported&) const = default;
};

/// What the orders of launches of a kernel came to (--explore).
struct Explored {
  std::string kernel;
  uint64_t launch = 0;              ///< the first, or the one of which most is to be said
  uint64_t orders = 0, others = 0;  ///< that were run, and left other bytes than the first
  std::string why_not_all, other_bytes, other_schedule;
  uint64_t result = 0;  ///< of what the first order left in global memory; 0: not known
};

/// An instruction that only synchronises and was executed.
struct Synchronisation {
  std::string kernel;  ///< as the PTX names it
  Place place;
};

/// What the report of the emulated driver (devices/emulator/driver/extra.h) says.
struct Findings {
  std::vector<Finding> findings;
  std::vector<Unsupported> unsupported;
  std::vector<Synchronisation> synchronisations;  ///< of launches that were explored
  std::vector<Explored> explored;                 ///< launches, in their order
  std::vector<Timeline> timelines;                ///< of launches with findings, the first of each kernel
  std::vector<std::string> asked;  ///< entry points that the program looked for and did not find
  bool has_begun = false;          ///< the driver was initialised at all
  uint64_t launches_ended = 0;     ///< of processes that came to their end
  uint64_t launches_seen = 0;      ///< of one that may not have, at least; of several runs the most
  std::string large_launch;        ///< kernel of a launch that is too long to run again, or empty
  std::string large_instructions;  ///< thread instructions of that
  uint64_t launches() const { return launches_ended > launches_seen ? launches_ended : launches_seen; }
};

/// Reads the lines of a report; what is none is passed over. `clauses`: of this emulator. Adds to what is
/// there: of a clause and place that are known, the larger count stays.
void add_report(Findings& findings, std::string_view lines, const std::vector<Clause>& clauses,
                const std::string& schedule);

/// "void gemm<float, 128>(float*)" as "gemm<float, 128>", cut to what a line of a terminal has room for.
std::string short_name(const std::string& kernel);

/// Folder with the libraries that are put in the place of the CUDA driver and runtime. Throws DeviceError
/// with one sentence if one of them is not there.
std::string emulated_libraries();

/// The clauses that the emulator's strict mode checks. Throws DeviceError.
std::vector<Clause> emulator_clauses();

/// Everything in a PTX text that a launch would be refused for, as lines of a report. Throws DeviceError.
std::string refusals_of(const std::string& ptx, const std::string& settings);

}  // namespace assay::cli::check
