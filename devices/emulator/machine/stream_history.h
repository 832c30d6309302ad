// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "devices/emulator/machine/byte_set.h"

namespace assay::emulator {

/// What the strict mode knows of the order of operations in streams (guide, Streams; Events): they are done
/// one after the other here, so that two that nothing orders never meet. Kernels are known by what they
/// write, copies and fills by what they read, too.
class StreamHistory {
 public:
  using Stream = uint64_t;
  static constexpr Stream null_stream = 0;
  /// Of each stream how many of its operations have ended.
  using Seen = std::map<Stream, uint64_t>;
  struct Operation {
    Stream stream = null_stream;
    uint64_t number = 0;  ///< in its stream, from 1
    std::string name;     ///< of the kernel, or of the call
    bool is_kernel = false;
    ByteSet reads, writes;
    bool is_beside = false;  ///< it may be in flight while the operation in progress is
  };

  /// `is_blocking`: it and the null stream wait for each other.
  void add_stream(Stream stream, bool is_blocking) {
    if (!is_blocking) has_free_ = true;
    blocking_[stream] = is_blocking;
  }
  /// Whether two operations can be in flight at once.
  bool may_overlap() const { return has_free_ || blocking_.size() > 1; }

  /// What has ended when all that the stream was given until now has, and what it waits for: the null stream
  /// for the blocking ones, they for it.
  Seen given(Stream stream) const {
    Seen seen = host_;
    for (const auto& [other, given] : streams_)
      if (other == stream || (stream == null_stream && is_blocking(other)) ||
          (other == null_stream && is_blocking(stream)))
        join(seen, given);
    return seen;
  }
  void waits(Stream stream, const Seen& what) { join(streams_[stream], what); }
  void host_waits(const Seen& what) {
    join(host_, what);
    while (!flights_.empty() && knows(host_, flights_.front())) flights_.pop_front();
  }
  void host_waits_for_all() {
    for (const auto& [stream, seen] : streams_) join(host_, seen);
    flights_.clear();
  }

  /// An operation begins; what it is made of belongs to it.
  void begin(Stream stream) {
    if (depth_++ != 0) return;
    Seen& seen = streams_[stream] = given(stream);
    for (Operation& one : flights_) one.is_beside = !knows(seen, one);
    now_ = {stream, ++seen[stream]};
  }
  void end() {
    if (--depth_ != 0 || !may_overlap() || (now_.reads.is_empty() && now_.writes.is_empty())) return;
    flights_.push_back(std::move(now_));
    if (flights_.size() > most_flights) flights_.pop_front();
  }
  void is_called(std::string name, bool is_kernel) {
    now_.name = std::move(name);
    now_.is_kernel = is_kernel;
  }
  /// What the operation accesses.
  void reads(uint64_t address, uint64_t bytes) { now_.reads.add(address, bytes); }
  void writes(const ByteSet& bytes) { now_.writes.add(bytes); }

  /// Whether another may be in flight.
  bool has_unordered() const {
    return depth_ != 0 &&
           std::any_of(flights_.begin(), flights_.end(), [](const Operation& one) { return one.is_beside; });
  }
  /// One that accesses some of the bytes and need not have ended, or null.
  const Operation* find_unordered(uint64_t address, uint64_t bytes, bool is_write) const {
    for (const Operation& one : flights_)
      if (one.is_beside &&
          (one.writes.meets(address, bytes) || (is_write && one.reads.meets(address, bytes))))
        return &one;
    return nullptr;
  }
  /// The memory changes hands.
  void forget(uint64_t address, uint64_t bytes) {
    for (Operation& one : flights_) {
      one.reads.remove(address, bytes);
      one.writes.remove(address, bytes);
    }
  }

 private:
  /// Older ones count as ended.
  static constexpr size_t most_flights = 64;
  static void join(Seen& into, const Seen& other) {
    for (const auto& [stream, number] : other) into[stream] = std::max(into[stream], number);
  }
  /// Streams that nobody made, as that of each thread, are.
  bool is_blocking(Stream stream) const {
    const auto found = blocking_.find(stream);
    return found == blocking_.end() || found->second;
  }
  static bool knows(const Seen& seen, const Operation& one) {
    const auto found = seen.find(one.stream);
    return found != seen.end() && found->second >= one.number;
  }
  Seen host_;
  std::map<Stream, Seen> streams_;  ///< of what each has been given
  std::map<Stream, bool> blocking_;
  bool has_free_ = false;
  uint32_t depth_ = 0;
  Operation now_;
  std::deque<Operation> flights_;
};

}  // namespace assay::emulator
