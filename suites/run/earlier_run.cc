#include "suites/run/earlier_run.h"

#include <algorithm>
#include <stdexcept>

#include "reports/earlier_results.h"
#include "suites/run/case_file.h"

namespace assay::suites {
namespace {

namespace fs = std::filesystem;

fs::path plain(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

}  // namespace

void check_case_files(const RunOptions& options, std::span<const Property* const> selected) {
  for (const fs::path& file : options.case_files) {
    const Property* property = read_case_file(file).property;
    if (std::find(selected.begin(), selected.end(), property) == selected.end())
      throw std::runtime_error(
          file.string() + ": its property " + std::string(property->name) +
          " is not among those that this run selects; select it too, or leave the file out");
  }
}

fs::path set_earlier_aside(RunOptions& options) {
  const auto aside = report::set_earlier_aside(options.out);
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
