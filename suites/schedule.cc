#include "suites/schedule.h"

#include <algorithm>

namespace assay::suites {
namespace {

constexpr double piece_seconds = 0.04;
constexpr uint64_t first_piece = 32, smallest_piece = 8, largest_piece = 8192;

}  // namespace

uint64_t Schedule::piece(const PropertyRun& run) const {
  const uint32_t fixed = run.property().batch_cases;
  uint64_t cases = first_piece;
  if (run.seconds_per_case > 0)
    cases = static_cast<uint64_t>(
        std::clamp(piece_seconds / run.seconds_per_case, double{smallest_piece}, double{largest_piece}));
  if (fixed != 0) cases = std::min<uint64_t>(cases, fixed);
  // The last cases are shared out, so that all threads end together.
  const uint64_t left = run.limit() - run.next_index;
  const uint64_t fair = std::max<uint64_t>(smallest_piece, left / (2 * static_cast<uint64_t>(threads_)) + 1);
  return std::min({cases, left, fair});
}

std::optional<Work> Schedule::next() {
  const std::lock_guard lock(mutex_);
  if (stopped_ || (deadline_ && Clock::now() >= *deadline_)) return std::nullopt;
  PropertyRun* best = nullptr;
  for (PropertyRun* run : runs_) {
    if (run->next_index >= run->limit()) continue;
    if (best == nullptr || run->cost < best->cost) best = run;
  }
  if (best == nullptr) return std::nullopt;
  const uint64_t n = piece(*best);
  Work work{best, best->next_index, best->next_index + n};
  best->next_index = work.end;
  // Charged ahead, so that several threads do not all take the same property before its first batch is back.
  best->cost += std::max(1e-6, best->seconds_per_case * static_cast<double>(n)) / best->property().share;
  return work;
}

void Schedule::spent(PropertyRun& run, uint64_t cases, double device_seconds, double host_seconds) {
  if (cases == 0) return;
  const std::lock_guard lock(mutex_);
  const double now = std::max(device_seconds, host_seconds) / static_cast<double>(cases);
  const double before = run.seconds_per_case;
  run.seconds_per_case = before == 0 ? now : 0.7 * before + 0.3 * now;
  // What next() charged ahead was the old estimate.
  run.cost += std::max(0.0, now - before) * static_cast<double>(cases) / run.property().share;
}

void Schedule::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

}  // namespace assay::suites
