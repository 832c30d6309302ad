// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/race/races.h"

#include <algorithm>

namespace assay::emulator::race {
namespace {

constexpr uint32_t rank_shift = 24, offset_mask = (1u << rank_shift) - 1;
constexpr uint32_t threads_of_warpgroup = 128;
/// For widened rows.
constexpr Moment known_to_all{0, 0, 0};

/// Calls f(word index, bytes of the word) for the words of a range.
template <class F>
void for_words(uint32_t address, uint32_t bytes, F f) {
  const uint32_t offset = address & offset_mask, end = offset + bytes;
  for (uint32_t word = offset / 4; word * 4 < end; ++word) {
    const uint32_t from = std::max(offset, word * 4) - word * 4, to = std::min(end, word * 4 + 4) - word * 4;
    f(word, static_cast<uint8_t>((1u << to) - (1u << from)));
  }
}

}  // namespace

Races::Races(uint32_t ctas, uint32_t threads_of_cta, uint32_t cluster, Grid& grid, Report report)
    : order(ctas, threads_of_cta, cluster, grid.flags),
      report_(std::move(report)),
      cluster_(cluster),
      grid_(grid),
      recent_(size_t{ctas} * ((threads_of_cta + 31) / 32)),
      shadows_(ctas) {}

bool Races::is_ordered(const Entry& entry, bool is_write, const Knowledge& knowledge, Component me,
                       uint32_t lane) {
  if (entry.is_operation()) {
    const Operation* const operation = find(entry.time);
    if (operation == nullptr) return true;
    const Moment& done = is_write ? operation->written : operation->read;
    if (done.of != no_component && (done.of == me && done.lanes == lane)) return true;
    if (done.of != no_component && knowledge.seen.knows(done)) return true;
    return std::any_of(operation->landed.begin(), operation->landed.end(),
                       [&](const Moment& moment) { return knowledge.seen.knows(moment); });
  }
  Moment moment = entry.moment();
  if (moment.of == me) {
    if (orders(Row::program_order)) moment.lanes &= ~lane;
    if (is_widened(Row::program_order)) moment.lanes = 0;
    if (moment.lanes == 0 || entry.scope == Entry::collective) return true;
  }
  return knowledge.seen.knows(moment);
}

void Races::report(const Entry& first, bool is_write, const End& second, Lack lack, uint32_t address) {
  Race race{{}, second, lack, address};
  race.first.is_write = is_write;
  if (first.is_operation()) {
    race.first.is_operation = true;
    if (const Operation* const operation = find(first.time)) {
      race.first.issuer = operation->issuer;
      race.first.is_wgmma = operation->is_wgmma;
    }
    race.lack = Lack::completion;
  } else {
    Moment one = first.moment();
    // Of several lanes one that the second thread knows nothing of.
    const Clock& seen = order.of(second.issuer).knows.seen;
    const bool is_own_warp = order.warp(second.issuer).me() == first.of;
    for (uint32_t left = first.lanes; left != 0; left &= left - 1) {
      one.lanes = left & -left;
      const bool is_own = is_own_warp && one.lanes == 1u << second.issuer.thread % 32;
      if (!is_own && !seen.knows(one)) break;
    }
    race.first.issuer = {order.cta_of(first.of), order.thread_of(one), first.line};
  }
  report_(race);
}

void Races::remember_read(Word& word, const Entry& entry, const Part& part) {
  for (Entry& read : word.reads)
    if (read.time == entry.time && read.of == entry.of && read.bytes == entry.bytes &&
        read.scope == entry.scope) {
      read.lanes |= entry.lanes;
      read.line = entry.line;
      return;
    }
  Entry* place = &word.reads[entry.of % Word::most_reads];
  for (Entry& read : word.reads) {
    const bool is_covered =
        (read.bytes & ~entry.bytes) == 0 && read.scope == entry.scope &&
        (part.knows.seen.knows(read.moment()) || (read.of == entry.of && read.lanes == entry.lanes));
    if (!read.is_empty() && !is_covered) continue;
    place = &read;
    break;
  }
  *place = entry;
}

bool Races::races(const Entry& other, bool other_writes, const Entry& entry, const Part& part) {
  if (other.is_empty() || (other.bytes & entry.bytes) == 0) return false;
  if (is_ordered(other, other_writes, part.knows, entry.of, entry.lanes)) return false;
  // Lanes of one instruction.
  if (other.of == entry.of && other.line == entry.line && other.time == entry.time) return false;
  if (!other.is_strong() || !entry.is_strong()) return true;
  const bool is_mutual = (!other.is_operation() && order.cta_of(other.of) == order.cta_of(entry.of)) ||
                         (other.scope == 2 && entry.scope == 2);
  return !orders(Row::morally_strong, is_mutual);
}

void Races::touch(Word& word, Entry entry, bool is_write, bool repeats, const Part& part, uint32_t address) {
  const auto end = [&] {
    return End{{order.cta_of(entry.of), order.thread_of(entry.moment()), entry.line}, is_write, false};
  };
  const bool is_harmless = is_write && orders(Row::same_value, repeats);
  if (!is_harmless && races(word.write, true, entry, part)) {
    report(word.write, true, end(), Lack::order, address);
    word.write = {};
  }
  if (!is_write) return remember_read(word, entry, part);
  for (Entry& read : word.reads) {
    if (read.is_empty()) continue;
    if (races(read, false, entry, part)) report(read, false, end(), Lack::order, address);
    if ((read.bytes & ~entry.bytes) == 0) read = {};
  }
  // A vector is written piece by piece.
  if (word.write.of == entry.of && word.write.time == entry.time && word.write.lanes == entry.lanes)
    entry.bytes |= word.write.bytes;
  word.write = entry;
}

/// What a word remembers of an access, but its bytes.
static Entry entry_of(const WarpClock& clock, const Lanes& who, uint32_t line, const MemoryOrder& strong) {
  const uint8_t scope = strong.is_collective         ? Entry::collective
                        : !strong.is_strong          ? 0
                        : strong.scope == Scope::cta ? 1
                                                     : 2;
  return {clock.now(), who.lanes, line, clock.me(), 0, scope};
}

/// Whether the word has this read already, so that it was compared with the write before it.
inline bool has_read(const Word& word, const Entry& entry) {
  for (const Entry& read : word.reads)
    if (read.of == entry.of && read.time == entry.time && read.scope == entry.scope &&
        ((entry.lanes & ~read.lanes) | (entry.bytes & ~read.bytes)) == 0)
      return true;
  return false;
}

void Races::accesses(uint32_t begin, const LaneOffsets& offset, uint32_t bytes, const Lanes& who,
                     uint32_t line, bool is_write, const MemoryOrder& strong, uint32_t repeating) {
  const WarpClock& clock = order.warp(who.cta, who.warp);
  const Part* part = &clock.of(who.lanes & -who.lanes);
  Entry entry = entry_of(clock, who, line, strong);
  Shadow& shadow = shadows_[begin >> rank_shift];
  for (uint32_t left = who.lanes; left != 0; left &= left - 1) {
    entry.lanes = left & -left;
    if ((part->lanes & entry.lanes) == 0) part = &clock.of(entry.lanes);
    const uint32_t address = begin + static_cast<uint32_t>(offset[static_cast<size_t>(__builtin_ctz(left))]);
    for_words(address, bytes, [&](uint32_t index, uint8_t some) {
      entry.bytes = some;
      Word& word = shadow.word(index);
      if (is_write || !has_read(word, entry))
        touch(word, entry, is_write, (repeating & entry.lanes) != 0, *part,
              (address & ~offset_mask) | index * 4);
    });
  }
}

void Races::access(uint32_t address, uint32_t bytes, const Lanes& who, uint32_t line, bool is_write,
                   const MemoryOrder& strong) {
  WarpClock& clock = order.warp(who.cta, who.warp);
  const Part& part = clock.of(who.lanes & -who.lanes);
  if ((who.lanes & ~part.lanes) != 0) {
    access(address, bytes, {who.cta, who.warp, who.lanes & part.lanes}, line, is_write, strong);
    return access(address, bytes, {who.cta, who.warp, who.lanes & ~part.lanes}, line, is_write, strong);
  }
  Entry entry = entry_of(clock, who, line, strong);
  Shadow& shadow = shadows_[address >> rank_shift];
  for_words(address, bytes, [&](uint32_t index, uint8_t some) {
    entry.bytes = some;
    Word& word = shadow.word(index);
    if (!is_write && has_read(word, entry)) return;
    touch(word, entry, is_write, false, part, (address & ~offset_mask) | index * 4);
  });
}

uint32_t Races::access_number(const Lanes& who, uint32_t line, uint32_t time, uint8_t scope) {
  const Component of = order.warp(who.cta, who.warp).me();
  Recent& recent = recent_[of][line % recent_[of].size()];
  if (recent.access == 0 || recent.line != line || recent.time != time || recent.scope != scope)
    recent = {line, time, grid_.memory.add({cluster_, {who.cta, who.warp * 32, line}, time, of, scope}),
              scope};
  return recent.access;
}

void Races::global_access(uint64_t address, uint32_t bytes, const Lanes& who, uint32_t per_lane,
                          uint32_t line, bool is_write, const MemoryOrder& strong, const std::byte* values) {
  WarpClock& clock = order.warp(who.cta, who.warp);
  uint32_t time = clock.now();
  // What releases is part of the pattern: who acquires from it knows of it, too.
  if (strong.is_strong && strong.releases && is_write)
    time = std::max(time, 2u) - 1;
  else if (strong.is_strong && is_write)
    if (const Part& part = clock.of(who.lanes & -who.lanes); part.fenced && part.fenced_at != 0)
      time = part.fenced_at;
  const uint8_t scope = strong.is_strong ? static_cast<uint8_t>(strong.scope) + 1 : 0;
  const uint32_t number = access_number(who, line, time, scope);
  grid_.memory.touch(address, bytes, is_write, __builtin_ctz(who.lanes), per_lane,
                     strong.is_strong ? nullptr : values, {number, &clock, nullptr, report_});
}

void Races::global_loads(uint64_t begin, const LaneOffsets& offset, uint32_t bytes, const Lanes& who,
                         uint32_t line, const MemoryOrder& strong) {
  WarpClock& clock = order.warp(who.cta, who.warp);
  const uint8_t scope = strong.is_strong ? static_cast<uint8_t>(strong.scope) + 1 : 0;
  const GlobalShadow::Who by{access_number(who, line, clock.now(), scope), &clock, nullptr, report_};
  for (uint32_t left = who.lanes; left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    grid_.memory.load(begin + offset[static_cast<size_t>(lane)], bytes, lane, by);
  }
}

void Races::touch_globally(const AsyncOperation& operation, const Knowledge& knowledge) {
  GlobalAccess access{cluster_, operation.issuer};
  access.of = order.warp(operation.issuer).me();
  access.is_async_proxy = operation.is_async_proxy;
  access.operation = operations_.back();
  for (const bool is_write : {false, true}) {
    const std::vector<GlobalRange>& ranges = is_write ? operation.global_writes : operation.global_reads;
    if (ranges.empty()) continue;
    access.scope = is_write && operation.is_reduction ? 3 : 0;
    bool was_told = false;  // once for an operation
    const Report once = [&](const Race& race) {
      if (!std::exchange(was_told, true)) report_(race);
    };
    const GlobalShadow::Who who{grid_.memory.add(access), nullptr, &knowledge, once};
    for (const GlobalRange& range : ranges)
      grid_.memory.touch(range.address, static_cast<uint32_t>(range.bytes), is_write, 0, 0, nullptr, who);
  }
}

void Races::uses_mbarrier(uint32_t address, const Issuer& issuer) {
  Order::Mbarrier* const mbarrier = order.mbarrier(address);
  if (mbarrier == nullptr || !mbarrier->is_live || order.knows_init(*mbarrier, issuer)) return;
  report_({{mbarrier->initialiser, true, false}, {issuer, true, false}, Lack::init, address});
  // Once is enough.
  mbarrier->initialiser = issuer;
  mbarrier->is_live = false;
}

/// Of a wgmma all four warps read what they know of.
Knowledge Races::knowledge_of(const AsyncOperation& operation) {
  if (!operation.is_wgmma) return order.of(operation.issuer).knows;
  Knowledge all;
  for (uint32_t thread = 0; thread < threads_of_warpgroup; thread += 32) {
    const Issuer issuer{operation.issuer.cta_rank, operation.issuer.thread + thread, 0};
    order.warp(issuer).collect(order.warp(issuer).every(), all);
  }
  return all;
}

std::optional<Lack> Races::lack_of(const Entry& write, const AsyncOperation& operation,
                                   const Knowledge& knowledge) {
  const WarpClock& clock = order.warp(operation.issuer);
  const bool is_ordered_here =
      is_ordered(write, true, knowledge, clock.me(), 1u << operation.issuer.thread % 32);
  const bool crosses = operation.is_async_proxy && !write.is_operation();
  if (is_ordered_here) {
    if (!crosses || orders(Row::proxy_fence, knowledge.fenced.knows(write.moment()))) return std::nullopt;
    return Lack::proxy;
  }
  // A writer that has fenced lacks the synchronisation alone.
  if (!crosses) return Lack::order;
  const Issuer writer{order.cta_of(write.of), order.thread_of(write.moment()), write.line};
  return order.of(writer).knows.fenced.knows(write.moment()) ? Lack::order : Lack::proxy;
}

void Races::touch_by_operation(const SharedRange& range, bool is_write, const AsyncOperation& operation,
                               uint32_t number, const Knowledge& knowledge) {
  const uint32_t cta = range.address >> rank_shift;
  if (cta >= shadows_.size() || range.bytes == 0) return;
  const WarpClock& clock = order.warp(operation.issuer);
  const End end{operation.issuer, is_write, true};
  Entry entry{number, 1, operation.issuer.line, Entry::operation, 0, 0};
  if (operation.is_reduction && is_write) entry.scope = 2;
  bool was_told = false;  // once for an operation
  for_words(range.address, range.bytes, [&](uint32_t index, uint8_t some) {
    Word& word = shadows_[cta].word(index);
    entry.bytes = some;
    const auto is_other = [&](const Entry& one) {
      if (one.is_empty() || (one.bytes & some) == 0) return false;
      const bool is_mutual = one.scope == 2 && entry.scope == 2;  // reductions are morally strong
      return !is_mutual && !(one.is_operation() && one.time == number);
    };
    const uint32_t address = (range.address & ~offset_mask) | index * 4;
    if (!was_told && is_other(word.write))
      if (const std::optional<Lack> lack = lack_of(word.write, operation, knowledge)) {
        report(word.write, true, end, *lack, address);
        was_told = true;
      }
    if (!is_write) {
      Entry* place = &word.reads[number % Word::most_reads];
      for (Entry& read : word.reads)
        if (read.is_empty()) place = &read;
      *place = entry;
      return;
    }
    for (Entry& read : word.reads) {
      if (!was_told && is_other(read) &&
          !is_ordered(read, false, knowledge, clock.me(), 1u << operation.issuer.thread % 32)) {
        report(read, false, end, Lack::order, address);
        was_told = true;
      }
      read = {};
    }
    word.write = entry;
  });
}

void Races::issued(const AsyncOperation& operation) {
  for (const uint32_t barrier : operation.barriers)
    if (barrier != 0) uses_mbarrier(barrier, operation.issuer);
  if (operation.shared_reads.empty() && operation.shared_writes.empty() && operation.barriers.empty() &&
      operation.global_writes.empty())
    return;
  const uint32_t number = first_ + static_cast<uint32_t>(operations_.size());
  operations_.push_back(std::make_shared<Operation>(
      Operation{operation.issuer, {}, {}, {}, operation.group, nullptr, operation.is_wgmma}));
  numbers_[operation.id] = number;
  if (operations_.size() > most_operations) operations_.pop_front(), ++first_;
  const Knowledge knowledge = knowledge_of(operation);
  Operation& kept = *operations_.back();
  const Thread thread = thread_of(operation.issuer);
  if (operation.is_wgmma) {
    Agent& warpgroup = agent(thread);
    kept.read = kept.written = {warpgroup.component, 1, ++warpgroup.issued};
    for (uint32_t warp = 0; warp < threads_of_warpgroup; warp += 32)
      wgmma_[{thread.cta, thread.index + warp}].open = warpgroup.issued;
  } else if (operation.group) {
    Pending& pending = pending_[thread];
    (operation.is_async_proxy ? pending.bulk : pending.copies).push_back(number);
    if (!operation.is_async_proxy && is_widened(Row::copy_arrival)) kept.landed.push_back(known_to_all);
  } else if (operation.barriers.empty()) {
    Agent& tcgen05 = agent(thread);
    kept.read = kept.written = {tcgen05.component, 1, std::max(tcgen05.issued, 1u)};
  } else {
    kept.knowledge = order.of(operation.issuer).shared();
  }
  for (const SharedRange& range : operation.shared_reads)
    touch_by_operation(range, false, operation, number, knowledge);
  for (const SharedRange& range : operation.shared_writes)
    touch_by_operation(range, true, operation, number, knowledge);
  touch_globally(operation, knowledge);
}

void Races::completes_on(uint32_t barrier, uint64_t id) {
  const Order::Mbarrier* const mbarrier = order.mbarrier(barrier);
  const auto number = numbers_.find(id);
  if (mbarrier == nullptr || number == numbers_.end()) return;
  Operation* const operation = find(number->second);
  if (operation == nullptr) return;
  operation->landed.push_back({mbarrier->agent, 1, mbarrier->phases + 1});
  if (operation->knowledge) order.mbarrier_learns(barrier, operation->issuer, *operation->knowledge);
}

void Races::groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read) {
  const auto pending = pending_.find(thread_of(issuer));
  if (pending != pending_.end()) wait_for(pending->second.bulk, n, issuer, groups, is_read, Row::group_wait);
}

