#include "suites/property_run.h"

#include <cstdio>

namespace assay::suites {

PropertyRun::PropertyRun(const Property& property, spec::Arch arch, uint64_t planned, uint64_t most)
    : property_(property), arch_(arch), planned_(planned), most_(most) {
  for (const CellSpace& space : property.spaces)
    cells_.push_back(std::make_unique<std::atomic<uint32_t>[]>(space.count));
}

void PropertyRun::add(const BatchTally& tally) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < tally.counts.size(); ++i) {
    sum_.counts[i] += tally.counts[i];
    issued_ += tally.counts[i];
  }
  for (size_t i = 0; i < tally.exercised.size(); ++i) {
    exercised_[i] += tally.exercised[i];
    violated_[i] += tally.violated[i];
  }
  sum_.bytes += tally.bytes;
  sum_.fingerprint += tally.fingerprint;
  sum_.host_seconds += tally.host_seconds;
  sum_.device_seconds += tally.device_seconds;
}

void PropertyRun::hit(int space, uint32_t cell) {
  const auto index = static_cast<size_t>(space);
  if (cell < property_.spaces[index].count) cells_[index][cell].fetch_add(1, std::memory_order_relaxed);
}

void PropertyRun::move(report::Verdict from, report::Verdict to) {
  const std::lock_guard lock(mutex_);
  uint64_t& source = sum_.counts[static_cast<size_t>(from)];
  if (source == 0) return;
  --source;
  ++sum_.counts[static_cast<size_t>(to)];
}

uint64_t PropertyRun::judged() const {
  const std::lock_guard lock(mutex_);
  return issued_ - sum_.counts[static_cast<size_t>(report::Verdict::not_run)];
}

report::PropertyTotals PropertyRun::totals() const {
  const std::lock_guard lock(mutex_);
  report::PropertyTotals totals;
  totals.planned = planned_;
  totals.issued = issued_;
  for (const report::VerdictRow& row : report::verdicts)
    if (const uint64_t n = sum_.counts[static_cast<size_t>(row.verdict)])
      totals.counts.emplace_back(row.verdict, n);
  totals.seconds = seconds;
  totals.device_busy_seconds = sum_.device_seconds;
  totals.host_busy_seconds = sum_.host_seconds;
  totals.tile_bytes = sum_.bytes;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(sum_.fingerprint));
  totals.fingerprint = digits;
  totals.reason = reason;
  totals.complete = complete;
  return totals;
}

std::vector<report::CoverageCell> PropertyRun::coverage() const {
  std::vector<report::CoverageCell> cells;
  for (size_t s = 0; s < property_.spaces.size(); ++s) {
    const CellSpace& space = property_.spaces[s];
    std::vector<bool> reachable(space.count, false);
    for (const uint32_t cell : space.reachable(arch_)) reachable[cell] = true;
    for (uint32_t cell = 0; cell < space.count; ++cell) {
      const uint32_t count = cells_[s][cell].load(std::memory_order_relaxed);
      if (!reachable[cell] && count == 0) continue;
      cells.push_back({std::string(space.dimension), space.name(cell, arch_), count, reachable[cell]});
    }
  }
  return cells;
}

std::vector<report::RuleCount> PropertyRun::rules() const {
  const std::lock_guard lock(mutex_);
  std::vector<report::RuleCount> counts;
  const auto table = spec::rules();
  for (size_t i = 0; i < table.size() && i < exercised_.size(); ++i) {
    if (exercised_[i] == 0 && violated_[i] == 0) continue;
    const spec::Rule& rule = table[i];
    report::RuleCount count;
    count.rule = rule.id;
    count.words = rule.words;
    for (const spec::Cite& cite : rule.cites)
      if (!cite.document.empty())
        count.cite +=
            (count.cite.empty() ? "" : "; ") + std::string(cite.document) + ", " + std::string(cite.place);
    count.exercised = exercised_[i];
    count.violated = violated_[i];
    count.question = rule.question;
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace assay::suites
