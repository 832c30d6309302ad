// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "suites/run/property_run.h"

namespace assay::suites {

/// Positions [begin, end) of a property's slice: what a thread runs next.
struct Work {
  PropertyRun* run = nullptr;
  uint64_t begin = 0, end = 0;
  uint64_t asked_until = 0;  ///< of a steered run: positions below were wanted, or left out
};

/// Hands out the indexes of all properties of a device: always of the property that has used least time for
/// its share of the budget, in pieces that keep the device busy for a few tens of milliseconds. Properties
/// whose cases end the device's process come last, in time kept for them (where that is most of all, after a
/// first piece of each other one), and only so many at once as the device has processes for: beside other
/// batches each death costs those, or their time. Of these, cases that open no device come first, and never
/// beside those that do. On a busy machine time may be up before a property's turn comes: what has not run at
/// all by then still gets one piece, in time of its own.
class Schedule {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  /// `sacrifices`: batches of such properties that may be in flight together. `sacrifice_piece`: cases of
  /// each, where they are not better off together; 0: the property's own number. `piece`: cases of every
  /// batch, so that two runs launch the same; 0: as time goes. `now`: what the deadline is compared with.
  /// `grace`: how much later the last property may begin. `first_alone`: nothing else is in flight with a
  /// property's first piece, so that what a device writes only when the next launch begins is missing when it
  /// is judged.
  Schedule(std::vector<PropertyRun*> runs, std::optional<Clock::time_point> deadline, int threads,
           int sacrifices, uint64_t piece = 0, Now now = Clock::now, Clock::duration grace = {},
           bool first_alone = false, uint64_t sacrifice_piece = 0);

  enum class Answer { work, later, done };
  /// `later`: nothing now, but a batch in flight must come back first.
  Answer next(Work&);
  /// A piece of work turned out to be one batch more.
  void split(const PropertyRun&);
  /// A batch of the property is back and took this long.
  void spent(PropertyRun&, uint64_t cases, double device_seconds, double host_seconds);
  void stop();
  /// Ends so much earlier, once: failures are to be looked at in the time that is left.
  void end_earlier(Clock::duration);

 private:
  void keep_time_for_sacrifices();
  /// Seconds that the cases take which time is kept for.
  double needed() const;
  /// Whether a process that a case of it ends had no device open, where others' have.
  bool is_of_calls(const PropertyRun&) const;
  /// So many cases of it are kept time for.
  uint64_t kept(const PropertyRun&) const;
  uint64_t piece(const PropertyRun&) const;
  PropertyRun* neediest(bool sacrificial) const;
  bool needs_more(const PropertyRun& run, const PropertyRun& than) const;
  PropertyRun* left_out() const;
  static bool is_first(const PropertyRun&);
  Answer give_sacrifice(PropertyRun&, Work&);
  Answer give(PropertyRun&, Work&);

  std::mutex mutex_;
  std::vector<PropertyRun*> runs_;
  std::optional<Clock::time_point> deadline_;
  Now now_;
  Clock::duration grace_;
  Clock::time_point sacrifice_from_, halfway_;
  uint64_t kept_cases_ = first_dozen;  ///< of each property whose cases end a process, for which time is kept
  uint64_t times_of_calls_ = 10;       ///< so many times as many of a property whose cases open no device
  int threads_, most_sacrifices_;
  uint64_t fixed_piece_, sacrifice_piece_;
  double dearest_ = 0;  ///< PropertyRun::sacrifice_seconds of all, the most
  int in_flight_ = 0, sacrifices_in_flight_ = 0;
  bool are_calls_in_flight_ = false;
  const bool first_alone_;
  bool is_first_in_flight_ = false;
  bool stopped_ = false, ends_earlier_ = false;
};

}  // namespace assay::suites
