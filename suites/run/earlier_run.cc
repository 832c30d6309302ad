// SPDX-License-Identifier: Apache-2.0
#include "suites/run/earlier_run.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "reports/compare/earlier_results.h"
#include "reports/written_reports.h"
#include "suites/run/case_file.h"

namespace assay::suites {
namespace {

namespace fs = std::filesystem;

fs::path plain(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

/// `folder` is there and can be written to, or can be made.
void check_writable(const fs::path& folder) {
  std::error_code none;
  fs::path part = plain(folder);
  if (!part.has_filename()) part = part.parent_path();
  while (!fs::exists(part, none) && part.has_relative_path()) part = part.parent_path();
  if (!fs::is_directory(part, none))
    throw std::runtime_error("cannot create the folder " + folder.string() + ": " + part.string() +
                             " is not a folder");
  if (access(part.c_str(), W_OK | X_OK) != 0)
    throw std::runtime_error("cannot write to the folder " + part.string() + ": " + std::strerror(errno));
}

}  // namespace

void check_folder(const RunOptions& options) {
  check_writable(options.out);
  check_writable(options.out / "cases");
  report::refuse_foreign_reports_in(options.out, options.force);
}

void check_devices(const report::LeftBehind& left, std::span<const std::unique_ptr<Device>> devices) {
  for (const auto& device : devices) {
    const DeviceIdentity& identity = device->identity();
    const auto same =
        std::find_if(left.devices.begin(), left.devices.end(),
                     [&](const report::DeviceInfo& info) { return info.spec == identity.spec; });
    if (same == left.devices.end()) continue;  // ended before it was recorded
    if (same->uuid != identity.uuid)
      throw std::runtime_error("the run to resume had another GPU as " + identity.spec + ": " + same->uuid +
                               ", now it is " + identity.uuid);
  }
}

void record_history(report::Recorder& recorder, const report::Nights& history, const RunOptions& options) {
  if (!history.nights.empty()) recorder.set_nights(history.nights);
  for (const report::Nights::Unread& unread : history.unread)
    recorder.add_finding("", report::history_not_read, unread.words);
  for (const fs::path& place : report::absent_places(options.history))
    recorder.add_finding("", report::history_absent, place.string() + " does not exist yet");
}

void check_case_files(const RunOptions& options, std::span<const Property* const> selected) {
  for (const fs::path& file : options.case_files) {
    const Property* property = read_case_file(file).property;
    if (std::find(selected.begin(), selected.end(), property) == selected.end())
      throw std::runtime_error(
          file.string() + ": its property " + std::string(property->name) +
          " is not among those that this run selects; select it too, or leave the file out");
  }
}

fs::path make_room(RunOptions& options) {
  const auto aside = report::set_earlier_aside(options.out);
  const fs::path cases = options.out / "cases";
  std::error_code problem;
  fs::create_directories(cases, problem);
  if (problem)
    throw std::runtime_error("cannot create the folder " + cases.string() + ": " + problem.message());
  if (!aside) return {};
  const auto follow = [&](fs::path& file) {
    if (file.empty()) return;
    const fs::path moved = *aside / plain(file).lexically_relative(plain(options.out));
    if (!fs::exists(file) && fs::exists(moved)) file = moved;
  };
  for (fs::path& file : options.case_files) follow(file);
  follow(options.baseline);
  return *aside;
}

}  // namespace assay::suites
