// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/tmem.h"

#include <algorithm>
#include <utility>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

/// What fresh cells hold, so that use of them shows.
constexpr uint32_t unwritten = 0xcbcbcbcb;

constexpr uint32_t units_of(uint32_t first, uint32_t count) {
  const uint32_t n = count / TensorMemory::unit;
  return (n == 32 ? ~0u : (1u << n) - 1) << first / TensorMemory::unit;
}

}  // namespace

TensorMemory::TensorMemory()
    : cells_(static_cast<size_t>(lanes) * columns, unwritten),
      written_(static_cast<size_t>(lanes) * columns, 0) {}

void TensorMemory::allocate(uint32_t first, uint32_t count) {
  taken_ |= units_of(first, count);
  allocations_[first] = count;
  std::erase_if(accumulations,
                [&](const Accumulation& one) { return first <= one.first && one.first < first + count; });
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    std::fill_n(cells(lane) + first, count, unwritten);
    std::fill_n(written(lane) + first, count, uint8_t{0});
  }
}

bool TensorMemory::release(uint32_t first, uint32_t count, const Issuer& by) {
  const auto found = allocations_.find(first);
  if (found == allocations_.end() || found->second != count) return false;
  taken_ &= ~units_of(first, count);
  allocations_.erase(found);
  released_[first] = {count, by};
  return true;
}

const Issuer* TensorMemory::released_by(uint32_t first, uint32_t count) const {
  const auto found = released_.find(first);
  const bool is_it =
      found != released_.end() && found->second.count == count && (taken_ & units_of(first, count)) == 0;
  return is_it ? &found->second.by : nullptr;
}

std::string TensorMemory::not_allocated(uint32_t first, uint32_t count, const std::string& of) const {
  const auto range = [](uint32_t begin, uint32_t columns) {
    return std::to_string(begin) + " to " + std::to_string(begin + columns - 1);
  };
  std::string text = "columns " + range(first, count) + of + " are not all allocated";
  for (const auto& [begin, one] : released_)
    if (begin < first + count && first < begin + one.count && (taken_ & units_of(begin, one.count)) == 0)
      return text + ": thread " + std::to_string(one.by.thread) + " of the CTA freed columns " +
             range(begin, one.count) + " at line " + std::to_string(one.by.line);
  return text;
}

bool TensorMemory::is_allocated(uint32_t first, uint32_t count) const {
  if (count == 0) return true;
  if (first >= columns || count > columns - first) return false;
  const uint32_t last = first + count - 1;
  for (uint32_t i = first / unit; i <= last / unit; ++i)
    if ((taken_ >> i & 1) == 0) return false;
  return true;
}

std::vector<uint32_t> free_columns(uint32_t taken, uint32_t count, uint32_t among) {
  std::vector<uint32_t> found;
  for (uint32_t first = 0; first + count <= among; first += TensorMemory::unit)
    if ((taken & units_of(first, count)) == 0) found.push_back(first);
  return found;
}

namespace {

constexpr uint32_t noted_bytes = 16;

}  // namespace

uint32_t TensorOrder::add(Kind kind, const Issuer& issuer) {
  if (accesses_.size() == most_accesses) accesses_.pop_front(), ++first_;
  accesses_.push_back({kind, issuer, 0, 0, {}});
  return first_ + static_cast<uint32_t>(accesses_.size() - 1);
}

void TensorOrder::keep(std::vector<uint32_t>& list, uint32_t access) {
  if (list.size() >= most_accesses) std::erase_if(list, [&](uint32_t one) { return find(one) == nullptr; });
  list.push_back(access);
}

std::vector<TensorOrder::Cell>& TensorOrder::cells(uint32_t cta) {
  std::vector<Cell>& found = cells_[cta];
  if (found.empty()) found.resize(size_t{TensorMemory::lanes} * TensorMemory::columns);
  return found;
}

std::string_view TensorOrder::unfinished_clause(uint32_t access) const {
  const Kind kind = find(access)->kind;
  return kind == Kind::load    ? "missing-load-wait"
         : kind == Kind::store ? "missing-store-wait"
                               : "missing-mma-wait";
}

