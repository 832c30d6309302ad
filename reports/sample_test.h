// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "reports/record.h"

namespace assay::report {

/// A folder of its own for a test, removed afterwards.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  std::filesystem::path operator/(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// A name that would run as a script, close an element, or end a CDATA section where text is not escaped.
inline const std::string hostile =
    "<script>alert(1)</script>\"'><img src=x onerror=\"document.title='owned'\">]]>\x1b[31m";

struct SampleSize {
  int failures = 24;  ///< rows of violating cases, all of the store property on silicon
  uint64_t conforming = 100'000;
  bool hostile_names = false;  ///< adds a property, device fact, finding and case with such names
  bool finish = true;
};

/// Fills a results file with what a run on a GPU and on the emulator leaves: each verdict that a healthy and
/// a broken device give, readings, coverage with cells never hit, rules, findings.
void fill_sample(const std::filesystem::path& file, const SampleSize& = {});

RunInfo sample_run();

/// A one-property results file whose property has the given totals.
void fill_one(const std::filesystem::path& file, const PropertyTotals& totals, uint64_t planned = 0);

}  // namespace assay::report
