// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/results.h"
#include "suites/run/judge.h"
#include "suites/run/places.h"
#include "suites/vectors/check_vectors.h"

namespace assay::suites {

/// A case that a device answered.
struct AnsweredCase {
  const Family* family = nullptr;
  const Case* what = nullptr;
  Observation seen;
};

/// The letters that fit most of the cases, found from `start` on: of the changes of one letter, and where
/// none helps of two at once, the one by which most more cases fit is taken, until all fit or nothing helps.
/// A reading that allows anything is taken only where no other letter explains a case.
spec::Readings best_fit(std::span<const AnsweredCase> cases, spec::Readings start);

/// Whether the device did with the case what these readings say.
bool fits_readings(const Family&, const Case&, const Observation&, const spec::Readings&);

/// A deciding case and what the device did with it.
struct ContactCase {
  DecidingCase asked;
  std::vector<spec::QuestionIndex> questions;  ///< that it was chosen for
  RecordEnd end{};
  std::vector<std::byte> output;
};

/// What the device answers to one open question.
struct ContactAnswer {
  enum class Status {
    decided,       ///< least_support cases or more exclude each other reading, and all fit this one
    thin,          ///< fewer do, or none excludes some reading; `why` tells
    open,          ///< no case told anything; `why` tells
    contradicted,  ///< a case fits no reading
  };
  spec::QuestionIndex question = 0;
  char letter = 0;  ///< that fits, with the other questions as answered; the default where nothing told
  Status status = Status::open;
  std::string why;
  /// Cases, by position, that the device answered as this reading says and some other one does not.
  std::vector<size_t> deciding;
};

struct ContactResult {
  spec::Readings chosen;  ///< the joint assignment nearest to the defaults that fits the cases
  std::vector<ContactCase> cases;
  std::vector<ContactAnswer> answers;  ///< one a question asked, in the order of the table
  VectorReport published;              ///< words that others measured on a B200, run here too
  bool had_no_time = false;            ///< some cases were not run any more
  std::string lost;                    ///< why the device was lost, or empty
};

struct ContactOptions {
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  std::vector<spec::QuestionIndex> questions;  ///< none: all
  /// After the experiments that leave the device's process alone, and again after the others.
  std::function<void(const ContactResult&)> save;
  std::function<void(const std::string&)> progress;
};

/// Asks a device all open questions, each by the cases alone that decide it: first those that end well
/// whatever the answer is, then those that may end the device's process, one at a time. Where the answers
/// differ from the defaults the cases are chosen again by them, up to four times.
ContactResult first_contact(Device& device, const ContactOptions& options);

/// Bytes of the output of a deciding case that the file keeps for a rival, from the first one on that would
/// be another: with them the file stays below 5 MB.
inline constexpr size_t bytes_a_place = 1024;

/// The answers as a report shows them. `is_silicon`: an emulator confirms no default that it was built with.
std::vector<report::ReadingRow> reading_rows(const ContactResult&, bool is_silicon);

/// What the device did with the cases that decide its answers, a row for each question that a case
/// decides and each place that the file keeps of its output.
std::vector<report::DecidingRow> deciding_rows(const ContactResult&);

/// Counts and fingerprints of the cases of each property.
std::vector<std::pair<std::string, report::PropertyTotals>> totals_of(const ContactResult&);

/// What in a file of first contact does not follow from its raw outcomes, a sentence each: every case is
/// predicted again by the readings that the file names, and by their rivals.
std::vector<std::string> unconfirmed(const report::DeviceResult&);

/// The page for docs/evidence.
std::string evidence_page(const report::Results&, const report::DeviceResult&);

}  // namespace assay::suites
