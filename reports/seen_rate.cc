// SPDX-License-Identifier: Apache-2.0
#include "reports/seen_rate.h"

#include <cmath>

#include "reports/text.h"

namespace assay::report {
namespace {

const double log_of_miss = std::log(0.05);

}  // namespace

uint64_t seen_one_in(uint64_t cases) {
  if (cases == 0) return 0;
  return static_cast<uint64_t>(-1 / std::expm1(log_of_miss / static_cast<double>(cases)));
}

uint64_t cases_to_see(uint64_t one_in) {
  if (one_in <= 1) return 1;
  return static_cast<uint64_t>(std::ceil(log_of_miss / std::log1p(-1 / static_cast<double>(one_in))));
}

uint64_t telling_cases(const PropertyResult& property) {
  return property.cases() - property.counts[static_cast<size_t>(Verdict::no_demand)];
}

std::string seen_words(uint64_t cases) {
  const uint64_t one_in = seen_one_in(cases);
  if (one_in == 0) return "no fault would have been seen";
  if (one_in == 1) return "a fault of every case would have been seen (95 %)";
  return "a fault of 1 case in " + grouped(one_in, ",") + " would have been seen (95 %)";
}

std::string seen_line(const DeviceResult& device) {
  uint64_t asked = 0, enough = 0, fewest = 0;
  const PropertyResult* weakest = nullptr;
  for (const PropertyResult& property : device.properties) {
    const uint64_t cases = telling_cases(property);
    if (cases == 0) continue;  // its verdict says why
    ++asked;
    enough += cases >= cases_to_see(night_rate);
    if (weakest == nullptr || cases < fewest) weakest = &property, fewest = cases;
  }
  if (weakest == nullptr) return {};
  const std::string rate = "a fault of 1 case in " + grouped(night_rate, ",");
  if (enough == asked) return rate + " would have been seen (95 %) by every property";
  const uint64_t one_in = seen_one_in(fewest);
  return rate + " would have been seen (95 %) by " + grouped(enough, ",") + " of " + grouped(asked, ",") +
         (asked == 1 ? " property" : " properties") + " (it takes " + grouped(cases_to_see(night_rate), ",") +
         " cases); " + weakest->info.name + ", with the fewest, " +
         (one_in == 1 ? "would have seen a fault of every case"
                      : "would have seen one of 1 case in " + grouped(one_in, ","));
}

}  // namespace assay::report