void TensorOrder::report(std::string_view clause, uint32_t access, const Issuer& issuer) {
  const Access& first = *find(access);
  const auto commit = std::find_if(commits_.begin(), commits_.end(), [&](const Commit& one) {
    return std::find(one.accesses.begin(), one.accesses.end(), access) != one.accesses.end();
  });
  report_(clause, issuer, &first.issuer,
          first.kind == Kind::load    ? "tcgen05.ld"
          : first.kind == Kind::store ? "tcgen05.st"
                                      : "tcgen05.mma, cp or shift",
          commit == commits_.end() ? nullptr : &commit->sent);
}

bool TensorOrder::is_done_first(const IssuedWork& first, const IssuedWork& second) const {
  return first.is_pipelined_with(second) || (copies_follow_ && first.is_followed_by_copy(second));
}

bool TensorOrder::is_in_order(uint32_t earlier, uint32_t now) const {
  const Access &first = *find(earlier), &second = *find(now);
  if (first.kind != Kind::work || second.kind != Kind::work ||
      first.issuer.cta_rank != second.issuer.cta_rank || first.issuer.thread != second.issuer.thread)
    return false;
  if (is_done_first(first.work, second.work)) return true;
  const auto issued = unwaited_work_.find({first.issuer.cta_rank, first.issuer.thread});
  if (issued == unwaited_work_.end()) return false;
  // Of works that come behind the first, one of each kind: others of the kind are followed by the same.
  std::vector<const IssuedWork*> behind{&first.work};
  for (const uint32_t between : issued->second) {
    if (between <= earlier || between >= now || find(between) == nullptr) continue;
    const IssuedWork& work = find(between)->work;
    const auto is_before = [&](const IssuedWork* one) { return is_done_first(*one, work); };
    if (std::none_of(behind.begin(), behind.end(), is_before)) continue;
    if (is_done_first(work, second.work)) return true;
    const auto is_alike = [&](const IssuedWork* one) { return one->is_followed_as(work); };
    if (std::none_of(behind.begin(), behind.end(), is_alike)) behind.push_back(&work);
  }
  return false;
}

void TensorOrder::check(uint32_t earlier, uint32_t now) {
  if (find(earlier) == nullptr) return;
  const Access &first = *find(earlier), &second = *find(now);
  if (is_in_order(earlier, now)) return;
  if (first.finished == 0) return report_unfinished(earlier, second.issuer);
  if (first.kind != Kind::work && warp_of(first.issuer) == warp_of(second.issuer)) return;
  if (first.released == 0)
    return report(first.was_fenced_early ? unfinished_clause(earlier) : "missing-before-fence", earlier,
                  second.issuer);
  if (after_[warp_of(second.issuer)] <= first.released)
    return report("missing-after-fence", earlier, second.issuer);
  check_known(first, second.issuer, second.kind != Kind::load);
}

void TensorOrder::check_known(const Access& first, const Issuer& second, bool second_writes) {
  if (races->is_known_to_warp(first.moment, second)) return;
  const bool is_work = first.kind == Kind::work;
  report_race_({{first.issuer, first.kind != Kind::load, is_work},
                {second, second_writes, false},
                is_work ? race::Lack::completion : race::Lack::order,
                0,
                false,
                races->order.of(second).knows.cause(
                    [&](const race::Knowledge& knows) { return knows.seen.knows(first.moment); })});
}

void TensorOrder::touch(const std::vector<CellRange>& ranges, uint32_t access, bool writes) {
  uint32_t last_writer = 0, last_reader = 0;
  for (const CellRange& range : ranges) {
    if (range.lane >= TensorMemory::lanes || range.first + range.count > TensorMemory::columns) continue;
    Cell* cell = cells(range.cta).data() + size_t{range.lane} * TensorMemory::columns + range.first;
    for (uint32_t i = 0; i < range.count; ++i, ++cell) {
      // Neighbours mostly share their history.
      if (cell->writer != 0 && cell->writer != access && cell->writer != last_writer)
        check(last_writer = cell->writer, access);
      if (writes && cell->reader != 0 && cell->reader != access && cell->reader != last_reader)
        check(last_reader = cell->reader, access);
      if (writes)
        *cell = {access, 0};
      else
        cell->reader = access;
    }
  }
}

