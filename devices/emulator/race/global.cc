// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/race/global.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay::emulator::race {

uint32_t GlobalShadow::add(GlobalAccess access) {
  ++newest_;
  if (newest_ < most_accesses)
    accesses_.push_back(std::move(access));
  else
    accesses_[newest_ % most_accesses] = std::move(access);
  return newest_;
}

GlobalShadow::Page* GlobalShadow::find_page(uint64_t address) {
  const uint64_t number = address / page_bytes;
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (pages_.size() == most_pages) return nullptr;
    found = pages_.emplace(number, std::make_unique<Page>()).first;
  }
  last_page_ = number;
  return last_ = found->second.get();
}

/// False: there is no room to keep the line by word.
bool GlobalShadow::split(Line& line) {
  if (line.by_word) return true;
  if (split_ == most_words) return false;
  ++split_;
  auto made = std::make_unique<std::array<Spot, words>>();
  if (!line.whole.is_empty())
    for (uint32_t i = 0; i < words; ++i) (*made)[i] = part(line, i);
  line.by_word = std::move(made);
  return true;
}

GlobalShadow::Spot GlobalShadow::part(const Line& line, uint32_t index) {
  if (line.by_word) return (*line.by_word)[index];
  Spot spot = line.whole;
  for (Cell* const cell : {&spot.write, &spot.strong, &spot.reads[0], &spot.reads[1]})
    if (cell->per_lane != 0) {
      cell->lane = static_cast<uint8_t>(cell->lane + index * word_bytes / cell->per_lane);
      cell->per_lane = 0;
    }
  return spot;
}

void GlobalShadow::touch(uint64_t address, uint32_t bytes, bool is_write, int first_lane, uint32_t per_lane,
                         const std::byte* values, const Who& who) {
  const uint64_t end = address + bytes;
  for (uint64_t at = address; at < end;) {
    const uint64_t line_end = std::min(end, (at / line_bytes + 1) * line_bytes);
    Page* const found = page(at);
    if (found == nullptr) return;
    Line& line = found->line[at % page_bytes / line_bytes];
    const auto cell_at = [&](uint64_t place, uint32_t mask) {
      const uint64_t lane = per_lane == 0 ? 0 : (place - address) / per_lane;
      return Cell{who.access, static_cast<uint8_t>(static_cast<uint64_t>(first_lane) + lane), 0,
                  static_cast<uint8_t>(mask), is_write && values != nullptr};
    };
    if (is_write && values != nullptr && !found->values)
      found->values = std::make_unique<std::array<std::byte, page_bytes>>();
    std::byte* const kept = found->values ? found->values->data() + at % page_bytes : nullptr;
    const std::byte* const fresh = values == nullptr ? nullptr : values + (at - address);
    if (line_end - at == line_bytes && !line.by_word) {
      Cell cell = cell_at(at, 0xf);
      cell.per_lane = static_cast<uint8_t>(std::min(per_lane, line_bytes));
      touch_spot(line.whole, cell, is_write, {at, line_bytes, fresh, kept}, who);
    } else if (split(line)) {
      for (uint64_t word = at; word < line_end;) {
        const uint64_t base = word / word_bytes * word_bytes, to = std::min(line_end, base + word_bytes);
        const uint32_t mask = (1u << (to - base)) - (1u << (word - base));
        const Piece piece{word, static_cast<uint32_t>(to - word),
                          fresh == nullptr ? nullptr : fresh + (word - at),
                          kept == nullptr ? nullptr : kept + (word - at)};
        touch_spot((*line.by_word)[word % line_bytes / word_bytes], cell_at(word, mask), is_write, piece,
                   who);
        word = to;
      }
    }
    if (is_write && fresh != nullptr) std::memcpy(kept, fresh, line_end - at);
    at = line_end;
  }
}

void GlobalShadow::load(uint64_t address, uint32_t bytes, int lane, const Who& who) {
  const uint64_t first = address % word_bytes;
  Page* const found = first + bytes <= word_bytes ? page(address) : nullptr;
  if (found == nullptr) return touch(address, bytes, false, lane, 0, nullptr, who);
  Line& line = found->line[address % page_bytes / line_bytes];
  if (!split(line)) return;
  Spot& spot = (*line.by_word)[address % line_bytes / word_bytes];
  const Cell cell{who.access, static_cast<uint8_t>(lane), 0,
                  static_cast<uint8_t>((1u << (first + bytes)) - (1u << first))};
  // What a spot has it has compared with the write before it.
  for (const Cell& read : spot.reads)
    if (read.access == cell.access && (cell.bytes & ~read.bytes) == 0) return;
  touch_spot(spot, cell, false, {address, bytes, nullptr, nullptr}, who);
}