void Races::copies_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups) {
  const auto pending = pending_.find(thread_of(issuer));
  if (pending != pending_.end()) wait_for(pending->second.copies, n, issuer, groups, false, Row::copy_wait);
}

void Races::wait_for(std::vector<uint32_t>& numbers, uint64_t n, const Issuer& issuer,
                     const AsyncGroups& groups, bool is_read, Row row) {
  const auto newest = groups.newest(n);
  const Moment now = order.warp(issuer).moment(1u << issuer.thread % 32);
  std::erase_if(numbers, [&](uint32_t number) {
    Operation* const operation = find(number);
    if (operation == nullptr) return true;
    const AsyncGroup* const group = operation->group.get();
    const bool is_awaited =
        std::find(newest.begin(), newest.end(), group) == newest.end() && !groups.is_open(group);
    if (!orders(row, is_awaited)) return false;
    // What .read has told stays told.
    if (operation->read.of == no_component) operation->read = now;
    if (is_widened(row)) operation->landed.push_back(known_to_all);
    if (!is_read) operation->written = now;
    return !is_read;
  });
}

std::vector<uint32_t> Races::copies_of(const Issuer& issuer) const {
  const auto pending = pending_.find(thread_of(issuer));
  return pending == pending_.end() ? std::vector<uint32_t>{} : pending->second.copies;
}