void TensorOrder::loads(const std::vector<CellRange>& cells, const Issuer& issuer) {
  const uint32_t access = add(Kind::load, issuer);
  touch(cells, access, false);
  keep(unwaited_loads_[warp_of(issuer)], access);
}

void TensorOrder::stores(const std::vector<CellRange>& cells, const Issuer& issuer) {
  const uint32_t access = add(Kind::store, issuer);
  touch(cells, access, true);
  keep(unwaited_stores_[warp_of(issuer)], access);
}

void TensorOrder::waited(bool for_loads, const Issuer& issuer) {
  std::vector<uint32_t>& unwaited = (for_loads ? unwaited_loads_ : unwaited_stores_)[warp_of(issuer)];
  std::vector<uint32_t>& unreleased = unreleased_[warp_of(issuer)];
  ++now_;
  for (const uint32_t access : unwaited) {
    Access* const found = find(access);
    if (found == nullptr) continue;
    found->finished = now_;
    found->moment = races->order.warp(issuer).moment(1u << issuer.thread % 32);
    keep(unreleased, access);
  }
  unwaited.clear();
}

void TensorOrder::works(const WorkAccess& access, const Issuer& issuer) {
  const uint32_t number = add(Kind::work, issuer);
  find(number)->work = access.work;
  find(number)->moment = races->works(issuer);
  touch(access.reads, number, false);
  touch(access.writes, number, true);
  for (const SharedRange& range : access.shared_reads) {
    std::vector<uint32_t>& readers = shared_reader_[range.address >> shared_rank_shift];
    if (readers.empty()) readers.resize(most_shared_bytes / noted_bytes + 1);
    const uint32_t offset = range.address & shared_offset_mask;
    for (uint32_t at = offset / noted_bytes;
         at <= (offset + range.bytes - 1) / noted_bytes && at < readers.size(); ++at)
      readers[at] = number;
  }
  keep(unwaited_work_[{issuer.cta_rank, issuer.thread}], number);
}

uint64_t TensorOrder::commits(uint32_t barrier, const Issuer& issuer) {
  std::vector<uint32_t>& unwaited = unwaited_work_[{issuer.cta_rank, issuer.thread}];
  std::erase_if(unwaited, [&](uint32_t access) { return !is_unfinished(access); });
  if (commits_.size() == most_commits) commits_.pop_front();
  race::Order::Sent sent = races->order.sent(barrier);
  sent.ahead = static_cast<uint32_t>(std::count_if(commits_.begin(), commits_.end(), [&](const Commit& one) {
    return one.barrier == barrier && !one.has_arrived;
  }));
  commits_.push_back({++last_commit_, barrier, false, unwaited, sent});
  return last_commit_;
}

void TensorOrder::arrived(uint64_t commit) {
  for (Commit& one : commits_)
    if (one.number == commit) one.has_arrived = true;
}

void TensorOrder::barrier_waited(uint32_t barrier) {
  if (commits_.empty()) return;
  ++now_;
  std::erase_if(commits_, [&](const Commit& commit) {
    if (!commit.has_arrived || commit.barrier != barrier) return false;
    // A commit does what fence::before_thread_sync does for what it tracks.
    for (const uint32_t access : commit.accesses)
      if (is_unfinished(access)) find(access)->finished = find(access)->released = now_;
    return true;
  });
}

void TensorOrder::fence_before(const Issuer& issuer) {
  ++now_;
  std::vector<uint32_t>& unreleased = unreleased_[warp_of(issuer)];
  for (const uint32_t access : unreleased)
    if (Access* const found = find(access)) found->released = now_;
  unreleased.clear();
  for (const auto* const unwaited : {&unwaited_loads_, &unwaited_stores_})
    if (const auto mine = unwaited->find(warp_of(issuer)); mine != unwaited->end())
      for (const uint32_t access : mine->second)
        if (Access* const found = find(access)) found->was_fenced_early = true;
}

