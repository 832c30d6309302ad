// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/file_formats.h"

#include <algorithm>

namespace assay::vectors {

const FileFormat* find_file_format(const std::vector<std::string>& first_line) {
  for (const FileFormat* format :
       {&descriptors_format, &wgmma_format, &numerics_format, &numerics_probes_format, &nvf4_groups_format,
        &mbarrier_format, &bulk_copy_format, &bulk_reduce_format, &raw_map_format, &sparse_dots_format,
        &sparse_fragments_format, &tensormap_replace_format, &map_faults_format})
    if (std::equal(first_line.begin(), first_line.end(), format->header.begin(), format->header.end()))
      return format;
  return nullptr;
}

const std::string& cell(const FileFormat& format, const CsvRow& row, std::string_view column) {
  const auto at = std::find(format.header.begin(), format.header.end(), column);
  return row.cells.at(static_cast<size_t>(at - format.header.begin()));
}

}  // namespace assay::vectors