void Races::copies_arrive(uint32_t barrier, const std::vector<uint32_t>& copies) {
  const Order::Mbarrier* const mbarrier = order.mbarrier(barrier);
  if (mbarrier == nullptr || !orders(Row::copy_arrival)) return;
  for (const uint32_t number : copies)
    if (Operation* const operation = find(number))
      operation->landed.push_back({mbarrier->agent, 1, mbarrier->phases + 1});
}

void Races::wgmma_committed(const Issuer& issuer) {
  Groups& groups = wgmma_[thread_of(issuer)];
  groups.committed.push_back(groups.open);
}

void Races::wgmma_waited(uint64_t n, const Issuer& issuer) {
  Groups& groups = wgmma_[thread_of(issuer)];
  if (is_widened(Row::wgmma_wait))
    for (const auto& operation : operations_) operation->landed.push_back(known_to_all);
  if (groups.committed.size() <= n || !orders(Row::wgmma_wait)) return;
  const uint32_t last = groups.committed[groups.committed.size() - n - 1];
  groups.committed.erase(groups.committed.begin(), groups.committed.end() - static_cast<ptrdiff_t>(n));
  const uint32_t leader = issuer.thread / threads_of_warpgroup * threads_of_warpgroup;
  Knowledge done;
  done.seen.learn({agent({issuer.cta_rank, leader}).component, 1, last}, 1);
  WarpClock& warp = order.warp(issuer);
  warp.each(warp.every(), [&](Part& part) { part.learn(done); });
}

Moment Races::works(const Issuer& issuer) {
  Agent& tcgen05 = agent(thread_of(issuer));
  return {tcgen05.component, 1, ++tcgen05.issued};
}

std::shared_ptr<const Knowledge> Races::committed(const Issuer& issuer) {
  const auto told = std::make_shared<Knowledge>();
  const Lanes who = lanes_of(issuer);
  order.warp(issuer).collect(who.lanes, *told);
  order.warp(issuer).tick();
  for (auto& [thread, one] : agents_) {
    const bool is_own = thread.cta == issuer.cta_rank && thread.index == issuer.thread;
    if (orders(Row::commit, is_own)) told->seen.learn({one.component, 1, one.issued}, 1);
  }
  return told;
}

}  // namespace assay::emulator::race
