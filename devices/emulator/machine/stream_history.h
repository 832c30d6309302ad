// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

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
  /// Pages of memory that the host may touch: until the operation has ended it may read them, unless they are
  /// written.
  struct Guard {
    uint64_t begin, end;
    bool is_written;
  };
  struct Operation {
    Stream stream = null_stream;
    uint64_t number = 0;  ///< in its stream, from 1
    std::string name;     ///< of the kernel, or of the call
    bool is_kernel = false;
    ByteSet reads, writes;
    bool is_beside = false;      ///< it may be in flight while the operation in progress is
    bool talks_to_host = false;  ///< by strong accesses of memory that both may touch
    std::vector<Guard> guards;
  };

  /// `is_blocking`: it and the null stream wait for each other.
  void add_stream(Stream stream, bool is_blocking) {
    if (!is_blocking) has_free_ = true;
    blocking_[stream] = is_blocking;
  }
  /// Memory that the host may touch: whole pages of it, by address. What lies between counts, too.
  static constexpr uint64_t page = 4096;
  void add_host(uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    host_begin_ = std::min(host_begin_, begin);
    host_end_ = std::max(host_end_, end);
    host_pages_[begin] = end;
  }
  void remove_host(uint64_t address, uint64_t bytes) {
    forget(address, bytes);
    host_pages_.erase(host_pages_.lower_bound(address / page * page),
                      host_pages_.lower_bound(address + bytes));
  }
  bool has_host() const { return !host_pages_.empty(); }
  bool may_be_of_host(uint64_t address) const { return address >= host_begin_ && address < host_end_; }

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
    if (--depth_ != 0 || (now_.reads.is_empty() && now_.writes.is_empty())) return;
    if (has_host() && !now_.talks_to_host) guard(now_);
    flights_.push_back(std::move(now_));
    if (flights_.size() > most_flights) flights_.pop_front();
  }
  void is_called(std::string name, bool is_kernel) {
    now_.name = std::move(name);
    now_.is_kernel = is_kernel;
  }
  /// What the operation accesses.
  void reads(const ByteSet& bytes) { now_.reads.add(bytes); }
  void writes(const ByteSet& bytes) { now_.writes.add(bytes); }
  void talks_to_host() { now_.talks_to_host = true; }
  /// Those that the host has not waited for.
  template <class F>
  void each_in_flight(F f) const {
    for (const Operation& one : flights_)
      if (!knows(host_, one)) f(one);
  }

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
  bool is_of_host(uint64_t begin, uint64_t end) const {
    const auto after = host_pages_.upper_bound(begin);
    return after != host_pages_.begin() && std::prev(after)->second >= end;
  }
  void guard(Operation& one) const {
    std::map<uint64_t, bool> pages;  // whether they are written
    for (const bool is_write : {false, true})
      (is_write ? one.writes : one.reads).each_piece([&](uint64_t begin, uint64_t) {
        const uint64_t at = begin / page * page;
        if (may_be_of_host(at) && is_of_host(at, at + page)) pages[at] |= is_write;
      });
    for (const auto& [at, is_written] : pages)
      if (!one.guards.empty() && one.guards.back().end == at && one.guards.back().is_written == is_written)
        one.guards.back().end += page;
      else
        one.guards.push_back({at, at + page, is_written});
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
  std::map<uint64_t, uint64_t> host_pages_;  ///< their ends
  uint64_t host_begin_ = UINT64_MAX, host_end_ = 0;
  std::map<Stream, Seen> streams_;  ///< of what each has been given
  std::map<Stream, bool> blocking_;
  bool has_free_ = false;
  uint32_t depth_ = 0;
  Operation now_;
  std::deque<Operation> flights_;
};

}  // namespace assay::emulator
