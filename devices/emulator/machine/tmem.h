// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/race/races.h"

namespace assay::emulator {

/// A tensor memory address: lane in bits 31:16, column in bits 15:0 (ptx, Tensor Memory Addressing).
struct TmemAddress {
  uint32_t lane = 0, column = 0;
  static constexpr TmemAddress decode(uint32_t word) { return {word >> 16, word & 0xffff}; }
};

/// A tcgen05.mma, cp or shift that a thread has issued.
struct IssuedWork {
  enum class Kind : uint8_t { mma, copy, shift };
  Kind kind = Kind::mma;
  uint64_t operation = 0;  ///< in Cluster::async
  TmemAddress d;           ///< of an mma, as m and n
  uint32_t m = 0, n = 0;
  bool is_4x256b = false;  ///< of a copy
  bool was_committed = false;
  /// Whether `later`, of the same thread, is done after this one (ptx, tcgen05: pipelined instructions).
  bool is_pipelined_with(const IssuedWork& later) const;
  /// A copy that may write what this product still reads: no document says that it waits for it.
  bool is_followed_by_copy(const IssuedWork& later) const {
    return kind == Kind::mma && later.kind == Kind::copy;
  }
  /// Whether the same works come behind this one and `other`.
  bool is_followed_as(const IssuedWork& other) const {
    return kind == other.kind &&
           (kind != Kind::mma ||
            (d.lane == other.d.lane && d.column == other.d.column && m == other.m && n == other.n));
  }
  /// Copies and shifts of which no document says so.
  bool is_unlisted_pair(const IssuedWork& later) const {
    return kind != Kind::mma && later.kind != Kind::mma && !is_pipelined_with(later);
  }
};

/// Work that a device has not begun: copies if the last one is done first, products if copies overtake them.
struct HeldWork {
  IssuedWork work;
  AsyncOperation operation;
};

/// What the two warps of a CTA pair agree on in tcgen05.alloc with .cta_group::2.
struct PairedAllocation {
  bool is_asked = false;  ///< this CTA's warp has come, and may be waiting
  bool is_done = false;   ///< the pair has its columns; the warp may go on
  uint32_t columns = 0;
  uint32_t first = 0;  ///< is_done: the first column
};

/// The tensor memory of a CTA: 128 lanes of columns of 32 bits, handed out by columns (ptx, Tensor Memory),
/// of which a target has TargetFacts::tensor_columns.
class TensorMemory {
 public:
  static constexpr uint32_t lanes = 128, columns = 576;  ///< the most that a target has
  static constexpr uint32_t unit = 32;                   ///< columns, of an allocation

  TensorMemory();

  /// The units that are taken, a bit each.
  uint32_t taken() const { return taken_; }
  /// Takes columns that are free. What they held before is gone.
  void allocate(uint32_t first, uint32_t count);
  /// False, and nothing happens, if no allocation starts there with that many columns.
  bool release(uint32_t first, uint32_t count, const Issuer& by);
  /// Who released an allocation of that size that started there, if its columns are free still; or null.
  const Issuer* released_by(uint32_t first, uint32_t count) const;
  bool is_empty() const { return taken_ == 0; }
  /// The allocations: first column, number of columns.
  const std::map<uint32_t, uint32_t>& allocations() const { return allocations_; }
  /// True if every column of the range belongs to some allocation.
  bool is_allocated(uint32_t first, uint32_t count) const;
  /// Of columns that are not: "columns 32 to 63 are not all allocated: thread 0 of the CTA freed
  /// columns 32 to 63 at line 40".
  std::string not_allocated(uint32_t first, uint32_t count, const std::string& of) const;

  /// The cells of a lane, and for each whether something was stored there.
  uint32_t* cells(uint32_t lane) { return cells_.data() + static_cast<size_t>(lane) * columns; }
  uint8_t* written(uint32_t lane) { return written_.data() + static_cast<size_t>(lane) * columns; }

  /// A product that was added to cells of which nothing is known.
  struct Accumulation {
    uint32_t first = 0, count = 0;  ///< columns
    Issuer by;
  };
  std::vector<Accumulation> accumulations;  ///< the first of a line and column alone
  /// Whose the first in those columns was; line 0: none.
  Issuer accumulated_in(uint32_t first, uint32_t count) const {
    for (const Accumulation& one : accumulations)
      if (one.first < first + count && first < one.first + one.count) return one.by;
    return {};
  }

  bool is_relinquished = false;  ///< the CTA may not allocate any more
  uint32_t allocated_at = 0;     ///< line of the last tcgen05.alloc that got columns
  /// Whether no other CTA of the multiprocessor may allocate (cutlass, release_allocation_lock).
  bool keeps_right() const { return !is_relinquished && !is_empty(); }
  PairedAllocation pair;
  std::map<uint32_t, std::vector<IssuedWork>>
      issued;  ///< by threads of the CTA; finished ones may be among them
  std::map<uint32_t, std::vector<HeldWork>> held, held_products;  ///< by threads

