// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/seen_failures.h"

#include "reports/words.h"

namespace assay::suites {
namespace {

constexpr size_t most_told = 20;

}  // namespace

void SeenFailures::add(const Property& property, const Outcome& outcome, const CaseOrigin& origin) {
  if (!report::fails(outcome.verdict) || ++found_ > most_told) return;
  const report::CaseRow row = to_row(property, outcome, origin);
  lines_.push_back(std::string(report::shown(outcome.verdict)) + "  " + row.property + "  on " + row.device);
  lines_.push_back("   " + report::headline(row));
  // The file of a case that was drawn may not be there.
  lines_.push_back("   replay: " + (row.from_file ? row.replay
                                                  : replay_line(replay_id(property, origin), {}, row.device,
                                                                outcome.around)));
}

void SeenFailures::add(DeviceRun& run, uint64_t seed) {
  for (const auto& [signature, kind] : run.failures())
    for (const auto& property_run : run.properties()) {
      const Property& property = property_run->property();
      if (signature.starts_with(std::string(property.name) + "|"))
        add(property, kind.first, {run.device().identity().spec, seed, kind.first_index, {}, {}});
    }
}

std::vector<std::string> SeenFailures::lines() const {
  std::vector<std::string> all = lines_;
  if (found_ > most_told)
    all.push_back("and " + std::to_string(found_ - most_told) + " more failure signatures");
  return all;
}

}  // namespace assay::suites