void GlobalShadow::touch_spot(Spot& spot, Cell cell, bool is_write, const Piece& piece, const Who& who) {
  const auto meets = [&](const Cell& other) {
    return other.access != cell.access && (other.bytes & cell.bytes) != 0 && !is_forgotten(other.access);
  };
  for (const Cell& write : {spot.write, spot.strong})
    if (meets(write)) check(write, true, cell, is_write, piece, who);
  if (!is_write) return remember_read(spot, cell);
  for (Cell& read : spot.reads) {
    if (meets(read)) check(read, false, cell, true, piece, who);
    if ((read.bytes & ~cell.bytes) == 0) read = {};
  }
  Cell& kept = at(cell.access).scope == 0 ? spot.write : spot.strong;
  if (kept.access == cell.access) cell.bytes |= kept.bytes, cell.has_value &= kept.has_value;
  kept = cell;
}

void GlobalShadow::remember_read(Spot& spot, const Cell& cell) {
  const auto takes = [&](const Cell& other) {
    if (is_forgotten(other.access)) return true;
    const GlobalAccess &a = at(other.access), &b = at(cell.access);
    return a.is_of_same_cta(b) && !a.operation == !b.operation;
  };
  for (Cell& read : spot.reads) {
    if (read.access != cell.access && !takes(read)) continue;
    const uint8_t before = read.access == cell.access ? read.bytes : 0;
    read = cell;
    read.bytes |= before;
    return;
  }
  spot.reads[0] = spot.reads[1];
  spot.reads[1] = cell;
}

std::optional<Lack> GlobalShadow::lack(const GlobalAccess& first, bool first_writes,
                                       const GlobalAccess& second, const Knowledge& knowledge) const {
  const bool is_same_cluster = first.cluster == second.cluster;
  if (first.scope != 0 && second.scope != 0) {
    const bool is_mutual =
        first.is_of_same_cta(second) || std::min(first.scope, second.scope) >= (is_same_cluster ? 2 : 3);
    if (orders(Row::morally_strong, is_mutual)) return std::nullopt;
  }
  const auto knows = [&](const Moment& moment, bool is_fenced) {
    if (moment.of == no_component) return false;
    if (!is_same_cluster) return knowledge.far.knows_some(first.cluster, moment, is_fenced);
    if (is_fenced) return knowledge.fenced_global.knows_some(moment);
    return knowledge.is_over_in_some(moment) || moment.of == second.of;
  };
  if (first.operation) {
    const Operation& operation = *first.operation;
    const bool is_done = knows(first_writes ? operation.written : operation.read, false) ||
                         std::any_of(operation.landed.begin(), operation.landed.end(),
                                     [&](const Moment& moment) { return knows(moment, false); });
    return is_done ? std::nullopt : std::optional(Lack::completion);
  }
  const Moment moment{first.of, ~0u, first.time};
  if (!knows(moment, false)) return Lack::order;
  const bool crosses = second.is_async_proxy && first_writes;
  if (!crosses || orders(Row::global_proxy_fence, knows(moment, true))) return std::nullopt;
  return Lack::proxy;
}

