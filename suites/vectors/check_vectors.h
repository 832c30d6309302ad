// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "devices/device.h"
#include "reports/record.h"

namespace assay {

class Device;

/// What became of one row of a vector file.
enum class RowVerdict {
  pass,          ///< the reference gives every value of the row
  fail,          ///< it does not; the detail says which
  informative,   ///< nobody has confirmed the row (confidence unverified, not run): compared, but it gates
                 ///< nothing
  unknown_kind,  ///< a kind that the format does not name
  malformed,     ///< not readable as a row of its kind
};
std::string_view name(RowVerdict);

struct RowResult {
  int line = 0;  ///< 1-based
  std::string id, kind;
  RowVerdict verdict = RowVerdict::malformed;
  std::string detail;    ///< one sentence; empty for a plain pass
  bool ran = false;      ///< on a device
  std::string left_out;  ///< why a device was there and did not run it

  /// What the reference says otherwise, or nothing. With `open`, why nobody has confirmed the row, it gates
  /// nothing.
  void settle(std::string differences, std::string_view open = {});
};

struct VectorReport {
  std::string name;
  std::string problem;  ///< why the file as a whole could not be read, or empty
  std::vector<RowResult> rows;

  size_t count(RowVerdict) const;
  size_t ran() const;  ///< rows that a device ran
  /// Nothing contradicts the reference and nothing was unreadable.
  bool ok() const;
  /// For a terminal: every row that is not a pass with its line, one line of counts, and one for each reason
  /// why rows were not run on a device.
  std::string text() const;
};

/// Checks every row of a file against the reference: cases in JSON, one a line, or CSV whose first line tells
/// the format: parts of tensor maps and copies, descriptors, wgmma descriptors, mbarrier scripts, maps made
/// bit by bit (file_formats.h). `name` is for messages only. With a device, rows that its probes can run are
/// run on it too, and pass where it does what they say.
VectorReport check_vectors(std::string_view name, std::string_view text, Device* device = nullptr);

/// Evidence of this label is never counted as silicon's or the emulator's.
inline constexpr std::string_view published_label = "published by others, sm_100";

/// The text of testdata/vectors/vectors_b200_published.jsonl: dot products of tcgen05.mma that the authors of
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