 private:
  std::map<uint32_t, uint32_t> allocations_;
  struct Released {
    uint32_t count;
    Issuer by;
  };
  std::map<uint32_t, Released> released_;  ///< by first column
  uint32_t taken_ = 0;
  std::vector<uint32_t> cells_;
  std::vector<uint8_t> written_;
};

/// First columns at which `count` columns are free, given the units that are taken.
std::vector<uint32_t> free_columns(uint32_t taken, uint32_t count, uint32_t among);

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
  /// `first`: the other end, if one is known, and `what` it is.
  using Report = std::function<void(std::string_view clause, const Issuer& issuer, const Issuer* first,
                                    std::string_view what, const race::Order::Sent* sent)>;
  /// `copies_follow`: a copy is done after the products of its thread (AMB-52).
  TensorOrder(Report report, race::Races::Report report_race, bool copies_follow)
      : report_(std::move(report)), report_race_(std::move(report_race)), copies_follow_(copies_follow) {}

  race::Races* races = nullptr;  ///< of the same cluster
  /// Accesses older than so many are finished, and known to all. Commits as old have arrived unseen.
  static constexpr size_t most_accesses = 1 << 16, most_commits = 1 << 12;

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
  void uses_register(const Issuer& issuer) { report_("missing-load-wait", issuer, nullptr, {}, nullptr); }
  /// Shared memory is written, by whichever proxy.
  void writes_shared(uint32_t address, uint32_t bytes, const Issuer& issuer);
  /// Whether some work has read shared memory.
  bool reads_shared() const { return !shared_reader_.empty(); }

 private:
  enum class Kind : uint8_t { load, store, work };
  using Warp = std::pair<uint32_t, uint32_t>;  ///< CTA, warp of it
  struct Access {
    Kind kind;
    Issuer issuer;
    uint64_t finished = 0;          ///< when that was waited for; 0: not yet
    uint64_t released = 0;          ///< when other threads could be told
    bool was_fenced_early = false;  ///< by before_thread_sync, before that was waited for
    IssuedWork work;
    race::Moment moment{};  ///< when it was done: who knows of that may touch what it touched
  };
  struct Cell {
    uint32_t writer = 0, reader = 0;  ///< numbers of accesses, 0: none
  };
  struct Commit {
    uint64_t number;
    uint32_t barrier;
    bool has_arrived = false;
    std::vector<uint32_t> accesses;
    race::Order::Sent sent{};
  };
  bool is_unfinished(uint32_t number) const {
    const Access* const found = find(number);
    return found != nullptr && found->finished == 0;
  }
  static Warp warp_of(const Issuer& issuer) { return {issuer.cta_rank, issuer.thread / 32}; }
  uint32_t add(Kind kind, const Issuer& issuer);
  /// Adds to a list that a wait or a fence empties. Where none comes, what is forgotten leaves it.
  void keep(std::vector<uint32_t>& list, uint32_t access);
  std::vector<Cell>& cells(uint32_t cta);
  std::string_view unfinished_clause(uint32_t access) const;
  void report_unfinished(uint32_t access, const Issuer& issuer) {
    report(unfinished_clause(access), access, issuer);
  }
  void report(std::string_view clause, uint32_t access, const Issuer& issuer);
  /// Whether the first of two works of a thread is done before the second, whatever lies between them.
  bool is_done_first(const IssuedWork& first, const IssuedWork& second) const;
  /// The same of two accesses, by way of works between them too: cp, mma, cp.
  bool is_in_order(uint32_t earlier, uint32_t now) const;
  /// Compares the new access with an earlier one of the same cell.
  void check(uint32_t earlier, uint32_t now);
  /// A finished access and a thread that its warp has told nothing of it.
  void check_known(const Access& first, const Issuer& second, bool second_writes);
  void touch(const std::vector<CellRange>& ranges, uint32_t access, bool writes);

  Report report_;
  race::Races::Report report_race_;
  bool copies_follow_;
  uint64_t now_ = 0, last_commit_ = 0;
  /// Null: none, or one that is forgotten.
  Access* find(uint32_t number) {
    return number < first_ || number - first_ >= accesses_.size() ? nullptr : &accesses_[number - first_];
  }
  const Access* find(uint32_t number) const { return const_cast<TensorOrder*>(this)->find(number); }
  std::deque<Access> accesses_;
  uint32_t first_ = 1;                                       ///< number of accesses_[0]; 0 is none
  std::map<uint32_t, std::vector<Cell>> cells_;              ///< per CTA
  std::map<uint32_t, std::vector<uint32_t>> shared_reader_;  ///< per CTA and 16 bytes: work
  std::map<Warp, std::vector<uint32_t>> unwaited_loads_, unwaited_stores_, unreleased_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> unwaited_work_;  ///< by threads
  std::map<Warp, uint64_t> after_;
  std::deque<Commit> commits_;
};

/// Whether an operand is an address in tensor memory: a 32-bit register, with an offset if any, in brackets.
/// (ptxas) Neither a number nor a 64-bit register is one.
inline bool is_tensor_address(const Operand& operand) {
  return operand.kind == Operand::Kind::address && operand.items.empty() && operand.bits == 32;
}

/// The tensor memory of a CTA; made when first asked for.
TensorMemory& tensor_memory(Cta& cta);

/// Makes registers that a tcgen05.ld still has to bring arrive before an instruction that names them: true
/// register dependencies hold without a wait (ptx, tcgen05 memory consistency model: register dependencies).
void settle_registers(Warp& warp, const Instruction& instruction);

/// Does what the warp's transfers of one direction still have to do.
void finish_transfers(Warp& warp, std::vector<TmemTransfer>& transfers, size_t count = SIZE_MAX);

}  // namespace assay::emulator
