// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "suites/run/judge.h"

namespace assay::suites {

/// Generated cases that shared a batch with a case, itself among them: `count` indexes from `first` on, each
/// `step` after the one before. None are known where `count` is 0.
struct Neighbours {
  uint64_t seed = 0, index = 0;  ///< of the case itself
  uint64_t first = 0, count = 0, step = 1;
};

/// What a case needs beside itself to do again what it did in a run.
struct Surroundings {
  Assignment readings;  ///< that the run followed in place of defaults, of questions that the case asks
  Neighbours batch;     ///< more than one: the case is run at its place among them
  uint32_t copies = 1;  ///< of the case, side by side in one batch
};

/// A judged case with everything a report needs, copied out of the batch.
struct Outcome {
  Case what;
  spec::Arch arch{};  ///< by whose rules it was judged
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
  Surroundings around;    ///< in which it failed
  std::string waiver;     ///< what covers it; the verdict is then `waived`
  report::Blame blame;    ///< what explains it, where that was asked
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
/// What a user types to run a case again: its id with what it needs around it, or where that makes a line of
/// over 120 characters, the file of the case, which holds both, if there is one and it makes a shorter one.
std::string replay_line(const std::string& id, const std::string& file, const std::string& device,
                        const Surroundings& around = {});
/// Canonical JSON (sorted keys, no white space) and its XXH3-128.
std::string canonical_json(const Property&, const Case&);
std::string case_id(const Property&, const Case&);

report::CaseRow to_row(const Property&, const Outcome&, const CaseOrigin&);

/// Calls visit(sm) for each CTA that multiprocessors_of() lists.
template <typename Visit>
void for_multiprocessors(const RecordEnd& end, const Visit& visit) {
  size_t rank = 0;
  for (; rank < std::size(end.cluster_sms) && end.cluster_sms[rank] != RecordEnd::no_sm; ++rank)
    visit(uint32_t{end.cluster_sms[rank]});
  if (rank == 0 && end.sm != ~0u) visit(end.sm);
}

/// %smid of each CTA that ran a record, by rank; one, where no cluster ran it; none, where it is not known.
std::vector<uint32_t> multiprocessors_of(const RecordEnd&);

/// The ranks of a failing case's cluster at which the failure shows: of what several CTAs got wrong the one
/// that asked for it, of what one got wrong that one too. Where none asks for all: those that got something
/// wrong, else all. Of a case without a cluster: rank 0.
std::vector<uint32_t> ranks_to_blame(const Family&, const Outcome&);

/// "ran on SM 3", "ran on SMs 2, 3 (ranks 0 to 1)", or nothing.
std::string multiprocessor_words(const RecordEnd&);

}  // namespace assay::suites
