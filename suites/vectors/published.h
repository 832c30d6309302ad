// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "devices/device.h"
#include "reports/record.h"
#include "suites/vectors/check_vectors.h"

namespace assay {

/// Evidence of this label is never counted as silicon's or the emulator's.
inline constexpr std::string_view published_label = "published by others, sm_100";

/// The text of testdata/vectors/vectors_b200_published.csv: dot products of tcgen05.mma that the authors of
/// sf-tensor/tcgen05 measured on a B200 (MIT licence, commit 6f19f227).
std::string_view published_b200_vectors();

/// Where a file of results comes from, and what evidence they are.
struct PublishedFile {
  std::string_view label, source;
};

/// Each instruction of such a file with the number of results that the reference gives. A row that cannot be
/// read counts as one that the reference does not give.
std::vector<report::PublishedRow> published_rows(const VectorReport&);
std::vector<report::PublishedRow> published_rows(const VectorReport&, const PublishedFile&);

/// Whether the device has tensor memory, which what was published is about.
bool published_bears_on(const Device&);
/// What a run records that has such a device; computed once a process.
const std::vector<report::PublishedRow>& published_evidence();

}  // namespace assay
