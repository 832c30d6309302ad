// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

/// `key = value` of a waiver, as its file says it.
struct WaiverEntry {
  std::string key;
  std::string value;  ///< the text between the quotes; without quotes the rest of the line up to a comment
  bool quoted = false;
  size_t line = 0;
};

/// One [[waiver]] and what belongs to it, in the order of the file, no key twice.
struct WaiverTable {
  size_t line = 0;  ///< of its header
  std::vector<WaiverEntry> entries;
};

/// Reads what files of waivers need of TOML 1.0: comments, [[waiver]] headers, bare keys, texts in quotes of
/// each of the four kinds, and values without quotes, which are not looked into. Throws std::runtime_error
/// with one sentence that names file (`name`), line and what would be right. Takes time in proportion to the
/// text.
std::vector<WaiverTable> parse_waiver_tables(std::string_view text, const std::string& name);

}  // namespace assay::report
