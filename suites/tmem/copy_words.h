// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference/model/tmem/copy_case.h"
#include "suites/run/family.h"

namespace assay::suites {

/// "tcgen05.cp.cta_group::1.128x256b"
std::string move_words(const TmemCopyCase&, const TmemMove&);
std::vector<std::pair<std::string, std::string>> copy_fields(const TmemCopyCase&);
/// With a blank in front.
std::string copy_brief(const TmemCopyCase&);
/// Which cell is wrong first, and what stands there: a word of the matrix that went elsewhere, perhaps.
Diagnosis diagnose_copy(const TmemCopyCase&, std::span<const uint8_t> expected,
                        std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
