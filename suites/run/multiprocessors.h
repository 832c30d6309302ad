// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "suites/failure/failure.h"

namespace assay::suites {

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
