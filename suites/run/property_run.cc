// SPDX-License-Identifier: Apache-2.0
#include "suites/run/property_run.h"

#include <algorithm>
#include <cstdio>
#include <deque>

#include "reports/results_file.h"
#include "suites/run/field_coverage.h"

namespace assay::suites {
namespace {

/// Enough to say where bits changed, few enough to write every few seconds.
constexpr size_t most_blocks = 512;

std::string rule_id(size_t index) {
  return std::string(spec::rules()[index].id);
}

}  // namespace

PropertyRun::PropertyRun(const Property& property, spec::Arch arch, uint64_t planned, uint64_t most,
                         Slice slice)
    : property_(property), arch_(arch), planned_(planned), most_(most), slice_(slice) {
  for (const CellSpace& space : property.spaces) cells_.emplace_back(space.count);
  for (size_t s = property.own_spaces; s < property.spaces.size(); ++s)
    marks_.emplace_back(property.spaces[s].count);
}

template <typename Visit>
void PropertyRun::visit_fields(const Case& c, Visit visit) {
  for (size_t d = 0; d < property_.descriptors.size(); ++d)
    property_.descriptors[d].visit(
        c, [&](uint32_t cell) { visit(marks_[2 * d][cell]); },
        [&](uint32_t cell) { visit(marks_[2 * d + 1][cell]); });
}

void PropertyRun::look_at_fields(const Case& c) {
  looks_at_fields_.store(true, std::memory_order_relaxed);
  visit_fields(c, [](std::atomic<bool>& mark) {
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  });
}

bool PropertyRun::wants(const Case& c) {
  uint32_t fresh = 0;
  visit_fields(c, [&](std::atomic<bool>& mark) { fresh += !mark.load(std::memory_order_relaxed); });
  const double wanted = wanted_;
  if (!property_.descriptors.empty() && fresh < wanted) {
    wanted_ = wanted * patience < 0.5 ? 0 : wanted * patience;
    return false;
  }
  wanted_ = std::max(1.0, fresh * 1.25);
  look_at_fields(c);
  return true;
}

void PropertyRun::add_locked(const BatchTally& tally) {
  for (size_t i = 0; i < tally.counts.size(); ++i) {
    sum_.verdicts[i] += tally.counts[i];
    sum_.issued += tally.counts[i];
  }
  for (size_t i = 0; i < tally.exercised.size(); ++i) {
    sum_.exercised[i] += tally.exercised[i];
    sum_.failing[i] += tally.failing[i];
    sum_.no_demand[i] += tally.no_demand[i];
  }
  sum_.bytes += tally.bytes;
  sum_.host_seconds += tally.host_seconds;
  sum_.device_seconds += tally.device_seconds;
  for (const BatchTally::Hit& hit : tally.hits) {
    auto& space = cells_[static_cast<size_t>(hit.space)];
    if (hit.cell < space.size()) space[hit.cell] += hit.times;
  }
  for (const BatchTally::Block& block : tally.blocks) {
    sum_.fingerprint += block.fingerprint;
    count_block(block.number >> (block_bits_ - BatchTally::block_bits), block.conforming, block.fingerprint);
  }
  for (const BatchTally::Failure& failure : tally.failures) {
    report::FailureKindRow& kind = kinds_[failure.signature];
    spec::RuleSet& common = kind_rules_[failure.signature];
    common = kind.count == 0 ? failure.rules : common & failure.rules;
    kind.signature = failure.signature;
    kind.verdict = failure.verdict;
    kind.waiver = failure.waiver;
    ++kind.count;
    if (failure.has_row) kind.indexes.push_back(failure.index);
  }
  if (places_.size() < tally.places.size()) places_.resize(tally.places.size());
  for (size_t sm = 0; sm < tally.places.size(); ++sm) {
    places_[sm].cases += tally.places[sm].cases;
    places_[sm].failing += tally.places[sm].failing;
  }
}

void PropertyRun::add(const BatchTally& tally) {
  const std::lock_guard lock(mutex_);
  add_locked(tally);
}

void PropertyRun::add(const BatchTally& tally, uint64_t begin, uint64_t end) {
  const std::lock_guard lock(mutex_);
  add_locked(tally);
  for (const uint64_t hole : tally.not_yet) {
    done_.add(begin, hole);
    begin = hole + 1;
  }
  done_.add(begin, end);
}

bool PropertyRun::is_decided() const {
  const std::lock_guard lock(mutex_);
  return decided_.has_value();
}

void PropertyRun::decide(report::Verdict verdict, std::string why) {
  const std::lock_guard lock(mutex_);
  decided_ = verdict;
  reason = std::move(why);
  complete = true;
}

void PropertyRun::give_up(std::string why) {
  const std::lock_guard lock(mutex_);
  given_up_ = true;
  reason = std::move(why);
}

void PropertyRun::count_block(uint64_t number, uint64_t conforming, uint64_t fingerprint) {
  report::RangeRow& block = blocks_[number];
  block.conforming += conforming;
  block.fingerprint += fingerprint;
  while (blocks_.size() > most_blocks) coarsen();
}

void PropertyRun::coarsen() {
  std::map<uint64_t, report::RangeRow> wider;
  for (const auto& [number, block] : blocks_) {
    report::RangeRow& into = wider[number / 2];
    into.conforming += block.conforming;
    into.fingerprint += block.fingerprint;
  }
  blocks_ = std::move(wider);
  ++block_bits_;
}

void PropertyRun::set_repeats(const std::string& signature, uint32_t failed, uint32_t repeated) {
  const std::lock_guard lock(mutex_);
  if (const auto kind = kinds_.find(signature); kind != kinds_.end()) {
    kind->second.failed = failed;
    kind->second.repeated = repeated;
  }
}

void PropertyRun::set_blame(const std::string& signature, const report::Blame& blame) {
  const std::lock_guard lock(mutex_);
  if (const auto kind = kinds_.find(signature); kind != kinds_.end()) kind->second.blame = blame;
}

void PropertyRun::move(const std::string& from, const std::string& to, report::Verdict verdict,
                       uint64_t count, const std::string& waiver) {
  const std::lock_guard lock(mutex_);
  const auto found = kinds_.find(from);
  if (found == kinds_.end()) return;
  count = std::min(count, found->second.count);
  if (count == 0) return;
  uint64_t& source = sum_.verdicts[static_cast<size_t>(found->second.verdict)];
  source -= std::min(source, count);
  sum_.verdicts[static_cast<size_t>(verdict)] += count;
  report::FailureKindRow& kind = kinds_[to];
  if (kind.count == 0) {
    kind.failed = found->second.failed;
    kind.repeated = found->second.repeated;
    kind_rules_[to] = kind_rules_[from];
  }
  kind.signature = to;
  kind.verdict = verdict;
  kind.waiver = waiver;
  kind.count += count;
  if ((found->second.count -= count) == 0) {
    kind.indexes.insert(kind.indexes.end(), found->second.indexes.begin(), found->second.indexes.end());
    kinds_.erase(found);
    kind_rules_.erase(from);
  }
}

uint64_t PropertyRun::field_cells() const {
  uint64_t reached = 0;
  for (const Marks& marks : marks_)
    for (const auto& mark : marks) reached += mark.load();
  return reached;
}

uint64_t PropertyRun::judged() const {
  const std::lock_guard lock(mutex_);
  return sum_.issued - sum_.verdicts[static_cast<size_t>(report::Verdict::not_run)];
}

report::PropertyTotals PropertyRun::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_locked();
}

