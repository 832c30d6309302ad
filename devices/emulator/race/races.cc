// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/race/races.h"

#include <algorithm>

namespace assay::emulator::race {
namespace {

constexpr uint32_t offset_mask = (1u << rank_shift) - 1;

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
    if (done.of != no_component && knowledge.is_over(done)) return true;
    return std::any_of(operation->landed.begin(), operation->landed.end(),
                       [&](const Moment& moment) { return knowledge.is_over(moment); });
  }
  Moment moment = entry.moment();
  if (moment.of == me) {
    if (orders(Row::program_order)) moment.lanes &= ~lane;
    if (is_widened(Row::program_order)) moment.lanes = 0;
    if (moment.lanes == 0 || entry.scope == Entry::collective) return true;
  }
  return is_write ? knowledge.seen.knows(moment) : knowledge.is_over(moment);
}

void Races::report(const Entry& first, bool is_write, const End& second, Lack lack, uint32_t address) {
  Race race{{}, second, lack, address};
  race.first.is_write = is_write;
  if (first.is_operation()) {
    race.first.is_operation = true;
    if (const Operation* const operation = find(first.time)) {
      race.first.issuer = operation->issuer;
      race.first.is_wgmma = operation->is_wgmma;
      race.sent = operation->sent;
      race.cause = order.of(second.issuer).knows.cause([&](const Knowledge& knows) {
        return is_ordered(first, is_write, knows, no_component, 0);
      });
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
    race.cause =
        order.of(second.issuer).knows.cause([&](const Knowledge& knows) { return knows.seen.knows(one); });
  }
  report_(race);
}

void Races::remember_read(ShadowPage& page, uint32_t index, const Entry& entry, const Part& part) {
  for (uint32_t number = 0; number < 4; ++number) {
    const uint32_t reader = page.reader(entry.of, number);
    Entry& kept = (*page.reads[reader].entry)[index];
    const uint64_t bit = uint64_t{1} << reader;
    if ((page.readers[index] & bit) == 0) {
      page.readers[index] |= bit;
      kept = entry;
      return;
    }
    const bool is_same = kept.of == entry.of && kept.scope == entry.scope;
    if (is_same && kept.time == entry.time && kept.bytes == entry.bytes) {
      kept.lanes |= entry.lanes;
      kept.line = entry.line;
      return;
    }
    const bool is_covered = is_same && (kept.bytes & ~entry.bytes) == 0 &&
                            ((kept.lanes & ~entry.lanes) == 0 || part.knows.seen.knows(kept.moment()));
    if (!is_covered && number < 3) continue;
    kept = entry;
    return;
  }
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

bool Races::relies_on_lockstep(const Entry& write, const Entry& entry, const Part& part) {
  return is_relaxed_load_ && write.of == entry.of && write.is_strong() && (write.bytes & entry.bytes) != 0 &&
         !is_ordered(write, true, part.knows, entry.of, entry.lanes);
}

void Races::read(ShadowPage& page, uint32_t index, const Entry& entry, const Part& part, uint32_t address) {
  Entry& write = page.write[index];
  // Each lane knows of its own writes alone.
  const bool is_apart = entry.scope != Entry::collective && (entry.lanes & (entry.lanes - 1)) != 0;
  if (is_apart && write.of == entry.of && !part.knows.seen.knows_all(write.of, write.time)) {
    Entry one = entry;
    for (uint32_t left = entry.lanes; left != 0; left &= left - 1) {
      one.lanes = left & -left;
      read(page, index, one, part, address);
    }
    return;
  }
  if (races(write, true, entry, part)) {
    report(write, true, end_of(entry, false), Lack::order, address);
    write = {};
  } else if (relies_on_lockstep(write, entry, part)) {
    report(write, true, end_of(entry, false), Lack::lockstep, address);
  }
  remember_read(page, index, entry, part);
}

void Races::write(ShadowPage& page, uint32_t index, Entry entry, bool repeats, const Part& part,
                  uint32_t address) {
  Entry& before = page.write[index];
  if (!part.knows.seen.knows_all(before.of, before.time) && !orders(Row::same_value, repeats) &&
      races(before, true, entry, part))
    report(before, true, end_of(entry, true), Lack::order, address);
  bool was_told = false;
  page.each_read(index, [&](const Entry& read) {
    const bool is_known = part.knows.seen.knows_all(read.of, read.time);
    if (!is_known && !was_told && races(read, false, entry, part)) {
      report(read, false, end_of(entry, true), Lack::order, address);
      was_told = true;
    }
    return (read.bytes & ~entry.bytes) != 0;
  });
  // A vector is written piece by piece.
  if (before.of == entry.of && before.time == entry.time && before.lanes == entry.lanes)
    entry.bytes |= before.bytes;
  before = entry;
}

/// What a word remembers of an access, but its bytes.
static Entry entry_of(const WarpClock& clock, const Lanes& who, uint32_t line, const MemoryOrder& strong) {
  const uint8_t scope = strong.is_collective         ? Entry::collective
                        : !strong.is_strong          ? 0
                        : strong.scope == Scope::cta ? 1
                                                     : 2;
  return {clock.now(), who.lanes, line, clock.me(), 0, scope};
}

void Races::accesses(uint32_t begin, const LaneOffsets& offset, uint32_t bytes, const Lanes& who,
                     uint32_t line, bool is_write, const MemoryOrder& strong, uint32_t repeating,
                     bool is_row) {
  const WarpClock& clock = order.warp(who.cta, who.warp);
  Entry entry = entry_of(clock, who, line, strong);
  is_relaxed_load_ = !is_write && strong.is_strong && !strong.is_atomic && !strong.acquires;
  Shadow& shadow = shadows_[begin >> rank_shift];
  PlainReads reads(shadow, clock.me());
  const Part* part = &clock.of(who.lanes & -who.lanes);
  if (is_row && !is_write && part->lanes == ~0u && bytes % 4 == 0) {
    entry.bytes = 0xf;
    const uint32_t address = begin + static_cast<uint32_t>(offset[0]), per_lane = bytes / 4;
    for (uint32_t at = 0, count; at < 32 * per_lane; at += count) {
      const uint32_t word = (address & offset_mask) / 4 + at;
      count = std::min({32u, 32 * per_lane - at, ShadowPage::words - word % ShadowPage::words});
      entry.lanes = 1u << at / per_lane;
      for (uint32_t left = reads.remember_row(word, count, per_lane, entry, part->knows.seen); left != 0;
           left &= left - 1) {
        const uint32_t i = static_cast<uint32_t>(__builtin_ctz(left));
        entry.lanes = 1u << (at + i) / per_lane;
        read(reads.turn_to(word), (word + i) % ShadowPage::words, entry, *part, address + (at + i) * 4);
      }
    }
    return;
  }
  for (uint32_t left = who.lanes, same; left != 0; left &= ~same) {
    const uint64_t place = offset[static_cast<size_t>(__builtin_ctz(left))];
    same = left & -left;
    if ((part->lanes & same) == 0) part = &clock.of(same);
    // Neighbours that read one place do it as one.
    for (uint32_t next = same << 1; !is_write && (next & left & part->lanes) != 0; next <<= 1) {
      if (offset[static_cast<size_t>(__builtin_ctz(next))] != place) break;
      same |= next;
    }
    entry.lanes = same;
    const uint32_t address = begin + static_cast<uint32_t>(place);
    for_words(address, bytes, [&](uint32_t word, uint8_t some) {
      entry.bytes = some;
      if (!is_write && reads.remember(word, entry, part->knows.seen)) return;
      ShadowPage& page = is_write ? shadow.page(word) : reads.turn_to(word);
      const uint32_t index = word % ShadowPage::words, there = (address & ~offset_mask) | word * 4;
      if (is_write)
        write(page, index, entry, (repeating & same) != 0, *part, there);
      else
        read(page, index, entry, *part, there);
    });
  }
}

void Races::access(uint32_t address, uint32_t bytes, const Lanes& who, uint32_t line, bool is_write,
                   const MemoryOrder& strong) {
  const WarpClock& clock = order.warp(who.cta, who.warp);
  const Part& part = clock.of(who.lanes & -who.lanes);
  if ((who.lanes & ~part.lanes) != 0) {
    access(address, bytes, {who.cta, who.warp, who.lanes & part.lanes, line}, line, is_write, strong);
    return access(address, bytes, {who.cta, who.warp, who.lanes & ~part.lanes, line}, line, is_write, strong);
  }
  Entry entry = entry_of(clock, who, line, strong);
  is_relaxed_load_ = !is_write && strong.is_strong && !strong.is_atomic && !strong.acquires;
  Shadow& shadow = shadows_[address >> rank_shift];
  PlainReads reads(shadow, clock.me());
  for_words(address, bytes, [&](uint32_t word, uint8_t some) {
    entry.bytes = some;
    if (!is_write && reads.remember(word, entry, part.knows.seen)) return;
    ShadowPage& page = shadow.page(word);
    const uint32_t index = word % ShadowPage::words, there = (address & ~offset_mask) | word * 4;
    if (is_write)
      write(page, index, entry, false, part, there);
    else
      read(page, index, entry, part, there);
  });
}

uint32_t Races::access_number(const Lanes& who, uint32_t line, uint32_t time, const MemoryOrder& strong) {
  const uint8_t scope = strong.is_strong ? static_cast<uint8_t>(strong.scope) + 1 : 0;
  const Component of = order.warp(who.cta, who.warp).me();
  Recent& recent = recent_[of][line % recent_[of].size()];
  if (recent.access == 0 || recent.line != line || recent.time != time || recent.scope != scope)
    recent = {line, time,
              grid_.memory.add(
                  {cluster_, {who.cta, who.warp * 32, line}, time, of, scope, false, strong.is_read_only}),
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
  const uint32_t number = access_number(who, line, time, strong);
  grid_.memory.touch(address, bytes, is_write, __builtin_ctz(who.lanes), per_lane,
                     strong.is_strong ? nullptr : values, {number, &clock, nullptr, report_});
}

void Races::global_loads(uint64_t begin, const LaneOffsets& offset, uint32_t bytes, const Lanes& who,
                         uint32_t line, const MemoryOrder& strong) {
  WarpClock& clock = order.warp(who.cta, who.warp);
  const GlobalShadow::Who by{access_number(who, line, clock.now(), strong), &clock, nullptr, report_};
  uint64_t before = ~uint64_t{0};  // lanes that read one place are one
  for (uint32_t left = who.lanes; left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const uint64_t place = offset[static_cast<size_t>(lane)];
    if (place != before) grid_.memory.load(begin + place, bytes, lane, by);
    before = place;
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

std::optional<Lack> Races::lack_of(const Entry& write, const Reader& reader, bool is_async_proxy) {
  const WarpClock& clock = order.warp(reader.issuer);
  const bool is_ordered_here =
      is_ordered(write, true, reader.knows, clock.me(), 1u << reader.issuer.thread % 32);
  const bool crosses = is_async_proxy && !write.is_operation();
  if (is_ordered_here) {
    if (!crosses || orders(Row::proxy_fence, reader.knows.fenced.knows(write.moment()))) return std::nullopt;
    return Lack::proxy;
  }
  // A writer that has fenced lacks the synchronisation alone.
  if (!crosses) return Lack::order;
  const Issuer writer{order.cta_of(write.of), order.thread_of(write.moment()), write.line};
  return order.of(writer).knows.fenced.knows(write.moment()) ? Lack::order : Lack::proxy;
}

void Races::touch_by_operation(const SharedRange& range, bool is_write, const AsyncOperation& operation,
                               uint32_t number, const std::vector<Reader>& readers) {
  const uint32_t cta = range.address >> rank_shift;
  if (cta >= shadows_.size() || range.bytes == 0) return;
  const Component me = order.warp(operation.issuer).me();
  Entry entry{number, 1, operation.issuer.line, Entry::operation, 0, 0};
  if (operation.is_reduction && is_write) entry.scope = 2;
  bool was_told = false;  // once for an operation
  for_words(range.address, range.bytes, [&](uint32_t word, uint8_t some) {
    ShadowPage& page = shadows_[cta].page(word);
    const uint32_t index = word % ShadowPage::words;
    Entry& write = page.write[index];
    entry.bytes = some;
    const auto is_other = [&](const Entry& one) {
      if (one.is_empty() || (one.bytes & some) == 0) return false;
      const bool is_mutual = one.scope == 2 && entry.scope == 2;  // reductions are morally strong
      return !is_mutual && !(one.is_operation() && one.time == number);
    };
    const uint32_t address = (range.address & ~offset_mask) | word * 4;
    for (size_t i = 0; i < readers.size() && !was_told && is_other(write); ++i) {
      if ((range.warps >> i & 1) == 0) continue;
      const std::optional<Lack> lack = lack_of(write, readers[i], operation.is_async_proxy);
      if (lack) report(write, true, {readers[i].issuer, is_write, true}, *lack, address);
      was_told = lack.has_value();
    }
    if (!is_write) {
      const uint32_t reader = page.reader(Entry::operation, number % 4);
      (*page.reads[reader].entry)[index] = entry;
      page.readers[index] |= uint64_t{1} << reader;
      return;
    }
    page.each_read(index, [&](const Entry& read) {
      if (was_told || !is_other(read)) return false;
      const Knowledge& knows = readers[0].knows;
      const bool is_known = is_ordered(read, false, knows, me, 1u << operation.issuer.thread % 32);
      const bool crosses = operation.is_response && !read.is_operation();
      if (is_known && (!crosses || orders(Row::response_fence, knows.fenced.knows(read.moment()))))
        return false;
      report(read, false, {operation.issuer, true, true}, is_known ? Lack::proxy : Lack::order, address);
      was_told = true;
      return false;
    });
    write = entry;
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
  if (!operation.barriers.empty()) operations_.back()->sent = order.sent(operation.barriers[0]);
  numbers_[operation.id] = number;
  if (operations_.size() > most_operations) operations_.pop_front(), ++first_;
  const std::vector<Reader> readers = readers_of(operation);
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
    touch_by_operation(range, false, operation, number, readers);
  for (const SharedRange& range : operation.shared_writes)
    touch_by_operation(range, true, operation, number, readers);
  touch_globally(operation, readers[0].knows);
}

void Races::completes_on(uint32_t barrier, uint64_t id) {
  order.touch(Touches::Object::mbarrier, barrier, Touch::Kind::arrive);
  const Order::Mbarrier* const mbarrier = order.mbarrier(barrier);
  const auto number = numbers_.find(id);
  if (mbarrier == nullptr || number == numbers_.end()) return;
  Operation* const operation = find(number->second);
  if (operation == nullptr) return;
  operation->landed.push_back({mbarrier->agent, 1, mbarrier->phases + 1});
  if (operation->knowledge) order.mbarrier_learns(barrier, operation->issuer, *operation->knowledge);
}

}  // namespace assay::emulator::race
