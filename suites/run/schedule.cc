// SPDX-License-Identifier: Apache-2.0
#include "suites/run/schedule.h"

#include <algorithm>
#include <utility>

namespace assay::suites {
namespace {

constexpr double piece_seconds = 0.04;
constexpr double least_sacrifice = 20;  // seconds
constexpr double most_kept_for = 100;   // cases
constexpr uint64_t first_piece = 32, smallest_piece = 8, largest_piece = 8192;

}  // namespace

Schedule::Schedule(std::vector<PropertyRun*> runs, std::optional<Clock::time_point> deadline, int threads,
                   int sacrifices, uint64_t piece, Now now, Clock::duration grace, bool first_alone,
                   uint64_t sacrifice_piece)
    : runs_(std::move(runs)),
      deadline_(deadline),
      now_(std::move(now)),
      grace_(grace),
      threads_(threads),
      most_sacrifices_(std::max(1, sacrifices)),
      fixed_piece_(piece),
      sacrifice_piece_(sacrifice_piece),
      first_alone_(first_alone) {
  keep_time_for_sacrifices();
}

double Schedule::needed() const {
  double seconds = 0;
  for (const PropertyRun* run : runs_) {
    if (!run->property().is_sacrificial()) continue;
    const uint64_t until = std::min(kept(*run), run->limit());
    if (until > run->next_position)
      seconds += static_cast<double>(until - run->next_position) * run->sacrifice_seconds;
  }
  return seconds;
}

/// Their share, and in any case the time that so many cases of each take: a dozen in a minute, a hundred in
/// ten, and ten times as many where a case opens no device, which takes little, unless that leaves the others
/// less than half of the time.
void Schedule::keep_time_for_sacrifices() {
  sacrifice_from_ = halfway_ = Clock::time_point::max();
  for (const PropertyRun* run : runs_) dearest_ = std::max(dearest_, run->sacrifice_seconds);
  if (!deadline_) return;
  using Seconds = std::chrono::duration<double>;
  const double budget = Seconds(*deadline_ - now_()).count();
  halfway_ = *deadline_ - std::chrono::duration_cast<Clock::duration>(Seconds(budget / 2));
  kept_cases_ =
      static_cast<uint64_t>(std::clamp(budget / 6, static_cast<double>(first_dozen), double{most_kept_for}));
  if (needed() > budget / 2) times_of_calls_ = 1;
  double all = 0, sacrificial = 0;
  for (const PropertyRun* run : runs_) {
    all += run->property().share;
    if (run->property().is_sacrificial()) sacrificial += run->property().share;
  }
  const double share = all > 0 ? budget * sacrificial / all : 0;
  const double kept = std::max({share, needed(), std::min(least_sacrifice, budget / 5)});
  sacrifice_from_ = *deadline_ - std::chrono::duration_cast<Clock::duration>(Seconds(kept));
}

bool Schedule::is_of_calls(const PropertyRun& run) const {
  return run.sacrifice_seconds < dearest_ / 2;
}

uint64_t Schedule::kept(const PropertyRun& run) const {
  return kept_cases_ * (is_of_calls(run) ? times_of_calls_ : 1);
}

uint64_t Schedule::piece(const PropertyRun& run) const {
  const uint32_t fixed = run.property().batch_cases;
  uint64_t cases = first_piece;
  if (run.seconds_per_case > 0)
    cases = static_cast<uint64_t>(
        std::clamp(piece_seconds / run.seconds_per_case, double{smallest_piece}, double{largest_piece}));
  if (fixed_piece_ != 0) cases = fixed_piece_;
  if (run.property().is_sacrificial() && sacrifice_piece_ != 0) cases = std::min(cases, sacrifice_piece_);
  if (fixed != 0) cases = std::min<uint64_t>(cases, fixed);
  // The last cases are shared out, so that all threads end together.
  const uint64_t left = run.open_until(run.next_position) - run.next_position;
  const uint64_t fair = std::max<uint64_t>(smallest_piece, left / (2 * static_cast<uint64_t>(threads_)) + 1);
  return std::min({cases, left, fair});
}

PropertyRun* Schedule::neediest(bool sacrificial) const {
  PropertyRun* best = nullptr;
  for (PropertyRun* run : runs_) {
    if (run->property().is_sacrificial() != sacrificial || run->next_position >= run->limit() ||
        run->is_given_up())
      continue;
    if (best == nullptr || needs_more(*run, *best)) best = run;
  }
  return best;
}

/// Of those whose cases are few, all come to the same number first; what opens no device comes before what
/// does, until it has what is kept for it, and then behind all.
bool Schedule::needs_more(const PropertyRun& run, const PropertyRun& than) const {
  if (run.property().is_sacrificial()) {
    const bool has_all = run.next_position >= kept(run), than_has_all = than.next_position >= kept(than);
    if (is_of_calls(run) != is_of_calls(than)) return is_of_calls(run) ? !has_all : than_has_all;
    const uint64_t a = std::min(run.next_position, kept(run)), b = std::min(than.next_position, kept(than));
    if (a != b) return a < b;
  }
  return run.cost < than.cost;
}

bool Schedule::is_first(const PropertyRun& run) {
  return run.next_position == run.next_open(0);
}

/// Of those that nothing was issued of, one that kills nothing if there is any.
PropertyRun* Schedule::left_out() const {
  PropertyRun* found = nullptr;
  for (PropertyRun* run : runs_)
    if (is_first(*run) && run->next_position < run->limit() && !run->is_given_up() &&
        (found == nullptr || !run->property().is_sacrificial()))
      found = run;
  return found;
}

Schedule::Answer Schedule::give(PropertyRun& run, Work& work) {
  if (first_alone_ && is_first(run)) {
    if (in_flight_ != 0) return Answer::later;
    is_first_in_flight_ = true;
  }
  uint64_t n = piece(run);
  if (deadline_ && now_() >= *deadline_) n = std::min(n, first_dozen);
  work = {&run, run.next_position, run.next_position + n, run.next_position};
  run.next_position = run.next_open(work.end);
  ++in_flight_;
  if (run.property().is_sacrificial()) ++sacrifices_in_flight_;
  // Charged ahead, so that several threads do not all take the same property before its first batch is back.
  run.cost += std::max(1e-6, run.seconds_per_case * static_cast<double>(n)) / run.property().share;
  return Answer::work;
}

Schedule::Answer Schedule::next(Work& work) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = now_();
  if (stopped_) return Answer::done;
  if (is_first_in_flight_) return Answer::later;
  if (deadline_ && now >= *deadline_) {
    PropertyRun* const late = now < *deadline_ + grace_ ? left_out() : nullptr;
    if (late == nullptr) return Answer::done;
    return late->property().is_sacrificial() ? give_sacrifice(*late, work) : give(*late, work);
  }
  PropertyRun* const ordinary = neediest(false);
  PropertyRun* const sacrifice = neediest(true);
  if (ordinary != nullptr &&
      (sacrifice == nullptr || now < sacrifice_from_ || (is_first(*ordinary) && now < halfway_)))
    return give(*ordinary, work);
  if (sacrifice == nullptr) return Answer::done;
  return give_sacrifice(*sacrifice, work);
}