void GlobalShadow::check(const Cell& first, bool first_writes, const Cell& second, bool second_writes,
                         const Piece& piece, const Who& who) {
  const GlobalAccess &one = at(first.access), &other = at(second.access);
  const bool is_stale = first_writes && other.is_read_only;
  if (one.is_of_same_warp(other) && !one.operation && !other.operation && !is_stale) return;
  // Writes of a thread's operations to one place keep to no order that PTX states, and lanes that issue a
  // store without electing one of them store the same: neither is told.
  if (one.operation && other.operation && one.is_of_same_cta(other) && first_writes && second_writes &&
      (one.issuer.thread == other.issuer.thread ||
       (one.issuer.line == other.issuer.line && one.issuer.thread / 32 == other.issuer.thread / 32)))
    return;
  static const Knowledge nothing;
  const bool is_merge = who.clock == nullptr && who.knowledge == nullptr;
  if (is_merge && one.cluster == other.cluster) return;
  const Knowledge& knowledge = is_merge               ? nothing
                               : who.clock != nullptr ? who.clock->of(1u << second.lane % 32).knows
                                                      : *who.knowledge;
  std::optional<Lack> found = lack(one, first_writes, other, knowledge);
  if (is_stale || (found && one.is_read_only)) found = Lack::coherence;
  if (!found) return;
  const bool has_values = first_writes && second_writes && first.has_value && piece.fresh && piece.old;
  if (orders(Row::same_value, has_values && std::memcmp(piece.fresh, piece.old, piece.bytes) == 0) &&
      first_writes && second_writes)
    return;
  const auto end = [](const GlobalAccess& access, const Cell& cell, bool is_write) {
    End made{access.issuer, is_write, access.operation != nullptr};
    if (!access.operation) made.issuer.thread += cell.lane;
    made.cluster = access.cluster;
    return made;
  };
  Race race{end(one, first, first_writes), end(other, second, second_writes), *found, piece.address, true};
  if (!is_merge && *found != Lack::proxy && *found != Lack::coherence)
    race.cause = knowledge.cause([&](const Knowledge& knows) {
      return lack(one, first_writes, other, knows).value_or(Lack::proxy) == Lack::proxy;
    });
  if (one.operation) race.sent = one.operation->sent;
  who.report(race);
}

void GlobalShadow::merge(const GlobalShadow& cluster, const Report& report) {
  std::vector<uint32_t> numbers(cluster.accesses_.size(), 0);
  const Who who{0, nullptr, nullptr, report};
  const auto renumbered = [&](Cell cell) {
    if (cluster.is_forgotten(cell.access)) return Cell{};
    uint32_t& known = numbers[cell.access % most_accesses];
    if (known == 0) known = add(cluster.at(cell.access));
    cell.access = known;
    return cell;
  };
  const auto touch_as = [&](Spot& mine, const Cell& cell, bool is_write, const Piece& piece) {
    if (const Cell known = renumbered(cell); known.access != 0) touch_spot(mine, known, is_write, piece, who);
  };
  std::vector<uint64_t> order;
  for (const auto& [address, one] : cluster.pages_) order.push_back(address);
  std::sort(order.begin(), order.end());
  for (const uint64_t index : order) {
    const Page& theirs = *cluster.pages_.at(index);
    Page* const mine = page(index * page_bytes);
    if (mine == nullptr) return;
    if (theirs.values && !mine->values) mine->values = std::make_unique<std::array<std::byte, page_bytes>>();
    for (uint32_t i = 0; i < lines; ++i) {
      const Line& line = theirs.line[i];
      const Spot& whole = line.whole;
      if (!line.by_word && whole.is_empty()) continue;
      const auto merge_part = [&](Spot& spot, const Spot& other, uint32_t at, uint32_t bytes) {
        const std::byte* const fresh = theirs.values ? theirs.values->data() + at : nullptr;
        std::byte* const old = mine->values ? mine->values->data() + at : nullptr;
        if (other.write.has_value && fresh != nullptr && spot.is_empty()) std::memcpy(old, fresh, bytes);
        if (spot.is_empty()) {
          spot = {renumbered(other.write),
                  renumbered(other.strong),
                  {renumbered(other.reads[0]), renumbered(other.reads[1])}};
          return;
        }
        const Piece piece{index * page_bytes + at, bytes, fresh, old};
        touch_as(spot, other.write, true, piece);
        touch_as(spot, other.strong, true, piece);
        for (const Cell& read : other.reads) touch_as(spot, read, false, piece);
        if (other.write.has_value && fresh != nullptr) std::memcpy(old, fresh, bytes);
      };
      Line& kept = mine->line[i];
      if (!line.by_word && !kept.by_word)
        merge_part(kept.whole, whole, i * line_bytes, line_bytes);
      else if (split(kept))
        for (uint32_t word = 0; word < words; ++word)
          if (!line.by_word || !(*line.by_word)[word].is_empty())
            merge_part((*kept.by_word)[word], part(line, word), i * line_bytes + word * word_bytes,
                       word_bytes);
    }
  }
}

void GlobalShadow::forget(uint64_t address, uint64_t bytes) {
  for (uint64_t at = address; at < address + bytes; at = (at / line_bytes + 1) * line_bytes)
    if (const auto found = pages_.find(at / page_bytes); found != pages_.end()) {
      Line& line = found->second->line[at % page_bytes / line_bytes];
      if (line.by_word) --split_;
      line = {};
    }
}

}  // namespace assay::emulator::race
