// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/race/order.h"
#include "devices/emulator/race/shadow.h"

namespace assay::emulator::race {

/// One of the two accesses of a race.
struct End {
  Issuer issuer;
  bool is_write = false, is_operation = false, is_wgmma = false;
};

/// What is missing between the two.
enum class Lack : uint8_t {
  order,       ///< nothing orders them
  proxy,       ///< they are ordered, but not across proxies
  completion,  ///< nobody waited for the first, an asynchronous operation, or not who tells the second
  init,        ///< of an mbarrier, to a thread that uses it
};

struct Race {
  End first, second;
  Lack lack = Lack::order;
  uint32_t address = 0;  ///< shared::cluster
};

/// What happened and the least that would order the two, with the names of the threads.
std::string in_words(const Race& race, const std::string& second_thread, const std::string& first_thread);

/// Finds races in the shared memory of a cluster: two accesses that overlap, one of them a write, that are
/// not related in causality order and not morally strong (PTX, Memory Consistency Model: Conflict and
/// Data-races). Memory is bounded: Shadow, Clock and most_operations say how.
class Races {
 public:
  using Report = std::function<void(const Race&)>;
  Races(uint32_t ctas, uint32_t threads_of_cta, Report report);

  Order order;

  /// A generic access of lanes to one place, with that order.
  void access(uint32_t address, uint32_t bytes, const Lanes& who, uint32_t line, bool is_write,
              const MemoryOrder& strong);
  void access(uint32_t address, uint32_t bytes, const Issuer& issuer, bool is_write,
              const MemoryOrder& strong) {
    access(address, bytes, lanes_of(issuer), issuer.line, is_write, strong);
  }
  /// An mbarrier operation of a thread, or of an asynchronous operation of it.
  void uses_mbarrier(uint32_t address, const Issuer& issuer);

  void issued(const AsyncOperation& operation);
  /// An operation, by its id, is about to complete on the mbarrier.
  void completes_on(uint32_t barrier, uint64_t id);
  void landed(uint64_t id) { numbers_.erase(id); }
  void groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read);
  void copies_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups);
  /// cp.async.mbarrier.arrive: the copies of the thread that are not waited for, and their arrival.
  std::vector<uint32_t> copies_of(const Issuer& issuer) const;
  void copies_arrive(uint32_t barrier, const std::vector<uint32_t>& copies);
  void wgmma_committed(const Issuer& issuer);
  void wgmma_waited(uint64_t n, const Issuer& issuer);
  /// A tcgen05.mma, cp or shift of the thread, before it is issued: when it will be done.
  Moment works(const Issuer& issuer);
  /// Whether some lane of the thread's warp knows of it, or of it by some lane: what warps do together is
  /// theirs.
  bool is_known_to_warp(const Moment& moment, const Issuer& issuer) {
    return order.warp(issuer).knows_in_some(moment);
  }
  /// tcgen05.commit of a thread: what its arrival tells.
  std::shared_ptr<const Knowledge> committed(const Issuer& issuer);

 private:
  /// Operations older than so many count as done and known.
  static constexpr size_t most_operations = 1 << 16;
  struct Operation {
    Issuer issuer;
    Moment read, written;        ///< when each was known to be done; nobody's: not yet
    std::vector<Moment> landed;  ///< when mbarriers told so
    std::shared_ptr<AsyncGroup> group;
    std::shared_ptr<const Knowledge> knowledge;  ///< when it was issued
    bool is_wgmma = false;
  };
  struct Thread {
    uint32_t cta, index;
    bool operator<(const Thread& other) const {
      return cta != other.cta ? cta < other.cta : index < other.index;
    }
  };
  struct Pending {
    std::vector<uint32_t> bulk, copies;
  };
  /// Works of tcgen05 of a thread, or wgmma of a warpgroup, in the order of issue.
  struct Agent {
    Component component = no_component;
    uint32_t issued = 0;
  };
  /// wgmma of a warp: the last of each committed group.
  struct Groups {
    uint32_t open = 0;
    std::deque<uint32_t> committed;
  };
  static Thread thread_of(const Issuer& issuer) { return {issuer.cta_rank, issuer.thread}; }
  Operation* find(uint32_t number) { return number < first_ ? nullptr : &operations_[number - first_]; }
  Agent& agent(const Thread& thread) {
    Agent& found = agents_[thread];
    if (found.component == no_component) found.component = order.add_agent();
    return found;
  }
  bool is_ordered(const Entry& entry, bool is_write, const Knowledge& knowledge, Component me, uint32_t lane);
  void report(const Entry& first, bool is_write, const End& second, Lack lack, uint32_t address);
  bool races(const Entry& other, bool other_writes, const Entry& entry, const Part& part);
  void touch(Word& word, Entry entry, bool is_write, const Part& part, uint32_t address);
  /// What an asynchronous operation lacks towards a generic write.
  std::optional<Lack> lack_of(const Entry& write, const AsyncOperation& operation,
                              const Knowledge& knowledge);
  void remember_read(Word& word, const Entry& entry, const Part& part);
  void touch_by_operation(const SharedRange& range, bool is_write, const AsyncOperation& operation,
                          uint32_t number, const Knowledge& knowledge);
  Knowledge knowledge_of(const AsyncOperation& operation);
  void wait_for(std::vector<uint32_t>& numbers, uint64_t n, const Issuer& issuer, const AsyncGroups& groups,
                bool is_read, Row row);

  Report report_;
  std::vector<Shadow> shadows_;  ///< by CTA
  std::deque<Operation> operations_;
  uint32_t first_ = 1;                              ///< number of operations_[0]
  std::unordered_map<uint64_t, uint32_t> numbers_;  ///< by AsyncOperation::id, until it has landed
  std::map<Thread, Pending> pending_;
  std::map<Thread, Agent> agents_;
  std::map<Thread, Groups> wgmma_;  ///< by the first thread of the warp
};

}  // namespace assay::emulator::race