report::PropertyTotals PropertyRun::totals_locked() const {
  report::PropertyTotals totals;
  totals.planned = planned_;
  totals.issued = sum_.issued;
  for (const report::VerdictRow& row : report::verdicts)
    if (const uint64_t n = sum_.verdicts[static_cast<size_t>(row.verdict)])
      totals.counts.emplace_back(row.verdict, n);
  if (decided_) totals.counts.emplace_back(*decided_, 0);
  totals.seconds = seconds;
  totals.device_busy_seconds = sum_.device_seconds;
  totals.host_busy_seconds = sum_.host_seconds;
  totals.tile_bytes = sum_.bytes;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(sum_.fingerprint));
  totals.fingerprint = digits;
  totals.reason = reason;
  totals.complete = complete;
  totals.done = report::ranges_text(done_.ranges());
  return totals;
}

std::vector<report::FailureKindRow> PropertyRun::kinds() const {
  const std::lock_guard lock(mutex_);
  return kinds_locked();
}

std::vector<report::FailureKindRow> PropertyRun::kinds_locked() const {
  std::vector<report::FailureKindRow> rows;
  for (const auto& [signature, kind] : kinds_) {
    rows.push_back(kind);
    const spec::RuleSet& rules = kind_rules_.at(signature);
    for (size_t r = rules._Find_first(); r < spec::max_rules; r = rules._Find_next(r))
      rows.back().rules.push_back(rule_id(r));
  }
  return rows;
}

