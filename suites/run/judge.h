// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/record.h"
#include "suites/run/property.h"
#include "suites/run/reading_set.h"

namespace assay::suites {

/// What the device did with a case.
struct Observation {
  RecordEnd end;
  std::span<const std::byte> output;
};

/// A verdict on one case, and the prediction it was measured by (the chosen reading's; valid until the
/// Judge's next case).
struct Judgement {
  report::Verdict verdict = report::Verdict::conforms;
  spec::Arch arch{};
  Expected expected;
  /// Of what fits nothing that is chosen: questions with a live reading under which anything may happen. To
  /// be judged again when the run has decided them.
  QuestionSet open;
  std::string contradiction;  ///< a reading that earlier cases excluded would fit, in words
  /// What was chosen in place of defaults, of the questions that the prediction looked at.
  Assignment judged_by;
  /// Of an adopted reading: the questions whose default does not fit the case, and the letters that do.
  Assignment follows;
};

/// Judges cases of one device, one Judge a thread. The usual case costs one prediction; while a question that
/// the prediction looked at is undecided, the rival readings are predicted too, and those that do not fit are
/// dropped.
class Judge {
 public:
  Judge(spec::Arch arch, ReadingSet& readings) : readings_(readings), view_(arch) {
    readings_.snapshot(view_);
  }

  /// `name` names the case for reports; it is asked only when needed.
  Judgement judge(const Family& family, const Case& c, const Observation& seen,
                  const std::function<std::string()>& name);

  /// The default readings: records are armed by them.
  const spec::Readings& defaults() const { return view_.defaults; }
  /// The readings that the last case was judged by.
  const spec::Readings& chosen() const { return view_.chosen; }

 private:
  bool fits(const Family&, const Case&, const Observation&, const spec::Readings&, Scratch&, Expected&) const;
  void try_rivals(const Family&, const Case&, const Observation&, QuestionSet questions,
                  const std::function<std::string()>& name);
  Assignment moved() const;
  Assignment rivals_of(const QuestionSet&) const;
  QuestionSet departs(const Assignment&) const;
  void follow_or_not(const Family&, const Case&, const Observation&, Judgement&);
  QuestionSet that_explain(const Family&, const Case&, const Observation&, QuestionSet questions);
  bool find_fitting(const Family&, const Case&, const Observation&, QuestionSet questions,
                    const std::function<std::string()>& name, Judgement&);

  ReadingSet& readings_;
  ReadingSnapshot view_;
  Scratch scratch_, rival_scratch_;
  uint64_t draws_ = 0;
};

/// True when a record's end is one that the expectation allows.
bool end_fits(const Expected& expected, const RecordEnd& end);

/// Whether the output of a case that ended so is compared: of one that may end anyhow, only if it ran.
bool compares_bytes(const Expected& expected, const RecordEnd& end);

/// What the device wrote of the bits that are defined: their hash, seeded, and how many bytes they lie in.
struct DefinedBits {
  uint64_t fingerprint = 0, bytes = 0;
};
DefinedBits defined_bits(const Family&, const Case&, const Expected&, std::span<const std::byte> output,
                         uint64_t seed);

}  // namespace assay::suites
