// SPDX-License-Identifier: Apache-2.0
#include "reports/seen_rate.h"

#include <cmath>
#include <cstdio>

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
  if (one_in == 0) return "would have caught no defect";
  if (one_in == 1) return "would have caught only a defect of every case (95 % confidence)";
  return "would have caught a 1-in-" + grouped(one_in, ",") + " defect (95 % confidence)";
}

std::string seen_line(const DeviceResult& device) {
  uint64_t asked = 0, enough = 0;
  for (const PropertyResult& property : device.properties) {
    const uint64_t cases = telling_cases(property);
    if (cases == 0) continue;  // its verdict says why
    ++asked;
    enough += cases >= cases_to_see(night_rate);
  }
  if (asked == 0) return {};
  const std::string who = enough == 0 ? "No property"
                          : enough == asked
                              ? "Every property"
                              : grouped(enough, ",") + " of " + grouped(asked, ",") + " properties";
  return who + " ran enough cases to catch a 1-in-" + grouped(night_rate, ",") +
         " defect at 95 % confidence (" + grouped(cases_to_see(night_rate), ",") + " needed).";
}

Absence absence(uint64_t failed, uint64_t of, uint64_t now, bool same_cases) {
  if (same_cases) return {true, {}};
  const std::string seen = "not seen in " + grouped(now, ",") + (now == 1 ? " case" : " cases");
  if (failed == 0 || of == 0) return {false, seen};
  const double expected = static_cast<double>(failed) / static_cast<double>(of) * static_cast<double>(now);
  // Of independent cases none fails with probability e^-expected.
  if (std::exp(-expected) < 0.01) return {true, {}};
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", expected);
  return {false, seen + ", " + digits + " expected"};
}

}  // namespace assay::report