report::PropertyState PropertyRun::state() const {
  const std::lock_guard lock(mutex_);
  report::PropertyState state;
  state.kinds = kinds_locked();
  state.totals = totals_locked();
  state.coverage = coverage();
  state.rules = rules();
  state.ranges = ranges();
  for (size_t sm = 0; sm < places_.size(); ++sm)
    if (places_[sm].cases != 0)
      state.places.push_back({static_cast<uint32_t>(sm), places_[sm].cases, places_[sm].failing});
  return state;
}

void PropertyRun::restore(const report::PropertyState& state) {
  const std::lock_guard lock(mutex_);
  const report::PropertyTotals& totals = state.totals;
  for (const auto& [verdict, count] : totals.counts) {
    // A worker that failed, a case that was in flight: the next process tries again.
    if (verdict == report::Verdict::not_run || verdict == report::Verdict::rig_broken) continue;
    sum_.verdicts[static_cast<size_t>(verdict)] += count;
    sum_.issued += count;
  }
  sum_.bytes = totals.tile_bytes;
  sum_.host_seconds = totals.host_busy_seconds;
  sum_.device_seconds = totals.device_busy_seconds;
  sum_.fingerprint = std::strtoull(totals.fingerprint.c_str(), nullptr, 16);
  seconds = totals.seconds;
  for (const auto& [first, end] : report::parse_ranges(totals.done)) {
    done_.add(first, end);
    restored_.add(first, end);
  }
  next_position = restored_.next_outside(0);
  // Cells may share a name: their counts come back in order.
  std::map<std::pair<std::string_view, std::string_view>, std::deque<uint64_t>> counts;
  for (const report::CoverageCell& cell : state.coverage)
    counts[{cell.dimension, cell.cell}].push_back(cell.count);
  const auto take = [&](std::string_view dimension, const std::string& name) -> uint64_t {
    const auto found = counts.find({dimension, name});
    if (found == counts.end() || found->second.empty()) return 0;
    const uint64_t count = found->second.front();
    found->second.pop_front();
    return count;
  };
  for (size_t s = 0; s < property_.own_spaces; ++s)
    for (uint32_t cell = 0; cell < property_.spaces[s].count; ++cell)
      cells_[s][cell] = take(property_.spaces[s].dimension, property_.spaces[s].name(cell, arch_));
  for (size_t d = 0; d < property_.descriptors.size(); ++d) {
    const CellSpace& classes = property_.spaces[property_.own_spaces + 2 * d];
    for (uint32_t cell = 0; cell < classes.count; ++cell)
      marks_[2 * d][cell] = take(classes.dimension, classes.name(cell, arch_)) != 0;
    const Descriptor& descriptor = property_.descriptors[d];
    auto& restored = restored_pairs_.emplace_back();
    for (const Descriptor::FieldPair& pair : descriptor.field_pairs())
      restored.push_back(take(descriptor.reached_dimension(), pair.name));
  }
  std::map<std::string_view, size_t> by_id;
  for (size_t r = 0; r < spec::rules().size(); ++r) by_id[spec::rules()[r].id] = r;
  for (const report::RuleCount& rule : state.rules)
    if (const auto found = by_id.find(rule.rule); found != by_id.end()) {
      sum_.exercised[found->second] = rule.exercised;
      sum_.failing[found->second] = rule.violated + rule.implicated;
      sum_.no_demand[found->second] = rule.no_demand;
    }
  for (const report::FailureKindRow& kind : state.kinds) {
    if (kind.verdict == report::Verdict::rig_broken) continue;  // tried again, as above
    kinds_[kind.signature] = kind;
    kinds_[kind.signature].rules.clear();
    spec::RuleSet& rules = kind_rules_[kind.signature];
    for (const std::string& rule : kind.rules)
      if (const auto found = by_id.find(rule); found != by_id.end()) rules.set(found->second);
  }
  for (const report::RangeRow& range : state.ranges) {
    while (uint64_t{1} << block_bits_ < range.size) coarsen();
    report::RangeRow& block = blocks_[range.first >> block_bits_];
    block.conforming += range.conforming;
    block.fingerprint += range.fingerprint;
  }
  for (const report::PlaceRow& place : state.places) {
    if (place.sm >= BatchTally::most_places) continue;
    if (places_.size() <= place.sm) places_.resize(place.sm + 1);
    places_[place.sm] = {place.cases, place.failing};
  }
}

