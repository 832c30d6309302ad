#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "reference/spec/rule.h"
#include "reports/verdict.h"
#include "suites/property.h"

namespace assay::suites {

/// What one thread counts over a batch, before it is added to a PropertyRun.
struct BatchTally {
  std::array<uint64_t, report::verdicts.size()> counts{};
  std::array<uint32_t, spec::max_rules> exercised{}, violated{};
  uint64_t bytes = 0;        ///< compared
  uint64_t fingerprint = 0;  ///< sum over conforming cases, so that order plays no part
  double host_seconds = 0, device_seconds = 0;
};

/// A property on a device while a run goes on: what is planned, issued and counted. All members may be called
/// from several threads.
class PropertyRun final : public CoverageSink {
 public:
  PropertyRun(const Property& property, spec::Arch arch, uint64_t planned, uint64_t most);

  const Property& property() const { return property_; }
  uint64_t planned() const { return planned_; }
  uint64_t limit() const { return most_; }

  void add(const BatchTally&);
  void hit(int space, uint32_t cell) override;
  /// Moves one case from one verdict to another (a failure that does not repeat is flaky).
  void move(report::Verdict from, report::Verdict to);

  uint64_t judged() const;
  report::PropertyTotals totals() const;
  std::vector<report::CoverageCell> coverage() const;
  std::vector<report::RuleCount> rules() const;

  // The scheduler's part, under its lock.
  uint64_t next_index = 0;
  double cost = 0;              ///< seconds used so far, by share
  double seconds_per_case = 0;  ///< of device time, smoothed; 0 before the first batch

  std::string reason;  ///< of a property that did not run to its end
  bool complete = false;
  double seconds = 0;  ///< wall time of the run

 private:
  const Property& property_;
  const spec::Arch arch_;
  const uint64_t planned_, most_;
  mutable std::mutex mutex_;
  BatchTally sum_;
  uint64_t issued_ = 0;
  std::array<uint64_t, spec::max_rules> exercised_{}, violated_{};
  std::vector<std::unique_ptr<std::atomic<uint32_t>[]>> cells_;
};

}  // namespace assay::suites
