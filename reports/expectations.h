// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record.h"

namespace assay::report {

/// A failure that somebody has looked at. It covers exactly what it names, until it expires.
struct Waiver {
  std::string id;
  std::string device;          ///< pattern on the device's name, UUID, spec, architecture or evidence
  std::string driver;          ///< "*", or bounds such as ">=580.95, <590" on the kernel-mode driver
  std::string property, rule;  ///< patterns, at least one of the two; empty: any
  std::string signature;       ///< pattern on the failure's signature, as reports print it
  std::string reason, link;
  std::string expires;  ///< YYYY-MM-DD, the last day on which it holds
};

/// Reads a TOML file of [[waiver]] tables. Throws std::runtime_error with one sentence that names file, line
/// and what would be right: unknown or missing keys, an empty reason, a date that is none, an id given twice.
std::vector<Waiver> read_expectations(const std::filesystem::path& file);
std::vector<Waiver> parse_expectations(std::string_view text, const std::string& name);

bool is_for_device(const Waiver&, const DeviceInfo&);
bool is_for_property(const Waiver&, std::string_view property, const std::vector<std::string>& rules);
bool covers(const Waiver&, std::string_view property, std::string_view signature,
            const std::vector<std::string>& rules);
/// `today`: YYYY-MM-DD.
bool is_expired(const Waiver&, std::string_view today);

/// "580.159.04" against ">=580.95, <590"; parts are compared as numbers.
bool is_in_range(std::string_view version, std::string_view bounds);

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
