// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/machine/tmem.h"

namespace assay::emulator {

/// Cells of one lane of tensor memory.
struct CellRange {
  uint32_t cta = 0;  ///< rank in the cluster
  uint32_t lane = 0, first = 0, count = 0;
};

/// What a tcgen05.mma, cp or shift touches.
struct WorkAccess {
  IssuedWork work;
  std::vector<CellRange> reads, writes;  ///< tensor memory
  std::vector<SharedRange> shared_reads;
};

/// The strict mode's eye on the tcgen05 instructions of a cluster: which accesses of tensor memory are known
/// to be finished, and to whom (ptx, tcgen05: Memory Consistency Model). Threads count by warps: what one
/// lane waits for or fences holds for its warp.
class TensorOrder {
 public:
  using Report = std::function<void(std::string_view clause, const Issuer& issuer)>;
  /// `copies_follow`: a copy is done after the products of its thread (AMB-52).
  TensorOrder(Report report, bool copies_follow)
      : report_(std::move(report)), copies_follow_(copies_follow) {}

  void loads(const std::vector<CellRange>& cells, const Issuer& issuer);
  void stores(const std::vector<CellRange>& cells, const Issuer& issuer);
  /// tcgen05.wait of a warp.
  void waited(bool for_loads, const Issuer& issuer);
  void works(const WorkAccess& access, const Issuer& issuer);
  /// A commit of this thread: the number by which its arrival is told later.
  uint64_t commits(uint32_t barrier, const Issuer& issuer);
  void arrived(uint64_t commit);
  /// A wait on the mbarrier has succeeded.
  void barrier_waited(uint32_t barrier);
  void fence_before(const Issuer& issuer);
  void fence_after(const Issuer& issuer);
  /// Columns are freed: what was done to them is finished, and forgotten.
  void frees(uint32_t cta, uint32_t first, uint32_t count, const Issuer& issuer);
  /// A register of a tcgen05.ld is used before the wait.
  void uses_register(const Issuer& issuer) { report_("missing-load-wait", issuer); }
  /// Shared memory is written, by whichever proxy.
  void writes_shared(uint32_t address, uint32_t bytes, const Issuer& issuer);

 private:
  enum class Kind : uint8_t { load, store, work };
  using Warp = std::pair<uint32_t, uint32_t>;  ///< CTA, warp of it
  struct Access {
    Kind kind;
    Issuer issuer;
    uint64_t finished = 0;  ///< when that was waited for; 0: not yet
    uint64_t released = 0;  ///< when other threads could be told
    IssuedWork work;
  };
  struct Cell {
    uint32_t writer = 0, reader = 0;  ///< numbers of accesses, 0: none
  };
  struct Commit {
    uint64_t number;
    uint32_t barrier;
    bool has_arrived = false;
    std::vector<uint32_t> accesses;
  };
  static Warp warp_of(const Issuer& issuer) { return {issuer.cta_rank, issuer.thread / 32}; }
  uint32_t add(Kind kind, const Issuer& issuer);
  std::vector<Cell>& cells(uint32_t cta);
  std::string_view unfinished_clause(uint32_t access) const;
  /// Whether the first of two works of a thread is done before the second, whatever lies between them.
  bool is_done_first(const IssuedWork& first, const IssuedWork& second) const;
  /// The same of two accesses, by way of works between them too: cp, mma, cp.
  bool is_in_order(uint32_t earlier, uint32_t now) const;
  /// Compares the new access with an earlier one of the same cell.
  void check(uint32_t earlier, uint32_t now);
  void touch(const std::vector<CellRange>& ranges, uint32_t access, bool writes);

  Report report_;
  bool copies_follow_;
  uint64_t now_ = 0, last_commit_ = 0;
  std::vector<Access> accesses_{Access{}};                   ///< number 0 is none
  std::map<uint32_t, std::vector<Cell>> cells_;              ///< per CTA
  std::map<uint32_t, std::vector<uint32_t>> shared_reader_;  ///< per CTA and 16 bytes: work
  std::map<Warp, std::vector<uint32_t>> unwaited_loads_, unwaited_stores_, unreleased_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> unwaited_work_;  ///< by threads
  std::map<Warp, uint64_t> after_;
  std::vector<Commit> commits_;
};

}  // namespace assay::emulator
