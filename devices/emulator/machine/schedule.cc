// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/schedule.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "devices/emulator/hardware.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

/// Clusters that begin without a need.
constexpr size_t most_resident = 64;

bool may_synchronise(const Instruction& instruction) {
  if (instruction.opcode == nullptr || instruction.lane_op != nullptr) return false;
  if (instruction.order.is_strong) return true;
  constexpr std::string_view words[] = {"mbarrier",
                                        "bar",
                                        "barrier",
                                        "atom",
                                        "red",
                                        "tcgen05.alloc",
                                        "tcgen05.dealloc",
                                        "tcgen05.wait",
                                        "cp.async.wait",
                                        "cp.async.mbarrier",
                                        "wgmma.wait",
                                        "cp.async.bulk.wait",
                                        "multimem",
                                        "clusterlaunch",
                                        "griddepcontrol"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return std::string_view(instruction.opcode->text).starts_with(word);
  });
}

}  // namespace

class ChosenRun {
 public:
  ChosenRun(Runner& runner, Schedule& schedule)
      : runner_(runner), launch_(runner.launch), schedule_(schedule) {
    if (schedule.pauses.may_synchronise.empty())
      for (const Instruction& one : launch_.program.code)
        schedule.pauses.may_synchronise.push_back(may_synchronise(one));
    schedule.pauses.executed.resize(launch_.program.code.size());
  }
  std::optional<Diagnostic> run();

 private:
  /// Where a warp was left.
  struct Left {
    std::vector<uint64_t> registers;
    LaneCounters pc{};
    uint32_t live = 0;
    uint64_t progress = 0;
    uint64_t words = 0;  ///< what lies where its last step touched memory
    uint32_t blocked = 0;
    bool did_nothing = false;
  };
  bool start_next(size_t most);
  std::vector<Choice> ready();
  Cluster& cluster(const Choice& choice) const;
  static Warp& warp(Cluster& cluster, uint64_t number);
  uint64_t progress() const;
  bool keep_state(const Warp& warp, Left& left) const;
  uint64_t words(const std::vector<race::Touch>& touches) const;
  Schedule::Step take(const Choice& choice);
  void take(Warp& warp, Schedule::Step& step);
  void take(Cluster& cluster, Schedule::Step& step);
  void advance(Cluster& cluster, Schedule::Step& step);

  Runner& runner_;
  Launch& launch_;
  Schedule& schedule_;
  std::map<Choice, Left> left_;
  Choice last_{};
  uint64_t retired_progress_ = 0;  ///< less that of steps that did nothing
};

bool ChosenRun::start_next(size_t most) {
  auto& resident = runner_.resident_;
  if (resident.size() >= most || !launch_.has_next() || !launch_.has_room_for(launch_.next(), resident))
    return false;
  resident.push_back(runner_.start_cluster(*launch_.take_next()));
  Cluster& made = *resident.back();
  if (made.strict) made.strict->races.order.note_touches(&runner_.touches, made.index);
  return true;
}

uint64_t ChosenRun::progress() const {
  uint64_t sum = retired_progress_;
  for (const auto& one : runner_.resident_) sum += one->progress;
  return sum;
}

Cluster& ChosenRun::cluster(const Choice& choice) const {
  for (const auto& one : runner_.resident_)
    if (one->index == choice.cluster) return *one;
  throw Schedule::Abandoned{};
}

Warp& ChosenRun::warp(Cluster& cluster, uint64_t number) {
  const size_t warps = cluster.ctas[0]->warps.size();
  return *cluster.ctas[number / warps % cluster.ctas.size()]->warps[number % warps];
}

std::vector<Choice> ChosenRun::ready() {
  std::vector<Choice> found;
  const uint64_t now = progress();
  for (const auto& one : runner_.resident_) {
    uint64_t number = 0;
    for (const auto& cta : one->ctas)
      for (const auto& each : cta->warps) {
        const Choice choice{static_cast<uint32_t>(one->index), false, false, number++};
        const auto left = left_.find(choice);
        const bool waits = left != left_.end() && left->second.did_nothing && left->second.progress == now;
        if (each->live != 0 && !waits) found.push_back(choice);
      }
  }
  const auto same = std::find(found.begin(), found.end(), last_);
  if (same != found.end()) std::rotate(found.begin(), same, same + 1);
  for (const auto& one : runner_.resident_)
    for (const uint64_t id : one->async.ready_ids())
      found.push_back({static_cast<uint32_t>(one->index), true, false, id});
  return found;
}