void TensorOrder::fence_after(const Issuer& issuer) {
  after_[warp_of(issuer)] = ++now_;
}

void TensorOrder::frees(uint32_t cta, uint32_t first, uint32_t count, const Issuer& issuer) {
  if (!cells_.contains(cta)) return;
  uint32_t last = 0;
  for (uint32_t lane = 0; lane < TensorMemory::lanes; ++lane)
    for (uint32_t column = first; column < first + count; ++column) {
      Cell& cell = cells(cta)[size_t{lane} * TensorMemory::columns + column];
      for (const uint32_t access : {cell.writer, cell.reader}) {
        const Access* const found = access == last ? nullptr : find(access);
        if (found == nullptr) continue;
        last = access;
        if (found->finished == 0)
          report_unfinished(access, issuer);
        else if (warp_of(found->issuer) != warp_of(issuer))
          check_known(*found, issuer, true);
      }
      cell = {};
    }
}

void TensorOrder::writes_shared(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  const auto found = shared_reader_.find(address >> shared_rank_shift);
  if (found == shared_reader_.end()) return;
  const std::vector<uint32_t>& readers = found->second;
  const uint32_t offset = address & shared_offset_mask;
  for (uint32_t at = offset / noted_bytes; at <= (offset + bytes - 1) / noted_bytes && at < readers.size();
       ++at)
    if (is_unfinished(readers[at])) return report("missing-mma-wait", readers[at], issuer);
}

namespace {

bool has(const TmemTransfer& transfer, Column column) {
  return std::binary_search(transfer.columns.begin(), transfer.columns.end(), column.index);
}

bool names(const TmemTransfer& transfer, const Operand& operand) {
  if (operand.column.exists() && has(transfer, operand.column)) return true;
  return std::any_of(operand.items.begin(), operand.items.end(),
                     [&](const Operand& item) { return names(transfer, item); });
}

bool is_load(const Instruction& instruction) {
  return instruction.opcode != nullptr && instruction.opcode->base == "tcgen05" &&
         instruction.opcode->has("ld");
}

bool names(const TmemTransfer& transfer, const Instruction& instruction) {
  // A call may take registers along, and a return may bring some back.
  if (instruction.flow == Instruction::Flow::control) return true;
  if (instruction.lane_op != nullptr) {
    for (int i = 0; i < instruction.sources; ++i)
      if (has(transfer, instruction.s[i])) return true;
    return has(transfer, instruction.d) || (instruction.d2.exists() && has(transfer, instruction.d2));
  }
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [&](const Operand& operand) { return names(transfer, operand); });
}

}  // namespace

TensorMemory& tensor_memory(Cta& cta) {
  if (!cta.tensor) cta.tensor = std::make_shared<TensorMemory>();
  return *cta.tensor;
}

void settle_registers(Warp& warp, const Instruction& instruction) {
  AsyncQueue& queue = warp.cta->cluster->async;
  StrictMode* strict = warp.cta->cluster->strict.get();
  std::erase_if(warp.tmem_loads, [&](const TmemTransfer& load) {
    // The strict mode keeps loads that have brought their registers until the wait.
    if (!queue.is_pending(load.operation) && strict == nullptr) return true;
    if (!names(load, instruction)) return false;
    queue.complete(load.operation);
    // A second load into the same registers is no use of them, nor is the end of the thread.
    const bool is_use = instruction.flow != Instruction::Flow::control && !is_load(instruction);
    if (strict != nullptr && is_use)
      strict->tensor.uses_register({warp.cta->rank, warp.thread(__builtin_ctz(warp.live)), instruction.line});
    return is_use || strict == nullptr;
  });
}

void finish_transfers(Warp& warp, std::vector<TmemTransfer>& transfers, size_t count) {
  std::vector<TmemTransfer> left = std::exchange(transfers, {});
  count = std::min(count, left.size());
  for (size_t i = 0; i < count; ++i) warp.cta->cluster->async.complete(left[i].operation);
  left.erase(left.begin(), left.begin() + static_cast<ptrdiff_t>(count));
  transfers.insert(transfers.begin(), left.begin(), left.end());
}

}  // namespace assay::emulator
