// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/tensor_map.h"
#include "suites/run/case.h"
#include "suites/vectors/check_vectors.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {

/// What every element of D is, the first ones of the output.
struct KnownElement {
  uint32_t code, bits;
};
/// A row as a case of a property.
struct RowCase {
  std::string_view property;
  suites::Case what;
  std::optional<KnownElement> element = std::nullopt;  ///< where the row has it
  spec::OnArch on = spec::everywhere;                  ///< architectures that the row is about
  std::vector<uint32_t> words = {};                    ///< all of the output, where the row has them
};
/// Thrown of a row that no case holds: why, for counting.
struct NoCase {
  std::string why;
};

/// A vector file with columns of its own, beside the one of kinds.h. Known by its first line.
struct FileFormat {
  std::string_view what;  ///< "descriptors", for messages
  std::span<const std::string_view> header;
  /// Fills kind, verdict and detail of a row that has as many cells as the header. May throw RowError.
  void (*check)(const CsvRow& row, RowResult& result);
  /// For rows that a device can run: the case that does what was measured. Its prediction is that of the
  /// row, or check() says otherwise. Nothing where no probe can, or a NoCase that says why. May throw
  /// RowError.
  std::optional<RowCase> (*as_case)(const CsvRow& row) = nullptr;
};
/// Null when no format has this first line.
const FileFormat* find_file_format(const std::vector<std::string>& first_line);

/// The cell under a column of the format.
const std::string& cell(const FileFormat& format, const CsvRow& row, std::string_view column);

extern const FileFormat descriptors_format;
extern const FileFormat wgmma_format;
extern const FileFormat numerics_format;
extern const FileFormat numerics_probes_format;
extern const FileFormat nvf4_groups_format;
extern const FileFormat mbarrier_format;
extern const FileFormat bulk_copy_format;
extern const FileFormat bulk_reduce_format;
extern const FileFormat raw_map_format;
extern const FileFormat sparse_dots_format;
extern const FileFormat sparse_fragments_format;
extern const FileFormat tensormap_replace_format;
extern const FileFormat map_faults_format;

}  // namespace assay::vectors