/// Of all that decides what a warp does next, but for memory, whether the turn has changed it since it was
/// left; keeps it. What a test at which all lanes stand will write does not decide. A turn changes registers
/// of the instructions that it executes alone.
bool ChosenRun::keep_state(const Warp& warp, Left& left) const {
  bool has_moved = left.live != warp.live || left.pc != warp.pc;
  left.live = warp.live, left.pc = warp.pc;
  if (left.registers.size() != warp.registers.size()) {
    left.registers = warp.registers;
    return true;
  }
  const auto& code = launch_.program.code;
  uint32_t skipped = Column::none;
  if (warp.live != 0) {
    const uint32_t pc = warp.pc[static_cast<size_t>(__builtin_ctz(warp.live))];
    bool is_together = schedule_.pauses.may_synchronise[pc];
    for (int lane = 0; lane < warp_lanes; ++lane)
      is_together &= (warp.live >> lane & 1) == 0 || warp.pc[static_cast<size_t>(lane)] == pc;
    const auto& operands = code[pc].operands;
    if (is_together && !operands.empty() && operands[0].kind == Operand::Kind::value &&
        operands[0].is_register)
      skipped = operands[0].column.index;
  }
  const auto keep = [&](Column column) {
    if (column.index >= launch_.program.registers) return;
    const auto begin = warp.registers.begin() + static_cast<ptrdiff_t>(column.index) * warp_lanes;
    const auto kept = left.registers.begin() + (begin - warp.registers.begin());
    has_moved |= column.index != skipped && !std::equal(begin, begin + warp_lanes, kept);
    std::copy_n(begin, warp_lanes, kept);
  };
  const auto keep_operand = [&](const auto& self, const Operand& operand) -> void {
    keep(operand.column);
    if (operand.bits == 128) keep({operand.column.index + 1});
    for (const Operand& item : operand.items) self(self, item);
  };
  // Calls copy what they hand over.
  if (!launch_.program.functions.empty())
    for (uint32_t column = 0; column < launch_.program.registers; ++column) keep({column});
  for (uint32_t at = schedule_.pauses.first; at <= schedule_.pauses.last; ++at) {
    keep(code[at].d), keep(code[at].d2);
    for (const Operand& operand : code[at].operands) keep_operand(keep_operand, operand);
  }
  return has_moved;
}

uint64_t ChosenRun::words(const std::vector<race::Touch>& touches) const {
  uint64_t made = touches.size();
  for (const race::Touch& one : touches) {
    if (one.kind != race::Touch::Kind::read && one.kind != race::Touch::Kind::write) continue;
    const std::byte* found = nullptr;
    if (one.object & race::Order::shared_place)
      found = reinterpret_cast<const std::byte*>(one.object & ~race::Order::shared_place);
    else
      for (const auto& resident : runner_.resident_)
        if (resident->index == one.object >> 44)
          found = resident->shared(static_cast<uint32_t>(one.object), 4);
    uint32_t word = 0;
    if (found != nullptr) std::memcpy(&word, found, sizeof word);
    made = (made ^ one.object ^ word) * 0xbf58476d1ce4e5b9;
    made ^= made >> 29;
  }
  return made;
}

void ChosenRun::take(Warp& warp, Schedule::Step& step) {
  Choice key = step.choice;
  key.ends_wait_early = false;
  const auto [found, is_new] = left_.try_emplace(key);
  Left& left = found->second;
  const uint64_t before = progress();
  runner_.running_ = &warp;
  runner_.ends_waits_early = step.choice.ends_wait_early;
  schedule_.pauses.first = ~0u, schedule_.pauses.last = 0;
  run_turn(warp, launch_.program, runner_.instructions, launch_.settings.instruction_limit,
           &schedule_.pauses);
  runner_.ends_waits_early = false;
  runner_.running_ = nullptr;
  step.touches = runner_.touches.take();
  const uint64_t now = progress(), words_now = words(step.touches);
  const auto has = [&](race::Touch::Kind kind) {
    return std::any_of(step.touches.begin(), step.touches.end(),
                       [&](const race::Touch& one) { return one.kind == kind; });
  };
  const bool has_arrived = has(race::Touch::Kind::arrive) || has(race::Touch::Kind::await);
  // A lock that is not free is written as it was.
  const bool has_changed =
      has(race::Touch::Kind::write) ? left.progress != before || words_now != left.words : now != before;
  const bool has_moved = keep_state(warp, left);
  step.is_nothing =
      !is_new && !has_arrived && !has_changed && !has_moved && (warp.blocked & ~left.blocked) == 0;
  left.words = words_now, left.blocked = warp.blocked, left.did_nothing = step.is_nothing;
  left.progress = step.is_nothing ? before : now;
  if (step.is_nothing)
    retired_progress_ -= now - before;
  else
    last_ = key;  // a replay does not look in vain where other orders did
}

