// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/barrier/sequence_case.h"
#include "reference/model/case_field.h"
#include "reference/model/spelling.h"

/// The members of programs of steps.
namespace assay {

template <typename Step, typename Visit>
requires std::same_as<std::remove_const_t<Step>, SequenceStep>
void visit_fields(Step& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, amount);
  ASSAY_FIELD(visit, s, apart);
  ASSAY_FIELD(visit, s, column);
  ASSAY_FIELD_AS("generic", visit, s, is_generic);
  ASSAY_FIELD(visit, s, idle_copies);
  ASSAY_FIELD(visit, s, lanes);
  ASSAY_FIELD(visit, s, op);
  ASSAY_FIELD(visit, s, spelling, .most = most_spellings - 1);
  ASSAY_FIELD(visit, s, target);
}

/// In case files a machine is its number.
constexpr uint32_t count_of(SequenceMachine) {
  return 2;
}
inline constexpr uint32_t sequence_warps[] = {4, 8, 12, 16}, sequence_clusters[] = {2, 4, 8};

/// But for the steps, of which a file has those in use, one at least.
template <typename Program, typename Visit>
requires std::same_as<std::remove_const_t<Program>, SequenceCase>
void visit_fields(Program& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, cluster_size, .values = sequence_clusters, .told = elsewhere);
  ASSAY_FIELD(visit, c, found_word, .called = "word in place of barrier 0", .shows = as_hex);
  ASSAY_FIELD(visit, c, has_bystanders, .told = elsewhere);
  ASSAY_FIELD(visit, c, is_found, .told = elsewhere);
  ASSAY_FIELD(visit, c, issuer, .most = 127, .told = elsewhere);
  ASSAY_FIELD(visit, c, machine, .told = elsewhere);
  ASSAY_FIELD(visit, c, place, .unit = "bytes", .most = SequenceCase::most_place, .multiple = 8,
              .called = "barriers at byte");
  ASSAY_FIELD(visit, c, warps, .values = sequence_warps, .told = elsewhere);
}

}  // namespace assay