std::vector<report::RangeRow> PropertyRun::ranges() const {
  std::vector<report::RangeRow> rows;
  for (const auto& [number, block] : blocks_)
    rows.push_back({number << block_bits_, uint64_t{1} << block_bits_, block.conforming, block.fingerprint});
  return rows;
}

std::vector<report::CoverageCell> PropertyRun::coverage() const {
  std::vector<report::CoverageCell> cells;
  const auto add_space = [&](const CellSpace& space, const auto& count_of) {
    std::vector<bool> reachable(space.count, false);
    for (const uint32_t cell : space.reachable(arch_)) reachable[cell] = true;
    for (uint32_t cell = 0; cell < space.count; ++cell) {
      const uint64_t count = count_of(cell);
      if (!reachable[cell] && count == 0) continue;
      cells.push_back({std::string(space.dimension), space.name(cell, arch_), count, reachable[cell]});
    }
  };
  for (size_t s = 0; s < property_.own_spaces; ++s)
    add_space(property_.spaces[s], [&](uint32_t cell) { return cells_[s][cell]; });
  if (!looks_at_fields_) return cells;
  for (size_t d = 0; d < property_.descriptors.size(); ++d) {
    // Of a value it is known that it was reached, not how often.
    add_space(property_.spaces[property_.own_spaces + 2 * d],
              [&](uint32_t cell) { return uint64_t{marks_[2 * d][cell].load()}; });
    const Descriptor& descriptor = property_.descriptors[d];
    const auto pairs = descriptor.field_pairs();
    for (size_t p = 0; p < pairs.size(); ++p) {
      uint64_t reached = 0;
      for (uint32_t i = 0; i < pairs[p].cells; ++i)
        reached += marks_[2 * d + 1][pairs[p].first_cell + i].load();
      // Which of them an earlier process reached is not known any more.
      if (d < restored_pairs_.size()) reached = std::max(reached, restored_pairs_[d][p]);
      cells.push_back({std::string(descriptor.reached_dimension()), pairs[p].name, reached, true});
    }
  }
  return cells;
}

std::vector<report::RuleCount> PropertyRun::rules() const {
  std::vector<report::RuleCount> counts;
  const auto table = spec::rules();
  for (size_t i = 0; i < table.size() && i < spec::max_rules; ++i) {
    if (sum_.exercised[i] == 0 && sum_.failing[i] == 0 && sum_.no_demand[i] == 0) continue;
    const spec::Rule& rule = table[i];
    report::RuleCount count;
    count.rule = rule.id;
    count.words = rule.words;
    for (const spec::Cite& cite : rule.cites)
      if (!cite.document.empty())
        count.cite +=
            (count.cite.empty() ? "" : "; ") + std::string(cite.document) + ", " + std::string(cite.place);
    count.exercised = sum_.exercised[i];
    count.violated = sum_.failing[i];
    count.no_demand = sum_.no_demand[i];
    count.question = rule.question;
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace assay::suites
