#pragma once

#include <string>
#include <vector>

#include "suites/judge.h"

namespace assay::suites {

/// A judged case with everything a report needs, copied out of the batch.
struct Outcome {
  Case what;
  report::Verdict verdict = report::Verdict::not_run;
  RecordEnd end{};
  model::End expected_end = model::End::done;
  spec::RuleSet rules;
  bool judged_bytes = false;
  ExpectedOutput expected;  ///< empty where bytes are not judged
  std::vector<uint8_t> observed;
  std::string contradiction, note;
  std::vector<std::string> device_words;
  std::string signature;  ///< property, ends, broken rules, the part or field that differs
  std::string waiver;     ///< what covers it; the verdict is then `waived`
};

/// Copies what the judge saw. `notes` are the device's own words on the batch.
Outcome outcome_of(const Property&, const Case&, const Judgement&, const Observation&,
                   const std::vector<std::string>& notes);

/// Where a case comes from.
struct CaseOrigin {
  std::string device;  ///< spec, for the replay line
  uint64_t seed = 0, index = 0;
  std::string path;  ///< shrink path "3.0.12", or empty
  std::string file;  ///< the case came from a file, not from (seed, property, index)
};

/// "tma.tiled.load@1#57" or "...#57/3.0.12".
std::string replay_id(const Property&, const CaseOrigin&);
/// What a user types to run a case again: its id, or where that makes a line of over 120 characters, the file
/// of the case if that makes a shorter one.
std::string replay_line(const std::string& id, const std::string& file, const std::string& device);
/// Canonical JSON (sorted keys, no white space) and its XXH3-128.
std::string canonical_json(const Property&, const Case&);
std::string case_id(const Property&, const Case&);

report::CaseRow to_row(const Property&, const Outcome&, const CaseOrigin&);

}  // namespace assay::suites
