// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::report {

/// strict: what both public schemas accept (reports/schema/). rich: for readers that know more (GitLab,
/// Jenkins, Azure): test cases have properties, output with attachments, a file and flakyFailure elements.
enum class JunitProfile { strict, rich };
/// "strict" or "rich".
std::optional<JunitProfile> parse_junit_profile(std::string_view);

struct JunitOptions {
  JunitProfile profile = JunitProfile::strict;
  /// Larger files are split into junit-1-of-3.xml and so on: GitLab stops at 30 MB and 500,000 cases.
  size_t most_bytes = 25'000'000;
  size_t most_cases = 60'000;
  /// 0: all test cases. Else only the first so many that fail; the suite's output says what was left out.
  size_t most_failures = 0;
};

/// Writes the file, or its parts beside it, and removes those of an earlier writing. Returns what it wrote.
/// Throws std::runtime_error with one sentence.
std::vector<std::filesystem::path> write_junit(const std::filesystem::path& db,
                                               const std::filesystem::path& xml, const JunitOptions&);

}  // namespace assay::report
