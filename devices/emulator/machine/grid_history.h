// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "devices/emulator/machine/stream_history.h"

namespace assay::emulator {

/// What the strict mode knows of programmatic dependent launches: what kernels in front in the same stream
/// have written, if they let their dependents begin before they end (ptx, griddepcontrol). Launches run one
/// after the other here, so that a dependent that forgets to wait never sees it.
class GridHistory {
 public:
  /// A kernel that need not have ended.
  struct Flight {
    ByteSet reads, writes;
    std::string kernel;
    /// A kernel behind it that began early and ended without a griddepcontrol.wait: who waits for that one
    /// has not waited for this. Empty: there is none.
    std::string passed_by;
  };
  /// `begins_early`: launched with programmatic stream serialisation. `releases`: has a
  /// griddepcontrol.launch_dependents.
  void launch_begins(const std::string& kernel, uint64_t stream, bool begins_early, bool releases) {
    kernel_ = kernel, stream_ = stream, releases_ = releases, waits_ = false;
    if (!begins_early) flights_.erase(stream);
    now_.clear(), reads_.clear();
    streams.is_called(kernel, true);
  }
  void launch_ended() {
    std::vector<Flight>& flights = flights_[stream_];
    if (waits_) flights.clear();
    for (Flight& one : flights)
      if (one.passed_by.empty()) one.passed_by = kernel_;
    if (!now_.is_empty() || !reads_.is_empty())
      flights.push_back({std::move(reads_), std::move(now_), kernel_, {}});
    if (flights.size() > most_flights) flights.erase(flights.begin());
    if (flights.empty()) flights_.erase(stream_);
    now_.clear(), reads_.clear();
    stream_ = no_stream;
  }
  /// No kernel of any stream is running any more.
  void all_ended() { flights_.clear(); }
  /// Whether a dependent of this launch may ask what it wrote.
  bool keeps_writes() const { return releases_ || streams.may_overlap(); }
  /// Whether an access is kept: that a dependent or another stream may ask for, or the host.
  bool keeps_write(uint64_t address) const { return keeps_writes() || streams.may_be_of_host(address); }
  bool keeps_read(uint64_t address) const { return releases_ || streams.may_be_of_host(address); }
  /// What a part of the launch read and wrote, and whether a thread of it has waited.
  void add(const ByteSet& reads, const ByteSet& writes, bool waits) {
    if (releases_) now_.add(writes), reads_.add(reads);
    if (streams.may_overlap() || streams.has_host()) streams.writes(writes);
    if (streams.has_host()) streams.reads(reads);
    waits_ |= waits;
  }
  /// One that need not have ended and may write some of the bytes, or read what is written, or null.
  /// `has_waited`: who asks.
  const Flight* find_in_flight(uint64_t address, uint64_t bytes, bool has_waited, bool is_write) const {
    const auto found = flights_.find(stream_);
    if (found == flights_.end()) return nullptr;
    for (const Flight& one : found->second)
      if (!(has_waited && one.passed_by.empty()) &&
          (one.writes.meets(address, bytes) || (is_write && one.reads.meets(address, bytes))))
        return &one;
    return nullptr;
  }
  bool has_in_flight() const { return flights_.contains(stream_); }

  StreamHistory streams;

 private:
  /// Kernels further in front count as ended.
  static constexpr size_t most_flights = 16;
  static constexpr uint64_t no_stream = ~uint64_t{0};
  std::map<uint64_t, std::vector<Flight>> flights_;  ///< by stream
  ByteSet now_, reads_;  ///< of the launch in progress: what it writes, and what it reads
  std::string kernel_;
  uint64_t stream_ = no_stream;
  bool releases_ = false, waits_ = false;
};

}  // namespace assay::emulator
