// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::report {

/// Results files under the folders, at any depth; a file given itself counts too. Throws std::runtime_error
/// with one sentence when there is none.
std::vector<std::filesystem::path> find_results(const std::vector<std::filesystem::path>& places);

/// History, a line a run and device in the order of their start: verdict, cases, those of them that do not
/// conform, rate, failure signatures, those that are new and gone since the run before on the same device.
/// Below a line: what is new, what is gone, and properties that still conform but whose bits changed. Files
/// that cannot be read are named at the end.
struct Trend {
  std::string text;
  std::vector<std::filesystem::path> unread;
};
Trend trend_of(const std::vector<std::filesystem::path>& files);

/// The same as a page of its own: board by night, what failed last and why, failures and rates of each board.
std::string trend_html(const std::vector<std::filesystem::path>& files);

}  // namespace assay::report