void ChosenRun::take(Cluster& cluster, Schedule::Step& step) {
  const Choice& choice = step.choice;
  if (choice.is_operation) {
    step.is_nothing = !cluster.async.is_pending(choice.number);
    if (!step.is_nothing) advance(cluster, step);
  } else {
    Warp& one = warp(cluster, choice.number);
    step.is_nothing = one.live == 0;
    if (!step.is_nothing) take(one, step);
  }
}

void ChosenRun::advance(Cluster& cluster, Schedule::Step& step) {
  const AsyncOperation& operation = cluster.async.operation(step.choice.number);
  for (const uint64_t id : operation.after) step.after.push_back({step.choice.cluster, true, false, id});
  const Issuer issuer = operation.issuer;
  cluster.async.advance(step.choice.number);
  ++cluster.progress;
  cluster.strict->races.order.touch_group(issuer, race::Touch::Kind::finish);
  step.touches = runner_.touches.take();
}

Schedule::Step ChosenRun::take(const Choice& choice) {
  Schedule::Step step;
  step.choice = choice;
  Cluster& of = cluster(choice);
  const uint64_t issued = of.async.last_id();
  try {
    take(of, step);
  } catch (const Trap&) {
    // The order that led here is one of those to come back to.
    step.touches = runner_.touches.take();
    schedule_.taken(std::move(step));
    throw;
  }
  for (uint64_t id = issued + 1; id <= of.async.last_id(); ++id)
    step.issued.push_back({choice.cluster, true, false, id});
  return step;
}
std::optional<Diagnostic> ChosenRun::run() {
  auto& resident = runner_.resident_;
  for (;;) {
    while (start_next(most_resident)) {
    }
    const bool is_draining =
        std::any_of(resident.begin(), resident.end(), [](const auto& one) { return !one->async.empty(); });
    const uint64_t before = progress();
    if (!is_draining && runner_.retire_finished()) {
      retired_progress_ += before - progress() + 1;
      continue;
    }
    if (resident.empty()) return std::nullopt;
    const std::vector<Choice> found = ready();
    if (!found.empty()) {
      schedule_.taken(take(schedule_.choose(found)));
      continue;
    }
    if (start_next(resident.size() + 1)) continue;
    bool can_move = false;
    for (const auto& one : resident) can_move |= runner_.resolve_stall(*one);
    if (!can_move) return runner_.deadlock_report();
  }
}

std::optional<Diagnostic> Runner::run_chosen(Schedule& schedule) {
  try {
    return ChosenRun(*this, schedule).run();
  } catch (const Trap& trap) {
    return describe(trap);
  }
}

namespace {

std::string name_of(const Choice& choice) {
  return (choice.cluster == 0 ? "" : "c" + std::to_string(choice.cluster)) +
         (choice.is_operation ? "a" : "w") + std::to_string(choice.number) +
         (choice.ends_wait_early ? "f" : "");
}

}  // namespace

std::string Replay::text(const Others& others) {
  std::string made;
  for (const auto& [step, choice] : others)
    made += (made.empty() ? "" : ".") + std::to_string(step) + name_of(choice);
  return made.empty() ? "first" : made;
}

std::optional<Replay> Replay::parse(std::string_view text) {
  Replay made;
  if (text == "first") return made;
  const auto number = [&](auto& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
  };
  const auto takes = [&](char letter) {
    if (!text.starts_with(letter)) return false;
    text.remove_prefix(1);
    return true;
  };
  do {
    auto& [step, choice] = made.others_.emplace_back();
    if (!number(step) || (takes('c') && !number(choice.cluster))) return std::nullopt;
    choice.is_operation = takes('a');
    if ((!choice.is_operation && !takes('w')) || !number(choice.number)) return std::nullopt;
    choice.ends_wait_early = takes('f');
    if (made.others_.size() > 1 && (made.others_.end() - 2)->first >= step) return std::nullopt;
  } while (takes('.'));
  if (!text.empty()) return std::nullopt;
  return made;
}

Choice Replay::choose(const std::vector<Choice>& ready) {
  const auto found =
      std::find_if(others_.begin(), others_.end(), [&](const auto& one) { return one.first == at_; });
  return found == others_.end() ? ready.front() : found->second;
}

}  // namespace assay::emulator