Schedule::Answer Schedule::give_sacrifice(PropertyRun& sacrifice, Work& work) {
  // Alone on the device: ordinary batches in flight would have to run again after every death.
  if (in_flight_ > sacrifices_in_flight_ || sacrifices_in_flight_ >= most_sacrifices_) return Answer::later;
  // Many processes that only call the driver beside many that open it have left one stuck in it.
  const bool is_calls = is_of_calls(sacrifice);
  if (sacrifices_in_flight_ > 0 && is_calls != are_calls_in_flight_) return Answer::later;
  are_calls_in_flight_ = is_calls;
  return give(sacrifice, work);
}

void Schedule::split(const PropertyRun& run) {
  const std::lock_guard lock(mutex_);
  ++in_flight_;
  if (run.property().is_sacrificial()) ++sacrifices_in_flight_;
}

void Schedule::spent(PropertyRun& run, uint64_t cases, double device_seconds, double host_seconds) {
  const std::lock_guard lock(mutex_);
  if (--in_flight_ == 0) is_first_in_flight_ = false;
  if (run.property().is_sacrificial()) --sacrifices_in_flight_;
  if (cases == 0) return;
  const double now = std::max(device_seconds, host_seconds) / static_cast<double>(cases);
  const double before = run.seconds_per_case;
  run.seconds_per_case = before == 0 ? now : 0.7 * before + 0.3 * now;
  // What next() charged ahead was the old estimate.
  run.cost += std::max(0.0, now - before) * static_cast<double>(cases) / run.property().share;
}

void Schedule::end_earlier(Clock::duration by) {
  const std::lock_guard lock(mutex_);
  if (!deadline_ || std::exchange(ends_earlier_, true)) return;
  *deadline_ -= by;
  if (sacrifice_from_ != Clock::time_point::max()) sacrifice_from_ -= by;
}

void Schedule::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

}  // namespace assay::suites
