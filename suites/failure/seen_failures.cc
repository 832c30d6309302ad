// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/seen_failures.h"

#include "reports/words.h"
#include "suites/failure/failure.h"

namespace assay::suites {

std::vector<std::string> failure_lines(DeviceRun& run, uint64_t seed) {
  constexpr size_t most = 20;
  std::vector<std::string> lines;
  size_t found = 0;
  const std::string& spec = run.device().identity().spec;
  for (const auto& [signature, kind] : run.failures()) {
    if (!report::fails(kind.first.verdict)) continue;
    for (const auto& property_run : run.properties()) {
      const Property& property = property_run->property();
      if (!signature.starts_with(std::string(property.name) + "|") || ++found > most) continue;
      const CaseOrigin origin{spec, seed, kind.first_index, {}, {}};
      lines.push_back(std::string(report::name(kind.first.verdict)) + "  " + std::string(property.name) +
                      "  on " + spec);
      lines.push_back("   " + report::headline(to_row(property, kind.first, origin)));
      lines.push_back("   replay: " + replay_line(replay_id(property, origin), {}, spec, kind.first.around));
    }
  }
  if (found > most) lines.push_back("and " + std::to_string(found - most) + " more failure signatures");
  return lines;
}

}  // namespace assay::suites
